"""How a document's content crosses from the child to the parent: records to frames, and frames to records.

Facts travel as columns, a column of one value as that value: the parent's work for each fact is one JSON token and one
row of a `zip`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import IO, Any

import orjson

from factspine.core.facts import BLOCK_COLUMNS, FactBlock, FactContext
from factspine.core.findings import Finding
from factspine.core.hashing import DIGEST_BYTES
from factspine.core.packed import HeaderPath, PackedInterpretation, PackedLedger, PackedTable
from factspine.core.tables import Passage
from factspine.extract.frames import BLOB, ITEM, BadFrame, read_frames, write_frame, write_json

FACTS_PER_FRAME = 20_000
PASSAGES_PER_FRAME = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TableMessage:
    """A table and what it means; its facts follow."""

    table: PackedTable
    interpretation: PackedInterpretation


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsMessage:
    """Some facts of the table before them, column by column."""

    count: int
    columns: dict[str, list[Any] | repeat[Any]]  # a list of `count` values, or one value for all


@dataclass(frozen=True, slots=True, kw_only=True)
class PassagesMessage:
    """Some stretches of prose."""

    passages: list[Passage]


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingsMessage:
    """Some findings."""

    findings: list[Finding]


Message = TableMessage | FactsMessage | PassagesMessage | FindingsMessage


def send_table(out: IO[bytes], table: PackedTable, meaning: PackedInterpretation) -> None:
    """Sends a table and its meaning."""
    write_json(
        out,
        ITEM,
        {
            "is": "table",
            "table": [
                table.locator,
                table.kind,
                table.title,
                table.n_rows,
                table.n_cols,
                table.cell_count,
                table.formula_count,
                table.leaf.hex(),
            ],
            "counts": [meaning.fact_count, meaning.numeric_cells, meaning.header_rows, meaning.header_cols],
            # Plain tuples: the encoder knows no others.
            "contexts": list(map(tuple, meaning.contexts)),
            "headers": list(map(tuple, meaning.headers)),
            "ledger": list(map(tuple, meaning.ledger)),
            "facts_root": meaning.facts_root.hex(),
            "leaf": meaning.leaf.hex(),
        },
    )
    write_frame(out, BLOB, table.body)
    write_frame(out, BLOB, meaning.fact_leaves)


def send_facts(out: IO[bytes], block: FactBlock) -> None:
    """Sends the facts of the table sent before, in pieces."""
    for start in range(0, block.count, FACTS_PER_FRAME):
        end = min(start + FACTS_PER_FRAME, block.count)
        columns = [_squeeze(block.columns[name][start:end]) for name in BLOCK_COLUMNS]
        write_json(out, ITEM, {"is": "facts", "count": end - start, "columns": columns})


def send_passages(out: IO[bytes], passages: Sequence[Passage]) -> None:
    """Sends stretches of prose."""
    rows = [(p.locator, p.text, p.kind, p.section, p.hidden) for p in passages]
    write_json(out, ITEM, {"is": "passages", "rows": rows})


def send_findings(out: IO[bytes], findings: Sequence[Finding]) -> None:
    """Sends findings."""
    rows = [(f.code, f.message, f.locator, f.remedy, f.severity) for f in findings]
    write_json(out, ITEM, {"is": "findings", "rows": rows})


def receive(stream: IO[bytes], frame_bytes_max: int) -> Iterator[Message]:
    """The records of an answer that was put away; raises `BadFrame` where they are none."""
    frames = read_frames(stream, frame_bytes_max)
    try:
        for kind, payload in frames:
            if kind != ITEM:
                raise BadFrame("bytes that belong to nothing")
            yield _record(orjson.loads(payload), frames)
    except (orjson.JSONDecodeError, KeyError, ValueError, TypeError, IndexError) as error:
        raise BadFrame(f"an item is not what it says ({type(error).__name__})") from error


def _record(message: dict[str, Any], frames: Iterator[tuple[int, bytes]]) -> Message:
    what = message["is"]
    if what == "facts":
        return _facts(message)
    if what == "table":
        return _table(message, _blob(frames), _blob(frames))
    if what == "passages":
        passages = [
            Passage(locator=locator, text=text, kind=kind, section=tuple(section), hidden=hidden)
            for locator, text, kind, section, hidden in message["rows"]
        ]
        return PassagesMessage(passages=passages)
    if what == "findings":
        findings = [
            Finding(code=code, message=text, locator=locator, remedy=remedy, severity=severity)
            for code, text, locator, remedy, severity in message["rows"]
        ]
        return FindingsMessage(findings=findings)
    raise BadFrame("an item of no known kind")


def _blob(frames: Iterator[tuple[int, bytes]]) -> bytes:
    kind, payload = next(frames, (0, b""))
    if kind != BLOB:
        raise BadFrame("an item without its bytes")
    return payload


def _facts(message: dict[str, Any]) -> FactsMessage:
    count = message["count"]
    given = dict(zip(BLOCK_COLUMNS, message["columns"], strict=True))
    lengths = {len(column) for column in given.values() if isinstance(column, list)}
    if lengths - {count}:
        raise BadFrame("columns of unequal length")
    if any(isinstance(column, dict | float | None) for column in given.values()):
        raise BadFrame("a column that is neither text nor numbers")
    columns = {name: column if isinstance(column, list) else repeat(column) for name, column in given.items()}
    return FactsMessage(count=count, columns=columns)


def _table(message: dict[str, Any], body: bytes, leaves: bytes) -> TableMessage:
    locator, kind, title, n_rows, n_cols, cell_count, formula_count, leaf = message["table"]
    facts, numeric_cells, header_rows, header_cols = message["counts"]
    if len(leaves) != facts * DIGEST_BYTES:
        raise BadFrame("not one leaf for each fact")
    return TableMessage(
        table=PackedTable(
            locator=locator,
            kind=kind,
            title=title,
            n_rows=n_rows,
            n_cols=n_cols,
            cell_count=cell_count,
            formula_count=formula_count,
            body=body,
            leaf=bytes.fromhex(leaf),
        ),
        interpretation=PackedInterpretation(
            fact_count=facts,
            numeric_cells=numeric_cells,
            header_rows=header_rows,
            header_cols=header_cols,
            contexts=tuple(map(FactContext._make, message["contexts"])),
            headers=tuple(HeaderPath(*fields) for fields in message["headers"]),
            ledger=tuple(PackedLedger(*fields) for fields in message["ledger"]),
            facts_root=bytes.fromhex(message["facts_root"]),
            leaf=bytes.fromhex(message["leaf"]),
            fact_leaves=leaves,
        ),
    )


def _squeeze(column: list[Any]) -> Any:
    first = column[0]
    # The last value is looked at first: most columns that vary differ there, and cost nothing more.
    return first if column[-1] == first and column.count(first) == len(column) else column
