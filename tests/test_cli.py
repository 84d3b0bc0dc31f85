"""The command line: what each command prints, how it ends, and what it says when it cannot."""

from __future__ import annotations

import json
import shutil
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest

from tests.commandline import DOCUMENTS, PROGRAM, clean_environment, run
from tests.pdf_pages import Page, save

DECK = "ACME_FY2024_Review.pptx"
REVENUE_2024 = "slide=2,table=1,cell=R2C3,row=REVENUE,col=FY2024"
BOOK = "management/Harbour_Light_Management_Accounts_FY2024.xlsx"

# The fields of a fact that programs rely on, in their order; the rest of the record follows.
FACT_FIELDS = [
    *("fact_id", "metric_code", "metric_label", "entity", "geography", "channel", "period_type", "period", "value"),
    *("value_text", "unit", "scale", "source_doc_id", "source_locator", "file_hash", "status"),
]
DOCUMENT_FIELDS = {
    *("doc", "status", "file_hash", "facts", "chunks", "tables", "numeric_cells", "coverage", "findings", "seconds")
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of the demo documents; tests only read it."""
    path = tmp_path_factory.mktemp("cli") / "facts.db"
    done = run("ingest", DOCUMENTS, "--store", path)
    assert (done.returncode, done.stderr) == (0, "")
    return path


def fails(*arguments: str | Path, code: int, says: str, cwd: Path | None = None) -> str:
    """A command that ends with this code, nothing on standard output and one line on standard error."""
    done = run(*arguments, cwd=cwd)
    assert done.returncode == code, done
    assert done.stdout == ""
    assert done.stderr.startswith("factspine: ")
    assert done.stderr.count("\n") == 1, done.stderr
    assert says in done.stderr
    return done.stderr


# ---------------------------------------------------------------------------------------------------- what is printed


def test_ingest_reports_every_document_as_one_json_object(tmp_path: Path) -> None:
    """`ingest --json` prints one object: the run, each document with its counts and findings, and the totals."""
    folder = tmp_path / "documents"
    folder.mkdir()
    shutil.copy(DOCUMENTS / DECK, folder / "deck.pptx")
    shutil.copy(DOCUMENTS / BOOK, folder / "book.xlsx")
    (folder / "broken.xlsx").write_bytes(b"PK\x03\x04 not a workbook")
    (folder / "report.pdf").write_bytes(b"%PDF-1.7\n%%EOF\n")
    done = run("ingest", folder, "--store", tmp_path / "facts.db", "--json")
    assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 1)
    report = json.loads(done.stdout)
    assert {"run_id", "documents", "totals"} <= set(report)
    documents = {one["doc"]: one for one in report["documents"]}
    assert {name: one["status"] for name, one in documents.items()} == {
        "book.xlsx": "ingested",
        "broken.xlsx": "rejected",
        "deck.pptx": "ingested",
        "report.pdf": "rejected",
    }
    for one in documents.values():
        assert set(one) >= {
            *[
                "doc",
                "status",
                "file_hash",
                "facts",
                "chunks",
                "tables",
                "numeric_cells",
                "coverage",
                "findings",
                "seconds",
            ]
        }
        assert all({"code", "message", "locator"} <= set(finding) for finding in one["findings"])
    assert [finding["code"] for finding in documents["report.pdf"]["findings"]] == ["FS201"]
    assert report["totals"]["facts"] == sum(one["facts"] for one in documents.values()) > 100


def test_ingest_says_in_plain_text_what_it_did(tmp_path: Path) -> None:
    """Without a terminal there is a summary and no progress bar; a second ingest writes no run."""
    store = tmp_path / "facts.db"
    first = run("ingest", DOCUMENTS / "hong_kong", "--store", store)
    assert (first.returncode, first.stderr) == (0, "")
    assert "1 documents (1 ingested)" in first.stdout
    assert "\x1b" not in first.stdout
    assert "\r" not in first.stdout
    again = run("ingest", DOCUMENTS / "hong_kong", "--store", store)
    assert again.returncode == 0
    assert "1 unchanged" in again.stdout
    assert "Nothing changed; no run was written." in again.stdout


def test_facts_are_json_lines_with_exact_values(store: Path) -> None:
    """`facts --json` prints a fact a line: the agreed fields first, the value as text."""
    done = run("facts", "--store", store, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(records) > 500
    for record in records:
        assert list(record)[: len(FACT_FIELDS)] == FACT_FIELDS
        assert isinstance(record["value"], str)
        assert record["source_doc_id"]
        assert record["source_locator"]
    (petty_cash,) = (one for one in records if one["source_locator"].startswith("sheet=KPIs,cell=E14"))
    assert petty_cash["value"] == "1234567.89"


def test_facts_can_be_filtered(store: Path) -> None:
    """Filters narrow: by document pattern, metric, period, unit, status, text; none left is said so, not an error."""
    done = run("facts", "--store", store, "--json", "--doc", "ACME*", "--metric", "REVENUE", "--period", "2024")
    (only,) = (json.loads(line) for line in done.stdout.splitlines())
    assert (only["value"], only["unit"], only["scale"], only["source_locator"]) == ("1320", "USD", 6, REVENUE_2024)
    hidden = run("facts", "--store", store, "--json", "--status", "hidden", "--limit", "3").stdout.splitlines()
    assert [json.loads(line)["status"].split().count("hidden") for line in hidden] == [1, 1, 1]
    none = run("facts", "--store", store, "--metric", "no such metric")
    assert none.returncode == 0
    assert "No facts match" in none.stdout


@pytest.mark.parametrize("columns", ["40", "80", "120", "400"])
def test_no_width_hides_a_number_or_its_cell(store: Path, columns: str) -> None:
    """However narrow the terminal, the list of facts shows value, unit and source in full."""
    environment = clean_environment(COLUMNS=columns)
    done = run("facts", "--store", store, "--doc", "ACME*", "--period", "2024", "--metric", "REVENUE", env=environment)
    for part in ("1,320", "USD million", f"{DECK} · {REVENUE_2024}"):
        assert part in done.stdout


def test_show_finds_a_cell_by_every_form_of_locator(store: Path) -> None:
    """Canonical, by labels, by numbers and the short form of a sheet all lead to the cell, marked in its table."""
    for place in (REVENUE_2024, "slide=2,table=1,row=REVENUE,col=FY2024", "slide=2,table=1,row=2,col=3"):
        done = run("show", DECK, place, "--store", store)
        assert (done.returncode, done.stderr) == (0, ""), place
        assert f"{DECK} · {REVENUE_2024}" in done.stdout
        assert "▸1,320" in done.stdout
        assert "✓ reads the same" in done.stdout
    sheet = run("show", BOOK, "sheet=KPIs!E14", "--store", store)
    assert sheet.returncode == 0
    assert "▸1234567.89" in sheet.stdout


def test_show_reads_the_cell_again_as_json(store: Path) -> None:
    """`show --json` gives the verdict, what the second reader found, and the fact; a fact id alone is enough."""
    shown = json.loads(run("show", DECK, REVENUE_2024, "--store", store, "--json").stdout)
    assert (shown["verdict"], shown["reread_text"], shown["fact"]["value"]) == ("match", "1,320", "1320")
    by_id = run("show", shown["fact"]["fact_id"], "--store", store, "--json")
    assert json.loads(by_id.stdout) == shown


def test_a_percentage_kept_as_a_share_is_shown_as_a_percentage(store: Path) -> None:
    """A chart that keeps 0.938 and shows 93.8 % is listed as 93.8 %, and `show` says what the cell holds."""
    place = "slide=5,chart=1,series=Combined ratio,cat=FY2024"
    shown = run("show", "Harbour_Light_FY2024_Annual_Results.pptx", place, "--store", store)
    assert "=  93.8 %  (the cell holds 0.938)" in shown.stdout
    listed = run("facts", "--store", store, "--text", "Combined ratio,cat=FY2024")
    assert "93.8  %" in listed.stdout


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda blob: blob.write_bytes(blob.read_bytes() + b"\0"), "not the one that was ingested"),
        (lambda blob: blob.unlink(), "gone"),
    ],
    ids=["altered", "removed"],
)
def test_show_fails_when_the_archive_no_longer_proves_the_fact(tmp_path: Path, damage, says: str) -> None:
    """An archived file that was altered or removed ends with 1, and the sentence says which."""
    store = tmp_path / "facts.db"
    report = json.loads(run("ingest", DOCUMENTS / "hong_kong", "--store", store, "--json").stdout)
    fact = json.loads(run("facts", "--store", store, "--json", "--limit", "1").stdout)
    file_hash = report["documents"][0]["file_hash"]
    (blob,) = (path for path in (tmp_path / "facts.db.vault").rglob("*") if path.name == file_hash)
    blob.chmod(0o600)
    damage(blob)
    done = run("show", fact["fact_id"], "--store", store)
    assert done.returncode == 1
    assert says in done.stdout


def test_extract_prints_a_table_a_line_without_a_store(tmp_path: Path) -> None:
    """`extract --json` needs no store, and its cells carry roles, spans and, in a workbook, addresses."""
    done = run("extract", DOCUMENTS / DECK, "--json", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    table, chart = (json.loads(line) for line in done.stdout.splitlines())
    fields = {"doc", "locator", "kind", "title", "bbox", "n_rows", "n_cols", "header_rows", "header_cols", "cells"}
    assert fields <= set(table)
    assert fields <= set(chart)
    assert (table["locator"], table["kind"], chart["kind"]) == ("slide=2,table=1", "table", "chart")
    by_place = {(cell["r"], cell["c"]): cell for cell in table["cells"]}
    assert {"r", "c", "rowspan", "colspan", "text", "role", "ref", "bbox"} <= set(by_place[2, 3])
    assert (by_place[2, 3]["text"], by_place[2, 3]["role"], by_place[2, 3]["ref"]) == ("1,320", "value", None)
    assert [by_place[place]["role"] for place in ((1, 3), (2, 1))] == ["header", "label"]
    assert list(tmp_path.iterdir()) == []
    book = run("extract", DOCUMENTS / BOOK, "--json").stdout.splitlines()
    cells = [cell for line in book for cell in json.loads(line)["cells"]]
    assert {"text": "1234567.89", "role": "value", "ref": "E14"}.items() <= next(
        cell for cell in cells if cell["text"] == "1234567.89"
    ).items()


def test_extract_draws_pages_with_what_was_read(tmp_path: Path) -> None:
    """`extract --debug` writes a picture of every page, tables and cells outlined in the colours of their roles."""
    from PIL import Image

    page, prose = Page(), Page()
    page.rows("| 2024 | 2023\nNorth | 1,000 | 2,000\nSouth | 3,000 | 4,000", (72, 300, 400), 100)
    prose.text(72, 100, "Nothing but words here.")
    done = run("extract", save(tmp_path / "a.pdf", page, prose), "--debug", tmp_path / "pictures" / "a")
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 pages drawn" in done.stdout
    written = sorted((tmp_path / "pictures" / "a").iterdir())
    assert [path.name for path in written] == ["page-0001.png", "page-0002.png"]
    colors = []
    for path in written:
        with Image.open(path) as picture:
            colors.append({color for _, color in picture.getcolors(1 << 20) or []})
    table, header, value = (0xD6, 0x27, 0x28), (0x1F, 0x77, 0xB4), (0xFF, 0x7F, 0x0E)
    assert {table, header, value} <= colors[0]
    assert not colors[1] & {table, header, value}


@pytest.mark.parametrize("name", [DECK, BOOK])
def test_what_has_no_pages_is_not_drawn(tmp_path: Path, name: str) -> None:
    """A workbook or a deck asked for pictures of pages says why there are none, and writes nothing."""
    fails("extract", DOCUMENTS / name, "--debug", tmp_path / "pictures", code=2, says="no pages to draw")
    assert not (tmp_path / "pictures").exists()


def test_extract_draws_the_tables_for_people() -> None:
    """Without `--json` the tables are drawn as a grid."""
    done = run("extract", DOCUMENTS / DECK)
    assert done.returncode == 0
    assert "REVENUE            1,180   1,320" in done.stdout


def test_init_and_db_tell_the_state_of_a_store(store: Path, tmp_path: Path) -> None:
    """`init` makes a store and may be repeated; `db` tells schema and runs."""
    fresh = tmp_path / "new" / "facts.db"
    for _ in range(2):
        made = run("init", "--store", fresh, "--json")
        assert made.returncode == 0
    schema = json.loads(made.stdout)["schema"]
    assert json.loads(run("db", "--store", fresh, "--json").stdout) == {
        "store": str(fresh),
        "schema": schema,
        "store_version": "empty",
    }
    assert run("db", "upgrade", "--store", fresh).returncode == 0
    (one,) = json.loads(run("db", "runs", "--store", store, "--json").stdout)["runs"]
    assert one["facts"] > 500
    assert len(one["seal"]) == 64


def test_the_store_can_be_named_by_the_environment(store: Path, tmp_path: Path) -> None:
    """FACTSPINE_STORE stands in for `--store`."""
    done = run("facts", "--json", "--limit", "1", cwd=tmp_path, env=clean_environment(FACTSPINE_STORE=str(store)))
    assert done.returncode == 0
    assert done.stdout.count("\n") == 1


def test_the_vocabulary_beside_the_store_is_used(tmp_path: Path) -> None:
    """`vocabulary.toml` beside the store names metrics; `--vocabulary` takes its place."""
    for name, code in (("vocabulary.toml", "TURNOVER_A"), ("other.toml", "TURNOVER_B")):
        text = f'[[metric]]\ncode = "{code}"\nnames = ["REVENUE"]\n'
        (tmp_path / name).write_text(text, encoding="utf-8")
    folder = tmp_path / "documents"
    folder.mkdir()
    shutil.copy(DOCUMENTS / DECK, folder)
    for options, code in (((), "TURNOVER_A"), (("--vocabulary", tmp_path / "other.toml"), "TURNOVER_B")):
        assert run("ingest", folder, "--store", tmp_path / "facts.db", *options).returncode == 0
        listed = run("facts", "--store", tmp_path / "facts.db", "--json", "--metric", code, "--period", "2024")
        assert [json.loads(line)["value"] for line in listed.stdout.splitlines()] == ["1320"]


# ------------------------------------------------------------------------------------------------------ how it fails


def test_usage_errors_end_with_2_and_say_what_to_do(store: Path, tmp_path: Path) -> None:
    """A call that makes no sense is one line on standard error and 2."""
    fails("no-such-command", code=2, says="`factspine --help`")
    fails("ingest", code=2, says="`factspine ingest --help`")
    fails("facts", "--limit", "many", "--store", store, code=2, says="--limit")
    fails("ingest", tmp_path / "nowhere", "--store", tmp_path / "new.db", code=2, says="name the folder")
    assert not (tmp_path / "new.db").exists(), "a mistyped folder makes no store"
    fails("ingest", DOCUMENTS, "--store", store, "--jobs", "0", code=2, says="1 or more")
    fails("ingest", DOCUMENTS, "--store", store, "--vocabulary", tmp_path / "none.toml", code=2, says="--vocabulary")
    fails("extract", tmp_path / "none.xlsx", code=2, says="name an xlsx, pptx or pdf file")
    fails("show", DECK, "somewhere", "--store", store, code=2, says="write key=value")
    fails("show", DECK, "slide=99,table=1,cell=R1C1", "--store", store, code=2, says="`factspine facts --doc")
    fails("show", DECK, "--store", store, code=2, says="`factspine facts --doc")
    fails("db", "polish", "--store", store, code=2, says="use current, upgrade or runs")
    fails("facts", "--store", "nosuchdatabase://somewhere/facts", code=2, says="install the driver")


def test_without_arguments_the_commands_are_listed() -> None:
    """`factspine` alone shows its help, and ends with 2 because nothing was asked for."""
    done = run()
    assert done.returncode == 2
    assert all(name in done.stdout for name in ("ingest", "facts", "show", "extract", "init", "db"))
    assert run("--help").returncode == 0
    assert run("--version").stdout.startswith("factspine ")


def test_a_document_that_cannot_be_read_ends_extract_with_1(tmp_path: Path) -> None:
    """A damaged or foreign file is not a wrong call: 1, and what is the matter with it."""
    (tmp_path / "broken.xlsx").write_bytes(b"PK\x03\x04 not a workbook")
    broken = fails("extract", tmp_path / "broken.xlsx", "--json", code=1, says="")
    (tmp_path / "notes.txt").write_text("hello")
    foreign = fails("extract", tmp_path / "notes.txt", code=1, says="")
    assert "zip container is damaged" in broken
    assert "Give an xlsx, pptx or pdf file" in foreign


def test_a_missing_store_ends_with_10_and_says_how_to_make_one(tmp_path: Path) -> None:
    """Commands that read never make a store."""
    for command in (("facts",), ("show", DECK, REVENUE_2024), ("db",)):
        fails(*command, "--store", tmp_path / "none.db", code=10, says="`factspine ingest` makes one")
    assert list(tmp_path.iterdir()) == []
    fails("facts", code=10, says="data/fact_metric.db", cwd=tmp_path)


def test_a_store_of_another_version_ends_with_12(tmp_path: Path) -> None:
    """A store of a newer schema, a database without one, and a file that is no database are refused."""
    newer = tmp_path / "newer.db"
    assert run("init", "--store", newer).returncode == 0
    with sqlite3.connect(newer) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    fails("facts", "--store", newer, code=12, says="upgrade factspine")
    fails("ingest", DOCUMENTS, "--store", newer, code=12, says="upgrade factspine")
    foreign = tmp_path / "foreign.db"
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE something (a)")
    connection.close()
    fails("facts", "--store", foreign, code=12, says="`factspine init`")
    (tmp_path / "text.db").write_bytes(b"this is no database at all " * 200)
    fails("facts", "--store", tmp_path / "text.db", code=12, says="no store")


@pytest.mark.parametrize("command", [("facts", "--json"), ("facts", "--limit", "0"), ("db", "runs", "--json")])
def test_a_reader_that_has_seen_enough_is_no_error(store: Path, command: tuple[str, ...]) -> None:
    """`factspine … | head -1` ends quietly."""
    words = " ".join((str(PROGRAM), *command, "--store", str(store)))
    script = f"set -o pipefail; {words} | head -c 1 >/dev/null"
    done = subprocess.run(["bash", "-c", script], env=clean_environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_interrupted_ingest_ends_with_130_and_leaves_no_run(tmp_path: Path) -> None:
    """Ctrl-C during an ingest is one line and 130; nothing of the run is visible, and the next ingest does the work."""
    folder = tmp_path / "documents"
    folder.mkdir()
    for number in range(200):
        shutil.copy(DOCUMENTS / BOOK, folder / f"{number}.xlsx")
    store = tmp_path / "facts.db"
    command = [str(PROGRAM), "ingest", str(folder), "--store", str(store), "--jobs", "1"]
    with subprocess.Popen(command, env=clean_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + 30
        while not store.exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        output, problems = process.communicate(timeout=60)
    assert (process.returncode, output) == (130, b"")
    assert problems.decode().startswith("factspine: interrupted;")
    assert problems.count(b"\n") == 1
    assert json.loads(run("db", "--store", store, "--json").stdout)["store_version"] == "empty"
