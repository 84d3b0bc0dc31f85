"""The second clock: which runs were known at a moment. What the store said then is what the events up to then say.

A moment is a date (all of that day, UTC), a time, the id of a run (or the beginning of one), or the hash of a revision
(or the beginning of one): the state right after the run in which that revision was first read.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time

from sqlalchemy import Connection, func, select

from factspine.core.errors import UnknownMoment
from factspine.store.access import hidden_from
from factspine.store.schema import event, run_seal

AsOf = str | date | datetime
_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")
_HEX = re.compile(r"[0-9a-f]{6,64}")
_RUN_ID_LENGTH = 16
_LAST_MOMENT = time(23, 59, 59, 999000)


def run_as_of(connection: Connection, as_of: AsOf | None) -> int | None:
    """The number of the last run that was known then, 0 before the first; None where no moment is given: now."""
    if as_of is None:
        return None
    if isinstance(as_of, str):
        text = as_of.strip()
        if not _DATE.fullmatch(text) and _HEX.fullmatch(text.lower()):
            return _run_named(connection, text.lower())
        as_of = _moment(text)
    number: int | None = connection.execute(
        select(func.max(run_seal.c.run_no)).where(run_seal.c.finished_at <= _stamp(as_of))
    ).scalar()
    return number or 0


def _run_named(connection: Connection, name: str) -> int:
    found = _runs_named(connection, name) if len(name) <= _RUN_ID_LENGTH else []
    if not found:
        found = _runs_of_revisions(connection, name)
    if len(found) != 1:
        count = "no" if not found else "more than one"
        raise UnknownMoment(f"{count} run or revision begins with {name}; `factspine db runs` lists the runs")
    return int(found[0])


def _runs_named(connection: Connection, name: str) -> list[int]:
    if (hidden := hidden_from(connection)) is not None:
        return [one.run_no for one in hidden.runs if one.run_id.startswith(name)]
    runs = select(run_seal.c.run_no).where(run_seal.c.run_id.startswith(name, autoescape=True))
    return list(connection.execute(runs).scalars())


def _runs_of_revisions(connection: Connection, name: str) -> list[int]:
    """The run in which each revision of that name was first read."""
    hidden = hidden_from(connection)
    events = connection.execute(
        select(event.c.event_no, event.c.file_hash, event.c.run_no)
        .where(event.c.file_hash.startswith(name, autoescape=True), event.c.reading_no.is_not(None))
        .order_by(event.c.event_no.desc())
    )
    first = {file_hash: run_no for number, file_hash, run_no in events if hidden is None or number not in hidden.events}
    return list(first.values())


def _moment(text: str) -> date | datetime:
    """A date, possibly only a year or month, or a time; a year or month means its last day."""
    try:
        if _DATE.fullmatch(text):
            parts = [int(part) for part in text.split("-")]
            if len(parts) == 3:
                return date(*parts)
            year, month = (parts[0], 12) if len(parts) == 1 else parts
            following = date(year + month // 12, month % 12 + 1, 1)
            return date.fromordinal(following.toordinal() - 1)
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise UnknownMoment(
            f"{text!r} is no moment; give a date (2025-03-31), a time, a run's id, or a revision's hash"
        ) from error


def _stamp(moment: date | datetime) -> str:
    """A moment as the record writes times, so that text compares as time does."""
    if not isinstance(moment, datetime):
        moment = datetime.combine(moment, _LAST_MOMENT, UTC)
    elif moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
