"""The child loads only what a document needs, and serves single files too."""

from __future__ import annotations

import importlib
import io
import subprocess
import sys

import pytest

from factspine.core.errors import InputRejected
from factspine.core.facts import BLOCK_COLUMNS
from factspine.extract.frames import BadFrame, write_frame, write_json
from factspine.extract.registry import ROWS
from factspine.ingestion.messages import receive
from factspine.ingestion.onefile import extract_tables, reread
from factspine.ingestion.readahead import ReadAhead
from tests.hostile import containers


def test_the_registry_knows_the_extractors_versions():
    """The versions compared with the store are those the extractors sign with."""
    for row in ROWS.values():
        module = importlib.import_module(row.module)
        assert row.version == module.VERSION


def modules_after(code):
    script = f"import sys\n{code}\nprint(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_reading_a_workbook_loads_no_other_parser():
    """A child that reads workbooks starts without the deck's parsers and without the database."""
    loaded = modules_after(
        "import factspine.ingestion.worker, factspine.ingestion.document\n"
        "from factspine.extract import registry\nregistry.load('xlsx')"
    )
    assert not loaded & {"sqlalchemy", "lxml", "pptx", "openpyxl", "alembic"}


def test_the_parent_loads_no_parser():
    """Documents are parsed in the child only, so the parent never has a parser to attack."""
    loaded = modules_after("import factspine.ingestion.pipeline, factspine.ingestion.onefile")
    assert not loaded & {"lxml", "pptx", "openpyxl"}


def test_one_file_gives_its_labelled_tables(tmp_path):
    """`extract` needs no store: tables with the role, place and name of each cell."""
    path = tmp_path / "a.xlsx"
    path.write_bytes(containers.workbook())
    (table,) = extract_tables(path)
    assert (table["doc"], table["kind"], table["n_rows"], table["n_cols"]) == ("a.xlsx", "table", 3, 3)
    assert table["locator"].startswith("sheet=P&L")
    cells = {cell["ref"]: cell for cell in table["cells"]}
    assert cells["C2"] == {
        "r": 2,
        "c": 3,
        "rowspan": 1,
        "colspan": 1,
        "text": "132.5",
        "role": "value",
        "ref": "C2",
        "bbox": None,
    }
    assert cells["C1"]["role"] == "header"
    assert cells["A2"]["role"] == "label"


def test_cells_of_a_deck_have_no_sheet_address(tmp_path):
    """Where a format has no A1 addresses there is none."""
    path = tmp_path / "a.pptx"
    path.write_bytes(containers.deck())
    (table,) = extract_tables(path)
    assert {cell["ref"] for cell in table["cells"]} == {None}


@pytest.mark.parametrize(
    ("name", "build", "locator"),
    [
        ("a.xlsx", containers.workbook, "sheet=P&L,cell=C2,row=Asia,col=FY2024"),
        ("a.pptx", containers.deck, "slide=1,table=1,cell=R2C3,row=Revenue,col=FY2024"),
    ],
)
def test_a_place_can_be_read_again(tmp_path, name, build, locator):
    """The second reader goes to the cell itself."""
    path = tmp_path / name
    path.write_bytes(build())
    ((text, value),) = reread(path, [locator])
    assert text == "132.5"
    assert value in ("132.5", None)


def test_what_is_no_document_is_told(tmp_path):
    """A single file that cannot be read says why."""
    path = tmp_path / "a.txt"
    path.write_text("hello")
    with pytest.raises(InputRejected) as rejected:
        list(extract_tables(path))
    assert rejected.value.code == "FS108"


@pytest.mark.parametrize(
    "item",
    [
        [],
        {"is": "nothing"},
        {"is": "facts", "count": 2, "columns": [["x"]] * len(BLOCK_COLUMNS)},
        {"is": "table", "table": []},
        {"is": "passages", "rows": [[1]]},
    ],
)
def test_items_that_are_not_what_they_say_are_refused(item):
    """The parent believes nothing the child sends without looking."""
    stream = io.BytesIO()
    write_json(stream, ord("J"), item)
    write_frame(stream, ord("B"), b"")
    stream.seek(0)
    with pytest.raises(BadFrame):
        list(receive(stream, 1000))


def test_reading_ahead_keeps_the_order():
    """Whatever is finished first, results come in the order the jobs came in, and large ones start early."""
    begun = []

    def work(job):
        begun.append(job)
        return job * 2

    jobs = list(range(300))
    with ReadAhead(jobs, work, threads=4, early=lambda job: job if job > 295 else 0, ahead_max=8) as ahead:
        assert list(ahead) == [(job, job * 2) for job in jobs]
    assert sorted(begun) == jobs
    assert set(begun[:4]) == {296, 297, 298, 299}


def test_an_error_in_a_reading_thread_is_not_lost():
    """What goes wrong in a thread is raised where the results are used."""

    def work(job):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), ReadAhead([1, 2, 3], work, threads=2) as ahead:
        list(ahead)
