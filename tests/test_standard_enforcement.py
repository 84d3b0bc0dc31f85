"""Citation enforcement end to end: a model server on loopback, the store's own passages, one repair, or refusal."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from factspine import FactStore, answer_question, ingest, search
from factspine.ask.trace import trace_path
from factspine.cite.enforcement import Enforced, enforce
from factspine.cite.validator import validate
from factspine.core.answers import Answer
from tests import model_server as server
from tests.ask_store import ask, demo_store
from tests.test_narrative import write_book

QUESTION = "Why did revenue in Mainland China grow?"
SENTENCE = "Revenue in Mainland China grew because two new plants opened in the second quarter and prices rose by 3%."
Reply = dict[str, Any]


def passages() -> list[dict[str, Any]]:
    hits = search(QUESTION, demo_store(), top=5).hits
    return [{**hit.citation.as_dict(), "snippet_id": hit.chunk.chunk_id, "text": hit.chunk.text} for hit in hits]


def chunk_of(material: str, snippet: str) -> str:
    """The id under which a model was shown a sentence."""
    blocks = re.findall(r'<SNIPPET-\w+ chunk_id="([^"]+)"[^>]*>\n(.*?)\n</SNIPPET-\w+>', material, re.S)
    return next(name for name, text in blocks if snippet in text)


def replies(*makers: Callable[[str], Reply | str]) -> server.Part:
    """A model that gives one reply after another, each made from what it was shown; the last one again and again."""
    given: list[int] = []

    def part(handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        made = makers[min(len(given), len(makers) - 1)](body["messages"][-1]["content"])
        given.append(1)
        text = made if isinstance(made, str) else json.dumps(made, ensure_ascii=False)
        server.send(handler, server.completion({"content": text}))

    return part


def saying(answer: str, snippet: str = SENTENCE, chunk: str = "", mode: str = "answer") -> Callable[[str], Reply]:
    def make(material: str) -> Reply:
        cited = [{"chunk_id": chunk or chunk_of(material, SENTENCE), "snippet": snippet}]
        return {"citations": cited, "answer": answer, "mode": mode}

    return make


HONEST = saying("Two new plants opened in the second quarter, and prices rose by 3% [†1].")
LIE = saying("Five new plants opened and prices rose by 30% [†1].")


def enforced(part: server.Part) -> tuple[Enforced, server.Server]:
    with server.model(part) as running:
        return enforce(QUESTION, passages(), running.provider()), running


def asked(part: server.Part, question: str = QUESTION) -> tuple[Answer, server.Server]:
    with server.model(part) as running:
        return ask(question, provider=running.provider()), running


def test_the_form_is_answer_citations_mode() -> None:
    """Exactly these three; every citation is of the retrieved set and has doc_id, chunk_id and snippet."""
    result, running = enforced(replies(HONEST))
    form = result.as_dict()
    assert list(form) == ["answer", "citations", "mode"]
    assert form["mode"] == "answer"
    assert {"doc_id", "chunk_id", "snippet"} <= set(form["citations"][0])
    assert validate(form["answer"], form["citations"], passages()).ok
    assert len(running.asked) == 1


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (saying("Prices rose by 3% [†1].", chunk="0123456789ab_1"), "not_retrieved"),
        (saying("Prices rose by 3% [†1].", snippet=SENTENCE.replace("second", "third")), "snippet_mismatch"),
        (lambda material: {"citations": [{"snippet": SENTENCE}], "answer": "A b [†1]."}, "missing_chunk_id"),
        (lambda material: {"citations": [], "answer": "Prices rose by 3%.", "mode": "answer"}, "empty_citations"),
        (LIE, "uncited_number"),
        (saying("Prices rose by 3% [†2]."), "bad_marker"),
        (lambda material: "Prices rose, I think.", "not_json"),
    ],
    ids=["invented chunk", "changed snippet", "no chunk", "no citations", "foreign number", "wrong marker", "no JSON"],
)  # fmt: skip
def test_what_fails_is_repaired_once_and_then_refused(bad: Callable[[str], Reply | str], code: str) -> None:
    """The repair names the code and the chunks that may be cited; a second failure is a refusal, not a third try."""
    result, running = enforced(replies(bad, HONEST))
    assert (result.mode, result.repaired) == ("answer", True)
    assert code in result.codes
    again = running.asked[1]["messages"][-1]["content"]
    assert code in again
    assert json.dumps([chunk["chunk_id"] for chunk in passages()]) in again
    result, running = enforced(replies(bad))
    assert (result.mode, result.answer, result.citations) == ("refuse", "", ())
    assert len(running.asked) == 2


def test_the_retrieved_set_is_this_request_s() -> None:
    """A chunk of the store that was not retrieved for this question is as good as invented."""
    hits = search("How is ROE computed?", demo_store(), top=1).hits
    other = hits[0].chunk
    assert other.chunk_id not in {chunk["chunk_id"] for chunk in passages()}
    result, _ = enforced(replies(saying(f"{other.text} [†1]", snippet=other.text, chunk=other.chunk_id)))
    assert result.mode == "refuse"
    assert "not_retrieved" in result.codes


def test_a_model_words_what_the_passages_say() -> None:
    """The answer is the model's, its citations are of the store, whole, and written out as sources."""
    answer, running = asked(replies(HONEST))
    assert answer.mode == "answer"
    assert answer.answer.startswith("Two new plants opened in the second quarter, and prices rose by 3% [†1].")
    assert answer.sources == [{"doc": "ACME_FY2024_Review.pptx", "locator": "slide=2,notes=1,para=1"}]
    assert answer.citations[0]["snippet"] == SENTENCE
    sent = running.asked[0]["messages"]
    assert "Cite before you explain" in sent[0]["content"]
    assert SENTENCE in sent[1]["content"]


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (LIE, "uncited_number"),
        (lambda material: "no JSON", "not_json"),
        (saying("Prices rose by 3% [†1].", chunk="none_1"), "not_retrieved"),
        (saying("Prices rose by 3%."), "bad_marker"),
    ],
    ids=["lie", "no JSON", "invented chunk", "no marker"],
)
def test_what_a_model_cannot_support_is_refused(bad: Callable[[str], Reply | str], code: str) -> None:
    """Two calls, then `refuse` with the validator's codes and at most three passages to look at; nothing is cited."""
    answer, running = asked(replies(bad))
    assert (answer.mode, answer.citations, answer.sources) == ("refuse", [], [])
    assert answer.reason is not None
    assert answer.reason.code == "unsupported_answer"
    assert code in answer.reason.words
    assert 1 <= len(answer.candidates) <= 3
    assert len(running.asked) == 2
    assert "30%" not in answer.answer


def test_a_model_that_finds_no_answer_gives_none() -> None:
    """The model's own refusal is a refusal: insufficient evidence, with the passages that came nearest."""
    answer, _ = asked(replies(saying("x", mode="refuse")))
    assert answer.mode == "refuse"
    assert answer.reason is not None
    assert answer.reason.code == "insufficient_evidence"
    assert 1 <= len(answer.candidates) <= 3


def test_what_stands_is_kept_and_the_rest_removed() -> None:
    """One sentence of two stands after the repair: it is the answer, alone and marked."""
    half = saying("Prices rose by 3% [†1]. Five hundred plants opened [†1].")
    answer, running = asked(replies(half))
    assert answer.mode == "answer"
    assert answer.answer.startswith("Prices rose by 3% [†1].")
    assert "hundred" not in answer.answer
    assert len(running.asked) == 2


def test_a_number_stands_where_the_model_s_reason_does_not() -> None:
    """Of a question for a number and its reason the number is answered from its cell; the reason is told missing."""
    answer, _ = asked(replies(lambda material: "no JSON"), "中国内地FY2024的REVENUE是多少,为什么?")
    assert (answer.mode, answer.value) == ("answer", "1320")
    assert len(answer.citations) == 1
    assert any("证据不足" in one for one in answer.assumptions)


def test_a_model_that_breaks_changes_nothing() -> None:
    """A server that fails is as if there were none."""
    answer, _ = asked(lambda handler, _: server.send(handler, b"boom", status=500))
    assert answer.answer == ask(QUESTION).answer


def test_no_model_is_asked_where_a_number_is() -> None:
    """A figure comes from a cell, whoever would like to word it."""
    answer, running = asked(replies(LIE), "中国内地FY2024的REVENUE是多少")
    assert answer.value == "1320"
    assert running.asked == []


def test_a_model_is_shown_only_what_the_asker_may_read(tmp_path: Path) -> None:
    """Passages of a document that is not cleared are not sent, whatever the question."""
    write_book(tmp_path / "docs" / "open.xlsx", "Dish | Price\nNoodles | 40", note="The canteen is closed on Sundays.")
    write_book(tmp_path / "docs" / "board.xlsx", "Dish | Price\nSoup | 30", note="The canteen is sold to Heron Foods.")
    words = '[[sensitivity]]\ndocuments = ["board*"]\nlevel = "RESTRICTED"\n'
    (tmp_path / "vocabulary.toml").write_text(words, encoding="utf-8")
    with FactStore(tmp_path / "facts.db") as store, server.model(replies(lambda material: "no JSON")) as running:
        store.init_schema()
        ingest(tmp_path / "docs", store, jobs=1)
        question = "Why is the canteen closed, or sold to whom?"
        answer_question(question, store, running.provider())
        assert running.asked
        assert "Heron" not in json.dumps(running.asked)
        answer_question(question, store, running.provider(), viewer="RESTRICTED")
        assert "Heron" in json.dumps(running.asked)


def test_a_refusal_can_be_traced_to_retrieval_or_to_the_model(tmp_path: Path) -> None:
    """The trace has the chunks that were retrieved and cited and the codes of what failed; no text of any."""
    note = "The canteen moved because the kitchen burnt."
    write_book(tmp_path / "docs" / "open.xlsx", "Dish | Price\nNoodles | 40", note=note)
    question = "Why did the canteen move?"
    with FactStore(tmp_path / "facts.db") as store, server.model(replies(lambda material: "no JSON")) as running:
        store.init_schema()
        ingest(tmp_path / "docs", store, jobs=1)
        answer_question(question, store)
        answer_question(question, store, running.provider())
        path = trace_path(store.path)
        hits = search(question, store, top=30).hits
    assert path is not None
    quoted, refused = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    ids = [hit.citation.chunk_id for hit in hits]
    assert (quoted["retrieved"], quoted["chunks"], quoted["codes"]) == (ids, ids[:1], [])
    assert (refused["retrieved"], refused["chunks"], refused["codes"]) == (ids, [], ["not_json"])
    assert refused["reason"] == "unsupported_answer"
    assert "kitchen" not in path.read_text(encoding="utf-8")
