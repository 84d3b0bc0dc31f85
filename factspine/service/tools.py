"""The store as tools of an assistant (Model Context Protocol): numbers with their cells, or a reason why not."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Annotated, Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.types import ToolAnnotations
from pydantic import Field, ValidationError

from factspine import __version__
from factspine.core.errors import FactSpineError, UsageError
from factspine.lexicon.period_filter import canonical_period
from factspine.service.calls import QUESTION_MAX, Text, sentence
from factspine.service.desk import Desk
from factspine.store.facts import FactFilter

_INSTRUCTIONS = (
    "A store of facts out of decks, workbooks and reports, in Chinese and English. Every number has the cell it came "
    "from. Give numbers only as `ask` or `facts` return them, with their source (document and locator), and pass a "
    "refusal on with its reason: never fill in what the store does not say."
)
_FACTS_MAX = 200
_HITS_MAX = 50
_READING = ToolAnnotations(read_only_hint=True, open_world_hint=False)

Question = Annotated[str, Field(min_length=1, max_length=QUESTION_MAX)]
Documents = Annotated[
    list[Text] | None, Field(max_length=100, description="Glob patterns of documents to look in; all if left out.")
]
AsOf = Annotated[Text | None, Field(description="Answer as the store knew it then: a day, a time or a run's id.")]


class _Server(MCPServer[Any]):
    """A server that says in one sentence what is wrong with a call."""

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                raise ToolError(sentence(error.__cause__.errors())) from error
            raise


def create_server(desk: Desk) -> MCPServer[Any]:
    """The tools; whoever runs them is the desk's viewer."""
    made = [_tool(function) for function in (*_asking(desk), *_looking(desk))]
    # What assistants ask is nobody's to log.
    return _Server("factspine", version=__version__, instructions=_INSTRUCTIONS, tools=made, log_level="ERROR")


def _tool(function: Callable[..., dict[str, Any]]) -> Tool:
    """A tool that refuses what it does not know: a filter that is left out would not be missed in the result."""
    tool = Tool.from_function(function, annotations=_READING)
    arguments = tool.fn_metadata.arg_model
    arguments.model_config["extra"] = "forbid"
    arguments.model_rebuild(force=True)
    tool.parameters = arguments.model_json_schema(by_alias=True)
    return tool


def _asking(desk: Desk) -> tuple[Callable[..., dict[str, Any]], ...]:
    def ask(
        question: Annotated[Question, Field(description="For a number or for words, in Chinese or English.")],
        documents: Documents = None,
        as_of: AsOf = None,
        today: Annotated[date | None, Field(description="The day that 去年 or `last quarter` count from.")] = None,
    ) -> dict[str, Any]:
        """Answer a question from cited cells. `mode` is answer, clarify or refuse; `sources` name document and cell."""
        return _plainly(lambda: desk.ask(question, documents=documents or (), as_of=as_of, today=today).to_json())

    def search(
        question: Annotated[Question, Field(description="Words to look for.")],
        documents: Documents = None,
        as_of: AsOf = None,
        top: Annotated[int, Field(ge=1, le=_HITS_MAX, description="How many hits.")] = 10,
    ) -> dict[str, Any]:
        """Find passages and rows of tables; every hit is a quotation with its place."""
        return _plainly(lambda: desk.search(question, documents=documents or (), top=top, as_of=as_of))

    return ask, search


def _looking(desk: Desk) -> tuple[Callable[..., dict[str, Any]], ...]:
    def facts(
        metric: Annotated[Text, Field(description="A metric code, or part of a label.")] = "",
        entity: Annotated[Text, Field(description="An entity, as facts name it.")] = "",
        geography: Annotated[Text, Field(description="A geography code, such as HK.")] = "",
        period: Annotated[Text, Field(description="A period: 2024, 2024Q3, 2024H1, Q3 FY2024.")] = "",
        text: Annotated[Text, Field(description="Part of a label, of a cell's text or of a locator.")] = "",
        documents: Documents = None,
        as_of: AsOf = None,
        start: Annotated[int, Field(ge=0, le=10**12, description="Where to go on: the `next` of the part before.")] = 0,
        limit: Annotated[int, Field(ge=1, le=_FACTS_MAX, description="At most this many.")] = 50,
    ) -> dict[str, Any]:
        """List facts that match every filter, each with value, unit, scale and cell; `next` is null after the last."""

        def listed() -> dict[str, Any]:
            fields = {"metric": metric, "entity": entity, "geography": geography, "text": text}
            wanted = FactFilter(documents=tuple(documents or ()), period=canonical_period(period), **fields)
            return desk.listed(wanted, start=start, limit=limit, as_of=as_of)

        return _plainly(listed)

    def show(fact_id: Annotated[Text, Field(description="The `fact_id` of a fact.")]) -> dict[str, Any]:
        """Read a fact's cell again in the archived file: does it still say so, and does the fact still hold?"""

        def shown() -> dict[str, Any]:
            fact = desk.store.fact(fact_id)
            if fact is None:
                raise UsageError(f"There is no fact {fact_id}.")
            return desk.evidence(fact)

        return _plainly(shown)

    return facts, show


def _plainly(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What goes wrong on purpose is told in one sentence."""
    try:
        return work()
    except FactSpineError as error:
        raise ToolError(str(error)) from error
