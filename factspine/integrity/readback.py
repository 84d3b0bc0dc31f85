"""Read-back: each fact and passage looked up again in the bytes, and a verdict for each.

match      the same text at the same place          moved     the same text under the same labels elsewhere
changed    the place or its labels say otherwise    missing   neither place nor labels are there any more
file changed   the bytes are not those that were recorded, or can no longer be read as a document
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from factspine.core.changes import Change, Fate, compare, compare_passages
from factspine.core.errors import InputRejected, SandboxFailed
from factspine.core.limits import Limits
from factspine.core.observed import Observed, TableMark
from factspine.core.tablecodec import stored_texts
from factspine.extract.registry import ROWS
from factspine.extract.sandbox import Sandbox
from factspine.ingestion.onefile import reread
from factspine.ingestion.readback import Rereading, read_again
from factspine.integrity.factrows import load_contexts
from factspine.integrity.report import Collector
from factspine.store.audit import Audit, ReadingRow

_VERDICTS: dict[Fate, str] = {"unchanged": "match", "moved": "moved", "changed": "changed", "vanished": "missing"}
_COULD_NOT_RUN = frozenset(("FS202", "FS203", "FS204"))  # it was the machine, not the document
_FACTS_A_PIECE = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One file to be read again for one reading."""

    reading: ReadingRow
    path: Path
    where: Literal["archive", "source"]
    tables: dict[str, str]  # digest by locator
    table_numbers: dict[str, int]
    fact_counts: dict[int, int]  # by table number

    @property
    def name(self) -> str:
        """What the step is called in a resumable check."""
        return f"read-back {self.where} {self.reading.reading_id}"


def make_unit(audit: Audit, reading: ReadingRow, path: Path, where: Literal["archive", "source"]) -> Unit:
    """Everything a reading thread needs to know, taken from the store beforehand."""
    rows = audit.table_leaves(reading.extraction_no)
    return Unit(
        reading=reading,
        path=path,
        where=where,
        tables={locator: leaf.hex() for _, locator, leaf in rows},
        table_numbers={locator: number for number, locator, _ in rows},
        fact_counts={one.table_no: one.fact_count for one in audit.interpretations(reading.reading_no)},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """A document that could not be read again, and the finding that says why."""

    code: str


def reader(sandbox: Sandbox, limits: Limits, vocabulary_path: Path | None) -> Callable[[Unit], Rereading | Unreadable]:
    """Reads units again, in any thread; what cannot be read is an answer too."""

    def read(unit: Unit) -> Rereading | Unreadable:
        try:
            return read_again(
                sandbox,
                unit.path,
                Path(unit.reading.doc_id).name,
                limits,
                tables=unit.tables,
                passages_root=(unit.reading.passages_root or b"").hex(),
                vocabulary_path=vocabulary_path,
            )
        except (InputRejected, SandboxFailed) as error:
            return Unreadable(code=error.code)

    return read


class Judge:
    """Turns what was read again into verdicts."""

    def __init__(self, audit: Audit, mapping_version: str) -> None:
        self._audit = audit
        self._mapping_version = mapping_version

    def judge(self, unit: Unit, result: Rereading | Unreadable, found: Collector) -> None:
        """The verdict over every fact and passage of one reading."""
        if not isinstance(result, Rereading):
            self._unread(unit, result, found)
            return
        found.checked["documents read back"] += 1
        same = [unit.table_numbers[locator] for locator in result.same_tables if locator in unit.table_numbers]
        if unit.where == "archive":
            self._check_cells(unit, same, found)
        matched = sum(unit.fact_counts.get(number, 0) for number in same)
        found.verdicts["match"] += matched
        others = [number for number in unit.fact_counts if number not in set(same)]
        self._compare(unit, others, result.observed, found)
        self._compare_passages(unit, result.passages, found)

    def _unread(self, unit: Unit, error: Unreadable, found: Collector) -> None:
        about: dict[str, str | int] = {"reading": unit.reading.reading_id, "document": unit.reading.document_no}
        if error.code in _COULD_NOT_RUN:
            found.add("FS490", f"the document could not be read again ({error.code})", **about)
            return
        found.verdicts["file changed"] += unit.reading.fact_count or 0
        found.add("FS439" if unit.where == "source" else "FS432", f"read again, it is refused ({error.code})", **about)

    def _check_cells(self, unit: Unit, tables: Iterable[int], found: Collector) -> None:
        """Facts against the cells of the stored tables, which were just found to be what the file says."""
        following = unit.reading.first_fact_no or 0
        at_table = {}
        for number, count in unit.fact_counts.items():
            at_table[number] = following
            following += count
        for number in tables:
            if unit.fact_counts.get(number):
                texts = stored_texts(self._audit.table_body(number))
                self._check_table(unit, at_table[number], unit.fact_counts[number], texts, found)

    def _check_table(
        self, unit: Unit, first: int, count: int, texts: dict[tuple[int, int], str], found: Collector
    ) -> None:
        for start in range(0, count, _FACTS_A_PIECE):
            rows = self._audit.fact_cells(first + start, min(_FACTS_A_PIECE, count - start))
            for number, row, col, text in rows:
                if texts.get((row, col)) != text:
                    found.add("FS433", fact=_name(unit.reading, number))

    def _compare(self, unit: Unit, tables: list[int], after: Iterable[Observed], found: Collector) -> None:
        before, numbers = self._observed(unit, tables)
        alike = unit.reading.mapping_version == self._mapping_version
        # Under another vocabulary only places, labels and text can be compared.
        now = [one if alike else _bare(one) for one in after]
        old = [one if alike else _bare(one) for one in before]
        for change in compare(old, now):
            if change.before is None:
                continue
            found.verdicts[_VERDICTS[change.fate]] += 1
            code = self._code(unit, change)
            if code:
                found.add(code, fact=_name(unit.reading, numbers[change.before]))

    def _observed(self, unit: Unit, tables: list[int]) -> tuple[list[Observed], list[int]]:
        contexts = load_contexts(self._audit, unit.reading.reading_no) if tables else {}
        before: list[Observed] = []
        numbers: list[int] = []
        wanted = set(tables)
        marks = self._audit.table_titles(unit.reading.extraction_no) if tables else {}
        following = unit.reading.first_fact_no or 0
        for number, count in unit.fact_counts.items():
            if number in wanted and count:
                mark = TableMark(*marks[number])
                for fact_no, *fields, context_no in self._audit.facts_observed(following, count):
                    context = contexts[context_no]
                    identity, content = tuple(fields[1:7]), tuple(fields[7:10])
                    before.append(Observed(fields[0], (*identity, context.status), (*content, context.scale), mark))
                    numbers.append(fact_no)
            following += count
        return before, numbers

    def _code(self, unit: Unit, change: Change) -> str:
        codes = _ARCHIVE_CODES if unit.where == "archive" else _SOURCE_CODES
        code = codes.get(change.fate, "")
        versions = {row.version for row in ROWS.values()}
        if code and unit.where == "archive" and unit.reading.extractor_version not in versions:
            return "FS210"  # another version of the extractor reads the same bytes otherwise
        return code

    def _compare_passages(self, unit: Unit, passages: tuple[tuple[str, str], ...] | None, found: Collector) -> None:
        count = unit.reading.passage_count or 0
        if passages is None:
            found.verdicts["match"] += count
            return
        rows = self._audit.passages(unit.reading.extraction_no)
        changes = compare_passages([(row[1], row[3]) for row in rows], passages)
        fates = Counter(change.fate for change in changes if change.before is not None)
        found.verdicts.update({_VERDICTS[fate]: number for fate, number in fates.items()})
        for change in changes:
            if change.before is not None and change.fate != "unchanged":
                code = "FS438" if unit.where == "source" else "FS434"
                found.add(code, _VERDICTS[change.fate], reading=unit.reading.reading_id, passage=rows[change.before][0])


def ask_second_reader(audit: Audit, unit: Unit, limits: Limits, found: Collector) -> None:
    """Every fact of a reading once more, according to the independent reader of its format."""
    reading = unit.reading
    rows = audit.facts_observed(reading.first_fact_no or 0, reading.fact_count or 0)
    try:
        again = reread(unit.path, [row[1] for row in rows], name=Path(reading.doc_id).name, limits=limits)
    except (InputRejected, SandboxFailed) as error:
        found.add("FS490", f"the second reader could not read the document ({error.code})", reading=reading.reading_id)
        return
    found.checked["facts read twice"] += len(rows)
    for row, (text, value) in zip(rows, again, strict=True):
        shown, exact = row[8], row[9]
        if text != shown and value != exact:
            found.add("FS210", fact=_name(reading, row[0]))


_ARCHIVE_CODES: dict[Fate, str] = {"changed": "FS430", "moved": "FS431", "vanished": "FS432"}
_SOURCE_CODES: dict[Fate, str] = {"changed": "FS435", "moved": "FS436", "vanished": "FS437"}


def _bare(one: Observed) -> Observed:
    return Observed(one.locator, (), one.content[:1], one.table)


def _name(reading: ReadingRow, fact_no: int) -> str:
    return f"{reading.reading_id}.{fact_no - (reading.first_fact_no or 0) + 1}"
