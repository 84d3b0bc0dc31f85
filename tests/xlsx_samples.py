"""Workbooks written part by part, for what no library writes; and tables drawn as text."""

from __future__ import annotations

import zipfile
from pathlib import Path

import openpyxl

from factspine.core.findings import Finding
from factspine.core.limits import Limits
from factspine.core.tables import Passage, RawCell, RawTable
from factspine.extract.xlsx import read

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"


def sheet_xml(rows: str, *, before: str = "", after: str = "") -> str:
    return f'<worksheet xmlns="{MAIN}">{before}<sheetData>{rows}</sheetData>{after}</worksheet>'


def write_package(
    path: Path,
    sheets: dict[str, str],
    *,
    strings: str | None = None,
    styles: str | None = None,
    properties: str = "",
    more: dict[str, str] | None = None,
) -> Path:
    """A workbook from the XML of its sheets."""
    entries = "".join(
        f'<sheet name="{name}" sheetId="{at}" r:id="rId{at}"/>' for at, name in enumerate(sheets, start=1)
    )
    targets = [
        f'<Relationship Id="rId{at}" Type="{_RELATIONS}/worksheet" Target="worksheets/sheet{at}.xml"/>'
        for at in range(1, len(sheets) + 1)
    ]
    targets.append(f'<Relationship Id="rIdS" Type="{_RELATIONS}/sharedStrings" Target="sharedStrings.xml"/>')
    targets.append(f'<Relationship Id="rIdT" Type="{_RELATIONS}/styles" Target="styles.xml"/>')
    overrides = "".join(
        f'<Override PartName="/xl/worksheets/sheet{at}.xml" ContentType='
        '"application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>'
        for at in range(1, len(sheets) + 1)
    )
    parts = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType='
        f'"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>{overrides}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}"><Relationship Id="rId1" Type="{_RELATIONS}/officeDocument" '
        'Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{_RELATIONS}">{properties}'
        f"<sheets>{entries}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}">{"".join(targets)}</Relationships>',
    }
    parts |= {f"xl/worksheets/sheet{at}.xml": xml for at, xml in enumerate(sheets.values(), start=1)}
    if strings is not None:
        parts["xl/sharedStrings.xml"] = f'<sst xmlns="{MAIN}">{strings}</sst>'
    if styles is not None:
        parts["xl/styles.xml"] = f'<styleSheet xmlns="{MAIN}">{styles}</styleSheet>'
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as container:
        for name, text in (parts | (more or {})).items():
            container.writestr(name, text)
    return path


def draw(path: Path, picture: str, sheet: str = "S") -> Path:
    """A workbook from a picture of its sheet: a line is a row, `|` parts cells, numbers are numbers."""
    workbook = openpyxl.Workbook()
    page = workbook.active
    page.title = sheet
    for row, line in enumerate(picture.removeprefix("\n").splitlines(), start=1):
        for col, text in enumerate(line.split("|"), start=1):
            if not text.strip():
                continue
            try:
                page.cell(row, col, float(text) if "." in text else int(text))
            except ValueError:
                page.cell(row, col, text.strip())
    workbook.save(path)
    return path


def tables(path: Path) -> list[RawTable]:
    return [item for item in read(path, Limits()) if isinstance(item, RawTable)]


def passages(path: Path) -> list[Passage]:
    return [item for item in read(path, Limits()) if isinstance(item, Passage)]


def findings(path: Path) -> list[Finding]:
    return [item for item in read(path, Limits()) if isinstance(item, Finding)]


def cells(path: Path) -> dict[tuple[int, int], RawCell]:
    return {(cell.row, cell.col): cell for table in tables(path) for cell in table.cells}
