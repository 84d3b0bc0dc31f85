"""FactSpine: a store of facts in which every number knows the cell it came from."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from factspine.ask.answering import answer_question
    from factspine.ask.models import EndpointProvider
    from factspine.ask.schema import query_metric_tool_anthropic, query_metric_tool_openai
    from factspine.ask.tools import execute_query_metric
    from factspine.ask.upkeep import ingest, remap
    from factspine.core.facts import Fact
    from factspine.integrity.checker import check
    from factspine.narrative.search import search
    from factspine.store.store import FactStore

__version__ = "0.1.0"
__all__ = [
    "EndpointProvider",
    "Fact",
    "FactStore",
    "__version__",
    "answer_question",
    "check",
    "execute_query_metric",
    "ingest",
    "query_metric_tool_anthropic",
    "query_metric_tool_openai",
    "remap",
    "search",
]

# Loaded on first use: the extraction child imports this package too and must not pay for the store.
_PUBLIC = {
    "Fact": "factspine.core.facts",
    "check": "factspine.integrity.checker",
    "answer_question": "factspine.ask.answering",
    "EndpointProvider": "factspine.ask.models",
    "execute_query_metric": "factspine.ask.tools",
    "query_metric_tool_anthropic": "factspine.ask.schema",
    "query_metric_tool_openai": "factspine.ask.schema",
    "FactStore": "factspine.store.store",
    "ingest": "factspine.ask.upkeep",
    "remap": "factspine.ask.upkeep",
    "search": "factspine.narrative.search",
}


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return getattr(import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'factspine' has no attribute {name!r}")
