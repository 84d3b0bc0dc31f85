"""`execute_query_metric`: one figure by its names, for programs and for models that call tools.

Three outcomes. `found`: the figure with its source. `not_found`: every name is understood and there is no such figure,
or several; the reason says which. `unrecognized_param`: a name means nothing here. A figure is never estimated.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from factspine.ask.interpretations import Reading
from factspine.ask.lookup import Lookup
from factspine.ask.memory import State, memory_of, vocabulary_of
from factspine.ask.relative import relative_periods
from factspine.ask.render import suggestions
from factspine.ask.resolution import Resolution
from factspine.ask.terms import TermIndex, name_key
from factspine.core.clearance import cleared_for
from factspine.core.facts import Fact
from factspine.core.values import canonical
from factspine.lexicon.folding import fold
from factspine.lexicon.periods import PeriodReading, find_periods
from factspine.lexicon.vocabulary import Vocabulary

if TYPE_CHECKING:
    from factspine.store.store import FactStore

_ALL_CHANNELS = frozenset({"", "total", "all", "合计", "全部"})
_CANDIDATES = 5
_BESIDE_PERIOD = re.compile(r"[\s年度的.,]+")


class _Unrecognized(Exception):
    """A parameter that means nothing in this store or language."""

    def __init__(self, parameter: str, raw: str) -> None:
        super().__init__(parameter)
        self.parameter = parameter
        self.raw = raw


def execute_query_metric(
    store: FactStore,
    metric: str,
    entity: str,
    period: str,
    channel: str = "",
    *,
    today: date | None = None,
    as_of: str | None = None,
    viewer: str | None = None,
    documents: Sequence[str] = (),
    vocabulary: Vocabulary | None = None,
) -> dict[str, Any]:
    """One figure by its names, in any usual spelling; an empty name says nothing about its dimension.

    `entity` is an organisation, or a place. The outcome is in `status`; the value is text, so that it stays exact.
    """
    words = vocabulary or vocabulary_of(store)
    memory = memory_of(store)
    with store.seen_by(viewer).snapshot(as_of=as_of) as snapshot:
        state = State(snapshot=snapshot, version=snapshot.version, vocabulary=words, cleared=cleared_for(viewer))
        spans = memory.readings(state, tuple(documents))
        index = memory.names(state)
        try:
            reading = _reading(_Names(index, words, today or date.today()), metric, entity, period, channel)
        except _Unrecognized as error:
            return {"status": "unrecognized_param", "param": error.parameter, "raw": error.raw}
        found = Lookup(snapshot, spans, index, words).named(reading)
        if found.found:
            return _found(found)
        near = suggestions(snapshot.facts(found.near[:_CANDIDATES], spans), "en")
    return {
        "status": "not_found",
        "reason": found.outcome if reading.codes else "no_such_metric",
        "normalized": _normalized(reading),
        "candidates": [one.question for one in near],
    }


class _Names:
    """What names mean in one state of a store."""

    def __init__(self, index: TermIndex, vocabulary: Vocabulary, today: date) -> None:
        self._index = index
        self._vocabulary = vocabulary
        self._today = today

    def metric(self, raw: str) -> frozenset[str]:
        """Codes of the metrics of this name; none where the lexicon knows it and the store has no such figure."""
        codes = self._index.metrics.get(name_key(raw)) or ({raw} if raw in self._index.label_of else None)
        if codes:
            return frozenset(codes)
        if raw.strip() and self._vocabulary.metric_code(raw.replace("_", " ")) is not None:
            return frozenset()
        raise _Unrecognized("metric", raw)

    def entity(self, raw: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Organisations and places of this name."""
        if not raw.strip():
            return (), ()
        if names := self._index.entities.get(name_key(raw)):
            return tuple(sorted(names)), ()
        if (known := self._vocabulary.entity(raw)) is not None:
            return (known.code,), ()
        if (place := self._vocabulary.geography(raw)) is not None:
            return (), (place,)
        raise _Unrecognized("entity", raw)

    def period(self, raw: str) -> tuple[PeriodReading, ...]:
        """The one period that the text says, and nothing else beside it."""
        folded = fold(raw)
        if not folded.strip():
            return ()
        found = find_periods(folded, self._vocabulary.fiscal_year_end_month) or relative_periods(folded, self._today)
        if len(found) == 1:
            rest = folded[: found[0].span_start] + folded[found[0].span_end :]
            if not _BESIDE_PERIOD.sub("", rest):
                return (found[0],)
        raise _Unrecognized("period", raw)

    def channel(self, raw: str) -> tuple[str, ...]:
        """The channel of this name; none for all of them together."""
        if fold(raw).strip().casefold() in _ALL_CHANNELS:
            return ()
        known = self._vocabulary.channel(raw)
        if known is None:
            raise _Unrecognized("channel", raw)
        return (known,)


def _reading(names: _Names, metric: str, entity: str, period: str, channel: str) -> Reading:
    codes = names.metric(metric)
    entities, places = names.entity(entity)
    return Reading(
        codes=codes,
        span=(0, 0),
        name=name_key(metric),
        entities=entities,
        geographies=places,
        channels=names.channel(channel),
        periods=names.period(period),
    )


def _found(found: Resolution) -> dict[str, Any]:
    fact = found.facts[0]
    verdict = "" if found.agreement is None else found.agreement.verdict
    return {
        "status": "found",
        "value": canonical(fact.value),
        "value_text": fact.value_text,
        "unit": fact.unit,
        "scale": fact.scale,
        "metric_code": fact.metric_code,
        "metric_label": fact.metric_label,
        "entity": fact.entity,
        "geography": fact.geography,
        "channel": fact.channel,
        "period_type": fact.period_type,
        "period": fact.period,
        "fact_id": fact.fact_id,
        "verdict": verdict,
        "assumptions": [{"param": one.kind, "taken": one.text} for one in found.assumptions],
        "source": _source(fact),
        "sources": [_source(one) for one in found.facts],
    }


def _source(fact: Fact) -> dict[str, str]:
    return {"doc": fact.source_doc_id, "locator": fact.source_locator}


def _normalized(reading: Reading) -> dict[str, Any]:
    return {
        "metric_codes": sorted(reading.codes),
        "entities": list(reading.entities),
        "geographies": list(reading.geographies),
        "channels": list(reading.channels),
        "period_type": reading.periods[0].period_type if reading.periods else "",
        "period": reading.periods[0].period if reading.periods else "",
    }
