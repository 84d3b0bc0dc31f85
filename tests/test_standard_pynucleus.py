"""The source standard: three fields, `[†n]`, four decimals, the trace log, the overlap criterion, the gate."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from factspine import FactStore, answer_question, ingest, search
from factspine.cite.enforcement import enforce
from factspine.cite.gates import (
    FAR,
    OVERLAP_MIN,
    UNVERIFIED,
    VERIFIABLE_MIN,
    is_verifiable,
    structure_codes,
    word_overlap,
)
from factspine.cite.validator import validate
from factspine.core.citations import SIMILARITY_MIN
from factspine.core.locators import parse
from factspine.core.markers import marker, markers_are_in_order
from factspine.evaluation.gold import GoldItem
from factspine.evaluation.report import evaluate
from factspine.evaluation.running import Bench
from factspine.narrative.answers import NarrativeAnswer, Quoter
from factspine.narrative.search import SearchResult, index_of, search_index
from tests.ask_store import ask, demo_store
from tests.commandline import run
from tests.test_enforcement import Scripted
from tests.test_narrative import write_book

CHUNK = {
    "source_filename": "plants.pptx",
    "chunk_id": "plants_1",
    "text": "Modular plants are built sooner. They cost 12% less.",
}
CITATION = {"source_filename": "plants.pptx", "chunk_id": "plants_1", "similarity": 0.8712}


def test_markers_map_to_the_list_by_their_order() -> None:
    """`[†1]`, `[†2]` … first used in that order, each naming a citation of the list."""
    assert [marker(number) for number in (1, 2, 10)] == ["[†1]", "[†2]", "[†10]"]
    assert markers_are_in_order("A [†1]. B [†2]. C [†1][†3].", 3)
    for text in ("B [†2]. A [†1].", "A [†1]. B [†3].", "A [†0].", "A [†4].", "A [†one].", "A †1]."):
        assert not markers_are_in_order(text, 3), text


def test_several_citations_may_support_one_claim() -> None:
    """A claim with two markers stands on both."""
    second = {**CHUNK, "chunk_id": "plants_2", "text": "Modular plants are built in halves of the usual time."}
    answer = "Modular plants are built sooner [†1][†2]."
    citations = [CITATION, {**CITATION, "chunk_id": "plants_2"}]
    assert validate(answer, citations, [CHUNK, second]).ok


def test_every_factual_claim_names_a_source() -> None:
    """Citation coverage is all of the claims: one that names none is told."""
    answer = "Modular plants are built sooner [†1]. They are beautiful too."
    verdict = validate(answer, [CITATION], [CHUNK])
    assert verdict.codes == ("bad_marker",)
    assert [one.text for one in verdict.unsupported] == ["They are beautiful too."]


@pytest.mark.parametrize("name", ["source_filename", "chunk_id", "similarity"])
def test_the_structure_gate_names_a_missing_field(name: str) -> None:
    """Each of the three fields is required."""
    assert structure_codes([CITATION]) == ()
    assert structure_codes([CITATION, {key: value for key, value in CITATION.items() if key != name}]) == (
        f"missing_{name}",
    )
    assert structure_codes([]) == ("empty_citations",)


@pytest.mark.parametrize("similarity", [1.2, -0.1, 0.87123, "0.87", True])
def test_a_similarity_is_a_share_with_four_decimals(similarity: object) -> None:
    """From 0 to 1, rounded to four decimals."""
    assert structure_codes([{**CITATION, "similarity": similarity}]) == ("missing_score",)


def test_our_similarities_have_four_decimals() -> None:
    """Of answers and of searches alike, whatever the score was."""
    hits = [hit.citation for hit in search("revenue growth in Mainland China", demo_store(), top=20).hits]
    cited = ask("中国内地FY2024的REVENUE是多少").cited
    assert len({one.similarity for one in hits}) > 3
    for one in (*hits, *cited):
        assert one.similarity is not None
        assert one.similarity == round(one.score_norm or 0.0, 4)
    assert structure_codes([one.as_dict() for one in (*hits, *cited)]) == ()


def test_a_chunk_is_named_by_its_source_and_its_number() -> None:
    """`<source_id>_<chunk_idx>`: one name for each document, numbered from one without a gap."""
    hits = search("revenue", demo_store(), top=200).hits
    names: dict[str, set[str]] = {}
    for hit in hits:
        source, mark, number = hit.citation.chunk_id.rpartition("_")
        assert (bool(source), mark, number.isdigit()) == (True, "_", True)
        assert int(number) >= 1
        names.setdefault(hit.citation.doc_id, set()).add(source)
    assert all(len(found) == 1 for found in names.values())
    assert len({source for found in names.values() for source in found}) == len(names) > 1


def test_what_is_agreed_on_must_stand_in_what_is_cited() -> None:
    """The overlap counts words of the ideal answer that the answer says and the cited chunks hold."""
    ideal = "Modular plants are built sooner"
    assert word_overlap(ideal, "Modular plants are built sooner [†1].", CHUNK["text"]) == 1.0
    unsaid = word_overlap(ideal, "Plants are built.", CHUNK["text"])
    uncited = word_overlap(ideal, "Modular plants are built sooner.", "Plants are green.")
    assert unsaid == 0.6
    assert uncited == 0.4
    assert max(unsaid, uncited) < OVERLAP_MIN == 0.85
    assert word_overlap("收入上升", "收入大幅上升", "收入上升了") == 1.0


def test_questions_and_answers_are_logged_only_where_asked_for(tmp_path: Path) -> None:
    """With `--logs` every question is a line with the standard's fields; without it nothing holds its words."""
    store = str(demo_store().path)
    question = "What was Macau's claims ratio in FY2024?"
    run("ask", question, "--store", store, cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []
    batch = tmp_path / "asked.jsonl"
    batch.write_text(
        "".join(json.dumps({"id": n, "question": text}) + "\n" for n, text in enumerate((question, "zzz"))), "utf-8"
    )
    run("ask", "--batch", batch, "--logs", tmp_path / "logs", "--store", store)
    lines = (tmp_path / "logs" / "rag_trace.jsonl").read_text(encoding="utf-8").splitlines()
    answered, refused = map(json.loads, lines)
    assert set(answered) == {"query_id", "timestamp", "question", "answer", "citations", "metadata"}
    assert answered["question"] == question
    assert "57.9%" in answered["answer"]
    assert answered["query_id"] != refused["query_id"]
    assert structure_codes(answered["citations"]) == ()
    assert (refused["citations"], refused["metadata"]["mode"]) == ([], "refuse")
    traces = (tmp_path / "logs" / "rag_traces.log").read_text(encoding="utf-8")
    assert "57.9" not in traces
    assert "claims" not in traces.lower().replace("row=claims", "")


QUESTION = "Why did the Macau office move?"
SAID = "The Macau office moved because the old lease had ended."


@pytest.fixture
def offices(tmp_path: Path) -> Iterator[FactStore]:
    write_book(tmp_path / "docs" / "offices.xlsx", note=f"{SAID} Rents did not rise.")
    with FactStore(tmp_path / "facts.db") as opened:
        opened.init_schema()
        ingest(tmp_path / "docs", opened, jobs=1)
        assert answer_question(QUESTION, opened).mode == "answer"
        yield opened


def candidate(monkeypatch: pytest.MonkeyPatch, change: Callable[[NarrativeAnswer], NarrativeAnswer]) -> None:
    """The next answers in words are these, changed."""
    own = Quoter.answer
    monkeypatch.setattr(Quoter, "answer", lambda quoter: change(own(quoter)))


def refusal(store: FactStore) -> tuple[str, tuple[str, ...]]:
    answer = answer_question(QUESTION, store)
    assert (answer.mode, answer.citations) == ("refuse", [])
    assert answer.reason is not None
    assert "lease" not in answer.answer.splitlines()[0]
    return answer.reason.code, answer.reason.words


@pytest.mark.parametrize("name", ["source_filename", "chunk_id"])
def test_an_answer_whose_citation_lacks_a_field_is_not_given(
    offices: FactStore, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The structure gate stands before every answer: without the field the candidate is refused with its code."""
    monkeypatch.setattr("factspine.ask.text.resolves", lambda *_: True)

    def without(told: NarrativeAnswer) -> NarrativeAnswer:
        return replace(told, citations=tuple(replace(one, **{name: ""}) for one in told.citations))

    candidate(monkeypatch, without)
    code, words = refusal(offices)
    assert code == "below_gate"
    assert f"missing_{name}" in words


def test_an_answer_without_a_similarity_is_not_given(offices: FactStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """A score is one of the three fields, with four decimals."""
    for similarity, code in ((None, "missing_similarity"), (0.87123, "missing_score")):
        with monkeypatch.context() as changed:
            candidate(
                changed,
                lambda told, similarity=similarity: replace(  # type: ignore[misc]
                    told, citations=tuple(replace(one, similarity=similarity) for one in told.citations)
                ),
            )
            assert refusal(offices) == ("below_gate", (code,))


def test_a_metric_answer_passes_the_same_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number, too, leaves only with citations that have their fields."""
    question = "中国内地FY2024的REVENUE是多少"
    assert ask(question).mode == "answer"
    monkeypatch.setattr("factspine.ask.gating.citation_gate", lambda _: ("missing_chunk_id",))
    refused = ask(question)
    assert (refused.mode, refused.value, refused.facts) == ("refuse", None, ())
    assert refused.reason is not None
    assert (refused.reason.code, refused.reason.words) == ("below_gate", ("missing_chunk_id",))
    assert "1,320" not in refused.answer


def test_what_is_hardly_near_is_not_cited(offices: FactStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Below a similarity of 0.1 a passage is no source, though it has the words; and no candidate may cite it."""
    assert SIMILARITY_MIN == 0.1
    own = search_index

    def faint(*args: Any, **options: Any) -> SearchResult:
        found = own(*args, **options)
        hits = tuple(replace(hit, citation=replace(hit.citation, similarity=0.0999)) for hit in found.hits)
        return replace(found, hits=hits)

    with monkeypatch.context() as changed:
        changed.setattr("factspine.narrative.answers.search_index", faint)
        assert refusal(offices)[0] == "insufficient_evidence"
    candidate(
        monkeypatch,
        lambda told: replace(told, citations=tuple(replace(one, similarity=0.0999) for one in told.citations)),
    )
    assert refusal(offices) == ("below_gate", (FAR,))


def test_a_model_cannot_cite_what_is_hardly_near() -> None:
    """A chunk below the floor is not among what it may cite: it is neither shown nor accepted."""
    faint = {**CHUNK, "section_id": "s", "similarity": 0.09}
    reply = {
        "citations": [{"chunk_id": "plants_1", "snippet": "Modular plants are built sooner."}],
        "answer": "Modular plants are built sooner [†1].",
        "mode": "answer",
    }
    near = Scripted(reply)
    assert enforce("Why modular plants?", [{**faint, "similarity": 0.1}], near).mode == "answer"
    far = Scripted(reply, reply)
    told = enforce("Why modular plants?", [faint], far)
    assert told.mode == "refuse"
    assert "not_retrieved" in told.codes
    assert "Modular plants are built sooner" not in far.asked[0]


@pytest.mark.parametrize(
    "answer",
    [
        "The Macau office moved because the landlord sold the whole building to a hotel chain [†1].",
        "The Macau office moved although the old lease had never ended [†1].",
        "澳门办事处因旧租约到期而搬迁 [†1]。",
        "Rents did rise [†1].",
    ],
)
def test_nine_tenths_of_an_answer_stand_in_what_it_cites(
    offices: FactStore, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    """Words that the source does not have, or that turn it into its opposite: the candidate is not given."""
    assert VERIFIABLE_MIN == 0.9
    candidate(monkeypatch, lambda told: replace(told, answer=answer))
    assert refusal(offices) == ("below_gate", (UNVERIFIED,))


def test_a_model_s_own_words_are_cut_or_refused() -> None:
    """Of two sentences the one that stands is kept; a sentence of its own invention is not, cited or not."""
    chunk = {**CHUNK, "section_id": "s", "similarity": 0.8712}
    cited = {"chunk_id": "plants_1", "snippet": "Modular plants are built sooner."}
    invented = "Regulators everywhere praise their elegant silent turbines [†1]."
    both = {"citations": [cited], "answer": f"Modular plants are built sooner [†1]. {invented}", "mode": "answer"}
    told = enforce("Why modular plants?", [chunk], Scripted(both, both))
    assert (told.mode, told.answer) == ("answer", "Modular plants are built sooner [†1].")
    assert told.removed == (invented,)
    alone = {**both, "answer": invented}
    refused = enforce("Why modular plants?", [chunk], Scripted(alone, alone))
    assert (refused.mode, refused.codes) == ("refuse", (UNVERIFIED,))


@pytest.mark.parametrize(
    ("answer", "stands"),
    [
        ("Revenue fell because of the storm", False),
        ("Revenue did not rise because of the storm", False),
        ("Revenue rose because of the storm", True),
        ("The store was not closed", True),
        ("The store was closed", False),
        ("因风暴，收入下降", False),
        ("因风暴，收入上升", True),
    ],
)
def test_the_opposite_of_what_is_cited_is_not_verifiable(answer: str, stands: bool) -> None:
    """One word of ten may be the one that matters."""
    cited = ["Revenue rose because of the storm, but the store was not closed.", "因风暴，收入上升，但门店没有关闭。"]
    assert is_verifiable(answer, cited) is stands


def test_an_evaluation_below_the_overlap_fails(offices: FactStore) -> None:
    """Of an ideal answer 85 % must be said and stand in what is cited, or the run does not pass."""
    item = GoldItem(
        id="g",
        phrasings=(QUESTION,) * 3,
        doc="offices.xlsx",
        locator=parse("sheet=Notes,cell=A1"),
        ideal=SAID,
        section="s",
    )
    with index_of(offices) as index:
        bench = Bench(offices, index)
        good = evaluate([item], bench.run_all([item]))
        other = replace(item, ideal="The Macau office closed for good after a flood in the cellar.")
        bad = evaluate([other], bench.run_all([other]))
    assert good.targets["overlap"]
    assert not bad.targets["overlap"]
    assert not bad.passed
