"""The second reader of decks: what stands at a locator according to python-pptx's own objects.

It shares with the first reader the locator grammar and the canonical form of decimals, and no other code: slides are
found through python-pptx's package names, shapes by XPath over its element classes, text through its cells and
paragraphs. Parts are opened one by one, so that a deck with a broken slide or a gigabyte of pictures
can still be read back.
"""

from __future__ import annotations

import re
import unicodedata
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pptx.opc.packuri import PackURI
from pptx.oxml import parse_xml
from pptx.oxml.ns import qn
from pptx.table import Table

from factspine.core.errors import UsageError
from factspine.core.locators import Locator, cell_position, parse
from factspine.extract.pptx.chartback import ChartBack, find_all
from factspine.extract.pptx.tags import STRICT_ADDRESSES

if TYPE_CHECKING:
    from pptx.shapes.graphfrm import GraphicFrame

Reading = tuple[str, str | None]
NOTHING: Reading = ("", None)
_SHAPE = "self::p:sp or self::p:pic or self::p:graphicFrame or self::p:grpSp or self::p:cxnSp or self::p:contentPart"
_CHOSEN = f"mc:Choice[*[{_SHAPE}]]"
_ALL_SHAPES = (
    f".//*[{_SHAPE}][not(ancestor::p:graphicFrame)]"
    f"[not(ancestor::mc:Fallback[preceding-sibling::{_CHOSEN}])]"
    f"[not(ancestor::mc:Choice[preceding-sibling::{_CHOSEN}])]"
)
_CONTENT = "(.//a:graphicData//a:tbl|.//a:graphicData//c:chart|.//a:graphicData//cx:chart)[1]"
_RAISABLE = re.compile(r"(?:[\d\s(),*†‡-]+|[\s(]*[a-e](?:[\s,]+[a-e])*[\s)]*)$")
_PAGE_FURNITURE = {"sldImg", "sldNum", "hdr", "ftr", "dt"}


def read_back(path: Path, locators: Sequence[str]) -> list[Reading]:
    """What stands at each locator: text, and the exact value of a chart's point. Nothing there is `("", None)`."""
    readings: list[Reading] = []
    with zipfile.ZipFile(path) as archive:
        deck = _Deck(archive)
        for text in locators:
            readings.append(_at(deck, text))
    return readings


def _at(deck: _Deck, text: str) -> Reading:
    try:
        place = parse(text)
    except UsageError:
        return NOTHING
    slide = deck.slide(place.number("slide") or 0)
    if slide is None:
        return NOTHING
    for key, reader in (
        ("table", slide.cell),
        ("chart", slide.point),
        ("notes", slide.note),
        ("comment", slide.comment),
        ("shape", slide.paragraph),
    ):
        if place.get(key) is not None:
            return reader(place)
    return NOTHING


class _Deck:
    """The slides of a deck, opened when asked for."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._names = {name.lower(): name for name in archive.namelist()}
        self._slides: dict[int, _Slide | None] = {}
        main = next((uri for kind, uri in self.links(PackURI("/")).values() if kind == "officeDocument"), None)
        self._main = main or PackURI("/ppt/presentation.xml")
        self._order = self._slide_order()

    def _slide_order(self) -> list[PackURI | None]:
        presentation = self.part(self._main)
        if presentation is None or presentation.sldIdLst is None:
            return []
        links = self.links(self._main)
        ids = [entry.get(qn("r:id")) for entry in presentation.sldIdLst.sldId_lst]
        return [links[key][1] if key in links else None for key in ids]

    def part(self, uri: PackURI) -> Any | None:
        """The root element of a part, of python-pptx's classes; None where it is missing or damaged."""
        name = self._names.get(uri.membername.lower())
        if name is None:
            return None
        try:
            data = self._archive.read(name)
            for strict, transitional in STRICT_ADDRESSES:
                data = data.replace(strict, transitional)
            return parse_xml(data)
        except Exception:  # a part this reader cannot open holds nothing it can vouch for
            return None

    def links(self, uri: PackURI) -> dict[str, tuple[str, PackURI]]:
        """The relations of a part by id: kind, and the part they lead to."""
        root = self.part(PackURI(uri.rels_uri))
        if root is None:
            return {}
        return {
            rel.rId: (rel.reltype.rpartition("/")[2], PackURI.from_rel_ref(uri.baseURI, rel.target_ref))
            for rel in root.relationship_lst
            if rel.get("TargetMode") != "External"
        }

    def slide(self, number: int) -> _Slide | None:
        """The slide at a 1-based position."""
        if number not in self._slides:
            uri = self._order[number - 1] if 1 <= number <= len(self._order) else None
            root = self.part(uri) if uri is not None else None
            self._slides[number] = _Slide(self, root, self.links(uri)) if root is not None and uri is not None else None
        return self._slides[number]


class _Slide:
    """One slide, its shapes in the numbering of locators."""

    def __init__(self, deck: _Deck, root: Any, links: dict[str, tuple[str, PackURI]]) -> None:
        self._deck = deck
        self._links = links
        self._shapes = find_all(root.cSld.spTree, _ALL_SHAPES)
        frames = [shape for shape in self._shapes if shape.tag == qn("p:graphicFrame")]
        contents = [find_all(frame, _CONTENT) for frame in frames]
        self._tables = [found[0] for found in contents if found and found[0].tag == qn("a:tbl")]
        self._charts = [found[0] for found in contents if found and found[0].tag != qn("a:tbl")]
        self._cells: dict[int, list[list[Any]]] = {}
        self._points: dict[int, ChartBack | None] = {}

    def cell(self, place: Locator) -> Reading:
        """The text of a table's cell."""
        number, position = place.number("table") or 0, cell_position(place.get("cell") or "")
        if position is None or not 1 <= number <= len(self._tables):
            return NOTHING
        if number not in self._cells:
            table = Table(self._tables[number - 1], cast("GraphicFrame", None))  # only needed to change a table
            self._cells[number] = [list(row.cells) for row in table.rows]
        rows = self._cells[number]
        row, col = position
        if row > len(rows) or col > len(rows[row - 1]) or rows[row - 1][col - 1].is_spanned:
            return NOTHING
        return _tidy("\n".join(_paragraphs(rows[row - 1][col - 1].text_frame._txBody))), None

    def point(self, place: Locator) -> Reading:
        """The value of a chart's point."""
        number = place.number("chart") or 0
        if not 1 <= number <= len(self._charts):
            return NOTHING
        if number not in self._points:
            _, uri = self._links.get(self._charts[number - 1].get(qn("r:id")), ("", None))
            root = self._deck.part(uri) if uri is not None else None
            self._points[number] = ChartBack(root) if root is not None else None
        chart = self._points[number]
        return chart.point(place) if chart is not None else NOTHING

    def paragraph(self, place: Locator) -> Reading:
        """A paragraph of a text frame or of a diagram."""
        number = place.number("shape") or 0
        if not 1 <= number <= len(self._shapes):
            return NOTHING
        shape = self._shapes[number - 1]
        diagram = find_all(shape, ".//dgm:relIds/@r:dm")
        if diagram:
            return _pick(self._diagram(diagram[0]), place)
        bodies = find_all(shape, "./p:txBody")
        return _pick(_paragraphs(bodies[0]), place) if bodies else NOTHING

    def _diagram(self, relation: str) -> list[str]:
        _, uri = self._links.get(relation, ("", None))
        root = self._deck.part(uri) if uri is not None else None
        if root is None:
            return []
        bodies = find_all(root, ".//dgm:pt[not(@type) or @type='node' or @type='asst']/dgm:t")
        return [text for body in bodies for text in _paragraphs(body)]

    def note(self, place: Locator) -> Reading:
        """A paragraph of the notes page."""
        root = self._first_part("notesSlide")
        number = place.number("notes") or 0
        frames = [
            body
            for body in (find_all(root, ".//p:sp/p:txBody") if root is not None else [])
            if not set(find_all(body, "../p:nvSpPr/p:nvPr/p:ph/@type")) & _PAGE_FURNITURE
        ]
        return _pick(_paragraphs(frames[number - 1]), place) if 1 <= number <= len(frames) else NOTHING

    def comment(self, place: Locator) -> Reading:
        """A comment, counted through the slide's comment parts."""
        texts = []
        for kind, uri in self._links.values():
            root = self._deck.part(uri) if kind == "comments" else None
            for found in find_all(root, ".//p:cm|.//p188:cm|.//p188:reply") if root is not None else []:
                plain = find_all(found, "./p:text/text()")
                bodies = find_all(found, "./p188:txBody")
                texts.append("".join(plain) if plain else "\n".join(_paragraphs(bodies[0])) if bodies else "")
        number = place.number("comment") or 0
        return (_tidy(texts[number - 1]), None) if 1 <= number <= len(texts) else NOTHING

    def _first_part(self, kind: str) -> Any | None:
        uri = next((uri for found, uri in self._links.values() if found == kind), None)
        return self._deck.part(uri) if uri is not None else None


def _pick(paragraphs: list[str], place: Locator) -> Reading:
    number = place.number("para")
    if number is None:
        return _tidy("\n".join(paragraphs)), None
    return (_tidy(paragraphs[number - 1]), None) if 1 <= number <= len(paragraphs) else NOTHING


def _paragraphs(body: Any) -> list[str]:
    return [_written(paragraph) for paragraph in find_all(body, "a:p")]


def _written(paragraph: Any) -> str:
    """The text of a paragraph; notes raised behind a word or number stay raised."""
    texts: list[str] = []
    for piece in paragraph.content_children:
        is_high = any(not level.startswith(("-", "0")) for level in find_all(piece, "a:rPr/@baseline") if level)
        behind = "".join(texts)[-1:] not in ("", "\v")
        texts.append(_high(piece.text) if is_high and behind and _RAISABLE.match(piece.text) else piece.text)
    return "".join(texts)


def _high(text: str) -> str:
    """Characters in their raised form, by their names; those that have none as they are."""
    names = {c: unicodedata.name(c, "").replace("DIGIT", "SUPERSCRIPT") for c in text if c.isdigit()}
    names |= {c: f"SUPERSCRIPT {unicodedata.name(c)}" for c in "()"}
    names |= {c: f"MODIFIER LETTER SMALL {c.upper()}" for c in "abcde"}
    return "".join(unicodedata.lookup(names[c]) if c in names else c for c in text)


def _tidy(text: str) -> str:
    return text.replace("\v", "\n").strip()
