"""The fabrication gauntlet: nothing false gets through, hardly anything honest is stopped."""

from __future__ import annotations

import os
import random
from collections import Counter
from itertools import islice

import orjson
import pytest

from factspine.cite.enforcement import enforce
from factspine.cite.validator import validate
from factspine.narrative.building import refresh
from factspine.narrative.search import open_index
from tests.ask_store import demo_store
from tests.gauntlet import Output, Quote, fabricated, honest, quotes

COUNT = 1000 * int(os.environ.get("FACTSPINE_TEST_SCALE", "1"))
SEED = 20250331
FALSELY_REJECTED_MAX = 0.01
FALSE_KINDS = {
    "digit", "scale", "sign", "unit", "period", "chunk id", "word", "swapped", "order", "unmarked", "injected",
    "in words", "cut",
}  # fmt: skip
HONEST_KINDS = {"verbatim", "spaced", "ungrouped", "wide", "one of a row", "rounded", "rescaled"}


@pytest.fixture(scope="module")
def sentences() -> list[Quote]:
    """Every sentence and row of the demo documents that says a number, as the store holds them."""
    store = demo_store()
    with open_index(store) as index:
        refresh(index, store)
        return quotes([chunk for doc_id in sorted(index.documents()) for chunk in index.chunks_of(doc_id)])


def passes(output: Output) -> bool:
    return validate(output.answer, output.citations, output.retrieved, allow_cross_section=True).ok


def test_every_fabrication_is_caught(sentences: list[Quote]) -> None:
    """Another digit, scale, sign, unit or period, an invented source, a changed word, an obeyed document."""
    outputs = list(islice(fabricated(sentences, random.Random(SEED)), COUNT))  # noqa: S311  repeatable, not secret
    seen = Counter((output.kind, output.language) for output in outputs)
    assert set(seen) == {(kind, language) for kind in FALSE_KINDS for language in ("zh", "en")}
    assert min(seen.values()) >= 5
    assert [(output.kind, output.answer) for output in outputs if passes(output)] == []


def test_honest_answers_get_through(sentences: list[Quote]) -> None:
    """Verbatim, one number of a row, rounded as shown, in another scale: at most one in a hundred is stopped."""
    outputs = list(islice(honest(sentences, random.Random(SEED)), COUNT))  # noqa: S311  repeatable, not secret
    seen = Counter((output.kind, output.language) for output in outputs)
    assert set(seen) == {(kind, language) for kind in HONEST_KINDS for language in ("zh", "en")}
    stopped = [(output.kind, output.answer) for output in outputs if not passes(output)]
    assert len(stopped) <= FALSELY_REJECTED_MAX * COUNT, stopped[:5]


class Model:
    """A model that replies with one output, however often it is asked."""

    def __init__(self, output: Output) -> None:
        self._reply = orjson.dumps({"citations": output.citations, "answer": output.answer, "mode": "answer"}).decode()

    def complete(self, system: str, text: str) -> str:
        return self._reply


def test_the_gates_of_an_answer_stop_nothing_honest(sentences: list[Quote]) -> None:
    """Through all that a model's answer must pass: at most one in a hundred is cut or refused."""
    outputs = list(islice(honest(sentences, random.Random(SEED + 1)), COUNT // 4))  # noqa: S311  repeatable, not secret
    stopped = []
    for output in outputs:
        told = enforce("What is said?", output.retrieved, Model(output), allow_cross_section=True)
        if told.mode != "answer" or told.removed:
            stopped.append((output.kind, told.codes, output.answer))
    assert len(stopped) <= FALSELY_REJECTED_MAX * len(outputs), stopped[:5]
