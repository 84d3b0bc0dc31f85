"""The vocabulary: built-in metric names and channels, and what the user's own file adds.

It makes reading better, never possible: a label nobody has listed is still a metric, under a slug of its words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from factspine.core.errors import UsageError
from factspine.lexicon import names, tables
from factspine.lexicon.folding import key_of

if TYPE_CHECKING:
    from factspine.lexicon.labels import LabelReading

_SECTIONS = frozenset({"defaults", "fiscal", "metric", "entity", "channel", "precedence", "sensitivity"})
PUBLIC = "PUBLIC"


class Entity(NamedTuple):
    """An organisation the user has named."""

    code: str
    geography: str = ""


class _Rule(NamedTuple):
    """A pattern of document names and what holds for them."""

    patterns: tuple[str, ...]
    value: str | int

    def applies_to(self, doc_id: str) -> bool:
        return any(fnmatchcase(doc_id, pattern) for pattern in self.patterns)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Vocabulary:
    """What names mean in this folder. Made by `load`; one object for a whole run."""

    version: str
    fiscal_year_end_month: int = 12
    defaults: Mapping[str, str] = field(default_factory=dict)
    metrics: Mapping[str, str] = field(default_factory=dict)  # key of a name -> code
    metric_kinds: Mapping[str, str] = field(default_factory=dict)
    metric_names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    entities: Mapping[str, Entity] = field(default_factory=dict)
    entity_names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    channels: Mapping[str, str] = field(default_factory=dict)
    precedence_rules: tuple[_Rule, ...] = ()
    sensitivity_rules: tuple[_Rule, ...] = ()
    label_cache: dict[str, LabelReading] = field(default_factory=dict, repr=False)

    @classmethod
    def load(cls, path: Path | None = None) -> Vocabulary:
        """The built-in vocabulary, with the user's file added where there is one."""
        known = tables.names()
        spelled = {code: tuple(own) for code, own in known.metric_names.items()}
        if path is None:
            return cls(
                version=known.version, metrics=known.metrics, metric_kinds=known.metric_kinds, metric_names=spelled
            )
        import tomllib

        try:
            text = path.read_text(encoding="utf-8")
            data = tomllib.loads(text)
        except OSError as error:
            raise UsageError(f"The vocabulary {path.name} cannot be read: {error.strerror}. Check its path.") from error
        except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise UsageError(f"The vocabulary {path.name} is not valid TOML: {error}. Correct it.") from error
        return _UserFile(path.name, data).extend(
            dict(known.metrics), dict(known.metric_kinds), spelled, tables.digest(known.version, text)
        )

    def metric_code(self, label: str) -> str | None:
        """The code of a metric whose name the whole label is; None for a label nobody has listed."""
        return self.metrics.get(key_of(label))

    def metric_kind(self, code: str) -> str:
        """What kind of unit a metric is expected in, for checks only; "" where unknown."""
        return self.metric_kinds.get(code, "")

    def entity(self, name: str) -> Entity | None:
        """The organisation that the user's file names so."""
        return self.entities.get(key_of(name)) if self.entities else None

    def channel(self, name: str) -> str | None:
        """The sales channel of this name."""
        if self.channels and (own := self.channels.get(key_of(name))) is not None:
            return own
        return names.channel(name)

    def geography(self, name: str) -> str | None:
        """The place of this name."""
        return names.geography(name)

    def is_name(self, key: str) -> bool:
        """Whether a key (see `key_of`) is that of an organisation, a place or a channel."""
        return key in self.entities or key in self.channels or names.is_name(key)

    def may_begin(self, word: str) -> bool:
        """Whether a name can begin with this word, or these two Chinese characters; most texts are passed over so."""
        known = _beginnings(self)
        return word in known or key_of(word).partition(" ")[0] in known

    def sensitivity(self, doc_id: str) -> str:
        """How sensitive the numbers of a document are; the first rule that applies."""
        return next((str(r.value) for r in self.sensitivity_rules if r.applies_to(doc_id)), PUBLIC)

    def precedence(self, doc_id: str) -> int | None:
        """The rank of a document among those that say the same thing (1 is first); None where no rule applies."""
        return next((int(r.value) for r in self.precedence_rules if r.applies_to(doc_id)), None)


_LATIN_HEAD = re.compile(r"[^㐀-鿿\s]+")


@lru_cache(maxsize=8)
def _beginnings(vocabulary: Vocabulary) -> frozenset[str]:
    found: set[str] = set()
    for key in (*vocabulary.metrics, *vocabulary.entities, *vocabulary.channels, *names.every_key()):
        head = _LATIN_HEAD.match(key)
        found.add(key[:2] if head is None else head.group())
    return frozenset(found)


class _UserFile:
    """A vocabulary file of the user, checked as it is read."""

    def __init__(self, name: str, data: dict[str, Any]) -> None:
        self._name = name
        self._data = data
        unknown = sorted(set(data) - _SECTIONS)
        if unknown:
            raise self._wrong(f"there is no section [{unknown[0]}]; known are {', '.join(sorted(_SECTIONS))}")

    def _wrong(self, what: str) -> UsageError:
        return UsageError(f"The vocabulary {self._name} cannot be used: {what}.")

    def _rows(self, section: str) -> list[dict[str, Any]]:
        rows = self._data.get(section, [])
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise self._wrong(f"write each {section} under its own [[{section}]]")
        return rows

    def _texts(self, row: dict[str, Any], key: str, section: str) -> tuple[str, ...]:
        texts = row.get(key)
        if not isinstance(texts, list) or not texts or not all(isinstance(t, str) and t.strip() for t in texts):
            raise self._wrong(f'each [[{section}]] needs {key} = ["…"]')
        return tuple(texts)

    def _code(self, row: dict[str, Any], section: str) -> str:
        code = row.get("code")
        if not isinstance(code, str) or not code.strip():
            raise self._wrong(f'each [[{section}]] needs code = "…"')
        return code.strip()

    def extend(
        self, metrics: dict[str, str], kinds: dict[str, str], spelled: dict[str, tuple[str, ...]], version: str
    ) -> Vocabulary:
        """The built-in names with the user's over them: the user's own file wins."""
        for row in self._rows("metric"):
            code, own = self._code(row, "metric"), self._texts(row, "names", "metric")
            spelled[code] = spelled.get(code, ()) + own
            kinds[code] = str(row.get("unit", kinds.get(code, "")))
            metrics.update((key_of(name), code) for name in (code.replace("_", " "), *own))
        entities: dict[str, Entity] = {}
        called: dict[str, tuple[str, ...]] = {}
        for row in self._rows("entity"):
            entity = Entity(self._code(row, "entity"), str(row.get("geography", "")))
            called[entity.code] = (*called.get(entity.code, ()), *self._texts(row, "names", "entity"))
            entities.update((key_of(n), entity) for n in (entity.code, *called[entity.code]))
        channels: dict[str, str] = {}
        for row in self._rows("channel"):
            code = self._code(row, "channel")
            channels.update((key_of(n), code) for n in (code, *self._texts(row, "names", "channel")))
        return Vocabulary(
            version=version,
            fiscal_year_end_month=self._year_end(),
            defaults={str(k): str(v) for k, v in self._table("defaults").items()},
            metrics=metrics,
            metric_kinds=kinds,
            metric_names=spelled,
            entities=entities,
            entity_names=called,
            channels=channels,
            precedence_rules=self._rules("precedence", "rank", int),
            sensitivity_rules=self._rules("sensitivity", "level", str),
        )

    def _table(self, section: str) -> dict[str, Any]:
        table = self._data.get(section, {})
        if not isinstance(table, dict):
            raise self._wrong(f"[{section}] is a table")
        return table

    def _year_end(self) -> int:
        month = self._table("fiscal").get("year_end_month", 12)
        if not isinstance(month, int) or isinstance(month, bool) or not 1 <= month <= 12:
            raise self._wrong("fiscal.year_end_month is a number from 1 to 12")
        return month

    def _rules(self, section: str, key: str, kind: type[str] | type[int]) -> tuple[_Rule, ...]:
        rules = []
        for row in self._rows(section):
            value = row.get(key)
            if not isinstance(value, kind):
                raise self._wrong(f"each [[{section}]] needs {key}")
            rules.append(_Rule(self._texts(row, "documents", section), value))
        return tuple(rules)
