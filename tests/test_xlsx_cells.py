"""Workbook cells: what a file stores and what a person sees, whatever way the markup is written."""

from __future__ import annotations

import zipfile
from pathlib import Path

import openpyxl
import pytest
from openpyxl.comments import Comment
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from xlsx_samples import MAIN, cells, findings, passages, sheet_xml, tables, write_package

from factspine.core.errors import InputRejected, LimitExceeded
from factspine.core.limits import Limits
from factspine.core.values import decimal_of_stored
from factspine.extract.xlsx import read, reread
from factspine.extract.xlsx.cells import by_parser, by_pattern
from factspine.extract.xlsx.markup import DEPTH_MAX, Malformed, tree
from factspine.extract.xlsx.package import Package
from factspine.extract.xlsx.sheet import Assembler, Unfit

ROWS = (
    '<row r="1"><c r="A1" t="inlineStr"><is><t>Name &amp; place</t></is></c><c r="B1" t="s"><v>0</v></c></row>'
    '<row r="3" hidden="1"><c r="A3" t="str"><f>A1&amp;"x"</f><v>joined</v></c><c r="B3"><v>1234.50</v></c>'
    '<c r="C3"><f>B3*2</f><v>2469</v></c><c r="D3" t="b"><v>1</v></c><c r="E3" t="e"><f>1/0</f><v>#DIV/0!</v></c></row>'
    '<row r="4"><c r="A4"><f t="shared" ref="A4:A5" si="0">B3+$B$3</f><v>1</v></c><c r="B4" s="0"/></row>'
    '<row r="5"><c r="A5"><f t="shared" si="0"/><v>585577.93999999994</v></c><c r="B5"><f>NOW()</f></c></row>'
)
STRINGS = '<si><r><t>Rich </t></r><r><rPr><b/></rPr><t>text</t></r><rPh sb="0" eb="1"><t>リッチ</t></rPh></si>'


def both(path: Path) -> tuple[object, object]:
    """A workbook's first sheet, read by pattern and by the XML parser."""
    with Package(path) as package:
        part = package.sheets[0].part

        def assembler(raw: bool) -> Assembler:
            return Assembler(package.styles, package.strings, package.date1904, 1_000, 0, raw=raw)

        return by_pattern(package.pieces(part), assembler(True)), by_parser(package.pieces(part), assembler(False))


def test_every_kind_of_cell_is_read(tmp_path: Path) -> None:
    """Texts, rich texts, numbers, formulas, truth values and errors arrive as a person sees them."""
    path = write_package(tmp_path / "a.xlsx", {"S": sheet_xml(ROWS)}, strings=STRINGS)
    got = cells(path)
    assert got[1, 1].text == "Name & place"
    assert got[1, 2].text == "Rich text"
    assert (got[3, 1].text, got[3, 1].kind) == ("joined", "s")
    assert (got[3, 2].text, got[3, 2].value) == ("1234.5", "1234.5")
    assert (got[3, 4].text, got[3, 4].kind) == ("TRUE", "b")
    assert (got[3, 5].text, got[3, 5].kind, got[3, 5].value) == ("#DIV/0!", "e", None)
    assert (4, 2) not in got


def test_pattern_and_parser_agree(tmp_path: Path) -> None:
    """The fast reader and the XML parser give the same sheet, down to formulas and hidden rows."""
    fast, thorough = both(write_package(tmp_path / "a.xlsx", {"S": sheet_xml(ROWS)}, strings=STRINGS))
    assert fast == thorough


def test_numbers_are_read_alike_however_they_are_written(tmp_path: Path) -> None:
    """Among plain numbers, odd spellings of numbers and what is none are read as the XML parser's cells are."""
    odd = ["-0", "0", "00", "5.0", "1.10", "-0.5", ".5", "5.", "1e5", "1E+02", "+7", "007", "-", "", " 7", "1 2", "x"]
    odd += ["999999999999999", "9999999999999999", "0.30000000000000004", "1234567890123.45", "123456789012345.67"]
    values = [value for position, one in enumerate(odd) for value in ("12", one, f"{position}.25")]
    rows = "".join(
        f'<row r="{row}"><c r="A{row}"><v>{value}</v></c><c r="B{row}"><f>A{row}</f><v>{value}</v></c>'
        f'<c r="C{row}"/></row>'
        for row, value in enumerate(values, start=1)
    )
    fast, thorough = both(write_package(tmp_path / "a.xlsx", {"S": sheet_xml(rows)}))
    assert fast == thorough


def test_shared_formula_is_written_out_for_its_cell(tmp_path: Path) -> None:
    """A cell that shares a formula shows the formula as it would stand in that cell."""
    (table,) = tables(write_package(tmp_path / "a.xlsx", {"S": sheet_xml(ROWS)}, strings=STRINGS))
    assert table.formulas[4, 1] == "=B3+$B$3"
    assert table.formulas[5, 1] == "=B4+$B$3"
    assert table.formulas[3, 1] == '=A1&"x"'


def test_formula_without_value_is_reported_not_dropped(tmp_path: Path) -> None:
    """A formula nobody has calculated is known by its place, and one finding says so."""
    path = write_package(tmp_path / "a.xlsx", {"S": sheet_xml(ROWS)}, strings=STRINGS)
    (table,) = tables(path)
    assert table.uncached == {(5, 2)}
    found = {finding.code: finding for finding in findings(path)}
    assert "B5" in found["FS205"].message
    assert found["FS205"].locator == "sheet=S,cell=B5"
    assert "E3" in found["FS206"].message
    assert "hidden: 3" in found["FS209"].message
    assert table.hidden_rows == {3}


UNUSUAL = {
    "prefixed names": f'<x:worksheet xmlns:x="{MAIN}"><x:sheetData><x:row r="1"><x:c r="A1"><x:v>7</x:v></x:c></x:row>'
    "</x:sheetData></x:worksheet>",
    "no cell names": sheet_xml("<row><c><v>7</v></c></row>"),
    "a comment between cells": sheet_xml('<row r="1"><!-- <c r="B1"><v>9</v></c> --><c r="A1"><v>7</v></c></row>'),
    "character data sections": sheet_xml('<row r="1"><c r="A1"><v><![CDATA[7]]></v></c></row>'),
    "attributes in another order": sheet_xml('<row r="1"><c t="n" r="A1"><v>7</v></c></row>'),
    "single quotes": sheet_xml("<row r='1'><c r='A1'><v>7</v></c></row>"),
    "spread over lines": sheet_xml('\n<row r="1">\n  <c r="A1">\n <v>7</v>\n</c>\n</row>\n'),
    "another encoding": sheet_xml('<row r="1"><c r="A1"><v>7</v></c></row>'),
}


@pytest.mark.parametrize("how", UNUSUAL)
def test_unusual_markup_reads_the_same(tmp_path: Path, how: str) -> None:
    """However the markup is written, the cell is found."""
    path = write_package(tmp_path / "a.xlsx", {"S": UNUSUAL[how]})
    if how == "another encoding":
        text = '<?xml version="1.0" encoding="UTF-16"?>' + UNUSUAL[how]
        path = write_package(tmp_path / "b.xlsx", {"S": text.encode("utf-16")})  # type: ignore[dict-item]
    assert {place: cell.value for place, cell in cells(path).items()} == {(1, 1): "7"}


def test_cell_behind_a_document_type_is_refused(tmp_path: Path) -> None:
    """A part that declares entities is reported and not expanded."""
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa">]>' + sheet_xml('<row r="1"><c r="A1" t="str"><v>&a;</v></c></row>')
    path = write_package(tmp_path / "a.xlsx", {"S": bomb})
    assert [finding.code for finding in findings(path)] == ["FS207"]
    assert not tables(path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_small_part_behind_a_document_type_is_refused(encoding: str) -> None:
    """Nothing that a style sheet or a list of relations declares is unfolded, however it is encoded."""
    declared = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10 if n else "ha"}">' for n in range(9))
    part = f'<?xml version="1.0" encoding="{encoding}"?><!DOCTYPE x [{declared}]><x>&a8;</x>'
    with pytest.raises(InputRejected, match="document type"):
        tree(part.encode(encoding))


def test_small_part_that_nests_without_end_is_malformed() -> None:
    """The deepest part that is read nests as deep as the limit, and the next one is refused."""
    assert tree(b"<a>" * DEPTH_MAX + b"</a>" * DEPTH_MAX).tag == "a"
    with pytest.raises(Malformed, match="nests too deeply"):
        tree(b"<a>" * (DEPTH_MAX + 1) + b"</a>" * (DEPTH_MAX + 1))


def test_unknown_encoding_is_reported(tmp_path: Path) -> None:
    """A part in an encoding nobody knows is a finding."""
    strange = '<?xml version="1.0" encoding="UA08"?>' + sheet_xml('<row r="1"><c r="A1"><v>7</v></c></row>')
    assert [f.code for f in findings(write_package(tmp_path / "a.xlsx", {"S": strange}))] == ["FS207"]


def test_one_bad_sheet_does_not_take_the_others_along(tmp_path: Path) -> None:
    """A damaged sheet is a finding; the sheet after it is read."""
    good = sheet_xml('<row r="1"><c r="A1"><v>7</v></c></row>')
    path = write_package(tmp_path / "a.xlsx", {"Bad": good[:-20], "Good": good})
    assert [(finding.code, finding.locator) for finding in findings(path)] == [("FS207", "sheet=Bad")]
    assert [table.locator for table in tables(path)] == ["sheet=Good,table=1"]


def test_dimension_is_not_believed(tmp_path: Path) -> None:
    """A sheet that claims to be one cell large is read to its end."""
    rows = "".join(f'<row r="{r}"><c r="A{r}"><v>{r}</v></c></row>' for r in range(1, 51))
    path = write_package(tmp_path / "a.xlsx", {"S": sheet_xml(rows, before='<dimension ref="A1"/>')})
    assert len(cells(path)) == 50


def test_one_far_cell_costs_nothing(tmp_path: Path) -> None:
    """A cell in the last corner of the sheet is a region of its own, and the table keeps its size."""
    rows = (
        '<row r="1"><c r="A1" t="str"><v>Item</v></c><c r="B1"><v>5</v></c></row>'
        '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    )
    first, far = tables(write_package(tmp_path / "a.xlsx", {"S": sheet_xml(rows)}))
    assert (first.n_rows, first.n_cols) == (1, 2)
    assert (far.top, far.left, far.n_rows, far.n_cols) == (1_048_576, 16_384, 1, 1)


def test_cells_out_of_order_come_in_order(tmp_path: Path) -> None:
    """Rows written upside down are put in order, and the later of two writings counts."""
    rows = "".join(f'<row r="{r}"><c r="A{r}"><v>{v}</v></c></row>' for r, v in ((2, 2), (1, 1), (2, 3)))
    (table,) = tables(write_package(tmp_path / "a.xlsx", {"S": sheet_xml(rows)}))
    assert [(cell.row, cell.value) for cell in table.cells] == [(1, "1"), (2, "3")]


def test_merged_cells_are_read_once_at_their_origin(tmp_path: Path) -> None:
    """A value left under a merged cell, which nobody sees, is not read."""
    rows = '<row r="1"><c r="A1" t="str"><v>Title</v></c><c r="B1"><v>99</v></c></row>'
    rows += '<row r="2"><c r="B2"><v>1</v></c></row>'
    merged = '<mergeCells count="1"><mergeCell ref="A1:B1"/></mergeCells>'
    (table,) = tables(write_package(tmp_path / "a.xlsx", {"S": sheet_xml(rows, after=merged)}))
    assert [(cell.row, cell.col) for cell in table.cells] == [(1, 1), (2, 2)]
    assert table.spans == {(1, 1): (1, 2)}


def test_stored_numbers_keep_what_was_typed() -> None:
    """Digits that somebody typed are kept; the noise of binary arithmetic is not; both writings of a double agree."""
    assert decimal_of_stored("1234567.89") == "1234567.89"
    assert decimal_of_stored("585577.93999999994") == decimal_of_stored("585577.9399999999") == "585577.94"
    assert decimal_of_stored("1E-3") == "0.001"
    assert decimal_of_stored("12345678901234567890") == "12345678901234567890"
    assert decimal_of_stored("-0.0") == "0"
    assert decimal_of_stored("NaN") is None


def test_looks_of_a_cell_are_kept(tmp_path: Path) -> None:
    """Bold, fill, indent, alignment and rules reach the style, and leading spaces count as indent."""
    workbook = openpyxl.Workbook()
    page = workbook.active
    page["A1"], page["A2"], page["A3"] = "Total", "    of which", "Deep"
    page["A1"].font = Font(bold=True, italic=True)
    page["A1"].fill = PatternFill("solid", fgColor="FFD9E1F2")
    page["A1"].border = Border(top=Side("thin"))
    page["A3"].alignment = Alignment(indent=2, horizontal="right")
    workbook.save(tmp_path / "a.xlsx")
    got = cells(tmp_path / "a.xlsx")
    style = got[1, 1].style
    assert (style.bold, style.italic, style.filled, style.border_top, style.border_bottom) == (
        True,
        True,
        True,
        True,
        False,
    )
    assert (got[2, 1].text, got[2, 1].style.indent) == ("of which", 2)
    assert (got[3, 1].style.indent, got[3, 1].style.align) == (2, "right")


def test_hidden_things_are_flagged(tmp_path: Path) -> None:
    """A hidden sheet and a hidden column are read, marked, and reported."""
    workbook = openpyxl.Workbook()
    page = workbook.active
    page.append(["Item", 2023, 2024])
    page.append(["Sales", 10, 12])
    page.column_dimensions["B"].hidden = True
    other = workbook.create_sheet("Back")
    other["A1"] = 5
    other.sheet_state = "veryHidden"
    workbook.save(tmp_path / "a.xlsx")
    front, back = tables(tmp_path / "a.xlsx")
    assert (front.hidden, front.hidden_cols, back.hidden) == (False, {2}, True)
    assert [finding.code for finding in findings(tmp_path / "a.xlsx")] == ["FS209", "FS209"]


def test_comments_and_long_texts_become_passages(tmp_path: Path) -> None:
    """What people explain in comments and long cells can be found as text, at its cell."""
    workbook = openpyxl.Workbook()
    page = workbook.active
    page.title = "P&L, 2024"
    page["B2"] = 10
    page["B2"].comment = Comment("Includes the new branch.", "me")
    page["A2"] = "Sales"
    page["A9"] = "The figures above follow the method of last year, except for the branch that was opened in spring."
    workbook.save(tmp_path / "a.xlsx")
    got = {(p.kind, p.locator): p.text for p in passages(tmp_path / "a.xlsx")}
    assert got["comment", "sheet=P&L%2C 2024,cell=B2"] == "Includes the new branch."
    assert got["cell", "sheet=P&L%2C 2024,cell=A9"].startswith("The figures above")


def test_too_many_cells_is_a_typed_limit(tmp_path: Path) -> None:
    """The limit on cells counts the whole workbook and names itself."""
    one = sheet_xml('<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row>')
    path = write_package(tmp_path / "a.xlsx", {"S": one, "T": one})
    with pytest.raises(LimitExceeded, match="cells_max is 4"):
        list(read(path, Limits(cells_max=3)))


def test_container_without_a_workbook_is_rejected(tmp_path: Path) -> None:
    """A zip that is no workbook is a typed rejection."""
    path = tmp_path / "a.xlsx"
    with zipfile.ZipFile(path, "w") as container:
        container.writestr("readme.txt", "hello")
    with pytest.raises(InputRejected) as caught:
        list(read(path, Limits()))
    assert caught.value.code == "FS201"


def test_second_reader_says_the_same(tmp_path: Path) -> None:
    """Every cell reads the same through another library, text and value."""
    workbook = openpyxl.Workbook()
    page = workbook.active
    page.title = "S"
    values: list[tuple[object, str]] = [
        (0.153, "0.0%"), (-1234.5, "#,##0.0_);(#,##0.0)"), (45382, "mmm-yy"), (45382.75, "yyyy-mm-dd hh:mm"),
        (585577.9399999999, "General"), ("  text ", "General"), (True, "General"), (1.5, "[h]:mm"), (10**17 + 1, "0"),
        (1234567, '#,##0,"k"'), (45382, "m/d/yyyy"), (0.1 + 0.2, "General"), (1e-7, "General"), ("x", '"<"@">"'),
    ]  # fmt: skip
    for row, (value, code) in enumerate(values, start=1):
        page.cell(row, 1, value).number_format = code
    workbook.save(tmp_path / "a.xlsx")
    got = cells(tmp_path / "a.xlsx")
    again = reread(tmp_path / "a.xlsx", [f"sheet=S,cell=A{row},row=x" for row, _ in got])
    assert again == [(cell.text, cell.value) for cell in got.values()]
    assert reread(tmp_path / "a.xlsx", ["sheet=S,cell=Z9", "sheet=None,cell=A1", "nonsense"]) == [("", None)] * 3


def test_date_stored_as_text_of_a_date(tmp_path: Path) -> None:
    """A cell may hold its day in writing; it is that day, for both readers."""
    rows = '<row r="1"><c r="A1" t="d"><v>2024-03-31</v></c><c r="B1" t="d"><v>2024-03-31T06:30:00</v></c></row>'
    path = write_package(tmp_path / "a.xlsx", {"S": sheet_xml(rows)})
    got = cells(path)
    assert [(cell.text, cell.kind, cell.value) for cell in got.values()] == [
        ("2024-03-31", "d", "2024-03-31"),
        ("2024-03-31T06:30:00", "d", "2024-03-31T06:30:00"),
    ]
    assert reread(path, ["sheet=S,cell=A1", "sheet=S,cell=B1"]) == [(c.text, c.value) for c in got.values()]


def test_every_mutilated_sheet_ends_in_a_typed_result(tmp_path: Path) -> None:
    """Cut or altered anywhere, a workbook gives items or a typed rejection, never a stray error."""
    whole = sheet_xml(ROWS)
    for at in range(0, len(whole), 7):
        for broken in (whole[:at], whole[:at] + "&" + whole[at + 1 :], whole[:at] + whole[at + 5 :]):
            path = write_package(tmp_path / "m.xlsx", {"S": broken}, strings=STRINGS)
            for item in read(path, Limits()):
                assert item is not None


def test_fast_reader_declines_rather_than_guesses(tmp_path: Path) -> None:
    """Markup that the pattern does not cover entirely is left to the XML parser."""
    for xml in UNUSUAL.values():
        path = write_package(tmp_path / "a.xlsx", {"S": xml})
        if xml == UNUSUAL["another encoding"]:
            continue
        with pytest.raises(Unfit):
            both(path)
