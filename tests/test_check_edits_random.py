"""Documents with alike tables, repeated labels and repeated numbers, edited at random: each number's fate is known."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from factspine.core.changes import compare
from factspine.core.locators import parse
from factspine.core.observed import Observed, TableMark
from factspine.ingestion.pipeline import ingest
from factspine.integrity.checker import check
from factspine.store.store import FactStore
from tests.edit_models import WRITERS, Name, Places, edit, made

DOCUMENTS = 60  # of each format
EDITS_MOST = 5
CODES = {"FS435": "changed", "FS436": "moved", "FS437": "vanished"}


@dataclass
class Case:
    """A document before and after: where each number stood, and what was done."""

    edits: list[str]
    before: Places
    after: Places


def make_case(place: Path, format_: str, seed: int) -> Case:
    # On a page without a title, a table is read as the continuation of the one before.
    model = made(seed, titled=format_ == "pdf")
    write = WRITERS[format_]
    before = write(place / "before" / f"{seed}.{format_}", model)
    edited = deepcopy(model)
    for _ in range(model.dice.randint(1, EDITS_MOST)):
        edit(edited)
    return Case(edited.done, before, write(place / "after" / f"{seed}.{format_}", edited))


def fates_of(case: Case) -> dict[Name, str]:
    """What became of each number, from where it stood and stands."""
    here = {name: (at, text) for at, (name, text) in case.before.items()}
    there = {name: (at, text) for at, (name, text) in case.after.items()}
    fates = {name: "added" for name in there if name not in here}
    for name, (at, text) in here.items():
        if name not in there:
            fates[name] = "vanished"
        elif there[name][1] != text:
            fates[name] = "changed"
        else:
            fates[name] = "unchanged" if there[name][0] == at else "moved"
    return fates


def told(case: Case, before: list[Observed], after: list[Observed]) -> dict[Name, str]:
    """What the comparison says of each number; of one that it takes for another, that too."""
    old, new = [name_at(one, case.before) for one in before], [name_at(one, case.after) for one in after]
    fates: dict[Name, str] = {}
    for fate, here, there in compare(before, after):
        if here is not None and there is not None and old[here] != new[there]:
            fates[old[here]] = f"{fate}, as {new[there]}"
        else:
            fates[old[here] if here is not None else new[there or 0]] = fate
    return fates


def name_at(fact: Observed, places: Places) -> Name:
    locator = parse(fact.locator)
    return places[str(locator.without("cell", "row", "col")), locator.get("cell") or ""][0]


def read(store: FactStore, folder: Path) -> dict[str, list[Observed]]:
    ingest(folder, store)
    readings = {span.reading_id: span.doc_id for span in store.readings()}
    return {readings[reading]: facts for reading, facts in store.observed(list(readings))}


class Trial:
    """Many documents of one format, before and after: what became of their numbers and what is said of it."""

    def __init__(self, place: Path, format_: str, seeds: range) -> None:
        (place / "before").mkdir(parents=True)
        (place / "after").mkdir()
        cases = {f"{seed}.{format_}": make_case(place, format_, seed) for seed in seeds}
        with FactStore(place / "before.db") as old, FactStore(place / "after.db") as new:
            old.init_schema()
            new.init_schema()
            before, after = read(old, place / "before"), read(new, place / "after")
            self.read_back = check(old, "read-back", sources=place / "after").counts
        self.wrong: dict[str, object] = {}
        self.expected: Counter[str] = Counter()
        for name, case in cases.items():
            assert len(before[name]) == len(case.before), f"not every number of {name} was read"
            said, expected = told(case, before[name], after[name]), fates_of(case)
            self.expected.update(expected.values())
            if said != expected:
                differing = {at: (expected[at], said.get(at)) for at in expected if expected[at] != said.get(at)}
                self.wrong[name] = case.edits, differing


@pytest.mark.parametrize("format_", WRITERS)
def test_every_number_is_followed_through_random_edits(tmp_path: Path, format_: str) -> None:
    """Whatever was done to tables that look alike, each number is told to be where it is now, or gone."""
    trial = Trial(tmp_path / "trial", format_, range(DOCUMENTS))
    assert trial.wrong == {}
    by_read_back = {fate: trial.read_back[code] for code, fate in CODES.items()}
    assert by_read_back == {fate: trial.expected[fate] for fate in CODES.values()}


def many_tables(first_page: int, changed: int | None = None) -> list[Observed]:
    """Two hundred tables of the same labels, whose numbers are three; one of each hundred may be another."""
    dice = Random(1)  # noqa: S311 - the same tables each time
    facts: list[Observed] = []
    for page in range(first_page, first_page + 200):
        mark = TableMark(f"page={page},table=1")
        for row in range(20):
            for col in range(5):
                text = dice.choice(("0", "1", "2"))
                text = "9" if changed is not None and len(facts) % 100 == changed else text
                place = f"{mark.locator},cell=R{row + 2}C{col + 2},row=Site {row},col=FY{2020 + col}"
                facts.append(Observed(place, (), (text,), mark))
    return facts


def test_tables_that_share_all_their_numbers_are_told_apart_by_their_rows() -> None:
    """A page put before two hundred tables that look alike moves every one of them."""
    changes = compare(many_tables(1), many_tables(2, changed=7))
    assert all(change.before == change.after for change in changes)
    assert Counter(change.fate for change in changes) == {"moved": 19_800, "changed": 200}
