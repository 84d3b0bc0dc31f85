"""Shared strings: the text of each entry, without the reading aids (phonetic runs) that nobody sees in the cell."""

from __future__ import annotations

import re

from factspine.extract.xlsx.markup import MAIN_NAMESPACES, Malformed, declared_utf8, feed, local, plain, unescape

# The usual shape of an entry; whatever does not fit sends the whole part through the XML parser.
_ENTRY = re.compile(r"<si>(?:<t((?: xml:space=\"preserve\")?)(?:/>|>([^<]*)</t>))(?:<phoneticPr [^<>]*/>)?</si>\s*")
_ENVELOPE = re.compile(r'\s*(?:<\?xml [^<>]*\?>)?\s*<sst (?:[^<>"]*"[^<>"]*")*\s*>\s*')


def read_strings(data: bytes) -> list[str]:
    """The text of every entry, in order."""
    texts = _plain_entries(data)
    return _parsed_entries(data) if texts is None else texts


def _plain_entries(data: bytes) -> list[str] | None:
    """All entries by pattern; None where anything in the part does not fit the pattern exactly."""
    if not declared_utf8(data[:200]):
        return None
    try:
        content = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    parts = _ENTRY.split(content)
    between = parts[0::3]
    if len(parts) < 4 or not _ENVELOPE.fullmatch(between[0]) or between[-1].strip() != "</sst>":
        return None
    if not any(f'xmlns="{name}"' in between[0] for name in MAIN_NAMESPACES) or any(between[1:-1]):
        return None
    texts = [text or "" for text in parts[2::3]]
    if "&" in content or "\r" in content:
        try:
            texts = [unescape(_lines(text)) for text in texts]
        except Malformed:
            return None
    return [plain(text) for text in texts] if "_x" in content else texts


def _lines(text: str) -> str:
    """Line ends as an XML parser hands them on."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _parsed_entries(data: bytes) -> list[str]:
    """All entries by the XML parser: rich text runs joined, phonetic runs left out."""
    texts: list[str] = []
    buffer: list[str] = []
    state = {"phonetic": 0, "open": 0}

    def start(name: str, _: dict[str, str]) -> None:
        tag = local(name)
        if tag == "si":
            buffer.clear()
        elif tag == "rPh":
            state["phonetic"] += 1
        elif tag == "t":
            state["open"] += 1

    def end(name: str) -> None:
        tag = local(name)
        if tag == "si":
            texts.append(plain("".join(buffer)))
        elif tag == "rPh":
            state["phonetic"] -= 1
        elif tag == "t":
            state["open"] -= 1

    def text(value: str) -> None:
        if state["open"] and not state["phonetic"]:
            buffer.append(value)

    feed((data,), start, end, text)
    return texts
