"""What is restricted leaves no trace: two stores, one with restricted documents and one without, look the same to
whoever is not cleared for them, in every answer, list, count, query, export and error."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import pytest

from factspine import FactStore, answer_question, ingest
from factspine.analytics.copying import copy_path, follow
from factspine.cli.app import _run as run_command
from factspine.core.clearance import LEVELS
from factspine.core.errors import UsageError
from factspine.ingestion.remap import remap
from factspine.integrity.checker import check
from tests.hostile import containers

DEMO = Path(__file__).resolve().parents[1] / "data" / "documents"
START = datetime(2025, 1, 1, 12, tzinfo=UTC)
RULES = '[[sensitivity]]\ndocuments = ["board/*"]\nlevel = "{level}"\n'
CANARY = "QUETZAL"
PUBLIC_DOCUMENTS = ("ACME_FY2024_Review.pptx", "retail/Harbour_Light_Summary_by_Year.xlsx")


def book(**values: str) -> bytes:
    """A workbook of a small table, some of its numbers and words changed."""
    rows = containers.ROWS.replace(">Asia<", ">Revenue<").replace(">Europe<", ">Gross profit<")
    for old, new in values.items():
        rows = rows.replace(f">{old.removeprefix('v')}<", f">{new}<")
    return containers.workbook(containers.sheet(rows))


def write(folder: Path, day: int, *, secret: bool) -> None:
    """The folder as it is on a day. What is under board/ is there only in the store that has secrets."""
    if day == 0:
        for name in PUBLIC_DOCUMENTS:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(DEMO / name, folder / name)
        (folder / "a.xlsx").write_bytes(book())
        (folder / "broken.xlsx").write_bytes(book()[:-60])
    if day == 2:
        (folder / "a.xlsx").write_bytes(book(v120="121"))
    if day == 3:
        (folder / "c.xlsx").write_bytes(book(v80="85"))
    if not secret:
        return
    board = folder / "board"
    board.mkdir(exist_ok=True)
    if day == 0:
        shutil.copy(DEMO / PUBLIC_DOCUMENTS[0], board / "Pack.pptx")
        (board / "a.xlsx").write_bytes(book(v120="777.7", Revenue=CANARY))
    if day == 1:  # nothing public changes on this day
        (board / "plan.xlsx").write_bytes(book(v120="999", FY2024="FY2031"))
        (board / f"{CANARY} broken.xlsx").write_bytes(book()[:-60])
    if day == 2:
        (board / "a.xlsx").unlink()


def fill(place: Path, *, secret: bool, follows: bool) -> Path:
    """A store of four days; its analytic copy follows day by day, or is made at the end."""
    folder, path = place / "documents", place / "facts.db"
    folder.mkdir(parents=True)
    (place / "vocabulary.toml").write_text(RULES.format(level="RESTRICTED"), encoding="utf-8")
    with FactStore(path) as store:
        store.init_schema()
        for day in range(4):
            write(folder, day, secret=secret)
            ingest(folder, store, clock=lambda day=day: START + timedelta(days=day))  # type: ignore[misc]
            if follows:
                follow(store, vocabulary=place / "vocabulary.toml")
    return path


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The store with secrets, whose copy followed it, and the one without, whose copy is made when first asked for."""
    folder = tmp_path_factory.mktemp("restricted")
    return (
        fill(folder / "with" / "store", secret=True, follows=True),
        fill(folder / "without" / "store", secret=False, follows=False),
    )


@contextmanager
def inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def said(path: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, ...]:
    """What a command prints, how it ends, and what it says went wrong; times left out."""
    import factspine.cli.commands  # noqa: F401  registers the commands

    capsys.readouterr()
    argv, sys.argv = sys.argv, ["factspine", *arguments, "--store", path.name]
    try:
        with inside(path.parent):
            code = run_command()
    finally:
        sys.argv = argv
    out, err = capsys.readouterr()
    lines = [json.loads(line) if line.startswith("{") else line for line in out.splitlines()]
    for line in lines:
        if isinstance(line, dict):
            line.pop("elapsed_ms", None)
    return code, lines, err


COMMANDS = [
    ("facts", "--json"),
    ("facts", "--json", "--all"),
    ("facts", "--json", "--as-of", "2025-01-02"),
    ("facts", "--json", "--doc", "board/*"),
    ("facts", "--text", CANARY),
    ("facts",),
    ("ledger", "--json"),
    ("ledger", "--doc", "board/*"),
    ("history", "REVENUE", "--json"),
    ("history", "board/a.xlsx", "sheet=P&L!B2"),
    ("history", CANARY),
    ("conflicts", "--json", "--all"),
    ("conflicts",),
    ("show", "a.xlsx", "sheet=P&L!B2", "--json"),
    ("show", "board/a.xlsx", "sheet=P&L!B2"),
    ("show", "board/Pack.pptx", "slide=2,table=1,row=REVENUE,col=FY2024"),
    ("db", "runs", "--json"),
    ("db", "--json"),
    ("ask", "revenue FY2023", "--json"),
    ("ask", f"{CANARY} FY2024", "--json"),
    ("ask", "revenue FY2031", "--json"),
    ("ask", "中国内地FY2024的REVENUE是多少", "--json"),
    ("ask", "why did revenue in Mainland China grow?", "--json"),
    ("ask", "revenue", "--json", "--doc", "board/*"),
    ("ask", "What was revenue in FY2023?", "--json", "--as-of", "2025-01-02"),
    ("search", "revenue growth", "--json"),
    ("search", CANARY, "--json"),
    ("search", "revenue", "--json", "--doc", "board/*"),
    ("sql", "FROM facts ORDER BY ALL", "--json"),
    ("sql", "FROM facts_as_of('2025-01-02') ORDER BY ALL", "--json"),
    ("sql", "FROM runs ORDER BY ALL", "--csv"),
    ("sql", "FROM ledger ORDER BY ALL", "--csv"),
    ("sql", "SELECT * FROM record.fact ORDER BY fact_no", "--json"),
    ("sql", "SELECT count(*), max(fact_no), max(reading_no), max(context_no) FROM record.fact"),
    ("sql", "SELECT table_name, estimated_size FROM duckdb_tables() ORDER BY ALL", "--csv"),
    ("sql", "FROM " + CANARY),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_says_the_same(
    both: tuple[Path, Path], capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    """Byte for byte, whatever is asked, and whether it succeeds or fails."""
    ours, theirs = (said(path, capsys, *command) for path in both)
    assert ours == theirs
    assert CANARY not in str(ours).replace(" ".join(command), "").replace(command[-1], "") or CANARY in " ".join(
        command
    )


def tables(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """All that a DuckDB file says to whoever opens it with another tool."""
    with duckdb.connect(str(path), read_only=True) as connection:
        names = connection.execute(
            "SELECT table_schema || '.' || table_name FROM information_schema.tables ORDER BY 1"
        ).fetchall()
        return {name: connection.execute(f"FROM {name} ORDER BY ALL").fetchall() for (name,) in names}


def test_the_copy_for_other_tools_holds_nothing_restricted(both: tuple[Path, Path]) -> None:
    """Every table and view of the copy, its own bookkeeping included, is the one of a store without secrets; and not a
    byte of the file tells."""
    copies = []
    for path in both:
        with FactStore(path) as store:
            copies.append(follow(store, vocabulary=path.with_name("vocabulary.toml")))
    ours, theirs = map(tables, copies)
    assert list(ours) == list(theirs)
    for name, rows in theirs.items():
        assert ours[name] == rows, name
    assert CANARY.encode() not in copies[0].read_bytes()
    assert b"board/" not in copies[0].read_bytes()


def test_parquet_is_the_same(both: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same files with the same rows."""
    found = []
    for number, path in enumerate(both):
        folder = tmp_path / str(number)
        assert said(path, capsys, "export", "--parquet", str(folder), "--all")[0] == 0
        files = sorted(str(one.relative_to(folder)) for one in folder.rglob("*.parquet"))
        rows = [duckdb.sql(f"FROM '{folder / name}' ORDER BY ALL").fetchall() for name in files]
        found.append((files, rows))
    assert found[0] == found[1]


def test_who_is_cleared_sees_it(both: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    """The same commands for a viewer who may: the restricted numbers, the rejected file, the real chain."""
    path = both[0]
    viewer = ("--viewer", "restricted")
    assert CANARY in str(said(path, capsys, "facts", "--json", "--all", *viewer))
    assert "777.7" in str(said(path, capsys, "history", "board/a.xlsx", "sheet=P&L!B2", *viewer))
    assert f"{CANARY} broken.xlsx" in str(said(path, capsys, "sql", "FROM documents", "--json", *viewer))
    with FactStore(path) as store:
        assert len(store.runs()) == 4
        assert len(store.seen_by("PUBLIC").runs()) == 3
        assert answer_question("revenue FY2031", store, viewer="RESTRICTED").store_version == (store.store_version)
        assert store.seen_by("RESTRICTED").runs() == store.runs()
        with pytest.raises(UsageError):
            store.seen_by("nobody")
        with pytest.raises(UsageError), store.seen_by("RESTRICTED").begin_run():
            pass


def test_a_copy_of_a_higher_level_is_not_shown_by_mistake(
    both: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Naming the file is not enough; whoever asks it must say for whom."""
    with FactStore(both[0]) as store:
        copy = follow(store, viewer="RESTRICTED")
    assert copy == copy_path(both[0], "RESTRICTED") != copy_path(both[0])
    address = f"duckdb:///{copy}"
    code, out, err = _asked(address, capsys)
    assert (code, out) == (2, "")
    assert "--viewer" in err
    assert _asked(address, capsys, "--viewer", "RESTRICTED")[0] == 0
    with FactStore(address) as opened, FactStore(both[0]) as store:
        assert list(opened.seen_by("PUBLIC").facts()) == list(store.seen_by("PUBLIC").facts())
        assert opened.seen_by("PUBLIC").runs()[-1].seal == store.seen_by("PUBLIC").runs()[-1].seal


def _asked(address: str, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, str, str]:
    import factspine.cli.commands  # noqa: F401  registers the commands

    capsys.readouterr()
    argv, sys.argv = sys.argv, ["factspine", "sql", "SELECT count(*) FROM facts", "--store", address, *more]
    try:
        code = run_command()
    finally:
        sys.argv = argv
    out, err = capsys.readouterr()
    return code, out, err


def test_each_level_sees_what_is_below_it(tmp_path: Path) -> None:
    """Four documents of four levels: a viewer of each sees its own and those below, in the store and in its copy."""
    folder, path = tmp_path / "documents", tmp_path / "facts.db"
    folder.mkdir()
    rules = ""
    for level in LEVELS:
        (folder / f"{level.lower()}.xlsx").write_bytes(book())
        rules += f'[[sensitivity]]\ndocuments = ["{level.lower()}.xlsx"]\nlevel = "{level}"\n'
    (tmp_path / "vocabulary.toml").write_text(rules, encoding="utf-8")
    with FactStore(path) as store:
        store.init_schema()
        ingest(folder, store)
        for place, level in enumerate(LEVELS):
            expected = {f"{one.lower()}.xlsx" for one in LEVELS[: place + 1]}
            assert {fact.source_doc_id for fact in store.seen_by(level).facts()} == expected
            with FactStore(f"duckdb:///{follow(store, viewer=level)}") as copy:
                assert {fact.source_doc_id for fact in copy.facts()} == expected
        assert check(store, "cross").ok


def test_what_becomes_restricted_is_hidden_with_its_past_and_what_is_released_only_since(tmp_path: Path) -> None:
    """A document that is restricted now was never there, for whoever may not see it; one that is released now was
    first seen when it was."""
    folder, path = tmp_path / "documents", tmp_path / "facts.db"
    (folder / "board").mkdir(parents=True)
    (folder / "a.xlsx").write_bytes(book())
    (folder / "board" / "b.xlsx").write_bytes(book(v120="5"))
    rules = tmp_path / "vocabulary.toml"
    days = iter(range(1, 9))
    with FactStore(path) as store:
        store.init_schema()

        def seen() -> list[tuple[str, str]]:
            public = store.seen_by(None)
            with FactStore(f"duckdb:///{follow(store)}") as copy:
                assert copy.runs()[-1].seal == public.runs()[-1].seal
                assert list(copy.facts(all_revisions=True)) == list(public.facts(all_revisions=True))
                assert copy.documents() == public.documents()
            return sorted({(one.doc_id, one.status) for one in public.documents()})

        ingest(folder, store, clock=lambda: START)
        assert [name for name, _ in seen()] == ["a.xlsx", "board/b.xlsx"]
        rules.write_text(RULES.format(level="RESTRICTED"), encoding="utf-8")
        remap(store, vocabulary=rules, clock=lambda: START + timedelta(days=next(days)))
        assert [name for name, _ in seen()] == ["a.xlsx"]
        assert not list(store.seen_by(None).facts(as_of="2025-01-01", all_revisions=True))[8:]
        rules.write_text(RULES.format(level="PUBLIC"), encoding="utf-8")
        remap(store, vocabulary=rules, clock=lambda: START + timedelta(days=next(days)))
        assert [name for name, _ in seen()] == ["a.xlsx", "board/b.xlsx"]
        assert check(store, "cross").ok
