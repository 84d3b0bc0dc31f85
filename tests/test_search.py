"""Search: whom and when a text is about, by meaning where the words differ; an identity that tells of any change."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from deckmaking import add_chart, add_slide, add_table, new_deck
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from factspine import FactStore, ingest
from factspine.core.chunks import Chunk, ChunkPart
from factspine.narrative import index as indexing
from factspine.narrative.chunking import CHUNKER_VERSION
from factspine.narrative.index import NarrativeIndex
from factspine.narrative.search import open_index, search
from factspine.narrative.vectors import Embedder, bundled
from tests.commandline import run
from tests.test_narrative import write_book

PUBLIC = ("PUBLIC",)


def write_deck(path: Path) -> None:
    deck = new_deck()
    for title, said in (
        ("Larkspur Holdings: FY2023 review", "Footfall grew as the arcade reopened."),
        ("Teasel Group: FY2024 review", "Footfall fell as the arcade was rebuilt."),
        ("Outlook", "Footfall is expected to stay flat."),
    ):
        slide = add_slide(deck, title)
        slide.shapes.add_textbox(0, 0, 100, 100).text_frame.text = said
        add_table(slide.shapes, "Site | Manager\nPier | Iris\nQuay | Basil")
    path.parent.mkdir(parents=True, exist_ok=True)
    deck.save(str(path))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[FactStore]:
    write_deck(tmp_path / "docs" / "review.pptx")
    with FactStore(tmp_path / "facts.db") as opened:
        opened.init_schema()
        ingest(tmp_path / "docs", opened, jobs=1)
        yield opened


def test_a_chunk_carries_its_whole_lineage(store: FactStore) -> None:
    """Document, place, section, offsets, tokens, title, organisation, period, language, level, revision, versions."""
    hit = search("footfall arcade reopened", store, top=1).hits[0]
    chunk = hit.chunk
    (document,) = store.documents()
    assert chunk.doc_id == "review.pptx"
    assert chunk.source_locator.startswith("slide=1,")
    assert chunk.section == ("Larkspur Holdings: FY2023 review",)
    assert chunk.title == "Larkspur Holdings: FY2023 review"
    assert (chunk.entity, chunk.period, chunk.language) == ("Larkspur Holdings", "2023", "en")
    assert (chunk.sensitivity, chunk.rev) == ("PUBLIC", document.file_hash)
    assert chunk.extractor_version.startswith("pptx")
    assert chunk.chunker_version == CHUNKER_VERSION
    assert chunk.tokens > 4
    assert [chunk.text[part.at : part.at + part.end - part.start] for part in chunk.parts][-1] in chunk.text


def test_a_category_of_a_chart_is_placed_by_its_own_name(tmp_path: Path) -> None:
    """The rows of a chart are found with places of their own: the category's name belongs to no series."""
    deck = new_deck()
    add_chart(add_slide(deck, "Footfall by site"), ["Pier", "Quay"], {"Visitors": (12.5, 14.0)})
    deck.save(str(tmp_path / "sites.pptx"))
    with FactStore(tmp_path / "facts.db") as opened:
        opened.init_schema()
        ingest(tmp_path, opened, jobs=1)
        hits = search("visitors of the quay", opened).hits
    assert hits
    assert all("series=0" not in hit.citation.locator for hit in hits)


def test_whom_a_text_is_about_comes_from_the_nearest_heading(store: FactStore) -> None:
    """A slide of its own names another organisation; one that names nobody belongs to whom the deck is about."""
    about = {hit.chunk.section[0]: hit.chunk.entity for hit in search("footfall manager", store, top=50).hits}
    assert about == {
        "Larkspur Holdings: FY2023 review": "Larkspur Holdings",
        "Teasel Group: FY2024 review": "Teasel Group",
        "Outlook": "Larkspur Holdings",
    }


@pytest.mark.parametrize(
    ("filters", "sections"),
    [
        ({"entity": "Teasel Group"}, {"Teasel Group: FY2024 review"}),
        ({"entity": "teasel group"}, {"Teasel Group: FY2024 review"}),
        ({"period": "2024"}, {"Teasel Group: FY2024 review"}),
        ({"section": "Outlook"}, {"Outlook"}),
        ({"entity": "Nobody Ltd"}, set()),
    ],
)
@pytest.mark.parametrize("dense", [False, True])
def test_filters_hold_before_ranking(
    store: FactStore, filters: dict[str, str], sections: set[str], dense: bool
) -> None:
    """Organisation, period and section decide what is ranked at all, by words and by meaning alike."""
    hits = search("footfall", store, top=50, dense=dense, **filters).hits  # type: ignore[arg-type]
    assert {hit.chunk.section[0] for hit in hits} == sections


@pytest.mark.parametrize(
    ("option", "sections"),
    [
        (("--entity", "TEASEL"), {"Teasel Group: FY2024 review"}),
        (("--entity", "Teasel Group"), {"Teasel Group: FY2024 review"}),
        (("--entity", "the Teasels"), {"Teasel Group: FY2024 review"}),
        (("--period", "2024"), {"Teasel Group: FY2024 review"}),
        (("--section", "Outlook"), {"Outlook"}),
        (("--doc", "other*"), {"Elsewhere"}),
        (("--doc", "other*", "--section", "Outlook"), set()),
    ],
    ids=["code", "name", "other name", "period", "section", "document", "both"],
)
def test_the_command_takes_every_filter(tmp_path: Path, option: tuple[str, ...], sections: set[str]) -> None:
    """Organisation by code or any name, period, section, document: alone or together."""
    write_deck(tmp_path / "docs" / "review.pptx")
    deck = new_deck()
    add_slide(deck, "Elsewhere").shapes.add_textbox(0, 0, 100, 100).text_frame.text = "Footfall doubled overnight."
    deck.save(str(tmp_path / "docs" / "other.pptx"))
    names = '[[entity]]\ncode = "TEASEL"\nnames = ["Teasel Group", "the Teasels"]\n'
    (tmp_path / "vocabulary.toml").write_text(names, encoding="utf-8")
    with FactStore(tmp_path / "facts.db") as opened:
        opened.init_schema()
        ingest(tmp_path / "docs", opened, jobs=1)
    printed = run("search", "footfall", *option, "--store", tmp_path / "facts.db", "--json", "--top", "50").stdout
    assert {hit["section_id"] for hit in json.loads(printed)["hits"]} == sections


def test_meaning_finds_what_other_words_say(tmp_path: Path) -> None:
    """None of the question's words stand in the passage; the model of the extra knows that they are near."""
    write_book(tmp_path / "docs" / "a.xlsx", note="The doctor bought a new automobile for the hospital.")
    write_book(tmp_path / "docs" / "b.xlsx", note="Tomatoes ripen slowly in a cold greenhouse.")
    with FactStore(tmp_path / "facts.db") as opened:
        opened.init_schema()
        ingest(tmp_path / "docs", opened, jobs=1)
        question = "physicians purchasing cars"
        assert search(question, opened).hits == ()
        found = search(question, opened, dense=True)
        assert found.hits[0].citation.snippet.startswith("The doctor bought")
        assert found.hits[0].citation.embed_model.startswith("wordllama-")
        assert found.index_hash != search(question, opened).index_hash
        printed = run("search", question, "--dense", "--store", tmp_path / "facts.db", "--json").stdout
        assert json.loads(printed)["hits"][0]["locator"] == "sheet=Notes,cell=A1"


def test_both_orders_count(store: FactStore) -> None:
    """A hit that is first by words and by meaning is first; the same question gives the same list."""
    first = search("footfall fell as the arcade was rebuilt", store, dense=True)
    again = search("footfall fell as the arcade was rebuilt", store, dense=True)
    assert first.as_dict() == again.as_dict()
    assert "was rebuilt" in first.hits[0].citation.snippet
    norms = [hit.citation.score_norm or 0 for hit in first.hits]
    assert norms == sorted(norms, reverse=True)


def make(name: str, number: int, text: str) -> Chunk:
    place = f"page={number},para=1"
    return Chunk(
        chunk_id=f"{name}_{number}",
        doc_id=name,
        source_locator=place,
        kind="text",
        text=text,
        parts=(ChunkPart(place, 0, len(text), 0),),
        rev="r",
        extractor_version="x",
        chunker_version="c",
    )


TEXTS = st.lists(st.text("abc 报告", min_size=1, max_size=12), min_size=1, max_size=4)


def hash_of(folder: Path, documents: dict[str, list[str]], model: Embedder | None = None) -> str:
    """The identity of an index with these documents, made in this order."""
    path = folder / "i"
    path.unlink(missing_ok=True)
    with NarrativeIndex(path, model) as index:
        with index.writing() as writer:
            for name, texts in documents.items():
                writer.add(name, "r", "PUBLIC", [make(name, number, text) for number, text in enumerate(texts, 1)])
        return index.index_hash(PUBLIC)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(first=TEXTS, second=TEXTS, other=TEXTS)
def test_the_index_hash_is_the_content(tmp_path: Path, first: list[str], second: list[str], other: list[str]) -> None:
    """Equal content, in whatever order it came and after whatever was there before: equal hash; else another."""
    known = hash_of(tmp_path, {"a": first, "b": second})
    assert hash_of(tmp_path, {"b": second, "a": first}) == known
    assert hash_of(tmp_path, {"a": other, "b": second}) != known or other == first
    path = tmp_path / "j"
    path.unlink(missing_ok=True)
    with NarrativeIndex(path) as index:
        for name, texts in (("a", other), ("c", other), ("b", second), ("a", first)):
            with index.writing() as writer:
                writer.add(name, "r", "PUBLIC", [make(name, number, text) for number, text in enumerate(texts, 1)])
        with index.writing() as writer:
            writer.remove("c")
        index.find(["a"], PUBLIC, indexing.Filters(), 3)
        assert index.index_hash(PUBLIC) == known


def test_the_index_hash_tells_analyzer_and_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another analyzer or another model: another index, made anew from the documents."""
    documents = {"a": ["alpha"]}
    plain = hash_of(tmp_path, documents)
    assert hash_of(tmp_path, documents, bundled()) != plain
    monkeypatch.setattr(indexing, "analyzer_id", lambda: "another/1")
    assert hash_of(tmp_path, documents) != plain


def test_an_index_of_another_model_is_made_anew(store: FactStore, tmp_path: Path) -> None:
    """A file that holds no vectors is not taken for one that does."""
    search("footfall", store)
    (tmp_path / "facts.db.index").replace(tmp_path / "facts.db.dense.index")
    with open_index(store, dense=True) as index:
        assert index.documents() == {}
    assert search("footfall", store, dense=True).hits
