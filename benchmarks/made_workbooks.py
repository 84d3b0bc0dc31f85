"""Workbooks made for measuring: what people have, in the sizes that hurt.

Written as bare markup, the way spreadsheet programs write it (shared strings, styles, dates as numbers): a million
cells in a few seconds, the same bytes every time.
"""

from __future__ import annotations

import random
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from factspine.core.locators import column_letters

_DATE, _MONEY, _PERCENT, _HEAD, _WHOLE = 1, 2, 3, 4, 5  # cell formats, as numbered in _STYLES
_EPOCH_2020 = 43_831
_FIXED_DATE = (2024, 1, 1, 0, 0, 0)
_REGIONS = ("Northern Europe", "Southern Europe", "North America", "East Asia", "Oceania", "华东", "华南", "华北")
_CHANNELS = ("Online", "Retail", "Wholesale", "Agency")
_LINES = ("Revenue", "Cost of sales", "Gross profit", "Selling expenses", "Administrative expenses", "Other income")

_STYLES = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>
<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="6"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>
<xf numFmtId="14" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>
<xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>
<xf numFmtId="10" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>
<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>
<xf numFmtId="3" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>"""
_SHEET_HEAD = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
)
_PACKAGE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

Value = tuple[str | float, int]  # what a cell holds, and its format


def make_order_book(path: Path, rows: int = 70_000, statements: int = 40) -> None:
    """A long list of orders (text, date and number columns) and a few dozen statements: a million cells."""
    sheets: list[tuple[str, Iterable[list[Value]]]] = [("Orders", _orders(rows))]
    sheets += [(f"Entity {number}", _statement(number)) for number in range(1, statements + 1)]
    write_workbook(path, sheets)


def make_number_book(path: Path, rows: int = 100_000) -> None:
    """The hardest case: ten columns of which eight are numbers, and every one of them a fact."""
    write_workbook(path, [("Data", _numbers(rows))])


def make_medium_books(folder: Path, count: int, rows: int = 1_500) -> None:
    """Workbooks of ordinary size, all different."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        sheets = [("Orders", _orders(rows, seed=number)), ("Statement", _statement(number))]
        write_workbook(folder / f"book-{number:04}.xlsx", sheets)


def write_workbook(path: Path, sheets: Iterable[tuple[str, Iterable[list[Value]]]]) -> None:
    """A workbook of these sheets, row by row."""
    strings: dict[str, int] = {}
    names: list[str] = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for number, (name, rows) in enumerate(sheets, start=1):
            names.append(name)
            body = "".join(_row(row_no, row, strings) for row_no, row in enumerate(rows, start=1))
            _put(archive, f"xl/worksheets/sheet{number}.xml", _SHEET_HEAD + body + "</sheetData></worksheet>")
        items = "".join(f"<si><t>{_escape(text)}</t></si>" for text in strings)
        main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
        _put(archive, "xl/sharedStrings.xml", f'<sst xmlns="{main}">{items}</sst>')
        _put(archive, "xl/styles.xml", _STYLES)
        for part, text in _frame(names):
            _put(archive, part, text)


def _orders(rows: int, seed: int = 0) -> Iterator[list[Value]]:
    draw = random.Random(seed)
    heads = ("Order", "Date", "Customer", "Region", "Channel", "Product", "Currency", "Sales rep")
    measures = ("Quantity", "Unit price", "Discount", "Net amount", "Cost", "Margin")
    yield [(head, _HEAD) for head in heads + measures]
    customers = [f"Customer {draw.randrange(10**6)} Ltd" for _ in range(max(10, rows // 14))]
    for number in range(rows):
        quantity, price = draw.randrange(1, 500), round(draw.random() * 900, 2)
        discount = round(draw.random() * 0.3, 4)
        net = round(quantity * price * (1 - discount), 2)
        cost = round(net * 0.6, 2)
        yield [
            (f"SO-{seed:03}-{number:06}", 0),
            (_EPOCH_2020 + draw.randrange(1_800), _DATE),
            (draw.choice(customers), 0),
            (draw.choice(_REGIONS), 0),
            (draw.choice(_CHANNELS), 0),
            (f"Product {draw.randrange(300)}", 0),
            ("USD", 0),
            (f"Rep {draw.randrange(60)}", 0),
            (quantity, _WHOLE),
            (price, _MONEY),
            (discount, _PERCENT),
            (net, _MONEY),
            (cost, _MONEY),
            (round(1 - cost / net, 4) if net else 0, _PERCENT),
        ]


def _statement(number: int) -> Iterator[list[Value]]:
    draw = random.Random(number)
    yield [(f"Consolidated statement of Entity {number}", _HEAD)]
    yield [("(HK$ million)", 0)]
    yield [("", 0), *((f"FY{year}", _HEAD) for year in range(2018, 2025))]
    for line in range(60):
        label = _LINES[line % len(_LINES)] + ("" if line < len(_LINES) else f", segment {line // len(_LINES)}")
        yield [(label, 0), *((round(draw.random() * 9_000, 1), _MONEY) for _ in range(7))]


def _numbers(rows: int) -> Iterator[list[Value]]:
    draw = random.Random(1)
    yield [("Company", _HEAD), ("Country", _HEAD), *((f"Measure {letter}", _HEAD) for letter in "ABCDEFGH")]
    for number in range(rows):
        country = draw.choice(("US", "HK", "CN", "DE", "JP"))
        yield [(f"Company {number}", 0), (country, 0), *((round(draw.random() * 1e6, 2), 0) for _ in range(8))]


_LETTERS = [column_letters(col) for col in range(1, 40)]


def _row(number: int, values: list[Value], strings: dict[str, int]) -> str:
    cells = []
    for letters, (value, style) in zip(_LETTERS, values, strict=False):
        look = f' s="{style}"' if style else ""
        if isinstance(value, str):
            if value:
                index = strings.setdefault(value, len(strings))
                cells.append(f'<c r="{letters}{number}"{look} t="s"><v>{index}</v></c>')
        else:
            cells.append(f'<c r="{letters}{number}"{look}><v>{value!r}</v></c>')
    return f'<row r="{number}">{"".join(cells)}</row>'


def _frame(names: list[str]) -> Iterator[tuple[str, str]]:
    """The parts that hold a workbook together."""
    numbers = range(1, len(names) + 1)
    sheet_list = "".join(f'<sheet name="{_escape(names[n - 1])}" sheetId="{n}" r:id="rId{n}"/>' for n in numbers)
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    yield "xl/workbook.xml", f'<workbook xmlns="{main}" xmlns:r="{_RELATIONS}"><sheets>{sheet_list}</sheets></workbook>'
    parts = [("worksheet", f"worksheets/sheet{n}.xml") for n in numbers]
    parts += [("styles", "styles.xml"), ("sharedStrings", "sharedStrings.xml")]
    yield "xl/_rels/workbook.xml.rels", _relations(parts)
    yield "_rels/.rels", _relations([("officeDocument", "xl/workbook.xml")])
    overrides = {f"/xl/worksheets/sheet{n}.xml": "worksheet" for n in numbers}
    overrides |= {"/xl/styles.xml": "styles", "/xl/sharedStrings.xml": "sharedStrings"}
    types = "".join(
        f'<Override PartName="{part}" ContentType="{_PACKAGE}.{kind}+xml"/>' for part, kind in overrides.items()
    )
    yield (
        "[Content_Types].xml",
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_PACKAGE}.sheet.main+xml"/>{types}</Types>',
    )


def _relations(parts: list[tuple[str, str]]) -> str:
    rows = "".join(
        f'<Relationship Id="rId{n}" Type="{_RELATIONS}/{kind}" Target="{target}"/>'
        for n, (kind, target) in enumerate(parts, start=1)
    )
    return f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{rows}</Relationships>'


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def _put(archive: zipfile.ZipFile, name: str, text: str) -> None:
    entry = zipfile.ZipInfo(name, _FIXED_DATE)
    archive.writestr(entry, text.encode("utf-8"), zipfile.ZIP_DEFLATED, compresslevel=1)
