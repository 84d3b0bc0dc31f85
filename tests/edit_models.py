"""Made documents whose tables are alike on purpose, edited at random: every number keeps its name through the edits, so
that what became of it is known without looking at the comparison.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import openpyxl
from reportlab.pdfgen.canvas import Canvas

from tests.deckmaking import add_slide, add_table, new_deck

LABELS = ("Harbour", "Garden", "Station", "Quay", "Market", "Mill")
REPEATED = "Other"
HEADS = ("FY2021", "FY2022", "FY2023", "FY2024", "FY2025")
SHARED = ("11,111", "22,222", "33,333")  # numbers that stand in many cells
TITLES = (
    "Orders north",
    "Orders south",
    "Orders east",
    "Orders west",
    "Orders abroad",
    "Orders online",
    "Orders total",
)
BLOCK = 15  # rows of a sheet for each table, so that a row more does not move what is below
Name = tuple[int, int, int]  # table, row, column


@dataclass
class Table:
    """A table: rows and columns by number, each with its label, and the texts of the cells."""

    number: int
    title: str
    rows: dict[int, str]
    cols: dict[int, str]
    texts: dict[Name, str]

    def cells(self) -> Iterator[tuple[int, int, Name]]:
        """Row, column (both 1-based, heads included) and name of each cell that holds something."""
        for r, row in enumerate(self.rows, 2):
            for c, col in enumerate(self.cols, 2):
                if (self.number, row, col) in self.texts:
                    yield r, c, (self.number, row, col)

    def drawn(self) -> list[list[str]]:
        """The table as lines of texts."""
        lines = [["Site", *self.cols.values()]]
        for row, label in self.rows.items():
            lines.append([label, *(self.texts.get((self.number, row, col), "") for col in self.cols)])
        return lines


@dataclass
class Model:
    """A document: its tables in order, and dice."""

    dice: Random
    titled: bool
    tables: list[Table] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=lambda: count(1))
    fresh: Iterator[int] = field(default_factory=lambda: count(40_001, 7))
    named: int = 0
    done: list[str] = field(default_factory=list)

    def text(self) -> str:
        """A number for a cell: one that stands nowhere else, or now and then one that stands in many."""
        return self.dice.choice(SHARED) if self.dice.random() < 0.4 else self.new_text()

    def new_text(self) -> str:
        """A number that stands nowhere else."""
        return f"{next(self.fresh):,}"

    def add_table(self, at: int) -> None:
        """A table with the labels of all the others."""
        number = next(self.numbers)
        title = TITLES[self.named] if self.titled else ""
        self.named += 1
        repeated = {1, 2, 4, 5} if self.dice.random() < 0.5 else set()
        rows = {next(self.numbers): REPEATED if place in repeated else LABELS[place] for place in range(6)}
        cols = {next(self.numbers): head for head in HEADS[1:4]}
        texts = {(number, row, col): self.text() for row in rows for col in cols}
        table = Table(number, title, rows, cols, texts)
        self.tables.insert(at, table)


def made(seed: int, *, titled: bool = False) -> Model:
    """A document of two to four tables that look alike; in half of the documents they have titles."""
    dice = Random(seed)  # noqa: S311 - documents are to be made again from their numbers
    model = Model(dice, titled=titled or dice.random() < 0.5)
    for place in range(dice.randint(2, 4)):
        model.add_table(place)
    return model


def edit(model: Model) -> None:
    """One edit of some kind."""
    dice = model.dice
    table = dice.choice(model.tables)
    kind = dice.choice(
        (
            "cell",
            "cell",
            "emptied",
            "row in",
            "row out",
            "row moved",
            "column in",
            "column out",
            "columns exchanged",
            "table in",
            "table out",
            "table moved",
        )
    )
    if kind == "cell":
        table.texts[dice.choice(sorted(table.texts))] = model.new_text()
    elif kind == "emptied":
        table.texts.pop(dice.choice(sorted(table.texts)))
    elif kind == "row in":
        row = next(model.numbers)
        table.rows = _with(table.rows, dice.randint(0, len(table.rows)), row, f"Site {row}")
        table.texts |= {(table.number, row, col): model.new_text() for col in table.cols}
    elif kind == "row out":
        _drop(table, dice.choice(list(table.rows)), 1)
    elif kind == "row moved":
        row = dice.choice(list(table.rows))
        label = table.rows.pop(row)
        table.rows = _with(table.rows, dice.randint(0, len(table.rows)), row, label)
    elif kind == "column in" and HEADS[0] not in table.cols.values():
        col = next(model.numbers)
        table.cols = {col: HEADS[0], **table.cols}
        table.texts |= {(table.number, row, col): model.new_text() for row in table.rows}
    elif kind == "column out" and len(table.cols) > 2:
        _drop(table, dice.choice(list(table.cols)), 2)
    elif kind == "columns exchanged":
        table.cols = dict(reversed(table.cols.items()))
    elif kind == "table in" and "table out" not in model.done:  # another in its place: gone, or changed?
        model.add_table(dice.randint(0, len(model.tables)))
    elif kind == "table out" and len(model.tables) > 1 and "table in" not in model.done:
        model.tables.remove(table)
    elif kind == "table moved":
        model.tables.remove(table)
        model.tables.insert(dice.randint(0, len(model.tables)), table)
    model.done.append(kind)


def _with(items: dict[int, str], at: int, key: int, label: str) -> dict[int, str]:
    entries = list(items.items())
    entries.insert(at, (key, label))
    return dict(entries)


def _drop(table: Table, key: int, place: int) -> None:
    (table.rows if place == 1 else table.cols).pop(key)
    table.texts = {name: text for name, text in table.texts.items() if name[place] != key}


Places = dict[tuple[str, str], tuple[Name, str]]  # container and cell -> the number's name and text


def write_deck(path: Path, model: Model) -> Places:
    """A slide for each table."""
    deck = new_deck()
    places: Places = {}
    for number, table in enumerate(model.tables, 1):
        add_table(add_slide(deck, table.title).shapes, "\n".join("|" + "|".join(line) + "|" for line in table.drawn()))
        for r, c, name in table.cells():
            places[f"slide={number},table=1", f"R{r}C{c}"] = name, table.texts[name]
    deck.save(str(path))
    return places


def write_report(path: Path, model: Model) -> Places:
    """A page for each table."""
    canvas = Canvas(str(path), pagesize=(595, 842), invariant=1)
    places: Places = {}
    for number, table in enumerate(model.tables, 1):
        canvas.setFont("Helvetica-Bold", 14)
        canvas.drawString(72, 770, table.title)
        canvas.setFont("Helvetica", 10)
        for r, line in enumerate(table.drawn()):
            for c, text in enumerate(line):
                at = 740 - 18 * r
                canvas.drawString(72, at, text) if not c else canvas.drawRightString(160 + 80 * c, at, text)
        canvas.showPage()
        for r, c, name in table.cells():
            places[f"page={number},table=1", f"R{r}C{c}"] = name, table.texts[name]
    canvas.save()
    return places


def write_sheet(path: Path, model: Model) -> Places:
    """All tables on one sheet, below each other."""
    book = openpyxl.Workbook()
    sheet: Any = book.active
    sheet.title = "Orders"
    places: Places = {}
    for number, table in enumerate(model.tables):
        top = 1 + BLOCK * number
        if table.title:
            sheet.cell(top, 1, table.title)
        for r, line in enumerate(table.drawn(), 1):
            for c, text in enumerate(line, 1):
                if text:
                    sheet.cell(top + r, c, text if r == 1 or c == 1 else int(text.replace(",", "")))
        for r, c, name in table.cells():
            places["sheet=Orders", f"{'ABCDEFGH'[c - 1]}{top + r}"] = name, table.texts[name]
    book.save(path)
    return places


WRITERS = {"pptx": write_deck, "pdf": write_report, "xlsx": write_sheet}
