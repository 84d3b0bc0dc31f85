"""Exact values: any decimal of up to 38 digits comes out of SQL, CSV, JSON and Parquet as it went into the store."""

from __future__ import annotations

import csv
import io
import json
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
from hypothesis import given, settings
from hypothesis import strategies as st

from factspine.analytics.copying import follow
from factspine.analytics.parquet import export_parquet
from factspine.analytics.results import write_csv, write_json_lines
from factspine.analytics.session import Session
from factspine.core.values import EXACT, canonical
from tests.analytics_samples import Said, ask, new_store, say

# Up to 38 digits, the point anywhere in or before them.
_VALUES = st.builds(
    lambda digits, places, sign: canonical(Decimal(sign * digits).scaleb(-places, EXACT)),
    st.one_of(st.integers(0, 10**38 - 1), st.integers(0, 10**19), st.integers(0, 10**6)),
    st.integers(0, 38),
    st.sampled_from([1, -1]),
)
_SCALES = st.sampled_from([-2, 0, 0, 3, 4, 6, 8, 9])
_EDGES = [
    ("99999999999999999999.999999999999999999", 0),
    ("99999999999999.99", 6),
    ("0.1234567890123456789", 0),
    ("0.153846153846154", 0),
    ("-0.000000000001", 0),
    ("99999999999999999999999999.999999999999", 0),
    ("12345678901234567890123456789012345678", 0),
]


def fits(value: Decimal, before: int, after: int) -> bool:
    """Whether a decimal has at most so many digits before and after its point."""
    exponent = int(value.normalize(EXACT).as_tuple().exponent)
    return -exponent <= after and value.copy_abs() < Decimal(10) ** before


def check(pairs: list[tuple[str, int]], folder: Path) -> None:
    store = new_store(folder)
    said = [Said(value=value, scale=scale, metric=f"M{n:03}") for n, (value, scale) in enumerate(pairs)]
    say(store, {"a.xlsx": said})
    copy = follow(store)
    store.close()
    query = "SELECT value_exact, value, amount FROM facts ORDER BY metric_code"
    rows = ask(copy, query)
    for (text, scale), (exact, value, amount) in zip(pairs, rows, strict=True):
        number = Decimal(text)
        scaled = number.scaleb(scale, EXACT)
        assert exact == text
        assert value == (number if fits(number, 20, 18) else None)
        assert amount == (scaled if fits(scaled, 26, 12) else None)
    export_parquet(copy, folder / "out")
    written = duckdb.sql(
        f"FROM read_parquet('{folder}/out/facts/**/*.parquet') SELECT value_exact, value, amount ORDER BY metric_code"
    ).fetchall()
    assert written == rows
    with Session(copy) as session:
        for write, read in ((write_csv, read_csv), (write_json_lines, read_json)):
            stream = io.StringIO()
            with session.query(query) as result:
                write(result, stream)
            expected = [tuple("" if cell is None else canonical(Decimal(cell)) for cell in row) for row in rows]
            assert read(stream.getvalue()) == expected


def read_csv(text: str) -> list[tuple[str, ...]]:
    return [tuple(row) for row in list(csv.reader(io.StringIO(text)))[1:]]


def read_json(text: str) -> list[tuple[str, ...]]:
    return [tuple(cell or "" for cell in json.loads(line).values()) for line in text.splitlines()]


def test_values_at_the_edges_are_exact(tmp_path: Path) -> None:
    """The widest that fit, and the first that do not: exact or absent, never rounded."""
    check(_EDGES, tmp_path)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(_VALUES, _SCALES), min_size=1, max_size=40))
def test_any_decimal_is_exact(pairs: list[tuple[str, int]]) -> None:
    """The text always, the decimal columns where it fits."""
    with TemporaryDirectory() as folder:
        check(pairs, Path(folder))
