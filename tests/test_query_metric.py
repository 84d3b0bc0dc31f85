"""`execute_query_metric`: one figure by its names, for programs and models; found, not found, or not understood."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
from ask_store import ask, demo_store

import factspine
from factspine import execute_query_metric

MAINLAND = {
    "doc": "ACME_FY2024_Review.pptx",
    "locator": "slide=2,table=1,cell=R2C3,row=REVENUE,col=FY2024",
}


def query(metric: str, entity: str, period: str, channel: str = "", **options: Any) -> dict[str, Any]:
    return execute_query_metric(demo_store(), metric, entity, period, channel, **options)


def test_a_figure_comes_with_its_document_and_cell() -> None:
    """The value is text and exact, its unit and scale beside it, its source as every answer has it."""
    found = query("REVENUE", "中国内地", "FY2024")
    assert (found["status"], found["value"], found["unit"], found["scale"]) == ("found", "1320", "USD", 6)
    assert found["source"] == MAINLAND
    assert found["sources"] == [MAINLAND]
    assert {"param": "entity", "taken": "ACME Group"} in found["assumptions"]
    assert json.loads(json.dumps(found)) == found


@pytest.mark.parametrize(
    ("metric", "entity", "period"),
    [
        ("营收", "ACME Group", "2024"),
        ("Revenue", "acme group", "FY24"),
        ("revenues", "ACME  GROUP", "二零二四年"),
        ("REVENUE", "Mainland China", "FY2024"),
        ("REVENUE", "ACME Group", "２０２４年度"),
    ],
)
def test_names_may_be_spelled_in_any_usual_way(metric: str, entity: str, period: str) -> None:
    """Synonyms, case, plural, width and the ways of writing a year."""
    assert query(metric, entity, period)["source"] == MAINLAND


def test_the_same_figure_as_the_question_gets() -> None:
    """A program and a person are told the same, from the same cell."""
    answer = ask("What was the operating profit of Harbour Light Group in 2024H1?")
    found = query("Operating profit", "Harbour Light Group", "2024H1")
    assert (found["value"], found["sources"]) == (answer.value, answer.sources)


def test_the_whole_is_not_one_of_its_channels() -> None:
    """No channel, `TOTAL` and an empty one are the whole; a channel is asked for by its name."""
    agency = query("Revenue", "Harbour Light Group", "FY2024", "代理")
    assert (agency["status"], agency["channel"]) == ("found", "AGENCY")
    whole = query("Operating profit", "Harbour Light Group", "2024H1", "TOTAL")
    assert (whole["status"], whole["channel"]) == ("found", "")


@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        (("profit of the moon", "ACME Group", "FY2024"), "metric"),
        (("", "ACME Group", "FY2024"), "metric"),
        (("Revenue", "Tesla", "FY2024"), "entity"),
        (("Revenue", "Monroe", "FY2024"), "entity"),
        (("Revenue", "ACME Group", "the good old days"), "period"),
        (("Revenue", "ACME Group", "FY2023 and FY2024"), "period"),
        (("Revenue", "ACME Group", "FY2024 excluding May"), "period"),
        (("Revenue", "ACME Group", "FY2024", "carrier pigeon"), "channel"),
    ],
)
def test_a_name_that_means_nothing_is_named(parameters: tuple[str, ...], name: str) -> None:
    """Which parameter, and what was given; nothing near it is taken instead."""
    found = query(*parameters)
    assert (found["status"], found["param"]) == ("unrecognized_param", name)
    given = dict(zip(("metric", "entity", "period", "channel"), parameters, strict=False))
    assert found["raw"] == given[name]


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        (("Revenue", "ACME Group", "FY2031"), "no_period"),
        (("Revenue", "ACME Group", "2024Q1"), "no_period"),
        (("Revenue", "ACME Group", "FY2024", "agency"), "no_such_combination"),
        (("Gross profit", "ACME Group", "FY2024"), "no_such_metric"),
        (("Revenue", "", "FY2024"), "ambiguous"),
    ],
)
def test_what_is_not_there_is_not_estimated(parameters: tuple[str, ...], reason: str) -> None:
    """Every name is understood, and there is no such figure or more than one: no value, and the reason."""
    found = query(*parameters)
    assert (found["status"], found["reason"]) == ("not_found", reason)
    assert "value" not in found
    assert found["normalized"]["period"]


def test_a_relative_period_counts_from_the_day_that_is_given() -> None:
    """去年 of a day in 2025 is 2024."""
    assert query("REVENUE", "ACME Group", "去年", today=date(2025, 5, 1))["source"] == MAINLAND


def test_it_is_public() -> None:
    """Programs import it from the package."""
    assert "execute_query_metric" in factspine.__all__
    assert factspine.execute_query_metric is execute_query_metric
