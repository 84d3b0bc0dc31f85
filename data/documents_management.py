"""The management workbook: statements with merged headers, tables side by side, formulas, formats, hidden parts."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from documents_figures import (
    ASSETS,
    EQUITY,
    GROUP,
    INCOME_STATEMENT,
    INSURANCE_REVENUE_BY_CHANNEL,
    LIABILITIES,
    PREMIUMS_BY_CHANNEL,
    PREMIUMS_BY_MARKET,
    RETAIL_COSTS,
    RETAIL_COSTS_TOTAL_AS_PRINTED,
    TOTAL_LIABILITIES,
    TOTAL_PREMIUMS,
)
from documents_workbook import PERCENT, WHOLE, Book, Formula, Page, summed

DOC = "management/Harbour_Light_Management_Accounts_FY2024.xlsx"
MARKETS = {"Hong Kong": "HK", "Mainland China": "CN", "Macau": "MO", "Singapore": "SG"}
CHANNELS = {"Agency": "AGENCY", "Bancassurance": "BANCASSURANCE", "Brokers": "BROKER", "Digital": "DIGITAL"}


def management_accounts() -> Book:
    """The whole workbook."""
    book = Book(DOC, "Management accounts FY2024")
    _income_statement(book.page("P&L", freeze="C7"))
    _balance_sheet(book.page("Balance sheet"))
    _channels(book.page("Channels & markets"))
    _key_figures(book.page("KPIs"))
    _notes(book.page("Notes"))
    _workings(book.page("Workings", hidden=True))
    return book


def _income_statement(page: Page) -> None:
    page.titles(
        f"{GROUP} — Management accounts",
        "Consolidated income statement for the year ended 31 December 2024 (unaudited)",
        "HK$ million, except per share data",
    )
    page.widths(A=36, B=7)
    page.merge("A5:A6", None)
    page.merge("B5:B6", "Note")
    page.merge("C5:D5", "Year ended 31 December")
    page.put("C6", 2024, "head", "0")
    page.put("D6", "2023 (restated)", "head")
    page.merge("E5:E6", "Change")
    lines: list[tuple[int, str, str, int | None]] = [
        (8, "Insurance revenue", "indent1", 4),
        (9, "Retail revenue", "indent1", 5),
        (10, "Total revenue", "sub", None),
        (12, "Insurance service expenses", "indent1", 6),
        (13, "Cost of goods sold", "indent1", None),
        (14, "Staff costs", "indent1", 7),
        (15, "Other operating expenses", "indent1", None),
        (16, "Total operating expenses", "sub", None),
        (17, "Operating profit", "total", None),
        (18, "Finance costs", "body", 8),
        (19, "Share of results of associates", "body", None),
        (20, "Profit before tax", "sub", None),
        (21, "Income tax", "body", 9),
        (22, "Profit for the year", "total", None),
    ]
    page.put("A7", "Revenue", "section")
    page.put("A11", "Operating expenses", "section")
    for number, label, kind, note in lines:
        _, restated, current = INCOME_STATEMENT[label]
        cells = [_statement_cell("C", number, current), _statement_cell("D", number, restated)]
        page.row(number, "A", [label, None, *cells], kind)
        if note:
            page.put(f"B{number}", note, "note", "0")
        if restated and number != 18:
            page.put(f"E{number}", Formula(f"=C{number}/D{number}-1", current / restated - 1), kind, PERCENT)
    page.right("D18", "(123.4)")  # typed as text, as accountants do
    page.right("D19", "—")
    page.right("E19", "n.a.")
    page.row(24, "A", ["Basic earnings per share (HK$)", None, Decimal("1.91"), Decimal("1.38")], fmt="0.00")
    margins = [Formula("=C17/C10", Decimal("1440.8") / Decimal("12846.2"))]
    margins.append(Formula("=D17/D10", Decimal("1097.8") / Decimal("11491.4")))
    page.row(25, "A", ["Operating margin", None, *margins], fmt=PERCENT)
    page.put("A27", "FY2023 is restated: pharmacy sales made as an agent are shown net (see Notes).", "note")
    page.comment("C9", "Retail includes the four stores opened in 2024; like-for-like growth is 8.9%.")
    _income_statement_gold(page)


_FORMULAS = {10: "SUM({0}8:{0}9)", 16: "SUM({0}12:{0}15)", 17: "{0}10+{0}16", 20: "SUM(C17:C19)", 22: "{0}20+{0}21"}


def _statement_cell(column: str, number: int, value: Decimal) -> Formula | Decimal:
    """Totals are formulas, except where one would have to add the number that was typed as text."""
    if number in _FORMULAS and (column, number) != ("D", 20):
        return Formula("=" + _FORMULAS[number].format(column), value)
    return value


def _income_statement_gold(page: Page) -> None:
    for number in (8, 9, 10, 12, 14, 16, 17, 18, 20, 22):
        label = str(page.values[f"A{number}"])
        total = " total" if label.startswith("Total") else ""
        page.gold(f"C{number}", label, "2024", "HKD*6", entity=GROUP, status=f"actual{total} unaudited")
        page.gold(f"D{number}", label, "2023", "HKD*6", entity=GROUP, status=f"restated{total} unaudited")
    page.gold("C19", "Share of results of associates", "2024", "HKD*6", entity=GROUP, status="actual unaudited")
    page.gold("C24", "Basic earnings per share", "2024", "HKD", entity=GROUP, status="actual unaudited")


def _balance_sheet(page: Page) -> None:
    """Two tables side by side; the column heads are real dates."""
    page.titles(f"{GROUP}: Statement of financial position")
    page.widths(A=28, D=3, E=32)
    for left, right, corner in (
        ("A", "BC", "Assets (HK$ million)"),
        ("E", "FG", "Equity and liabilities (HK$ million)"),
    ):
        page.put(f"{left}3", corner, "head")
        page.put(f"{right[0]}3", date(2024, 12, 31), "head", "d mmm yyyy")
        page.put(f"{right[1]}3", date(2023, 12, 31), "head", "d mmm yyyy")
    for number, (label, (before, now)) in enumerate(ASSETS.items(), start=4):
        page.row(number, "A", [label, now, before])
    totals = [summed("B", 4, 8, [v[1] for v in ASSETS.values()]), summed("C", 4, 8, [v[0] for v in ASSETS.values()])]
    page.row(9, "A", ["Total assets", *totals], "total")
    for number, (label, (before, now)) in enumerate(LIABILITIES.items(), start=4):
        page.row(number, "E", [label, now, before])
    parts = list(LIABILITIES.values())
    page.row(
        7,
        "E",
        ["Total liabilities", summed("F", 4, 6, [v[1] for v in parts]), summed("G", 4, 6, [v[0] for v in parts])],
        "sub",
    )
    page.row(8, "E", ["Total equity", EQUITY[1], EQUITY[0]])
    both = [Formula("=F7+F8", TOTAL_LIABILITIES[1] + EQUITY[1]), Formula("=G7+G8", TOTAL_LIABILITIES[0] + EQUITY[0])]
    page.row(9, "E", ["Total equity and liabilities", *both], "total")
    for place, label in (("4", "Cash and bank balances"), ("7", "Inventories")):
        page.gold(f"B{place}", label, "2024-12-31", "HKD*6", entity=GROUP)
        page.gold(f"C{place}", label, "2023-12-31", "HKD*6", entity=GROUP)
    page.gold("B9", "Total assets", "2024-12-31", "HKD*6", entity=GROUP, status="actual total")
    page.gold("F5", "Borrowings", "2024-12-31", "HKD*6", entity=GROUP)
    page.gold("G7", "Total liabilities", "2023-12-31", "HKD*6", entity=GROUP, status="actual total")
    page.gold("F8", "Total equity", "2024-12-31", "HKD*6", entity=GROUP)


def _channels(page: Page) -> None:
    """Four tables on one sheet: two side by side, two below them."""
    page.titles(f"{GROUP}: Channels and markets")
    page.widths(A=26, D=3, E=20, H=14)
    page.put("A3", "HK$ million", "head")
    page.merge("B3:C3", "Gross written premiums")
    page.row(4, "A", ["Channel", "FY2024", "FY2023"], "head")
    for number, (label, (before, now)) in enumerate(PREMIUMS_BY_CHANNEL.items(), start=5):
        page.row(number, "A", [label, now, before])
        page.gold(f"B{number}", "Gross written premiums", "2024", "HKD*6", entity=GROUP, channel=CHANNELS[label])
    columns = list(PREMIUMS_BY_CHANNEL.values())
    sums = [summed("B", 5, 8, [v[1] for v in columns]), summed("C", 5, 8, [v[0] for v in columns])]
    page.row(9, "A", ["Total", *sums], "total")
    page.gold("C9", "Gross written premiums", "2023", "HKD*6", entity=GROUP, status="actual total")
    page.put("E3", "HK$'000", "head")
    page.merge("F3:G3", "Gross written premiums")
    page.row(4, "E", ["Market", "FY2024", "FY2023"], "head")
    for number, (label, (before, now, _)) in enumerate(PREMIUMS_BY_MARKET.items(), start=5):
        page.row(number, "E", [label, now * 1000, before * 1000], fmt=WHOLE)
        page.gold(f"F{number}", "Gross written premiums", "2024", "HKD*3", entity=GROUP, geography=MARKETS[label])
    sums = [summed("F", 5, 8, [TOTAL_PREMIUMS[1] * 1000]), summed("G", 5, 8, [TOTAL_PREMIUMS[0] * 1000])]
    page.row(9, "E", ["Total", *sums], "total", WHOLE)
    _channels_below(page)


def _channels_below(page: Page) -> None:
    page.put("A12", "Insurance revenue by channel (HK$ million)", "section")
    page.row(13, "A", [None, "FY24", "FY23"], "head")
    for number, (label, (before, now)) in enumerate(INSURANCE_REVENUE_BY_CHANNEL.items(), start=14):
        page.row(number, "A", [f"Revenue – {label}", now, before])
        page.gold(f"B{number}", "Revenue", "2024", "HKD*6", entity=GROUP, channel=CHANNELS[label])
        page.gold(f"C{number}", "Revenue", "2023", "HKD*6", entity=GROUP, channel=CHANNELS[label])
    parts = list(INSURANCE_REVENUE_BY_CHANNEL.values())
    sums = [summed("B", 14, 17, [v[1] for v in parts]), summed("C", 14, 17, [v[0] for v in parts])]
    page.row(18, "A", ["Total insurance revenue", *sums], "total")
    page.put("E12", "Retail store costs", "section")
    page.row(13, "E", ["HK$ million", "FY2024"], "head")
    for number, (label, (value,)) in enumerate(RETAIL_COSTS.items(), start=14):
        page.row(number, "E", [label, value])
    page.row(18, "E", ["Total store costs", RETAIL_COSTS_TOTAL_AS_PRINTED], "total")
    page.gold("F14", "Rent", "2024", "HKD*6", entity=GROUP)
    page.gold("F18", "Total store costs", "2024", "HKD*6", entity=GROUP, status="actual total")


def _key_figures(page: Page) -> None:
    """Each row has its own unit: in the label, in the unit column, in the number format, or in the cell itself."""
    page.titles(f"{GROUP}: Key performance indicators", "Year ended 31 December")
    page.widths(A=38, B=12)
    page.row(4, "A", ["Indicator", "Unit", "FY2022", "FY2023", "FY2024"], "head")
    page.sheet.column_dimensions["C"].hidden = True
    rows: list[tuple[int, list[str | int | Decimal | Formula | None], str]] = [
        (5, ["Return on equity (ROE)", "%", Decimal("0.139"), Decimal("0.153"), Decimal("0.206")], PERCENT),
        (6, ["Combined ratio", "%", "96.1%", "95.2%", "93.8%"], PERCENT),
        (7, ["Investment yield change", "bps", 12, -18, 25], "0"),
        (8, ["Surrender rate", "‰", Decimal("8.4"), Decimal("7.9"), Decimal("7.1")], "0.0"),
        (9, ["Revenue (HK$ 000)", None, 10389900, 11491400, 12846200], WHOLE),
        (10, ["New business value", "HK$ million", Decimal("702.8"), Decimal("815.0"), Decimal("968.4")], "#,##0.0"),
        (
            11,
            ["Average premium per policy", None, Decimal("8120.5"), Decimal("8344"), Decimal("8702.25")],
            '"HK$"#,##0.00',
        ),
        (12, ["Technology spend", "HK$'000", 84210300, 91377450, 102568900], "#,##0,"),
        (
            13,
            ["Reinsurance ceded", None, Decimal("96.4"), Decimal("101.7"), Decimal("110.3")],
            '[$US$-409]#,##0.0,,"m"',
        ),
        (
            14,
            ["Petty cash float", "HK$", Decimal("1180022.5"), Decimal("1207731.04"), Decimal("1234567.89")],
            "General",
        ),
        (15, ["Employees", "persons", 3980, 4126, 4310], WHOLE),
        (16, ["Solvency ratio", "times", Decimal("2.31"), Decimal("2.38"), Decimal("2.46")], '0.00"x"'),
        (17, ["Net promoter score", "points", "n.a.", 41, 46], "0"),
        (18, ["Claims paid within 5 days", "%", "—", "88.0%", "91.5%"], PERCENT),
        (19, ["Internal churn estimate", "%", Decimal("0.061"), Decimal("0.058"), Decimal("0.055")], PERCENT),
        (
            20,
            ["Solvency headroom", "times", None, Formula("=D16-1.5", Decimal("0.88")), Formula("=E16-1.5", None)],
            "0.00",
        ),
        (21, ["Complaints per new store", "cases", None, Formula("=12/4", 3), Formula("=9/0", "#DIV/0!")], "0.0"),
    ]
    for number, cells, fmt in rows:
        if number == 13:
            cells = [*cells[:2], *(v * 1000000 for v in cells[2:] if isinstance(v, Decimal))]
        page.row(number, "A", cells, fmt=fmt)
    page.sheet.row_dimensions[19].hidden = True
    page.comment("E5", "ROE uses average equity. 平均净资产口径。")
    _key_figures_gold(page)


def _key_figures_gold(page: Page) -> None:
    expected = {5: ("Return on equity (ROE)", "%"), 6: ("Combined ratio", "%"), 7: ("Investment yield change", "bps")}
    expected |= {8: ("Surrender rate", "‰"), 9: ("Revenue", "HKD*3"), 10: ("New business value", "HKD*6")}
    expected |= {11: ("Average premium per policy", "HKD"), 12: ("Technology spend", "HKD*3")}
    expected |= {14: ("Petty cash float", "HKD"), 15: ("Employees", "persons"), 16: ("Solvency ratio", "x")}
    for number, (label, unit) in expected.items():
        page.gold(f"E{number}", label, "2024", unit, entity=GROUP)
    for number in (5, 6, 9):
        page.gold(f"D{number}", expected[number][0], "2023", expected[number][1], entity=GROUP)
    page.gold("C5", "Return on equity (ROE)", "2022", "%", entity=GROUP, status="actual hidden")
    page.gold("E19", "Internal churn estimate", "2024", "%", entity=GROUP, status="actual hidden")
    page.gold("D20", "Solvency headroom", "2023", "x", entity=GROUP)


def _notes(page: Page) -> None:
    page.titles("Notes to the management accounts")
    page.widths(A=110)
    texts = [
        "1. Basis. Figures are prepared on the accounting policies of the annual report and have not been audited.",
        "2. Restatement. From 2024, pharmacy sales made as an agent are shown net. FY2023 retail revenue is restated "
        "from HK$2,418.3 million to HK$2,306.8 million and staff costs by HK$5.0 million.",
        "3. 收入增长主要来自内地银保渠道扩张及新开四家门店；汇率影响约为负0.6个百分点。",
        "4. Retail store costs are taken from the stores' own ledgers and are not reconciled to the group ledger.",
    ]
    for number, text in enumerate(texts, start=3):
        page.put(f"A{number}", text, "prose")
        page.sheet.row_dimensions[number].height = 32


def _workings(page: Page) -> None:
    """A hidden sheet: facts from here are kept, flagged, and not answered from by default."""
    page.titles(f"{GROUP}: Workings, not for circulation", "HK$ million")
    page.widths(A=34)
    page.row(4, "A", ["Operating profit bridge", "FY2024"], "head")
    steps = {
        "Underlying operating profit": "1,402.3",
        "One-off reserve release": "51.2",
        "Store closure provision": "-12.7",
    }
    for number, (label, text) in enumerate(steps.items(), start=5):
        page.row(number, "A", [label, Decimal(text.replace(",", ""))])
    page.row(8, "A", ["Operating profit", Formula("=SUM(B5:B7)", Decimal("1440.8"))], "total")
    page.gold("B5", "Underlying operating profit", "2024", "HKD*6", entity=GROUP, status="actual hidden")
    page.gold("B6", "One-off reserve release", "2024", "HKD*6", entity=GROUP, status="actual hidden")
    page.gold("B8", "Operating profit", "2024", "HKD*6", entity=GROUP, status="actual hidden")
