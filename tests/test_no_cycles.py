"""What reading a document leaves behind: nothing. The child that reads collects no cycles, so none may be made."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from factspine.core.limits import Limits
from factspine.core.tables import RawTable
from factspine.extract import pptx, xlsx
from factspine.interpret.interpreter import interpret_table
from factspine.lexicon.vocabulary import Vocabulary

DOCUMENTS = Path(__file__).parents[1] / "data" / "documents"
READERS = {".xlsx": xlsx, ".pptx": pptx}


@pytest.mark.parametrize("suffix", READERS)
def test_a_table_that_was_read_is_gone_with_its_last_user(suffix: str) -> None:
    """Hundreds of documents pass through one child; none of them may stay in its memory."""
    vocabulary = Vocabulary.load(None)

    def read_all() -> None:
        for path in sorted(DOCUMENTS.rglob(f"*{suffix}")):
            for item in READERS[suffix].read(path, Limits()):
                if isinstance(item, RawTable):
                    interpret_table(item, vocabulary)

    read_all()  # what is kept for the next document is made now
    gc.collect()
    gc.disable()
    try:
        read_all()
        left = gc.collect()
    finally:
        gc.enable()
    assert left == 0
