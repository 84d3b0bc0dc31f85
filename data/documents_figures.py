"""The invented figures that all demo documents share, so that they agree wherever they are meant to.

Harbour Light Group (港晖集团) is an insurer with a chain of pharmacies; it exists only here. HK$ million unless the
name says otherwise. `check_figures` proves that totals foot before anything is written.
"""

from __future__ import annotations

from decimal import Decimal

GROUP, GROUP_ZH = "Harbour Light Group", "港晖集团"


def amounts(text: str) -> tuple[Decimal, ...]:
    """Numbers as written in a table row."""
    return tuple(Decimal(word.replace(",", "")) for word in text.split())


# Columns: FY2022, FY2023 as restated, FY2024.
INSURANCE_REVENUE = amounts("8,301.5 9,184.6 10,236.5")
RETAIL_REVENUE = amounts("2,088.4 2,306.8 2,609.7")
TOTAL_REVENUE = amounts("10,389.9 11,491.4 12,846.2")

# Columns: FY2023 as first reported, FY2023 as restated, FY2024. Expenses are negative.
INCOME_STATEMENT = {
    "Insurance revenue": amounts("9,184.6 9,184.6 10,236.5"),
    "Retail revenue": amounts("2,418.3 2,306.8 2,609.7"),
    "Total revenue": amounts("11,602.9 11,491.4 12,846.2"),
    "Insurance service expenses": amounts("-7,412.9 -7,412.9 -8,146.3"),
    "Cost of goods sold": amounts("-1,593.1 -1,481.6 -1,652.0"),
    "Staff costs": amounts("-981.4 -986.4 -1,058.2"),
    "Other operating expenses": amounts("-512.7 -512.7 -548.9"),
    "Total operating expenses": amounts("-10,500.1 -10,393.6 -11,405.4"),
    "Operating profit": amounts("1,102.8 1,097.8 1,440.8"),
    "Finance costs": amounts("-123.4 -123.4 -118.6"),
    "Share of results of associates": amounts("0 0 24.5"),
    "Profit before tax": amounts("979.4 974.4 1,346.7"),
    "Income tax": amounts("-146.9 -146.2 -202.0"),
    "Profit for the year": amounts("832.5 828.2 1,144.7"),
}

# Columns: FY2023, FY2024, FY2024 budget.
PREMIUMS_BY_MARKET = {
    "Hong Kong": amounts("5,120.4 5,648.9 5,500.0"),
    "Mainland China": amounts("3,310.2 3,905.6 3,700.0"),
    "Macau": amounts("612.5 655.0 650.0"),
    "Singapore": amounts("1,204.7 1,298.3 1,350.0"),
}
TOTAL_PREMIUMS = amounts("10,247.8 11,507.8 11,200.0")
# Columns: FY2023, FY2024.
PREMIUMS_BY_CHANNEL = {
    "Agency": amounts("4,790.5 5,204.3"),
    "Bancassurance": amounts("3,398.0 3,811.7"),
    "Brokers": amounts("1,401.9 1,540.6"),
    "Digital": amounts("657.4 951.2"),
}
INSURANCE_REVENUE_BY_CHANNEL = {
    "Agency": amounts("4,270.4 4,612.8"),
    "Bancassurance": amounts("3,058.3 3,402.1"),
    "Brokers": amounts("1,260.1 1,377.9"),
    "Digital": amounts("595.8 843.7"),
}
# 31 December 2023 and 2024.
ASSETS = {
    "Cash and bank balances": amounts("2,204.6 2,517.3"),
    "Investments": amounts("14,820.1 16,003.9"),
    "Receivables": amounts("1,106.5 1,214.8"),
    "Inventories": amounts("388.2 402.7"),
    "Property and equipment": amounts("1,950.6 2,011.3"),
}
LIABILITIES = {
    "Insurance contract liabilities": amounts("12,410.5 13,290.2"),
    "Borrowings": amounts("1,905.0 1,760.0"),
    "Payables": amounts("1,020.7 1,098.6"),
}
TOTAL_ASSETS, TOTAL_LIABILITIES = amounts("20,470.0 22,150.0"), amounts("15,336.2 16,148.8")
EQUITY = amounts("5,133.8 6,001.2")

# Quarters of 2024.
QUARTERS = {
    "Insurance revenue": amounts("2,391.0 2,561.7 2,577.3 2,706.5"),
    "Retail revenue": amounts("595.4 643.1 660.8 710.4"),
    "Total revenue": amounts("2,986.4 3,204.8 3,238.1 3,416.9"),
    "Operating profit": amounts("318.2 355.9 362.4 404.3"),
}
RETAIL_QUARTERS_2023 = amounts("531.6 566.0 586.4 622.8")
OPERATING_PROFIT_QUARTERS_2023 = amounts("241.5 268.7 279.4 308.2")
# January to June 2024, HK$ thousand.
RETAIL_MONTHS_THOUSAND = amounts("205,310 188,940 201,150 209,880 214,520 218,700")

# Mainland China in RMB 10,000: first half, third and fourth quarter of 2024, and the year.
MAINLAND_WAN = amounts("172,480 90,310 96,530 359,320")
MAINLAND_CHANNELS_WAN = {
    "代理渠道": amounts("79,780 41,770 44,660 166,210"),
    "银保渠道": amounts("58,310 30,530 32,640 121,480"),
    "经纪渠道": amounts("19,800 10,370 11,080 41,250"),
    "数字渠道": amounts("14,590 7,640 8,150 30,380"),
}

# One table is meant not to foot: its parts make 371.2, its total says 371.6.
RETAIL_COSTS = {
    "Rent": amounts("168.4"),
    "Logistics": amounts("97.9"),
    "Marketing": amounts("62.6"),
    "IT": amounts("42.3"),
}
RETAIL_COSTS_TOTAL_AS_PRINTED = Decimal("371.6")


def check_figures() -> None:
    """Raises where a total does not foot, or two documents would disagree unintentionally."""
    foots = [
        (TOTAL_REVENUE, [INSURANCE_REVENUE, RETAIL_REVENUE]),
        (TOTAL_PREMIUMS, list(PREMIUMS_BY_MARKET.values())),
        (TOTAL_PREMIUMS[:2], list(PREMIUMS_BY_CHANNEL.values())),
        (INSURANCE_REVENUE[1:], list(INSURANCE_REVENUE_BY_CHANNEL.values())),
        (TOTAL_ASSETS, list(ASSETS.values())),
        (TOTAL_LIABILITIES, list(LIABILITIES.values())),
        (TOTAL_ASSETS, [TOTAL_LIABILITIES, EQUITY]),
        (QUARTERS["Total revenue"], [QUARTERS["Insurance revenue"], QUARTERS["Retail revenue"]]),
        (MAINLAND_WAN, list(MAINLAND_CHANNELS_WAN.values())),
    ]
    rows = INCOME_STATEMENT
    lines = list(rows)
    foots.append((rows["Total revenue"], [rows[name] for name in lines[0:2]]))
    foots.append((rows["Total operating expenses"], [rows[name] for name in lines[3:7]]))
    foots.append((rows["Operating profit"], [rows["Total revenue"], rows["Total operating expenses"]]))
    foots.append((rows["Profit before tax"], [rows[name] for name in lines[8:11]]))
    foots.append((rows["Profit for the year"], [rows["Profit before tax"], rows["Income tax"]]))
    for total, parts in foots:
        if tuple(map(sum, zip(*parts, strict=True))) != total:
            raise ValueError(f"does not foot: {total}")
    years = [(QUARTERS[name], rows[name][2]) for name in QUARTERS]
    years += [(RETAIL_QUARTERS_2023, RETAIL_REVENUE[1]), (OPERATING_PROFIT_QUARTERS_2023, rows["Operating profit"][1])]
    years += [(MAINLAND_WAN[:3], MAINLAND_WAN[3]), (RETAIL_MONTHS_THOUSAND, Decimal("1238500"))]
    for pieces, year in years:
        if sum(pieces, Decimal(0)) != year:
            raise ValueError(f"parts do not make the year: {year}")
