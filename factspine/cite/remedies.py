"""What to do next about each code of the validator, for whoever runs a pipeline that fails its check."""

from __future__ import annotations

_NEXT = {
    "empty_citations": "have the model cite before it explains, and refuse what comes without citations",
    "missing_score": "carry the store's score through the adapter, raw or brought to 0 to 1",
    "bad_offsets": "cut the chunks again and compare start and end with the stored text, in one unit",
    "cross_section_reuse": "cite one section a sentence, or allow several outright (--allow-cross-section)",
    "mismatch_index_hash": "build the index again, or retrieve from the one that was cited",
    "analyzer_mismatch": "read with the analyzer the index was written with",
    "rev_mismatch": "retrieve again: the document has another revision now",
    "not_retrieved": "cite only what this request retrieved",
    "snippet_mismatch": "copy the snippet letter for letter from its chunk",
    "uncited_number": "cite the place that says the number, or leave the sentence out",
    "bad_marker": "number the markers in the order of the citations, each pointing at one of them",
}


def next_step(code: str) -> str:
    """What helps against a code; empty where everything is well."""
    if code in _NEXT:
        return _NEXT[code]
    name = code.removeprefix("missing_")
    return f"give every citation its `{name}`, where the adapter makes it" if name != code else ""
