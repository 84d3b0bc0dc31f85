"""Chunks by how near they are to a question in meaning: vectors beside the words, and the two orders made one.

Every permitted vector is compared with the question's: exact, so that the same index gives the same list. Similarities
are rounded before they are ranked, and what ties keeps the order of the documents.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from factspine.core.chunks import Chunk
from factspine.narrative.ranking import Filters, conditions_of
from factspine.narrative.vectors import DECIMALS, Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RANKS_EVENED = 60  # the usual constant of reciprocal ranks: the first places of both lists count about alike
_SCALE = 10.0 * (RANKS_EVENED + 1)  # first in both lists: a score of 20, as a very good one of words has
_BATCH = 2_000


class Near(NamedTuple):
    """A chunk by its number, and its similarity to the question."""

    similarity: float
    number: int


def write_vectors(connection: sqlite3.Connection, numbered: Iterable[tuple[int, Chunk]], embedder: Embedder) -> None:
    """Keep the vectors of chunks, each of its headings and its text."""
    import numpy as np

    batch: list[tuple[int, Chunk]] = []
    for one in (*numbered, None):
        if one is not None:
            batch.append(one)
        if batch and (one is None or len(batch) == _BATCH):
            vectors = embedder.embed([f"{' '.join(chunk.section)} {chunk.text}" for _, chunk in batch])
            packed = (vector.tobytes() for vector in vectors.astype(np.float16))
            rows = [(number, body) for (number, _), body in zip(batch, packed, strict=True)]
            connection.executemany("INSERT INTO vector VALUES (?, ?)", rows)
            batch = []


class Vectors:
    """The vectors of an index as last read; read again when the index has changed."""

    def __init__(self) -> None:
        self._key: tuple[object, ...] = ()
        self._numbers: list[int] = []
        self._table: NDArray[np.float32] | None = None

    def nearest(
        self,
        connection: sqlite3.Connection,
        vector: NDArray[np.float32],
        levels: Sequence[str],
        filters: Filters,
        top: int,
    ) -> list[Near]:
        """The chunks nearest to a vector among those that may be ranked, nearest first."""
        import numpy as np

        self._read(connection, levels, filters)
        if self._table is None or not len(self._table):
            return []
        similar = np.round(self._table @ vector, DECIMALS)
        order = np.argsort(-similar, kind="stable")[:top]
        return [Near(float(similar[at]), self._numbers[at]) for at in order if similar[at] > 0]

    def _read(self, connection: sqlite3.Connection, levels: Sequence[str], filters: Filters) -> None:
        import numpy as np

        state = connection.execute("PRAGMA data_version").fetchone()[0], connection.total_changes
        if self._key == (state, tuple(levels), filters):
            return
        conditions, values = conditions_of(filters)
        where = [f"level IN ({','.join('?' * len(levels))})", *([conditions] if conditions else [])]
        where += [] if filters.hidden else ["NOT hidden"]
        tables = "vector JOIN chunk USING (chunk_no) JOIN document USING (doc_id)"
        query = f"SELECT chunk_no, vector.body FROM {tables} WHERE {' AND '.join(where)} ORDER BY doc_id, chunk_no"  # noqa: S608
        rows = connection.execute(query, [*levels, *values]).fetchall()
        self._numbers = [number for number, _ in rows]
        packed = b"".join(body for _, body in rows)
        table = np.frombuffer(packed, dtype=np.float16).astype(np.float32)
        self._table = table.reshape(len(rows), -1) if rows else None
        self._key = state, tuple(levels), filters


def fused(by_words: Sequence[Chunk], by_meaning: Sequence[Chunk]) -> list[tuple[float, Chunk]]:
    """Two orders made one by reciprocal rank; the score grows with how far up a chunk stands in either."""
    scores: dict[str, float] = {}
    known: dict[str, Chunk] = {}
    for order in (by_words, by_meaning):
        for rank, chunk in enumerate(order, 1):
            scores[chunk.chunk_id] = scores.get(chunk.chunk_id, 0.0) + _SCALE / (RANKS_EVENED + rank)
            known[chunk.chunk_id] = chunk
    return [(score, known[name]) for name, score in scores.items()]
