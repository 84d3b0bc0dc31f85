"""Why a number is no fact: the reasons of the ledger, each with what it means to a person."""

from __future__ import annotations

from collections.abc import Mapping

# By disposition: see `core.facts.Disposition`.
REASONS: Mapping[str, Mapping[str, str]] = {
    "excluded": {
        "year_header": "a year or period that heads a row or column",
        "date": "a date",
        "time": "a time of day",
        "heading": "a number that heads a row or column",
        "row_number": "the number of a row",
        "in_note": "a number in a title, note or unit line, or the number of a note",
        "note_reference": "the number of a note",
        "identifier": "a code or number that names something",
        "attribute": "a property of a record that the record's other numbers carry",
        "phone_number": "a telephone number",
        "range": "a range between two numbers, or above or below one",
        "ratio": "a ratio of two numbers",
        "version": "the number of a version",
    },
    "unmapped": {
        "no_labels": "no row or column says what it measures",
        "notation": "nothing tells whether its comma or point is a decimal sign",
        "several_numbers": "one of several numbers in a cell",
        "not_interpreted": "its table could not be interpreted",
    },
    "null": {
        "dash": "a dash",
        "not_available": "said to be not available",
        "not_applicable": "said to be not applicable",
        "not_meaningful": "said to be not meaningful",
        "not_disclosed": "said to be not disclosed",
        "suppressed": "withheld",
        "negligible": "too small to be shown",
        "nil": "said to be nil",
        "pending": "to be announced",
        "error": "an error value",
        "boolean": "true or false",
        "no_value": "a number without its value",
    },
}


def meaning_of(disposition: str, reason: str) -> str:
    """What a reason means; its own words where it is not known here."""
    return REASONS.get(disposition, {}).get(reason) or reason.replace("_", " ")
