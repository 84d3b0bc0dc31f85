"""How an answer's passages were found, as `retrieval-transparency.json` of the Tez extension, and its bundle.

    my-answer.tez/
      manifest.json  synthesis.md  context/…
      extensions/com.ragu.retrieval-transparency/{manifest.json, retrieval-transparency.json}

A context item is marked verified only where bytes lie in the bundle whose hash is the recorded one. Cells are not
ranked: every label of the store is compared, which the report calls exhaustive, by words, which it can only call bm25.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Any

from factspine.core.answers import Answer
from factspine.core.citations import Citation, Retrieval, tie_break
from factspine.core.errors import UsageError
from factspine.core.markers import marker

EXTENSION_ID = "com.ragu.retrieval-transparency"
EXTENSION_VERSION = "1.0.0"
PROTOCOL_VERSION = "1.2"
_ID_LENGTH = 16


def transparency(retrieval: Retrieval, *, strategy: str = "single_pass") -> dict[str, Any]:
    """The report of one search."""
    if len(retrieval.hits) > retrieval.found:
        raise UsageError(f"{len(retrieval.hits)} chunks were evaluated but only {retrieval.found} retrieved")
    report: dict[str, Any] = {
        "retrieval_strategy": strategy,
        "chunks_retrieved": retrieval.found,
        "chunks_evaluated": len(retrieval.hits),
        "similarity_scores": [
            {"chunk_id": one.chunk_id, "score": one.score_norm or 0.0, "source_item_id": item_id(one.doc_id, one.rev)}
            for one in sorted(retrieval.hits, key=tie_break)
        ],
        "ranking_method": retrieval.ranking,
        "retrieval_time_ms": retrieval.elapsed_ms,
        "reranking_applied": bool(retrieval.reranker),
    }
    if retrieval.reranker:
        report["reranking_model"] = retrieval.reranker
    if retrieval.ceiling:
        report |= {"retrieval_budget_exhausted": True, "ceiling_reached": retrieval.ceiling}
    return report


def report_of(answer: Answer) -> dict[str, Any]:
    """The report of an answer: of its search for passages, of its look-up of cells, or of both as two passes."""
    cells = tuple(answer.cited[: len(answer.facts)])
    found = answer.retrieval
    if found is None:
        looked_up = Retrieval(hits=answer.cited, found=len(answer.cited), elapsed_ms=round(answer.elapsed_ms))
        return transparency(looked_up, strategy="exhaustive")
    both = replace(found, hits=(*cells, *found.hits), found=len(cells) + found.found)
    return transparency(both, strategy="multi_pass" if cells else "single_pass")


def item_id(doc_id: str, rev: str) -> str:
    """The name of a document's revision among the items of a bundle."""
    return "ctx-" + sha256(f"{doc_id}\n{rev}".encode()).hexdigest()[:_ID_LENGTH]


def schema() -> dict[str, Any]:
    """The schema a report must satisfy."""
    text = resources.files("factspine.cite").joinpath("schemas/retrieval-transparency.json").read_text("utf-8")
    record: dict[str, Any] = json.loads(text)
    return record


def write_bundle(
    folder: Path, answer: Answer, *, created: str, bytes_of: Callable[[str], bytes | None]
) -> list[dict[str, Any]]:
    """Write an answer as a bundle; its context items.

    `bytes_of` gives the archived bytes of a revision by its hash, where there are. Documents that were searched and not
    cited are named, so that the report can be read, but their bytes are left out.
    """
    if answer.mode != "answer":
        raise UsageError("only an answer can be bundled; this question was not answered.")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is not empty; name a new folder.")
    cited = dict.fromkeys((one.doc_id, one.rev) for one in answer.cited)
    searched = answer.retrieval.hits if answer.retrieval is not None else ()
    known = dict.fromkeys([*cited, *((one.doc_id, one.rev) for one in searched)])
    items = [_item(folder, doc, rev, bytes_of(rev) if (doc, rev) in cited else None) for doc, rev in known]
    manifest = {
        "tezit_version": PROTOCOL_VERSION,
        "title": answer.question,
        "created_at": created,
        "synthesis": {"type": "answer", "file": "synthesis.md"},
        "context": {"item_count": len(items), "items": items},
        "citations": answer.citations,
        "extensions": [{"extension_id": EXTENSION_ID, "extension_version": EXTENSION_VERSION}],
    }
    _write(folder / "manifest.json", manifest)
    (folder / "synthesis.md").write_text(_synthesis(answer.question, answer.answer, answer.cited), encoding="utf-8")
    extension = folder / "extensions" / EXTENSION_ID
    _write(extension / "manifest.json", _extension_manifest())
    _write(extension / "retrieval-transparency.json", report_of(answer))
    return items


def _synthesis(title: str, text: str, citations: Sequence[Citation]) -> str:
    """The answer for people, with every citation named by its marker."""
    heading = " ".join(title.split())
    places = [f"{marker(number)}: {one.doc_id} · {one.locator}" for number, one in enumerate(citations, 1)]
    return "\n".join([f"# {heading}", "", text, "", *places]) + "\n"


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
    """What the extension is: its author and its page are those of whoever published it, not ours."""
    return {
        "extension_id": EXTENSION_ID,
        "extension_version": EXTENSION_VERSION,
        "name": "Retrieval Transparency",
        "description": "How the passages behind this answer were found, ranked and scored",
        "author": "Ragu Platform",
        "url": "https://github.com/tezit-protocol/spec/extensions/vendor/com.ragu/retrieval-transparency",
    }


def _write(path: Path, record: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(record, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
