"""Documents whose tables look alike: same rows, same columns, some numbers the same. Which is which, and what of it?

A table that changed its page, slide or sheet moved as a whole, whatever stands in its old place now.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.test_check_edits import Fates, Outcome, fates_expected, fates_told, write_book, write_deck
from tests.test_check_edits_pdf import write_report

Rows = list[list[str]]
Tables = dict[str, Rows]  # by name, in the order of the document
Edit = Callable[[Tables], object]

# Harbour 2023 is the same number in both: where it stands now, it is not known which of the two it is.
NORTH: Rows = [["Harbour", "1,101", "1,202"], ["Garden", "1,103", "1,204"], ["Station", "1,105", "1,206"]]
SOUTH: Rows = [["Harbour", "1,101", "2,202"], ["Garden", "2,103", "2,204"], ["Station", "2,105", "2,206"]]
EAST: Rows = [["Harbour", "1,101", "3,202"], ["Garden", "3,103", "3,204"], ["Station", "3,105", "3,206"]]
HEADS = ["Site", "FY2023", "FY2024"]
ALIKE: Tables = {"North": NORTH, "South": SOUTH}
TOTAL = 12


def put(table: str, row: int, col: int, text: str) -> Edit:
    return lambda tables: tables[table][row].__setitem__(col, text)


def reorder(*names: str) -> Edit:
    def edit(tables: Tables) -> None:
        kept = {name: tables.get(name, EAST) for name in names}
        tables.clear()
        tables.update(kept)

    return edit


def both(*edits: Edit) -> Edit:
    return lambda tables: [edit(tables) for edit in edits]


def drop(table: str, row: int) -> Edit:
    return lambda tables: tables[table].pop(row)


def add(table: str, row: int) -> Edit:
    return lambda tables: tables[table].insert(row, ["Quay", "7,301", "7,402"])


EDITS: dict[str, tuple[Edit, Fates]] = {
    "exchanged": (reorder("South", "North"), {"moved": 12}),
    "one put before": (reorder("East", "North", "South"), {"moved": 12, "added": 6}),
    "one put between": (reorder("North", "East", "South"), {"moved": 6, "added": 6}),
    "first deleted": (reorder("South"), {"vanished": 6, "moved": 6}),
    "second deleted": (reorder("North"), {"vanished": 6}),
    "exchanged and changed": (
        both(put("North", 1, 1, "1,999"), reorder("South", "North"), put("South", 2, 2, "2,999")),
        {"moved": 10, "changed": 2},
    ),
    "one put before and changed": (
        both(put("South", 0, 1, "8,001"), reorder("East", "North", "South")),
        {"moved": 11, "changed": 1, "added": 6},
    ),
    "first deleted, second changed": (
        both(put("South", 0, 2, "8,001"), reorder("South")),
        {"vanished": 6, "moved": 5, "changed": 1},
    ),
    "exchanged, and a row more": (
        both(add("North", 0), reorder("South", "North")),
        {"moved": 12, "added": 2},
    ),
    "exchanged, and a row less": (
        both(drop("South", 1), reorder("South", "North")),
        {"moved": 10, "vanished": 2},
    ),
    "a row less here, a row more there": (both(drop("North", 2), add("South", 3)), {"vanished": 2, "added": 2}),
    "a cell changed": (put("South", 2, 2, "2,999"), {"changed": 1}),
    "a cell now as in the other": (put("South", 2, 2, "1,206"), {"changed": 1}),
}


def report(path: Path, tables: Tables, *, titled: bool) -> None:
    pages = [
        {"title": f"Orders {name.lower()} (units)" if titled else "", "heads": HEADS, "rows": rows}
        for name, rows in tables.items()
    ]
    write_report(path, pages)


def drawn(rows: Rows) -> str:
    return "\n".join("|" + "|".join(row) + "|" for row in [HEADS, *rows])


def deck(path: Path, tables: Tables, *, titled: bool) -> None:
    write_deck(path, [{"title": name if titled else "", "table": drawn(rows)} for name, rows in tables.items()])


def one_slide(path: Path, tables: Tables) -> None:
    write_deck(path, [{"title": "Orders", "table": "\n\n".join(drawn(rows) for rows in tables.values())}])


def one_sheet(path: Path, tables: Tables, *, titled: bool) -> None:
    lines: list[list[Any]] = []
    for name, rows in tables.items():
        lines += [[], *([[f"Orders {name.lower()}"]] if titled else []), list(HEADS)]
        lines += [[label, *(float(text.replace(",", "")) for text in texts)] for label, *texts in rows]
        lines += [[] for _ in range(-len(lines) % 10)]  # so that a row more does not move what is below
    write_book(path, {"Orders": lines})


MAKERS: dict[str, Callable[[Path, Tables], None]] = {
    "titled.pdf": partial(report, titled=True),
    "untitled.pdf": partial(report, titled=False),
    "titled.pptx": partial(deck, titled=True),
    "untitled.pptx": partial(deck, titled=False),
    "one slide.pptx": one_slide,
    "titled.xlsx": partial(one_sheet, titled=True),
    "untitled.xlsx": partial(one_sheet, titled=False),
}


def edited(make: Callable[[Path, Tables], None], edit: Edit) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        tables = deepcopy(ALIKE)
        edit(tables)
        make(path, deepcopy(tables))

    return write


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    writers = {
        f"{edit} {name}": (partial(make, tables=ALIKE), edited(make, change))
        for name, make in MAKERS.items()
        for edit, (change, _) in EDITS.items()
    }
    return Outcome(tmp_path_factory.mktemp("alike"), writers)


@pytest.mark.parametrize("document", MAKERS)
@pytest.mark.parametrize("edit", EDITS)
def test_edit_of_tables_that_look_alike(outcome: Outcome, edit: str, document: str) -> None:
    """Whole tables are followed first, by title and by what they say, and cells within them."""
    assert fates_told(outcome, f"{edit} {document}") == fates_expected(EDITS[edit][1], TOTAL)


def test_documents_nobody_edited_match(outcome: Outcome) -> None:
    """Before the edits, and after they were ingested, everything matches."""
    assert outcome.sound == outcome.sound_after == {}


def sheets(path: Path, tables: Tables) -> None:
    """A sheet for each table; two tables on one where a name says so."""
    book: dict[str, list[list[Any]]] = {}
    for name, rows in tables.items():
        lines = book.setdefault(name.partition(" and ")[0], [])
        lines += [[] for _ in range(-len(lines) % 10)]
        lines.append(list(HEADS))
        lines += [[label, *(float(text.replace(",", "")) for text in texts)] for label, *texts in rows]
    write_book(path, book)


def rename(**names: str) -> Edit:
    def edit(tables: Tables) -> None:
        kept = {names.get(name, name): rows for name, rows in tables.items()}
        tables.clear()
        tables.update(kept)

    return edit


def trade(tables: Tables) -> None:
    tables["North"], tables["South"] = tables["South"], tables["North"]


SHEET_EDITS: dict[str, tuple[Edit, Fates]] = {
    "one renamed": (rename(North="Far north"), {"moved": 6}),
    "both renamed": (rename(North="N", South="S"), {"moved": 12}),
    "one renamed and changed": (both(put("North", 1, 1, "1,999"), rename(North="N")), {"moved": 5, "changed": 1}),
    "one renamed, one changed": (both(put("South", 1, 1, "2,999"), rename(North="N")), {"moved": 6, "changed": 1}),
    "one deleted": (reorder("South"), {"vanished": 6}),
    "one added before": (reorder("East", "North", "South"), {"added": 6}),
    "put on one sheet": (
        both(reorder("South", "North"), rename(North="South and North")),
        {"moved": 6},
    ),
    "one added where another was, which was renamed": (
        both(rename(North="Old"), lambda tables: tables.update(North=deepcopy(EAST))),
        # The sheet of that name says something else now: whoever asks what it said is told that it changed.
        {"changed": 5, "added": 6},
    ),
    "contents exchanged": (trade, {"changed": 10}),
}


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    make = partial(sheets, tables=ALIKE)
    writers = {f"{name}.xlsx": (make, edited(sheets, change)) for name, (change, _) in SHEET_EDITS.items()}
    return Outcome(tmp_path_factory.mktemp("books"), writers)


@pytest.mark.parametrize("edit", SHEET_EDITS)
def test_edit_of_sheets_that_look_alike(books: Outcome, edit: str) -> None:
    """A sheet's name is part of its tables' names; what bears another name is followed by what it says."""
    assert fates_told(books, f"{edit}.xlsx") == fates_expected(SHEET_EDITS[edit][1], TOTAL)
