"""A deck made for measuring: a hundred slides, each with a title, a table of ten by eight, a chart and notes."""

from __future__ import annotations

import random
from pathlib import Path


def make_deck(path: Path, slides: int = 100) -> None:
    """Writes the deck."""
    from pptx import Presentation
    from pptx.chart.data import CategoryChartData
    from pptx.enum.chart import XL_CHART_TYPE
    from pptx.util import Inches

    draw = random.Random(7)
    deck = Presentation()
    for number in range(1, slides + 1):
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = f"Segment {number}: results in HK$ million"
        table = slide.shapes.add_table(10, 8, Inches(0.5), Inches(1.5), Inches(9), Inches(3)).table
        for col in range(1, 8):
            table.cell(0, col).text = f"FY{2017 + col}"
        for row in range(1, 10):
            table.cell(row, 0).text = f"Line {row}"
            for col in range(1, 8):
                table.cell(row, col).text = f"{draw.random() * 9000:,.1f}"
        data = CategoryChartData()
        data.categories = [f"{quarter}Q24" for quarter in range(1, 5)]
        for series in ("Revenue", "Cost"):
            data.add_series(series, [round(draw.random() * 900, 1) for _ in range(4)])
        place = (Inches(0.5), Inches(5), Inches(6), Inches(2))
        slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *place, data)
        slide.notes_slide.notes_text_frame.text = f"Notes of segment {number}."
    deck.save(str(path))
