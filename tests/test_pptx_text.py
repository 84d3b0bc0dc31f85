"""Words on slides become passages with a place that can be found again."""

from __future__ import annotations

from pathlib import Path

from deckmaking import add_chart, add_slide, add_table, contents, new_deck, save
from PIL import Image
from pptx.util import Inches

from factspine.extract.pptx import reread

REL = '<Relationship Id="rId70" Type="{}" Target="../{}"/></Relationships>'
LEGACY = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments"
MODERN = "http://schemas.microsoft.com/office/2018/10/relationships/comments"
DIAGRAM = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/diagramData"


def test_titles_text_and_notes_are_passages(tmp_path: Path) -> None:
    """One passage a paragraph, empty ones left out, under the slide's title."""
    deck = new_deck()
    slide = add_slide(deck, "Outlook")
    frame = slide.shapes.add_textbox(0, 0, Inches(3), Inches(1)).text_frame
    frame.text = "Growth continues.\n\nMargins hold\vfirm."
    slide.notes_slide.notes_text_frame.text = "Pause here."
    path = save(deck, tmp_path / "a.pptx")
    _, passages, _ = contents(path)
    assert [(p.kind, p.locator, p.text, p.section) for p in passages] == [
        ("title", "slide=1,shape=1,para=1", "Outlook", ()),
        ("text", "slide=1,shape=2,para=1", "Growth continues.", ("Outlook",)),
        ("text", "slide=1,shape=2,para=3", "Margins hold\nfirm.", ("Outlook",)),
        ("notes", "slide=1,notes=1,para=1", "Pause here.", ("Outlook",)),
    ]
    assert [text for text, _ in reread(path, [p.locator for p in passages])] == [p.text for p in passages]


def test_every_shape_counts_in_paint_order(tmp_path: Path) -> None:
    """Shapes are numbered through groups: a group counts before its members, pictures and tables count too."""
    deck = new_deck()
    slide = add_slide(deck)
    add_table(slide.shapes, "| a | 1 |")
    group = slide.shapes.add_group_shape()
    group.shapes.add_textbox(0, 0, Inches(1), Inches(1)).text_frame.text = "inside"
    slide.shapes.add_textbox(0, 0, Inches(1), Inches(1)).text_frame.text = "after"
    path = save(deck, tmp_path / "a.pptx")
    _, passages, _ = contents(path)
    assert [(p.locator, p.text) for p in passages] == [
        ("slide=1,shape=3,para=1", "inside"),
        ("slide=1,shape=4,para=1", "after"),
    ]
    assert [text for text, _ in reread(path, [p.locator for p in passages])] == ["inside", "after"]


def test_comments_old_and_new_are_passages(tmp_path: Path) -> None:
    """What reviewers wrote can be found, replies included."""
    old = (
        '<p:cmLst xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"><p:cm authorId="0" idx="1">'
        "<p:text>Check this figure</p:text></p:cm></p:cmLst>"
    )
    name = 'xmlns:p188="http://schemas.microsoft.com/office/powerpoint/2018/8/main"'
    body = '<p188:txBody><a:bodyPr xmlns:a="{0}"/><a:p xmlns:a="{0}"><a:r><a:t>{1}</a:t></a:r></a:p></p188:txBody>'
    drawing = "http://schemas.openxmlformats.org/drawingml/2006/main"
    new = (
        f"<p188:cmLst {name}><p188:cm><p188:replyLst><p188:reply>{body.format(drawing, 'Done')}</p188:reply>"
        f"</p188:replyLst>{body.format(drawing, 'Is it net?')}</p188:cm></p188:cmLst>"
    )
    for kind, part, expected in ((LEGACY, old, ["Check this figure"]), (MODERN, new, ["Is it net?", "Done"])):
        deck = new_deck()
        add_slide(deck, "T")
        rels = {
            "ppt/slides/_rels/slide1.xml.rels": lambda x, k=kind: x.replace("</Relationships>", REL.format(k, "c.xml"))
        }
        path = save(deck, tmp_path / "a.pptx", rels, {"ppt/c.xml": part.encode()})
        _, passages, _ = contents(path)
        comments = [p for p in passages if p.kind == "comment"]
        assert [p.text for p in comments] == expected
        assert [text for text, _ in reread(path, [p.locator for p in comments])] == expected


def test_words_of_diagrams_are_passages(tmp_path: Path) -> None:
    """Text in a diagram is read from the diagram's own data; connections say nothing."""
    deck = new_deck()
    add_slide(deck, "T")
    names = (
        'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"'
        ' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
        ' xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    )
    point = '<dgm:pt modelId="{0}"{1}><dgm:t><a:bodyPr/><a:p><a:r><a:t>{2}</a:t></a:r></a:p></dgm:t></dgm:pt>'
    data = (
        f"<dgm:dataModel {names}><dgm:ptLst>"
        + point.format(1, "", "Plan")
        + point.format(2, ' type="sibTrans"', "x")
        + point.format(3, "", "Build")
        + "</dgm:ptLst></dgm:dataModel>"
    )
    frame = (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="9" name="d"/>'
        "<p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>"
        '<p:xfrm><a:off x="0" y="0"/><a:ext cx="9" cy="9"/></p:xfrm><a:graphic><a:graphicData uri="d">'
        f'<dgm:relIds {names} r:dm="rId70"/></a:graphicData></a:graphic></p:graphicFrame></p:spTree>'
    )
    path = save(
        deck,
        tmp_path / "a.pptx",
        {
            "ppt/slides/slide1.xml": lambda x: x.replace("</p:spTree>", frame),
            "ppt/slides/_rels/slide1.xml.rels": lambda x: x.replace("</Relationships>", REL.format(DIAGRAM, "d.xml")),
        },
        {"ppt/d.xml": data.encode()},
    )
    _, passages, _ = contents(path)
    words = [(p.locator, p.text) for p in passages if p.kind == "text"]
    assert words == [("slide=1,shape=2,para=1", "Plan"), ("slide=1,shape=2,para=2", "Build")]
    assert [text for text, _ in reread(path, [locator for locator, _ in words])] == ["Plan", "Build"]


def test_large_pictures_without_a_table_are_said(tmp_path: Path) -> None:
    """A slide whose numbers may be in a picture is named once for the deck; one with its own chart is not."""
    picture = tmp_path / "p.png"
    Image.new("RGB", (4, 4)).save(picture)
    deck = new_deck()
    for number in range(3):
        slide = add_slide(deck)
        slide.shapes.add_picture(str(picture), 0, 0, Inches(5), Inches(4 if number != 1 else 0.2))
        if number == 2:
            add_chart(slide, ["a"], {"s": (1,)})
    _, _, findings = contents(save(deck, tmp_path / "a.pptx"))
    assert [(f.code, f.locator, f.severity) for f in findings] == [("FS211", "slide=1", "info")]
