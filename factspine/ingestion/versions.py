"""Which mapping this is: the interpreter and the vocabulary together decide what a table is taken to mean."""

from __future__ import annotations

from factspine.interpret.interpreter import VERSION
from factspine.lexicon.vocabulary import Vocabulary


def mapping_version(vocabulary: Vocabulary) -> str:
    """The version recorded with every fact: another interpreter or another vocabulary is another reading."""
    return f"{VERSION}:{vocabulary.version}"
