"""What the views of the analytic copy show, and that it is what the rest of FactSpine says."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from factspine.analytics.copying import follow
from factspine.core.verdicts import agreements, question_of, standings_of
from factspine.store.store import FactStore
from tests.analytics_samples import FIRST_DAY, Said, ask, new_store, say

VIEWS = {
    "facts": "fact_id",
    "facts_all": "fact_id",
    "facts_as_of('2030-01-01')": "fact_id",
    "agreements": "fact_id",
    "conflicts": "fact_id",
    "restatements": "fact_id",
    "lineage": "fact_id",
    "changes": "fact_id",
    "coverage": "source_doc_id",
    "ledger": "source_doc_id",
    "documents": "source_doc_id",
    "findings": "source_doc_id",
    "by_year": "fact_ids",
    "by_quarter": "fact_ids",
}


def withdraw(store: FactStore, doc_id: str, *, day: int) -> None:
    moment = FIRST_DAY + timedelta(days=day)
    with store.begin_run(started_at=moment) as run:
        run.withdraw(doc_id)
        run.seal(finished_at=moment)


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_carries_its_citation(tmp_path: Path, view: str) -> None:
    """Whatever is asked, each row can say where it comes from."""
    store = new_store(tmp_path)
    say(store, {"a.xlsx": [Said(value="1")]})
    names = {row[0] for row in ask(follow(store), f"DESCRIBE FROM {view}")}
    assert VIEWS[view] in names
    if VIEWS[view] == "fact_id":
        assert {"source_doc_id", "source_locator"} <= names


def test_superseded_and_withdrawn_facts_are_history(tmp_path: Path) -> None:
    """They are not in `facts`, they are in `facts_all`, and `facts_as_of` shows them when they were known."""
    store = new_store(tmp_path)
    say(store, {"a.xlsx": [Said(value="1")], "b.xlsx": [Said(value="5", entity="OTHER")]})
    say(store, {"a.xlsx": [Said(value="2")]}, day=10, content="second")
    withdraw(store, "b.xlsx", day=20)
    copy = follow(store)
    assert ask(copy, "SELECT value_exact FROM facts") == [("2",)]
    assert ask(copy, "SELECT value_exact, is_current FROM facts_all ORDER BY 1") == [
        ("1", False),
        ("2", True),
        ("5", False),
    ]
    for moment, values in (
        ("2025-01-30", []),
        ("2025-01-31", ["1", "5"]),
        ("2025-01", ["1", "5"]),
        ("2025-02-10 11:59", ["1", "5"]),
        ("2025-02-10", ["2", "5"]),
        ("2025", ["2"]),
    ):
        found = ask(copy, f"FROM facts_as_of('{moment}') SELECT value_exact ORDER BY 1")
        assert [row[0] for row in found] == values, moment
    runs = [run.run_id for run in store.runs()]
    assert ask(copy, f"FROM facts_as_of('{runs[1]}') SELECT count(*)") == [(2,)]
    with pytest.raises(duckdb.Error, match="no moment"):
        ask(copy, "FROM facts_as_of('yesterday')")
    assert ask(copy, "SELECT count(*) FROM facts_as_of(DATE '2025-02-10')") == [(2,)]
    assert ask(copy, "SELECT count(*) FROM facts_as_of(TIMESTAMP '2025-02-10 11:00:00')") == [(2,)]


def test_history_is_the_same_whether_followed_or_loaded_at_once(tmp_path: Path) -> None:
    """A reading that comes back after another, and a document that comes back after it was withdrawn."""
    store = new_store(tmp_path)
    steps = [("first", "1"), ("second", "2")]
    for day, (content, value) in enumerate(steps):
        say(
            store,
            {"a.xlsx": [Said(value=value)], "b.xlsx": [Said(value="9")]}
            if not day
            else {"a.xlsx": [Said(value=value)]},
            day=day,
            content=content,
        )
        follow(store)
    withdraw(store, "b.xlsx", day=5)
    followed = ask(follow(store), "FROM facts_all ORDER BY ALL")
    copy = follow(store)
    copy.unlink()
    assert ask(follow(store), "FROM facts_all ORDER BY ALL") == followed
    assert ask(copy, "SELECT value_exact FROM facts") == [("2",)]


def test_the_best_of_several_is_shown_and_the_others_are_told(tmp_path: Path) -> None:
    """Restated before reported, the later document before the earlier; conflicts cite both sides."""
    store = new_store(tmp_path)
    early = {"period_end": "2024-12-31"}
    say(
        store,
        {
            "2024.xlsx": [Said(value="100", **early), Said(value="7", metric="ROE", unit="%", scale=0)],
            "2025.xlsx": [
                Said(value="104", metric="REVENUE"),
                Said(value="1", period="2025", period_end="2025-12-31"),
                Said(value="8", metric="ROE", unit="%", scale=0, status="actual restated"),
            ],
        },
    )
    copy = follow(store)
    found = dict(ask(copy, "SELECT metric_code, value_exact FROM facts WHERE period = '2024'"))
    assert found == {"REVENUE": "104", "ROE": "8"}
    assert ask(copy, "SELECT metric_code, value_exact, source_doc_id, best_source_doc_id FROM conflicts") == [
        ("REVENUE", "100", "2024.xlsx", "2025.xlsx")
    ]
    assert ask(copy, "SELECT metric_code, value_exact, best_value_exact FROM restatements") == [("ROE", "7", "8")]


def test_hidden_facts_are_not_shown_as_the_answer(tmp_path: Path) -> None:
    """A hidden row is in `facts_all`, marked, and never in `facts`."""
    store = new_store(tmp_path)
    say(store, {"a.xlsx": [Said(value="1", status="actual hidden")]})
    copy = follow(store)
    assert ask(copy, "SELECT count(*) FROM facts") == [(0,)]
    assert ask(copy, "SELECT status FROM facts_all") == [("actual hidden",)]


def test_the_users_own_order_comes_first(tmp_path: Path) -> None:
    """Ranks of the vocabulary file decide, and a change of the file is followed without a new run."""
    store = new_store(tmp_path)
    say(store, {"audited/a.xlsx": [Said(value="1")], "z.xlsx": [Said(value="2", period_end="2026-12-31")]})
    assert ask(follow(store), "SELECT value_exact FROM facts") == [("2",)]
    vocabulary = tmp_path / "vocabulary.toml"
    vocabulary.write_text('[[precedence]]\ndocuments = ["audited/*"]\nrank = 1\n')
    assert ask(follow(store, vocabulary=vocabulary), "SELECT value_exact FROM facts") == [("1",)]
    assert ask(follow(store), "SELECT value_exact FROM facts") == [("2",)]


_SAID = st.builds(
    Said,
    value=st.sampled_from(["0", "1", "12", "12.3", "12.34", "1234", "-5", "1200", "99999999999999.5"]),
    metric=st.sampled_from(["REVENUE", "ROE"]),
    period=st.sampled_from(["2023", "2024"]),
    unit=st.sampled_from(["HKD", "USD", "unknown"]),
    scale=st.sampled_from([0, 3, 6]),
    decimals=st.sampled_from([0, 1, 2]),
    status=st.sampled_from(["actual", "budget", "actual restated", "actual audited", "actual hidden", "unaudited"]),
    evidence=st.sampled_from(["", "sheet=P&L,cell=A1"]),
    period_end=st.sampled_from(["2023-12-31", "2024-12-31", ""]),
    period_type=st.sampled_from(["FY", "FY", "FY", "NONE"]),
)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(_SAID, min_size=1, max_size=6), min_size=1, max_size=4))
def test_verdicts_and_order_are_those_of_the_core(documents: list[list[Said]]) -> None:
    """Which fact comes first and what is said of the others is the same in SQL as in an answer."""
    with TemporaryDirectory() as folder:
        store = new_store(Path(folder))
        say(store, {f"{number}.xlsx": said for number, said in enumerate(documents)})
        facts = list(store.facts())
        copy = follow(store)
        found = ask(copy, "SELECT best_fact_id, fact_id, verdict FROM agreements ORDER BY ALL")
        shown = {row[0] for row in ask(copy, "SELECT fact_id FROM facts")}
        as_of = {row[0] for row in ask(copy, "SELECT fact_id FROM facts_as_of('2099-01-01')")}
        store.close()
    expected = agreements(facts, standings_of(facts))
    assert found == sorted(
        (one.facts[0].fact_id, other.fact_id, verdict)
        for one in expected
        for other, verdict in zip(one.facts[1:], one.verdicts[1:], strict=True)
    )
    outranked = {fact.fact_id for one in expected for fact in one.facts[1:]}
    visible = {fact.fact_id for fact in facts if "hidden" not in fact.status.split()}
    assert shown == as_of == visible - outranked
    assert len({question_of(fact) for fact in facts if fact.fact_id in shown and fact.period_type != "NONE"}) == sum(
        fact.fact_id in shown and fact.period_type != "NONE" for fact in facts
    )


_HUGE = st.builds(
    Said,
    value=st.sampled_from(
        [
            *("9" * 30, "9" * 29 + "8", "1" + "0" * 30, "1" + "0" * 24, "1" + "0" * 27, "-" + "9" * 30, "5" * 20, "0"),
            *("1" + "0" * 33, "1" + "0" * 30 + ".4", "1" + "0" * 30 + "." + "0" * 23 + "1", "0." + "0" * 29 + "1"),
        ]
    ),
    scale=st.sampled_from([0, 3, 6, 9]),
    decimals=st.sampled_from([0, 1, 20]),
    unit=st.sampled_from(["HKD", "unknown"]),
    evidence=st.sampled_from(["", "sheet=P&L,cell=A1"]),
)


@settings(max_examples=25, deadline=None)
@given(st.lists(_HUGE, min_size=2, max_size=5))
def test_verdicts_over_numbers_of_any_length_are_those_of_the_core(said: list[Said]) -> None:
    """No figure is too large or too small to be compared exactly."""
    with TemporaryDirectory() as folder:
        store = new_store(Path(folder))
        say(store, {f"{number}.xlsx": [one] for number, one in enumerate(said)})
        facts = list(store.facts())
        found = ask(follow(store), "SELECT best_fact_id, fact_id, verdict FROM agreements ORDER BY ALL")
        store.close()
    assert found == sorted(
        (one.facts[0].fact_id, other.fact_id, verdict)
        for one in agreements(facts, standings_of(facts))
        for other, verdict in zip(one.facts[1:], one.verdicts[1:], strict=True)
    )


def test_best_facts_are_the_same_followed_or_loaded_at_once(tmp_path: Path) -> None:
    """After every run, what comes first is what a copy made from nothing would show first."""
    store = new_store(tmp_path)
    for day in range(6):
        documents = {
            f"{number}.xlsx": [
                Said(value=str(day * 10 + number), metric=metric, period_end=f"20{20 + (day * number) % 7}-12-31")
                for metric in ("A", "B")[: 1 + (day + number) % 2]
            ]
            for number in range(day % 3, 4)
        }
        say(store, documents, day=day, content=str(day))
        if day == 3:
            withdraw(store, "3.xlsx", day=day)
        copy = follow(store)
        followed = ask(copy, "SELECT fact_id, is_best, is_current FROM facts_all ORDER BY ALL")
        copy.unlink()
        assert ask(follow(store), "SELECT fact_id, is_best, is_current FROM facts_all ORDER BY ALL") == followed


def test_changes_tell_what_each_run_did(tmp_path: Path) -> None:
    """New documents add, new revisions change, move and drop, withdrawn documents take all with them."""
    store = new_store(tmp_path)
    say(store, {"a.xlsx": [Said(value="1", metric="A"), Said(value="2", metric="B"), Said(value="3", metric="C")]})
    # A row is inserted above B, B's value changes not; C is dropped.
    new = [Said(value="1.5", metric="A"), Said(value="9", metric="NEW"), Said(value="2", metric="B")]
    say(store, {"a.xlsx": new}, day=1, content="second")
    withdraw(store, "a.xlsx", day=2)
    found = ask(
        follow(store),
        "SELECT fate, metric_code, value_before, value_after FROM changes ORDER BY changed_at, fate, metric_code",
    )
    assert found[:3] == [("added", "A", None, "1"), ("added", "B", None, "2"), ("added", "C", None, "3")]
    assert found[3:7] == [
        ("added", "NEW", None, "9"),
        ("changed", "A", "1", "1.5"),
        ("moved", "B", "2", "2"),
        ("vanished", "C", "3", None),
    ]
    assert [row[0] for row in found[7:]] == ["vanished"] * 3


def test_periods_stand_side_by_side(tmp_path: Path) -> None:
    """One row a metric, one column a year, amounts in single units, each with the fact it comes from."""
    store = new_store(tmp_path)
    say(store, {"a.xlsx": [Said(value="1.5", period="2023"), Said(value="2", period="2024", scale=3)]})
    ((metric, before, after, sources),) = ask(
        follow(store), 'SELECT metric_code, "2023"::VARCHAR, "2024"::VARCHAR, fact_ids FROM by_year'
    )
    assert (metric, before.rstrip("0"), after.rstrip("0")) == ("REVENUE", "1500000.", "2000.")
    assert list(sources) == ["2023", "2024"]


def test_lineage_goes_all_the_way(tmp_path: Path) -> None:
    """Labels, formula, table, file, reader, vocabulary and run of a fact, as the store tells them."""
    store = new_store(tmp_path)
    say(store, {"a.xlsx": [Said(value="1"), Said(value="2", metric="B", evidence="self")]})
    facts = list(store.facts())
    found = ask(
        follow(store),
        "SELECT fact_id, row_path, col_path, coalesce(formula, ''), unit_evidence, file_hash, extractor_version,"
        " mapping_version, known_from FROM lineage ORDER BY source_locator",
    )
    assert found == [
        (
            fact.fact_id,
            list(fact.row_path),
            list(fact.col_path),
            fact.formula,
            fact.unit_evidence,
            fact.source_file_hash,
            fact.extractor_version,
            fact.mapping_version,
            fact.known_from,
        )
        for fact in facts
    ]
