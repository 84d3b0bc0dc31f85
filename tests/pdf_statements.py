"""Statements set in many ways, with what each of them says: for tests of what does not depend on the setting.

The words are invented; fonts are those every reader of PDF brings along, so that no font file is needed.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

_CHINESE = "STSong-Light"
_ENGLISH_ROWS = (
    "Revenue",
    "Cost of sales",
    "Gross profit",
    " Selling and distribution expenses",
    " Impairment losses on financial and contract assets, net of reversals",
    "Other income and gains",
    "Share of results of associates accounted for using the equity method",
    "Profit before tax",
    "Income tax expense",
    "Profit for the year",
)
_CHINESE_ROWS = (
    "一、营业总收入",
    " 其中：营业收入",
    "二、营业总成本",
    " 税金及附加",
    " 销售费用",
    "加：投资收益（损失以“－”号填列）",
    "三、营业利润（亏损以“－”号填列）",
    "减：所得税费用",
    "四、净利润（净亏损以“－”号填列）",
)
_ENGLISH_HEADS = (
    (("", "2024", "2023"),),
    (("Year ended December 31,", "", ""), ("2024", "2023", "2022")),
    (("December 31, 2024", "December 31, 2023"),),
    (("2024", "", "2023", ""), ("Group", "Company", "Group", "Company")),
)
_CHINESE_HEADS = (
    (("2024年度", "2023年度"),),
    (("期末余额", "期初余额"),),
    (("2024年", "2023年", "2022年"),),
    (("2024年度", "", "2023年度", ""), ("合并", "母公司", "合并", "母公司")),
)


@dataclass(slots=True)
class Statement:
    """A statement on a page: how it is set, and the numbers of each row from left to right."""

    chinese: bool
    bands: tuple[tuple[str, ...], ...]
    setting: dict[str, object]
    rows: list[tuple[str, list[str]]] = field(default_factory=list)


def set_statement(seed: int, path: Path) -> Statement:
    """Writes a document with one statement, its setting chosen by the seed."""
    return _Setter(random.Random(seed), path).write()  # noqa: S311 - reproducible, not a secret


class _Setter:
    def __init__(self, chance: random.Random, path: Path) -> None:
        pick = chance.choice
        self.chance = chance
        self.path = path
        chinese = chance.random() < 0.5
        bands = tuple(tuple(t for t in band) for band in pick(_CHINESE_HEADS if chinese else _ENGLISH_HEADS))
        bands = tuple(band[1:] if band[0] == "" else band for band in bands)
        self.statement = Statement(
            chinese,
            bands,
            {
                "size": pick([6.5, 8.0, 9.0, 11.0]),
                "step": pick([1.2, 1.5, 2.0]),
                "gutter": pick([0.8, 1.2, 2.5]),
                "heads": pick(["right", "middle", "left"]),
                "rules": pick(["none", "none", "head", "totals", "all", "zebra"]),
                "unit": pick(["above right", "above left", "corner", "under heads"]),
                "notes": chance.random() < 0.3,
                "currency": not chinese and chance.random() < 0.3,
                "prose": chance.random() < 0.5,
            },
        )
        self.font = _CHINESE if chinese else pick(["Helvetica", "Times-Roman"])
        if chinese:
            pdfmetrics.registerFont(UnicodeCIDFont(_CHINESE))
        self.size = float(self.statement.setting["size"])  # type: ignore[arg-type]
        self.canvas = Canvas(str(path), invariant=1)
        self.left, self.right = 50.0, 545.0

    def write(self) -> Statement:
        statement, setting = self.statement, self.statement.setting
        labels = _CHINESE_ROWS if statement.chinese else _ENGLISH_ROWS
        statement.rows = [(label, [self._number() for _ in statement.bands[-1]]) for label in labels]
        edges = self._columns()
        y = 780.0
        if setting["prose"]:
            y = self._prose(y)
        unit = "单位：万元" if statement.chinese else "(in thousands of euro)"
        self._text(self.left, y, "合并利润表" if statement.chinese else "Consolidated statement of income")
        y -= self.size * 1.6
        if str(setting["unit"]).startswith("above"):
            at_right = setting["unit"] == "above right"
            self._text(self.right if at_right else self.left, y, unit, "right" if at_right else "left")
            y -= self.size * 1.5
        y = self._heads(y, edges, unit)
        for label, numbers in statement.rows:
            y = self._row(y, label, numbers, edges)
        if setting["prose"]:
            self._prose(y - 20)
        self.canvas.save()
        return statement

    def _number(self) -> str:
        chance = self.chance
        if chance.random() < 0.06:
            return "-"
        number = chance.randint(1, 10 ** chance.randint(2, 8))
        text = f"{number / 100:,.2f}" if self.statement.chinese else f"{number:,}"
        return text if chance.random() < 0.75 else f"-{text}" if self.statement.chinese else f"({text})"

    def _wide(self, text: str) -> float:
        return float(pdfmetrics.stringWidth(text, self.font, self.size))

    def _columns(self) -> list[tuple[float, float]]:
        """Left and right edge of each column of figures, set from the right."""
        statement, columns = self.statement, len(self.statement.bands[-1])
        widths = [max(self._wide(numbers[i]) for _, numbers in statement.rows) for i in range(columns)]
        for band in statement.bands:
            span = columns // max(1, sum(1 for text in band if text))
            for i, text in enumerate(band):
                for j in range(i, i + span if text else i):
                    widths[j] = max(widths[j], self._wide(text) / span)
        edges, x = [], self.right
        for width in reversed(widths):
            edges.insert(0, (x - width, x))
            sign = self.size if statement.setting["currency"] else 0.0
            x -= width + sign + float(statement.setting["gutter"]) * self.size  # type: ignore[arg-type]
        self.notes = (x - 2.4 * self.size, x) if statement.setting["notes"] else None
        self.measure = (self.notes[0] if self.notes else x) - self.size - self.left
        return edges

    def _heads(self, y: float, edges: list[tuple[float, float]], unit: str) -> float:
        statement, setting = self.statement, self.statement.setting
        for number, band in enumerate(statement.bands):
            span = len(edges) // max(1, sum(1 for text in band if text))
            for i, text in enumerate(band):
                if text:
                    side = str(setting["heads"]) if span == 1 else "middle"
                    self._between(edges[i][0], edges[i + span - 1][1], y, text, side)
            y -= self.size * (1.4 if number + 1 < len(statement.bands) else 0)
        if self.notes:
            self._text(self.notes[1], y, "附注" if statement.chinese else "Note", "right")
        if setting["unit"] == "corner" and self._wide(unit) < self.measure:
            self._text(self.left, y, unit)
        elif setting["unit"] == "under heads" and not statement.chinese:
            y -= self.size * 1.3
            self._between(edges[0][0], edges[-1][1], y, unit, "middle")
        if setting["rules"] in ("head", "all", "totals"):
            self.canvas.line(self.left, y - 0.35 * self.size, self.right, y - 0.35 * self.size)
        return y - self.size * float(setting["step"])  # type: ignore[arg-type]

    def _row(self, y: float, label: str, numbers: list[str], edges: list[tuple[float, float]]) -> float:
        setting = self.statement.setting
        indent = self.size if label.startswith(" ") else 0.0
        lines = self._wrapped(label.strip(), self.measure - indent)
        bottom = y - (len(lines) - 1) * 1.15 * self.size
        if setting["rules"] == "zebra" and label.startswith(" "):
            self.canvas.setFillGray(0.9)
            self.canvas.rect(
                self.left - 2, bottom - 0.35 * self.size, self.right - self.left + 4, y - bottom + self.size * 1.2, 0, 1
            )
            self.canvas.setFillGray(0)
        for number, line in enumerate(lines):
            self._text(self.left + indent, y - number * 1.15 * self.size, line)
        if self.notes and self.chance.random() < 0.6:
            self._text(self.notes[1], bottom, self.chance.choice(["4", "12", "27"]), "right")
        for (left, right), number in zip(edges, numbers, strict=True):
            self._text(right, bottom, number, "right")
            if setting["currency"] and not label.startswith(" "):
                self._text(left - self.size, bottom, "$")
            if setting["rules"] == "totals" and "rofit" in label:
                self.canvas.line(left, bottom + self.size, right, bottom + self.size)
        if setting["rules"] == "all":
            self.canvas.line(self.left, bottom - 0.35 * self.size, self.right, bottom - 0.35 * self.size)
        return bottom - self.size * float(setting["step"])  # type: ignore[arg-type]

    def _prose(self, y: float) -> float:
        text = (
            "公司持续加大投入并优化结构，"
            if self.statement.chinese
            else "Demand grew in all regions during the year and "
        )
        for line in self._wrapped((text * 9).strip(), self.right - self.left):
            self._text(self.left, y, line)
            y -= self.size * 1.4
        return y - self.size

    def _wrapped(self, text: str, measure: float) -> list[str]:
        lines = [""]
        for piece in text if self.statement.chinese else text.split():
            longer = lines[-1] + piece if self.statement.chinese else f"{lines[-1]} {piece}".strip()
            if lines[-1] and self._wide(longer) > measure:
                lines.append(piece)
            else:
                lines[-1] = longer
        return lines

    def _between(self, left: float, right: float, y: float, text: str, side: str) -> None:
        self._text({"left": left, "right": right, "middle": (left + right) / 2}[side], y, text, side)

    def _text(self, x: float, y: float, text: str, side: str = "left") -> None:
        self.canvas.setFont(self.font, self.size)
        shift = {"left": 0.0, "right": 1.0, "middle": 0.5}[side] * self._wide(text)
        self.canvas.drawString(x - shift, y, text)
