# ruff: noqa: S608  the statements are written here, nothing in them comes from outside
"""Whatever is changed behind the store's back is found, with one code that says what it is; and nothing else is."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from factspine.core.hashing import DIGEST_BYTES, merkle_root, seal
from factspine.core.leaves import Lineage
from factspine.core.packed import split_leaves
from factspine.integrity.checker import check
from factspine.store.runs import run_name
from factspine.store.store import FactStore
from tests.damage import Act, codes, make_store, one, tamper
from tests.store_samples import ingest_one


def sql(*statements: str) -> Act:
    """SQL statements, one after the other."""

    def act(connection: sqlite3.Connection) -> None:
        for statement in statements:
            assert connection.execute(statement).rowcount != 0, statement

    return act


def copy_of_last_fact(connection: sqlite3.Connection) -> None:
    """One fact more, at the end: a copy of the last."""
    names = [row[1] for row in connection.execute("PRAGMA table_info(fact_metric)")][1:]
    listed = ", ".join(names)
    last = one(connection, "SELECT max(fact_no) FROM fact_metric")
    connection.execute(
        f"INSERT INTO fact_metric (fact_no, {listed}) "
        f"SELECT fact_no + 1, {listed} FROM fact_metric WHERE fact_no = {last}"
    )


def swap_facts(connection: sqlite3.Connection) -> None:
    """Two facts of a table change places."""
    for old, new in ((1, -1), (2, 1), (-1, 2)):
        connection.execute(f"UPDATE fact_metric SET fact_no = {new} WHERE fact_no = {old}")


def forge_leaf(connection: sqlite3.Connection) -> None:
    """A fact's value changed, and its own digest with it."""
    from factspine.core.facts import BLOCK_COLUMNS, FactBlock, FactContext
    from factspine.core.leaves import LEAF_COLUMNS, fact_leaves

    connection.row_factory = sqlite3.Row
    row = dict(connection.execute("SELECT * FROM fact_metric WHERE fact_no = 1").fetchone())
    context = dict(
        connection.execute("SELECT * FROM fact_context WHERE context_no = ?", (row["context_no"],)).fetchone()
    )
    about = dict(
        connection.execute(
            "SELECT doc_id, file_hash, extractor_version, mapping_version, sensitivity FROM reading "
            "JOIN extraction USING (extraction_no) JOIN revision USING (revision_no) JOIN document USING (document_no) "
            "WHERE reading_no = ?",
            (row["reading_no"],),
        ).fetchone()
    )
    table = one(connection, f"SELECT locator FROM raw_table WHERE table_no = {row['table_no']}")
    row["value"] = "999"
    columns = {name: [row[name]] for name in LEAF_COLUMNS} | {"context_no": [0]}
    shared = FactContext(**{name: context[name] for name in FactContext._fields})
    block = FactBlock(count=1, columns={name: columns[name] for name in BLOCK_COLUMNS}, contexts=(shared,))
    (leaf,) = fact_leaves(Lineage(**about), str(table), block)
    connection.execute("UPDATE fact_metric SET value = '999' WHERE fact_no = 1")
    home = (row["reading_no"], row["table_no"])
    query = "SELECT fact_leaves FROM interpretation WHERE reading_no = ? AND table_no = ?"
    leaves = connection.execute(query, home).fetchone()[0]
    connection.execute(
        "UPDATE interpretation SET fact_leaves = ? WHERE reading_no = ? AND table_no = ?",
        (leaf + leaves[DIGEST_BYTES:], *home),
    )
    connection.row_factory = None


def forge_table_root(connection: sqlite3.Connection) -> None:
    """A forged fact with the root of its table made to fit."""
    forge_leaf(connection)
    table, reading = connection.execute("SELECT table_no, reading_no FROM fact_metric WHERE fact_no = 1").fetchone()
    leaves = split_leaves(bytes(one(connection, f"SELECT fact_leaves FROM interpretation WHERE table_no = {table}")))
    connection.execute(
        "UPDATE interpretation SET facts_root = ? WHERE table_no = ? AND reading_no = ?",
        (merkle_root(leaves), table, reading),
    )


def rewrite_last_seal(connection: sqlite3.Connection) -> None:
    """The last run sealed anew, with another time, so that the chain itself is sound."""
    query = (
        "SELECT run.run_no, started_at, finished_at, factspine_version, event_count, fact_count, root, previous_seal "
        "FROM run JOIN run_seal USING (run_no) ORDER BY run_no DESC LIMIT 1"
    )
    number, started, _, version, events, facts, root, previous = connection.execute(query).fetchone()
    finished = "2031-01-01T00:00:00.000Z"
    forged = seal(previous, root, [started, finished, version, str(events), str(facts)])
    connection.execute("UPDATE run_seal SET finished_at = ?, seal = ? WHERE run_no = ?", (finished, forged, number))


def swap_seals(connection: sqlite3.Connection) -> None:
    """The seals of the first two runs change places."""
    for old, new in ((1, -1), (2, 1), (-1, 2)):
        connection.execute(f"UPDATE run_seal SET run_no = {new} WHERE run_no = {old}")


def drop_last_run(connection: sqlite3.Connection) -> None:
    """The last run never happened: every row of it is gone."""
    last = one(connection, "SELECT max(run_no) FROM run")
    reading = one(connection, f"SELECT reading_no FROM reading WHERE run_no = {last}")
    extraction = one(connection, f"SELECT extraction_no FROM reading WHERE reading_no = {reading}")
    for table in (
        "fact_metric",
        "fact_context",
        "header",
        "ledger",
        "interpretation",
        "reading_seal",
        "finding",
        "event",
    ):
        connection.execute(f"DELETE FROM {table} WHERE reading_no = {reading}")
    connection.execute(f"DELETE FROM reading WHERE reading_no = {reading}")
    for table in ("raw_table", "passage", "extraction"):
        connection.execute(f"DELETE FROM {table} WHERE extraction_no = {extraction}")
    connection.execute(f"DELETE FROM revision WHERE first_run_no = {last}")
    for table in ("run_seal", "run"):
        connection.execute(f"DELETE FROM {table} WHERE run_no = {last}")


_FIRST = "WHERE fact_no = 1"
DAMAGES: dict[str, tuple[str, Act]] = {
    "value changed": ("FS404", sql(f"UPDATE fact_metric SET value = '121' {_FIRST}")),
    "literal text changed": ("FS404", sql(f"UPDATE fact_metric SET value_text = '121' {_FIRST}")),
    "locator changed": ("FS404", sql(f"UPDATE fact_metric SET source_locator = 'sheet=P&L,cell=Z9' {_FIRST}")),
    "unit changed": ("FS404", sql(f"UPDATE fact_metric SET unit = 'HKD' {_FIRST}")),
    "period changed": ("FS404", sql(f"UPDATE fact_metric SET period = '2022' {_FIRST}")),
    "scale changed": ("FS404", sql("UPDATE fact_context SET scale = 3 WHERE context_no = 1")),
    "digest of a fact changed": (
        "FS404",
        sql(
            "UPDATE interpretation SET fact_leaves = CAST(zeroblob(32) || substr(fact_leaves, 33) AS BLOB) "
            "WHERE first_fact_no = 1"
        ),
    ),
    "fact deleted": ("FS405", sql("DELETE FROM fact_metric WHERE fact_no = 2")),
    "facts exchanged": ("FS404", swap_facts),
    "fact forged with its digest": ("FS405", forge_leaf),
    "fact inserted without a seal": ("FS406", copy_of_last_fact),
    "fact moved to another reading": ("FS407", sql(f"UPDATE fact_metric SET reading_no = 2 {_FIRST}")),
    "fact moved to another table": ("FS407", sql(f"UPDATE fact_metric SET table_no = 2 {_FIRST}")),
    "fact given to another document": ("FS407", sql(f"UPDATE fact_metric SET source_doc_id = '2.xlsx' {_FIRST}")),
    "context of a fact deleted": ("FS403", sql("DELETE FROM fact_context WHERE context_no = 1")),
    "stored table changed": (
        "FS409",
        lambda c: c.execute(
            "UPDATE raw_table SET body = (SELECT body FROM raw_table WHERE table_no = 2) WHERE table_no = 1"
        ),
    ),
    "description of a table changed": ("FS410", sql("UPDATE raw_table SET n_rows = n_rows + 1 WHERE table_no = 1")),
    "title of a table changed": ("FS410", sql("UPDATE raw_table SET title = 'x' WHERE table_no = 1")),
    "passage changed": ("FS411", sql("UPDATE passage SET text = text || '.' WHERE passage_no = 1")),
    "passage deleted": ("FS412", sql("DELETE FROM passage WHERE passage_no = 1")),
    "digest of a table changed": ("FS409", sql("UPDATE raw_table SET leaf = zeroblob(32) WHERE table_no = 1")),
    "label changed": ("FS413", sql("UPDATE header SET path = '[\"Africa\"]' WHERE reading_no = 1 AND axis = 'r'")),
    "ledger changed": ("FS413", sql("UPDATE ledger SET reason = 'row_number' WHERE ledger_no = 1")),
    "table root forged": ("FS413", forge_table_root),
    "finding of a rejection deleted": ("FS505", sql("DELETE FROM finding WHERE reading_no IS NULL")),
    "sensitivity lowered": ("FS415", sql("UPDATE reading SET sensitivity = 'INTERNAL' WHERE reading_no = 1")),
    "mapping renamed": ("FS415", sql("UPDATE reading SET mapping_version = 'map/0' WHERE reading_no = 1")),
    "revision renamed": ("FS415", sql("UPDATE revision SET file_hash = hex(zeroblob(32)) WHERE revision_no = 3")),
    "document renamed": ("FS415", sql("UPDATE document SET doc_id = 'other.xlsx' WHERE doc_id = '2.xlsx'")),
    "seal of a reading deleted": ("FS417", sql("DELETE FROM reading_seal WHERE reading_no = 1")),
    "first fact of a reading changed": (
        "FS418",
        sql("UPDATE reading_seal SET first_fact_no = first_fact_no + 1 WHERE reading_no = 2"),
    ),
    "run of a reading changed": ("FS418", sql("UPDATE reading SET run_no = 2 WHERE reading_no = 1")),
    "media type changed": ("FS418", sql("UPDATE revision SET media_type = 'text/plain' WHERE revision_no = 1")),
    "source row deleted": ("FS403", sql("DELETE FROM revision WHERE revision_no = 2")),
    "size of a revision changed": (
        "FS421",
        sql("UPDATE revision SET size_bytes = size_bytes + 1 WHERE revision_no = 2"),
    ),
    "rule against changes removed": ("FS402", lambda c: None),
    "index removed": ("FS402", sql("DROP INDEX ix_fact_metric_metric_code_entity_period")),
    "event deleted": ("FS504", sql("DELETE FROM event WHERE event_no = 2")),
    "event moved to another run": ("FS504", sql("UPDATE event SET run_no = 4 WHERE event_no = 2")),
    "event changed": ("FS505", sql("UPDATE event SET status = 'updated' WHERE event_no = 2")),
    "extractor of an event changed": ("FS505", sql("UPDATE event SET extractor_version = 'x/9' WHERE event_no = 2")),
    "root of a reading changed": ("FS506", sql("UPDATE reading_seal SET root = zeroblob(32) WHERE reading_no = 1")),
    "seal deleted": ("FS501", sql("DELETE FROM run_seal WHERE run_no = 2")),
    "last seal deleted": ("FS501", sql("DELETE FROM run_seal WHERE run_no = 4")),
    "seal rewritten": ("FS502", sql("UPDATE run_seal SET seal = zeroblob(32) WHERE run_no = 2")),
    "time of a run changed": ("FS502", sql("UPDATE run SET started_at = '2020-01-01T00:00:00.000Z' WHERE run_no = 2")),
    "name of a run changed": ("FS502", sql("UPDATE run_seal SET run_id = '0000000000000000' WHERE run_no = 2")),
    "seals exchanged": ("FS503", swap_seals),
    "link cut": ("FS503", sql(f"UPDATE run_seal SET previous_seal = X'{'01' * 32}' WHERE run_no = 3")),
    "last run sealed anew": ("FS507", rewrite_last_seal),
    "last run dropped": ("FS507", drop_last_run),
}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_store(tmp_path_factory.mktemp("sound"))


@pytest.fixture
def store(sound: Path, tmp_path: Path) -> Path:
    """A copy of the sound store, archive and head log, to be damaged."""
    shutil.copytree(sound.parent, tmp_path / "copy")
    return tmp_path / "copy" / sound.name


@pytest.mark.parametrize("level", ["quick", "structure", "read-data", "read-back"])
def test_a_sound_store_has_no_finding(sound, level):
    """Nothing is found in a store that nobody touched, at any level, with its documents beside it."""
    with FactStore(sound) as store:
        report = check(store, level, sources=sound.parent / "documents")
    assert (report.counts, report.exit_code, report.ok) == ({}, 0, True)
    if level != "quick":
        assert report.checked["facts"] > 20


@pytest.mark.parametrize("name", DAMAGES)
def test_a_planted_damage_is_found_with_its_code(store, name):
    """The default check finds the damage and says what it is, once."""
    code, act = DAMAGES[name]
    if name == "rule against changes removed":
        connection = sqlite3.connect(store)
        connection.execute("DROP TRIGGER fact_metric_no_update")
        connection.close()
    elif name == "source row deleted":
        # Readings that stand on nothing cannot be looked at; that they do is the finding.
        tamper(store, act)
        assert code in codes(store)
        return
    else:
        tamper(store, act)
    assert codes(store) == {code}


def test_damage_to_one_thing_does_not_hide_damage_to_another(store):
    """The check goes on after errors: three damages in three places are three findings, each by name."""
    tamper(
        store,
        sql(
            "UPDATE fact_metric SET value = '121' WHERE fact_no = 1",
            "UPDATE passage SET text = 'x' WHERE passage_no = 1",
            "UPDATE event SET status = 'updated' WHERE event_no = 2",
        ),
    )
    with FactStore(store) as opened:
        report = check(opened)
    assert set(report.counts) == {"FS404", "FS411", "FS505"}
    assert report.exit_code == 1
    (finding,) = (one for one in report.findings if one.code == "FS404")
    with FactStore(store) as opened:
        assert opened.fact(str(finding.about["fact"])).value == 121


def blob(store: Path) -> Path:
    """An archived workbook."""
    with FactStore(store) as opened:
        name = next(record.file_hash for record in opened.documents() if record.doc_id == "0.xlsx")
    path = store.with_name(store.name + ".vault") / name[:2] / name
    path.chmod(0o644)
    return path


def test_a_missing_archived_file_is_found(store):
    """A revision that is gone from the archive is FS420, without reading any bytes."""
    blob(store).unlink()
    assert codes(store) == {"FS420"}


def test_a_truncated_archived_file_is_found(store):
    """A revision that lost its end is FS421."""
    path = blob(store)
    path.write_bytes(path.read_bytes()[:-1])
    assert codes(store) == {"FS421"}


@pytest.mark.parametrize("level", ["read-data", "read-back"])
def test_a_flipped_archived_file_is_found_by_reading_it(store, level):
    """One bit of a revision is FS422, as soon as bytes are read; facts of it are then `file changed`."""
    path = blob(store)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 4
    path.write_bytes(content)
    assert codes(store) == set()
    assert codes(store, level) == {"FS422"}
    if level == "read-back":
        with FactStore(store) as opened:
            assert check(opened, level).verdicts["file changed"] == 4


def test_swapped_archived_files_are_found(store):
    """Two revisions of one size under each other's names are FS422."""
    with FactStore(store) as opened:
        history = [record.file_hash for record in opened.document_history("0.xlsx")]
        history += [record.file_hash for record in opened.documents() if record.doc_id == "2.xlsx"]
    vault = store.with_name(store.name + ".vault")
    paths = [vault / name[:2] / name for name in dict.fromkeys(history)]
    first, second = next((a, b) for a in paths for b in paths if a != b and a.stat().st_size == b.stat().st_size)
    spare = first.with_name("spare")
    first.rename(spare)
    second.rename(first)
    spare.rename(second)
    assert codes(store, "read-data") == {"FS422"}


def test_a_fact_that_its_cell_does_not_say_is_found_by_read_back(tmp_path):
    """A fact that was never in the file is caught by reading the file, however well it was sealed."""
    from factspine.ingestion.pipeline import ingest
    from tests.hostile import containers

    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "a.xlsx").write_bytes(containers.workbook(containers.sheet()))
    path = tmp_path / "facts.db"
    with FactStore(path) as store:
        store.init_schema()
        ingest(folder, store)
    rebuilt = tmp_path / "forged.db"
    shutil.copytree(tmp_path / "facts.db.vault", tmp_path / "forged.db.vault")
    with FactStore(path) as honest, FactStore(rebuilt) as forged:
        forged.init_schema()
        _write_forged(honest, forged)
    assert codes(rebuilt) == set()
    assert codes(rebuilt, "read-back") == {"FS433"}


def _write_forged(honest: FactStore, forged: FactStore) -> None:
    """The same reading with one value made up, sealed as it should be."""
    from dataclasses import replace

    from factspine.core.packed import pack_interpretation, pack_table
    from factspine.interpret.interpreter import interpret_table
    from factspine.lexicon.vocabulary import Vocabulary

    record, raw = honest.documents()[0], honest.table("a.xlsx", honest.tables("a.xlsx")[0].locator)
    lineage = Lineage(
        doc_id="a.xlsx",
        file_hash=record.file_hash,
        extractor_version=record.extractor_version,
        mapping_version=record.mapping_version,
    )
    meaning = interpret_table(raw, Vocabulary.load())
    columns = {**meaning.block.columns, "value": ["999", *meaning.block.columns["value"][1:]]}
    columns["value_text"] = ["999", *columns["value_text"][1:]]
    block = replace(meaning.block, columns=columns)
    table = pack_table(raw)
    packed = pack_interpretation(
        lineage,
        table,
        labelled=meaning.labelled,
        block=block,
        ledger=meaning.ledger,
        numeric_cells=meaning.numeric_cells,
    )
    with forged.begin_run() as run:
        with run.reading(lineage, media_type=record.media_type, size_bytes=record.size_bytes) as reading:
            number = reading.add_table(table)
            reading.add_interpretation(number, packed)
            reading.add_facts(number, block.count, block.columns)
        run.seal()


def sealed_with(tmp_path: Path, **wrong: object) -> Path:
    """A store whose only reading was sealed with something no reader would write."""
    from dataclasses import replace

    from factspine.core.packed import pack_interpretation, pack_table
    from tests.store_samples import lineage_of, sample_block, sample_labels, sample_table

    path = tmp_path / "facts.db"
    raw, block, lineage = sample_table(["1", "2"]), sample_block(["1", "2"]), lineage_of("a.xlsx")
    block = replace(block, columns={**block.columns, **wrong})
    table = pack_table(raw)
    packed = pack_interpretation(lineage, table, labelled=sample_labels(raw), block=block, ledger=(), numeric_cells=2)
    with FactStore(path) as store:
        store.init_schema()
        with store.begin_run() as run:
            with run.reading(lineage, media_type=_XLSX, size_bytes=0) as reading:
                number = reading.add_table(table)
                reading.add_interpretation(number, packed)
                reading.add_facts(number, 2, block.columns)
            run.seal()
    archive = path.with_name("facts.db.vault") / lineage.file_hash[:2]
    archive.mkdir(parents=True)
    (archive / lineage.file_hash).touch()
    return path


_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def test_sealed_as_it_should_be_nothing_is_found(tmp_path):
    """The reading that the following tests spoil has no finding."""
    assert codes(sealed_with(tmp_path)) == set()


def test_a_locator_that_does_not_parse_is_found(tmp_path):
    """FS408, although the fact is what was sealed."""
    assert codes(sealed_with(tmp_path, source_locator=["here", "there"])) == {"FS408"}


def test_a_value_that_is_not_canonical_is_found(tmp_path):
    """FS408: trailing zeros would make equal values unequal."""
    assert codes(sealed_with(tmp_path, value=["1.50", "2"])) == {"FS408"}


def test_a_fact_past_the_end_of_its_table_is_found(tmp_path):
    """FS416: a cell that the table does not have."""
    assert codes(sealed_with(tmp_path, row_no=[2, 99])) == {"FS416"}


def test_a_finding_of_a_reading_deleted_is_found(tmp_path):
    """FS414: what a reader could not do is part of the record."""
    path = tmp_path / "facts.db"
    with FactStore(path) as store:
        store.init_schema()
        ingest_one(store, "a.xlsx", ["1", "2"])
    tamper(path, sql("DELETE FROM finding WHERE finding_no = 1"))
    assert codes(path) - {"FS420", "FS418"} == {"FS414"}


def test_the_head_log_lost_is_a_warning(store):
    """FS508 and exit code 3: the store is sound, but nobody outside it can say so."""
    store.with_name(store.name + ".heads").unlink()
    with FactStore(store) as opened:
        report = check(opened, "quick")
    assert (set(report.counts), report.exit_code) == ({"FS508"}, 3)


def test_run_names_follow_from_content():
    """The rule by which the check knows a run's name is the store's own."""
    assert run_name("", bytes(32)) != run_name("a", bytes(32))
