"""Which of several periods is the latest: what `the last period` means to somebody who reads a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

_LENGTHS = {"INSTANT": 0, "M": 1, "Q": 2, "HY": 3, "YTD": 4, "RANGE": 4, "LTM": 5, "FY": 6}


def _recency(period_type: str, period: str, *, balance: bool = False) -> tuple[int, int, int]:
    """Year and month in which a period ends, longer ones after shorter ones; of a balance the day itself last."""
    end = period.rpartition("/")[2]
    year, rest = int(end[:4]), end[4:]
    if rest[:1] == "Q":
        month = 3 * int(rest[1:])
    elif rest[:1] == "H":
        month = 6 * int(rest[1:])
    else:
        month = int(rest[1:3]) if rest[:1] == "-" else 12
    length = _LENGTHS.get(period_type, 0)
    return year, 12 if balance and period_type == "INSTANT" else month, 7 if balance and length == 0 else length


def latest_period(
    periods: Iterable[tuple[str, str]], last_year: int | None = None, *, balance: bool = False
) -> tuple[str, str] | None:
    """Type and name of the latest period that is not after `last_year`; None where none says when it is."""
    known = [pair for pair in periods if pair[1][:4].isdigit()]
    past = [pair for pair in known if last_year is None or _recency(*pair)[0] <= last_year]
    return max(past or known, key=lambda pair: (_recency(*pair, balance=balance), pair), default=None)


def reporting_year(periods: Iterable[str]) -> int | None:
    """The year that a document reports on: most of its headers name it. Maturities and forecasts name later ones."""
    years = Counter(int(period.rpartition("/")[2][:4]) for period in periods if period[:4].isdigit())
    if not years:
        return None
    most = max(years.values())
    # The year before stands beside it in each statement, and in balances as often.
    return max(year for year, count in years.items() if count >= 0.6 * most)
