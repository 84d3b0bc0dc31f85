"""Workbooks in Chinese and for the quarters: every way in which people write periods, units and scales."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from documents_figures import (
    GROUP,
    GROUP_ZH,
    MAINLAND_CHANNELS_WAN,
    MAINLAND_WAN,
    QUARTERS,
    RETAIL_MONTHS_THOUSAND,
    RETAIL_QUARTERS_2023,
    amounts,
)
from documents_workbook import PERCENT, WHOLE, Book, Formula, Page, summed

ZH_CHANNELS = {"代理渠道": "AGENCY", "银保渠道": "BANCASSURANCE", "经纪渠道": "BROKER", "数字渠道": "DIGITAL"}


def chinese_operating_data() -> Book:
    """Operating data in Chinese: 亿港元, 千港元, 万元, years in Chinese numerals."""
    book = Book("management/港晖集团_2024年度经营数据.xlsx", "2024年度经营数据")
    _overview(book.page("业务概览"))
    _segments(book.page("分部资料"))
    _mainland(book.page("内地保险业务"))
    return book


def _overview(page: Page) -> None:
    page.titles(f"{GROUP_ZH}2024年度主要经营数据", "单位：亿港元（另有说明者除外）")
    page.widths(A=30, others=22)
    page.row(4, "A", ["项目", "二零二四年", "二零二三年（经重列）", "同比变动"], "head")
    rows: list[tuple[str, Decimal | str, Decimal | str, str]] = [
        ("总收入", Decimal("128.46"), Decimal("114.91"), "+11.8%"),
        ("其中：保险服务收入", Decimal("102.37"), Decimal("91.85"), "+11.5%"),
        ("其中：零售收入", Decimal("26.10"), Decimal("23.07"), "+13.1%"),
        ("营运利润", Decimal("14.41"), Decimal("10.98"), "+31.2%"),
        ("年内利润", Decimal("11.45"), Decimal("8.28"), "+38.2%"),
        ("新业务价值（百万港元）", "968.4", "815.0", "+18.8%"),
        ("每股基本盈利（港元）", "1.91", "1.38", "+38.4%"),
        ("净资产收益率", "20.6%", "15.3%", "5.3个百分点"),
        ("综合成本率", "93.8%", "95.2%", "-1.4个百分点"),
        ("海外业务亏损", "（12.6）", "不适用", "不适用"),
    ]
    for number, (label, now, before, change) in enumerate(rows, start=5):
        page.row(number, "A", [label, now, before, change], "indent1" if label.startswith("其中") else "body", "0.00")
    page.put("A16", "注：二零二三年比较数字已因零售代理销售改按净额列示而重列。数据未经审计。", "note")
    base: dict[str, str | None] = {"entity": GROUP_ZH}
    page.gold("B5", "总收入", "2024", "HKD*8", **base, status="actual")
    page.gold("C5", "总收入", "2023", "HKD*8", **base, status="restated")
    page.gold("D5", None, "?", "%", **base)
    page.gold("B6", "保险服务收入", "2024", "HKD*8", **base)
    page.gold("B8", "营运利润", "2024", "HKD*8", **base)
    page.gold("C8", "营运利润", "2023", "HKD*8", **base, status="restated")
    page.gold("B10", "新业务价值", "2024", "HKD*6", **base)
    page.gold("B11", "每股基本盈利", "2024", "HKD", **base)
    page.gold("B12", "净资产收益率", "2024", "%", **base)
    page.gold("C12", "净资产收益率", "2023", "%", **base, status="restated")


def _segments(page: Page) -> None:
    """A segment, with a unit in each row's label, on the left; thousands of Hong Kong dollars on the right."""
    page.titles(f"{GROUP_ZH} 分部资料")
    page.widths(A=24, E=3, F=20, others=15)
    page.row(3, "A", ["零售分部", "2024年上半年", "2024年下半年", "2024年"], "head")
    page.row(4, "A", ["营收（百万港元）", *amounts("1,238.5 1,371.2 2,609.7")], fmt="#,##0.0")
    page.row(5, "A", ["门店数目（家）", 18, 20, 20], fmt="0")
    page.row(6, "A", ["同店销售增长", Decimal("0.082"), Decimal("0.095"), Decimal("0.089")], fmt=PERCENT)
    page.row(7, "A", ["员工人数（人）", "1,102", "1,186", "1,186"])
    page.put("F3", "（千港元）", "head")
    page.merge("G2:H2", "截至六月三十日止六个月")
    page.row(3, "G", ["2024年", "2023年"], "head")
    page.row(4, "F", ["药品", Decimal("742150"), Decimal("661480")], fmt=WHOLE)
    page.row(5, "F", ["保健品", Decimal("371600"), Decimal("328020")], fmt=WHOLE)
    page.row(6, "F", ["其他", Decimal("124750"), Decimal("108100")], fmt=WHOLE)
    parts = [amounts("742150 371600 124750"), amounts("661480 328020 108100")]
    page.row(7, "F", ["合计", summed("G", 4, 6, parts[0]), summed("H", 4, 6, parts[1])], "total", WHOLE)
    page.gold("B4", "零售分部 – 营收", "2024H1", "HKD*6", entity=GROUP_ZH)
    page.gold("C4", "零售分部 – 营收", "2024H2", "HKD*6", entity=GROUP_ZH)
    page.gold("D4", "零售分部 – 营收", "2024", "HKD*6", entity=GROUP_ZH)
    page.gold("B6", "零售分部 – 同店销售增长", "2024H1", "%", entity=GROUP_ZH)
    page.gold("D7", "零售分部 – 员工人数", "2024", "persons", entity=GROUP_ZH)
    page.gold("G4", "药品", "2024H1", "HKD*3", entity=GROUP_ZH)
    page.gold("H5", "保健品", "2023H1", "HKD*3", entity=GROUP_ZH)
    page.gold("G7", None, "2024H1", "HKD*3", entity=GROUP_ZH, status="actual total")


def _mainland(page: Page) -> None:
    page.titles(f"{GROUP_ZH} — 中国内地保险业务", "单位：人民币万元")
    page.widths(A=18, others=18)
    page.merge("A4:A5", "渠道")
    page.merge("B4:E4", "总保费")
    page.row(5, "B", ["2024年上半年", "2024年第三季度", "2024年第四季度", "2024年全年"], "head")
    for number, (label, values) in enumerate(MAINLAND_CHANNELS_WAN.items(), start=6):
        page.row(number, "A", [label, *values], fmt=WHOLE)
        page.gold(f"E{number}", "总保费", "2024", "CNY*4", entity=GROUP_ZH, geography="CN", channel=ZH_CHANNELS[label])
    columns = list(zip(*MAINLAND_CHANNELS_WAN.values(), strict=True))
    sums = [summed(letter, 6, 9, columns[index]) for index, letter in enumerate("BCDE")]
    page.row(10, "A", ["合计", *sums], "total", WHOLE)
    for letter, period in zip("BCDE", ("2024H1", "2024Q3", "2024Q4", "2024"), strict=True):
        page.gold(f"{letter}10", "总保费", period, "CNY*4", entity=GROUP_ZH, geography="CN", status="actual total")
    page.row(13, "A", ["（亿元）", "2024年12月31日", "2023年12月31日"], "head")
    page.row(14, "A", ["投资资产", Decimal("41.62"), Decimal("37.05")], fmt="0.00")
    page.row(15, "A", ["合同负债", Decimal("35.18"), Decimal("31.94")], fmt="0.00")
    # Which yuan is meant stands only in the sheet's unit line; the corner says the scale.
    page.gold("B14", "投资资产", "2024-12-31", "CNY*8", entity=GROUP_ZH, geography="CN")
    page.gold("C15", "合同负债", "2023-12-31", "CNY*8", entity=GROUP_ZH, geography="CN")
    if sum(MAINLAND_WAN[:3]) != MAINLAND_WAN[3]:
        raise ValueError("the quarters do not make the year")


def quarterly_data() -> Book:
    """Quarterly data in English: 1Q24, Mar-24, 9M2024, LTM, 2023/24, H1 2024, three months ended …"""
    book = Book("quarterly/Harbour_Light_Quarterly_Data.xlsx", "Quarterly data supplement")
    _quarters(book.page("Quarterly", freeze="B6"))
    _months(book.page("Monthly retail"))
    _other_periods(book.page("Other periods"))
    return book


def _quarters(page: Page) -> None:
    page.titles(f"{GROUP} — Quarterly data supplement", "(in HK$ million)")
    page.widths(A=24)
    page.row(5, "A", [None, "1Q24", "2Q24", "3Q24", "4Q24", "1H24", "9M2024", "FY2024"], "head")
    periods = dict(zip("BCDEFGH", ("2024Q1", "2024Q2", "2024Q3", "2024Q4", "2024H1", "", "2024"), strict=True))
    periods["G"] = "YTD:2024-01-01/2024-09-30"
    for number, (label, quarters) in enumerate(QUARTERS.items(), start=6):
        spans = [("B", "C", 2), ("B", "D", 3), ("B", "E", 4)]
        sums = [Formula(f"=SUM({a}{number}:{b}{number})", sum(quarters[:n], Decimal(0))) for a, b, n in spans]
        kind = "sub" if label == "Total revenue" else "body"
        page.row(number, "A", [label, *quarters, *sums], kind)
        total = "actual total" if kind == "sub" else "actual"
        for letter in "BEFGH" if number < 9 else "BCDEFGH":
            page.gold(f"{letter}{number}", label, periods[letter], "HKD*6", entity=GROUP, status=total)
    page.put("A11", "Quarterly figures are unaudited. 4Q24 = FY2024 less 9M2024.", "note")


def _months(page: Page) -> None:
    """Column heads are dates shown as Jan-24; the numbers are in thousands."""
    page.titles(f"{GROUP}: Retail net sales by month", "HK$'000")
    page.widths(A=24)
    page.put("A4", "Month", "head")
    page.put("A5", "Net sales")
    page.put("A6", "Change on last year")
    growth = amounts("0.118 0.094 0.127 0.131 0.142 0.133")
    for index, letter in enumerate("BCDEFG"):
        page.put(f"{letter}4", date(2024, index + 1, 1), "head", "mmm-yy")
        page.put(f"{letter}5", RETAIL_MONTHS_THOUSAND[index], "body", WHOLE)
        page.put(f"{letter}6", growth[index], "body", PERCENT)
        page.gold(f"{letter}5", "Net sales", f"2024-{index + 1:02}", "HKD*3", entity=GROUP)
    page.gold("D6", None, "2024-03", "%", entity=GROUP)


def _other_periods(page: Page) -> None:
    """Stacked small tables, each with its own way of writing the period."""
    page.titles(f"{GROUP}: Other periods")
    page.widths(A=36, others=18)
    page.row(3, "A", ["HK$ million", "H1 2024", "H2 2023", "LTM Jun-24"], "head")
    ltm = sum(RETAIL_QUARTERS_2023[2:], Decimal(0)) + QUARTERS["Retail revenue"][0] + QUARTERS["Retail revenue"][1]
    page.row(4, "A", ["Retail revenue", Decimal("1238.5"), sum(RETAIL_QUARTERS_2023[2:], Decimal(0)), ltm])
    page.gold("B4", "Retail revenue", "2024H1", "HKD*6", entity=GROUP)
    page.gold("C4", "Retail revenue", "2023H2", "HKD*6", entity=GROUP)
    page.gold("D4", "Retail revenue", "LTM:2023-07-01/2024-06-30", "HKD*6", entity=GROUP)
    page.merge("B7:C7", "Three months ended March 31,")
    page.row(8, "A", ["US$m", "2024", "2023"], "head")
    page.row(9, "A", ["Singapore premiums", "41.8", "38.2"])
    page.row(10, "A", ["Singapore underwriting loss", "(2.7)", "(3.9)"])
    page.gold("B9", None, "2024Q1", "USD*6", entity=GROUP, geography="SG")
    page.gold("C10", None, "2023Q1", "USD*6", entity=GROUP, geography=None)
    page.row(13, "A", ["Loyalty programme year", "2022/23", "2023/24"], "head")
    page.row(14, "A", ["Active members", 812400, 905150], fmt=WHOLE)
    page.row(15, "A", ["Redemption rate", Decimal("0.412"), Decimal("0.437")], fmt=PERCENT)
    # A year across two calendar years is named by the one it ends in.
    page.gold("C14", "Active members", "2024", "", entity=GROUP)
    page.gold("C15", "Redemption rate", "2024", "%", entity=GROUP)
    page.row(18, "A", ["RMB'000", "Q1 2024", "Q2 2024"], "head")
    page.row(19, "A", ["Mainland service fees", 18420, 19655], fmt=WHOLE)
    page.gold("B19", None, "2024Q1", "CNY*3", entity=GROUP, geography=None)
