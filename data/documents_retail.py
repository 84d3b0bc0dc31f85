"""Smaller workbooks: lists of records, a transposed table, a budget, a restatement, two files of one name."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from documents_figures import (
    GROUP,
    INCOME_STATEMENT,
    INSURANCE_REVENUE,
    RETAIL_REVENUE,
    TOTAL_REVENUE,
    amounts,
)
from documents_workbook import MILLIONS, PERCENT, WHOLE, Book, Formula, Page, Value

STORES = (
    ("Central 中环店", "Hong Kong"),
    ("Wan Chai 湾仔店", "Hong Kong"),
    ("Causeway Bay 铜锣湾店", "Hong Kong"),
    ("North Point 北角店", "Hong Kong"),
    ("Tsim Sha Tsui 尖沙咀店", "Hong Kong"),
    ("Mong Kok 旺角店", "Hong Kong"),
    ("Sha Tin 沙田店", "Hong Kong"),
    ("Tsuen Wan 荃湾店", "Hong Kong"),
    ("Tuen Mun 屯门店", "Hong Kong"),
    ("Tai Po 大埔店", "Hong Kong"),
    ("Kwun Tong 观塘店", "Hong Kong"),
    ("Yuen Long 元朗店", "Hong Kong"),
    ("Tseung Kwan O 将军澳店", "Hong Kong"),
    ("Taipa 氹仔店", "Macau"),
    ("Senado 议事亭店", "Macau"),
    ("Cotai 路氹店", "Macau"),
    ("Orchard 乌节店", "Singapore"),
    ("Tampines 淡滨尼店", "Singapore"),
    ("Jurong 裕廊店", "Singapore"),
    ("Bedok 勿洛店", "Singapore"),
)
CODES = {"Hong Kong": "HK", "Macau": "MO", "Singapore": "SG"}


def _sales_thousand(total: Decimal, stores: int, salt: int) -> list[int]:
    """Net sales of each store, uneven but fixed, that make the given total exactly."""
    weights = [60 + (index * 37 + salt * 11) % 83 for index in range(stores)]
    sales = [int(total * 1000 * weight / sum(weights)) // 10 * 10 for weight in weights]
    sales[0] += int(total * 1000) - sum(sales)
    return sales


def store_list(*, closed: str = "") -> Book:
    """Each row a store and a year. `closed` leaves a store out: the next revision of the document."""
    book = Book("retail/Harbour_Light_Stores.xlsx", "Store list")
    page = book.page("Stores", freeze="D4")
    page.titles("Harbour Light Pharmacies 港晖药房 — store list")
    page.widths(A=6, B=10, C=26, D=14, others=12)
    heads = [
        "No.",
        "Store code",
        "Store 门店",
        "Region",
        "Year",
        "Opened",
        "Phone",
        "Net sales (HK$'000)",
        "Transactions",
    ]
    page.row(3, "A", [*heads, "Floor area (sq ft)", "Staff", "Satisfaction"], "head")
    page.sheet.row_dimensions[3].height = 30
    number = 4
    for year, total, count in ((2024, RETAIL_REVENUE[2], 20), (2023, RETAIL_REVENUE[1], 16)):
        sales = _sales_thousand(total, count, year)
        for index in range(count):
            name, region = STORES[index]
            if name == closed:
                continue
            cells: list[Value] = [number - 3, f"HL-{index + 101}", name, region, year]
            cells += [None, f"2{index:03} {(index * 731 + 4207) % 9000 + 1000}", None, sales[index] * 9 // 1000, None]
            page.row(number, "A", [*cells, 9 + index % 7], fmt="0")
            opened = date(2009, 3, 2) + timedelta(days=286 * index) if index < 16 else date(2024, 2 * index - 29, 8)
            page.put(f"F{number}", opened, "body", "yyyy-mm-dd")
            page.put(f"H{number}", sales[index], "body", WHOLE)
            page.put(f"J{number}", 820 + (index * 173) % 1400, "body", WHOLE)
            page.put(f"L{number}", Decimal(871 + (index * 7 + year) % 90) / 1000, "body", PERCENT)
            if index in (1, 14, 17) and not (year == 2023 and index == 17):
                _store_gold(page, number, name, region, str(year))
            number += 1
    page.sheet.auto_filter.ref = f"A3:L{number - 1}"
    return book


def _store_gold(page: Page, number: int, name: str, region: str, year: str) -> None:
    where: dict[str, str | None] = {"entity": name, "geography": CODES[region]}
    page.gold(f"H{number}", "Net sales", year, "HKD*3", **where)
    page.gold(f"J{number}", "Floor area", year, "sq ft", **where)
    page.gold(f"L{number}", "Satisfaction", year, "%", **where)


def transposed_summary() -> Book:
    """Periods run down, metrics across; the second header row is the unit of each column."""
    book = Book("retail/Harbour_Light_Summary_by_Year.xlsx", "Summary by year")
    page = book.page("By year")
    page.titles(f"{GROUP}: Summary by year")
    page.widths(A=16, others=16)
    heads = [
        "Insurance revenue",
        "Retail revenue",
        "Total revenue",
        "Operating margin",
        "Employees",
        "Dividend per share",
    ]
    page.row(3, "B", heads, "head")
    page.put("A3", "Financial year", "head")
    page.row(4, "A", [None, "HK$ million", "HK$ million", "HK$ million", "%", "persons", "HK cents"], "head")
    facts = {"FY2022": ("8.8", 3980, 48), "FY2023": ("9.6", 4126, 52), "FY2024": ("11.2", 4310, 66)}
    for index, (year, (margin, staff, dividend)) in enumerate(facts.items()):
        number = 5 + index
        revenue = [INSURANCE_REVENUE[index], RETAIL_REVENUE[index], TOTAL_REVENUE[index]]
        page.row(number, "A", [year, *revenue])
        page.put(f"E{number}", Decimal(margin), "body", "0.0")
        page.put(f"F{number}", staff, "body", WHOLE)
        page.put(f"G{number}", dividend, "body", "0")
        period = year.removeprefix("FY")
        page.gold(f"B{number}", "Insurance revenue", period, "HKD*6", entity=GROUP)
        page.gold(f"D{number}", "Total revenue", period, "HKD*6", entity=GROUP)
        page.gold(f"E{number}", "Operating margin", period, "%", entity=GROUP)
        page.gold(f"F{number}", "Employees", period, "persons", entity=GROUP)
    return book


def budget() -> Book:
    """Actual, budget and forecast under merged years, with the variance."""
    book = Book("management/Harbour_Light_Budget_FY2025.xlsx", "Budget FY2025")
    page = book.page("Budget")
    page.titles(f"{GROUP} — Budget FY2025", "HK$ million")
    page.widths(A=28)
    page.merge("A4:A5", None)
    page.merge("B4:D4", "FY2024")
    page.merge("E4:E5", "FY2025 Budget")
    page.merge("F4:F5", "FY2026E")
    page.row(5, "B", ["Actual", "Budget", "Variance"], "head")
    rows = {
        "Insurance revenue": "10,236.5 9,950.0 11,180.0 12,150.0",
        "Retail revenue": "2,609.7 2,650.0 2,900.0 3,120.0",
        "Total revenue": "12,846.2 12,600.0 14,080.0 15,270.0",
        "Operating profit": "1,440.8 1,330.0 1,610.0 1,790.0",
    }
    for number, (label, text) in enumerate(rows.items(), start=6):
        actual, planned, following, forecast = amounts(text)
        variance = Formula(f"=B{number}-C{number}", actual - planned)
        page.row(number, "A", [label, actual, planned, variance, following, forecast], "sub" if number == 8 else "body")
        mark = " total" if number == 8 else ""
        page.gold(f"B{number}", label, "2024", "HKD*6", entity=GROUP, status=f"actual{mark}")
        page.gold(f"C{number}", label, "2024", "HKD*6", entity=GROUP, status=f"budget{mark}")
        page.gold(f"E{number}", label, "2025", "HKD*6", entity=GROUP, status=f"budget{mark}")
        page.gold(f"F{number}", label, "2026", "HKD*6", entity=GROUP, status=f"forecast{mark}")
    page.put(
        "A11", "Assumption: US$1 = HK$7.80; RMB1 = HK$1.087. FY2026E is a forecast, not approved by the board.", "note"
    )
    return book


def restatement() -> Book:
    """Two columns for one year: as reported and restated."""
    book = Book("restated/Harbour_Light_FY2023_Restatement.xlsx", "Restatement of FY2023")
    page = book.page("Restatement")
    page.titles(f"{GROUP}: Effect of the change in accounting policy", "Year ended 31 December 2023, HK$ million")
    page.widths(A=32, others=17)
    page.row(4, "A", [None, "FY2023 (as reported)", "Adjustment", "FY2023 (restated)"], "head")
    picked = (
        "Insurance revenue",
        "Retail revenue",
        "Total revenue",
        "Cost of goods sold",
        "Staff costs",
        "Operating profit",
    )
    for number, label in enumerate(picked, start=5):
        reported, restated, _ = INCOME_STATEMENT[label]
        change = Formula(f"=D{number}-B{number}", restated - reported)
        page.row(number, "A", [label, reported, change, restated], "sub" if number == 7 else "body", MILLIONS)
        mark = " total" if number == 7 else ""
        page.gold(f"B{number}", label, "2023", "HKD*6", entity=GROUP, status=f"actual{mark}")
        page.gold(f"D{number}", label, "2023", "HKD*6", entity=GROUP, status=f"restated{mark}")
    return book


def branch_figures(folder: str, market: str, code: str, figures: str) -> Book:
    """One of two workbooks that have the same name in two folders; numbers are typed as text."""
    book = Book(f"{folder}/Branch_KPIs.xlsx", f"Branch KPIs {market}", exported=True)
    page = book.page("KPIs")
    page.titles(f"Harbour Light Insurance — {market} branches")
    page.widths(A=30)
    page.row(3, "A", ["KPI", "FY2023", "FY2024"], "head")
    labels = ("Number of branches", "New policies", "Claims ratio", "Average handling time (days)")
    values = figures.split()
    for index, label in enumerate(labels):
        page.row(4 + index, "A", [label, values[2 * index], values[2 * index + 1]])
    for letter, period in (("B", "2023"), ("C", "2024")):
        page.gold(f"{letter}5", "New policies", period, "", entity=None, geography=code)
        page.gold(f"{letter}6", "Claims ratio", period, "%", entity=None, geography=code)
        page.gold(f"{letter}7", "Average handling time", period, "days", entity=None, geography=code)
    return book


def retail_books() -> list[Book]:
    """All workbooks of this module."""
    return [
        store_list(),
        transposed_summary(),
        budget(),
        restatement(),
        branch_figures("hong_kong", "Hong Kong", "HK", "13 14 48,210 52,904 61.2% 59.8% 6.4 5.9"),
        branch_figures("macau", "Macau", "MO", "3 3 6,118 6,552 58.7% 57.9% 5.1 4.8"),
    ]
