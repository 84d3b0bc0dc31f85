"""`query_metric` as language models are told of it: one description in the two forms that are common."""

from __future__ import annotations

from typing import Any

TOOL_NAME = "query_metric"
PARAMETERS = ("metric", "entity", "period", "channel")
READ_AS_MOST = 8

_DESCRIPTION = (
    "Look up one figure in a store of facts. Every figure comes back with its document and cell. "
    "What is not in the store is reported as not_found; no figure is ever estimated."
)
_ABOUT = {
    "metric": "The name of the metric as the store calls it, e.g. Revenue, 营业收入.",
    "entity": "The organisation, shop or place the figure is about; empty where the question names none.",
    "period": "The period, e.g. FY2024, 2024H1, 2024Q3, 2024-03; empty where the question names none.",
    "channel": "The sales channel, e.g. agency, 代理; empty for all channels together.",
}
_READ_AS = {
    "type": "array",
    "maxItems": READ_AS_MOST,
    "description": (
        "Only where the question uses other words than the store: which words of the question, copied exactly, stand "
        "for which name. Never leave out a word that changes which figure is meant."
    ),
    "items": {
        "type": "object",
        "properties": {
            "words": {"type": "string", "description": "Words of the question, copied exactly."},
            "term": {"type": "string", "description": "The name they stand for, copied exactly from the names given."},
        },
        "required": ["words", "term"],
    },
}


def query_metric_tool_openai() -> dict[str, Any]:
    """The tool as an OpenAI function tool."""
    return _function(_parameters())


def query_metric_tool_anthropic() -> dict[str, Any]:
    """The tool with `name`, `description` and `input_schema`."""
    return {"name": TOOL_NAME, "description": _DESCRIPTION, "input_schema": _parameters()}


def planning_tool() -> dict[str, Any]:
    """The tool as it is given to a model that reads a question: it also says which words it read as what."""
    parameters = _parameters()
    parameters["properties"]["read_as"] = _READ_AS
    return _function(parameters)


def _function(parameters: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {"name": TOOL_NAME, "description": _DESCRIPTION, "parameters": parameters},
    }


def _parameters() -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: {"type": "string", "description": _ABOUT[name]} for name in PARAMETERS},
        "required": ["metric"],
    }
