"""One citation payload against the retrieved set: fields, scores, offsets, identity of index and revision, snippet.

Three published forms arrive here, told apart by their fields: the traceability payload (`snippet_id`, `section_id`,
offsets and the identity of the index), the enforcement form (`chunk_id`, `snippet`), and the source standard
(`source_filename`, `chunk_id`, `similarity`). Each must be complete in its own form.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from factspine.cite.snippets import Match, Quoted, locate, match_snippet
from factspine.core.citations import MISSING

_TRACEABLE = (
    "snippet_id",
    "section_id",
    "source_url",
    "offsets",
    "tokens",
    "index_hash",
    "embed_model",
    "analyzer",
    "rev",
)
_SOURCE_STANDARD = ("source_filename", "chunk_id", "similarity")
_ENFORCEMENT = ("chunk_id", "snippet")
# Fields that may be there and empty: a document without a link is still a document.
_MAY_BE_EMPTY = frozenset({"source_url", "section_id", "tokens", "similarity"})
_OFFSET_UNITS = ("char", "token")


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieved:
    """What one request retrieved, by every id a citation may name it with."""

    by_id: Mapping[str, Mapping[str, Any]]
    index_hash: str = ""
    analyzer: str = ""

    def find(self, citation: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """The retrieved chunk a citation names; every id it gives must name the same one."""
        found: Mapping[str, Any] | None = None
        for name in ("snippet_id", "chunk_id"):
            given = citation.get(name)
            if not given:
                continue
            chunk = self.by_id.get(str(given))
            if chunk is None and name == "snippet_id" and citation.get("chunk_id"):
                continue  # a snippet is named anew by whoever quotes it; its chunk is not
            if chunk is None or (found is not None and chunk is not found):
                return None
            found = chunk
        if found is None or _differs(citation, found, "doc_id"):
            return None
        return found

    def quoted(self, citation: Mapping[str, Any]) -> Quoted:
        """What a citation quotes, where it stands in its chunk; all of the chunk where it gives no snippet."""
        chunk = self.find(citation)
        text = text_of(chunk) if chunk is not None else ""
        snippet, offsets = citation.get("snippet"), citation.get("offsets")
        spans = []
        if chunk is not None and isinstance(offsets, Mapping) and offsets.get("unit", "char") == "char":
            spans = [(offsets["start"] - base, offsets["end"] - base) for base in (0, _base_of(chunk))]
        if not isinstance(snippet, str) or not snippet:
            return Quoted.within(text, *spans[0]) if spans and text[slice(*spans[0])] else Quoted.whole(text)
        found = next((span for span in spans if span[0] >= 0 and text[slice(*span)] == snippet), locate(snippet, text))
        return Quoted.whole(snippet) if found is None else Quoted.within(text, *found)


def retrieved_set(items: Iterable[Mapping[str, Any] | str], *, index_hash: str = "", analyzer: str = "") -> Retrieved:
    """The retrieved chunks of a request by id."""
    by_id: dict[str, Mapping[str, Any]] = {}
    for item in items:
        chunk: Mapping[str, Any] = {"chunk_id": item} if isinstance(item, str) else item
        for name in ("chunk_id", "snippet_id", "id"):
            if chunk.get(name):
                by_id.setdefault(str(chunk[name]), chunk)
    return Retrieved(by_id=by_id, index_hash=index_hash, analyzer=analyzer)


def text_of(chunk: Mapping[str, Any]) -> str:
    """The stored text of a retrieved chunk, under whichever name it came."""
    for name in ("text", "content", "chunk_text", "snippet"):
        value = chunk.get(name)
        if isinstance(value, str) and value:
            return value
    return ""


def citation_codes(citation: Mapping[str, Any], known: Retrieved) -> tuple[list[str], Match]:
    """Everything that is wrong with one citation, and how its snippet was found."""
    codes = [MISSING + name for name in _required(citation) if _is_missing(citation, name)]
    if _is_traceable(citation) and citation.get("score_raw") is None and citation.get("score_norm") is None:
        codes.append("missing_score")
    if "offsets" in citation and not _offsets_make_sense(citation["offsets"]):
        codes.append("bad_offsets")
    chunk = known.find(citation)
    if chunk is None:
        if MISSING + "chunk_id" not in codes and MISSING + "snippet_id" not in codes:
            codes.append("not_retrieved")
        return codes, "none"
    codes += _identity_codes(citation, chunk, known)
    text, snippet = text_of(chunk), citation.get("snippet")
    match: Match = "exact"
    if isinstance(snippet, str) and snippet and text:
        match = match_snippet(snippet, text)
        if match == "none":
            codes.append("snippet_mismatch")
        elif "bad_offsets" not in codes and not _offsets_fit(citation, chunk, snippet, text, match):
            codes.append("bad_offsets")
    elif text and "bad_offsets" not in codes and not _within(citation, chunk, text):
        codes.append("bad_offsets")
    return codes, match


def mixed_units(citations: Sequence[Mapping[str, Any]]) -> bool:
    """Whether character and token offsets are mixed in one list."""
    offsets = [one["offsets"] for one in citations if isinstance(one.get("offsets"), Mapping)]
    return len({one.get("unit", "char") for one in offsets}) > 1


def _is_traceable(citation: Mapping[str, Any]) -> bool:
    return any(name in citation for name in _TRACEABLE if name != "source_url")


def _required(citation: Mapping[str, Any]) -> tuple[str, ...]:
    if _is_traceable(citation):
        return _TRACEABLE
    return _SOURCE_STANDARD if "similarity" in citation or "source_filename" in citation else _ENFORCEMENT


def _is_missing(citation: Mapping[str, Any], name: str) -> bool:
    value = citation.get(name)
    return value is None or (value == "" and name not in _MAY_BE_EMPTY)


def _offsets_make_sense(offsets: Any) -> bool:
    if not isinstance(offsets, Mapping) or offsets.get("unit", "char") not in _OFFSET_UNITS:
        return False
    start, end = offsets.get("start"), offsets.get("end")
    return type(start) is int and type(end) is int and 0 <= start < end


def _identity_codes(citation: Mapping[str, Any], chunk: Mapping[str, Any], known: Retrieved) -> list[str]:
    codes = []
    if _differs(citation, chunk, "index_hash", known.index_hash):
        codes.append("mismatch_index_hash")
    if _differs(citation, chunk, "analyzer", known.analyzer):
        codes.append("analyzer_mismatch")
    if _differs(citation, chunk, "rev"):
        codes.append("rev_mismatch")
    return codes


def _differs(citation: Mapping[str, Any], chunk: Mapping[str, Any], name: str, live: str = "") -> bool:
    """Whether both sides give a field and disagree; the live value of the index counts before the chunk's."""
    expected = live or chunk.get(name)
    return bool(citation.get(name)) and bool(expected) and citation[name] != expected


def _base_of(chunk: Mapping[str, Any]) -> int:
    """Where a chunk begins in its document, for payloads whose offsets count from there."""
    offsets = chunk.get("offsets")
    start = offsets.get("start") if isinstance(offsets, Mapping) else None
    return start if type(start) is int else 0


def _offsets_fit(citation: Mapping[str, Any], chunk: Mapping[str, Any], snippet: str, text: str, match: Match) -> bool:
    offsets = citation.get("offsets")
    if not isinstance(offsets, Mapping) or offsets.get("unit", "char") != "char":
        return True
    for base in {0, _base_of(chunk)}:
        quoted = text[max(0, offsets["start"] - base) : max(0, offsets["end"] - base)]
        if quoted == snippet or (match == "normalised" and match_snippet(snippet, quoted) != "none"):
            return True
    return False


def _within(citation: Mapping[str, Any], chunk: Mapping[str, Any], text: str) -> bool:
    offsets = citation.get("offsets")
    if not isinstance(offsets, Mapping) or offsets.get("unit", "char") != "char":
        return True
    return any(0 <= offsets["start"] - base < offsets["end"] - base <= len(text) for base in {0, _base_of(chunk)})
