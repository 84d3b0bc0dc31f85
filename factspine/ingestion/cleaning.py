"""Text that no store takes: characters that damaged files smuggle in are replaced, visibly, before anything is hashed.

Office formats can escape any 16-bit unit, so a cell can hold half of a surrogate pair or a NUL. Neither is text: the
first has no UTF-8, the second ends strings in some databases.
"""

from __future__ import annotations

from dataclasses import replace

from factspine.core.findings import Finding
from factspine.core.tables import Passage, RawTable

_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def clean_text(text: str) -> str:
    """The text with what is no character replaced."""
    if is_clean(text):
        return text
    # UTF-16 joins halves that belong together and leaves the others to be replaced.
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return whole.replace("\x00", _REPLACEMENT)


def is_clean(text: str) -> bool:
    """Whether every character can be stored."""
    if text.isascii():
        return "\x00" not in text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return "\x00" not in text


def clean_table(raw: RawTable) -> RawTable:
    """The table itself where it is clean, as nearly all are; else a copy with clean text."""
    formulas = "".join(raw.formulas.values())
    around = "".join([raw.locator, raw.title, *(text.text + text.locator for text in raw.context)])
    if is_clean("".join(raw.columns.texts)) and is_clean(formulas) and is_clean(around):
        return raw
    return replace(
        raw,
        locator=clean_text(raw.locator),
        title=clean_text(raw.title),
        cells=[cell._replace(text=clean_text(cell.text)) for cell in raw.cells],
        formulas={place: clean_text(formula) for place, formula in raw.formulas.items()},
        context=tuple(
            replace(text, text=clean_text(text.text), locator=clean_text(text.locator)) for text in raw.context
        ),
        places=tuple(replace(place, locator=clean_text(place.locator)) for place in raw.places),
    )


def clean_passage(passage: Passage) -> Passage:
    """The passage with clean text."""
    if is_clean(passage.text) and is_clean("".join((passage.locator, *passage.section))):
        return passage
    return replace(
        passage,
        text=clean_text(passage.text),
        locator=clean_text(passage.locator),
        section=tuple(clean_text(heading) for heading in passage.section),
    )


def clean_finding(finding: Finding) -> Finding:
    """The finding with clean text."""
    return replace(finding, message=clean_text(finding.message), locator=clean_text(finding.locator))
