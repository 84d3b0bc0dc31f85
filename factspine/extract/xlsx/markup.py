"""XML parts read with a hardened expat: no document type, no entities, bounded depth; names without their prefixes.

Two ways in: `tree` for the small parts of a package, `feed` for parts that are too large for a tree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from xml.parsers import expat

from factspine.core.errors import InputRejected

# The parser is hardened below: a document type is refused before any entity can be declared.

DEPTH_MAX = 200  # far deeper than any office part; a part that nests deeper is hostile

_REFERENCE = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#([0-9]{1,7})|#x([0-9a-fA-F]{1,6}));")
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


class Node:
    """An element of a small part: local name, attributes by local name, children and its own text."""

    __slots__ = ("attributes", "children", "name", "text")

    def __init__(self, name: str, attributes: dict[str, str]) -> None:
        self.name = name
        self.attributes = attributes
        self.children: list[Node] = []
        self.text = ""

    def first(self, name: str) -> Node | None:
        """The first child of a name."""
        for child in self.children:
            if child.name == name:
                return child
        return None

    def all(self, name: str) -> list[Node]:
        """The children of a name."""
        return [child for child in self.children if child.name == name]

    def under(self, name: str, child: str) -> list[Node]:
        """The children called `child` of the first child called `name`; empty where there is none."""
        parent = self.first(name)
        return parent.all(child) if parent else []


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


def tree(data: bytes) -> Node:
    """A small part as nodes."""
    root = Node("", {})
    stack = [root]
    known: dict[str, str] = {}  # a style sheet has thousands of elements of some dozen names

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(stack) > DEPTH_MAX:
            raise Malformed("the part nests too deeply")
        if name not in known:
            known[name] = local(name)
        if attributes and " " in "".join(attributes):
            attributes = {local(key): value for key, value in attributes.items()}
        node = Node(known[name], attributes)
        stack[-1].children.append(node)
        stack.append(node)

    def end(_: str) -> None:
        stack.pop()

    def text(value: str) -> None:
        stack[-1].text += value

    feed((data,), start, end, text)
    return root.children[0]


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
