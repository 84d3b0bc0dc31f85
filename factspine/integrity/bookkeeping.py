"""What no digest covers and must still be so: in which run a thing first appeared, and what kind of file it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from factspine.integrity.report import Collector
from factspine.store.audit import EventRow, ReadingRow


def check_bookkeeping(
    events: Sequence[EventRow], readings: Sequence[ReadingRow], media_types: Mapping[str, str], found: Collector
) -> None:
    """Runs and media types of readings, extractions and revisions; `media_types` by extractor version."""
    first_event: dict[int, int] = {}
    for event in events:
        if event.reading_no is not None:
            first_event.setdefault(event.reading_no, event.run_no)
    first_reading: dict[int, int] = {}
    first_extraction: dict[int, int] = {}
    for reading in readings:
        first_reading.setdefault(reading.extraction_no, reading.run_no)
        first_extraction.setdefault(reading.revision_no, reading.extraction_run_no)
    for reading in readings:
        expected = (
            first_event.get(reading.reading_no),
            first_reading[reading.extraction_no],
            first_extraction[reading.revision_no],
        )
        if expected != (reading.run_no, reading.extraction_run_no, reading.first_run_no):
            found.add("FS418", "the run it first appeared in", reading=reading.reading_id)
        media_type = media_types.get(reading.extractor_version, reading.media_type)
        if media_type != reading.media_type:
            found.add("FS418", "the media type", reading=reading.reading_id)
