"""Tables on slides are read as they are drawn: merges, groups, looks, places, and what surrounds them."""

from __future__ import annotations

from pathlib import Path

from deckmaking import add_chart, add_slide, add_table, contents, draw, new_deck, save
from pptx.enum.text import PP_ALIGN
from pptx.oxml.ns import qn
from pptx.util import Inches
from test_interpretation import facts

from factspine.core.limits import Limits
from factspine.extract.pptx import reread

RESULTS = """
    |         | FY2023 | FY2024 |
    | Revenue | 1,200  | 1,320  |
    | Profit  | (12.5) | 40     |
"""


def test_a_table_is_read_cell_by_cell(tmp_path: Path) -> None:
    """Every cell that says something is there, blank ones are not, and nothing is interpreted."""
    deck = new_deck()
    add_table(add_slide(deck, "Results").shapes, RESULTS)
    (table,), _, findings = contents(save(deck, tmp_path / "a.pptx"))
    assert draw(table) == "| FY2023 | FY2024\nRevenue | 1,200 | 1,320\nProfit | (12.5) | 40"
    assert (table.locator, table.n_rows, table.n_cols, table.header_rows) == ("slide=1,table=1", 3, 3, None)
    assert {cell.kind for cell in table.cells} == {"s"}
    assert not findings


def test_merged_cells_appear_once_with_their_span(tmp_path: Path) -> None:
    """A merged header is one cell that covers what it covers; the covered cells are not repeated."""
    deck = new_deck()
    frame = add_table(add_slide(deck).shapes, "| a | b | c |\n| d | e | f |\n| g | h | i |")
    frame.table.cell(0, 1).text, frame.table.cell(0, 2).text = "b", ""
    frame.table.cell(0, 1).merge(frame.table.cell(0, 2))
    frame.table.cell(1, 0).merge(frame.table.cell(2, 0))
    (table,), _, _ = contents(save(deck, tmp_path / "a.pptx"))
    assert table.spans == {(1, 2): (1, 2), (2, 1): (2, 1)}
    assert [(c.row, c.col) for c in table.cells] == [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 2), (3, 3)]


def test_a_span_never_reaches_past_the_table(tmp_path: Path) -> None:
    """A file that claims a span of a million columns gets the columns there are."""
    deck = new_deck()
    add_table(add_slide(deck).shapes, "| a | b |\n| c | d |")
    path = save(
        deck,
        tmp_path / "a.pptx",
        {"ppt/slides/slide1.xml": lambda x: x.replace("<a:tc>", '<a:tc gridSpan="1000000" rowSpan="-4">', 1)},
    )
    (table,), _, _ = contents(path)
    assert table.spans == {(1, 1): (1, 2)}


def test_line_breaks_paragraphs_and_fields_are_kept(tmp_path: Path) -> None:
    """What a person sees on two lines is on two lines; a field shows its text."""
    deck = new_deck()
    frame = add_table(add_slide(deck).shapes, "| x | y |")
    frame.table.cell(0, 0).text = "first\nsecond\vthird"
    path = save(
        deck,
        tmp_path / "a.pptx",
        {
            "ppt/slides/slide1.xml": lambda x: x.replace(
                "<a:r><a:t>y</a:t></a:r>", '<a:fld id="{0}" type="x"><a:t>12</a:t></a:fld><a:r><a:t> m</a:t></a:r>'
            )
        },
    )
    (table,), _, _ = contents(path)
    assert [cell.text for cell in table.cells] == ["first\nsecond\nthird", "12 m"]


def test_looks_that_carry_meaning_are_kept(tmp_path: Path) -> None:
    """Bold totals, right-aligned numbers, indented sub-items and shaded cells stay recognisable."""
    deck = new_deck()
    table = add_table(add_slide(deck).shapes, "| Total | 5 |\n| item | 6 |\n| part | 7 |").table
    table.cell(0, 0).text_frame.paragraphs[0].runs[0].font.bold = True
    table.cell(0, 1).text_frame.paragraphs[0].alignment = PP_ALIGN.RIGHT
    table.cell(1, 0).text_frame.paragraphs[0].level = 2
    table.cell(2, 0).text = "　part"
    table.cell(2, 1).fill.solid()
    (read,), _, _ = contents(save(deck, tmp_path / "a.pptx"))
    style = {cell.text: cell.style for cell in read.cells}
    assert style["Total"].bold
    assert not style["item"].bold
    assert style["5"].align == "right"
    assert (style["item"].indent, style["part"].indent) == (2, 1)
    assert style["7"].filled
    assert not style["6"].filled


def test_tables_in_groups_are_found_and_placed(tmp_path: Path) -> None:
    """A table inside nested groups is read like any other, with its box where it is seen on the slide."""
    deck = new_deck()
    slide = add_slide(deck)
    frame = add_table(slide.shapes, "| a | 1 |", left=2, top=1)
    inner = slide.shapes.add_group_shape()
    inner._element.append(frame._element)
    outer = slide.shapes.add_group_shape()
    outer._element.append(inner._element)
    add_table(slide.shapes, "| b | 2 |")
    for group, scale in ((outer, 2), (inner, 1)):
        off, ext, child_off, child_ext = group._element.grpSpPr.find(qn("a:xfrm"))
        for element in (ext, child_ext):
            element.set("cx", str(Inches(4))), element.set("cy", str(Inches(4)))
        ext.set("cx", str(Inches(4 * scale))), ext.set("cy", str(Inches(4 * scale)))
        off.set("x", "0"), child_off.set("x", "0")
    tables, _, _ = contents(save(deck, tmp_path / "a.pptx"))
    assert [(t.locator, t.cells[0].text) for t in tables] == [("slide=1,table=1", "a"), ("slide=1,table=2", "b")]
    assert tables[0].bbox is not None
    assert tables[0].bbox[:2] == (288.0, 144.0)


def test_boxes_come_from_the_file_or_not_at_all(tmp_path: Path) -> None:
    """Cell boxes follow column widths and row heights; without a frame's position there is no box."""
    deck = new_deck()
    add_table(add_slide(deck).shapes, "| a | b |\n| c | d |")
    path = save(deck, tmp_path / "a.pptx")
    (table,), _, _ = contents(path)
    assert table.bbox == (72.0, 144.0, 360.0, 288.0)
    assert table.boxes[2, 2] == (216.0, 216.0, 360.0, 288.0)
    without = {"ppt/slides/slide1.xml": lambda x: x.replace('<a:off x="914400" y="1828800"/>', "")}
    (bare,), _, _ = contents(save(deck, tmp_path / "b.pptx", without))
    assert bare.bbox is None
    assert not bare.boxes


def test_a_table_knows_the_titles_and_lines_around_it(tmp_path: Path) -> None:
    """Deck title, slide title, caption, unit line, footnote and speaker notes come along, each with its place."""
    deck = new_deck()
    opening = deck.slides.add_slide(deck.slide_layouts[0])
    opening.shapes.title.text, opening.placeholders[1].text = "Example Group", "FY2024 annual results"
    slide = add_slide(deck, "Segment results")
    add_table(slide.shapes, RESULTS)
    for text, top in (("Table 3: by segment", 1.6), ("单位：百万港元", 1.3), ("Note: unaudited figures", 4.5)):
        slide.shapes.add_textbox(Inches(1), Inches(top), Inches(3), Inches(0.3)).text_frame.text = text
    slide.notes_slide.notes_text_frame.text = "Explain the dip."
    (table,), _, _ = contents(save(deck, tmp_path / "a.pptx"))
    assert [(c.role, c.text, c.locator) for c in table.context] == [
        ("document", "Example Group", "slide=1,shape=1"),
        ("document", "FY2024 annual results", "slide=1,shape=2,para=1"),
        ("slide_title", "Segment results", "slide=2,shape=1"),
        ("caption", "Table 3: by segment", "slide=2,shape=3,para=1"),
        ("unit_note", "单位：百万港元", "slide=2,shape=4,para=1"),
        ("note", "Note: unaudited figures", "slide=2,shape=5,para=1"),
        ("speaker_notes", "Explain the dip.", "slide=2,notes=1"),
    ]


def test_a_first_slide_with_tables_of_its_own_is_no_cover(tmp_path: Path) -> None:
    """It says whose the deck is. Its unit and its year are those of its own tables: sites on the next are no money."""
    deck = new_deck()
    add_table(add_slide(deck, "Osprey Group FY2024 results (£ million)").shapes, "| | FY2024 |\n| Revenue | 46.8 |")
    add_chart(add_slide(deck, "Sites by region"), ["North", "South"], {"Sites": (14, 22)})
    tables, _, _ = contents(save(deck, tmp_path / "a.pptx"))
    assert [[(c.role, c.text) for c in table.context] for table in tables] == [
        [("slide_title", "Osprey Group FY2024 results (£ million)")],
        [("sibling", "Osprey Group FY2024 results (£ million)"), ("slide_title", "Sites by region")],
    ]
    money, sites = (facts(table) for table in tables)
    assert [(fact["unit"], fact["period"], fact["entity"]) for fact in money] == [("GBP", "2024", "Osprey Group")]
    assert {(fact["unit"], fact["period"], fact["entity"]) for fact in sites} == {("unknown", "", "Osprey Group")}


def test_captions_go_to_the_table_they_stand_over(tmp_path: Path) -> None:
    """Two tables side by side keep their own captions and share the only unit line."""
    deck = new_deck()
    slide = add_slide(deck)
    add_table(slide.shapes, "| a | 1 |", left=0.2)
    add_table(slide.shapes, "| b | 2 |", left=5)
    for text, left in (("Left caption", 0.2), ("Right caption", 5), ("US$ million", 7)):
        slide.shapes.add_textbox(Inches(left), Inches(1.5), Inches(2), Inches(0.3)).text_frame.text = text
    tables, _, _ = contents(save(deck, tmp_path / "a.pptx"))
    assert [[c.text for c in table.context] for table in tables] == [
        ["Left caption", "US$ million"],
        ["Right caption", "US$ million"],
    ]


def test_captions_in_placeholders_stand_where_the_layout_puts_them(tmp_path: Path) -> None:
    """Captions that leave their place to the layout go to the table they are seen over."""
    deck = new_deck()
    slide = deck.slides.add_slide(deck.slide_layouts[4])  # two columns, each with a caption
    for index, text in ((1, "Life, RMB million"), (3, "Property, HK$ million")):
        slide.placeholders[index].text = text
    for index, left in ((2, 0.5), (4, 5.1)):
        slide.placeholders[index]._element.getparent().remove(slide.placeholders[index]._element)
        add_table(slide.shapes, "Item | FY2031\nPremiums | 5", left=left, top=2.4)
    tables, _, _ = contents(save(deck, tmp_path / "a.pptx"))
    assert [[text.text for text in table.context] for table in tables] == [
        ["Life, RMB million"],
        ["Property, HK$ million"],
    ]


def test_hidden_slides_are_flagged_and_numbered_like_others(tmp_path: Path) -> None:
    """A hidden slide keeps its number; its tables, charts and words say that they are hidden."""
    deck = new_deck()
    add_slide(deck, "Shown")
    slide = add_slide(deck, "Hidden")
    add_table(slide.shapes, "| a | 1 |")
    add_chart(slide, ["x"], {"s": (1,)})
    slide._element.set("show", "0")
    tables, passages, _ = contents(save(deck, tmp_path / "a.pptx"))
    assert [(t.locator, t.hidden) for t in tables] == [("slide=2,table=1", True), ("slide=2,chart=1", True)]
    assert [(p.text, p.hidden) for p in passages] == [("Shown", False), ("Hidden", True)]


def test_slides_follow_the_order_of_the_presentation(tmp_path: Path) -> None:
    """`slide=1` is the slide shown first, whatever its file is called."""
    deck = new_deck()
    for name in ("one", "two"):
        add_table(add_slide(deck).shapes, f"| {name} | 1 |")
    order = deck.slides._sldIdLst
    order.insert(0, order[1])
    tables, _, _ = contents(save(deck, tmp_path / "a.pptx"))
    assert [(t.locator, t.cells[0].text) for t in tables] == [("slide=1,table=1", "two"), ("slide=2,table=1", "one")]


def test_long_cells_are_also_passages(tmp_path: Path) -> None:
    """Prose in a table's cell can be found by its words, at its cell."""
    deck = new_deck()
    prose = "The increase reflects higher volumes in both regions, partly offset by price."
    add_table(add_slide(deck, "Drivers").shapes, f"| Driver | {prose} |")
    _, passages, _ = contents(save(deck, tmp_path / "a.pptx"))
    assert [(p.kind, p.locator, p.section) for p in passages if p.text == prose] == [
        ("cell", "slide=1,table=1,cell=R1C2", ("Drivers",))
    ]


def test_a_deck_of_four_hundred_slides_passes(tmp_path: Path) -> None:
    """Several hundred slides are an ordinary deck."""
    deck = new_deck()
    for number in range(400):
        add_table(add_slide(deck, f"Slide {number}").shapes, "| Revenue | 1 |")
    tables, passages, findings = contents(save(deck, tmp_path / "a.pptx"), Limits())
    assert (len(tables), len(passages), findings) == (400, 400, [])
    assert tables[-1].locator == "slide=400,table=1"


def test_raised_notes_do_not_lengthen_numbers(tmp_path: Path) -> None:
    """210 and its raised note 2 read as 210², in cells and in text, by both readers; what is all raised stays plain."""
    deck = new_deck()
    slide = add_slide(deck, "Results")
    cells = add_table(slide.shapes, "Item | FY2031\nCost | 210\nArea | 45").table
    box = slide.shapes.add_textbox(0, 0, Inches(3), Inches(1))
    paragraphs = [cells.cell(r, c).text_frame.paragraphs[0] for r, c in ((0, 1), (1, 0), (1, 1))]
    for paragraph, mark in zip([*paragraphs, box.text_frame.paragraphs[0]], ("1", "a", "(2)", "3"), strict=True):
        paragraph.add_run().text = "Costs of 210" if paragraph._p is box.text_frame.paragraphs[0]._p else ""
        note = paragraph.add_run()
        note.text = mark
        note.font._element.set("baseline", "30000")
    cells.cell(2, 1).text_frame.paragraphs[0].runs[0].font._element.set("baseline", "30000")
    path = save(deck, tmp_path / "a.pptx")
    (table,), passages, _ = contents(path)
    assert draw(table) == "Item | FY2031¹\nCostᵃ | 210⁽²⁾\nArea | 45"
    assert [passage.text for passage in passages][-1] == "Costs of 210³"
    places = ["slide=1,table=1,cell=R2C2", "slide=1,table=1,cell=R1C2", "slide=1,table=1,cell=R3C2", "slide=1,shape=3"]
    assert reread(path, places) == [("210⁽²⁾", None), ("FY2031¹", None), ("45", None), ("Costs of 210³", None)]


def test_lines_below_a_table_caption_nothing(tmp_path: Path) -> None:
    """Rights, dates of printing and page numbers under a table say nothing of it; a unit line and notes there do."""
    deck = new_deck()
    slide = add_slide(deck, "Network")
    add_table(slide.shapes, "Place | Shops\nNorth | 5", top=2)
    for at, text in enumerate(("Draft 12 March 2031", "© 2031 Harbour Ltd", "12", "Source: survey", "In HK$ million")):
        slide.shapes.add_textbox(Inches(1), Inches(4.1 + at / 5), Inches(4), Inches(0.2)).text_frame.text = text
    (table,), _, _ = contents(save(deck, tmp_path / "a.pptx"))
    near = [(text.role, text.text) for text in table.context if text.role != "document"]
    assert near[1:] == [("note", "Source: survey"), ("unit_note", "In HK$ million")]


def test_messages_over_a_table_are_no_captions(tmp_path: Path) -> None:
    """A line with figures of its own is about them; a caption may name years and units."""
    deck = new_deck()
    slide = add_slide(deck, "Network")
    add_table(slide.shapes, "Place | Shops\nNorth | 5", top=3)
    lines = (
        "Hong Kong: +12%",
        "Target: return of 15% by 2036",
        "Sales up to HK$ 1,320 million",
        "Shops - 2031, by place",
    )
    for at, text in enumerate(lines):
        slide.shapes.add_textbox(Inches(1), Inches(2 + at / 5), Inches(4), Inches(0.2)).text_frame.text = text
    (table,), _, _ = contents(save(deck, tmp_path / "a.pptx"))
    assert [text.text for text in table.context] == ["Network", "Shops - 2031, by place"]
