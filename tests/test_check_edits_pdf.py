"""Edited PDF reports: what read-back and the change report say became of every fact."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

from tests.test_check_edits import Fates, Outcome, fates_expected, fates_told

Pages = list[dict[str, Any]]
REPORT: Pages = [
    {
        "title": "Orders by site (units)",
        "heads": ["Site", "FY2023", "FY2024"],
        "rows": [["Harbour", "1,101", "1,202"], ["Garden", "2,103", "2,204"], ["Station", "3,105", "3,206"]],
    },
    {
        "title": "Visitors by gate (persons)",
        "heads": ["Gate", "FY2023", "FY2024"],
        "rows": [["North", "41,107", "42,208"], ["South", "51,109", "52,210"], ["West", "61,111", "62,212"]],
    },
]
TOTAL = 12


def write_report(path: Path, pages: Pages) -> None:
    canvas = Canvas(str(path), pagesize=(595, 842), invariant=1)
    for page in pages:
        canvas.setFont("Helvetica-Bold", 14)
        canvas.drawString(72, 770, page["title"])
        canvas.setFont("Helvetica", 10)
        for number, row in enumerate([page["heads"], *page["rows"]]):
            for place, text in enumerate(row):
                at = 740 - 18 * number
                canvas.drawString(72, at, text) if not place else canvas.drawRightString(220 + 90 * place, at, text)
        canvas.showPage()
    canvas.save()


def recast(change: Callable[[Pages], Any]) -> Callable[[Path], None]:
    def edit(path: Path) -> None:
        pages = deepcopy(REPORT)
        change(pages)
        write_report(path, pages)

    return edit


def put(page: int, row: int, col: int, text: str) -> Callable[[Pages], Any]:
    return lambda p: p[page]["rows"][row].__setitem__(col, text)


def widen(page: dict[str, Any], at: int, head: str, texts: list[str]) -> None:
    page["heads"].insert(at, head)
    for row, text in zip(page["rows"], texts, strict=True):
        row.insert(at, text)


EDITS: dict[str, tuple[Callable[[Path], None], Fates]] = {
    "cell changed": (recast(put(0, 1, 2, "2,999")), {"changed": 1}),
    "two cells changed": (recast(lambda p: (put(0, 0, 1, "7,001")(p), put(1, 2, 2, "7,002")(p))), {"changed": 2}),
    "cell emptied": (recast(put(0, 1, 2, "")), {"vanished": 1}),
    "row inserted": (recast(lambda p: p[0]["rows"].insert(1, ["Quay", "4,301", "4,402"])), {"moved": 4, "added": 2}),
    "row appended": (recast(lambda p: p[0]["rows"].append(["Quay", "4,301", "4,402"])), {"added": 2}),
    "row deleted": (recast(lambda p: p[0]["rows"].pop(0)), {"vanished": 2, "moved": 4}),
    "rows exchanged": (recast(lambda p: p[0]["rows"].reverse()), {"moved": 4}),
    "column inserted": (
        recast(lambda p: widen(p[0], 1, "FY2022", ["901", "902", "903"])),
        {"moved": 6, "added": 3},
    ),
    "column appended": (recast(lambda p: widen(p[0], 3, "FY2025", ["901", "902", "903"])), {"added": 3}),
    "column deleted": (
        recast(lambda p: [row.pop(1) for row in [p[0]["heads"], *p[0]["rows"]]]),
        {"vanished": 3, "moved": 3},
    ),
    "page inserted": (
        recast(lambda p: p.insert(0, {"title": "A word before", "heads": ["Nothing of note."], "rows": []})),
        {"moved": 12},
    ),
    "pages exchanged": (recast(lambda p: p.reverse()), {"moved": 12}),
    "table deleted": (recast(lambda p: p.pop(1)), {"vanished": 6}),
    "sign changed": (recast(put(1, 0, 1, "(41,107)")), {"changed": 1}),
}


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    make = partial(write_report, pages=REPORT)
    return Outcome(
        tmp_path_factory.mktemp("reports"), {f"{name}.pdf": (make, edit) for name, (edit, _) in EDITS.items()}
    )


@pytest.mark.parametrize("name", EDITS)
def test_edit_of_a_report(outcome: Outcome, name: str) -> None:
    """Read-back and the change report give every fact of an edited report its right fate."""
    assert fates_told(outcome, f"{name}.pdf") == fates_expected(EDITS[name][1], TOTAL)
