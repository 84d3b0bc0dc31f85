"""In a document of one or two tables, too, what narrows a question down must be found, or the question is refused."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

import openpyxl
import pytest

from factspine import FactStore, answer_question, ingest
from factspine.core.answers import Answer

TABLES = {
    "accounts": """
 | FY2023 | FY2024
Net sales | 900 | 1000
Cost of sales | 500 | 560
""",
    "利润表": """
项目 | 2023年 | 2024年
营业收入 | 900 | 1000
营业成本 | 500 | 560
净利润 | 80 | 90
""",
    "城市": """
城市 | 常住人口（万人） | 面积（平方公里） | 医院数量
临江市 | 320.5 | 5400 | 42
平湖市 | 87.1 | 1200 | 11
安岭市 | 156 | 8800 | 19
""",
    "employment": """
sector | full-time men | full-time women | part-time men | part-time women
agriculture | 120 | 80 | 30 | 45
manufacturing | 560 | 210 | 40 | 66
education | 130 | 300 | 25 | 120
""",
}


@cache
def _store(name: str) -> FactStore:
    folder = Path(tempfile.mkdtemp())
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.title = name
    for line in TABLES[name].strip("\n").splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        sheet.append([float(cell) if cell.replace(".", "", 1).isdigit() else cell or None for cell in cells])
    (folder / "documents").mkdir()
    book.save(folder / "documents" / f"{name}.xlsx")
    store = FactStore(folder / "facts.db")
    store.init_schema()
    ingest(folder / "documents", store)
    return store


def _ask(name: str, question: str) -> Answer:
    return answer_question(question, _store(name), documents=["*"])


@pytest.mark.parametrize(
    ("name", "question", "value"),
    [
        ("accounts", "What was the company's net sales for the year FY2024?", "1000"),
        ("利润表", "2024年公司营业收入是多少?", "1000"),
        ("利润表", "2024年报告期内营业收入是多少", "1000"),
        ("利润表", "2024年全年实现营业收入多少", "1000"),
        ("城市", "临江市的常住人口是多少", "320.5"),
        ("城市", "临江市有多少家医院", "42"),
        ("城市", "安岭市面积多大", "8800"),
        ("employment", "how many women worked full-time in education?", "300"),
        ("employment", "how many men were in manufacturing part-time?", "40"),
    ],
)
def test_what_is_there_is_answered(name: str, question: str, value: str) -> None:
    """Words of asking, and verbs that no label has, do not stand in the way."""
    answer = _ask(name, question)
    assert (answer.mode, answer.value) == ("answer", value)


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("accounts", "What were the net sales of beds in FY2024?"),
        ("accounts", "What were net sales to wholesalers in FY2024?"),
        ("accounts", "What were online net sales in FY2024?"),
        ("accounts", "What were net sales before discounts in FY2024?"),
        ("accounts", "net sales per employee in FY2024"),
        ("accounts", "How much did the company sell in FY2024?"),
        ("利润表", "2024年床类产品的营业收入是多少"),
        ("利润表", "2024年线上营业收入是多少"),
        ("利润表", "2024年子公司的净利润是多少"),
        ("利润表", "2024年扣非净利润是多少"),
        ("利润表", "2024年归母净利润"),
        ("利润表", "2024年门店营业收入"),
        ("城市", "临江市的户籍人口是多少"),
        ("城市", "临江市的人口密度"),
        ("城市", "平湖市的耕地面积是多少"),
        ("城市", "临江市医院的床位数"),
        ("城市", "临江市有多少所学校"),
        ("employment", "how many women worked part-time in health care?"),
        ("employment", "how many young women worked full-time in education?"),
        ("employment", "how many immigrants worked full-time in manufacturing?"),
    ],
)
def test_what_nothing_accounts_for_is_refused(name: str, question: str) -> None:
    """The number of the whole is never given for a part that no label names."""
    answer = _ask(name, question)
    assert answer.mode != "answer"
    assert answer.value is None
