"""The tables of one page: ruled grids first, then what alignment alone makes a table."""

from __future__ import annotations

from factspine.extract.pdf.lattice import find_lattices
from factspine.extract.pdf.lines import build_lines
from factspine.extract.pdf.marks import PageMarks, Word
from factspine.extract.pdf.rulings import whole_rules
from factspine.extract.pdf.shapes import Found
from factspine.extract.pdf.stream import find_streams


def find_tables(marks: PageMarks) -> list[Found]:
    """All tables of a page, from top to bottom."""
    rulings = whole_rules(marks)
    found, coarse = find_lattices(marks, rulings)
    lines = build_lines(outside(marks.words, found), rulings.down)
    found += find_streams(lines, rulings, coarse)
    return sorted(found, key=lambda t: (t.box[1], t.box[0]))


def outside(words: list[Word], found: list[Found]) -> list[Word]:
    """Words in no table."""
    if not found:
        return words
    inside = {id(w) for table in found for cell in table.cells for line in cell.lines for w in line}
    return [w for w in words if id(w) not in inside]
