"""SQL for people: nothing but reading, within limits, and results that no spreadsheet runs or rounds."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from datetime import date
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from factspine.analytics.copying import follow
from factspine.analytics.results import guarded, write_csv, write_json_lines
from factspine.analytics.session import Column, QueryFailed, QueryLimits, Result, Session
from factspine.core.errors import FactSpineError, UsageError
from tests.analytics_samples import Said, new_store, say


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    store = new_store(tmp_path)
    say(store, {"a.xlsx": [Said(value="1.50"), Said(value="-2", metric="LOSS"), Said(value="3", metric="=1+1")]})
    store.close()
    return follow(store)


OUTSIDE = [
    "COPY facts TO '{folder}/out.csv'",
    "COPY (SELECT 1) TO '{folder}/out.parquet'",
    "EXPORT DATABASE '{folder}/dump'",
    "ATTACH '{folder}/other.duckdb'",
    "ATTACH ':memory:' AS other; ATTACH '{folder}/other.duckdb' AS more",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_blob('{folder}/facts.db')",
    "SELECT * FROM read_parquet('{folder}/x.parquet')",
    "SELECT * FROM '/etc/passwd.csv'",
    "SELECT * FROM glob('/*')",
    "SELECT * FROM sniff_csv('/etc/passwd')",
    "INSTALL httpfs",
    "LOAD httpfs",
    "LOAD '{folder}/x.duckdb_extension'",
    "SET enable_external_access = true",
    "SET lock_configuration = false",
    "SET memory_limit = '100GB'",
    "SET temp_directory = '{folder}'",
    "RESET memory_limit",
    "SET GLOBAL allowed_directories = ['/']",
    "CREATE TABLE mine (i INTEGER)",
    "DELETE FROM record.fact",
    "UPDATE record.fact SET value = '7'",
    "DROP VIEW facts",
    "CREATE PERSISTENT SECRET s (TYPE s3)",
    "PRAGMA enable_profiling='json'; PRAGMA profiling_output='{folder}/profile.json'; SELECT 1",
]


@pytest.mark.parametrize("query", OUTSIDE)
def test_nothing_outside_can_be_reached(copy: Path, tmp_path: Path, query: str) -> None:
    """No statement writes, opens another file, loads code or lifts a limit."""
    before = {path.name for path in tmp_path.iterdir()}, copy.read_bytes()
    with (
        Session(copy) as session,
        pytest.raises(FactSpineError),
        session.query(query.format(folder=tmp_path)) as result,
    ):
        list(result.rows)
    assert ({path.name for path in tmp_path.iterdir()}, copy.read_bytes()) == before


def test_a_query_that_takes_too_long_is_stopped(copy: Path) -> None:
    """The time limit holds for any query, and the session can be used afterwards."""
    with Session(copy, QueryLimits(seconds=0.3)) as session:
        with (
            pytest.raises(QueryFailed, match=r"longer than 0\.3 s"),
            session.query("SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b") as result,
        ):
            list(result.rows)
        with session.query("SELECT 1") as result:
            assert list(result.rows) == [(1,)]


def test_a_query_that_needs_too_much_memory_fails(copy: Path, tmp_path: Path) -> None:
    """The memory limit is a limit: nothing is spilled to a disk either."""
    query = "SELECT count(*) FROM (SELECT DISTINCT repeat('x', 100) || range FROM range(20000000))"
    with (
        Session(copy, QueryLimits(memory="50MB")) as session,
        pytest.raises(QueryFailed, match="memory"),
        session.query(query) as result,
    ):
        list(result.rows)
    assert not list(tmp_path.glob("**/*.tmp"))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("=1+1", "'=1+1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("-2+3", "'-2+3"),
        ("\t=1", "'\t=1"),
        ("-2", "-2"),
        ("-1,234.50", "-1,234.50"),
        ("-3.5%", "-3.5%"),
        ("Revenue", "Revenue"),
        ("a=b", "a=b"),
    ],
)
def test_text_that_looks_like_a_formula_is_guarded(text: str, written: str) -> None:
    """A spreadsheet that opens the file runs nothing, and a negative number stays a number."""
    assert guarded(text) == written


def test_csv_and_json_keep_every_digit() -> None:
    """Decimals lose only their trailing zeros; integers too wide for a double are text in JSON."""
    columns = tuple(Column(name, "") for name in ("d", "i", "t", "n", "day", "d"))
    row = (Decimal("-1234567890123456789.100"), 2**60, "=x", None, date(2024, 1, 2), [Decimal("0.10")])
    stream = io.StringIO()
    write_csv(Result(columns, iter([row])), stream)
    digits = "-1234567890123456789.1"
    assert list(csv.reader(io.StringIO(stream.getvalue())))[1] == [
        digits,
        str(2**60),
        "'=x",
        "",
        "2024-01-02",
        '["0.1"]',
    ]
    stream = io.StringIO()
    write_json_lines(Result(columns, iter([row])), stream)
    assert json.loads(stream.getvalue()) == {
        "d": digits,
        "i": str(2**60),
        "t": "=x",
        "n": None,
        "day": "2024-01-02",
        "d_2": ["0.1"],
    }


def test_parquet_holds_wide_integers_exactly(copy: Path, tmp_path: Path) -> None:
    """A sum of integers is not turned into a float on its way into the file; only the named file is written."""
    target = tmp_path / "out.parquet"
    with Session(copy, writable=(target,)) as session:
        assert session.write_parquet("SELECT sum(x::BIGINT) AS s FROM range(3) t(x), range(1) -- end", target) == 1
        session.write_parquet("SELECT 123456789012345678901234567::HUGEINT AS s;", target)
        with pytest.raises(UsageError):
            session.write_parquet("SELECT 1", tmp_path / "elsewhere.parquet")
        with pytest.raises(UsageError, match="exactly one"):
            session.write_parquet("SELECT 1; SELECT 2", target)
    assert duckdb.read_parquet(str(target)).fetchall() == [(Decimal("123456789012345678901234567"),)]


def run(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    store = str(copy).removesuffix(".duckdb")
    command = [sys.executable, "-c", "from factspine.cli import main; main()", *arguments, "--store", store]
    return subprocess.run(command, capture_output=True, text=True, check=False, env={"COLUMNS": "100", "PATH": ""})


def test_the_command_prints_what_was_asked_for(copy: Path, tmp_path: Path) -> None:
    """A table, CSV, JSON lines, bars, a Parquet file and a folder of them; errors are one line."""
    query = "SELECT metric_code, value, fact_id FROM facts ORDER BY value"
    table = run(copy, "sql", query)
    assert "factspine show" in table.stdout, table.stderr
    assert run(copy, "sql", query, "--csv").stdout.splitlines()[1].startswith("LOSS,-2,")
    first = json.loads(run(copy, "sql", query, "--json").stdout.splitlines()[0])
    assert (first["metric_code"], first["value"]) == ("LOSS", "-2")
    assert "█" in run(copy, "sql", query, "--plot").stdout
    assert run(copy, "sql", query, "--parquet", str(tmp_path / "q.parquet")).returncode == 0
    assert duckdb.read_parquet(str(tmp_path / "q.parquet")).fetchall()[0][1] == Decimal(-2)
    assert json.loads(run(copy, "export", "--parquet", str(tmp_path / "all"), "--json").stdout)["facts"] == 3
    for wrong in (
        ["sql", "SELECT nothing FROM facts"],
        ["sql", query, "--csv", "--json"],
        ["sql", "COPY facts TO 'x'"],
    ):
        refused = run(copy, *wrong)
        assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)


def test_every_example_of_the_documentation_runs(copy: Path) -> None:
    """What docs/sql.md shows can be typed."""
    text = (Path(__file__).parents[1] / "docs" / "sql.md").read_text(encoding="utf-8")
    examples = re.findall(r"```sql\n(.*?)```", text, flags=re.DOTALL)
    assert len(examples) >= 10
    with Session(copy) as session:
        for example in examples:
            with session.query(example) as result:
                list(result.rows)
                assert result.columns
        with session.query("SELECT table_name FROM information_schema.tables WHERE table_schema = 'main'") as result:
            undocumented = [name for (name,) in result.rows if f"`{name}`" not in text]
    assert undocumented == []
