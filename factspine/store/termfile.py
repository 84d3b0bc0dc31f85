"""The names of each reading, kept beside the store: going through every fact for them is paid once.

The file is no part of the record. It says only which names there are; every number still comes from the store. Whoever
deletes it loses nothing but the time to make it again.
"""

from __future__ import annotations

import os
import zlib
from array import array
from base64 import b64decode, b64encode
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import orjson

_FORMAT = 2
Metric = tuple[str, str]  # code, label


class Terms(NamedTuple):
    """What can be asked for by name."""

    metrics: tuple[Metric, ...]
    entities: tuple[str, ...]


class ReadingNames(NamedTuple):
    """The names that one reading has."""

    metrics: set[Metric]
    entities: set[str]


class TermFile:
    """Metric labels and entities, each once, and for each reading which of them it has."""

    def __init__(self) -> None:
        self._metrics: list[Metric] = []
        self._entities: list[str] = []
        self._of_reading: dict[str, tuple[bytes, bytes]] = {}

    @classmethod
    def load(cls, path: Path | None) -> TermFile:
        """The file as it is; an empty one where there is none, or none that can be read."""
        found = cls()
        if path is None or not path.exists():
            return found
        try:
            data = orjson.loads(zlib.decompress(path.read_bytes()))
            if data["format"] == _FORMAT:
                found._metrics = list(zip(data["codes"], data["labels"], strict=True))
                found._entities = data["entities"]
                found._of_reading = {
                    name: (b64decode(metrics), b64decode(entities)) for name, (metrics, entities) in data["of"].items()
                }
        except (OSError, ValueError, KeyError, TypeError, zlib.error):
            return cls()
        return found

    def save(self, path: Path) -> None:
        """Write the file in one step; where that is not possible, the next opening goes through the facts again."""
        data = {
            "format": _FORMAT,
            "codes": [code for code, _ in self._metrics],
            "labels": [label for _, label in self._metrics],
            "entities": self._entities,
            "of": {name: [b64encode(part).decode() for part in parts] for name, parts in self._of_reading.items()},
        }
        beside = path.with_name(f"{path.name}.{os.getpid()}")
        try:
            beside.write_bytes(zlib.compress(orjson.dumps(data), 1))
            beside.replace(path)
        except OSError:
            beside.unlink(missing_ok=True)

    def __contains__(self, reading_id: str) -> bool:
        return reading_id in self._of_reading

    def add(self, named: Iterable[tuple[str, ReadingNames]]) -> None:
        """The names of more readings."""
        metric_numbers = {metric: number for number, metric in enumerate(self._metrics)}
        entity_numbers = {entity: number for number, entity in enumerate(self._entities)}
        for reading_id, names in named:
            metrics = [metric_numbers.setdefault(one, len(metric_numbers)) for one in sorted(names.metrics)]
            entities = [entity_numbers.setdefault(one, len(entity_numbers)) for one in sorted(names.entities) if one]
            self._of_reading[reading_id] = (_packed(metrics), _packed(entities))
        self._metrics, self._entities = list(metric_numbers), list(entity_numbers)

    def of(self, reading_ids: Iterable[str]) -> Terms:
        """The names of some readings, in order."""
        wanted = [self._of_reading[name] for name in reading_ids]
        if len(wanted) == len(self._of_reading):
            return Terms(tuple(sorted(self._metrics)), tuple(sorted(self._entities)))
        return Terms(
            tuple(sorted(self._metrics[number] for number in _union(parts[0] for parts in wanted))),
            tuple(sorted(self._entities[number] for number in _union(parts[1] for parts in wanted))),
        )


def _packed(numbers: Iterable[int]) -> bytes:
    return array("I", sorted(numbers)).tobytes()


def _union(parts: Iterable[bytes]) -> set[int]:
    found: set[int] = set()
    for part in parts:
        numbers = array("I")
        numbers.frombytes(part)
        found.update(numbers)
    return found
