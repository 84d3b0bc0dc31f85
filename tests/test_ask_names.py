"""The names beside the store: made when missing, made again when damaged, never a source of numbers."""

from __future__ import annotations

import shutil
from pathlib import Path

import openpyxl
from ask_store import DOCUMENTS, TODAY, demo_store

from factspine import FactStore, answer_question, ingest

QUESTION = "ACME Group FY2024的ROE是多少"


def _copy(folder: Path) -> Path:
    demo = demo_store().path
    assert demo is not None
    for suffix in ("", "-wal", "-shm"):
        source = demo.with_name(demo.name + suffix)
        if source.exists():
            shutil.copy(source, folder / ("facts.db" + suffix))
    return folder / "facts.db"


def test_names_are_written_down_and_not_needed(tmp_path: Path) -> None:
    """After the first question the names stand beside the store; without them the answer is the same."""
    path = _copy(tmp_path)
    with FactStore(path) as store:
        first = answer_question(QUESTION, store, today=TODAY)
    names = tmp_path / "facts.db.terms"
    assert names.exists()
    names.unlink()
    with FactStore(path) as store:
        assert answer_question(QUESTION, store, today=TODAY) == first


def test_damaged_names_do_no_harm(tmp_path: Path) -> None:
    """A file of names that cannot be read is made again."""
    path = _copy(tmp_path)
    names = tmp_path / "facts.db.terms"
    names.write_bytes(b"not names at all")
    with FactStore(path) as store:
        assert answer_question(QUESTION, store, today=TODAY).value == "14.1"
    assert names.read_bytes() != b"not names at all"


def test_an_ingest_leaves_the_names_for_the_first_question(tmp_path: Path) -> None:
    """What was just read is written down by name, so that the first question has nothing to gather."""
    with FactStore(tmp_path / "facts.db") as store:
        store.init_schema()
        ingest(DOCUMENTS / "quarterly", store)
        written = (tmp_path / "facts.db.terms").stat()
        answer_question("Harbour Light Group 2024H1 operating profit", store, today=TODAY)
        again = (tmp_path / "facts.db.terms").stat()
    assert (again.st_ino, again.st_mtime_ns) == (written.st_ino, written.st_mtime_ns)


def test_names_can_be_made_beforehand(tmp_path: Path) -> None:
    """Whoever has just ingested can have the names gathered before anyone asks."""
    path = _copy(tmp_path)
    with FactStore(path) as store:
        store.remember_terms()
    assert (tmp_path / "facts.db.terms").exists()


def test_a_unit_behind_a_name_is_no_part_of_it(tmp_path: Path) -> None:
    """保修期（月） is asked for as 保修期, in a folder of any documents."""
    documents = tmp_path / "documents"
    documents.mkdir()
    for name, label, value in (("甲.xlsx", "质保期（月）", 30), ("乙.xlsx", "额定流量（升/分）", 75)):
        book = openpyxl.Workbook()
        assert book.active is not None
        book.active.append([label, value, "品牌", "无"])
        book.active.append(["台数", 2, "备注", "无"])
        book.save(documents / name)
    with FactStore(tmp_path / "facts.db") as store:
        store.init_schema()
        ingest(documents, store)
        assert answer_question("质保期是多少", store, today=TODAY).value == "30"
        assert answer_question("额定流量", store, today=TODAY).value == "75"
