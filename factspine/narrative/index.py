"""The index: every chunk of every current reading, found by its words.

It lies in a file of its own beside the store. What it holds can be derived from the store at any time, so it belongs
neither into the sealed record nor into its backups, a search never waits for the store's write lock, and a damaged or
outdated index is thrown away and made anew. It is brought up to date document by document: a reading that is in it
already is not read again.

Chunks of different sensitivity lie in different word tables: how rare a word is, and so every score, must not depend
on documents the reader may not see.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import orjson

from factspine.core.chunks import Chunk, ChunkPart
from factspine.core.errors import StoreBusy, StoreError
from factspine.core.hashing import identify
from factspine.narrative.analyzer import analyzer_id, words
from factspine.narrative.chunking import CHUNKER_VERSION
from factspine.narrative.nearness import Vectors, write_vectors
from factspine.narrative.ranking import Filters, ranked
from factspine.narrative.vectors import Embedder

FORMAT = "index/2"
NO_MODEL = "none"  # words only; an index with vectors names their model
_BUSY_SECONDS = 60.0
_IN_MEMORY = Path(":memory:")  # as the engine spells it
_TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE document (
  doc_id TEXT PRIMARY KEY, reading_id TEXT NOT NULL, level TEXT NOT NULL, digest TEXT NOT NULL, chunks INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE level (level TEXT PRIMARY KEY, number INTEGER NOT NULL UNIQUE) WITHOUT ROWID;
CREATE TABLE chunk (
  chunk_no INTEGER PRIMARY KEY, doc_id TEXT NOT NULL REFERENCES document (doc_id), chunk_id TEXT NOT NULL UNIQUE,
  section_id TEXT NOT NULL, entity TEXT NOT NULL, period TEXT NOT NULL, hidden INTEGER NOT NULL, body BLOB NOT NULL
);
CREATE INDEX chunk_of_document ON chunk (doc_id);
CREATE TABLE vector (chunk_no INTEGER PRIMARY KEY, body BLOB NOT NULL);
"""


class IndexedDocument(NamedTuple):
    """What the index holds of a document."""

    doc_id: str
    reading_id: str
    level: str
    digest: str
    chunks: int


class Found(NamedTuple):
    """A chunk that a search found, with the engine's score: the higher the better."""

    score: float
    chunk: Chunk


class NarrativeIndex:
    """One index file. Nothing is opened until it is used. With an embedder it has vectors beside the words."""

    def __init__(self, path: Path, embedder: Embedder | None = None) -> None:
        self.path = path
        self._embedder = embedder
        self._vectors = Vectors()
        self._connection: sqlite3.Connection | None = None

    @property
    def embed_model(self) -> str:
        """The model of the vectors, or that there are none."""
        return NO_MODEL if self._embedder is None else self._embedder.name

    def copy(self) -> NarrativeIndex:
        """The same index in memory, to be changed without anybody else seeing it."""
        other = self.empty()
        self._open().backup(other._open())
        return other

    def empty(self) -> NarrativeIndex:
        """An index in memory that holds nothing yet, with the same model."""
        return NarrativeIndex(_IN_MEMORY, self._embedder)

    def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def __enter__(self) -> NarrativeIndex:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def documents(self) -> dict[str, IndexedDocument]:
        """What is in the index, by document."""
        rows = self._open().execute("SELECT doc_id, reading_id, level, digest, chunks FROM document")
        return {row[0]: IndexedDocument(*row) for row in rows}

    def index_hash(self, levels: Sequence[str]) -> str:
        """The identity of what a reader of these levels can find: the same content and analyzer, the same hash."""
        rows = self._open().execute("SELECT doc_id, level, digest FROM document ORDER BY doc_id").fetchall()
        fields = [f"{doc_id}\n{digest}" for doc_id, level, digest in rows if level in levels]
        return "fts5:" + identify("index", FORMAT, analyzer_id(), self.embed_model, *fields).hex()[:32]

    @contextmanager
    def writing(self) -> Iterator[IndexWriter]:
        """Changes that become visible together, or not at all."""
        connection = self._open()
        with _translated():
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield IndexWriter(connection, self._embedder)
                connection.execute("COMMIT")
            except BaseException:
                connection.execute("ROLLBACK")
                raise

    def find(self, terms: Sequence[str], levels: Sequence[str], filters: Filters, top: int) -> list[Found]:
        """The best chunks for these words, best first; those that tie with the last are all there."""
        connection = self._open()
        tables = connection.execute("SELECT level, number FROM level ORDER BY number").fetchall()
        found: list[tuple[float, int]] = []
        for level, number in tables:
            if level in levels:
                found += ranked(connection, f"words_{number}", terms, filters, top)
        found.sort(reverse=True)
        cut = found[top - 1][0] if len(found) > top else float("-inf")
        kept = [one for one in found if one[0] >= cut]
        return [Found(score, chunk) for (score, _), chunk in zip(kept, self._chunks(kept), strict=True)]

    def nearest(self, question: str, levels: Sequence[str], filters: Filters, top: int) -> list[Found]:
        """The chunks nearest to a question in meaning, nearest first; none where the index has no vectors."""
        if self._embedder is None:
            return []
        (vector,) = self._embedder.embed([question])
        near = self._vectors.nearest(self._open(), vector, levels, filters, top)
        return [Found(one.similarity, chunk) for one, chunk in zip(near, self._chunks(near), strict=True)]

    def _chunks(self, found: Sequence[tuple[float, int]]) -> list[Chunk]:
        """The chunks of these numbers, in their order."""
        numbers = [number for _, number in found]
        query = f"SELECT chunk_no, body FROM chunk WHERE chunk_no IN ({','.join('?' * len(numbers))})"  # noqa: S608
        bodies = dict(self._open().execute(query, numbers))
        return [_decode(bodies[number]) for number in numbers]

    def frequencies(self, terms: Sequence[str], levels: Sequence[str]) -> tuple[dict[str, int], int]:
        """In how many chunks each word stands, and how many chunks there are."""
        connection = self._open()
        counts = dict.fromkeys(terms, 0)
        total = 0
        for level, number in connection.execute("SELECT level, number FROM level").fetchall():
            if level not in levels:
                continue
            total += int(
                connection.execute("SELECT total(chunks) FROM document WHERE level = ?", (level,)).fetchone()[0]
            )
            for term in terms:
                query = f"SELECT count(*) FROM words_{number} WHERE words_{number} MATCH ?"  # noqa: S608
                counts[term] += int(connection.execute(query, (f'"{term}"',)).fetchone()[0])
        return counts, total

    def holds(self, doc_id: str, term: str) -> bool:
        """Whether a word stands anywhere in a document."""
        connection = self._open()
        row = connection.execute(
            "SELECT number FROM document JOIN level USING (level) WHERE doc_id = ?", (doc_id,)
        ).fetchone()
        if row is None:
            return False
        table = f"words_{row[0]}"
        query = (
            f"SELECT 1 FROM {table} WHERE {table} MATCH ? "  # noqa: S608  a number of ours
            "AND +rowid IN (SELECT chunk_no FROM chunk WHERE doc_id = ?) LIMIT 1"
        )
        return connection.execute(query, (f'"{term}"', doc_id)).fetchone() is not None

    def chunk(self, chunk_id: str) -> Chunk | None:
        """The chunk of that name, if it is in the index."""
        row = self._open().execute("SELECT body FROM chunk WHERE chunk_id = ?", (chunk_id,)).fetchone()
        return None if row is None else _decode(row[0])

    def chunks_of(self, doc_id: str) -> list[Chunk]:
        """The chunks of a document in order."""
        rows = self._open().execute("SELECT body FROM chunk WHERE doc_id = ? ORDER BY chunk_no", (doc_id,))
        return [_decode(body) for (body,) in rows]

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            with _translated():
                self._connection = _open_index(self.path, self.embed_model)
        return self._connection


class IndexWriter:
    """Adds and removes documents within one change of the index."""

    def __init__(self, connection: sqlite3.Connection, embedder: Embedder | None = None) -> None:
        self._connection = connection
        self._embedder = embedder

    def remove(self, doc_id: str) -> None:
        """Take a document out."""
        row = self._connection.execute(
            "SELECT number FROM document JOIN level USING (level) WHERE doc_id = ?", (doc_id,)
        ).fetchone()
        if row is None:
            return
        numbered = self._connection.execute("SELECT chunk_no, body FROM chunk WHERE doc_id = ?", (doc_id,)).fetchall()
        # The word table keeps no text: to forget a chunk it must be told its words again.
        rows = ((number, *_words_of(_decode(body))) for number, body in numbered)
        table = f"words_{row[0]}"
        self._connection.executemany(
            f"INSERT INTO {table} ({table}, rowid, text, heading) VALUES ('delete', ?, ?, ?)",  # noqa: S608
            rows,
        )
        self._connection.executemany("DELETE FROM vector WHERE chunk_no = ?", ((number,) for number, _ in numbered))
        self._connection.execute("DELETE FROM chunk WHERE doc_id = ?", (doc_id,))
        self._connection.execute("DELETE FROM document WHERE doc_id = ?", (doc_id,))

    def add(self, doc_id: str, reading_id: str, level: str, chunks: Sequence[Chunk]) -> None:
        """Put a document in, in place of what was there of it."""
        self.remove(doc_id)
        table = f"words_{self._level(level)}"
        first = (self._connection.execute("SELECT max(chunk_no) FROM chunk").fetchone()[0] or 0) + 1
        bodies = [_encode(chunk) for chunk in chunks]
        digest = identify("chunks", *(body.decode("utf-8", "surrogatepass") for body in bodies)).hex()
        self._connection.execute(
            "INSERT INTO document VALUES (?, ?, ?, ?, ?)", (doc_id, reading_id, level, digest, len(chunks))
        )
        self._connection.executemany(
            "INSERT INTO chunk VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (number, doc_id, one.chunk_id, one.section_id, one.entity, one.period, int(one.hidden), body)
                for number, (one, body) in enumerate(zip(chunks, bodies, strict=True), first)
            ),
        )
        self._connection.executemany(
            f"INSERT INTO {table} (rowid, text, heading) VALUES (?, ?, ?)",  # noqa: S608  a number of ours
            ((number, *_words_of(one)) for number, one in enumerate(chunks, first)),
        )
        if self._embedder is not None:
            write_vectors(self._connection, enumerate(chunks, first), self._embedder)

    def _level(self, level: str) -> int:
        row = self._connection.execute("SELECT number FROM level WHERE level = ?", (level,)).fetchone()
        if row is not None:
            return int(row[0])
        number = int(self._connection.execute("SELECT count(*) FROM level").fetchone()[0]) + 1
        self._connection.execute("INSERT INTO level VALUES (?, ?)", (level, number))
        self._connection.execute(
            f"CREATE VIRTUAL TABLE words_{number} USING fts5(text, heading, content='', "
            "tokenize = 'porter unicode61 remove_diacritics 2')"
        )
        return number


def _words_of(chunk: Chunk) -> tuple[str, str]:
    return " ".join(words(chunk.text)), " ".join(words(" ".join((chunk.title, *chunk.section))))


def _open_index(path: Path, model: str) -> sqlite3.Connection:
    connection = _connect(path)
    if not _is_usable(connection, model):
        # Another version's index, or a damaged one: it holds nothing that cannot be made again.
        connection.close()
        for suffix in ("", "-wal", "-shm"):
            with suppress(FileNotFoundError):
                path.with_name(path.name + suffix).unlink()
        connection = _connect(path)
    if not _tables(connection):
        connection.execute("BEGIN IMMEDIATE")
        if not _tables(connection):  # another process may have made them meanwhile
            for statement in _TABLES.split(";"):
                connection.execute(statement)
            connection.executemany("INSERT INTO meta VALUES (?, ?)", sorted(_identity(model).items()))
        connection.execute("COMMIT")
    return connection


def _identity(model: str) -> dict[str, str]:
    return {"format": FORMAT, "analyzer": analyzer_id(), "chunker": CHUNKER_VERSION, "model": model}


def _tables(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])


def _is_usable(connection: sqlite3.Connection, model: str) -> bool:
    """Whether a file is an index of this version, or nothing yet."""
    try:
        return not _tables(connection) or dict(connection.execute("SELECT name, value FROM meta")) == _identity(model)
    except sqlite3.DatabaseError as error:
        if "locked" in str(error):
            raise
        return False


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")  # what a power cut loses is made again
        connection.execute("PRAGMA cache_size = -65536")
    except sqlite3.DatabaseError:
        pass  # no database: opening it finds out and makes a new one
    return connection


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise StoreBusy(
                "another process is bringing the index up to date; try again when it has finished"
            ) from error
        raise StoreError(f"the index refused: {error}; delete the file, it is made again") from error


def _encode(chunk: Chunk) -> bytes:
    record = {name: getattr(chunk, name) for name in Chunk.__dataclass_fields__}
    record["parts"] = [tuple(part) for part in chunk.parts]
    return orjson.dumps(record)


def _decode(body: bytes) -> Chunk:
    record = orjson.loads(body)
    record["parts"] = tuple(ChunkPart(*part) for part in record["parts"])
    record["section"] = tuple(record["section"])
    return Chunk(**record)
