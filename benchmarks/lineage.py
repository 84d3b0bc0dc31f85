"""What the check costs, beside the least that any check must do; ratios within one run, each the best of three.

default check      to   reading the same facts from SQLite and hashing them with hashlib      (at most 3)
read-data          to   sha256 of the same archived files                                     (at most 1.2)
read-back          to   extracting the same files in the same sandbox                         (at most 1.3)
remap              to   ingesting the same folder                                             (told, no limit)
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile

from benchmarks.made_workbooks import make_medium_books
from factspine.core.limits import Limits
from factspine.extract.sandbox import Allowance, Sandbox
from factspine.ingestion.intake import WORKER_MODULE, inspect
from factspine.ingestion.pipeline import ingest
from factspine.ingestion.readahead import ReadAhead
from factspine.ingestion.remap import remap
from factspine.integrity.archive import Blob, check_blob
from factspine.integrity.checker import check
from factspine.integrity.report import Collector
from factspine.sources.vault import Vault
from factspine.store.store import FactStore

_ROUNDS = 3


def seconds(act: Callable[[], object], rounds: int = _ROUNDS) -> float:
    best = float("inf")
    for _ in range(rounds):
        started = time.perf_counter()
        act()
        best = min(best, time.perf_counter() - started)
    return best


def hash_rows(path: Path) -> int:
    """Every column of every fact, read and hashed, one digest a fact."""
    connection = sqlite3.connect(path)
    count = 0
    try:
        for row in connection.execute("SELECT * FROM fact_metric ORDER BY fact_no"):
            sha256("\x1f".join(map(str, row)).encode()).digest()
            count += 1
    finally:
        connection.close()
    return count


def hash_archive(vault: Path) -> None:
    for blob in vault.glob("??/*"):
        digest = sha256()
        with blob.open("rb", buffering=0) as stream:
            while block := stream.read(1024 * 1024):
                digest.update(block)


def extract_all(folder: Path, limits: Limits, jobs: int) -> None:
    """The same files through the same children, read and labelled, as `factspine extract` does."""
    with Sandbox(WORKER_MODULE, limits, children_max=jobs) as sandbox:

        def work(path: Path) -> int:
            inspected = inspect(path, path.name, limits)
            assert inspected is not None
            request = {"op": "extract", "doc": path.name, "path": str(path.resolve()), "format": inspected.row.format}
            with TemporaryFile() as content:
                allowance = Allowance.of(limits, inspected.inflated_bytes)
                sandbox.run({**request, "limits": asdict(limits)}, content, allowance)
            return 0

        with ReadAhead(sorted(folder.glob("*.xlsx")), work, threads=jobs) as ahead:
            for _ in ahead:
                pass


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--books", type=int, default=30, help="workbooks of 1,500 rows each")
    arguments.add_argument("--archive-mib", type=int, default=200, help="size of the archive that read-data hashes")
    arguments.add_argument("--jobs", type=int, default=2)
    given = arguments.parse_args()
    limits = Limits()
    with tempfile.TemporaryDirectory() as place:
        folder, path = Path(place) / "documents", Path(place) / "facts.db"
        folder.mkdir()
        make_medium_books(folder, given.books)
        with FactStore(path) as store:
            store.init_schema()
            started = time.perf_counter()
            facts = ingest(folder, store, jobs=given.jobs).totals["facts"]
            ingesting = time.perf_counter() - started
            print(f"{facts:,} facts in {given.books} workbooks, ingested in {ingesting:.1f} s")
            assert check(store, "read-back", jobs=given.jobs).ok
            rows, default = seconds(lambda: hash_rows(path)), seconds(lambda: check(store))
            tell("default check", default, "rows and hashlib", rows, "3")
            extracting = seconds(lambda: extract_all(folder, limits, given.jobs))
            back = seconds(lambda: check(store, "read-back", jobs=given.jobs)) - default
            tell("read-back", back, "extracting", extracting, "1.3")
            words = Path(place) / "words.toml"
            words.write_text('[[metric]]\ncode = "X"\nnames = ["x y z"]\n', encoding="utf-8")
            tell("remap", seconds(lambda: remap(store, vocabulary=words), rounds=1), "ingesting", ingesting, "–")
        vault = Vault(Path(place) / "archive")
        blobs = fill_archive(vault, given.archive_mib)
        plain = seconds(lambda: hash_archive(vault.root))
        data = seconds(lambda: [check_blob(vault, blob, Collector(), read=True) for blob in blobs])
        tell("read-data", data, "sha256 alone", plain, "1.2")


def tell(what: str, took: float, beside: str, least: float, limit: str) -> None:
    print(f"{what:<14} {took:7.2f} s   {beside:<16} {least:7.2f} s   {took / least:5.2f} x   (at most {limit})")


def fill_archive(vault: Vault, mebibytes: int) -> list[Blob]:
    """Files of 4 MiB of noise, as an archive of large reports has them."""
    dice = random.Random(1)
    blobs = []
    for _ in range(max(1, mebibytes // 4)):
        content = dice.randbytes(4 * 1024 * 1024)
        blob = Blob(file_hash=sha256(content).hexdigest(), size_bytes=len(content))
        path = vault.path_of(blob.file_hash)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        blobs.append(blob)
    return blobs


if __name__ == "__main__":
    main()
