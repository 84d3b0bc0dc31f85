"""Broken, hostile and unusual decks end in facts or in a typed finding, and cost only what is broken."""

from __future__ import annotations

import random
import zipfile
from collections import Counter
from pathlib import Path

import pytest
from deckmaking import add_chart, add_slide, add_table, contents, draw, new_deck, save
from pptx.util import Inches

from factspine.core.errors import FactSpineError, InputRejected, LimitExceeded
from factspine.core.limits import Limits
from factspine.extract.pptx import read, reread
from factspine.extract.pptx.tags import STRICT_ADDRESSES


def three_slides(path: Path, parts: dict[str, bytes] | None = None) -> Path:
    deck = new_deck()
    for number in (1, 2, 3):
        slide = add_slide(deck, f"Slide {number}")
        add_table(slide.shapes, f"| Revenue | {number} |")
        add_chart(slide, ["a"], {"s": (number,)})
    return save(deck, path, None, parts)


def test_one_broken_slide_costs_one_slide(tmp_path: Path) -> None:
    """The other slides are read, keep their numbers, and the broken one is named; read-back still works."""
    path = three_slides(tmp_path / "a.pptx", {"ppt/slides/slide2.xml": b"<p:sld"})
    tables, _, findings = contents(path)
    assert [t.locator for t in tables] == ["slide=1,table=1", "slide=1,chart=1", "slide=3,table=1", "slide=3,chart=1"]
    assert [(f.code, f.locator) for f in findings] == [("FS207", "slide=2")]
    assert reread(path, ["slide=3,table=1,cell=R1C2", "slide=2,table=1,cell=R1C2"]) == [("3", None), ("", None)]


def test_a_missing_chart_costs_the_chart(tmp_path: Path) -> None:
    """Tables beside a chart that cannot be read stay."""
    path = three_slides(tmp_path / "a.pptx")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(tmp_path / "b.pptx", "w") as new:
        for name in old.namelist():
            if "charts/" not in name:
                new.writestr(name, old.read(name))
    tables, _, findings = contents(tmp_path / "b.pptx")
    assert [t.locator for t in tables] == ["slide=1,table=1", "slide=2,table=1", "slide=3,table=1"]
    assert [(f.code, f.locator) for f in findings] == [("FS207", f"slide={n},chart=1") for n in (1, 2, 3)]


@pytest.mark.parametrize("content", [b"", b"<broken", b"\x00\x01\x02"])
def test_a_deck_without_its_main_part_is_rejected(tmp_path: Path, content: bytes) -> None:
    """Without the list of slides there is no deck to read, and the error says so."""
    path = three_slides(tmp_path / "a.pptx", {"ppt/presentation.xml": content})
    with pytest.raises(InputRejected) as caught:
        contents(path)
    assert caught.value.code == "FS201"


def test_a_file_that_is_no_container_is_rejected(tmp_path: Path) -> None:
    """Bytes that only call themselves a deck are a typed rejection."""
    path = tmp_path / "a.pptx"
    path.write_bytes(b"PK\x03\x04 not really")
    with pytest.raises(InputRejected):
        contents(path)


def test_document_types_are_refused(tmp_path: Path) -> None:
    """No entity is ever expanded: a deck that declares any is turned away."""
    bomb = b'<!DOCTYPE p [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><p>&b;</p>'
    for part in (bomb, bomb.decode().encode("utf-16")):
        path = three_slides(tmp_path / "a.pptx", {"ppt/slides/slide1.xml": part})
        with pytest.raises(InputRejected) as caught:
            contents(path)
        assert caught.value.code == "FS106"


def test_groups_nested_past_the_limit_are_refused(tmp_path: Path) -> None:
    """Depth is bounded by a named limit, not by the interpreter's stack."""
    deck = new_deck()
    slide = add_slide(deck)
    shapes = slide.shapes
    for _ in range(6):
        shapes = shapes.add_group_shape().shapes
    shapes.add_textbox(0, 0, Inches(1), Inches(1)).text_frame.text = "deep"
    path = save(deck, tmp_path / "a.pptx")
    assert [p.text for p in contents(path)[1]] == ["deep"]
    with pytest.raises(LimitExceeded) as caught:
        contents(path, Limits(group_depth_max=5))
    assert (caught.value.limit, caught.value.locator) == ("group_depth_max", "slide=1")


@pytest.mark.parametrize(
    "limits", [Limits(pages_max=2), Limits(cells_max=3), Limits(page_chars_max=4), Limits(zip_member_bytes_max=500)]
)
def test_limits_are_named_when_they_stop_a_deck(tmp_path: Path, limits: Limits) -> None:
    """Too many slides, cells or characters, or too large a part: the error names the limit to raise."""
    with pytest.raises(LimitExceeded):
        contents(three_slides(tmp_path / "a.pptx"), limits)


def test_strict_files_are_read_like_others(tmp_path: Path) -> None:
    """A deck saved with the strict names is the same deck, for both readers."""
    path = three_slides(tmp_path / "a.pptx")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(tmp_path / "b.pptx", "w") as new:
        for name in old.namelist():
            data = old.read(name)
            for strict, transitional in STRICT_ADDRESSES:
                data = data.replace(transitional, strict)
            new.writestr(name, data)
    tables, _, findings = contents(tmp_path / "b.pptx")
    assert [draw(t) for t in tables] == [draw(t) for t in contents(path)[0]]
    assert not findings
    assert reread(tmp_path / "b.pptx", ["slide=2,table=1,cell=R1C2", "slide=3,chart=1,series=s,cat=a"]) == [
        ("2", None),
        ("3", "3"),
    ]


def test_places_that_do_not_exist_read_back_as_nothing(tmp_path: Path) -> None:
    """A wrong locator is nothing there, never an error and never a neighbour."""
    path = three_slides(tmp_path / "a.pptx")
    places = [
        "slide=9,table=1,cell=R1C1",
        "slide=1,table=2,cell=R1C1",
        "slide=1,table=1,cell=R9C1",
        "slide=1,chart=1,series=x,cat=a",
        "slide=1,shape=99,para=1",
        "slide=1,notes=1,para=1",
        "slide=0,shape=1",
        "nonsense",
    ]
    assert reread(path, places) == [("", None)] * len(places)


def test_only_typed_errors_leave_the_reader(tmp_path: Path) -> None:
    """Parts cut, flipped and swapped at random end in items or in an error of ours."""
    source = three_slides(tmp_path / "a.pptx")
    with zipfile.ZipFile(source) as archive:
        parts = {name: archive.read(name) for name in archive.namelist() if not name.endswith((".jpeg", ".xlsx"))}
    names = [name for name in parts if "slide" in name.lower() or "chart" in name or "presentation" in name]
    ends = Counter[str]()
    chance = random.Random(7)  # noqa: S311 - repeatable damage, not secrets
    for number in range(150):
        name = chance.choice([n for n in names if "Layout" not in n and "Master" not in n])
        data = bytearray(parts[name])
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(data))
            action = chance.randrange(3)
            if action == 0:
                data[at] = chance.randrange(32, 127)
            elif action == 1:
                del data[at : at + chance.randint(1, 40)]
            else:
                data[at:at] = data[: chance.randint(1, 60)]
        path = tmp_path / f"m{number}.pptx"
        with zipfile.ZipFile(path, "w") as archive:
            for part, content in parts.items():
                archive.writestr(part, bytes(data) if part == name else content)
        try:
            ends["items" if list(read(path, Limits())) else "nothing"] += 1
        except FactSpineError:
            ends["typed error"] += 1
        path.unlink()
    assert ends.total() == 150
    assert min(ends["items"], ends["typed error"]) > 0, "damage of both kinds was made"
