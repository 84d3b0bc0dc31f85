"""Hostile and broken documents, each built by code. A row is a name, a builder, and the codes it may end in.

`FACTS` means that the file is read, with or without findings; a code means that it is rejected with that code.
"""

from __future__ import annotations

import io
import random
import struct
import zipfile
from collections.abc import Callable, Iterator

from tests.hostile import containers, reports
from tests.hostile.containers import ROWS, archive, archive_of, relations, replace_part, sheet, workbook, workbook_parts

FACTS = "facts"
Builder = Callable[[], bytes]
_SLIDE = "ppt/slides/slide1.xml"
_LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
_EXTERNAL = '<!DOCTYPE w [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
_XML = '<?xml version="1.0"?>'
_DTD = f'<?xml version="1.0"?><!DOCTYPE w [<!ENTITY l0 "lol">{_LAUGHS}]>'


def _with_doctype(doctype: str, text: str) -> bytes:
    row = f'<row r="9"><c r="A9" t="inlineStr"><is><t>{text}</t></is></c></row>'
    return workbook(sheet(ROWS + row).replace('<?xml version="1.0"?>', doctype))


def _zip_bomb() -> bytes:
    return workbook(sheet(ROWS + " " * 200_000_000))


def _lying_bomb() -> bytes:
    """A sheet that inflates to 300 MB and declares 100 KB: only the child's memory limit can hold it."""
    whole = bytearray(_zip_bomb())
    at = whole.find(b"PK\x01\x02")
    while at >= 0:
        if struct.unpack_from("<L", whole, at + 24)[0] > 1_000_000:
            struct.pack_into("<L", whole, at + 24, 100_000)
        at = whole.find(b"PK\x01\x02", at + 4)
    return bytes(whole)


def _nested_bomb() -> bytes:
    return workbook(xl__inner_dot_zip=archive({"0": _zip_bomb()[:4096] * 4000}))


def _stored(sheet_xml: str) -> bytes:
    """A workbook that is not compressed, so that what repeats in it is no bomb to the guard."""
    return archive(workbook_parts(sheet_xml), zipfile.ZIP_STORED)


def _deep_xml() -> bytes:
    return _stored(sheet(ROWS, after="<x>" * 200_000 + "</x>" * 200_000))


def _flipped() -> bytes:
    whole = bytearray(workbook())
    whole[60] ^= 0xFF
    return bytes(whole)


def _external_entity_in_deck() -> bytes:
    def change(xml: bytes) -> bytes:
        return xml.replace(b"?>", b"?>" + _EXTERNAL.encode(), 1).replace(b"Results", b"&e;")

    return replace_part(containers.deck(), {_SLIDE: change})


def _many_rows() -> bytes:
    numbered = "".join(f'<row r="{n}"/>' for n in range(4, 400_000))
    return _stored(sheet(ROWS + numbered + "<row/>" * 1_600_000))


def _many_sheets_one_part() -> bytes:
    sheets = "".join(containers.SHEETS.replace("P&amp;L", f"S{n}") for n in range(100))
    part = workbook_parts()["xl/workbook.xml"].replace(containers.SHEETS.encode(), sheets.encode())
    return workbook(xl__workbook_dot_xml=part)


def _cells(rows: Iterator[str] | list[str], **more: str) -> bytes:
    return workbook(sheet(ROWS + "".join(rows)), **more)


def _merges(*ranges: str) -> bytes:
    cells = "".join(f'<mergeCell ref="{one}"/>' for one in ranges)
    return workbook(sheet(after=f"<mergeCells>{cells}</mergeCells>"))


def _chart(points: int) -> bytes:
    """A deck with a chart that declares a number of points and holds two."""
    from pptx.chart.data import CategoryChartData
    from pptx.enum.chart import XL_CHART_TYPE

    def add(presentation, slide):
        data = CategoryChartData()
        data.categories = ["FY2023", "FY2024"]
        data.add_series("Revenue", (1, 2))
        slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, 3_000_000, 3_000_000, data)

    content = containers.deck(add)
    names = [name for name in _names(content) if name.startswith("ppt/charts/chart")]
    swap = b'<c:ptCount val="%d"/>' % points
    return replace_part(content, dict.fromkeys(names, lambda xml: xml.replace(b'<c:ptCount val="2"/>', swap)))


def _names(content: bytes) -> list[str]:
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        return package.namelist()


def _million_characters() -> bytes:
    text = "".join(chr(0x4E00 + n * 7919 % 20_000) for n in range(1_000_000))
    return _value(f'<c r="B4" t="inlineStr"><is><t>{text}</t></is></c>')


def _deep_groups(depth: int) -> bytes:
    start = b"<p:grpSp><p:nvGrpSpPr><p:cNvPr id='9' name='g'/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>"
    nest = start * depth + b"</p:grpSp>" * depth
    return replace_part(containers.deck(), {_SLIDE: lambda xml: xml.replace(b"</p:spTree>", nest + b"</p:spTree>")})


def _wide_span() -> bytes:
    swap = b'<a:tc gridSpan="2147483647" rowSpan="2147483647">'
    return replace_part(containers.deck(), {_SLIDE: lambda xml: xml.replace(b"<a:tc>", swap, 1)})


def _recursive_relations() -> bytes:
    return workbook(
        xl__worksheets___rels__sheet1_dot_xml_dot_rels=relations(worksheet="sheet1.xml", table="sheet1.xml")
    )


def _noise() -> bytes:
    return random.Random(1).randbytes(50_000)  # noqa: S311 - the same every time


def _value(xml: str) -> bytes:
    return _cells([f'<row r="4">{xml}</row>'])


HOSTILE: dict[str, tuple[Builder, frozenset[str]]] = {
    name: (build, frozenset(ends))
    for name, build, ends in (
        # containers
        ("bomb_by_ratio.xlsx", _zip_bomb, ["FS103"]),
        ("bomb_that_lies.xlsx", _lying_bomb, [FACTS, "FS103", "FS105", "FS201", "FS202"]),
        ("bomb_nested.xlsx", _nested_bomb, ["FS103", FACTS]),
        ("bomb_by_overlap.xlsx", lambda: containers.overlapping(1000), ["FS104", "FS106"]),
        ("members_without_end.xlsx", lambda: archive({f"{n}": b"" for n in range(21_000)}), ["FS103"]),
        ("ten_gigabytes.xlsx", lambda: containers.declaring(workbook_parts(), 10 * 2**30), ["FS103", "FS105"]),
        ("same_name_twice.xlsx", lambda: archive_of([*workbook_parts().items()] * 2), ["FS106"]),
        ("outside.xlsx", lambda: archive(workbook_parts() | {"../../outside.xml": b"<a/>"}), ["FS106"]),
        ("encrypted_zip.xlsx", lambda: containers.encrypted(workbook_parts()), ["FS107"]),
        ("encrypted_office.xlsx", lambda: containers.compound_file("EncryptedPackage"), ["FS107"]),
        ("old.xls", lambda: containers.compound_file("Workbook"), ["FS108"]),
        ("printed.pdf", lambda: b"%PDF-1.7\n%%EOF", ["FS201"]),
        ("empty.xlsx", lambda: b"", ["FS101"]),
        ("random.xlsx", _noise, ["FS104"]),
        ("random_zip.pptx", lambda: b"PK\x03\x04" + _noise(), ["FS105"]),
        ("cut.pptx", lambda: containers.deck()[:-2000], ["FS105"]),
        ("flipped_data.xlsx", _flipped, ["FS104", "FS105", "FS106", "FS201", FACTS]),
        ("renamed.xlsx", containers.deck, [FACTS]),
        # markup
        ("billion_laughs.xlsx", lambda: _with_doctype(_DTD, "&l9;"), ["FS106"]),
        ("external_entity.xlsx", lambda: _with_doctype(_XML + _EXTERNAL, "&e;"), ["FS106"]),
        ("external_entity.pptx", _external_entity_in_deck, ["FS106"]),
        ("deep_xml.xlsx", _deep_xml, ["FS201", FACTS]),
        ("no_utf8.xlsx", lambda: workbook(sheet().encode().replace(b"Asia", b"\xff\xfe\xfa")), ["FS201", FACTS]),
        ("nul_bytes.xlsx", lambda: workbook(sheet().encode().replace(b"Asia", b"\x00\x00")), ["FS201", FACTS]),
        ("escaped_halves.xlsx", lambda: workbook(sheet().replace("Asia", "_xD800__x0000_A_xDFFF_")), [FACTS]),
        ("no_sheet_part.xlsx", lambda: replace_part(workbook(), {"xl/worksheets/sheet1.xml": None}), ["FS201", FACTS]),
        ("no_workbook_part.xlsx", lambda: replace_part(workbook(), {"xl/workbook.xml": None}), ["FS201"]),
        ("recursive_relations.xlsx", _recursive_relations, [FACTS]),
        (
            "outward_relation.xlsx",
            lambda: workbook(xl___rels__workbook_dot_xml_dot_rels=relations(worksheet="../../../../etc/passwd")),
            ["FS201", FACTS],
        ),
        # sheets
        ("merge_everything.xlsx", lambda: _merges("A1:XFD1048576"), [FACTS]),
        ("ten_thousand_merges.xlsx", lambda: _merges(*(f"E{n}:F{n}" for n in range(1, 10_001))), [FACTS]),
        ("merge_nonsense.xlsx", lambda: _merges("C3:A1", "ZZZZ9:A1", "", "A0:B0", "1:2"), ["FS201", FACTS]),
        ("far_away.xlsx", lambda: _cells(['<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>']), [FACTS]),
        ("two_million_rows.xlsx", _many_rows, [FACTS, "FS103", "FS201"]),
        ("backward_rows.xlsx", lambda: _cells(['<row r="-5"><c r="A-5"><v>1</v></c></row>', ROWS]), ["FS201", FACTS]),
        ("string_out_of_range.xlsx", lambda: _value('<c r="B4" t="s"><v>99999999</v></c><c r="C4" t="s"><v>-1</v></c>'),
         ["FS201", FACTS]),
        ("style_out_of_range.xlsx", lambda: _value('<c r="B4" s="99999999"><v>5</v></c>'), [FACTS]),
        ("wrong_dimension.xlsx", lambda: workbook(sheet(before='<dimension ref="A1:A1"/>')), [FACTS]),
        ("no_numbers.xlsx", lambda: _value('<c r="B4"><v>1e999</v></c><c r="C4"><v>NaN</v></c>'), ["FS201", FACTS]),
        ("endless_digits.xlsx", lambda: _value(f'<c r="B4"><v>{"9" * 100_000}</v></c>'), ["FS201", FACTS]),
        ("huge_exponent.xlsx", lambda: _value('<c r="B4"><v>1e300000000</v></c>'), ["FS201", FACTS]),
        ("million_characters.xlsx", _million_characters, [FACTS]),
        ("formula_bomb.xlsx", lambda: _value(f'<c r="B4"><f>{"SUM(" * 5000}1{")" * 5000}</f><v>1</v></c>'), [FACTS]),
        ("shared_formula_loop.xlsx", lambda: _value('<c r="B4"><f t="shared" si="7"/><v>1</v></c>'), [FACTS]),
        ("hundred_sheets_one_part.xlsx", _many_sheets_one_part, ["FS201", FACTS]),
        # decks
        ("deep_groups.pptx", lambda: _deep_groups(200), ["FS103", FACTS]),
        ("very_deep_groups.pptx", lambda: _deep_groups(5_000), ["FS103", "FS201", FACTS]),
        ("wide_span.pptx", _wide_span, [FACTS]),
        ("million_points.pptx", lambda: _chart(1_000_000_000), [FACTS]),
        ("negative_points.pptx", lambda: _chart(-5), [FACTS]),
        ("no_slide.pptx", lambda: replace_part(containers.deck(), {_SLIDE: None}), ["FS201", FACTS]),
        # reports
        ("nested_objects.pdf", reports.nested_objects, ["FS201", FACTS]),
        ("inflating_content.pdf", reports.inflating_content, ["FS201", "FS202", "FS203", "FS204", FACTS]),
        ("endless_text.pdf", reports.endless_text, ["FS202", "FS203", "FS204", FACTS]),
        ("claimed_pages.pdf", reports.claimed_pages, ["FS103", "FS201", FACTS]),
        ("many_pages.pdf", reports.many_pages, ["FS103"]),
        ("giant_page.pdf", reports.giant_page, ["FS201", FACTS]),
        ("page_without_size.pdf", reports.page_without_size, ["FS201", FACTS]),
        ("forms_in_forms.pdf", reports.forms_in_forms, ["FS202", "FS203", "FS204", FACTS]),
        ("form_in_itself.pdf", reports.form_in_itself, ["FS202", "FS203", "FS204", FACTS]),
        ("cyclic_pages.pdf", reports.cyclic_pages, ["FS201", FACTS]),
        ("encrypted.pdf", reports.encrypted, ["FS107"]),
        ("truncated.pdf", reports.truncated, ["FS201", FACTS]),
        ("many_lines.pdf", reports.many_lines, ["FS202", "FS203", FACTS]),
        ("empty_slide.pptx", lambda: replace_part(containers.deck(), {_SLIDE: b""}), ["FS201", FACTS]),
    )
}  # fmt: skip
