"""Documents that contradict one another: answers, SQL and the list of conflicts put the same one first, and say why."""

from __future__ import annotations

from pathlib import Path

import pytest

from factspine import FactStore, answer_question, ingest
from factspine.analytics.copying import follow
from tests.analytics_samples import ask
from tests.commandline import run
from tests.test_check_edits import write_book


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Two annual reports; last year's figure is another one in the second."""
    folder = tmp_path / "documents"
    folder.mkdir()
    write_book(folder / "a.xlsx", {"P&L": [["US$ million", "FY2022", "FY2023"], ["Revenue", 90, 100]]})
    write_book(folder / "b.xlsx", {"P&L": [["US$ million", "FY2023", "FY2024"], ["Revenue", 101, 132]]})
    return tmp_path


@pytest.mark.parametrize("documents", [(), ("*.xlsx",)])
@pytest.mark.parametrize(
    ("vocabulary", "first", "why"),
    [
        ("", "101", "later period"),
        ('[[precedence]]\ndocuments = ["a.xlsx"]\nrank = 1\n', "100", "the order you gave"),
    ],
)
def test_one_order_everywhere(place: Path, vocabulary: str, first: str, why: str, documents: tuple[str, ...]) -> None:
    """The later report comes first, unless the user says otherwise; whoever shows the first shows the other, too."""
    if vocabulary:
        (place / "vocabulary.toml").write_text(vocabulary, encoding="utf-8")
    with FactStore(place / "facts.db") as store:
        store.init_schema()
        ingest(place / "documents", store)
        answer = answer_question("revenue FY2023", store, documents=documents)
        copy = follow(store, vocabulary=place / "vocabulary.toml" if vocabulary else None)
        with FactStore(f"duckdb:///{copy}") as other:
            assert answer_question("revenue FY2023", other, documents=documents).answer == answer.answer
    assert answer.value == first
    assert [one.verdict for one in answer.conflicts] == ["conflict"]
    assert len(answer.sources) == 2
    assert any(why in told for told in answer.assumptions)
    assert ask(copy, "SELECT value_exact FROM facts WHERE period = '2023'") == [(first,)]
    listed = run("conflicts", "--store", place / "facts.db").stdout
    assert listed.index(f"{first} USD") < listed.index("conflict  ", listed.index("Revenue"))


def test_agreeing_documents_need_no_order(place: Path) -> None:
    """Where nothing is contradicted, nothing is said about precedence."""
    with FactStore(place / "facts.db") as store:
        store.init_schema()
        ingest(place / "documents", store)
        assert answer_question("revenue FY2024", store).assumptions == ()


def test_what_is_computed_tells_what_is_contradicted(place: Path) -> None:
    """A growth rate stands on figures; where another document tells one of them otherwise, the answer says so."""
    with FactStore(place / "facts.db") as store:
        store.init_schema()
        ingest(place / "documents", store)
        answer = answer_question("revenue growth FY2024", store)
        assert answer.mode == "answer"
        assert [one.verdict for one in answer.conflicts] == ["conflict"]
        assert any("FY2023" in told and "contradict" in told for told in answer.assumptions)
