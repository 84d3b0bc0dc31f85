"""Lines that tables begin with: figures beside words, headers, and the titles that begin another table."""

from __future__ import annotations

import re
from collections.abc import Sequence

from factspine.extract.pdf.lines import Line
from factspine.extract.pdf.phrases import is_unit_line

_PAUSE = 1.5  # of the step between two lines
_HEADER_LINES = 6
_OWN_UNIT = re.compile(
    r"[$€£¥￥%元]|[(（](?:in|thousand|million|billion|bn|[a-z]{3} (?:thousand|million|billion)s?)\b", re.I
)
_STAR = "*"  # a line of them stands for words left out


def is_seed(line: Line) -> bool:
    """Parted runs with a figure among them, and not mostly words."""
    runs = line.runs
    if len(runs) < 2 or all(run.text == _STAR for run in runs):
        return False
    figures = sum(1 for run in runs if run.kind in "nd")
    if figures == 0:
        years = sum(1 for run in runs if run.kind == "p")
        return years >= 2 or (len(runs) >= 3 and all(run.length <= 6 for run in runs))
    return all(run.length <= 8 for run in runs[1:])


def restarts(lines: Sequence[Line], index: int) -> bool:
    """A title after a pause and, a few lines on, a header without figures: another table begins."""
    line = lines[index]
    if index == 0 or len(line.runs) > 1 or line.runs[0].kind != "t":
        return False
    above = lines[index - 1]
    if len(above.runs) < 2 and not (index > 1 and len(lines[index - 2].runs) > 1):
        return False  # no table ends here
    if line.base - above.base < _PAUSE * max(line.size, above.base - lines[max(index - 2, 0)].base):
        return False
    for number in range(index + 1, min(index + _HEADER_LINES, len(lines))):
        after = lines[number]
        if any(run.kind in "nd" for run in after.runs):
            return False
        if len(after.runs) >= 2 and not is_unit_line(after.text):
            if not all(run.length <= 6 for run in after.runs):
                return False
            if is_seed(after) or any(is_data(li) for li in lines[number + 1 : number + 3]):
                return True
    return False


def is_data(line: Line) -> bool:
    """A label with its figures: where such a line comes first below a rule, the header stands above the rule."""
    return line.runs[0].kind == "t" and any(run.kind == "n" for run in line.runs[1:])


def heads_again(above: Sequence[Line], line: Line) -> bool:
    """Whether a line of years stood over these lines already, beside other words: another table begins under it.

    It has to say a unit of its own, as what was said above the first table may be meant for both.
    """
    if len(line.runs) < 3 or not _OWN_UNIT.search(line.runs[0].text) or any(run.kind != "p" for run in line.runs[1:]):
        return False
    years = [run.text for run in line.runs[1:]]
    first = next((i for i, li in enumerate(above) if [run.text for run in li.runs[1:]] == years), len(above))
    return any(is_data(li) for li in above[first:]) and above[first].runs[0].text != line.runs[0].text
