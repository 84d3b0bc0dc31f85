"""Annual reports as people get them: PDF pages set in columns without rulings, with running headers and page numbers.

The Chinese font is one that every PDF reader brings along, so no font file is needed and the bytes stay small.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from documents_gold import GoldFact, expect, shown_value
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import simpleSplit
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

_WIDTH, _HEIGHT = A4
LEFT, RIGHT = 64.0, _WIDTH - 64.0
_TOP, _FOOT = 78.0, _HEIGHT - 70.0
_CHINESE = "STSong-Light"
_STEP = 17.0


class Report:
    """A report being written; `y` is how far down the page writing has come."""

    def __init__(self, doc: str, running: str, *, chinese: bool = False) -> None:
        self.doc = doc
        self.facts: list[GoldFact] = []
        self._running = running
        self._normal, self._bold = (_CHINESE, _CHINESE) if chinese else ("Helvetica", "Helvetica-Bold")
        if chinese:
            pdfmetrics.registerFont(UnicodeCIDFont(_CHINESE))
        # Invariant: no dates and no random ids. Uncompressed: compression libraries differ between machines.
        self._canvas = Canvas(doc, pagesize=A4, invariant=1, pageCompression=0)
        self._canvas.setTitle(running)
        self.page = 0
        self.y = _TOP
        self.tables = 0
        self.open_page(running=False)

    def write(self, folder: Path) -> None:
        """The report as a file below a folder."""
        path = folder / self.doc
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self._canvas.getpdfdata())

    def open_page(self, *, running: bool = True) -> None:
        """The next page, with the running header and the page's number."""
        if self.page:
            self._canvas.showPage()
        self.page += 1
        self.tables = 0
        self.y = _TOP
        if running:
            self._text(LEFT, 44, self._running, 8)
            self._centred(_HEIGHT - 36, f"{self.page}", 8)

    def cover(self, *lines: tuple[str, float]) -> None:
        """The first page: lines of text with their sizes."""
        self.y = 250
        for text, size in lines:
            self._centred(self.y, text, size, bold=True)
            self.y += size * 2

    def heading(self, text: str, size: float = 14) -> None:
        self.y += 6
        self._text(LEFT, self.y, text, size, bold=True)
        self.y += size + 8

    def prose(self, *paragraphs: str, size: float = 10) -> None:
        """Paragraphs over the whole width."""
        for paragraph in paragraphs:
            for line in simpleSplit(paragraph, self._normal, size, RIGHT - LEFT):
                self._text(LEFT, self.y, line, size)
                self.y += size * 1.5
            self.y += size * 0.8

    def line(self, text: str, size: float = 9, *, right: bool = False) -> None:
        """One line of text, such as the unit of what follows."""
        if right:
            self._right(RIGHT, self.y, text, size)
        else:
            self._text(LEFT, self.y, text, size)
        self.y += size * 1.7

    def table(self, rows: Sequence[Sequence[str]], edges: Sequence[float], *, heads: int = 1) -> Table:
        """A table without rulings: labels from the left, all else to the right edges given; `<` continues a head."""
        table = Table(self, rows)
        self.tables += 1
        table.begin(0)
        size = 9.5
        for number, row in enumerate(rows):
            if self.y > _FOOT:
                self.open_page()
                self.tables += 1
                for head in rows[:heads]:
                    self._row(head, edges, size, head=True)
                table.begin(number)
            self._row(row, edges, size, head=number < heads)
        self.y += 14
        return table

    def _row(self, row: Sequence[str], edges: Sequence[float], size: float, *, head: bool) -> None:
        label = row[0]
        bold = head or label.startswith(("Total", "Profit for", "合计")) or not any(row[1:])
        indent = len(label) - len(label.lstrip())
        self._text(LEFT + 5 * indent, self.y, label.strip(), size, bold=bold)
        for column, text in enumerate(row[1:]):
            if text == "<":
                continue
            follows = sum(1 for more in row[column + 2 :] if more == "<") if head else 0
            if follows:
                middle = (edges[column] - 50 + edges[column + follows]) / 2
                self._text(middle - self._width(text, size) / 2, self.y, text, size, bold=bold)
            elif text:
                self._right(edges[column], self.y, text, size, bold=bold)
        self.y += _STEP

    def _width(self, text: str, size: float) -> float:
        return float(pdfmetrics.stringWidth(text, self._bold, size))

    def _text(self, x: float, y: float, text: str, size: float, *, bold: bool = False) -> None:
        self._canvas.setFont(self._bold if bold else self._normal, size)
        self._canvas.drawString(x, _HEIGHT - y, text)

    def _right(self, x: float, y: float, text: str, size: float, *, bold: bool = False) -> None:
        self._canvas.setFont(self._bold if bold else self._normal, size)
        self._canvas.drawRightString(x, _HEIGHT - y, text)

    def _centred(self, y: float, text: str, size: float, *, bold: bool = False) -> None:
        self._canvas.setFont(self._bold if bold else self._normal, size)
        self._canvas.drawCentredString(_WIDTH / 2, _HEIGHT - y, text)


class Table:
    """A table that was written: knows on which page each of its rows stands."""

    def __init__(self, report: Report, rows: Sequence[Sequence[str]]) -> None:
        self._report = report
        self._rows = rows
        self._parts: list[tuple[int, str]] = []  # first row and place; a head printed again counts for no row

    def begin(self, row: int) -> None:
        """From this row on the table stands where the report is now."""
        self._parts.append((row, f"page={self._report.page},table={self._report.tables}"))

    def gold(self, label: str, column: int, name: str | None, period: str, unit: str, **rest: str | None) -> None:
        """Notes the fact in the last row with a label; columns count from 1, the labels' own included."""
        row = max(n for n, cells in enumerate(self._rows) if cells[0].strip() == label)
        first, place = [part for part in self._parts if part[0] <= row][-1]
        cell = f"{place},cell=R{row - first + 1}C{column}"
        value = shown_value(self._rows[row][column - 1])
        self._report.facts.append(expect(self._report.doc, cell, name, period, value, unit, **rest))
