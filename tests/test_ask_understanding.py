"""How questions are put by people who hold a report in their hands: frames, names, levels, rivals, lists."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest
from ask_store import TODAY, ask

from factspine import FactStore, answer_question, ingest
from factspine.ask.framing import without_frame
from factspine.ask.latest import latest_period, reporting_year
from factspine.ask.subject import Subject
from factspine.core.answers import Answer
from factspine.lexicon.vocabulary import Vocabulary


def _asked(folder: Path, table: str, *questions: str, title: str = "Accounts") -> list[Answer]:
    """Questions to a workbook that holds one table, written with bars between its cells."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = title
    for line in table.strip().splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        sheet.append(
            [float(cell) if cell.replace(".", "", 1).replace("-", "", 1).isdigit() else cell for cell in cells]
        )
    documents = folder / "documents"
    documents.mkdir()
    book.save(documents / "table.xlsx")
    with FactStore(folder / "facts.db") as store:
        store.init_schema()
        ingest(documents, store)
        return [answer_question(question, store, today=TODAY, documents=["table.xlsx"]) for question in questions]


@pytest.mark.parametrize(
    ("question", "rest", "latest"),
    [
        ("What was revenue? If data is not available, return 'N/A'.", "What was revenue?", False),
        ("According to the annual report, what was revenue?", ", what was revenue?", False),
        ("revenue (during the latest period or at the end of the latest period)", "revenue", True),
        ("Value of revenue at the end of the period listed in annual report?", "Value of revenue ?", True),
        ("根据年报,最近一期的营收是多少", "营收是多少", True),
        ("如果没有数据请回答无。营收是多少", "营收是多少", False),
        ("revenue in the period from 2009 to 2015", "revenue in the period from 2009 to 2015", False),
        ("What was the return on equity if known?", "What was the return on equity if known?", False),
    ],
)  # fmt: skip
def test_a_frame_says_nothing_about_the_number(question: str, rest: str, latest: bool) -> None:
    """How to answer and from which report is taken out; `the last period` is remembered; every place is kept."""
    framed = without_frame(question)
    assert " ".join(framed.text.split()) == rest
    assert framed.latest is latest
    assert len(framed.text) == len(question)


def test_the_latest_period_is_not_a_forecast() -> None:
    """The year most headers name is the year reported on; maturities name later ones."""
    year = reporting_year(["2022", "2022", "2022", "2021", "2021", "2023", "2024", "2025"])
    assert year == 2022
    assert latest_period([("FY", "2025"), ("FY", "2022"), ("FY", "2021")], year) == ("FY", "2022")
    assert latest_period([("FY", "2022"), ("INSTANT", "2022-12-31")], year) == ("FY", "2022")
    assert latest_period([("FY", "2022"), ("INSTANT", "2022-12-31")], year, balance=True) == ("INSTANT", "2022-12-31")


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("What was the revenue of Aldbury Mills plc in 2023?", "What was the revenue of in 2023?"),
        ('What was the total assets of "ALDBURY MILLS PLC" in 2023?', 'What was the total assets of " " in 2023?'),
        ("What was the revenue of Tansley Mills plc in 2023?", "What was the revenue of Tansley Mills plc in 2023?"),
        ("What was the Gross margin of Aldbury Mills?", "What was the Gross margin of ?"),
        ("What was Aldbury's revenue in 2023?", "What was revenue in 2023?"),
        ("What was Tansley's revenue in 2023?", "What was Tansley's revenue in 2023?"),
        ("青川纺织2023年营业收入", "2023年营业收入"),
        ("白石纺织2023年营业收入", "白石纺织2023年营业收入"),
    ],
)
def test_a_document_knows_whose_it_is(question: str, left: str) -> None:
    """The name on the first page says which document; any other name stays, and nothing accounts for it."""
    opening = [
        "Aldbury Mills plc",
        "Annual report 2023",
        "the mills sold more; gross margin rose as revenue and margin did",
        "青川纺织股份有限公司 2023 年年度报告",
    ]
    subject = Subject(opening, Vocabulary.load())
    assert " ".join(subject.without(question).split()) == left


TWO_YEARS = """
 | 2023 | 2024
Interest cost | 12 | 14
Capitalised interest | 3 | 4
Total capital expenditure | 40 | 50
Net income (loss) | 7 | -9
"""


def test_the_last_period_is_answered_and_said(tmp_path: Path) -> None:
    """Who asks for the last period gets it, with the period in words; another sign in brackets is the same metric."""
    answers = _asked(
        tmp_path,
        TWO_YEARS,
        "What was net income in the last period?",
        "What is the latest capital expenditure? If data is not available, return 'N/A'.",
    )
    assert [answer.value for answer in answers] == ["-9", "50"]
    assert "2024" in answers[0].answer


def test_near_words_are_not_the_same(tmp_path: Path) -> None:
    """Interest cost is not interest expense, and an increase to a level is that level."""
    expense, level = _asked(
        tmp_path,
        TWO_YEARS,
        "What was the interest expense in 2024?",
        "What did total capital expenditure rise to in 2024?",
    )
    assert expense.mode != "answer"
    assert level.value == "50"


def test_a_rival_with_other_words_is_asked_back(tmp_path: Path) -> None:
    """A question that names two rows gets neither as if it were the other."""
    table = """
    Offence | 2023 | 2024
    Physical assault | 120 | 130
    Sexual assault | 40 | 45
    """
    (answer,) = _asked(tmp_path, table, "How many cases of physical or sexual assault were there in 2024?")
    assert answer.value is None


def test_a_country_stands_for_its_regions(tmp_path: Path) -> None:
    """Whoever names no region means the whole, which the table calls by the country's name."""
    table = """
    Region | Harvest
    Canada | 900
    Upland | 300
    Lowland | 350
    Islands | 250
    """
    (answer,) = _asked(tmp_path, table, "What was the harvest?")
    assert answer.value == "900"


def test_labels_spread_over_their_cell_are_read(tmp_path: Path) -> None:
    """合 计 is 合计."""
    table = """
    项 目 | 金 额
    利息支出 | 300
    其 他 | 20
    合 计 | 320
    """
    total, other = _asked(
        tmp_path, table, "财务费用明细表中合计金额是多少", "其他项目的金额是多少", title="财务费用明细表"
    )
    assert [total.value, other.value] == ["320", "20"]


def test_yes_or_no_is_no_number(tmp_path: Path) -> None:
    """Whether a ratio is normal is answered by a word, or not at all."""
    table = """
    比率 | 百分比 | 是否正常
    总资产报酬率 | 20.1 | 异常
    净资产收益率 | 27.8 | 正常
    """
    (answer,) = _asked(tmp_path, table, "总资产报酬率的百分比是否正常")
    assert answer.value is None


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What was ACME's revenue in FY2024?", "1320"),
        ("ACME集团2024年收入多少钱", "1320"),
        ("How many staff does Central store have in FY2024?", "9"),
        ("青澜电器2024年末货币资金余额", "1284506731.25"),
        ("港晖集团去年总收入是多少亿元", "128.46"),
        ("Harbour Light Group budget operating profit FY2025", "1610"),
        ("What was hidden 13-month persistency for Harbour Light Group in FY2024?", "92.4"),
        ("最新的港晖集团总收入", "128.46"),
    ],
)
def test_people_use_short_names(question: str, value: str) -> None:
    """A company without its legal form, a store called a store, 亿元 of whatever money the document is in."""
    answer = ask(question)
    assert answer.mode == "answer", answer.answer
    assert answer.value == value


def test_what_is_hidden_or_planned_says_so() -> None:
    """An answer from a budget or a hidden slide calls it that."""
    assert "budget" in ask("Harbour Light Group budget operating profit FY2025").answer
    assert "hidden" in ask("What was hidden 13-month persistency for Harbour Light Group in FY2024?").answer


def test_one_by_one_over_places_and_periods() -> None:
    """`By market` and 历年 list each member with its cell; years stand with years, quarters with quarters."""
    markets = ask("Harbour Light Group gross written premiums by market FY2024")
    assert len(markets.facts) == 4
    assert {fact.geography for fact in markets.facts} == {"HK", "CN", "MO", "SG"}
    years = ask("Harbour Light Group total revenue by year")
    assert [fact.period for fact in years.facts] == ["2022", "2023", "2024"]
    quarters = ask("average total revenue of Harbour Light Group over the quarters of 2024")
    assert [fact.period for fact in quarters.facts] == ["2024Q1", "2024Q2", "2024Q3", "2024Q4"]
    assert quarters.value == "3211.55"


def test_each_period_asked_for_is_answered_or_named() -> None:
    """Of two quarters one is there: its number is given, and the other is said to be missing."""
    answer = ask("Harbour Light total revenue Q2 2024 vs Q2 2023")
    assert [fact.period for fact in answer.facts] == ["2024Q2"]
    assert "2023Q2" in answer.answer


def test_two_quarters_share_a_year() -> None:
    """Q3 vs Q2 2024 are two quarters of one year."""
    answer = ask("Harbour Light total revenue Q3 vs Q2 2024")
    assert [fact.period for fact in answer.facts] == ["2024Q3", "2024Q2"]


def test_rates_change_by_points() -> None:
    """The change of a margin is told in percentage points."""
    answer = ask("Harbour Light operating margin change FY2024")
    assert (answer.value, answer.unit) == ("1.6", "percentage points")


def test_cents_are_called_cents() -> None:
    """A dividend in HK cents reads so."""
    assert "66 HK cents" in ask("Harbour Light dividend per share FY2024").answer


def test_a_greeting_is_no_unknown_metric() -> None:
    """Who says hello is told that no figure was named."""
    answer = ask("hello")
    assert answer.reason is not None
    assert answer.reason.code in ("not_a_question", "insufficient_evidence")
