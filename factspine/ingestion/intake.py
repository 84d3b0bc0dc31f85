"""One document on its way to the child: sniffed, guarded, archived, then read, its content put away until written.

Runs in the parent's reading threads. Nothing of a document reaches the store before all of it has been read.
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Any, cast

from factspine.core.errors import InputRejected, SandboxFailed
from factspine.core.findings import CODES, Finding
from factspine.core.leaves import Lineage
from factspine.core.limits import Limits
from factspine.extract.registry import Row, row_of
from factspine.extract.sandbox import Allowance, Sandbox
from factspine.lexicon.vocabulary import Vocabulary
from factspine.sources.folder import Hashed
from factspine.sources.guard import check_zip
from factspine.sources.sniff import sniff
from factspine.sources.vault import Vault

WORKER_MODULE = "factspine.ingestion.worker"
# Small documents stay in memory until they are written; with the bound on how many may wait, that is 64 MiB at most.
_SPOOL_MEMORY_BYTES = 512 * 1024
_NAMES = {
    "xls": "an old Excel workbook",
    "ppt": "an old PowerPoint deck",
    "doc": "a Word document",
    "docx": "a Word document",
    "xlsb": "a binary Excel workbook",
    "odf": "an OpenDocument file",
    "ole": "an old office file",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadDocument:
    """A document that was read: its content as frames, and what is in it."""

    lineage: Lineage
    row: Row
    content: IO[bytes]
    totals: dict[str, Any]
    findings: tuple[Finding, ...]  # of intake; those of extraction are in the content
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedDocument:
    """A document that was not read, and why. Without findings it is no document at all."""

    findings: tuple[Finding, ...]
    extractor_version: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspected:
    """A file that may be given to the child."""

    row: Row
    inflated_bytes: int
    findings: tuple[Finding, ...]


class Reader:
    """Reads documents for one ingest; may be called from several threads at once."""

    def __init__(
        self,
        sandbox: Sandbox,
        vault: Vault,
        limits: Limits,
        *,
        mapping_version: str,
        vocabulary: Vocabulary,
        vocabulary_path: str | None,
    ) -> None:
        self._sandbox = sandbox
        self._vault = vault
        self._limits = limits
        self._plain_limits = asdict(limits)
        self._mapping_version = mapping_version
        self._vocabulary = vocabulary
        self._vocabulary_path = vocabulary_path

    def __call__(self, found: Hashed) -> ReadDocument | RefusedDocument:
        started = time.perf_counter()
        version = ""
        try:
            inspected = inspect(found.file.path, found.file.doc_id, self._limits)
            if inspected is None:
                return RefusedDocument(findings=())
            blob = self._vault.add(found.file.path, found.sha256, found.file.size)
            version = inspected.row.version
            return self._extract(found, inspected, blob, started)
        except (InputRejected, SandboxFailed) as error:
            finding = _finding(error)
        except OSError as error:
            finding = Finding.of("FS102", f"The file cannot be opened ({type(error).__name__}).")
        seconds = time.perf_counter() - started
        return RefusedDocument(findings=(finding,), extractor_version=version, seconds=seconds)

    def _extract(self, found: Hashed, inspected: Inspected, blob: Path, started: float) -> ReadDocument:
        lineage = Lineage(
            doc_id=found.file.doc_id,
            file_hash=found.sha256,
            extractor_version=inspected.row.version,
            mapping_version=self._mapping_version,
            sensitivity=self._vocabulary.sensitivity(found.file.doc_id),
        )
        request = {
            "op": "ingest",
            "path": str(blob.resolve()),
            "format": inspected.row.format,
            "lineage": asdict(lineage),
            "vocabulary": self._vocabulary_path,
            "limits": self._plain_limits,
        }
        content = cast(IO[bytes], SpooledTemporaryFile(max_size=_SPOOL_MEMORY_BYTES))  # noqa: SIM115 - closed when written
        try:
            totals = self._sandbox.run(request, content, Allowance.of(self._limits, inspected.inflated_bytes))
        except BaseException:
            content.close()
            raise
        return ReadDocument(
            lineage=lineage,
            row=inspected.row,
            content=content,
            totals=totals,
            findings=inspected.findings,
            seconds=time.perf_counter() - started,
        )


def inspect(path: Path, name: str, limits: Limits) -> Inspected | None:
    """Sniffs and guards a file; None where it is no document, `InputRejected` where it is one that is not read."""
    with path.open("rb") as stream:
        sniffed = sniff(name, stream, limits)
        if not sniffed.format:
            return None
        if sniffed.format == "encrypted":
            raise InputRejected("FS107", "The file is protected by a password.", remedy="Save it without one.")
        row = row_of(sniffed.format)
        if row is None:
            what = _NAMES.get(sniffed.format, sniffed.format)
            raise InputRejected(
                "FS108", f"This is {what}, a format that is not read.", remedy="Save it as xlsx, pptx or pdf."
            )
        # A PDF is no container to be measured beforehand: its own size is what its time is allowed by.
        if sniffed.format == "pdf":
            inflated_bytes = path.stat().st_size
        else:
            inflated_bytes = check_zip(stream, limits, sniffed.container).inflated_bytes
    findings: tuple[Finding, ...] = ()
    if sniffed.renamed:
        message = f"The name promises another format; the content is {sniffed.format} and was read as that."
        findings = (Finding(code="FS104", severity="warning", message=message, remedy="Rename the file."),)
    return Inspected(row=row, inflated_bytes=inflated_bytes, findings=findings)


def _finding(error: InputRejected | SandboxFailed) -> Finding:
    locator = error.locator if isinstance(error, InputRejected) else ""
    # A code that nobody knows can only come from a child that is not itself any more.
    code = error.code if error.code in CODES else "FS204"
    return Finding.of(code, str(error), remedy=error.remedy, locator=locator)
