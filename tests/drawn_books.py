"""Workbooks drawn as text, in a store that can be asked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from pathlib import Path

import openpyxl

from factspine import FactStore, ingest
from factspine.core.answers import Answer

TODAY = date(2025, 5, 1)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
Sheets = Mapping[str, str]


def store_of(folder: Path, books: Mapping[str, Sheets], vocabulary: str = "") -> FactStore:
    """A store with these workbooks: by file name, by sheet name, lines of cells between bars."""
    documents = folder / "documents"
    documents.mkdir(exist_ok=True)
    for name, sheets in books.items():
        book = openpyxl.Workbook()
        book.remove(book.worksheets[0])
        for title, drawn in sheets.items():
            sheet = book.create_sheet(title)
            for line in drawn.strip("\n").splitlines():
                sheet.append([_cell(cell.strip()) for cell in line.split("|")])
        book.save(documents / name)
    file = None
    if vocabulary:
        file = folder / "vocabulary.toml"
        file.write_text(vocabulary, encoding="utf-8")
    store = FactStore(folder / "facts.db")
    store.init_schema()
    ingest(documents, store, vocabulary=file)
    return store


def told(answer: Answer) -> tuple[str, str | None]:
    """What most tests look at: whether there is an answer, and its number."""
    return answer.mode, answer.value


def _cell(text: str) -> float | int | str | None:
    if _NUMBER.fullmatch(text):
        return float(text) if "." in text else int(text)
    return text or None
