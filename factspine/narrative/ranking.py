"""Ranking the chunks of one word table: filters first, then BM25 by the engine.

The engine gives no weight at all to a word that more than half of the chunks have. Among thousands of chunks such a
word tells nothing; among a handful it may be all there is. And it counts over all documents: a company's name is rare
among them and says nothing within that company's report. So the chunks of a few documents are scored with a measure of
rarity among themselves that stays above zero, from the engine's own counts.
"""

from __future__ import annotations

import math
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

_HEADING_WEIGHT = 0.6  # a heading speaks for the whole section, so it counts for less than the text itself
_SMALL = 500
_FEW = 20_000  # chunks of the documents asked of, up to which each word's hits are looked at one by one
_AT_ONCE = 500
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
    conditions, values = conditions_of(filters)
    # The unary plus keeps the engine from looking up each permitted chunk on its own.
    where = f"AND +rowid IN (SELECT chunk_no FROM chunk WHERE {conditions})" if conditions else ""  # noqa: S608
    rank = f"bm25({table}, 1.0, {_HEADING_WEIGHT})"
    query = f"SELECT {rank}, rowid FROM {table} WHERE {table} MATCH ? {where} ORDER BY 1 LIMIT ?"  # noqa: S608
    # The word table keeps no text, so its rows cannot be counted; those of its documents can.
    level = int(table.rpartition("_")[2])
    total = _count(connection, level, None)
    among = total if filters.doc_ids is None else _count(connection, level, filters.doc_ids)
    if total <= _SMALL or (filters.doc_ids is not None and among <= _FEW):
        counts = _Counts(total, among)
        return _ranked_by_word(connection, query, table, counts, terms, values, hidden=filters.hidden)
    match = " OR ".join(map(_quoted, terms))
    limit = top + 32
    while True:
        rows = connection.execute(query, (match, *values, limit)).fetchall()
        seen = rows if filters.hidden else _visible(connection, rows)
        if len(rows) < limit or (len(seen) >= top and rows[-1][0] > seen[top - 1][0]):
            return [(-score, number) for score, number in seen]
        limit *= 4


class _Counts(NamedTuple):
    """How many chunks a word table has, and how many of them belong to the documents asked of."""

    total: int
    among: int


def _count(connection: sqlite3.Connection, level: int, doc_ids: frozenset[str] | None) -> int:
    query = "SELECT total(chunks) FROM document JOIN level USING (level) WHERE number = ?"
    if doc_ids is None:
        return int(connection.execute(query, (level,)).fetchone()[0])
    query += f" AND doc_id IN ({','.join('?' * len(doc_ids))})"
    return int(connection.execute(query, (level, *sorted(doc_ids))).fetchone()[0])


def _visible(connection: sqlite3.Connection, rows: list[tuple[float, int]]) -> list[tuple[float, int]]:
    """Rows without hidden chunks. These are few, so they are left out of a list that is read further where needed,
    rather than listing every chunk that is not one of them before each search."""
    hidden: set[int] = set()
    for first in range(0, len(rows), _AT_ONCE):
        numbers = [number for _, number in rows[first : first + _AT_ONCE]]
        query = f"SELECT chunk_no FROM chunk WHERE chunk_no IN ({','.join('?' * len(numbers))}) AND hidden"  # noqa: S608
        hidden.update(number for (number,) in connection.execute(query, numbers))
    return [row for row in rows if row[1] not in hidden] if hidden else rows


def _ranked_by_word(
    connection: sqlite3.Connection,
    query: str,
    table: str,
    counts: _Counts,
    terms: Sequence[str],
    values: Sequence[str],
    *,
    hidden: bool,
) -> list[tuple[float, int]]:
    scores: dict[int, float] = defaultdict(float)
    for term in terms:
        every = connection.execute(f"SELECT count(*) FROM {table} WHERE {table} MATCH ?", (_quoted(term),))  # noqa: S608
        holding = every.fetchone()[0]
        if not holding:
            continue
        engine = max(math.log((counts.total - holding + 0.5) / (holding + 0.5)), _LEAST_WEIGHT)
        rows = connection.execute(query, (_quoted(term), *values, counts.among)).fetchall()
        here = min(len(rows), counts.among)
        ours = math.log1p((counts.among - here + 0.5) / (here + 0.5))
        for score, number in rows:
            scores[number] += -score / engine * ours
    found = [(-score, number) for number, score in scores.items()]
    return [(-score, number) for score, number in (found if hidden else _visible(connection, found))]


def _quoted(term: str) -> str:
    return f'"{term}"'


def conditions_of(filters: Filters) -> tuple[str, list[str]]:
    """What chunks must fulfil to be ranked, as a condition on their table; hidden ones are left to the caller."""
    conditions, values = [], []
    if filters.doc_ids is not None:
        conditions.append(f"doc_id IN ({','.join('?' * len(filters.doc_ids))})")
        values += sorted(filters.doc_ids)
    if filters.entity:
        conditions.append("lower(entity) = lower(?)")
        values.append(filters.entity)
    if filters.period:
        conditions.append("period = ?")
        values.append(filters.period)
    if filters.section:
        conditions.append("instr(section_id, ?)")
        values.append(filters.section)
    return " AND ".join(conditions), values
