"""Two annual reports in PDF, English and Chinese: statements without rulings, notes, prose, a table over two pages."""

from __future__ import annotations

from decimal import Decimal

from documents_figures import ASSETS, EQUITY, GROUP, INCOME_STATEMENT, LIABILITIES, TOTAL_ASSETS, TOTAL_LIABILITIES
from documents_report import RIGHT, Report

_MAKER = "青澜电器股份有限公司"
_PRODUCTS = (
    *("Term life", "Whole life", "Endowment", "Annuity", "Critical illness", "Hospital cash", "Medical", "Accident"),
    *("Motor", "Home", "Travel", "Marine", "Liability", "Surety"),
)


def reports() -> list[Report]:
    return [english_report(), chinese_report()]


def english_report() -> Report:
    """The group whose decks and workbooks are here too, in the figures they agree on."""
    report = Report("reports/Harbour_Light_Annual_Report_2024.pdf", f"{GROUP} · Annual Report 2024")
    report.cover((GROUP, 30), ("Annual Report 2024", 22), ("For the year ended 31 December 2024", 12))
    _statement_of_the_chair(report)
    _income_statement(report)
    _financial_position(report)
    _premiums_by_product(report)
    return report


def _statement_of_the_chair(report: Report) -> None:
    report.open_page()
    report.heading("Chair's statement", 18)
    report.prose(
        "The year was one of steady growth in every market in which the group is at home. Customers stayed with us "
        "longer, bought more of what they need and told their friends, and the people who serve them did so with care.",
        "Revenue rose because more policies were in force at the beginning of the year and because the pharmacies we "
        "opened in the autumn of the year before were open for all of it. Margins widened as claims in motor and home "
        "returned to what is usual after a season of storms.",
        "The comparative figures of retail revenue have been restated: sales made as an agent are now shown net of "
        "what is owed to suppliers. The restatement moves revenue and cost of goods sold alike and has hardly any "
        "effect on profit; the note on accounting policies explains it.",
        "We thank our colleagues, our partners and our shareholders for their trust.",
    )
    report.heading("Outlook", 13)
    report.prose(
        "We expect demand for protection and savings to grow further, although more slowly than in the year under "
        "review. The group will keep investing in its digital channel and in the training of its agents."
    )


def _income_statement(report: Report) -> None:
    report.open_page()
    report.heading("Consolidated income statement", 15)
    report.line("For the year ended 31 December 2024")
    report.line("(in HK$ millions, except per share data)")
    notes = {"Insurance revenue": "4", "Retail revenue": "5", "Finance costs": "8", "Income tax": "9"}
    rows = [["", "Note", "2024", "2023 (restated)"]]
    for label, (_, before, now) in INCOME_STATEMENT.items():
        rows.append([label, notes.get(label, ""), _money(now), _money(before)])
    rows.append(["Basic earnings per share (HK$)", "10", "1.91", "1.38"])
    table = report.table(rows, (340, 425, RIGHT))
    base: dict[str, str | None] = {"entity": GROUP}
    for label in ("Insurance revenue", "Total revenue", "Operating profit", "Finance costs", "Profit for the year"):
        table.gold(label, 3, label, "2024", "HKD*6", **base)
        table.gold(label, 4, label, "2023", "HKD*6", **base, status="restated")
    table.gold("Basic earnings per share (HK$)", 3, "Basic earnings per share", "2024", "HKD", **base)
    report.prose("The notes form part of these financial statements.", size=9)


def _financial_position(report: Report) -> None:
    report.open_page()
    report.heading("Consolidated statement of financial position", 15)
    report.line("(in HK$ millions)")
    rows = [["", "As at 31 December", "<"], ["", "2024", "2023"], ["Assets", "", ""]]
    rows += [[f"  {label}", _money(now), _money(before)] for label, (before, now) in ASSETS.items()]
    rows.append(["Total assets", *map(_money, reversed(TOTAL_ASSETS))])
    rows.append(["Liabilities", "", ""])
    rows += [[f"  {label}", _money(now), _money(before)] for label, (before, now) in LIABILITIES.items()]
    rows.append(["Total liabilities", *map(_money, reversed(TOTAL_LIABILITIES))])
    rows.append(["Total equity", *map(_money, reversed(EQUITY))])
    table = report.table(rows, (430, RIGHT), heads=2)
    base: dict[str, str | None] = {"entity": GROUP}
    for label in ("Cash and bank balances", "Inventories", "Total assets", "Borrowings", "Total equity"):
        table.gold(label, 2, label, "2024-12-31", "HKD*6", **base)
        table.gold(label, 3, label, "2023-12-31", "HKD*6", **base)


def _premiums_by_product(report: Report) -> None:
    """A note whose table goes over to the next page, its head printed again there."""
    report.open_page()
    report.heading("Notes to the financial statements", 15)
    report.heading("4. Gross written premiums by product", 11)
    report.prose(
        "Premiums are recognised when the cover begins. The table shows the premiums written in the three largest "
        "markets, product by product; reinsurance has not been deducted.",
        "Products that were sold in one of the two years only are shown with a dash in the other.",
    )
    report.line("(HK$ thousand)")
    rows = [["Product", "2024", "2023"]]
    step = 0
    for market in ("Hong Kong", "Mainland China", "Macau"):
        rows.append([market, "", ""])
        for product in _PRODUCTS:
            step += 1
            now, before = 20_000 + step * 7_919 % 61_000, 18_000 + step * 6_007 % 57_000
            rows.append([f"  {product}", f"{now:,}", "—" if step % 13 == 0 else f"{before:,}"])
    table = report.table(rows, (430, RIGHT))
    for label in ("Term life", "Motor", "Surety"):
        table.gold(label, 2, label, "2024", "HKD*3", entity=GROUP, geography="MO")
    report.prose("Marine cover was not offered in every market in the year before.", size=9)


def _money(value: Decimal) -> str:
    if not value:
        return "—"
    return f"({-value:,})" if value < 0 else f"{value:,}"


def chinese_report() -> Report:
    """A listed maker of appliances: statements in yuan with a column of note references."""
    report = Report("reports/青澜电器_2024年年度报告.pdf", f"{_MAKER} 2024年年度报告", chinese=True)
    report.cover((_MAKER, 26), ("2024年年度报告", 20), ("二〇二五年三月", 12))
    report.open_page()
    report.heading("第三节 管理层讨论与分析", 15)
    report.prose(
        "报告期内，公司坚持以用户为中心，持续优化产品结构，推进智能制造，主营业务保持稳健增长。国内市场方面，公司深化渠道变革，"
        "线上线下融合发展，新品类收入占比进一步提升；海外市场方面，自主品牌在东南亚和欧洲的销售网络继续扩大。",
        "公司高度重视研发投入，围绕节能、静音和健康等方向形成了一批核心技术，并与多所高等院校建立了联合实验室。报告期内公司获得"
        "多项行业奖项，产品质量得到用户广泛认可。",
        "展望未来，公司将继续加强成本管控，提升运营效率，为股东创造长期价值。",
    )
    _balance_sheet(report)
    _income_and_cash(report)
    return report


def _balance_sheet(report: Report) -> None:
    report.open_page()
    report.heading("合并资产负债表", 14)
    report.line("2024年12月31日")
    report.line("编制单位：" + _MAKER)
    report.line("单位：元  币种：人民币", right=True)
    rows = [
        ["项目", "附注", "2024年12月31日", "2023年12月31日"],
        ["流动资产：", "", "", ""],
        ["  货币资金", "七、1", "1,284,506,731.25", "1,090,417,382.66"],
        ["  应收票据", "七、4", "86,250,000.00", "91,380,412.50"],
        ["  应收账款", "七、5", "642,918,077.43", "588,204,916.08"],
        ["  存货", "七、9", "519,662,340.17", "540,117,208.94"],
        ["流动资产合计", "", "2,533,337,148.85", "2,310,119,920.18"],
        ["非流动资产：", "", "", ""],
        ["  固定资产", "七、21", "903,215,664.02", "868,440,519.37"],
        ["  在建工程", "七、22", "57,301,288.90", ""],
        ["  无形资产", "七、26", "211,048,930.55", "218,775,041.61"],
        ["非流动资产合计", "", "1,171,565,883.47", "1,087,215,560.98"],
        ["资产总计", "", "3,704,903,032.32", "3,397,335,481.16"],
    ]
    table = report.table(rows, (270, 395, RIGHT))
    base: dict[str, str | None] = {"entity": _MAKER}
    for label in ("货币资金", "应收账款", "存货", "固定资产", "资产总计"):
        table.gold(label, 3, label, "2024-12-31", "CNY", **base)
        table.gold(label, 4, label, "2023-12-31", "CNY", **base)
    table.gold("在建工程", 3, "在建工程", "2024-12-31", "CNY", **base)


def _income_and_cash(report: Report) -> None:
    report.open_page()
    report.heading("合并利润表", 14)
    report.line("2024年1—12月")
    report.line("单位：元  币种：人民币", right=True)
    base: dict[str, str | None] = {"entity": _MAKER}
    rows = [
        ["项目", "附注", "2024年度", "2023年度"],
        ["一、营业总收入", "", "2,968,417,205.61", "2,701,550,938.24"],
        ["其中：营业收入", "七、61", "2,968,417,205.61", "2,701,550,938.24"],
        ["二、营业总成本", "", "2,590,733,418.30", "2,402,106,377.75"],
        ["其中：营业成本", "七、61", "2,074,509,136.82", "1,921,337,480.16"],
        ["销售费用", "七、63", "311,840,227.49", "290,615,004.33"],
        ["研发费用", "七、65", "118,672,540.08", "101,294,817.50"],
        ["财务费用", "七、66", "-9,214,886.37", "-6,480,213.09"],
        ["三、营业利润", "", "402,118,654.92", "318,207,441.85"],
        ["四、净利润", "", "341,806,722.18", "271,530,964.40"],
        ["基本每股收益(元／股)", "", "0.85", "0.68"],
    ]
    table = report.table(rows, (270, 395, RIGHT))
    for label, name in (("其中：营业收入", "营业收入"), ("财务费用", "财务费用"), ("研发费用", "研发费用")):
        table.gold(label, 3, name, "2024", "CNY", **base)
        table.gold(label, 4, name, "2023", "CNY", **base)
    report.heading("合并现金流量表", 14)
    report.line("2024年1—12月")
    report.line("单位：元  币种：人民币", right=True)
    flows = [["项目", "附注", "2024年度", "2023年度"], ["一、经营活动产生的现金流量：", "", "", ""]]
    flows += [
        [f"  {name}", _FLOW_NOTES.get(name, ""), f"{now:,}.{cents:02d}", f"{then:,}.{cents:02d}"]
        for name, now, then, cents in _FLOWS
    ]
    table = report.table(flows, (270, 395, RIGHT))
    for label in ("销售商品、提供劳务收到的现金", "购建固定资产支付的现金", "期末现金及现金等价物余额"):
        table.gold(label, 3, label, "2024", "CNY", **base)
    report.prose("公司负责人、主管会计工作负责人及会计机构负责人对上述财务报表的真实性和完整性负责。", size=9)


_FLOW_NOTES = {"收到其他与经营活动有关的现金": "七、78", "支付其他与经营活动有关的现金": "七、78"}
_FLOWS = (
    ("销售商品、提供劳务收到的现金", 3_012_884_190, 2_760_331_058, 17),
    ("收到的税费返还", 48_206_331, 41_920_775, 42),
    ("收到其他与经营活动有关的现金", 36_118_204, 29_445_310, 5),
    ("购买商品、接受劳务支付的现金", 2_103_740_662, 1_968_214_903, 88),
    ("支付给职工及为职工支付的现金", 402_915_308, 371_206_549, 31),
    ("支付的各项税费", 120_377_416, 108_662_930, 64),
    ("支付其他与经营活动有关的现金", 98_240_117, 91_835_226, 9),
    ("收回投资收到的现金", 260_000_000, 180_000_000, 0),
    ("取得投资收益收到的现金", 7_316_240, 5_022_918, 73),
    ("处置固定资产收回的现金净额", 1_204_566, 877_310, 50),
    ("购建固定资产支付的现金", 141_882_035, 120_470_886, 26),
    ("投资支付的现金", 240_000_000, 210_000_000, 0),
    ("取得借款收到的现金", 150_000_000, 120_000_000, 0),
    ("偿还债务支付的现金", 130_000_000, 140_000_000, 0),
    ("分配股利、利润支付的现金", 81_920_000, 73_728_000, 0),
    ("汇率变动对现金的影响", 2_418_603, 1_730_944, 11),
    ("期初现金及现金等价物余额", 1_070_233_915, 972_804_611, 58),
    ("期末现金及现金等价物余额", 1_262_406_391, 1_070_233_915, 58),
)
