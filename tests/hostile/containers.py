"""Zip and compound files, sound and otherwise, as bytes."""

from __future__ import annotations

import io
import struct
import zipfile

_TYPES = '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">{}</Types>'
_DEFAULTS = '<Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" \
ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
_OFFICE = "application/vnd.openxmlformats-officedocument"
_RELS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE_RELS = "http://schemas.openxmlformats.org/package/2006/relationships"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"

SHEETS = '<sheet name="P&amp;L" sheetId="1" r:id="r1"/>'
ROWS = """<row r="1"><c r="A1" t="inlineStr"><is><t>Revenue (US$ million)</t></is></c>
<c r="B1" t="inlineStr"><is><t>FY2023</t></is></c><c r="C1" t="inlineStr"><is><t>FY2024</t></is></c></row>
<row r="2"><c r="A2" t="inlineStr"><is><t>Asia</t></is></c><c r="B2"><v>120</v></c><c r="C2"><v>132.5</v></c></row>
<row r="3"><c r="A3" t="inlineStr"><is><t>Europe</t></is></c><c r="B3"><v>80</v></c><c r="C3"><v>91.25</v></c></row>"""


def archive(parts: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip of these parts."""
    return archive_of(list(parts.items()), method)


def archive_of(parts: list[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip of these parts, names repeated where they are."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as package:
        for name, content in parts:
            package.writestr(zipfile.ZipInfo(name), content, method)
    return out.getvalue()


def streamed(parts: dict[str, bytes]) -> bytes:
    """A zip as written to a pipe: sizes follow the data."""

    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.content = b""

        def writable(self) -> bool:
            return True

        def write(self, block) -> int:
            self.content += bytes(block)
            return len(block)

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in parts.items():
            package.writestr(name, content)
    return pipe.content


def sheet(rows: str = ROWS, before: str = "", after: str = "") -> str:
    """The XML of a sheet."""
    root = f'<?xml version="1.0"?><worksheet xmlns="{MAIN}" xmlns:r="{_RELS}">'
    return f"{root}{before}<sheetData>{rows}</sheetData>{after}</worksheet>"


def relations(**targets: str) -> str:
    """The XML of a part's relationships: kind=target, numbered in order."""
    rows = (
        f'<Relationship Id="r{number}" Type="{_RELS}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets.items(), 1)
    )
    return f'<Relationships xmlns="{_PACKAGE_RELS}">{"".join(rows)}</Relationships>'


def workbook_parts(sheet_xml: str | bytes | None = None, **more: str | bytes) -> dict[str, bytes]:
    """The parts of a workbook of one sheet; keywords add or replace parts (`__` for `/`, `_dot_` for `.`)."""
    overrides = (
        f'<Override PartName="/xl/workbook.xml" ContentType="{_OFFICE}.spreadsheetml.sheet.main+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_OFFICE}.spreadsheetml.worksheet+xml"/>'
    )
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": _TYPES.format(_DEFAULTS + overrides),
        "_rels/.rels": relations(officeDocument="xl/workbook.xml"),
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{_RELS}"><sheets>{SHEETS}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relations(worksheet="worksheets/sheet1.xml"),
        "xl/worksheets/sheet1.xml": sheet() if sheet_xml is None else sheet_xml,
    }
    parts |= {name.replace("__", "/").replace("_dot_", "."): content for name, content in more.items()}
    return {name: content.encode() if isinstance(content, str) else content for name, content in parts.items()}


def workbook(sheet_xml: str | bytes | None = None, **more: str | bytes) -> bytes:
    """A workbook of one sheet."""
    return archive(workbook_parts(sheet_xml, **more))


def deck(change=None) -> bytes:
    """A deck of one slide with a title and a table; `change` may alter its python-pptx object."""
    from pptx import Presentation
    from pptx.util import Inches

    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[5])
    slide.shapes.title.text = "Results (US$ million)"
    table = slide.shapes.add_table(3, 3, Inches(1), Inches(2), Inches(6), Inches(2)).table
    for row, texts in enumerate((("", "FY2023", "FY2024"), ("Revenue", "120", "132.5"), ("Profit", "12", "15"))):
        for col, text in enumerate(texts):
            table.cell(row, col).text = text
    if change is not None:
        change(presentation, slide)
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


def replace_part(content: bytes, changes: dict[str, object]) -> bytes:
    """A container with parts replaced (bytes), removed (None) or rewritten (a function of their bytes)."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for member in old.infolist():
            change = changes.get(member.filename, old.read(member))
            if callable(change):
                change = change(old.read(member))
            if change is not None:
                new.writestr(member.filename, change)
    return out.getvalue()


def compound_file(stream: str) -> bytes:
    """An old office file that holds a stream of this name."""
    header = bytearray(512)
    header[:8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    struct.pack_into("<H", header, 30, 9)  # sectors of 512 bytes
    struct.pack_into("<L", header, 48, 4)  # the directory lies in sector 4
    entry = stream.encode("utf-16-le").ljust(128, b"\x00")
    return bytes(header) + bytes(512 * 4) + "Root Entry".encode("utf-16-le").ljust(128, b"\x00") + entry + bytes(512)


def overlapping(count: int) -> bytes:
    """A zip whose directory names one stretch of data many times."""
    body = archive({"a.xml": b"<a/>" * 1000})
    end = body.rindex(b"PK\x05\x06")
    start = struct.unpack_from("<L", body, end + 16)[0]
    entry = body[start:end]
    directory = b"".join(entry.replace(b"a.xml", b"%05d" % number) for number in range(count))
    tail = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count, count, len(directory), start, 0)
    return body[:start] + directory + tail


def declaring(parts: dict[str, bytes], size: int) -> bytes:
    """A zip whose directory declares another inflated size for every member."""
    body = bytearray(archive(parts))
    end = body.rindex(b"PK\x05\x06")
    at = struct.unpack_from("<L", body, end + 16)[0]
    while body[at : at + 4] == b"PK\x01\x02":
        struct.pack_into("<L", body, at + 24, min(size, 0xFFFFFFFE))
        name, extra, comment = struct.unpack_from("<3H", body, at + 28)
        at += 46 + name + extra + comment
    return bytes(body)


def encrypted(parts: dict[str, bytes]) -> bytes:
    """A zip whose members carry the mark of encryption."""
    body = bytearray(archive(parts))
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = body.find(mark)
        while at >= 0:
            body[at + flags] |= 1
            at = body.find(mark, at + 4)
    return bytes(body)


def miscounted(parts: dict[str, bytes], count: int) -> bytes:
    """A zip whose end record counts fewer members than there are."""
    body = bytearray(archive(parts))
    struct.pack_into("<2H", body, body.rindex(b"PK\x05\x06") + 8, count, count)
    return bytes(body)
