"""A fact as it is laid before a person: its cell in its page and in its table, how it was read, where it comes from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from factspine.core.drawings import PageDrawing
from factspine.core.errors import FactSpineError, UsageError
from factspine.core.facts import UNKNOWN_UNIT, Fact
from factspine.core.labelled import Label
from factspine.core.locators import parse
from factspine.core.places import cell_place, text_at
from factspine.core.tables import Box, Position, RawTable
from factspine.evidence.grid import Grid, lay_out
from factspine.evidence.phrases import shown_marks, shown_unit
from factspine.evidence.view import PAGE, CellView, read_again, view_fact
from factspine.extract.registry import ROWS
from factspine.ingestion.onefile import page_drawing
from factspine.sources.vault import Vault
from factspine.store.store import FactStore

Part = Literal["cell", "name", "unit"]  # the fact's own cell, a label that names it, the cell that says its unit
_PAGE_KEYS = tuple(row.page_key for row in ROWS.values() if row.page_key)
_CLOSE_HEIGHT = 0.18  # share of a page that is seen close up, from side to side: labels stand far from their numbers
_CLOSE_HEIGHT_MAX = 0.45  # with the labels above the cell, where they are not farther than that
_CHART_MARGIN = 10.0  # points around a chart


class Outline(NamedTuple):
    """A frame drawn over a page."""

    part: Part
    box: Box


class Detail(NamedTuple):
    """One thing that is known about a fact: what, in which words, and where they stand."""

    what: str
    text: str
    place: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exhibit:
    """Everything an evidence page says about one fact."""

    view: CellView
    grid: Grid
    picture: str = ""  # the name of its page or slide in the album; "" where it has none
    no_picture: str = ""  # why a page that should have a picture has none
    outlines: tuple[Outline, ...] = ()
    close: Box | None = None  # the part of the page that is seen close up
    reading: tuple[Detail, ...]
    lineage: tuple[Detail, ...]


@dataclass(slots=True)
class Album:
    """Pages and slides by name, each drawn once however many facts stand on it."""

    store: FactStore
    pages: dict[str, PageDrawing] = field(default_factory=dict)

    def page_of(self, fact: Fact) -> str:
        """The name of the page a fact stands on; "" in a workbook."""
        place = parse(fact.source_locator)
        number = next((found for key in _PAGE_KEYS if (found := place.number(key)) is not None), None)
        if number is None:
            return ""
        if self.store.vault_path is None:
            raise UsageError("this store keeps no archive beside it")
        name = f"p{fact.source_file_hash[:16]}-{number}"
        if name not in self.pages:
            blob = Vault(self.store.vault_path).path_of(fact.source_file_hash)
            self.pages[name] = page_drawing(blob, number, name=Path(fact.source_doc_id).name)
        return name


def exhibits_of(store: FactStore, facts: Sequence[Fact], album: Album) -> list[Exhibit]:
    """What there is to see of some facts; each file is read again once, and each page goes into the album."""
    readings = read_again(store, facts) if facts else {}
    return [_exhibit(view_fact(store, fact, PAGE, readings[fact.fact_id]), album) for fact in facts]


def _exhibit(view: CellView, album: Album) -> Exhibit:
    fact = view.fact
    parts = _parts(view)
    picture, no_picture = "", ""
    outlines: tuple[Outline, ...] = ()
    try:
        picture = album.page_of(fact)
    except (FactSpineError, OSError) as error:  # the page is told without its picture, and why
        no_picture = str(error)
    if picture:
        outlines = tuple(_outlines(view, parts, album.pages[picture]))
    boxed = any(outline.part == "cell" for outline in outlines)
    return Exhibit(
        view=view,
        grid=lay_out(view, parts),
        picture=picture,
        no_picture=no_picture,
        outlines=outlines,
        close=_close_up(view, outlines, album.pages[picture]) if boxed else None,
        reading=tuple(_reading(view, parts)),
        lineage=tuple(_lineage(fact, view)),
    )


def _parts(view: CellView) -> dict[Position, Part]:
    """The cells that made the fact: its own, those that name it, and the one that says its unit."""
    raw, fact = view.table, view.fact
    found: dict[Position, Part] = {(label.row, label.col): "name" for labels in view.named_by for label in labels}
    if fact.unit_evidence and fact.unit_evidence != fact.source_locator:
        unit = next((cell for cell in raw.cells if cell_place(raw, cell.row, cell.col) == fact.unit_evidence), None)
        if unit is not None:
            found[unit.row, unit.col] = "unit"
    found[view.target] = "cell"
    return found


def _outlines(view: CellView, parts: dict[Position, Part], page: PageDrawing) -> Iterator[Outline]:
    """Frames for the cells that lie on the page of the fact; a chart has one for the fact's point, or for itself."""
    raw = view.table
    if raw.addressing == "chart":
        box = page.points.get(raw.locator, {}).get(view.target) or raw.bbox
        if box is not None:
            yield Outline("cell", box)
        return
    here = _page_number(raw, view.target)
    for position, part in parts.items():
        box = raw.boxes.get(position)
        if box is not None and _page_number(raw, position) == here:
            yield Outline(part, box)


def _page_number(raw: RawTable, position: Position) -> int | None:
    place = parse(cell_place(raw, *position))
    return next((found for key in _PAGE_KEYS if (found := place.number(key)) is not None), None)


def _close_up(view: CellView, outlines: tuple[Outline, ...], page: PageDrawing) -> Box:
    """The band of the page that the fact's own cell lies in, or the whole of its chart."""
    if view.table.addressing == "chart" and view.table.bbox is not None:
        x0, top, x1, bottom = view.table.bbox
        margin = _CHART_MARGIN
        return x0 - margin, top - margin, x1 + margin, bottom + margin
    _, top, _, bottom = next(outline.box for outline in outlines if outline.part == "cell")
    highest = min(outline.box[1] for outline in outlines)
    height = min(page.height, max(_CLOSE_HEIGHT * page.height, 2 * (bottom - top)))
    if height / 2 < bottom - highest < _CLOSE_HEIGHT_MAX * page.height:
        margin = bottom - top
        return 0.0, max(0.0, highest - margin), page.width, min(page.height, bottom + margin)
    upper = min(max(0.0, (top + bottom - height) / 2), page.height - height)
    return 0.0, upper, page.width, upper + height


def _reading(view: CellView, parts: dict[Position, Part]) -> Iterator[Detail]:
    """How the fact was read: which words named it, and which texts around it counted."""
    raw, fact = view.table, view.fact
    for what, labels in zip(("row", "column"), view.named_by, strict=True):
        for label in labels:
            yield Detail(what, label.text, _place(raw, label))
    who = (("entity", fact.entity), ("geography", fact.geography), ("channel", fact.channel))
    yield from (Detail(what, text) for what, text in who if text)
    yield Detail("period", _period(fact))
    yield Detail("unit", _unit(fact), "the cell itself" if fact.unit_evidence == fact.source_locator else "")
    if fact.unit_evidence and fact.unit_evidence != fact.source_locator:
        yield Detail("unit stated by", _text_at(view, parts), fact.unit_evidence)
    yield Detail("read as", f"{fact.metric_label} ({fact.metric_code})")
    if marks := shown_marks(fact):
        yield Detail("marks", marks)
    if fact.formula:
        yield Detail("formula", fact.formula)
    for text in raw.context:
        yield Detail(text.role.replace("_", " "), text.text, text.locator)


def _place(raw: RawTable, label: Label) -> str:
    return cell_place(raw, label.row, label.col) if raw.addressing != "chart" else raw.locator


def _period(fact: Fact) -> str:
    if not fact.period:
        return "not stated"
    days = f" ({fact.period_start} to {fact.period_end})" if fact.period_start and fact.period_end else ""
    return f"{fact.period} · {fact.period_type}{days}"


def _unit(fact: Fact) -> str:
    return "not stated" if fact.unit == UNKNOWN_UNIT and not fact.scale else shown_unit(fact.unit, fact.scale)


def _text_at(view: CellView, parts: dict[Position, Part]) -> str:
    """The words that said the unit: in a cell of the table, or beside it."""
    position = next((position for position, part in parts.items() if part == "unit"), None)
    if position is not None:
        return text_at(view.table, *position)
    return next((text.text for text in view.table.context if text.locator == view.fact.unit_evidence), "")


def _lineage(fact: Fact, view: CellView) -> Iterator[Detail]:
    yield Detail("document", fact.source_doc_id)
    yield Detail("place", fact.source_locator)
    yield Detail("table", view.table.locator)
    yield Detail("file sha256", fact.source_file_hash)
    yield Detail("fact", fact.fact_id)
    yield Detail("read by", f"{fact.extractor_version} · {fact.mapping_version}")
    yield Detail("known from", fact.known_from)
    if fact.known_to:
        yield Detail("known to", fact.known_to)
