"""What may be asked over the network: every field, how long it may be, and none that is not known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from factspine.lexicon.period_filter import canonical_period
from factspine.store.facts import FactFilter

QUESTION_MAX = 2_000  # characters
TEXT_MAX = 200  # characters of a filter, a pattern, a moment
_NAME_MAX = 4_096
_PATTERNS_MAX = 100
_LIMIT_MAX = 1_000
_START_MAX = 10**12

# What the library says of a call, where it says it for those who know the library.
_PLAINLY = {
    "extra_forbidden": "there is no such field",
    "missing": "is missing",
    "json_invalid": "is not JSON",
    "model_attributes_type": "send a JSON object, with Content-Type: application/json",
}

# Texts are checked for their length, and with it for being text: half a surrogate pair is none.
Text = Annotated[str, Field(max_length=TEXT_MAX)]
Question = Annotated[str, Field(min_length=1, max_length=QUESTION_MAX)]
Documents = Annotated[list[Text], Field(max_length=_PATTERNS_MAX)]
AsOf = Annotated[Text | None, Field(description="As the store knew it then: a day, a time, a run's or revision's id.")]


class _Strict(BaseModel):
    """A call whose every field is known: one that is misspelt would be left out of the question."""

    model_config = ConfigDict(extra="forbid")


class Nothing(_Strict):
    """No fields at all."""


class Ask(_Strict):
    """A question, with what `answer_question()` takes."""

    question: Question
    documents: Documents = []
    today: date | None = None
    as_of: AsOf = None
    language: Literal["zh", "en"] | None = None


class Search(_Strict):
    """What to look for in words."""

    question: Question
    documents: Documents = []
    top: Annotated[int, Field(ge=1, le=100)] = 10
    as_of: AsOf = None


class FactQuery(_Strict):
    """The filters of `factspine facts`, and which part of what they find."""

    doc: Documents = []
    metric: Text = ""
    entity: Text = ""
    geography: Text = ""
    channel: Text = ""
    period: Text = ""
    unit: Text = ""
    status: Text = ""
    text: Text = ""
    all: Annotated[bool, Field(description="Superseded and withdrawn facts, too.")] = False
    as_of: AsOf = None
    start: Annotated[int, Field(ge=0, le=_START_MAX)] = 0
    limit: Annotated[int, Field(ge=1, le=_LIMIT_MAX)] = 100

    def filter(self) -> FactFilter:
        """What the store is asked for."""
        fields = self.model_dump(exclude={"doc", "all", "as_of", "start", "limit"})
        return FactFilter(documents=tuple(self.doc), **{**fields, "period": canonical_period(self.period)})


class HomePage(_Strict):
    """What is asked, if anything is."""

    q: Annotated[str, Field(max_length=QUESTION_MAX)] = ""


class DocumentPage(_Strict):
    """One document, and which of its facts."""

    doc: Annotated[str, Field(max_length=_NAME_MAX)]
    text: Text = ""
    start: Annotated[int, Field(ge=0, le=_START_MAX)] = 0


def sentence(errors: Sequence[Mapping[str, Any]]) -> str:
    """What is wrong with the fields of a call, as the library told it."""
    told = []
    for one in errors:
        place = [str(part) for part in one["loc"] if part not in ("query", "body", "path")]
        where = "the body" if one["type"] == "json_invalid" or not place else ".".join(place)
        told.append(f"{where}: {_PLAINLY.get(one['type'], one['msg'])}")
    return "; ".join(told) or "The call cannot be understood."
