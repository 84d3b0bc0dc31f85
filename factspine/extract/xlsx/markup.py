"""XML parts read with a hardened expat: no document type, no entities, bounded depth; names without their prefixes.

Two ways in: `tree` for the small parts of a package, `feed` for parts that are too large for a tree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from xml.etree.ElementTree import Element, ParseError, XMLParser
from xml.parsers import expat

from factspine.core.errors import InputRejected

# The parser is hardened below: a document type is refused before any entity can be declared.

DEPTH_MAX = 200  # far deeper than any office part; a part that nests deeper is hostile
_KNOWN_BYTES_MAX, _KNOWN_MAX = 16 * 1024, 64  # of parts that are remembered: their size, and how many they are

_REFERENCE = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#([0-9]{1,7})|#x([0-9a-fA-F]{1,6}));")
_UTF8 = re.compile(rb'(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*?(?:encoding=["\'][uU][tT][fF]-8["\'])[^>]*\?>|<(?!\?))')
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_ESCAPED = re.compile(r"_x([0-9a-fA-F]{4})_")

MAIN_NAMESPACES = frozenset(
    {
        "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
        "http://purl.oclc.org/ooxml/spreadsheetml/main",
    }
)


class Malformed(Exception):
    """A part is not the XML it should be."""


Start = Callable[[str, dict[str, str]], None]
End = Callable[[str], None]
Text = Callable[[str], None]


def _refuse_doctype(*_: object) -> None:
    # No writer of workbooks declares a document type; who does so means to make the parser fetch or unfold something.
    raise InputRejected("FS106", "A part declares a document type.", remedy="Save the workbook again in Excel.")


def feed(pieces: Iterable[bytes], start: Start, end: End, text: Text | None) -> None:
    """Parse a part piece by piece; names arrive as `namespace local`, as expat joins them."""
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse_doctype
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    try:
        for piece in pieces:
            parser.Parse(piece, False)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise Malformed(f"not well-formed XML: {expat.errors.messages[error.code]}, line {error.lineno}") from error
    except (ValueError, LookupError) as error:  # an encoding nobody knows, or bytes that are not in it
        raise Malformed("the part's encoding is not known") from error


def local(name: str) -> str:
    """A name without its namespace."""
    return name.rpartition(" ")[2]


def _pass_over(*_: object) -> None:
    pass


def declared_utf8(head: bytes) -> bool:
    """Whether a part begins as UTF-8 text, by declaration or by default."""
    return _UTF8.match(head) is not None


def tree(data: bytes) -> Element:
    """A small part as elements, not to be changed: a program writes many of its parts alike into every workbook."""
    return _known(data) if len(data) <= _KNOWN_BYTES_MAX else _parsed(data)


@lru_cache(maxsize=_KNOWN_MAX)
def _known(data: bytes) -> Element:
    return _parsed(data)


def _parsed(data: bytes) -> Element:
    if b"<!DOCTYPE" in data or not declared_utf8(data[:200]):
        feed((data,), _pass_over, _pass_over, None)  # which refuses a document type before anything in it is unfolded
    parser = XMLParser()  # noqa: S314 - hardened by the line above
    try:
        parser.feed(data)
        root: Element = parser.close()
    except ParseError as error:
        raise Malformed(
            f"not well-formed XML: {expat.errors.messages[error.code]}, line {error.position[0]}"
        ) from error
    except (ValueError, LookupError) as error:  # an encoding nobody knows, or bytes that are not in it
        raise Malformed("the part's encoding is not known") from error
    level, depth = [root], 1
    while level := [child for parent in level for child in parent]:
        depth += 1
        if depth > DEPTH_MAX:
            raise Malformed("the part nests too deeply")
    names: dict[str, str] = {}
    for element in root.iter():
        name = element.tag
        element.tag = names.get(name) or names.setdefault(name, name.rpartition("}")[2])
    return root


def under(node: Element, name: str, child: str) -> list[Element]:
    """The children called `child` of the first child called `name`; empty where there is none."""
    parent = node.find(name)
    return [] if parent is None else parent.findall(child)


def text_of(node: Element) -> str:
    """The text of an element itself, that of its children left out."""
    return (node.text or "") + "".join(child.tail or "" for child in node)


def unescape(text: str) -> str:
    """Character references resolved, as an XML parser would; anything else behind `&` is malformed."""
    if text.count("&") != len(_REFERENCE.findall(text)):
        raise Malformed("an entity that is not declared")
    return _REFERENCE.sub(_resolve, text)


def _resolve(found: re.Match[str]) -> str:
    name, decimal, hexadecimal = found.groups()
    if name:
        return _NAMED[name]
    number = int(decimal) if decimal else int(hexadecimal, 16)
    allowed = (
        number in (9, 10, 13) or 32 <= number < 0xD800 or 0xE000 <= number < 0xFFFE or 0x10000 <= number < 0x110000
    )
    if not allowed:
        raise Malformed("a character reference outside XML")
    return chr(number)


def plain(text: str) -> str:
    """Stored text as typed: `_x000D_` stands for the character with that number."""
    return _ESCAPED.sub(_character, text) if "_x" in text else text


def _character(found: re.Match[str]) -> str:
    number = int(found[1], 16)
    return "" if 0xD800 <= number < 0xE000 or number == 0 else chr(number)
