"""Paragraphs of DrawingML text, as a person reads them: runs, fields and line breaks in order."""

from __future__ import annotations

import re
from typing import NamedTuple

from factspine.extract.pptx import tags
from factspine.extract.pptx.package import Element

_A_P, _A_R, _A_T, _A_BR, _A_FLD = (tags.a(name) for name in ("p", "r", "t", "br", "fld"))
_RUNS = (_A_R, _A_FLD)
_A_RPR = tags.a("rPr")
_RAISED = str.maketrans("0123456789()abcde", "⁰¹²³⁴⁵⁶⁷⁸⁹⁽⁾ᵃᵇᶜᵈᵉ")
_MARKS = re.compile(r"[\d\s(),*†‡-]+|[\s(]*[a-e](?:[\s,]+[a-e])*[\s)]*")
_M_T = tags.m("t")


class Paragraph(NamedTuple):
    """A paragraph that says something. `number` counts the empty ones before it too, so that it can be found again."""

    number: int
    text: str


def raised(text: str, look: Element, parts: list[str]) -> str:
    """The text of a run as its look has it: raised behind others, digits and marks stay so, lest 210² become 2102."""
    baseline = look.get("baseline")
    if not baseline or baseline[0] in "-0" or "".join(parts)[-1:] in ("", "\n") or not _MARKS.fullmatch(text):
        return text
    return text.translate(_RAISED)


def paragraph_text(paragraph: Element) -> str:
    """The text of one paragraph; a line break inside it is a newline."""
    parts: list[str] = []
    for child in paragraph:
        tag = child.tag
        if tag in _RUNS:
            look = None
            for run_child in child:
                if run_child.tag == _A_RPR:
                    look = run_child
                elif run_child.tag == _A_T:
                    text = run_child.text or ""
                    parts.append(text if look is None else raised(text, look, parts))
                    break
        elif tag == _A_BR:
            parts.append("\n")
        elif tag == tags.ALTERNATE or tag.endswith("}m"):
            parts.extend(_formula_text(child))
    # A vertical tab is how a line break survives in text that was pasted between programs.
    return "".join(parts).replace("\v", "\n") if parts else ""


def _formula_text(element: Element) -> list[str]:
    chosen = element.find(tags.CHOICE) if element.tag == tags.ALTERNATE else element
    if chosen is None:
        return []
    return [t.text or "" for t in chosen.iter(_M_T, _A_T)]


def body_text(body: Element) -> str:
    """All paragraphs of a text body, one a line."""
    return "\n".join([paragraph_text(p) for p in body.iterchildren(_A_P)])


def paragraphs_of(body: Element) -> list[Paragraph]:
    """The paragraphs of a text body that are not blank, without the white space around them."""
    found = []
    for number, paragraph in enumerate(body.iterchildren(_A_P), 1):
        text = paragraph_text(paragraph).strip()
        if text:
            found.append(Paragraph(number, text))
    return found
