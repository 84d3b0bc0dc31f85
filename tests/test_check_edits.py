"""Whatever is done to a document, read-back says of each fact whether it matches, moved, changed or is missing.

The change report of the next ingest must say the same: it is the same comparison.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from factspine.core.changes import FATES
from factspine.ingestion.pipeline import ingest
from factspine.integrity.checker import check
from factspine.store.store import FactStore
from tests.deckmaking import add_chart, add_slide, add_table, new_deck

Sheets = dict[str, list[list[Any]]]
Fates = dict[str, int]

BOOK: Sheets = {
    "Revenue": [
        ["Revenue (US$ million)", "FY2023", "FY2024"],
        ["Asia", 120, 132.5],
        ["Europe", 80, 91.25],
        ["Africa", 40, 44],
    ],
    "Costs": [["Costs (US$ million)", "FY2023", "FY2024"], ["Staff", 30, 31], ["Rent", 10, 12]],
}


def write_book(path: Path, sheets: Sheets, touch: Callable[[Any], None] | None = None) -> None:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    if touch is not None:
        touch(book)
    book.save(path)


def edited(edit: Callable[[Sheets], None]) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        sheets = copy.deepcopy(BOOK)
        edit(sheets)
        write_book(path, sheets)

    return write


def put(row: int, col: int, value: object) -> Callable[[Path], None]:
    def edit(sheets: Sheets) -> None:
        sheets["Revenue"][row][col] = value

    return edited(edit)


def with_column(sheets: Sheets) -> None:
    for row, value in zip(sheets["Revenue"], ("FY2022", 100, 70, 30), strict=True):
        row.insert(1, value)


def without_column(sheets: Sheets) -> None:
    for row in sheets["Revenue"]:
        del row[1]


def inserted_and_changed(sheets: Sheets) -> None:
    sheets["Revenue"].insert(1, ["Oceania", 7, 8])
    sheets["Revenue"][2][1] = 121


def swapped(sheets: Sheets) -> None:
    rows = sheets["Revenue"]
    rows[1], rows[2] = rows[2], rows[1]


def renamed(sheets: Sheets) -> None:
    items = list(sheets.items())
    sheets.clear()
    sheets.update({("Sales" if name == "Revenue" else name): rows for name, rows in items})


def touched(act: Callable[[Any], None]) -> Callable[[Path], None]:
    return lambda path: write_book(path, BOOK, act)


def set_bold(book: Any) -> None:
    from openpyxl.styles import Font

    book["Revenue"]["B2"].font = Font(bold=True)


def set_format(book: Any) -> None:
    book["Revenue"]["B2"].number_format = "0.00"


def to_other_sheet(sheets: Sheets) -> None:
    sheets["Elsewhere"] = sheets.pop("Costs")


BOOK_EDITS: dict[str, tuple[Callable[[Path], None], Fates]] = {
    "cell changed": (put(1, 1, 121), {"changed": 1}),
    "cell emptied": (put(1, 1, None), {"vanished": 1}),
    "number became a dash": (put(1, 1, "–"), {"vanished": 1}),
    "row inserted": (edited(lambda s: s["Revenue"].insert(1, ["Oceania", 7, 8])), {"moved": 6, "added": 2}),
    "row appended": (edited(lambda s: s["Revenue"].append(["Oceania", 7, 8])), {"added": 2}),
    "blank rows above": (edited(lambda s: s["Revenue"].__setitem__(slice(0, 0), [[], []])), {"moved": 6}),
    "column inserted": (edited(with_column), {"moved": 6, "added": 3}),
    "row deleted": (edited(lambda s: s["Revenue"].pop(1)), {"vanished": 2, "moved": 4}),
    "column deleted": (edited(without_column), {"vanished": 3, "moved": 3}),
    "row inserted and cell changed": (edited(inserted_and_changed), {"moved": 5, "changed": 1, "added": 2}),
    "rows exchanged": (edited(swapped), {"moved": 4}),
    "sheet renamed": (edited(renamed), {"moved": 6}),
    "sheet deleted": (edited(lambda s: s.pop("Costs")), {"vanished": 4}),
    "sheet added": (edited(lambda s: s.update({"More": [["Tax", "FY2024"], ["Paid", 5]]})), {"added": 1}),
    "table moved to another sheet": (edited(to_other_sheet), {"moved": 4}),
    "row renamed": (put(1, 0, "APAC"), {"changed": 2}),
    "column renamed": (put(0, 2, "FY2025"), {"changed": 3}),
    "unit changed": (put(0, 0, "Revenue (HK$ million)"), {"changed": 6}),
    "only looks changed": (touched(set_bold), {}),
    "shown otherwise": (touched(set_format), {"changed": 1}),
    "file replaced": (
        lambda path: write_book(path, {"Stock": [["Stock", "2031-12"], ["Tea", 3]]}),
        {"vanished": 10, "added": 1},
    ),
}

Slides = list[dict[str, Any]]
DECK: Slides = [
    {"title": "Results", "table": "|Revenue (US$ million)|FY2023|FY2024|\n|Asia|120|132.5|\n|Europe|80|91.25|"},
    {"title": "Chart", "categories": ["FY2023", "FY2024"], "series": {"Orders": (11.0, 12.0), "Returns": (3.0, 4.0)}},
    {"title": "Outlook", "text": ["Demand is strong in every region.", "Supply stays tight until the autumn."]},
]


def write_deck(path: Path, slides: Slides) -> None:
    deck = new_deck()
    for spec in slides:
        slide = add_slide(deck, spec["title"])
        for number, drawn in enumerate(spec["table"].split("\n\n") if "table" in spec else ()):
            add_table(slide.shapes, drawn, top=2 + 2 * number)
        if "series" in spec:
            add_chart(slide, spec["categories"], spec["series"])
        if "text" in spec:
            frame = slide.shapes.add_textbox(0, 2_000_000, 4_000_000, 1_000_000).text_frame
            frame.text = "\n".join(spec["text"])
    deck.save(str(path))


def recast(edit: Callable[[Slides], object]) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        slides = copy.deepcopy(DECK)
        edit(slides)
        write_deck(path, slides)

    return write


def in_table(old: str, new: str) -> Callable[[Path], None]:
    return recast(lambda slides: slides[0].__setitem__("table", slides[0]["table"].replace(old, new)))


_EXTRA = {"title": "Agenda", "table": "|Head count|FY2024|\n|Staff|512|"}
DECK_EDITS: dict[str, tuple[Callable[[Path], None], Fates]] = {
    "cell changed": (in_table("120", "121"), {"changed": 1}),
    "cell emptied": (in_table("120", ""), {"vanished": 1}),
    "row inserted": (in_table("|Asia", "|Oceania|7|8|\n|Asia"), {"moved": 4, "added": 2}),
    "row deleted": (in_table("|Asia|120|132.5|\n", ""), {"vanished": 2, "moved": 2}),
    "column inserted": (
        recast(
            lambda s: s[0].update(
                table="|Revenue (US$ million)|FY2022|FY2023|FY2024|\n|Asia|99|120|132.5|\n|Europe|70|80|91.25|"
            )
        ),
        {"moved": 4, "added": 2},
    ),
    "row renamed": (in_table("Asia", "APAC"), {"changed": 2}),
    "column renamed": (in_table("FY2024", "FY2025"), {"changed": 2}),
    "unit changed": (in_table("US$", "HK$"), {"changed": 4}),
    "table deleted": (recast(lambda s: s[0].pop("table")), {"vanished": 4}),
    "slide deleted": (recast(lambda s: s.pop(0)), {"vanished": 4, "moved": 4}),
    "slide inserted": (recast(lambda s: s.insert(0, _EXTRA)), {"moved": 8, "added": 1}),
    "slides exchanged": (recast(lambda s: s.insert(0, s.pop(1))), {"moved": 8}),
    "slide moved to the end": (recast(lambda s: s.append(s.pop(0))), {"moved": 8}),
    "second table before": (
        recast(lambda s: s[0].update(table=_EXTRA["table"] + "\n\n" + s[0]["table"])),
        {"moved": 4, "added": 1},
    ),
    "point of a chart changed": (recast(lambda s: s[1]["series"].update(Orders=(11.0, 12.5))), {"changed": 1}),
    "series added": (recast(lambda s: s[1]["series"].update(Claims=(1.0, 2.0))), {"added": 2}),
    "series removed": (recast(lambda s: s[1]["series"].pop("Returns")), {"vanished": 2}),
    "category inserted": (
        recast(
            lambda s: s[1].update(
                categories=["FY2022", "FY2023", "FY2024"],
                series={"Orders": (9.0, 11.0, 12.0), "Returns": (2.0, 3.0, 4.0)},
            )
        ),
        {"added": 2},
    ),
    "paragraph inserted": (recast(lambda s: s[2]["text"].insert(0, "Prices rose again this year.")), {}),
    "nothing but a title changed": (recast(lambda s: s[2].update(title="Prospects")), {}),
}


_CODES = {"FS435": "changed", "FS436": "moved", "FS437": "vanished", "FS438": "passage", "FS423": "file"}
_PROSE = {
    "slid down": (["Prices rose again this year.", *DECK[2]["text"]], ["moved", "moved"]),
    "rewritten": ([DECK[2]["text"][0], "Supply eases."], ["changed"]),
    "cut": ([DECK[2]["text"][0]], ["missing"]),
}


Writers = dict[str, tuple[Callable[[Path], Any], Callable[[Path], Any]]]  # by document: what makes it, what edits it


class Outcome:
    """All edits at once, each on a document of its own: the check's word, and the report of the next ingest."""

    def __init__(self, place: Path, writers: Writers) -> None:
        folder = place / "documents"
        folder.mkdir()
        for name, (make, _) in writers.items():
            make(folder / name)
        with FactStore(place / "facts.db") as store:
            store.init_schema()
            ingest(folder, store)
            self.sound = check(store, "read-back", sources=folder).counts
            names = {record.reading_id: record.doc_id for record in store.documents()}
            for name, (_, edit) in writers.items():
                edit(folder / name)
            self.report = check(store, "read-back", sources=folder)
            self.changes = {one.doc: one.changes for one in ingest(folder, store).documents}
            self.sound_after = check(store, "read-back", sources=folder).counts
        self.told: dict[str, list[tuple[str, str]]] = {}
        for finding in self.report.findings:
            reading = str(finding.about.get("fact", finding.about.get("reading"))).partition(".")[0]
            detail = finding.message.rpartition(": ")[2]
            self.told.setdefault(names[reading], []).append((_CODES[finding.code], detail))


def _put_text(texts: list[str], slides: Slides) -> None:
    slides[2]["text"] = texts


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    writers: Writers = {
        f"{name}.xlsx": (partial(write_book, sheets=BOOK), edit) for name, (edit, _) in BOOK_EDITS.items()
    }
    make_deck = partial(write_deck, slides=DECK)
    writers |= {f"{name}.pptx": (make_deck, edit) for name, (edit, _) in DECK_EDITS.items()}
    writers |= {
        f"prose {name}.pptx": (make_deck, recast(partial(_put_text, texts))) for name, (texts, _) in _PROSE.items()
    }
    return Outcome(tmp_path_factory.mktemp("edits"), writers)


def fates_told(outcome: Outcome, document: str) -> tuple[dict[str, int], dict[str, int]]:
    """What read-back and the change report say became of the facts of a document; of the file itself once."""
    told = Counter(what for what, _ in outcome.told[document])
    assert told["file"] == 1
    by_read_back = {what: count for what, count in told.items() if what not in ("file", "passage")}
    return by_read_back, {name: outcome.changes[document][name] for name in FATES}


def fates_expected(fates: Fates, total: int) -> tuple[dict[str, int], dict[str, int]]:
    """The same, as the edit has it: read-back looks for what was there and knows of nothing added."""
    there = {fate: count for fate, count in fates.items() if fate != "added"}
    counted = {**dict.fromkeys(FATES, 0), **fates, "unchanged": total - sum(there.values())}
    return there, counted


def test_documents_nobody_edited_match(outcome):
    """Before the edits, and after they were ingested, everything matches; in between there are warnings only."""
    assert outcome.sound == outcome.sound_after == {}
    assert outcome.report.exit_code == 3


@pytest.mark.parametrize("name", BOOK_EDITS)
def test_edit_of_a_workbook(outcome, name):
    """Read-back and the change report give every fact of an edited workbook its right fate."""
    assert fates_told(outcome, f"{name}.xlsx") == fates_expected(BOOK_EDITS[name][1], 10)


@pytest.mark.parametrize("name", DECK_EDITS)
def test_edit_of_a_deck(outcome, name):
    """Read-back and the change report give every fact of an edited deck its right fate."""
    assert fates_told(outcome, f"{name}.pptx") == fates_expected(DECK_EDITS[name][1], 8)


@pytest.mark.parametrize("name", _PROSE)
def test_prose_is_followed_too(outcome, name):
    """A paragraph that slid down moved, one that was rewritten changed, one that was cut is missing."""
    told = [detail for what, detail in outcome.told[f"prose {name}.pptx"] if what == "passage"]
    assert told == _PROSE[name][1]


@pytest.mark.parametrize("name", ["a.xlsx", "a.pptx"])
def test_a_document_that_is_gone_or_broken(tmp_path, name):
    """A removed document is FS424, all its facts missing; one that cannot be read is FS439, all `file changed`."""
    folder = tmp_path / "documents"
    folder.mkdir()
    write_book(folder / name, BOOK) if name == "a.xlsx" else write_deck(folder / name, DECK)
    with FactStore(tmp_path / "facts.db") as store:
        store.init_schema()
        facts = ingest(folder, store, jobs=1).totals["facts"]
        content = (folder / name).read_bytes()
        (folder / name).write_bytes(content[: len(content) // 2])
        report = check(store, "read-back", sources=folder)
        assert set(report.counts) == {"FS423", "FS439"}
        assert report.verdicts["file changed"] == facts
        (folder / name).unlink()
        report = check(store, "read-back", sources=folder)
        assert set(report.counts) == {"FS424"}
        assert report.verdicts["missing"] >= facts
