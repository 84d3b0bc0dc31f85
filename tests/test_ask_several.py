"""Several figures asked for at once: one line each for programs, one table for people, every cell with its source."""

from __future__ import annotations

import re

import pytest
from ask_store import ask, demo_store
from commandline import clean_environment, run

BRANCHES = "香港和澳门FY2023、FY2024的赔付率和员工人数分别是多少"
GROUP = "Total revenue and operating profit of Harbour Light Group for FY2022, FY2023 and FY2024"


def on_terminal(question: str, width: int) -> list[str]:
    """What somebody sees who asks on a terminal of this width, line by line."""
    env = clean_environment(FORCE_COLOR="1", COLUMNS=str(width), TERM="xterm")
    done = run("ask", question, "--store", str(demo_store().path), env=env)
    return re.sub(r"\x1b\[[0-9;]*m", "", done.stdout).replace("\xa0", " ").splitlines()


def test_every_cell_is_a_line_with_its_source() -> None:
    """Two places, two years, one figure each: four lines, each with value and citation, and four facts."""
    answer = ask("香港和澳门FY2023、FY2024的赔付率分别是多少")
    assert [fact.value_text for fact in answer.facts] == ["61.2%", "58.7%", "59.8%", "57.9%"]
    lines = answer.answer.splitlines()
    assert len(lines) == 4
    for line, fact in zip(lines, answer.facts, strict=True):
        assert line.endswith(f"{fact.value_text}(来源:{fact.source_doc_id} · {fact.source_locator})")


def test_on_a_terminal_there_is_a_table_with_the_sources_below() -> None:
    """Rows are what was asked for, columns the years; the marks lead to the sources."""
    lines = on_terminal(BRANCHES, 100)
    assert lines[0].split() == ["FY2023", "FY2024"]
    assert lines[1].split() == ["香港", "Claims", "ratio", "61.2%", "[†1]", "59.8%", "[†3]"]
    assert lines[3].split() == ["澳门", "Claims", "ratio", "58.7%", "[†2]", "57.9%", "[†4]"]
    assert "[†1] hong_kong/Branch_KPIs.xlsx · sheet=KPIs,cell=B6,row=Claims ratio,col=FY2023" in lines
    assert "[†4] macau/Branch_KPIs.xlsx · sheet=KPIs,cell=C6,row=Claims ratio,col=FY2024" in lines


def test_a_cell_without_a_figure_says_why() -> None:
    """What cannot be told is a dash in the table, and the reason stands below it."""
    lines = on_terminal(BRANCHES, 100)
    assert lines[2].split() == ["香港", "员工人数", "—", "—"]
    assert any("员工人数 FY2023" in line and "请说明主体" in line for line in lines)


@pytest.mark.parametrize("width", [60, 80, 100, 130, 160])
def test_no_figure_is_torn_apart_or_cut_off(width: int) -> None:
    """However wide the terminal is, each figure stands on one line with its unit, and no row is too long."""
    lines = on_terminal(GROUP, width)
    table = lines[: lines.index("")] if "" in lines else lines
    shown = "\n".join(table)
    for figure in ("10,389.9 HK$ million [†1]", "11,491.4 HK$ million [†2]", "1,452.0 HK$ million [†21]"):
        assert figure in shown
    assert all(len(line.rstrip()) <= width for line in table)


def test_each_figure_stands_before_its_own_sources() -> None:
    """A restated figure: the sources of the new one come before the old one, and those of the old one after it."""
    answer = ask("Total revenue of Harbour Light Group FY2023")
    new, _, old = answer.answer.partition("11,602.9")
    for fact in answer.facts:
        told_in = old if fact.value_text == "11,602.9" else new
        assert f"{fact.source_doc_id} · {fact.source_locator}" in told_in


def test_in_a_pipe_there_are_lines_and_no_table() -> None:
    """Whoever reads the output with a program gets one line a figure, each with its source."""
    done = run("ask", BRANCHES, "--store", str(demo_store().path))
    assert done.stdout == ask(BRANCHES).answer + "\n"


def test_growth_of_each_year_is_told_for_each_year() -> None:
    """分别 asks for every year's own growth; where a year before is missing, that is said."""
    answer = ask("港晖集团FY2023、FY2024总收入增长率分别是多少")
    first, second, *_ = answer.answer.splitlines()
    assert first.startswith("FY2023:")
    assert "2022" in first
    assert "FY2024 总收入 同比变动:11.79% = (128.46 − 114.91) ÷ 114.91" in second


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Net sales and floor area of Central store FY2024", ["105,010", "820"]),
        ("Claims ratio and new policies of Hong Kong and Macau in FY2024", ["59.8%", "57.9%"]),
        ("Total assets and total equity of Harbour Light Group at 31 December 2024", ["22,150.0", "6,001.2"]),
        ("青澜电器股份有限公司2024年净利润、研发费用和财务费用分别是多少", ["341,806,722.18", "118,672,540.08"]),
    ],
)
def test_names_that_only_the_store_knows_can_be_listed(question: str, values: list[str]) -> None:
    """Labels of tables are joined as freely as metrics that everybody knows."""
    answer = ask(question)
    assert answer.mode == "answer"
    told = [fact.value_text for fact in answer.facts]
    assert set(values) <= set(told)
    assert len(answer.answer.splitlines()) == len(answer.table) >= 2


def test_a_list_with_a_name_nobody_knows_is_refused_by_that_name() -> None:
    """Half of a list is no answer to it when the other half is not understood."""
    answer = ask("ACME Group revenue and unicorns FY2024")
    assert answer.mode == "refuse"
    assert "unicorns" in answer.answer


@pytest.mark.parametrize("question", ["净利润和营业收入2024年", "net profit and revenue in 2024"])
def test_a_list_of_which_nobody_said_whose_it_is_is_asked_back(question: str) -> None:
    """Both are there for several organisations: nothing is said to be missing."""
    answer = ask(question)
    assert answer.mode == "clarify"
    assert answer.reason is not None
    assert answer.reason.code == "ambiguous"
    assert len(answer.candidates) > 1
