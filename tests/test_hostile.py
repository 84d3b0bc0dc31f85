"""No input hangs, exhausts or kills the process: each ends in facts or a typed finding, and the run goes on."""

from __future__ import annotations

import io
import os
import random
import resource
import time
import warnings
import zipfile

import pytest

from factspine.core.findings import CODES
from factspine.core.limits import MIB, Limits
from factspine.ingestion.pipeline import ingest
from factspine.store.store import FactStore
from tests.hostile import containers
from tests.hostile.files import FACTS, HOSTILE

SCALE = float(os.environ.get("FACTSPINE_TEST_SCALE", "1"))
# Tighter than the defaults, so that what must be stopped is stopped soon.
LIMITS = Limits(child_memory_bytes=512 * MIB, child_cpu_seconds=10, child_cpu_seconds_per_mib=0.2)


def new_store(place):
    store = FactStore(place / "facts.db")
    store.init_schema()
    return store


@pytest.fixture(scope="module")
def hostile_run(tmp_path_factory):
    """One ingest of the whole collection, with an ordinary workbook before and after it."""
    place = tmp_path_factory.mktemp("hostile")
    folder = place / "documents"
    folder.mkdir()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # zipfile says that a name is there twice: it is meant to be
        for name, (build, _) in HOSTILE.items():
            (folder / name).write_bytes(build())
    for name in ("0_first.xlsx", "zz_last.xlsx"):
        (folder / name).write_bytes(containers.workbook())
    started = time.monotonic()
    with new_store(place) as store:
        report = ingest(folder, store, limits=LIMITS)
        yield report, time.monotonic() - started, store, folder


def test_there_are_enough_of_them():
    """At least 25 kinds of harm, most of them with a definite end."""
    assert len(HOSTILE) >= 40


@pytest.mark.parametrize("name", HOSTILE)
def test_each_ends_as_it_should(hostile_run, name):
    """Facts, or a rejection with one of the codes that fit the harm."""
    report, *_ = hostile_run
    (document,) = (one for one in report.documents if one.doc == name)
    codes = {finding.code for finding in document.findings}
    assert codes <= set(CODES)
    allowed = HOSTILE[name][1]
    if document.status == "rejected":
        assert codes & allowed, [finding.message for finding in document.findings]
    else:
        assert FACTS in allowed, document
    assert document.seconds < 60


def test_the_run_goes_on(hostile_run):
    """Ordinary documents among them are read as if they were alone."""
    report, *_ = hostile_run
    ordinary = [one for one in report.documents if one.doc in ("0_first.xlsx", "zz_last.xlsx")]
    assert [(one.status, one.facts) for one in ordinary] == [("ingested", 4), ("ingested", 4)]


def test_the_whole_collection_is_bounded(hostile_run):
    """Together they take bounded time, and no child outgrows what it is allowed."""
    _, seconds, *_ = hostile_run
    assert seconds < 300
    # The figure is the largest of all children of this test run; none of ours may pass its limit.
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 < 1.1 * Limits().child_memory_bytes


def test_nothing_secret_is_quoted(hostile_run):
    """Findings name places and numbers, never cell text or the machine's files."""
    report, *_ = hostile_run
    text = repr(report.as_dict())
    assert "root:" not in text
    assert "lollol" not in text
    assert "报报" not in text


def test_what_was_rejected_is_not_recorded_again(hostile_run):
    """A second ingest of the same folder changes nothing: final rejections are not tried, others end the same."""
    report, _, store, folder = hostile_run
    again = ingest(folder, store, limits=LIMITS)
    assert again.run_id is None
    assert [(one.doc, {f.code for f in one.findings}) for one in again.documents if one.status == "rejected"] == [
        (one.doc, {f.code for f in one.findings}) for one in report.documents if one.status == "rejected"
    ]


def mutants(content, count, seed):
    """Copies of a file with a few bytes changed, some of them past the compression."""
    source = random.Random(seed)  # noqa: S311 - the same damage every time
    for number in range(count):
        if number % 2:
            yield bytes(_damage(bytearray(content), source))
        else:
            names = _xml_names(content)
            yield containers.replace_part(
                content, {source.choice(names): lambda part: bytes(_damage(bytearray(part), source))}
            )


def _xml_names(content):
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        return [name for name in package.namelist() if name.endswith((".xml", ".rels"))]


def _damage(content, source):
    for _ in range(source.randint(1, 6)):
        place = source.randrange(len(content))
        what = source.randrange(4)
        if what == 0:
            content[place] = source.randrange(256)
        elif what == 1:
            del content[place : place + source.randint(1, 40)]
        elif what == 2:
            content[place:place] = content[place : place + source.randint(1, 200)]
        else:
            content[place:place] = source.choice([b"<", b">", b'"', b"0", b"-1", b"99999999999", b"&", b"</a:tc>"])
        if not content:
            return bytearray(b"\x00")
    return content


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["xlsx", "pptx"])
def test_mutants_end_in_facts_or_typed_findings(tmp_path, kind):
    """However a file is damaged, only typed errors leave the extractor."""
    count = max(10, int(60 * SCALE))
    content = containers.workbook() if kind == "xlsx" else containers.deck()
    folder = tmp_path / "documents"
    folder.mkdir()
    for number, mutant in enumerate(mutants(content, count, seed=kind)):
        (folder / f"{number:05}.{kind}").write_bytes(mutant)
    with new_store(tmp_path) as store:
        report = ingest(folder, store, limits=LIMITS)
    assert len(report.documents) == count
    codes = {finding.code for one in report.documents if one.status == "rejected" for finding in one.findings}
    assert codes <= {"FS101", "FS103", "FS104", "FS105", "FS106", "FS107", "FS108", "FS201"}
