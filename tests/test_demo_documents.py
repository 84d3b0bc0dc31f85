"""The demo documents: reproducible, and holding what the gold file says they hold."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import zipfile
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from pptx import Presentation

from factspine.core import locators
from factspine.ingestion.onefile import reread

DATA = Path(__file__).resolve().parent.parent / "data"
COMMITTED = DATA / "documents"
GOLD = [json.loads(line) for line in (DATA / "gold_facts.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _make(tmp_path_factory.mktemp("made"), seed="1", zone="UTC")


def _make(folder: Path, *options: str, seed: str, zone: str) -> Path:
    command = [sys.executable, str(DATA / "make_documents.py"), str(folder / "documents"), *options]
    environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone}
    subprocess.run([*command, "--gold", str(folder / "gold.jsonl")], check=True, env=environment, capture_output=True)
    return folder


def _files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _members(package: bytes) -> Any:
    """What is in a package, in order: compression libraries differ between machines, contents must not."""
    if package.startswith(b"%PDF"):
        return package  # written uncompressed
    with zipfile.ZipFile(io.BytesIO(package)) as archive:
        return [
            (info.filename, info.date_time, _members(data) if info.filename.endswith(".xlsx") else data)
            for info in archive.infolist()
            for data in [archive.read(info)]
        ]


def test_committed_documents_are_what_the_script_writes(made: Path) -> None:
    """Every part of every committed document is reproduced byte for byte, and so is the gold file."""
    fresh, committed = _files(made / "documents"), _files(COMMITTED)
    assert sorted(fresh) == sorted(committed)
    for name, package in committed.items():
        assert _members(fresh[name]) == _members(package), name
    assert (made / "gold.jsonl").read_bytes() == (DATA / "gold_facts.jsonl").read_bytes()


def test_documents_do_not_depend_on_time_place_or_hash_seed(made: Path, tmp_path: Path) -> None:
    """Two runs with different hash seeds and time zones write identical files."""
    again = _make(tmp_path, seed="2", zone="Asia/Hong_Kong")
    assert _files(again / "documents") == _files(made / "documents")


def test_the_next_revision_changes_one_document(made: Path, tmp_path: Path) -> None:
    """The revision removes a store from the list and leaves everything else as it is."""
    revised, first = (
        _files(_make(tmp_path, "--revision", seed="1", zone="UTC") / "documents"),
        _files(made / "documents"),
    )
    assert [name for name in first if first[name] != revised[name]] == ["retail/Harbour_Light_Stores.xlsx"]
    with zipfile.ZipFile(io.BytesIO(revised["retail/Harbour_Light_Stores.xlsx"])) as archive:
        assert "湾仔店" not in archive.read("xl/sharedStrings.xml").decode()


def _value_of(shown: object, number_format: str) -> Decimal:
    if isinstance(shown, str):
        digits = shown.strip("()（）+%").replace(",", "")
        return -Decimal(digits) if shown[0] in "(（" else Decimal(digits)
    value = Decimal(repr(shown)) * (100 if "%" in number_format else 1)
    return value / 1000 if number_format.endswith("0,") else value


def _workbook_value(document: Any, place: locators.Locator) -> Decimal:
    cell = document[place.get("sheet")][place.get("cell")]
    return _value_of(cell.value, cell.number_format)


def _shapes(shapes: Any) -> Any:
    for shape in shapes:
        yield from _shapes(shape.shapes) if shape.shape_type == 6 else [shape]  # 6 is a group


def _deck_value(document: Any, place: locators.Locator) -> Decimal:
    shapes = list(_shapes(document.slides[(place.number("slide") or 0) - 1].shapes))
    row, column = locators.cell_position(place.get("cell") or "") or (0, 0)
    table = [shape.table for shape in shapes if shape.has_table][(place.number("table") or 0) - 1]
    return _value_of(table.cell(row - 1, column - 1).text, "")


def _report_values_stand(doc: str) -> None:
    expected = [fact for fact in GOLD if fact["doc"] == doc]
    for fact, (text, _) in zip(expected, reread(COMMITTED / doc, [fact["cell"] for fact in expected]), strict=True):
        assert _value_of(text, "") == Decimal(fact["value"]), fact["cell"]


@pytest.mark.parametrize("doc", sorted({fact["doc"] for fact in GOLD}))
def test_gold_facts_stand_where_they_are_said_to_stand(doc: str) -> None:
    """Each expected value is in the committed document at its locator, as an independent reader sees it."""
    if doc.endswith(".pdf"):
        _report_values_stand(doc)
        return
    is_deck = doc.endswith(".pptx")
    document = (
        Presentation(str(COMMITTED / doc)) if is_deck else openpyxl.load_workbook(COMMITTED / doc, data_only=True)
    )
    for fact in GOLD:
        place = locators.parse(fact["cell"])
        if fact["doc"] == doc and place.get("chart") is None:
            found = _deck_value(document, place) if is_deck else _workbook_value(document, place)
            assert round(found, 9) == Decimal(fact["value"]), fact["cell"]


def test_one_formula_has_no_cached_value() -> None:
    """All formulas carry the result that was saved with them, except the one that is planted without."""
    path = COMMITTED / "management/Harbour_Light_Management_Accounts_FY2024.xlsx"
    formulas, values = openpyxl.load_workbook(path), openpyxl.load_workbook(path, data_only=True)
    missing = [
        f"{sheet.title}!{cell.coordinate}"
        for sheet in formulas
        for row in sheet.iter_rows()
        for cell in row
        if cell.data_type == "f" and values[sheet.title][cell.coordinate].value is None
    ]
    assert missing == ["KPIs!E20"]
