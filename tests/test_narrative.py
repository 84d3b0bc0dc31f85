"""Chunks and search: what a document says can be found, and what is found is quoted with its place."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import pytest

from factspine import FactStore, ingest
from factspine.core.chunks import Chunk
from factspine.core.tables import Passage
from factspine.narrative.building import make_chunks, refresh
from factspine.narrative.search import open_index, search
from tests.commandline import PROGRAM, run

SHEET = """
Office     | Contact | City   | Staff
Harbour 1  | 李明    | 香港   | 12
Harbour 2  | Ana Lee | Macau  | 7
"""


def write_book(path: Path, table: str = SHEET, note: str = "") -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Offices"
    for line in table.strip().splitlines():
        sheet.append([int(cell) if cell.isdigit() else cell for cell in map(str.strip, line.split("|"))])
    if note:
        notes = book.create_sheet("Notes")
        notes["A1"] = note
    path.parent.mkdir(parents=True, exist_ok=True)
    book.save(path)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[FactStore]:
    write_book(tmp_path / "docs" / "offices.xlsx", note="The Macau office moved because the old lease had ended.")
    with FactStore(tmp_path / "facts.db") as opened:
        opened.init_schema()
        ingest(tmp_path / "docs", opened, jobs=1)
        yield opened


def passages(*texts: str, section: tuple[str, ...] = ("Results",), page: int = 1) -> list[Passage]:
    return [Passage(locator=f"page={page},para={n}", text=text, section=section) for n, text in enumerate(texts, 1)]


def chunks(*groups: list[Passage]) -> list[Chunk]:
    every = [passage for group in groups for passage in group]
    return make_chunks(every, (), doc_id="report.pdf", rev="r", extractor_version="pdf/1")


def test_a_chunk_is_the_stored_text_at_its_offsets() -> None:
    """Every part of a chunk is, letter for letter, the passage its locator names."""
    long = " ".join(f"Sentence number {n} speaks of margins and costs." for n in range(80))
    group = passages("Margins fell.", long, "Costs rose.")
    text_at = {passage.locator: passage.text for passage in group}
    made = chunks(group)
    assert len(made) > 1
    for chunk in made:
        for part in chunk.parts:
            stored = text_at[part.locator][part.start : part.end]
            assert chunk.text[part.at : part.at + part.end - part.start] == stored
    said = {part.locator: 0 for chunk in made for part in chunk.parts}
    for chunk in made:
        for part in chunk.parts:
            assert part.start <= said[part.locator], "nothing is left out between two pieces of a passage"
            said[part.locator] = part.end
    assert said == {locator: len(text) for locator, text in text_at.items()}


def test_chunks_never_cross_a_section_or_a_page() -> None:
    """What stands under two headings, or on two pages, is never one quotation."""
    made = chunks(passages("A."), passages("B.", section=("Outlook",)), passages("C.", section=("Outlook",), page=2))
    assert [(chunk.text, chunk.section_id, chunk.page) for chunk in made] == [
        ("A.", "Results", 1),
        ("B.", "Outlook", 1),
        ("C.", "Outlook", 2),
    ]


def test_the_text_of_a_table_is_found_with_its_cell(store: FactStore) -> None:
    """Who the contact is stands in a cell; the row is found by its neighbours and the cell has its own locator."""
    hit = search("Harbour 1 联系人", store, top=1).hits[0]
    assert hit.citation.snippet == "Office: Harbour 1 | Contact: 李明 | City: 香港 | Staff: 12"
    cells = {part.label: part.locator for part in hit.chunk.parts}
    assert cells["Contact"].startswith("sheet=Offices,cell=B2")


def test_a_hit_is_an_exact_quotation(store: FactStore) -> None:
    """The snippet is the chunk's text at its offsets, the revision is the file's hash, the scores are there."""
    result = search("why did the Macau office move", store)
    first = result.hits[0]
    cited = first.citation
    assert cited.snippet == "The Macau office moved because the old lease had ended."
    assert first.chunk.text[cited.offsets.start : cited.offsets.end] == cited.snippet
    assert cited.locator == "sheet=Notes,cell=A1"
    assert cited.rev == store.documents()[0].file_hash
    assert cited.index_hash == result.index_hash
    assert cited.similarity is not None
    assert 0 < cited.similarity < 1
    assert [hit.citation.k_final for hit in result.hits] == list(range(1, len(result.hits) + 1))


def test_the_index_hash_changes_with_the_content_only(store: FactStore, tmp_path: Path) -> None:
    """Searching, ingesting again or rebuilding the file changes nothing; a changed document does."""
    before = search("lease", store).index_hash
    ingest(tmp_path / "docs", store, jobs=1)
    assert search("office", store).index_hash == before
    (tmp_path / "facts.db.index").unlink()
    assert search("office", store).index_hash == before
    write_book(tmp_path / "docs" / "offices.xlsx", note="The Macau office moved because the roof leaked.")
    ingest(tmp_path / "docs", store, jobs=1)
    after = search("lease", store)
    assert after.index_hash != before
    assert after.hits == ()
    assert search("roof", store).hits[0].citation.snippet.endswith("the roof leaked.")


def test_a_withdrawn_document_is_no_longer_found(store: FactStore, tmp_path: Path) -> None:
    """What was taken away is not quoted."""
    write_book(tmp_path / "docs" / "second.xlsx", note="Only here stands the word zephyr.")
    ingest(tmp_path / "docs", store, jobs=1)
    assert search("zephyr", store).hits
    (tmp_path / "docs" / "second.xlsx").unlink()
    ingest(tmp_path / "docs", store, jobs=1)
    assert search("zephyr", store).hits == ()


def test_a_damaged_index_is_made_anew(store: FactStore, tmp_path: Path) -> None:
    """The index can always be derived again; nobody has to repair it."""
    expected = search("lease", store)
    for path in tmp_path.glob("facts.db.index*"):
        path.unlink()
    (tmp_path / "facts.db.index").write_bytes(b"not a database" * 1000)
    assert search("lease", store).hits == expected.hits


def test_an_up_to_date_index_is_not_written(store: FactStore) -> None:
    """Only what changed is read again."""
    with open_index(store) as index:
        assert refresh(index, store) == 1
        assert refresh(index, store) == 0


def test_hidden_text_is_found_only_by_whoever_asks_for_it(store: FactStore, tmp_path: Path) -> None:
    """A hidden sheet is read and indexed, and left alone by default."""
    path = tmp_path / "docs" / "hidden.xlsx"
    write_book(path, note="A remark on gryphons.")
    book = openpyxl.load_workbook(path)
    book["Notes"].sheet_state = "hidden"
    book.save(path)
    ingest(tmp_path / "docs", store, jobs=1)
    assert search("gryphons", store).hits == ()
    assert search("gryphons", store, hidden=True).hits[0].citation.doc_id == "hidden.xlsx"


def test_filters_hold_before_ranking(store: FactStore, tmp_path: Path) -> None:
    """One document's best hit is found even where another's are all better."""
    for number in range(12):
        write_book(tmp_path / "docs" / f"more_{number}.xlsx", note="The lease, the lease and nothing but the lease.")
    ingest(tmp_path / "docs", store, jobs=1)
    hits = search("lease", store, documents=["offices.*"], top=3).hits
    assert [hit.citation.doc_id for hit in hits] == ["offices.xlsx"]


def test_equal_scores_are_ordered_by_section_and_snippet(store: FactStore, tmp_path: Path) -> None:
    """Ties have one order, in every process."""
    for number in range(5):
        write_book(tmp_path / "docs" / f"same_{number}.xlsx", "A | B\nx | y", note="An identical remark on pelicans.")
    ingest(tmp_path / "docs", store, jobs=1)
    hits = [hit.citation for hit in search("pelicans", store, top=3).hits]
    every = [hit.citation for hit in search("pelicans", store, top=50).hits]
    assert len({cited.score_norm for cited in every}) == 1
    assert every == sorted(every, key=lambda cited: (cited.section_id, cited.snippet_id))
    assert [cited.snippet_id for cited in hits] == [cited.snippet_id for cited in every[:3]]


def test_restricted_documents_leave_no_trace(tmp_path: Path) -> None:
    """An uncleared reader's hits, scores and index hash are the same with and without restricted documents."""
    plain = tmp_path / "plain.xlsx"
    write_book(plain, note="A plain word about lanterns.")
    seen = []
    for name, secret in (("with", True), ("without", False)):
        folder = tmp_path / name
        (folder / "docs").mkdir(parents=True)
        shutil.copy(plain, folder / "docs" / "plain.xlsx")
        if secret:
            write_book(folder / "docs" / "board" / "secret.xlsx", note="A secret word about lanterns.")
        (folder / "vocabulary.toml").write_text(
            '[[sensitivity]]\ndocuments = ["board/*"]\nlevel = "RESTRICTED"\n', encoding="utf-8"
        )
        with FactStore(folder / "facts.db") as opened:
            opened.init_schema()
            ingest(folder / "docs", opened, jobs=1)
            seen.append(search("secret word about lanterns", opened).as_dict())
            if secret:
                cleared = search("secret lanterns", opened, cleared={"PUBLIC", "RESTRICTED"}).hits
                assert any(hit.citation.doc_id == "board/secret.xlsx" for hit in cleared)
                asked = ("search", "secret", "--store", folder / "facts.db", "--json")
                assert "board/secret" not in run(*asked).stdout
                assert "board/secret" in run(*asked, "--viewer", "restricted").stdout
                assert run(*asked, "--viewer", "king").returncode == 2
    assert seen[0] == seen[1]


def test_the_command_prints_hits(store: FactStore, tmp_path: Path) -> None:
    """One object for a question, one line each for a batch."""
    answer = json.loads(run("search", "why did the Macau office move", "--store", store.path, "--json").stdout)
    assert answer["hits"][0]["locator"] == "sheet=Notes,cell=A1"
    batch = tmp_path / "questions.jsonl"
    batch.write_text('{"id": 7, "question": "lease", "doc": "*.xlsx"}\n{"id": 8, "question": "lease", "doc": ["x"]}\n')
    lines = run("search", "--batch", batch, "--store", store.path, "--json", "--top", "1").stdout.splitlines()
    assert [(one["id"], len(one["hits"])) for one in map(json.loads, lines)] == [(7, 1), (8, 0)]
    assert run("search", "--store", store.path).returncode == 2


def test_processes_that_make_the_index_at_once_agree(store: FactStore) -> None:
    """Several first searches at the same moment: one index, the same answer for all."""
    command = [str(PROGRAM), "search", "lease", "--store", str(store.path), "--json"]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    answers = {process.communicate(timeout=120)[0] for process in started}
    assert [process.returncode for process in started] == [0] * 4
    assert len(answers) == 1
    assert json.loads(answers.pop())["hits"][0]["locator"] == "sheet=Notes,cell=A1"


def test_the_engine_has_full_text_search() -> None:
    """The interpreter's SQLite brings FTS5; without it there is no index."""
    with sqlite3.connect(":memory:") as connection:
        connection.execute("CREATE VIRTUAL TABLE t USING fts5(a, content='', tokenize='porter unicode61')")
        assert connection.execute("SELECT count(*) FROM t WHERE t MATCH 'word'").fetchone() == (0,)
    connection.close()
