"""The store as tools of an assistant (Model Context Protocol): numbers with their cells, or a reason why not."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Annotated, Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from factspine import __version__
from factspine.core.answers import fact_record
from factspine.core.errors import FactSpineError, UsageError
from factspine.service.desk import Desk
from factspine.store.facts import FactFilter

_INSTRUCTIONS = (
    "A store of facts out of decks, workbooks and reports, in Chinese and English. Every number has the cell it came "
    "from. Give numbers only as `ask` or `facts` return them, with their source (document and locator), and pass a "
    "refusal on with its reason: never fill in what the store does not say."
)
_FACTS_MAX = 200

Documents = Annotated[list[str] | None, Field(description="Glob patterns of documents to look in; all if left out.")]
AsOf = Annotated[str | None, Field(description="Answer as the store knew it then: a day, a time or a run's id.")]


def create_server(desk: Desk) -> MCPServer[Any]:
    """The tools; whoever runs them is the desk's viewer."""
    server: MCPServer[Any] = MCPServer("factspine", version=__version__, instructions=_INSTRUCTIONS)
    _add_asking(server, desk)
    _add_looking(server, desk)
    return server


def _add_asking(server: MCPServer[Any], desk: Desk) -> None:
    @server.tool()
    def ask(
        question: Annotated[str, Field(description="A question for a number or for words, in Chinese or English.")],
        documents: Documents = None,
        as_of: AsOf = None,
        today: Annotated[date | None, Field(description="The day that 去年 or `last quarter` count from.")] = None,
    ) -> dict[str, Any]:
        """Answer a question from cited cells. `mode` is answer, clarify or refuse; `sources` name document and cell."""
        return _plainly(lambda: desk.ask(question, documents=documents or (), as_of=as_of, today=today).to_json())

    @server.tool()
    def search(
        question: Annotated[str, Field(description="Words to look for.")],
        documents: Documents = None,
        top: Annotated[int, Field(ge=1, le=50, description="How many hits.")] = 10,
    ) -> dict[str, Any]:
        """Find passages and rows of tables; every hit is a quotation with its place."""
        return _plainly(lambda: desk.search(question, documents=documents or (), top=top))


def _add_looking(server: MCPServer[Any], desk: Desk) -> None:
    @server.tool()
    def facts(
        metric: Annotated[str, Field(description="A metric code, or part of a label.")] = "",
        entity: Annotated[str, Field(description="An entity, as facts name it.")] = "",
        period: Annotated[str, Field(description="A canonical period: 2024, 2024Q3, 2024H1.")] = "",
        documents: Documents = None,
        as_of: AsOf = None,
        limit: Annotated[int, Field(ge=1, le=_FACTS_MAX, description="At most this many.")] = 50,
    ) -> dict[str, Any]:
        """List facts that match every filter, each with its value, unit, scale and cell."""
        wanted = FactFilter(documents=tuple(documents or ()), metric=metric, entity=entity, period=period)
        return _plainly(lambda: {"facts": [fact_record(one) for one in desk.facts(wanted, limit=limit, as_of=as_of)]})

    @server.tool()
    def show(fact_id: Annotated[str, Field(description="The `fact_id` of a fact.")]) -> dict[str, Any]:
        """Read a fact's cell again in the archived file: does it still say so, and does the fact still hold?"""

        def shown() -> dict[str, Any]:
            fact = desk.store.fact(fact_id)
            if fact is None:
                raise UsageError(f"no fact {fact_id}")
            return desk.evidence(fact)

        return _plainly(shown)


def _plainly(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What goes wrong on purpose is told in one sentence."""
    try:
        return work()
    except FactSpineError as error:
        raise ToolError(str(error)) from error
