"""How an answer's passages were found, as `retrieval-transparency.json` of the Tez extension, and its bundle.

    my-answer.tez/
      manifest.json  synthesis.md  context/…
      extensions/com.ragu.retrieval-transparency/{manifest.json, retrieval-transparency.json}

A context item is marked verified only where bytes lie in the bundle whose hash is the recorded one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Any

from factspine.core.citations import Citation
from factspine.core.errors import UsageError

EXTENSION_ID = "com.ragu.retrieval-transparency"
EXTENSION_VERSION = "1.0.0"
PROTOCOL_VERSION = "1.2"
_ID_LENGTH = 16


def transparency(
    citations: Sequence[Citation],
    *,
    retrieved: int,
    elapsed_ms: int,
    evaluated: int | None = None,
    ceiling: str = "",
) -> dict[str, Any]:
    """The report of one search: `citations` are the passages it gave, `retrieved` how many it found in all."""
    shown = len(citations) if evaluated is None else evaluated
    if shown > retrieved:
        raise UsageError(f"{shown} chunks were evaluated but only {retrieved} retrieved")
    scores = sorted(citations, key=lambda one: (-(one.score_norm or 0.0), one.section_id, one.snippet_id))
    report: dict[str, Any] = {
        "retrieval_strategy": "single_pass",
        "chunks_retrieved": retrieved,
        "chunks_evaluated": shown,
        "similarity_scores": [
            {"chunk_id": one.chunk_id, "score": one.score_norm or 0.0, "source_item_id": item_id(one.doc_id, one.rev)}
            for one in scores
        ],
        "ranking_method": "bm25",
        "retrieval_time_ms": elapsed_ms,
        "reranking_applied": False,
    }
    if ceiling:
        report |= {"retrieval_budget_exhausted": True, "ceiling_reached": ceiling}
    return report


def item_id(doc_id: str, rev: str) -> str:
    """The name of a document's revision among the items of a bundle."""
    return "ctx-" + sha256(f"{doc_id}\n{rev}".encode()).hexdigest()[:_ID_LENGTH]


def schema() -> dict[str, Any]:
    """The schema a report must satisfy."""
    text = resources.files("factspine.cite").joinpath("schemas/retrieval-transparency.json").read_text("utf-8")
    record: dict[str, Any] = json.loads(text)
    return record


def write_bundle(
    folder: Path,
    *,
    title: str,
    created: str,
    answer: str,
    citations: Sequence[Citation],
    report: dict[str, Any],
    bytes_of: Callable[[str], bytes | None],
) -> Path:
    """Write an answer as a bundle; `bytes_of` gives the archived bytes of a revision by its hash, where there are."""
    items = [
        _item(folder, doc_id, rev, bytes_of(rev))
        for doc_id, rev in dict.fromkeys((one.doc_id, one.rev) for one in citations)
    ]
    manifest = {
        "tezit_version": PROTOCOL_VERSION,
        "title": title,
        "created_at": created,
        "synthesis": {"type": "answer", "file": "synthesis.md"},
        "context": {"item_count": len(items), "items": items},
        "extensions": [{"extension_id": EXTENSION_ID, "extension_version": EXTENSION_VERSION}],
    }
    _write(folder / "manifest.json", manifest)
    lines = [f"# {title}", "", answer, ""]
    lines += [f"[†{number}]: {one.doc_id} · {one.locator}" for number, one in enumerate(citations, 1)]
    (folder / "synthesis.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    extension = folder / "extensions" / EXTENSION_ID
    _write(extension / "manifest.json", _extension_manifest())
    _write(extension / "retrieval-transparency.json", report)
    return folder


def _item(folder: Path, doc_id: str, rev: str, content: bytes | None) -> dict[str, Any]:
    item = {"id": item_id(doc_id, rev), "title": doc_id, "hash": f"sha256:{rev}", "status": "unverified"}
    if content is not None and sha256(content).hexdigest() == rev:
        # Named by content: two documents of one name never share a file, and no name leaves the folder.
        name = f"context/{rev[:_ID_LENGTH]}{Path(doc_id).suffix}"
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        item |= {"file": name, "status": "verified"}
    return item


def _extension_manifest() -> dict[str, Any]:
    return {
        "extension_id": EXTENSION_ID,
        "extension_version": EXTENSION_VERSION,
        "name": "Retrieval Transparency",
        "description": "How the passages behind this answer were found, ranked and scored",
        "author": "FactSpine",
    }


def _write(path: Path, record: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(record, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
