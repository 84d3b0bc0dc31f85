"""Units that two texts say together, or that letters say: currency columns, minor units, scales of a label's own."""

from __future__ import annotations

import pytest
from test_interpretation import VOCABULARY, around, table
from test_interpretation_layouts import told

from factspine.interpret.interpreter import interpret_table

MILLIONS = (around("unit_note", "in US$ million"),)


def test_a_column_of_currencies_leaves_the_scale_to_the_note() -> None:
    """12.5 in a row of USD under "US$ million" is 12.5 million, in a list and in a statement."""
    listed = table(
        "Entity | Currency | Revenue | Cost\nAlpha | USD | =12.5 | =3.4\nBeta | USD | =8.1 | =1.2", context=MILLIONS
    )
    assert set(told(listed, "unit", "scale").values()) == {("USD", 6)}
    stated = table(
        "Item | Currency | 2023 | 2024\nRevenue | USD | =12.5 | =3.4\nRent | USD | =8.1 | =1.2", context=MILLIONS
    )
    assert set(told(stated, "unit", "scale").values()) == {("USD", 6)}


def test_each_row_has_its_currency_and_all_have_the_scale() -> None:
    """ "In millions" over rows of USD and EUR is millions of each."""
    raw = table(
        "Entity | CCY | Revenue | Employees\nAlpha | USD | =12.5 | =31\nBeta | EUR | =8.1 | =12",
        context=(around("unit_note", "Amounts in millions"),),
    )
    said = told(raw, "unit", "scale")
    assert (said[2, 3], said[3, 3]) == (("USD", 6), ("EUR", 6))
    assert "EUR" not in said[3, 4]  # the employees are not euros


def test_a_note_and_a_column_that_name_different_currencies_leave_the_unit_unknown() -> None:
    """EUR beside "US$ million" may be either; nobody guesses, and a finding says so."""
    raw = table(
        "项目 | 币种 | 2023 | 2024\n收入 | 美元 | =12.5 | =3.4\n成本 | 欧元 | =8.1 | =1.2",
        context=(around("unit_note", "单位：百万美元"),),
    )
    said = told(raw, "unit", "scale")
    assert (said[2, 3], said[3, 3]) == (("USD", 6), ("unknown", 0))
    assert [finding.code for finding in interpret_table(raw, VOCABULARY).findings] == ["FS304"]


@pytest.mark.parametrize(
    ("label", "unit", "scale"),
    [
        ("Adjusted EPS (p)", "GBP", -2),
        ("Interim dividend (pence)", "GBP", -2),
        ("EPS (HK cents)", "HKD", -2),
        ("EPS (US cents)", "USD", -2),
        ("EPS in cents", "cents", 0),
        ("每股股息（港仙）", "HKD", -2),
        ("每股收益（分）", "分", 0),
        ("Share price (p/share)", "GBP/share", -2),
        ("Tariff (p/kWh)", "GBP/kWh", -2),
        ("Tariff (c/kWh)", "cents/kWh", 0),
        ("Price/kg", "unknown", 0),
        ("Pier length/mm", "mm", 0),
        ("Purchase price (eur/kg)", "EUR/kg", 0),
        ("Mileage allowance (p per mile)", "GBP/miles", -2),
    ],
)
def test_minor_units_are_not_the_whole_ones(label: str, unit: str, scale: int) -> None:
    """12.4 pence are neither 12.4 pounds nor millions of them, and not of the kilowatt-hours behind the slash."""
    raw = table(
        f"Item | FY2023 | FY2024\nRevenue | =8 | =9\n{label} | =12.4 | =13", context=(around("unit_note", "£m"),)
    )
    assert told(raw, "unit", "scale")[3, 2] == (unit, scale)


def test_cents_are_those_of_the_currency_of_the_table() -> None:
    """Cents under HK$ are Hong Kong's, and 分 under 人民币 are those of the renminbi."""
    english = table("Item | FY2023 | FY2024\nEPS (cents) | =41 | =44", context=(around("unit_note", "HK$ million"),))
    chinese = table(
        "项目 | 2023 | 2024\n每股收益（分） | =41 | =44", context=(around("unit_note", "单位：人民币百万元"),)
    )
    assert set(told(english, "unit", "scale").values()) == {("HKD", -2)}
    assert set(told(chinese, "unit", "scale").values()) == {("CNY", -2)}


@pytest.mark.parametrize(
    ("label", "unit", "scale"),
    [
        ("Policies (thousand)", "unknown", 3),
        ("Customers ('000)", "unknown", 3),
        ("Customers (m)", "unknown", 6),
        ("Vehicles sold (000s)", "unknown", 3),
        ("Number of policies (k)", "unknown", 3),
        ("Shares in issue (m)", "unknown", 6),
        ("用户数（万户）", "households", 4),
        ("Revenue (thousand)", "USD", 3),
        ("Pier length (m)", "m", 0),
    ],
)
def test_a_scale_of_the_label_own_is_not_that_of_the_money(label: str, unit: str, scale: int) -> None:
    """Thousands of policies on a sheet in US$ million are neither dollars nor millions; letters need fitting words."""
    raw = table(f"Item | FY2023 | FY2024\nRevenue | =8 | =9\n{label} | =12 | =13", context=MILLIONS)
    assert told(raw, "unit", "scale")[3, 2] == (unit, scale)


@pytest.mark.parametrize(
    "picture",
    [
        "Item | Budget | Actual | Var | Var %\nRent | =10 | =12 | =2 | 20%\nFuel | =5 | =6 | =1 | 20%",
        "Item | Budget | Actual | Variance | % of budget\nRent | =10 | =12 | =2 | 20%\nFuel | =5 | =6 | =1 | 20%",
        "项目 | 预算数 | 实际数 | 差异 | 预算完成率\n房租 | =10 | =12 | =2 | 20%\n油费 | =5 | =6 | =1 | 20%",
        "项目 | 年度预算 | 实际 | 较预算增减 | 执行率\n房租 | =10 | =12 | =2 | 20%\n油费 | =5 | =6 | =1 | 20%",
    ],
)
def test_a_distance_from_the_plan_is_not_planned(picture: str) -> None:
    """A variance beside budget and actual is no budget, under a title that says budget either."""
    for title in ("Operating costs", "Budget 2024", "2024年预算表"):
        said = told(table(picture, context=(around("slide_title", title),)), "status")
        assert [said[2, col] for col in (2, 3, 4, 5)] == [("budget",), ("actual",), ("actual",), ("actual",)]


def test_a_variance_under_a_heading_that_says_budget_is_none() -> None:
    """Q1, Q2 and variance under Budget: two plans and a distance."""
    raw = table("""
        Item | Budget | | | Actual
         | Q1 | Q2 | Variance | Q1
        Rent | =10 | =12 | =2 | =20
        Fuel | =5 | =6 | =1 | =20
    """)
    said = told(raw, "status")
    assert [said[3, col] for col in (2, 3, 4, 5)] == [("budget",), ("budget",), ("actual",), ("actual",)]


def test_what_is_paid_for_a_thing_is_in_the_money_of_the_table() -> None:
    """Price/kg on a sheet in euros is in euros a kilogram, never in kilograms."""
    raw = table(
        "Item | 2023 | 2024\nPrice/kg | =3 | =4\nRent / month | =5 | =6", context=(around("unit_note", "in EUR"),)
    )
    said = told(raw, "unit", "metric_label")
    assert (said[2, 2], said[3, 2]) == (("EUR/kg", "Price/kg"), ("EUR/months", "Rent / month"))


@pytest.mark.parametrize("label", ["ARPU", "Average salary", "Cost per student", "人均营收", "平均售价", "Unit price"])
def test_the_millions_of_a_sheet_are_not_those_of_a_price(label: str) -> None:
    """What one thing costs is in dollars, if at all: not in the millions in which the sheet counts revenue."""
    raw = table(f"Item | FY2023 | FY2024\nRevenue | =8 | =9\n{label} | =12.4 | =13", context=MILLIONS)
    assert told(raw, "unit", "scale")[3, 2] == ("unknown", 0)
    plain = table(f"Item | FY2023 | FY2024\n{label} | =12.4 | =13", context=(around("unit_note", "in US$"),))
    assert told(plain, "unit", "scale")[2, 2] == ("USD", 0)


def test_counts_beside_a_column_of_currencies_are_neither_money_nor_thousands() -> None:
    """Days open of a deal in EUR under "amounts in thousands" are days, not thousands of euros."""
    raw = table(
        "Account | Currency | Amount | Days open\nAlder | USD | =250 | =32\nBirch | EUR | =120 | =75",
        context=(around("caption", "Amounts in thousands of deal currency"),),
    )
    said = told(raw, "unit", "scale")
    assert (said[3, 3], said[3, 4]) == (("EUR", 3), ("unknown", 0))


def test_a_column_of_units_need_not_say_so() -> None:
    """Behind the names stand $k, % and months: units, of which none names a row."""
    raw = table("Metric | | 2023 | 2024\nMRR | $k | =8 | =9\nChurn | % | =2 | =3\nPayback | months | =14 | =13")
    said = told(raw, "metric_label", "unit", "scale")
    assert (said[2, 3], said[4, 3]) == (("MRR", "$", 3), ("Payback", "months", 0))


def test_a_scale_behind_what_is_counted_is_its_scale() -> None:
    """ "People, thousands" over a table counts thousands of people."""
    raw = table("Country | 2024\nKenya | =120\nMalawi | =85", context=(around("unit_note", "People, thousands"),))
    assert set(told(raw, "unit", "scale").values()) == {("persons", 3)}


def test_what_was_spent_is_no_budget() -> None:
    """Under a title that says budget, what was spent, what is left and how much that is of it are outcomes."""
    raw = table(
        "Line | Total budget | Spent to date | Balance | % spent\nRent | =10 | =8 | =2 | 80%\nFuel | =5 | =4 | =1 | 9%",
        context=(around("caption", "Budget follow-up, June 2024"),),
    )
    said = told(raw, "status")
    assert said[2, 2] == ("budget total",)
    assert {said[2, col] for col in (3, 4, 5)} == {("actual",)}


def test_a_department_called_sales_is_no_metric() -> None:
    """A list of people is one, though one of them works in Sales: the name names the row, not the town."""
    raw = table("""
        Name | Department | Location | Salary | Currency
        Marta | Finance | Stockholm | =612 | SEK
        Owen | Sales | Cardiff | =485 | GBP
        Kenji | Sales | Osaka | =980 | JPY
    """)
    assert told(raw, "metric_label", "entity", "unit")[3, 4] == ("Salary", "Owen", "GBP")


@pytest.mark.parametrize(
    "label", ["Dividends paid, $0.77 per share", "Weighted average shares used to compute loss per share"]
)
def test_an_amount_a_share_in_passing_is_not_what_is_measured(label: str) -> None:
    """What the dividend was a share does not take the thousands from the dividends."""
    raw = table(f"Item | FY2023 | FY2024\n{label} | =12.4 | =13", context=(around("unit_note", "(in thousands)"),))
    assert told(raw, "scale")[2, 2] == (3,)


def test_what_is_paid_to_employees_is_money() -> None:
    """Payments to employees are no heads, and the effect of exchange rates on cash is no rate."""
    raw = table(
        "Item | 2022 $ | 2021 $\nPayments to suppliers & employees | =5 | =6\nEffect of exchange rate changes | =1 | =2"
    )
    assert set(told(raw, "unit").values()) == {("$",)}


def test_a_unit_in_a_cell_of_its_own_is_one() -> None:
    """mm in a column of units is millimetres, whatever stands beside it."""
    raw = table("Item | Unit | Model 1\nTravel | mm | =1100\nLoad | kg | =600")
    assert list(told(raw, "unit").values()) == [("mm",), ("kg",)]
