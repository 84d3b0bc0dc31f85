"""Ingesting a folder brings the store up to date with it, and says what it did."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from factspine.core.errors import UsageError
from factspine.core.limits import Limits
from factspine.ingestion.pipeline import ingest
from factspine.store.store import FactStore
from tests.hostile import containers

BOOK = containers.workbook()
OTHER = containers.workbook(containers.sheet().replace("132.5", "140"))
DECK = containers.deck()


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "documents"
    (place / "sub").mkdir(parents=True)
    (place / "a.xlsx").write_bytes(BOOK)
    (place / "sub" / "b.pptx").write_bytes(DECK)
    (place / "notes.txt").write_text("hello")
    return place


@pytest.fixture
def store(tmp_path):
    with FactStore(tmp_path / "facts.db") as one:
        one.init_schema()
        yield one


def statuses(report):
    return {document.doc: document.status for document in report.documents}


def values(store):
    return sorted((fact.source_doc_id, fact.source_locator, str(fact.value)) for fact in store.facts())


def test_a_folder_becomes_facts_that_know_their_cell(folder, store):
    """Every number of the folder is a fact with its document, cell and file hash."""
    report = ingest(folder, store)
    assert statuses(report) == {"a.xlsx": "ingested", "sub/b.pptx": "ingested"}
    assert report.run_id
    (fact,) = (fact for fact in store.facts() if str(fact.value) == "132.5" and fact.source_doc_id == "a.xlsx")
    assert fact.source_locator.startswith("sheet=P&L,cell=C2,")
    assert (fact.unit, fact.scale, fact.period_type, fact.period) == ("USD", 6, "FY", "2024")
    assert fact.source_file_hash == report.documents[0].file_hash


def test_the_report_has_the_form_programs_read(folder, store):
    """One JSON object with the run, every document and the totals."""
    report = ingest(folder, store).as_dict()
    assert json.loads(json.dumps(report)) == report
    assert set(report) >= {"run_id", "documents", "totals", "head"}
    assert set(report["documents"][0]) == {
        *(
            "doc",
            "status",
            "file_hash",
            "facts",
            "chunks",
            "tables",
            "numeric_cells",
            "coverage",
            "findings",
            "seconds",
        ),
        "changes",
    }
    assert report["totals"]["facts"] == 8
    assert report["totals"]["skipped"] == 1
    assert report["totals"]["coverage"] == 1.0


def test_an_unchanged_folder_writes_no_run(folder, store):
    """A second ingest of the same bytes changes nothing, and still says what there is."""
    first = ingest(folder, store)
    again = ingest(folder, store)
    assert again.run_id is None
    assert again.head == first.head
    assert statuses(again) == {"a.xlsx": "unchanged", "sub/b.pptx": "unchanged"}
    assert again.totals["facts"] == first.totals["facts"]
    assert again.totals["coverage"] == first.totals["coverage"]


def test_a_changed_file_is_a_new_revision(folder, store):
    """The new value is current; the old one is in the record as of its run."""
    ingest(folder, store)
    (folder / "a.xlsx").write_bytes(OTHER)
    report = ingest(folder, store)
    assert statuses(report) == {"a.xlsx": "updated", "sub/b.pptx": "unchanged"}
    assert "140" in {str(fact.value) for fact in store.facts()}
    assert "132.5" in {str(fact.value) for fact in store.facts(all_revisions=True) if fact.source_doc_id == "a.xlsx"}


def test_a_file_that_goes_back_reads_as_before(folder, store):
    """Restoring an old file makes its old reading current again, without a second copy of its facts."""
    ingest(folder, store)
    before = values(store)
    (folder / "a.xlsx").write_bytes(OTHER)
    ingest(folder, store)
    (folder / "a.xlsx").write_bytes(BOOK)
    report = ingest(folder, store)
    assert statuses(report)["a.xlsx"] == "updated"
    assert report.documents[0].facts == 4
    assert values(store) == before
    assert len(list(store.facts(all_revisions=True))) == len(before) + 4


def test_a_removed_file_is_withdrawn_not_deleted(folder, store):
    """Its facts are no longer current, and remain in the record; coming back, it is ingested again."""
    ingest(folder, store)
    (folder / "a.xlsx").unlink()
    assert statuses(ingest(folder, store))["a.xlsx"] == "withdrawn"
    assert {fact.source_doc_id for fact in store.facts()} == {"sub/b.pptx"}
    assert ingest(folder, store).run_id is None
    (folder / "a.xlsx").write_bytes(BOOK)
    assert statuses(ingest(folder, store))["a.xlsx"] == "ingested"


def test_a_folder_that_became_empty_withdraws_nothing_unless_told(folder, store):
    """An empty mount point is no reason to withdraw everything: it is refused with what to do, and nothing changes."""
    ingest(folder, store)
    before, seen = store.head(), values(store)
    for name in ("a.xlsx", "sub/b.pptx"):
        (folder / name).unlink()
    with pytest.raises(UsageError, match=r"2 were there before; nothing was changed.*mounted.*--allow-empty"):
        ingest(folder, store)
    assert (store.head(), values(store)) == (before, seen)
    assert statuses(ingest(folder, store, withdraw=False)) == {}
    assert statuses(ingest(folder, store, allow_empty=True)) == {"a.xlsx": "withdrawn", "sub/b.pptx": "withdrawn"}
    assert values(store) == []
    assert len(list(store.facts(all_revisions=True))) == len(seen)
    assert ingest(folder, store).run_id is None
    (folder / "a.xlsx").write_bytes(BOOK)
    assert statuses(ingest(folder, store))["a.xlsx"] == "ingested"


def test_the_last_file_of_a_folder_can_be_removed(folder, store):
    """One file deleted is a deletion, whether others are left or not."""
    (folder / "a.xlsx").unlink()
    ingest(folder, store)
    (folder / "sub" / "b.pptx").unlink()
    assert statuses(ingest(folder, store)) == {"sub/b.pptx": "withdrawn"}


def test_another_folder_withdraws_nothing(folder, store, tmp_path):
    """Two folders may share a store; each withdraws only what was last seen in it."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "c.xlsx").write_bytes(OTHER)
    ingest(folder, store)
    assert statuses(ingest(other, store)) == {"c.xlsx": "ingested"}
    assert ingest(folder, store).run_id is None
    assert {fact.source_doc_id for fact in store.facts()} == {"a.xlsx", "sub/b.pptx", "c.xlsx"}


def test_withdrawing_can_be_forced_or_forbidden(folder, store, tmp_path):
    """A folder that moved can be told to be the whole store, or to withdraw nothing."""
    moved = tmp_path / "moved"
    ingest(folder, store)
    folder.rename(moved)
    (moved / "a.xlsx").unlink()
    assert ingest(moved, store).run_id is None
    assert ingest(moved, store, withdraw=False).run_id is None
    assert statuses(ingest(moved, store, withdraw=True))["a.xlsx"] == "withdrawn"


def test_a_broken_file_stops_nothing_and_is_told_once(folder, store):
    """It is rejected with its finding, each time; the record says so once."""
    (folder / "0_broken.xlsx").write_bytes(BOOK[:-100])
    report = ingest(folder, store)
    assert statuses(report)["0_broken.xlsx"] == "rejected"
    assert [finding.code for finding in report.documents[0].findings] == ["FS105"]
    assert report.totals["ingested"] == 2
    again = ingest(folder, store)
    assert again.run_id is None
    assert [finding.code for finding in again.documents[0].findings] == ["FS105"]


def test_a_mended_file_is_ingested(folder, store):
    """A rejection holds for the bytes it was made for."""
    (folder / "0.xlsx").write_bytes(BOOK[:-100])
    ingest(folder, store)
    (folder / "0.xlsx").write_bytes(BOOK)
    assert statuses(ingest(folder, store))["0.xlsx"] == "ingested"


def test_a_document_that_breaks_is_no_longer_answered_from(folder, store):
    """When the current bytes cannot be read, the old numbers are not passed off as current."""
    ingest(folder, store)
    (folder / "a.xlsx").write_bytes(BOOK[:-100])
    assert statuses(ingest(folder, store))["a.xlsx"] == "rejected"
    assert {fact.source_doc_id for fact in store.facts()} == {"sub/b.pptx"}


def test_a_raised_limit_is_tried(folder, store):
    """What was too large under one limit is read under another."""
    small = Limits(file_bytes_max=10_000)
    report = ingest(folder, store, limits=small)
    assert [f.code for f in report.documents[1].findings] == ["FS103"]
    assert ingest(folder, store, limits=small).run_id is None
    assert statuses(ingest(folder, store))["sub/b.pptx"] == "ingested"


def test_an_old_format_is_reported_as_not_read(folder, store):
    """It is no error: an information, counted apart from what should have been read."""
    (folder / "report.xls").write_bytes(bytes.fromhex("d0cf11e0a1b11ae1") + bytes(1024))
    report = ingest(folder, store)
    (document,) = (one for one in report.documents if one.doc == "report.xls")
    assert [(finding.code, finding.severity) for finding in document.findings] == [("FS108", "info")]
    assert (report.totals["rejected"], report.totals["not_read"]) == (0, 1)


def test_a_deck_under_a_workbooks_name_is_read_with_a_warning(folder, store):
    """The content decides, and the name is reported."""
    (folder / "deck.xlsx").write_bytes(DECK)
    (document,) = (one for one in ingest(folder, store).documents if one.doc == "deck.xlsx")
    assert (document.status, document.facts) == ("ingested", 4)
    assert [(finding.code, finding.severity) for finding in document.findings] == [("FS104", "warning")]


def test_archives_of_other_things_are_skipped(folder, store):
    """A zip of pictures is no broken document, and takes no run."""
    (folder / "pictures.zip").write_bytes(containers.archive({"a.png": b"x"}))
    report = ingest(folder, store)
    assert "pictures.zip" not in statuses(report)
    assert report.totals["skipped"] == 2
    assert ingest(folder, store).run_id is None


def test_the_store_may_lie_in_its_own_folder(folder):
    """Neither the database nor the archived copies are taken for documents."""
    with FactStore(folder / "facts.db") as store:
        store.init_schema()
        assert len(ingest(folder, store).documents) == 2
        again = ingest(folder, store)
    assert again.run_id is None
    assert again.totals["skipped"] == 1


def test_bytes_of_every_revision_are_archived(folder, store):
    """A citation to a superseded revision can still be re-read."""
    first = ingest(folder, store).documents[0].file_hash
    (folder / "a.xlsx").write_bytes(OTHER)
    second = ingest(folder, store).documents[0].file_hash
    for digest, content in ((first, BOOK), (second, OTHER)):
        assert (store.vault_path / digest[:2] / digest).read_bytes() == content


def test_a_new_vocabulary_is_a_new_reading(folder, store):
    """Naming a metric changes what tables mean, and so the facts; the file beside the store is found."""
    ingest(folder, store)
    store.path.with_name("vocabulary.toml").write_text('[[entity]]\ncode = "ASIA_UNIT"\nnames = ["Asia"]\n')
    assert set(statuses(ingest(folder, store)).values()) == {"updated"}
    assert "ASIA_UNIT" in {fact.entity for fact in store.facts()}


def test_sensitivity_follows_the_vocabulary(folder, store, tmp_path):
    """Documents that the vocabulary marks carry their level on every fact."""
    rules = tmp_path / "rules.toml"
    rules.write_text('[[sensitivity]]\ndocuments = ["sub/*"]\nlevel = "RESTRICTED"\n')
    ingest(folder, store, vocabulary=rules)
    levels = {(fact.source_doc_id, fact.sensitivity) for fact in store.facts()}
    assert levels == {("a.xlsx", "PUBLIC"), ("sub/b.pptx", "RESTRICTED")}


def test_progress_counts_up_to_the_whole(folder, store):
    """A progress bar hears that reading begins, then of each document once, and ends at the total."""
    seen = []
    ingest(folder, store, progress=lambda report, done, total: seen.append((report and report.doc, done, total)))
    assert seen == [(None, 0, 2), ("a.xlsx", 1, 2), ("sub/b.pptx", 2, 2)]


def test_time_is_passed_in(folder, store):
    """The run carries the time the clock gave."""
    ingest(folder, store, clock=lambda: datetime(2031, 5, 6, tzinfo=UTC))
    assert store.head().started_at.startswith("2031-05-06T00:00:00")


def test_bad_calls_are_told(folder, store):
    """A missing folder or no workers at all is the caller's mistake."""
    with pytest.raises(UsageError):
        ingest(folder / "nowhere", store)
    with pytest.raises(UsageError):
        ingest(folder, store, jobs=0)
