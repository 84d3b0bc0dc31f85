# ruff: noqa: E501 - a cell on one line can be read; folded, it cannot
"""Cells that differ in their text only are parsed once; the others must read as if none had been known before."""

from __future__ import annotations

from random import Random

import pytest
from lxml import etree

from factspine.extract.pptx import tables
from factspine.extract.pptx.shapes import Transform

_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
_MATH = "http://schemas.openxmlformats.org/officeDocument/2006/math"
_TEXTS = [
    "Revenue",
    "1,320",
    " indented",
    "  deeper",
    "\u3000宽",
    "R&amp;D",
    "a &lt; b",
    "tail ",
    "&#13;",
    "営業収益",
    " ",
]
_CELLS = [
    "<a:tc><a:txBody><a:p><a:r><a:t>{0}</a:t></a:r></a:p></a:txBody><a:tcPr/></a:tc>",
    '<a:tc><a:txBody><a:p><a:r><a:rPr b="1"/><a:t>{0}</a:t></a:r></a:p></a:txBody></a:tc>',
    '<a:tc><a:txBody><a:p><a:pPr lvl="2" algn="r"/><a:r><a:t>{0}</a:t></a:r></a:p></a:txBody></a:tc>',
    '<a:tc><a:txBody><a:p><a:r><a:rPr i="1"/><a:t>{0}</a:t></a:r><a:br/><a:r><a:t>{1}</a:t></a:r></a:p></a:txBody></a:tc>',
    "<a:tc><a:txBody><a:p/><a:p><a:fld><a:t>{0}</a:t></a:fld></a:p></a:txBody></a:tc>",
    "<a:tc><a:txBody><a:p><a:r><a:t>{0}</a:t></a:r></a:p><a:p><a:r><a:t/></a:r></a:p></a:txBody></a:tc>",
    "<a:tc><a:txBody><a:p><a:r><a:t>{0}</a:t></a:r></a:p></a:txBody><a:tcPr><a:lnT><a:solidFill/></a:lnT></a:tcPr></a:tc>",
    '<a:tc gridSpan="2"><a:txBody><a:p><a:r><a:t>{0}</a:t></a:r></a:p></a:txBody></a:tc>',
    '<a:tc hMerge="1"><a:txBody><a:p><a:r><a:t>{0}</a:t></a:r></a:p></a:txBody></a:tc>',
    "<a:tc><a:txBody><a:p><a:r><a:t><![CDATA[</a:t> <a:t>]]></a:t></a:r></a:p></a:txBody></a:tc>",
    "<a:tc><a:txBody><a:p><m:m><m:t>{0}</m:t></m:m><a:r><a:t>{1}</a:t></a:r></a:p></a:txBody></a:tc>",
    "<a:tc><a:txBody><a:p><!-- <a:t>x</a:t> --><a:r><a:t>{0}</a:t></a:r></a:p></a:txBody></a:tc>",
    '<a:tc><a:txBody><a:p><a:r><a:t xml:space="preserve">{0}</a:t></a:r></a:p></a:txBody></a:tc>',
    "<a:tc><a:txBody><a:p/></a:txBody></a:tc>",
]
_ODD = [
    "<a:tc/>",
    '<a:tc vMerge="1"/>',
    f'<x:tc xmlns:x="{_DRAWING}"><x:txBody><x:p><x:r><x:t>{{0}}</x:t></x:r></x:p></x:txBody></x:tc>',
    "<b><a:tc><a:txBody><a:p><a:r><a:t>{0}</a:t></a:r></a:p></a:txBody></a:tc></b>",
]


def _table(cells: list[str], random: Random) -> str:
    rows = []
    for _ in range(random.randint(0, 5)):
        row = "".join(
            random.choice(cells).format(random.choice(_TEXTS), random.choice(_TEXTS))
            for _ in range(random.randint(0, 5))
        )
        rows.append(f'<a:tr h="9"> {row} <a:extLst/></a:tr>')
    columns = '<a:gridCol w="5"/>' * 4
    body = f"<a:tblPr/><a:tblGrid>{columns}</a:tblGrid>{''.join(rows)}"
    return f'<s xmlns:a="{_DRAWING}" xmlns:m="{_MATH}"><a:tbl>{body}</a:tbl> after</s>'


@pytest.mark.parametrize("seed", range(60))
def test_a_cell_reads_the_same_whatever_was_read_before(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts, looks, spans and boxes are those of parsing each cell, for plain tables and for odd ones."""
    random = Random(seed)  # noqa: S311 - a table, not a secret
    xml = _table(_CELLS if seed % 2 else _CELLS + _ODD, random)
    parser = etree.XMLParser(remove_comments=True)
    known = tables.read_table(etree.fromstring(xml, parser)[0], (0.0, 0.0, 9.0, 9.0), Transform())
    monkeypatch.setattr(tables, "_written_cells", lambda table, rows: None)
    parsed = tables.read_table(etree.fromstring(xml, parser)[0], (0.0, 0.0, 9.0, 9.0), Transform())
    assert known == parsed


def test_cells_that_look_alike_are_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second cell of a look is not parsed again."""
    cells = "".join(_CELLS[0].format(text) for text in "abcdef")
    xml = f'<a:tbl xmlns:a="{_DRAWING}"><a:tr h="1">{cells}</a:tr></a:tbl>'
    parsed = []
    read = tables._Cells.read
    monkeypatch.setattr(tables._Cells, "read", lambda self, cell: parsed.append(cell) or read(self, cell))
    grid = tables.read_table(etree.fromstring(xml), None, Transform())
    assert [cell.text for cell in grid.cells] == list("abcdef")
    assert len(parsed) == 1
