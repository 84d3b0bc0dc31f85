"""Ranking the chunks of one word table: filters first, then BM25 by the engine.

The engine gives no weight at all to a word that more than half of the chunks have. Among thousands of chunks such a
word tells nothing; among a handful it may be all there is, so small tables are scored with a measure that stays above
zero, from the engine's own counts.
"""

from __future__ import annotations

import math
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

_HEADING_WEIGHT = 0.6  # a heading speaks for the whole section, so it counts for less than the text itself
_SMALL = 500
_LEAST_WEIGHT = 1e-6  # what the engine gives a word that most chunks have


class Filters(NamedTuple):
    """What a chunk must be to be ranked at all; None or empty means anything."""

    doc_ids: frozenset[str] | None = None
    section: str = ""  # a part of the section's key
    entity: str = ""
    period: str = ""
    hidden: bool = False  # whether hidden text is looked at, too


def ranked(
    connection: sqlite3.Connection, table: str, terms: Sequence[str], filters: Filters, top: int
) -> list[tuple[float, int]]:
    """Scores and numbers of the best chunks of one word table, and of all that tie with the last of them."""
    conditions, values = _conditions(filters)
    # The unary plus keeps the engine from looking up each permitted chunk on its own.
    where = f"AND +rowid IN (SELECT chunk_no FROM chunk WHERE {conditions})" if conditions else ""  # noqa: S608
    rank = f"bm25({table}, 1.0, {_HEADING_WEIGHT})"
    query = f"SELECT {rank}, rowid FROM {table} WHERE {table} MATCH ? {where} ORDER BY 1 LIMIT ?"  # noqa: S608
    # The word table keeps no text, so its rows cannot be counted; those of its documents can.
    count = connection.execute(
        "SELECT total(chunks) FROM document JOIN level USING (level) WHERE number = ?", (int(table.rpartition("_")[2]),)
    ).fetchone()[0]
    if count <= _SMALL:
        return _ranked_by_word(connection, query, (table, int(count)), terms, values, hidden=filters.hidden)
    match = " OR ".join(map(_quoted, terms))
    limit = top + 32
    while True:
        rows = connection.execute(query, (match, *values, limit)).fetchall()
        seen = rows if filters.hidden else _visible(connection, rows)
        if len(rows) < limit or (len(seen) >= top and rows[-1][0] > seen[top - 1][0]):
            return [(-score, number) for score, number in seen]
        limit *= 4


def _visible(connection: sqlite3.Connection, rows: list[tuple[float, int]]) -> list[tuple[float, int]]:
    """Rows without hidden chunks. These are few, so they are left out of a list that is read further where needed,
    rather than listing every chunk that is not one of them before each search."""
    query = "SELECT hidden FROM chunk WHERE chunk_no = ?"
    return [row for row in rows if not connection.execute(query, (row[1],)).fetchone()[0]]


def _ranked_by_word(
    connection: sqlite3.Connection,
    query: str,
    table: tuple[str, int],
    terms: Sequence[str],
    values: Sequence[str],
    *,
    hidden: bool,
) -> list[tuple[float, int]]:
    name, count = table
    scores: dict[int, float] = defaultdict(float)
    for term in terms:
        every = connection.execute(f"SELECT count(*) FROM {name} WHERE {name} MATCH ?", (_quoted(term),))  # noqa: S608
        holding = every.fetchone()[0]
        engine = max(math.log((count - holding + 0.5) / (holding + 0.5)), _LEAST_WEIGHT)
        ours = math.log1p((count - holding + 0.5) / (holding + 0.5))
        rows = connection.execute(query, (_quoted(term), *values, count)).fetchall()
        for score, number in rows if hidden else _visible(connection, rows):
            scores[number] += -score / engine * ours
    return [(score, number) for number, score in scores.items()]


def _quoted(term: str) -> str:
    return f'"{term}"'


def _conditions(filters: Filters) -> tuple[str, list[str]]:
    conditions, values = [], []
    if filters.doc_ids is not None:
        conditions.append(f"doc_id IN ({','.join('?' * len(filters.doc_ids))})")
        values += sorted(filters.doc_ids)
    for name in ("entity", "period"):
        if getattr(filters, name):
            conditions.append(f"{name} = ?")
            values.append(getattr(filters, name))
    if filters.section:
        conditions.append("instr(section_id, ?)")
        values.append(filters.section)
    return " AND ".join(conditions), values
