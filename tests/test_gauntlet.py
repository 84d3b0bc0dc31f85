"""The fabrication gauntlet: nothing false gets through, hardly anything honest is stopped."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from factspine import FactStore, ingest
from factspine.cite.validator import validate
from factspine.narrative.building import refresh
from factspine.narrative.search import open_index
from tests.commandline import DOCUMENTS
from tests.gauntlet import Output, Quote, fabricated, honest, quotes

COUNT = 600
SEED = 20250331
FALSELY_REJECTED_MAX = 0.01


@pytest.fixture(scope="module")
def sentences(tmp_path_factory: pytest.TempPathFactory) -> list[Quote]:
    folder: Path = tmp_path_factory.mktemp("gauntlet")
    with FactStore(folder / "facts.db") as store:
        store.init_schema()
        ingest(DOCUMENTS, store)
        with open_index(store) as index:
            refresh(index, store)
            chunks = [chunk for doc_id in sorted(index.documents()) for chunk in index.chunks_of(doc_id)]
    return quotes(chunks)


def passes(output: Output) -> bool:
    return validate(output.answer, output.citations, output.retrieved, allow_cross_section=True).ok


def test_every_fabrication_is_caught(sentences: list[Quote]) -> None:
    """Another digit, scale, sign, unit or period, an invented source, a changed word, an obeyed document."""
    outputs = list(islice(fabricated(sentences, random.Random(SEED)), COUNT))  # noqa: S311  repeatable, not secret
    assert len(Counter(output.kind for output in outputs)) == 11
    assert [(output.kind, output.answer) for output in outputs if passes(output)] == []


def test_honest_answers_get_through(sentences: list[Quote]) -> None:
    """Verbatim, rounded as shown, in another scale: at most one in a hundred is stopped."""
    outputs = list(islice(honest(sentences, random.Random(SEED)), COUNT))  # noqa: S311  repeatable, not secret
    assert len(Counter(output.kind for output in outputs)) == 4
    stopped = [(output.kind, output.answer) for output in outputs if not passes(output)]
    assert len(stopped) <= FALSELY_REJECTED_MAX * COUNT, stopped[:5]
