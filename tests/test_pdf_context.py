"""What a report says about all its numbers: who reports, whose accounts they are, audited or not, for which period."""

from __future__ import annotations

from pathlib import Path

import pytest

from factspine import FactStore, ingest
from factspine.core.facts import Fact
from tests.pdf_pages import Page, save

ROWS = "Cash and cash equivalents | 1,234 | 987\nTrade receivables | 2,222 | 1,111\nTotal assets | 3,456 | 2,098"
CHINESE_ROWS = "货币资金 | 1,234.50 | 987.60\n应收账款 | 2,222.10 | 1,111.20\n资产总计 | 3,456.60 | 2,098.80"


def statement(page: Page, top: float, title: str, date: str, unit: str, rows: str, *, preparer: str = "") -> None:
    """A statement under its title, its date and its unit."""
    page.text(200, top, title, 13)
    page.text(250, top + 16, date)
    if preparer:
        page.text(72, top + 32, preparer)
    page.right(520, top + 32, unit)
    page.rows(rows, (72, 400, 520), top + 48)


def facts(tmp_path: Path, *pages: Page) -> list[Fact]:
    folder = tmp_path / "documents"
    folder.mkdir()
    save(folder / "a.pdf", *pages)
    with FactStore(tmp_path / "facts.db") as store:
        store.init_schema()
        ingest(folder, store)
        return list(store.facts())


def report(cover: tuple[str, ...] = ()) -> list[Page]:
    """A report of a group and its parent company, with a cover or with nothing but a running header."""
    first = Page()
    for number, line in enumerate(cover):
        first.text(150, 250 + 50 * number, line, 24 - 6 * number)
    pages = [first] if cover else []
    for title, status in (("Consolidated", ""), ("Company", ""), ("Consolidated", " (Unaudited)")):
        page = Page()
        page.text(72, 40, "Northwind Minerals Limited", 8)
        page.text(520, 810, str(len(pages) + 1), 8)
        name = f"{title} Statement of Financial Position{status}"
        statement(page, 90, name, "As at 30 June 2023", "US$'000", f"| 2023 | 2022\n{ROWS}")
        pages.append(page)
    return pages


@pytest.mark.parametrize("cover", [(), ("Northwind Minerals Limited", "Annual Report 2023")])
def test_who_reports_is_read_from_the_cover_or_the_running_header(tmp_path: Path, cover: tuple[str, ...]) -> None:
    """Every number says whose it is, though no table does."""
    assert {fact.entity for fact in facts(tmp_path, *report(cover))} == {"Northwind Minerals Limited"}


def test_the_groups_and_the_parents_accounts_are_told_apart(tmp_path: Path) -> None:
    """The same line in two statements is two things, and unaudited numbers say so."""
    status = {fact.source_locator.split(",")[0]: fact.status.split() for fact in facts(tmp_path, *report())}
    assert "consolidated" in status["page=1"]
    assert "parent" in status["page=2"]
    assert "consolidated" not in status["page=2"]
    assert "unaudited" in status["page=3"]
    assert "unaudited" not in status["page=1"]


def test_a_year_over_a_column_ends_when_the_caption_says(tmp_path: Path) -> None:
    """2023 and 2022 under "As at 30 June 2023" are the two ends of June."""
    assert {fact.period_end for fact in facts(tmp_path, *report())} == {"2023-06-30", "2022-06-30"}


def test_chinese_statements_on_one_page_keep_owner_unit_and_date_apart(tmp_path: Path) -> None:
    """合并 and 母公司 under each other are two tables; the line 编制单位 … 单位：元 is no row of either."""
    page = Page()
    head = "项目 | 2023年12月31日 | 2022年12月31日"
    for top, name in ((90, "合并资产负债表"), (230, "母公司资产负债表")):
        rows = f"{head}\n{CHINESE_ROWS}"
        statement(page, top, name, "2023年12月31日", "单位：元", rows, preparer="编制单位：长河药业集团股份有限公司")
    found = facts(tmp_path, page)
    assert {fact.entity for fact in found} == {"长河药业集团股份有限公司"}
    assert {fact.unit for fact in found} == {"CNY"}
    scopes = {fact.source_locator.split(",")[1]: set(fact.status.split()) for fact in found}
    assert "consolidated" in scopes["table=1"]
    assert "parent" in scopes["table=2"]
    assert len(found) == 12


@pytest.mark.parametrize(
    "unit", [("(Dollars and shares in millions,", "except per share amounts)"), ("(In $ millions)",)]
)
def test_a_unit_between_years_and_figures_is_that_of_all_figures(tmp_path: Path, unit: tuple[str, ...]) -> None:
    """Whether it takes one line or two, it heads no column, and earnings per share are not in millions."""
    page = Page()
    page.text(180, 80, "CONSOLIDATED STATEMENTS OF OPERATIONS", 11)
    columns = (72, 340, 430, 520)
    top = page.rows("| 2022 | 2021 | 2020", columns, 114)
    for line in unit:
        page.text(345, top, line)
        top += 12
    rows = "New boats | $1,841.2 | $1,706.9 | $1,588.3\nUsed boats | 917.4 | 851.6 | 803.5"
    page.rows(f"{rows}\nTotal revenues | 2,758.6 | 2,558.5 | 2,391.8", columns, top)
    found = facts(tmp_path, page)
    assert {(fact.unit, fact.scale) for fact in found} == {("$", 6)}
    assert {fact.metric_label for fact in found} == {"New boats", "Used boats", "Total revenues"}


def test_the_law_on_a_cover_is_not_what_the_report_is_about(tmp_path: Path) -> None:
    """Numbers without a period of their own have none, though the cover names a law of 1934."""
    cover, page = Page(), Page()
    cover.text(72, 200, "ANNUAL REPORT UNDER THE SECURITIES EXCHANGE ACT OF 1934", 14)
    page.text(72, 90, "Stores by state", 13)
    page.rows("State | Stores | Lots\nTexas | 29 | 17\nColorado | 17 | 13\nIdaho | 13 | 11", (72, 400, 520), 110)
    assert {fact.period_type for fact in facts(tmp_path, cover, page)} == {"NONE"}


def test_the_month_a_report_came_out_is_not_the_year_it_is_about(tmp_path: Path) -> None:
    """2023年年度报告 and 二〇二四年四月 on one cover: this year's column is 2023 and last year's 2022."""
    cover, page = Page(), Page()
    for top, text, size in (
        (250, "长河药业集团股份有限公司", 22),
        (300, "2023年年度报告", 18),
        (600, "二〇二四年四月", 14),
    ):
        cover.text(150, top, text, size)
    page.text(220, 80, "合并利润表", 13)
    rows = "营业收入 | 1,234.50 | 987.60\n营业成本 | 800.00 | 700.00\n营业利润 | 434.50 | 287.60"
    page.rows(f"项目 | 本期金额 | 上期金额\n{rows}", (72, 400, 520), 112)
    assert [fact.period for fact in facts(tmp_path, cover, page)] == ["2023", "2022"] * 3


def test_a_title_well_above_its_table_says_whose_statement_it_is(tmp_path: Path) -> None:
    """Some white space under `Company balance sheet` and its date: it is still the parent's statement."""
    page = Page()
    page.text(50, 80, "Company balance sheet", 12)
    page.text(50, 96, "As at 31 March 2023", 10)
    page.rows(" | 2023 | 2022", (50, 430, 520), 150)
    page.rule(50, 154, 525, 154)
    page.rows("Fixed assets | 106 | 98\nCash | 315 | 456\nTotal assets | 421 | 554", (50, 430, 520), 168)
    assert all("parent" in fact.status.split() for fact in facts(tmp_path, page))
