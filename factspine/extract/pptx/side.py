"""What stands beside a slide: speaker notes, comments, and the words of diagrams."""

from __future__ import annotations

from factspine.extract.pptx import tags
from factspine.extract.pptx.package import Element, child_of
from factspine.extract.pptx.text import Paragraph, body_text, paragraphs_of

_SP, _TX_BODY, _PH = tags.p("sp"), tags.p("txBody"), tags.p("ph")
_PAGE_FURNITURE = frozenset(("sldImg", "sldNum", "hdr", "ftr", "dt"))
_LEGACY_COMMENT, _LEGACY_TEXT = tags.p("cm"), tags.p("text")
_COMMENT, _REPLY, _COMMENT_BODY = tags.p188("cm"), tags.p188("reply"), tags.p188("txBody")
_DIAGRAM_POINT, _DIAGRAM_TEXT = tags.dgm("pt"), tags.dgm("t")
_DIAGRAM_WORDS = frozenset((None, "node", "asst"))  # the other points are connections and the drawing's own


def notes_of(page: Element) -> list[tuple[int, list[Paragraph]]]:
    """The text frames of a notes page, numbered in document order without slide picture, header and footer."""
    found = []
    number = 0
    for shape in page.iter(_SP):
        placeholder = next(shape.iter(_PH), None)
        body = child_of(shape, _TX_BODY)
        if body is None or (placeholder is not None and placeholder.get("type") in _PAGE_FURNITURE):
            continue
        number += 1
        paragraphs = paragraphs_of(body)
        if paragraphs:
            found.append((number, paragraphs))
    return found


def comments_of(part: Element) -> list[str]:
    """The comments of a slide in the order they are stored, replies after what they answer."""
    texts = []
    for comment in part.iter(_LEGACY_COMMENT, _COMMENT, _REPLY):
        if comment.tag == _LEGACY_COMMENT:
            text = comment.find(_LEGACY_TEXT)
            texts.append((text.text or "").strip() if text is not None else "")
        else:
            body = comment.find(_COMMENT_BODY)
            texts.append(body_text(body).strip() if body is not None else "")
    return texts


def diagram_words(part: Element) -> list[Paragraph]:
    """The paragraphs of a diagram's nodes, numbered through the whole diagram."""
    found = []
    number = 0
    for point in part.iter(_DIAGRAM_POINT):
        body = point.find(_DIAGRAM_TEXT) if point.get("type") in _DIAGRAM_WORDS else None
        if body is None:
            continue
        for paragraph in paragraphs_of(body):
            found.append(Paragraph(number + paragraph.number, paragraph.text))
        number += len(body.findall(tags.a("p")))
    return found
