"""A model's query plan: which words of the question it reads as which names of the store. Names only, no numbers.

Whatever else a reply says is not looked at. A plan is a proposal: it is checked against the question and the store
before anything is looked up with it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from factspine.ask.interpretations import readings
from factspine.ask.question import Question, is_critical
from factspine.ask.schema import PARAMETERS, READ_AS_MOST
from factspine.ask.terms import TermIndex, name_key
from factspine.ask.words import phrases, tokens
from factspine.lexicon.folding import fold
from factspine.lexicon.vocabulary import Vocabulary

_LONGEST_TERM = 200
_FENCE = re.compile(r"\A\s*```(?:json)?\s*|\s*```\s*\Z")
_ORGANISATION = re.compile(
    r"\b(?:the|group|holdings?|limited|ltd|inc|incorporated|plc|corp|corporation|company|co|llc)\b\.?"
    r"|股份有限公司|有限责任公司|有限公司|集团|控股|公司",
    re.IGNORECASE,
)


class PlanRejected(Exception):
    """A plan that cannot be followed; `code` says why, for the trace."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class Substitution:
    """Words of the question, where they stand, and the name they are read as."""

    start: int
    end: int
    term: str
    kind: str  # metric, entity, geography, channel
    evident: bool = False  # not by the model's word alone: the same but for `Group`, `Ltd`


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A reply, as far as it is a plan."""

    names: tuple[tuple[str, str], ...]  # parameter, term
    read_as: tuple[tuple[str, str], ...]  # words, term


def read_plan(reply: str) -> Plan:
    """The plan in a model's reply; `garbage` where it holds none."""
    try:
        data = orjson.loads(_FENCE.sub("", reply))
    except orjson.JSONDecodeError as error:
        raise PlanRejected("garbage") from error
    if not isinstance(data, dict):
        raise PlanRejected("garbage")
    names = tuple((name, _term(data.get(name, ""))) for name in PARAMETERS)
    pairs = data.get("read_as") or []
    if not isinstance(pairs, list) or len(pairs) > READ_AS_MOST:
        raise PlanRejected("garbage")
    read_as = []
    for pair in pairs:
        if not isinstance(pair, dict) or not _term(pair.get("words")) or not _term(pair.get("term")):
            raise PlanRejected("garbage")
        read_as.append((_term(pair["words"]), _term(pair["term"])))
    return Plan(names=tuple((name, term) for name, term in names if term), read_as=tuple(read_as))


def _term(value: Any) -> str:
    if not isinstance(value, str) or len(value) > _LONGEST_TERM:
        if value is None:
            return ""
        raise PlanRejected("garbage")
    return value.strip()


class PlanCheck:
    """Holds a plan against one question and the names that there are."""

    def __init__(self, question: Question, index: TermIndex, vocabulary: Vocabulary) -> None:
        self._question = question
        self._lowered = question.text.lower()
        self._index = index
        self._vocabulary = vocabulary

    def substitutions(self, plan: Plan, unused: Sequence[str]) -> tuple[Substitution, ...]:
        """What the plan puts for words of the question; `unused` are the words nothing accounted for."""
        for kind, term in plan.names:
            if kind != "period" and self._kind(term) is None:
                raise PlanRejected("invented")
        pairs = list(plan.read_as) or self._guessed(plan, unused)
        found: list[Substitution] = []
        for words, term in pairs:
            one = self._substitution(words, term)
            if one is not None:
                if any(one.start < other.end and other.start < one.end for other in found):
                    raise PlanRejected("garbage")
                found.append(one)
        if not found:
            raise PlanRejected("nothing_new")
        return tuple(sorted(found, key=lambda one: one.start))

    def _substitution(self, words: str, term: str) -> Substitution | None:
        folded = fold(words).strip().lower()
        at = self._lowered.find(folded)
        if not folded or at < 0 or not self._whole_words(at, at + len(folded)):
            raise PlanRejected("not_in_question")
        if name_key(words) == name_key(term):
            return None
        kind = self._kind(term)
        if kind is None:
            raise PlanRejected("invented")
        if self._contradicts(words, term, kind):
            raise PlanRejected("contradicts")
        evident = self._evident(words, term, kind)
        return Substitution(start=at, end=at + len(folded), term=term, kind=kind, evident=evident)

    def _whole_words(self, start: int, end: int) -> bool:
        text = self._lowered
        return not any(
            0 < edge < len(text) and text[edge - 1].isascii() and text[edge].isascii()
            and text[edge - 1].isalnum() and text[edge].isalnum()
            for edge in (start, end)
        )  # fmt: skip

    def _kind(self, term: str) -> str | None:
        """What a name is in the store or the lexicon; None for one that is made up."""
        key = name_key(term)
        if key in self._index.metrics:
            return "metric"
        if key in self._index.entities:
            return "entity"
        if self._vocabulary.geography(term) is not None:
            return "geography"
        return None if self._vocabulary.channel(term) is None else "channel"

    def _contradicts(self, words: str, term: str, kind: str) -> bool:
        """Whether the words say something that the name does not: then it is no other name for the same."""
        start = self._lowered.find(fold(words).strip().lower())
        if any(p.span_start < start + len(words) and start < p.span_end for p in self._question.periods):
            return True
        if not _critical_words(words) <= _critical_words(term):
            return True
        if any(token.kind in ("number", "sign") and token.text not in term for token in tokens(fold(words))):
            return True
        known = self._vocabulary.metric_code(words)
        if known is not None and known not in self._index.metrics.get(name_key(term), ()):
            return True
        place, channel = self._vocabulary.geography(words), self._vocabulary.channel(words)
        if kind == "geography" or kind == "channel":
            meant = self._vocabulary.geography(term) if kind == "geography" else self._vocabulary.channel(term)
            return (place if kind == "geography" else channel) not in (None, meant)
        return place is not None or channel is not None

    def _evident(self, words: str, term: str, kind: str) -> bool:
        """Whether more than the model's word says that both are one: an organisation's name without its `Group`."""
        core = _core(words)
        if kind != "entity" or len(core) < 3 or core != _core(term):
            return False
        alike = {name for names in self._index.entities.values() for name in names if _core(name) == core}
        return len(alike) == 1

    def _guessed(self, plan: Plan, unused: Sequence[str]) -> list[tuple[str, str]]:
        """A plan that does not say what it read as what: one name nobody said, for the one stretch left over."""
        said: set[str] = set()
        for reading in readings(self._question, self._index)[:4]:
            said |= reading.codes | set(reading.entities)
        new = []
        for kind, term in plan.names:
            key = name_key(term)
            meant = self._index.metrics.get(key, set()) | self._index.entities.get(key, set())
            if kind in ("metric", "entity") and meant and not meant & said:
                new.append(term)
        stretches = self._stretches(unused)
        return [(stretches[0], new[0])] if len(new) == 1 and len(stretches) == 1 else []

    def _stretches(self, unused: Sequence[str]) -> list[str]:
        """Words left over, those that stand side by side together."""
        found: list[tuple[int, int]] = []
        for word in unused:
            at = self._lowered.find(word.lower(), found[-1][1] if found else 0)
            if at < 0:
                continue
            if found and not self._lowered[found[-1][1] : at].strip(" 的-"):
                found[-1] = (found[-1][0], at + len(word))
            else:
                found.append((at, at + len(word)))
        return [self._question.text[start:end] for start, end in found]


def _core(name: str) -> str:
    """A name without the words that every organisation's name may have."""
    return name_key(_ORGANISATION.sub(" ", fold(name))).strip("|")


def _critical_words(text: str) -> set[str]:
    """The words in a name that change what a number is, inside Chinese words too."""
    folded = fold(text)
    english = {token.text.lower() for token in tokens(folded) if token.kind == "latin" and is_critical(token.text)}
    return english | {word for word in phrases()["critical"]["zh"] if word in folded}
