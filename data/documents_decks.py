"""The decks: the annual results in Chinese and English, a review, an investor day that disagrees, a board pack."""

from __future__ import annotations

from datetime import date

from documents_deck import Deck, in_three_dimensions, second_axis_line, series_data
from documents_figures import (
    GROUP,
    GROUP_ZH,
    INSURANCE_REVENUE,
    OPERATING_PROFIT_QUARTERS_2023,
    PREMIUMS_BY_MARKET,
    QUARTERS,
    RETAIL_MONTHS_THOUSAND,
    RETAIL_REVENUE,
    amounts,
)
from pptx.chart.data import ChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.oxml.ns import qn


def acme_review() -> Deck:
    """The example of the contract: slide 2 holds REVENUE of Mainland China in US$ million."""
    deck = Deck("ACME_FY2024_Review.pptx", "ACME FY2024 review")
    deck.cover("ACME Group", "FY2024 Review 年度回顾")
    slide = deck.slide("ACME Group — 中国内地 (Mainland China)")
    slide.table(
        [
            ["US$ million", "FY2023", "FY2024"],
            ["REVENUE", "1,180", "1,320"],
            ["OPERATING PROFIT", "96", "121"],
            ["ROE", "12.4%", "14.1%"],
        ]
    )
    slide.text("Source: ACME management accounts. Unaudited.", 0.65, 3.8, 12, 11, grey=True)
    slide.notes(
        "Revenue in Mainland China grew because two new plants opened in the second quarter and prices rose by 3%."
    )
    for row, label, unit in ((2, "REVENUE", "USD*6"), (3, "OPERATING PROFIT", "USD*6"), (4, "ROE", "%")):
        for column, year in ((2, "2023"), (3, "2024")):
            slide.gold(row, column, label, year, unit, entity="ACME Group", geography="CN", status="actual unaudited")
    slide = deck.slide("ACME Group — New sales by channel, FY2024 (US$ million)")
    sales = amounts("410 268 95")
    data = series_data(["Agency", "Partners", "Digital"], {"New sales": sales}, "#,##0")
    chart = slide.chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED, data, "New sales by channel", value_axis="US$ million", legend=False
    )
    in_three_dimensions(chart)
    slide.point("New sales", "Agency", sales[0], "New sales", "2024", "USD*6", entity="ACME Group", channel="AGENCY")
    slide = deck.slide("ACME Group — Priorities for 2025")
    slide.text(
        "• Finish the third plant by June 2025\n• Move a fifth of new sales to digital\n• Keep headcount flat",
        0.8,
        1.6,
        11,
        20,
    )
    return deck


def annual_results() -> Deck:
    """Twelve slides: tables, every common kind of chart, a group, notes, a hidden slide."""
    deck = Deck("Harbour_Light_FY2024_Annual_Results.pptx", "FY2024 annual results")
    deck.cover(f"{GROUP} {GROUP_ZH}", "FY2024 Annual Results  2024年度全年业绩\n20 March 2025")
    _highlights(deck)
    _markets(deck)
    _segment_chart(deck)
    _ratio_chart(deck)
    _share_chart(deck)
    _month_chart(deck)
    _scatter(deck)
    _group(deck)
    _quarter_chart(deck)
    _outlook(deck)
    _hidden(deck)
    return deck


def _highlights(deck: Deck) -> None:
    slide = deck.slide(f"{GROUP} — Financial highlights (HK$ million)")
    slide.table(
        [
            ["Year ended 31 December", "FY2024", "FY2023 (restated)", "Change"],
            ["Total revenue 总收入", "12,846.2", "11,491.4", "+11.8%"],
            ["Operating profit 营运利润", "1,440.8", "1,097.8", "+31.2%"],
            ["Finance costs 财务费用", "(118.6)", "(123.4)", "-3.9%"],
            ["Share of associates 应占联营公司", "24.5", "—", "n.m."],
            ["Basic EPS (HK$) 每股盈利", "1.91", "1.38", "+38.4%"],
            ["Profit for the year 年内利润", "1,144.7", "828.2", "+38.2%"],
        ]
    )
    slide.text(
        "FY2023 restated for the presentation of agent sales in pharmacies. n.m. = not meaningful.",
        0.65,
        5.2,
        12,
        11,
        grey=True,
    )
    slide.notes(
        "Why revenue grew: bancassurance, mostly in Mainland China, added HK$413.7 million of premiums, "
        "four new pharmacies opened, and visitors returned to Macau.\n"
        "收入增长的原因：内地银保渠道扩张、新开四家药房，以及澳门访客回升。"
    )
    for row, label in ((2, "Total revenue 总收入"), (3, "Operating profit 营运利润"), (4, "Finance costs 财务费用")):
        slide.gold(row, 2, label, "2024", "HKD*6", entity=GROUP, status="actual total" if row == 2 else "actual")
        slide.gold(row, 3, label, "2023", "HKD*6", entity=GROUP, status="restated total" if row == 2 else "restated")
    slide.gold(5, 2, "Share of associates 应占联营公司", "2024", "HKD*6", entity=GROUP)
    slide.gold(6, 2, "Basic EPS 每股盈利", "2024", "HKD", entity=GROUP)
    slide.gold(2, 4, None, "?", "%", entity=GROUP)


def _markets(deck: Deck) -> None:
    slide = deck.slide(f"{GROUP_ZH}：分市场总保费（百万港元）")
    names = {"Hong Kong": "香港", "Mainland China": "中国内地", "Macau": "澳门", "Singapore": "新加坡"}
    rows = [["市场", "2024年", "<", "2023年"], ["^", "实际", "预算", "实际"]]
    for market, (before, now, planned) in PREMIUMS_BY_MARKET.items():
        rows.append([names[market], f"{now:,}", f"{planned:,}", f"{before:,}"])
    rows.append(["合计", "11,507.8", "11,200.0", "10,247.8"])
    slide.table(rows, head_rows=2)
    for row, code in ((3, "HK"), (4, "CN"), (5, "MO"), (6, "SG")):
        slide.gold(row, 2, "总保费", "2024", "HKD*6", entity=GROUP_ZH, geography=code)
    slide.gold(4, 3, "总保费", "2024", "HKD*6", entity=GROUP_ZH, geography="CN", status="budget")
    slide.gold(4, 4, "总保费", "2023", "HKD*6", entity=GROUP_ZH, geography="CN")
    slide.gold(7, 3, "总保费", "2024", "HKD*6", entity=GROUP_ZH, status="budget total")
    slide.notes("内地保费增长18.0%，高于预算，主要由银保渠道带动。")


def _segment_chart(deck: Deck) -> None:
    slide = deck.slide(f"{GROUP} — Revenue by segment")
    years = ["FY2022", "FY2023", "FY2024"]
    series = {"Insurance revenue": INSURANCE_REVENUE, "Retail revenue": RETAIL_REVENUE}
    chart = slide.chart(
        XL_CHART_TYPE.COLUMN_STACKED, series_data(years, series), "Revenue by segment", value_axis="HK$ million"
    )
    chart.plots[0].has_data_labels = True
    chart.plots[0].data_labels.number_format, chart.plots[0].data_labels.number_format_is_linked = "#,##0", False
    for name, values in series.items():
        for year, value in zip(years[1:], values[1:], strict=True):
            slide.point(name, year, value, name, year[2:], "HKD*6", entity=GROUP)


def _ratio_chart(deck: Deck) -> None:
    slide = deck.slide(f"{GROUP} — Premiums and combined ratio")
    years, premiums, ratios = (
        ["FY2022", "FY2023", "FY2024"],
        amounts("9,316.2 10,247.8 11,507.8"),
        amounts("0.961 0.952 0.938"),
    )
    data = ChartData()
    data.categories = years
    data.add_series("Gross written premiums", [float(v) for v in premiums], "#,##0.0")
    data.add_series("Combined ratio", [float(v) for v in ratios], "0.0%")
    chart = slide.chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED,
        data,
        "Premiums (HK$ million, left) and combined ratio (right)",
        value_axis="HK$ million",
    )
    second_axis_line(chart, "%")
    slide.point(
        "Gross written premiums", "FY2024", premiums[2], "Gross written premiums", "2024", "HKD*6", entity=GROUP
    )
    slide.point("Combined ratio", "FY2024", ratios[2] * 100, "Combined ratio", "2024", "%", entity=GROUP)


def _share_chart(deck: Deck) -> None:
    slide = deck.slide(f"{GROUP} — FY2024 gross written premiums by market")
    values = {name: row[1] for name, row in PREMIUMS_BY_MARKET.items()}
    data = series_data(list(values), {"Gross written premiums": list(values.values())})
    chart = slide.chart(XL_CHART_TYPE.PIE, data, "Gross written premiums, HK$ million")
    chart.plots[0].has_data_labels = True
    chart.plots[0].data_labels.show_percentage, chart.plots[0].data_labels.show_value = True, False
    for name, code in (("Hong Kong", "HK"), ("Mainland China", "CN"), ("Macau", "MO")):
        slide.point(
            "Gross written premiums",
            name,
            values[name],
            "Gross written premiums",
            "2024",
            "HKD*6",
            entity=GROUP,
            geography=code,
        )


def _month_chart(deck: Deck) -> None:
    slide = deck.slide(f"{GROUP} — Retail net sales by month")
    data = ChartData(number_format="#,##0")
    data.categories = [date(2024, month, 1) for month in range(1, 7)]
    data.categories.number_format = "mmm\\-yy"
    data.add_series("Net sales", [float(v) for v in RETAIL_MONTHS_THOUSAND])
    chart = slide.chart(XL_CHART_TYPE.LINE_MARKERS, data, "Retail net sales", value_axis="HK$'000", legend=False)
    chart.category_axis.tick_labels.number_format, chart.category_axis.tick_labels.number_format_is_linked = (
        "mmm-yy",
        False,
    )
    chart.category_axis._element.find(qn("c:baseTimeUnit")).set("val", "months")
    slide.point("Net sales", "2024-03", RETAIL_MONTHS_THOUSAND[2], "Net sales", "2024-03", "HKD*3", entity=GROUP)
    slide.point("Net sales", "2024-06", RETAIL_MONTHS_THOUSAND[5], "Net sales", "2024-06", "HKD*3", entity=GROUP)


def _scatter(deck: Deck) -> None:
    slide = deck.slide(f"{GROUP} — Growth against expense ratio, FY2024")
    data = XyChartData(number_format="0.0")
    points = data.add_series("Markets")
    for x, y in ((31.2, 10.3), (27.9, 18.0), (34.5, 6.9), (36.1, 7.8)):
        points.add_data_point(x, y)
    chart = slide.chart(
        XL_CHART_TYPE.XY_SCATTER, data, "Each point is a market", value_axis="Premium growth, %", legend=False
    )
    chart.category_axis.has_title = True
    chart.category_axis.axis_title.text_frame.text = "Expense ratio, %"


def _group(deck: Deck) -> None:
    """The table lies in a group with its caption, which is where its unit stands."""
    slide = deck.slide(f"{GROUP} — New business value")
    caption = slide.text("New business value, HK$ million", 0.65, 1.4, 8, 13, grey=True)
    frame = slide.table(
        [
            ["Market", "FY2024", "FY2023"],
            ["Hong Kong", "512.6", "446.1"],
            ["Mainland China", "361.9", "281.7"],
            ["Other markets", "93.9", "87.2"],
            ["Total", "968.4", "815.0"],
        ],
        top=1.9,
        width=8,
    )
    slide.group(caption, frame)
    slide.text("Margin improved as more regular-premium policies were sold.", 9.0, 2.2, 3.8, 16)
    slide.gold(2, 2, "New business value", "2024", "HKD*6", entity=GROUP, geography="HK")
    slide.gold(3, 3, "New business value", "2023", "HKD*6", entity=GROUP, geography="CN")
    slide.gold(5, 2, "New business value", "2024", "HKD*6", entity=GROUP, status="actual total")


def _quarter_chart(deck: Deck) -> None:
    slide = deck.slide(f"{GROUP} — Operating profit by quarter (HK$ million)")
    data = ChartData(number_format="#,##0.0")
    for year in ("2023", "2024"):
        category = data.add_category(year)
        for quarter in ("Q1", "Q2", "Q3", "Q4"):
            category.add_sub_category(quarter)
    values = (*OPERATING_PROFIT_QUARTERS_2023, *QUARTERS["Operating profit"])
    data.add_series("Operating profit", [float(v) for v in values])
    slide.chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED, data, "Operating profit by quarter", value_axis="HK$ million", legend=False
    )
    slide.point("Operating profit", "2024 / Q3", values[6], "Operating profit", "2024Q3", "HKD*6", entity=GROUP)


def _outlook(deck: Deck) -> None:
    slide = deck.slide("Outlook 展望")
    slide.text(
        "• We expect FY2025 revenue growth of 9% to 10%\n• Four more pharmacies in Hong Kong, two in Singapore\n"
        "• 预计二零二五年新业务价值实现双位数增长\n• Capital expenditure of about HK$420 million",
        0.8,
        1.6,
        11,
        20,
    )
    slide.text("Investor Relations  +852 2100 0000  ir@harbourlight.example", 0.8, 6.6, 11, 11, grey=True)
    slide.notes("Growth in 2025 depends on the bancassurance renewal in June. 若续约延迟，增长可能低于区间下限。")


def _hidden(deck: Deck) -> None:
    slide = deck.slide(f"{GROUP} — Backup: preliminary persistency")
    slide.table(
        [
            ["%", "FY2023", "FY2024"],
            ["13-month persistency", "91.2%", "92.4%"],
            ["25-month persistency", "86.0%", "87.1%"],
        ]
    )
    slide.hide()
    slide.gold(2, 3, "13-month persistency", "2024", "%", entity=GROUP, status="actual hidden")


def investor_day() -> Deck:
    """Says the same again in other units, once rounded, and once differently: a real conflict."""
    deck = Deck("investor/Harbour_Light_Investor_Day_2025.pptx", "Investor Day 2025")
    deck.cover(f"{GROUP} Investor Day", "10 June 2025")
    slide = deck.slide(f"{GROUP} — Where we stand")
    slide.table(
        [
            ["Measure", "Unit", "FY2024"],
            ["Total revenue", "HK$ billion", "12.8"],
            ["Gross written premiums", "HK$'000", "11,507,800"],
            ["Operating profit", "HK$ million", "1,452.0"],
            ["New business value", "HK$ million", "968.4"],
        ]
    )
    slide.notes("Operating profit here is a draft figure that was not updated after the year-end adjustments.")
    slide.gold(2, 3, "Total revenue", "2024", "HKD*9", entity=GROUP, status="actual total")
    slide.gold(3, 3, "Gross written premiums", "2024", "HKD*3", entity=GROUP)
    slide.gold(4, 3, "Operating profit", "2024", "HKD*6", entity=GROUP)
    slide.gold(5, 3, "New business value", "2024", "HKD*6", entity=GROUP)
    return deck


def board_pack() -> Deck:
    """For the board only: the folder is what marks it restricted."""
    deck = Deck("board/Harbour_Light_Board_Pack_March_2025.pptx", "Board pack")
    deck.cover(f"{GROUP} — Board of Directors", "Strictly confidential 绝密  ·  March 2025")
    slide = deck.slide(f"{GROUP} — Project Lantern, proposed acquisition (US$ million)")
    slide.table(
        [
            ["Target's figures", "FY2023", "FY2024", "FY2025E"],
            ["Revenue", "212.4", "236.0", "258.5"],
            ["EBITDA", "31.8", "36.9", "41.2"],
            ["Offer price", "—", "—", "395.0"],
        ]
    )
    slide.notes("The price is 10.7 times FY2024 EBITDA. Not to be discussed outside this meeting.")
    slide.gold(2, 3, "Target's figures – Revenue", "2024", "USD*6", entity="")
    slide.gold(3, 3, "Target's figures – EBITDA", "2024", "USD*6", entity="")
    slide.gold(3, 4, "Target's figures – EBITDA", "2025", "USD*6", entity="", status="forecast")
    return deck


def decks() -> list[Deck]:
    """All decks."""
    return [acme_review(), annual_results(), investor_day(), board_pack()]
