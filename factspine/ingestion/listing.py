"""The labelled tables of one file as JSON lines or drawn on its pages, for `factspine extract`. Runs in the child.

A line is sent in pieces: a table of a million cells is a line of a hundred megabytes, which nobody needs to hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, Any

import orjson

from factspine.core.labelled import LabelledTable
from factspine.core.limits import Limits
from factspine.core.locators import column_letters
from factspine.core.tables import RawTable
from factspine.extract import registry
from factspine.extract.confine import may_write_bytecode
from factspine.extract.frames import BLOB, ITEM, write_frame, write_json
from factspine.ingestion.document import read_items
from factspine.interpret.headers import label_table

_CELLS_PER_FRAME = 20_000


def send_listing(request: dict[str, Any], limits: Limits, out: IO[bytes]) -> dict[str, Any]:
    """Sends every table of a document as one line of JSON."""
    tables = 0
    for item in read_items(request, limits):
        if isinstance(item, RawTable):
            _send_table(request["doc"], label_table(item), out)
            tables += 1
    return {"tables": tables}


def send_pictures(request: dict[str, Any], limits: Limits, out: IO[bytes]) -> dict[str, Any]:
    """Sends each page of a document as a PNG, tables and the roles of cells drawn: its number, then the picture."""
    tables: list[RawTable] = []
    roles: dict[str, Sequence[str]] = {}
    for item in read_items(request, limits):
        if isinstance(item, RawTable):
            tables.append(item)
            roles[item.locator] = label_table(item).roles
    with may_write_bytecode():
        extractor = registry.load_drawing(request["format"])
    pages = 0
    for number, picture in extractor.draw(Path(request["path"]), tables, roles):
        write_json(out, ITEM, number)
        write_frame(out, BLOB, picture)
        pages += 1
    return {"pages": pages, "tables": len(tables)}


def send_page(request: dict[str, Any], limits: Limits, out: IO[bytes]) -> dict[str, Any]:
    """Sends one page or slide as it looks: what it is made of, then its pixels."""
    with may_write_bytecode():
        extractor = registry.load_pages(request["format"])
    drawing = extractor.picture(Path(request["path"]), request["number"], limits)
    write_json(out, ITEM, drawing.head())
    write_frame(out, BLOB, drawing.png)
    return {"pages": 1}


def _send_table(doc: str, labelled: LabelledTable, out: IO[bytes]) -> None:
    raw = labelled.raw
    head = {
        "doc": doc,
        "locator": raw.locator,
        "kind": raw.kind,
        "title": raw.title,
        "bbox": raw.bbox,
        "n_rows": raw.n_rows,
        "n_cols": raw.n_cols,
        "header_rows": labelled.header_rows,
        "header_cols": labelled.header_cols,
    }
    piece = orjson.dumps(head)[:-1] + b',"cells":['
    cells = _cells(labelled)
    while batch := list(islice(cells, _CELLS_PER_FRAME)):
        write_frame(out, BLOB, piece + orjson.dumps(batch)[1:-1])
        piece = b","
    # A table without cells has sent no head yet.
    write_frame(out, BLOB, (b"]}\n" if piece == b"," else piece + b"]}\n"))


def _cells(labelled: LabelledTable) -> Iterator[dict[str, Any]]:
    raw = labelled.raw
    named_a1 = raw.addressing == "a1"
    for cell, role in zip(raw.cells, labelled.roles, strict=True):
        place = (cell.row, cell.col)
        rowspan, colspan = raw.spans.get(place, (1, 1))
        yield {
            "r": cell.row - raw.top + 1,
            "c": cell.col - raw.left + 1,
            "rowspan": rowspan,
            "colspan": colspan,
            "text": cell.text,
            "role": role,
            "ref": f"{column_letters(cell.col)}{cell.row}" if named_a1 else None,
            "bbox": raw.boxes.get(place),
        }
