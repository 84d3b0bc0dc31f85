"""`factspine mcp`: an assistant's client starts the command and calls its tools."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from tests.commandline import PROGRAM, clean_environment
from tests.serving import deck_store


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of one deck."""
    return deck_store(tmp_path_factory.mktemp("tools"))


def called(store: Path, *calls: tuple[str, dict[str, Any]]) -> list[Any]:
    """The results of some calls in one session."""

    async def session() -> list[Any]:
        command = StdioServerParameters(
            command=str(PROGRAM), args=["mcp", "--store", str(store)], env=clean_environment()
        )
        async with Client(command, read_timeout_seconds=60) as client:
            listed = await client.list_tools()
            return [listed, *[await client.call_tool(name, arguments) for name, arguments in calls]]

    return asyncio.run(session())


def test_an_assistant_gets_numbers_with_their_cells(store: Path) -> None:
    """Ask, list, show, search: each result has document and locator; a refusal comes with its reason."""
    listed, asked, refused, facts, found = called(
        store,
        ("ask", {"question": "中国内地FY2024的REVENUE是多少"}),
        ("ask", {"question": "How many penguins in FY2024?"}),
        ("facts", {"metric": "REVENUE", "limit": 2}),
        ("search", {"question": "new plants opened", "top": 1}),
    )
    assert {tool.name for tool in listed.tools} == {"ask", "search", "facts", "show"}
    assert all(tool.description for tool in listed.tools)
    assert asked.structured_content["value"] == "1320"
    assert asked.structured_content["sources"][0]["doc"] == "ACME_FY2024_Review.pptx"
    assert refused.structured_content["mode"] == "refuse"
    assert "penguins" in refused.structured_content["reason"]["message"]
    assert [one["source_doc_id"] for one in facts.structured_content["facts"]] == ["ACME_FY2024_Review.pptx"] * 2
    assert found.structured_content["hits"][0]["locator"].startswith("slide=2")
    (_, shown) = called(store, ("show", {"fact_id": facts.structured_content["facts"][0]["fact_id"]}))
    assert shown.structured_content["verdict"] == "match"


def test_a_call_that_makes_no_sense_is_an_error_in_one_sentence(store: Path) -> None:
    """The assistant is told, and the session goes on."""
    listed, *results, right = called(
        store,
        ("show", {"fact_id": "nothing"}),
        ("facts", {"company": "ACME"}),
        ("facts", {"period": "the good years"}),
        ("facts", {"limit": 2000}),
        ("ask", {"question": "Revenue", "viewer": "RESTRICTED"}),
        ("ask", {"question": "Revenue", "as_of": "the day before never"}),
        ("search", {}),
        ("facts", {"limit": 1}),
    )
    assert all(tool.input_schema["additionalProperties"] is False for tool in listed.tools)
    said = (
        "not a fact id",
        "company: there is no",
        "no period",
        "limit",
        "viewer: there is no",
        "no moment",
        "question",
    )
    for wrong, words in zip(results, said, strict=True):
        assert wrong.is_error
        assert words in wrong.content[0].text
        assert "\n" not in wrong.content[0].text
        assert len(wrong.content[0].text) < 200
    assert not right.is_error


def test_an_assistant_knows_whether_there_are_more(store: Path) -> None:
    """Facts come in parts, each says where the next begins; a period is understood as people write it."""
    _, whole, first, second = called(
        store,
        ("facts", {"period": "FY 2024"}),
        ("facts", {"period": "2024", "limit": 2}),
        ("facts", {"period": "2024", "limit": 200, "start": 2}),
    )
    parts = [one.structured_content for one in (first, second)]
    assert whole.structured_content["next"] is None
    assert [part["next"] for part in parts] == [2, None]
    assert parts[0]["facts"] + parts[1]["facts"] == whole.structured_content["facts"]
    assert len(whole.structured_content["facts"]) > 2


def test_the_tools_only_read_and_say_so(store: Path) -> None:
    """An assistant need not ask anybody before it looks."""
    (listed,) = called(store)
    assert all(tool.annotations.read_only_hint for tool in listed.tools)
