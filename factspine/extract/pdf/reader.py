"""A PDF from its first page to its last: tables, passages, findings.

Two neighbours on either side are known before a page is taken apart, because only they tell a running header from a
caption; a table that reaches the foot of a page waits for the next page before it is handed on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pypdfium2.raw as pdfium

from factspine.core.errors import InputRejected, LimitExceeded
from factspine.core.findings import Finding
from factspine.core.limits import Limits
from factspine.core.tables import ContextText, Item, Passage, RawTable
from factspine.extract.pdf.assemble import Part, page_of
from factspine.extract.pdf.continuation import OpenTable
from factspine.extract.pdf.glyphs import read_page
from factspine.extract.pdf.layout import Layout, lay_out
from factspine.extract.pdf.lines import Line
from factspine.extract.pdf.marks import PageMarks
from factspine.extract.pdf.prose import Paragraph, Sections, body_size, paragraphs_of
from factspine.extract.pdf.running import Edges, running_words, without
from factspine.extract.pdf.second import SecondOpinion
from factspine.extract.pdf.surrounds import context_above, context_below, is_lost_header

_AHEAD = 2
_SCANNED_CHARS = 30
_UNMAPPED_BULLETS = 10  # a few ornaments without a code are no loss; each stays visible as U+FFFD where it stands
_TITLES_MAX = 4
_TITLE_LENGTH_MAX = 120
_SECTIONS_MAX = 3
_INDENT_MAX = 24.0


def read_document(path: Path, limits: Limits, first: int = 1) -> Iterator[Item]:
    """Everything a PDF says, page by page; damaged pages become findings, a damaged file `InputRejected`.

    Whoever looks for one cell need not begin at the first page; see `settled_from`.
    """
    pdfium.FPDF_InitLibrary()
    document = pdfium.FPDF_LoadDocument(str(path).encode() + b"\0", None)
    if not document:
        raise _rejection(pdfium.FPDF_GetLastError())
    try:
        pages = pdfium.FPDF_GetPageCount(document)
        if pages > limits.pages_max:
            raise LimitExceeded("pages_max", pages, limits.pages_max)
        if pages <= 0:
            raise InputRejected("FS201", "The document has no pages.", remedy="Export it again.")
        reader = _Reader(document, pages, limits, min(first, pages))
        second = SecondOpinion(path, limits, reader.chars_of)
        for item in reader.items():
            if isinstance(item, RawTable):
                table, findings = second.settle(item)
                yield table
                yield from findings
            else:
                yield item
    finally:
        pdfium.FPDF_CloseDocument(document)


def settled_from(first: int) -> int:
    """The first page whose tables are read alike from that first page as from the very first, if none began earlier."""
    return 1 if first == 1 else first + _AHEAD


def _rejection(error: int) -> InputRejected:
    if error == pdfium.FPDF_ERR_PASSWORD:
        return InputRejected("FS107", "The document needs a password.", remedy="Save it without one.")
    if error == pdfium.FPDF_ERR_SECURITY:
        return InputRejected(
            "FS107", "The document is protected in a way that cannot be read.", remedy="Save it without protection."
        )
    return InputRejected("FS201", "The document's structure is damaged.", remedy="Export it again.")


class _Reader:
    def __init__(self, document: Any, pages: int, limits: Limits, first: int) -> None:
        self._document = document
        self._first = first
        self._pages = pages
        self._limits = limits
        self._sections = Sections()
        self._size = 0.0
        self._titles: list[ContextText] = []
        self._running: ContextText | None = None  # what the running header or footer says
        self._open: OpenTable | None = None
        self._hidden = 0
        self._cells = 0
        self.chars_of: dict[int, int] = {}  # by page number

    def items(self) -> Iterator[Item]:
        window: deque[Edges] = deque()  # up to two pages behind, this one, up to two ahead
        findings: dict[int, list[Finding]] = {}
        loaded = self._first - 1
        for number in range(self._first, self._pages + 1):
            while loaded < min(self._pages, number + _AHEAD):
                loaded += 1
                marks, findings[loaded] = self._load(loaded)
                window.append(Edges(marks))
            yield from findings.pop(number)
            here = next(e for e in window if e.marks.number == number)
            yield from self._page(here, [e for e in window if e is not here])
            while window and window[0].marks.number < number - _AHEAD + 1:
                window.popleft()
            # Only the edges of a page are looked at again.
            here.marks.words = []
        if self._open is not None:
            yield self._open.finish()
        if self._hidden:
            yield Finding.of("FS209", f"{self._hidden:,} characters that nobody sees were left out.", locator="page=1")

    def _load(self, number: int) -> tuple[PageMarks, list[Finding]]:
        locator = f"page={number}"
        try:
            marks = read_page(self._document, number, self._limits)
        except LimitExceeded as error:
            finding = Finding.of("FS207", f"The page is too full: {error}", locator=locator, remedy=error.remedy)
            return PageMarks(number, 1.0, 1.0), [finding]
        except (ValueError, OverflowError) as error:
            finding = Finding.of("FS207", f"The page cannot be read: {error}", locator=locator)
            return PageMarks(number, 1.0, 1.0), [finding]
        self._hidden += marks.hidden
        self.chars_of[number] = marks.chars
        return marks, _page_findings(marks, locator)

    def _page(self, page: Edges, neighbours: list[Edges]) -> Iterator[Item]:
        marks = page.marks
        if self._open is not None and self._open.page < marks.number - 1:
            yield self._open.finish()  # the page in between had nothing of it
            self._open = None
        dropped, running = running_words(page, neighbours)
        marks.words = without(marks.words, dropped)
        named = next((t for t in running if len(t) <= _TITLE_LENGTH_MAX and any(c.isalpha() for c in t)), "")
        if named:
            self._running = ContextText(role="document", text=named, locator=f"page={marks.number}")
        layout = lay_out(marks)
        paragraphs = self._paragraphs(layout, marks.number)
        owners = {id(line): p for p in paragraphs for line in p.lines}
        parts = self._parts(layout, marks)
        if marks.number == 1:
            lines = [line for region in layout.prose for line in region]
            said = {text.locator for part in parts for text in context_above(part.found, lines, owners)[1]}
            self._titles = _titles([p for p in paragraphs if p.locator not in said])
        yield from self._merge(paragraphs, parts, layout, owners)

    def _paragraphs(self, layout: Layout, number: int) -> list[Paragraph]:
        self._size = body_size(layout.prose, self._size)
        paragraphs = [p for region in layout.prose for p in paragraphs_of(region, self._size)]
        for index, paragraph in enumerate(paragraphs, start=1):
            paragraph.locator = f"page={number},para={index}"
        return paragraphs

    def _parts(self, layout: Layout, marks: PageMarks) -> list[Part]:
        parts = []
        for index, table in enumerate(layout.tables, start=1):
            self._cells += len(table.cells)
            if self._cells > self._limits.cells_max:
                raise LimitExceeded("cells_max", self._cells, self._limits.cells_max, locator=f"page={marks.number}")
            locator = f"page={marks.number},table={index}"
            parts.append(Part(table, locator, marks.width, marks.height, marks.turn))
        return parts

    def _merge(
        self, paragraphs: list[Paragraph], parts: list[Part], layout: Layout, owners: dict[int, Paragraph]
    ) -> Iterator[Item]:
        """Paragraphs and tables in the order of the page."""
        lines = [line for region in layout.prose for line in region]
        waiting = deque(parts)
        for paragraph in paragraphs:
            while waiting and waiting[0].found.box[1] < paragraph.lines[0].top and _beside(waiting[0], paragraph):
                yield from self._table(waiting.popleft(), parts, lines, owners)
            if paragraph.heading:
                self._sections.enter(paragraph, page_of(paragraph.locator))
            yield Passage(
                locator=paragraph.locator,
                text=paragraph.text,
                kind="title" if paragraph.heading else "text",
                section=self._sections.path,
            )
        while waiting:
            yield from self._table(waiting.popleft(), parts, lines, owners)

    def _table(self, part: Part, parts: list[Part], lines: list[Any], owners: dict[int, Paragraph]) -> Iterator[Item]:
        part.title, above = context_above(part.found, lines, owners)
        sections = [
            ContextText(role="section", text=text, locator=place)
            for text, place in self._sections.places(page_of(part.locator))
        ]
        part.context = [*self._document_texts(), *sections, *above, *context_below(part.found, lines, owners)]
        top, bottom = part.found.box[1], part.found.box[3]
        above_it = [li for li in lines if li.base < top]
        first = part is parts[0] and len(above_it) <= _SECTIONS_MAX and all(self._goes_on(li, part) for li in above_it)
        last = part is parts[-1] and not any(li.base > bottom for li in lines)
        if self._open is not None:
            joined = first and self._open.take(part)
            if joined and last:
                return
            yield self._open.finish()
            self._open = None
            if joined:
                return
        self._open = OpenTable(part)
        if not last:
            yield self._open.finish()
            self._open = None

    def _goes_on(self, line: Line, part: Part) -> bool:
        """Whether a line over a table at the head of a page lets it go on with the one on the page before."""
        return _is_section(line, part) or (self._open is not None and self._open.told_again(line.text, part))

    def _document_texts(self) -> list[ContextText]:
        return [*self._titles, self._running] if self._running else list(self._titles)


def _is_section(line: Line, part: Part) -> bool:
    """Whether a line over a table is the name of a section of it: it begins where its labels do and ends before the
    figures. At the head of a page, over figures without a header, it tells of a table that began on the page before.
    """
    labels = [cell.box for cell in part.found.cells if cell.col == 0]
    figures = [cell.box for cell in part.found.cells if cell.col > 0]
    headless = any(cell.row == 0 and cell.col > 0 and cell.kind in "nd" for cell in part.found.cells)
    if not labels or not figures or not headless or len(line.runs) != 1 or line.text.endswith("."):
        return False
    return abs(line.x0 - min(box[0] for box in labels)) < _INDENT_MAX and line.x1 < min(box[0] for box in figures)


def _beside(part: Part, paragraph: Paragraph) -> bool:
    """Whether a table stands in the same column of the page as a paragraph."""
    x0, x1 = min(li.x0 for li in paragraph.lines), max(li.x1 for li in paragraph.lines)
    return part.found.box[0] < x1 and x0 < part.found.box[2]


def _titles(paragraphs: list[Paragraph]) -> list[ContextText]:
    """What the first page says largest: usually who reports, and for when."""
    told = [p for p in paragraphs if not is_lost_header(p.lines[0])]
    short = [p for p in told if len(p.text) <= _TITLE_LENGTH_MAX and any(c.isalpha() for c in p.text)]
    largest = sorted(short, key=lambda p: -p.size)[:_TITLES_MAX]
    return [ContextText(role="document", text=p.text, locator=p.locator) for p in short if p in largest]


def _page_findings(marks: PageMarks, locator: str) -> list[Finding]:
    findings = []
    if marks.unmapped > _UNMAPPED_BULLETS:
        findings.append(
            Finding.of(
                "FS207",
                f"{marks.unmapped:,} characters are in a font that does not say what they are.",
                locator=locator,
                remedy="Export the document with Unicode maps in its fonts.",
            )
        )
    area = sum((b[2] - b[0]) * (b[3] - b[1]) for b in marks.pictures)
    if marks.chars < _SCANNED_CHARS and area > 0.3 * marks.width * marks.height:
        findings.append(Finding.of("FS211", locator=locator, remedy="Run text recognition on the document first."))
    return findings
