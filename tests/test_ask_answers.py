"""What an answer holds: the number in all its digits, its unit and cell, what was assumed, and what others say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from ask_store import DOCUMENTS, TODAY, ask, demo_store
from commandline import clean_environment, run

from factspine import FactStore, answer_question, ingest
from factspine.core.answers import Answer
from factspine.lexicon.vocabulary import Vocabulary

EXAMPLE = "中国内地FY2024的REVENUE是多少"


def test_the_documented_example() -> None:
    """The question of the documentation gets the number, its unit and its cell."""
    answer = ask(EXAMPLE)
    locator = "slide=2,table=1,cell=R2C3,row=REVENUE,col=FY2024"
    assert answer.answer.endswith(f"1,320 US$ million(来源:ACME_FY2024_Review.pptx · {locator})")
    assert answer.sources == [{"doc": "ACME_FY2024_Review.pptx", "locator": locator}]
    assert (answer.value, answer.unit, answer.scale, answer.period) == ("1320", "USD", 6, "2024")


def test_english_form() -> None:
    """An English question is answered in English."""
    answer = ask("What was the ROE of ACME Group in FY2024?")
    assert answer.language == "en"
    assert "14.1% (source: ACME_FY2024_Review.pptx · slide=2" in answer.answer


def test_json_has_every_field() -> None:
    """Programs get every field of the contract, values as text."""
    record = ask(EXAMPLE).to_json()
    assert list(record) == [
        "question", "mode", "answer", "language", "value", "unit", "scale", "period", "sources", "citations", "facts",
        "derivation", "assumptions", "conflicts", "candidates", "reason", "trace_id", "store_version", "elapsed_ms",
    ]  # fmt: skip
    assert isinstance(record["facts"][0]["value"], str)
    citation = record["citations"][0]
    assert citation["snippet"][citation["offsets"]["start"] : citation["offsets"]["end"]] == "1,320"
    assert citation["rev"] == record["facts"][0]["file_hash"]


def test_same_question_same_bytes() -> None:
    """Asked twice, in two processes' worth of memory, the answer is the same but for the time it took."""
    first, second = (
        ask(EXAMPLE).to_json(),
        answer_question(EXAMPLE, FactStore(demo_store().path or ""), today=TODAY).to_json(),
    )
    first.pop("elapsed_ms"), second.pop("elapsed_ms")
    assert json.dumps(first, ensure_ascii=False) == json.dumps(second, ensure_ascii=False)


def test_all_digits() -> None:
    """A long number is written out, as the document shows it."""
    assert "1234567.89 HK$" in ask("Harbour Light Group Petty cash float FY2024").answer


def test_number_without_source_cannot_be_an_answer() -> None:
    """The record itself refuses a number that has no cell."""
    with pytest.raises(ValueError, match="without the cell"):
        Answer(question="q", mode="answer", answer="7", language="en", value="7")


@pytest.mark.parametrize(
    "question",
    [
        "ACME Group REVENUE FY2024",
        "FY2024 revenues of ACME Group",
        "ACME集团".replace("集团", " Group") + "二零二四年REVENUE是多少",
        "ＡＣＭＥ Group ＦＹ２０２４ ＲＥＶＥＮＵＥ",
        "revenue, ACME Group, FY24",
        "ACME Group revnue FY2024",
        "去年ACME Group的REVENUE是多少",
        "last year's revenue of ACME Group",
        "ACME Group 2024年营业收入",
    ],
)
def test_normal_variation(question: str) -> None:
    """Plural, order, punctuation, width, script, synonyms, typos and relative periods all mean the same number."""
    answer = ask(question)
    assert (answer.mode, answer.value) == ("answer", "1320"), answer.answer


def test_traditional_characters() -> None:
    """Traditional characters find simplified labels."""
    assert ask("港暉集團2024年總收入是多少").value == "128.46"


def test_what_was_not_said_is_stated() -> None:
    """An organisation the question did not name is an assumption, in words."""
    assert any("ACME Group" in assumption for assumption in ask(EXAMPLE).assumptions)


def test_configured_default() -> None:
    """A default organisation decides where several fit, and is stated."""
    vocabulary = Path(demo_store().path or "").with_name("defaults.toml")
    vocabulary.write_text('[defaults]\nentity = "ACME Group"\n', encoding="utf-8")
    answer = ask("FY2024 ROE是多少", vocabulary=Vocabulary.load(vocabulary))
    assert answer.value == "14.1"
    assert any("ACME Group" in assumption for assumption in answer.assumptions)


def test_conflict_cites_both() -> None:
    """Two documents that contradict one another are both cited, and it is said."""
    answer = ask("Harbour Light Group operating profit FY2024")
    assert [conflict.verdict for conflict in answer.conflicts] == ["conflict"]
    assert "1,440.8" in answer.answer
    assert "1,452.0" in answer.answer
    assert "contradict" in answer.answer


def test_restated_is_told() -> None:
    """A restated figure comes first, and the one first reported is told beside it."""
    answer = ask("Harbour Light Group Total revenue FY2023")
    assert answer.value == "11491.4"
    assert [conflict.verdict for conflict in answer.conflicts] == ["restated"]
    assert "restated" in answer.answer


def test_budget_only_when_asked() -> None:
    """A budget is given to whoever asks for the budget, and to nobody else."""
    assert ask("Harbour Light Group insurance revenue FY2025").mode != "answer"
    assert ask("Harbour Light Group budget insurance revenue FY2025").value == "11180"
    assert ask("Harbour Light Group FY2025预算保险服务收入是多少").value == "11180"


def test_scale_is_converted_and_currency_is_not() -> None:
    """A number is told in the scale asked for; in another currency, never."""
    answer = ask("ACME Group REVENUE FY2024是多少亿美元")
    assert (answer.value, answer.scale) == ("13.2", 8)
    assert answer.derivation is not None
    assert answer.derivation.operation == "convert"
    refused = ask("ACME Group revenue FY2024 in HKD")
    assert refused.reason is not None
    assert refused.reason.code == "unit_mismatch"


def test_only_the_documents_asked_of() -> None:
    """With a pattern of documents, others are not answered from."""
    assert ask("ACME Group REVENUE FY2024", documents=("quarterly/*",)).mode != "answer"
    assert ask("ACME Group REVENUE FY2024", documents=("ACME*",)).value == "1320"


def test_restricted_documents_leave_no_trace(tmp_path: Path) -> None:
    """Who is not cleared gets the same words whether or not there is a restricted document."""
    rules = tmp_path / "vocabulary.toml"
    rules.write_text('[[sensitivity]]\ndocuments = ["board/*"]\nlevel = "RESTRICTED"\n', encoding="utf-8")
    vocabulary = Vocabulary.load(rules)
    store = FactStore(tmp_path / "facts.db")
    store.init_schema()
    ingest(DOCUMENTS, store, vocabulary=rules)
    question = "Target's figures Offer price FY2025 forecast"
    told = answer_question(question, store, today=TODAY, vocabulary=vocabulary)
    nonsense = answer_question(question.replace("Offer", "Zebra"), store, today=TODAY, vocabulary=vocabulary)
    assert told.mode == nonsense.mode == "refuse"
    assert told.reason is not None
    assert nonsense.reason is not None
    assert told.reason.code == nonsense.reason.code
    cleared = answer_question(question, store, today=TODAY, vocabulary=vocabulary, viewer="RESTRICTED")
    assert cleared.mode == "answer"


def test_nothing_is_assumed_that_has_no_name(tmp_path: Path) -> None:
    """A figure without a period is given without a word about periods: there was none to choose."""
    from openpyxl import Workbook

    book = Workbook()
    for row in (["型号", "重量(克)"], ["A1", 172], ["B2", 203]):
        book.active.append(row)
    (tmp_path / "docs").mkdir()
    book.save(tmp_path / "docs" / "models.xlsx")
    with FactStore(tmp_path / "facts.db") as store:
        store.init_schema()
        ingest(tmp_path / "docs", store, jobs=1)
        told = answer_question("A1重量是多少", store)
        assert (told.value, told.assumptions) == ("172", ())
        refused = answer_question("D4重量是多少", store)
        assert refused.reason is not None
        assert refused.reason.words == ("D4",)


def test_the_asker_may_be_named_in_the_environment(tmp_path: Path) -> None:
    """FACTSPINE_VIEWER holds for ask and search as for every other command."""
    store = str(demo_store().path)
    for command in ("ask", "search"):
        wrong = run(command, EXAMPLE, "--store", store, env=clean_environment(FACTSPINE_VIEWER="NOBODY"))
        assert wrong.returncode == 2
        assert "NOBODY" in wrong.stderr
        right = run(command, EXAMPLE, "--store", store, env=clean_environment(FACTSPINE_VIEWER="RESTRICTED"))
        assert right.returncode == 0


@pytest.mark.parametrize("option", ["--transparency", "--logs"])
def test_what_cannot_be_written_is_one_line(tmp_path: Path, option: str) -> None:
    """A place that cannot be written to is named in one line, with what to do."""
    (tmp_path / "file").touch()
    place = tmp_path / "file" / "inside"
    done = run("ask", EXAMPLE, "--store", str(demo_store().path), option, place)
    assert done.returncode == 2
    assert done.stderr.startswith(f"factspine: {place} cannot be written")
    assert done.stderr.count("\n") == 1


def test_command_line(tmp_path: Path) -> None:
    """`factspine ask` prints the answer, or JSON, or one JSON line for each question of a file."""
    store = str(demo_store().path)
    plain = run("ask", EXAMPLE, "--store", store)
    assert plain.returncode == 0
    assert "1,320 US$ million" in plain.stdout
    refused = run("ask", "特斯拉FY2024营收是多少", "--store", store)
    assert refused.returncode == 1
    assert "refuse" in refused.stdout
    questions = tmp_path / "questions.jsonl"
    lines = [{"id": "a", "question": EXAMPLE}, {"id": "b", "question": "ROE FY2024", "doc": "ACME*"}]
    questions.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    printed = run("ask", "--batch", questions, "--store", store, "--json", "--today", "2025-05-01")
    answers = [json.loads(line) for line in printed.stdout.splitlines()]
    assert [(answer["id"], answer["value"]) for answer in answers] == [("a", "1320"), ("b", "14.1")]
    assert run("ask", "--store", store).returncode == 2


def test_another_documents_wording_of_a_metric_is_not_left_out(tmp_path: Path) -> None:
    """Of two documents that contradict each other, the one with the label nearer to the question is not just right."""
    from openpyxl import Workbook

    folder = tmp_path / "in"
    folder.mkdir()
    for name, label, value in (("pack", "Revenue", 236), ("report", "Total revenue", 12_846)):
        book = Workbook()
        sheet = book.active
        for row in (["Maple Holdings Ltd"], ["HK$ million"], ["", "FY2024"], [label, value], ["Net profit", 21]):
            sheet.append(row)
        book.save(folder / f"{name}.xlsx")
    with FactStore(tmp_path / "facts.db") as store:
        store.init_schema()
        ingest(folder, store)
        told = answer_question("What was Maple Holdings Ltd's revenue in FY2024?", store, today=TODAY)
    assert {source["doc"] for source in told.sources} == {"pack.xlsx", "report.xlsx"}
    assert told.conflicts
