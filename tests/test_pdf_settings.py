"""A statement without lines is read the same however it is set: type, gutters, heads, rules, units, notes, currency."""

from __future__ import annotations

import os
from pathlib import Path

from factspine.core.limits import Limits
from factspine.core.tables import RawTable
from factspine.extract.pdf import read
from tests.pdf_statements import Statement, set_statement

_SETTINGS = 60


def _bare(text: str) -> str:
    return "".join(char for char in text if char.isalnum())


def _misread(statement: Statement, path: Path) -> list[str]:
    """The numbers of a statement that do not stand in their row and column of the one table that was read."""
    tables = [item for item in read(path, Limits()) if isinstance(item, RawTable)]
    if len(tables) != 1:
        return [f"{len(tables)} tables"]
    table = tables[0]
    labels = {_bare(cell.text): cell.row for cell in table.cells if cell.col == 1}
    shift = 3 if statement.setting["notes"] else 2
    texts = {(cell.row, cell.col): cell.text.lstrip("$ ") for cell in table.cells}
    wrong = []
    for label, numbers in statement.rows:
        row = labels.get(_bare(label), 0)
        wrong += [
            f"{label.strip()} {i}: {number!r}, {texts.get((row, shift + i))!r}"
            for i, number in enumerate(numbers)
            if texts.get((row, shift + i)) != number
        ]
    heads = {(cell.col, _bare(cell.text)) for cell in table.cells}
    wrong += [text for i, text in enumerate(statement.bands[-1]) if (shift + i, _bare(text)) not in heads]
    return wrong


def test_a_statement_without_lines_is_read_the_same_however_it_is_set(tmp_path: Path) -> None:
    """Of sixty settings at least 58 are read without a fault: each number in its row and column, each head over it."""
    count = int(os.environ.get("FACTSPINE_TEST_SCALE", "1")) * _SETTINGS
    faults = {}
    for seed in range(count):
        path = tmp_path / f"{seed}.pdf"
        statement = set_statement(seed, path)
        if wrong := _misread(statement, path):
            faults[seed] = (statement.setting, wrong[:4])
    assert len(faults) * 30 <= count, faults
