"""Months and quarters as people say them: without their year, in numerals, as a stretch, at their end."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest
from test_ask_understanding import TODAY, _asked

from factspine import FactStore, answer_question, ingest
from factspine.core.answers import Answer

TITLE = "2023年上半年各车间产量（单位：吨）"
OUTPUT = """
车间 | 主任 | 1月 | 2月 | 3月 | 4月 | 合计
铸造车间 | 方一舟 | 310 | 274 | 335 | 342 | 1261
锻压车间 | 柯南山 | 188 | 169 | 201 | 197 | 755
装配车间 | 陆小满 | 96 | 81 | 104 | 110 | 391
"""
BALANCES = """
Item | 31 Mar 2023 | 30 Jun 2023
Net debt | 412 | 388
Cash | 57 | 61
"""


def _of_titled(folder: Path, *questions: str) -> list[Answer]:
    """Questions to a sheet whose title stands with its unit in one cell."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "产量"
    sheet.append([TITLE])
    for line in OUTPUT.strip().splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        sheet.append([int(cell) if cell.isdigit() else cell for cell in cells])
    (folder / "documents").mkdir()
    book.save(folder / "documents" / "table.xlsx")
    with FactStore(folder / "facts.db") as store:
        store.init_schema()
        ingest(folder / "documents", store)
        return [answer_question(question, store, today=TODAY, documents=["table.xlsx"]) for question in questions]


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("铸造车间3月产量", "335"),
        ("铸造车间2023年3月产量是多少", "335"),
        ("装配车间四月份的产量", "110"),
        ("锻压车间1月到3月产量合计", "558"),
        ("铸造车间4月比3月产量增加了多少", "7"),
        ("上半年哪个车间产量最低", "391"),
        ("装配车间产量最高的是哪个月", "110"),
    ],
)
def test_the_year_of_a_month_stands_in_the_title(tmp_path: Path, question: str, value: str) -> None:
    """A title that has its unit in the same cell still says of which year the months are."""
    (answer,) = _of_titled(tmp_path, question)
    assert (answer.mode, answer.value) == ("answer", value), answer.answer
    assert answer.facts[0].period.startswith("2023")


def test_a_row_is_called_by_its_name_and_not_by_who_runs_it_alone(tmp_path: Path) -> None:
    """The shop has its name in the answer, although the name of its head stands between it and the figures."""
    (answer,) = _of_titled(tmp_path, "铸造车间2023年2月产量")
    assert "铸造车间" in answer.answer.partition(":")[0]


@pytest.mark.parametrize("question", ["铸造车间5月产量", "铸造车间2022年3月产量", "铸造车间3月卖了多少"])
def test_no_other_month_or_measure_is_given(tmp_path: Path, question: str) -> None:
    """A month that is not there, another year's, and what the table does not measure are refused."""
    (answer,) = _of_titled(tmp_path, question)
    assert answer.mode != "answer", answer.answer


@pytest.mark.parametrize(
    ("question", "value"),
    [("net debt at the end of March 2023", "412"), ("cash at end of Q2 2023", "61"), ("net debt end June 2023", "388")],
)
def test_the_end_of_a_month_is_its_last_day(tmp_path: Path, question: str, value: str) -> None:
    """A balance is stated for a day, and asked for by the month that ends on it."""
    (answer,) = _asked(tmp_path, BALANCES, question)
    assert (answer.mode, answer.value) == ("answer", value), answer.answer
