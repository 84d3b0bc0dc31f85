"""Rows that add up to another row may be called by its name: that they are parts of it is proved by the sum."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from factspine import FactStore, answer_question, ingest
from factspine.ask.wholes import wholes_of
from factspine.core.answers import Answer
from factspine.store.table_heads import CellFact

INCOME = """
 | FY2023 | FY2024
Net sales | 900 | 1000
Cost of sales | 500 | 560
"""
PRODUCTS = """
 | FY2023 | FY2024
Lamps | 300 | 340
Chairs | 350 | 400
Tables | 250 | 260
Net sales | 900 | 1000
"""
TAXES = """
 | FY2023 | FY2024
National | 40 | 44
Regional and municipal | 12 | 15
Total current | 52 | 59
National deferred | 7 | 3
Regional deferred | 1 | 2
Total deferred | 8 | 5
Provision for duties | 60 | 64
"""
NOT_ADDING_UP = PRODUCTS.replace("| 250 | 260", "| 251 | 262")


def _asked(folder: Path, question: str, *tables: str) -> Answer:
    """A question to a workbook with these tables, each on a sheet of its own."""
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for number, table in enumerate((INCOME, *tables), start=1):
        sheet = book.create_sheet(f"Note {number}")
        for line in table.strip("\n").splitlines():
            cells = [cell.strip() for cell in line.split("|")]
            sheet.append([int(cell) if cell.isdigit() else cell or None for cell in cells])
    documents = folder / "documents"
    documents.mkdir(exist_ok=True)
    book.save(documents / "report.xlsx")
    with FactStore(folder / "facts.db") as store:
        store.init_schema()
        ingest(documents, store)
        return answer_question(question, store, documents=["*"])


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What were the net sales of chairs in FY2024?", "400"),
        ("What was the change in net sales for lamps between FY2023 and FY2024?", "40"),
        ("What were net sales in FY2024?", "1000"),
        ("What was the provision for regional and municipal duties in FY2024?", "15"),
        ("What was the total current provision for duties in FY2023?", "52"),
    ],
)
def test_a_part_is_called_by_its_whole(tmp_path: Path, question: str, value: str) -> None:
    """A row of a breakdown is found by what the breakdown adds up to, a subtotal's rows by the last total, too."""
    answer = _asked(tmp_path, question, PRODUCTS, TAXES)
    assert (answer.mode, answer.value) == ("answer", value)


def test_it_is_told(tmp_path: Path) -> None:
    """Whoever asks is told that the row is a part, and of what."""
    answer = _asked(tmp_path, "What were the net sales of chairs in FY2024?", PRODUCTS)
    assert answer.assumptions == ("a part of “Net sales”: the rows add up to it",)


@pytest.mark.parametrize(
    ("question", "table"),
    [
        ("What were the net sales of chairs in FY2024?", NOT_ADDING_UP),  # the sum proves nothing here
        ("What were the net sales of beds in FY2024?", PRODUCTS),  # no such part
        ("What was the cost of sales of chairs in FY2024?", PRODUCTS),  # not what they add up to
    ],
)
def test_nothing_is_taken_for_a_part_without_proof(tmp_path: Path, question: str, table: str) -> None:
    """Where the rows do not add up to what is asked for, there is no answer."""
    assert _asked(tmp_path, question, table).mode != "answer"


def _column(values: list[str]) -> list[CellFact]:
    return [
        CellFact(number, number, 2, "M", "m", "", "", "", "FY", "2024", "USD", "actual", value)
        for number, value in enumerate(values, start=1)
    ]


@given(st.lists(st.lists(st.integers(1, 10**9), min_size=2, max_size=6), min_size=2, max_size=5))
def test_subtotals_are_parts_of_the_total(groups: list[list[int]]) -> None:
    """Groups with their subtotals and a total: the total is a whole of every row above it."""
    rows: list[int] = []
    for group in groups:
        rows += [*group, sum(group)]
    rows.append(sum(map(sum, groups)))
    values = list(map(str, rows))
    wholes = wholes_of(_column(values))
    for place, found in wholes.items():
        above = [Decimal(values[row - 1]) for (row, _), chain in wholes.items() if chain and chain[0] == found[0]]
        assert found[-1] <= len(rows)
        assert found[0] > place[0]
        assert sum(above) == Decimal(values[found[0] - 1])
    assert wholes[len(rows) - 1, 2][-1] == len(rows)


def test_rates_and_zeros_prove_nothing() -> None:
    """Percentages that add up to a hundred, and rows of zeros, make no whole."""
    shares = [cell._replace(unit="%") for cell in _column(["40", "60", "100"])]
    assert not wholes_of(shares)
    assert not wholes_of(_column(["0", "0", "0", "7", "7"]))
