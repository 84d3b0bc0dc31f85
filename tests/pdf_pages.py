"""A small PDF writer, so that tests draw exactly the page they speak about: text at a place, rules, fills, pages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

_WIDTHS = {" ": 278, ",": 278, ".": 278, "(": 333, ")": 333, "-": 333, "%": 889, "$": 556, ":": 278}
_NARROW = set("fijlrtI'|!/")
_WIDE = set("mwMW")


def width(text: str, size: float) -> float:
    """How wide Helvetica sets a text; exact for figures, near enough for words."""
    total = 0.0
    for char in text:
        if ord(char) > 0x2E80:
            total += 1000
        elif char.isdigit():
            total += 556
        else:
            total += _WIDTHS.get(
                char, 260 if char in _NARROW else 830 if char in _WIDE else 556 if char.islower() else 680
            )
    return total * size / 1000


class Page:
    """One page, measured in points from the top-left."""

    def __init__(self, width: float = 595, height: float = 842, rotate: int = 0) -> None:
        self.width, self.height, self.rotate = width, height, rotate
        self.operations: list[str] = []
        self.links: list[str] = []

    def text(
        self, x: float, y: float, text: str, size: float = 10, *, font: str = "F1", matrix: str = "", mode: int = 0
    ) -> None:
        """Text whose base line begins at x, y."""
        place = matrix or f"1 0 0 1 {x:.2f} {self.height - y:.2f}"
        chinese = any(ord(c) > 0x2E80 for c in text)
        shown = f"<{text.encode('utf-16-be').hex()}>" if chinese or font == "F4" else f"({_escape(text)})"
        font = "F3" if chinese else font
        self.operations.append(f"BT /{font} {size} Tf {mode} Tr {place} Tm {shown} Tj ET")

    def right(self, x: float, y: float, text: str, size: float = 10, *, font: str = "F1") -> None:
        """Text that ends at x."""
        self.text(x - width(text, size), y, text, size, font=font)

    def rule(self, x0: float, y0: float, x1: float, y1: float) -> None:
        self.operations.append(f"0.7 w {x0:.2f} {self.height - y0:.2f} m {x1:.2f} {self.height - y1:.2f} l S")

    def fill(self, x0: float, y0: float, x1: float, y1: float, gray: float = 0.8) -> None:
        self.operations.append(f"{gray} g {x0:.2f} {self.height - y1:.2f} {x1 - x0:.2f} {y1 - y0:.2f} re f 0 g")

    def link(self, x0: float, y0: float, x1: float, y1: float) -> None:
        """A link to the first page."""
        box = f"{x0:.2f} {self.height - y1:.2f} {x1:.2f} {self.height - y0:.2f}"
        self.links.append(f"<< /Type /Annot /Subtype /Link /Rect [{box}] /Dest [3 0 R /Fit] >>")

    def color(self, gray: float) -> None:
        self.operations.append(f"{gray} g")

    def rows(
        self, table: str, columns: Sequence[float], y: float, *, step: float = 14, size: float = 10, font: str = "F1"
    ) -> float:
        """Draw a table written as text: cells parted by `|`, the first column from the left, the others to the right.

        `columns` are the left edge of the first column and the right edges of the others. Returns the next line's y.
        """
        for line in table.strip("\n").splitlines():
            cells = line.split("|")
            label = cells[0].rstrip()
            indent = len(label) - len(label.lstrip())
            if label.strip():
                self.text(columns[0] + 4 * indent, y, label.strip(), size, font=font)
            for edge, cell in zip(columns[1:], cells[1:], strict=False):
                if cell.strip():
                    self.right(edge, y, cell.strip(), size, font=font)
            y += step
        return y

    def prose(self, text: str, x: float, y: float, right: float, *, step: float = 13, size: float = 10) -> float:
        """Draw a paragraph broken at the right edge. Returns the next line's y."""
        line = ""
        for word in text.split():
            if line and x + width(f"{line} {word}", size) > right:
                self.text(x, y, line, size)
                y += step
                line = word
            else:
                line = f"{line} {word}".strip()
        self.text(x, y, line, size)
        return y + step


def _escape(text: str) -> str:
    out = text.encode("cp1252").decode("latin-1")
    return out.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


_FONTS = """/F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>
/F2 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>
/F3 << /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [<< /Type /Font
/Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 4 >>
/DW 1000 /FontDescriptor << /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /Ascent 880 /Descent -120
/CapHeight 880 /ItalicAngle 0 /StemV 80 /FontBBox [-25 -254 1000 880] >> >>] >>
/F4 << /Type /Font /Subtype /Type0 /BaseFont /Nameless /Encoding /Identity-H /DescendantFonts [<< /Type /Font
/Subtype /CIDFontType2 /BaseFont /Nameless /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>
/DW 600 /FontDescriptor << /Type /FontDescriptor /FontName /Nameless /Flags 4 /Ascent 880 /Descent -120
/CapHeight 880 /ItalicAngle 0 /StemV 80 /FontBBox [-25 -254 1000 880] >> >>] >>
/F5 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding /BaseEncoding /WinAnsiEncoding
/Differences [48 /g1 /g2 /g3 /g4 /g5 /g6 /g7 /g8 /g9 /g10] >> >>
/F6 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding /BaseEncoding /WinAnsiEncoding
/Differences [65 /zero /one /two /three /four /five /six /seven /eight /nine 90 /fi] >> >>
/F7 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode %(meanings)d 0 R >>"""
# In F7 the glyphs of X, Y and Z stand for two or three letters each.
_MEANINGS = """/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CMapName /Meanings def /CMapType 2 def 1 begincodespacerange <00> <ff> endcodespacerange
1 beginbfrange <20> <57> <0020> endbfrange 1 beginbfrange <61> <7e> <0061> endbfrange
3 beginbfchar <58> <006600660069> <59> <00740074> <5a> <00660066> endbfchar
endcmap CMapName currentdict /CMap defineresource pop end end"""


def document(pages: Sequence[Page]) -> bytes:
    """The bytes of a PDF with these pages."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    kids = []
    fonts = _FONTS % {"meanings": 2 * len(pages) + 3}
    for page in pages:
        content = "\n".join(page.operations).encode("latin-1").decode("latin-1")
        number = len(objects) + 1
        kids.append(f"{number} 0 R")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {page.width} {page.height}] /Rotate {page.rotate}"
            f" /Annots [{' '.join(page.links)}] /Contents {number + 1} 0 R /Resources << /Font << {fonts} >> >> >>"
        )
        objects.append(f"<< /Length {len(content.encode('latin-1'))} >>\nstream\n{content}\nendstream")
    objects.append(f"<< /Length {len(_MEANINGS)} >>\nstream\n{_MEANINGS}\nendstream")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    out = b"%PDF-1.7\n"
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    start = len(out)
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}".encode()
    return out + f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()


def save(path: Path, *pages: Page) -> Path:
    """Write a PDF with these pages."""
    path.write_bytes(document(pages))
    return path
