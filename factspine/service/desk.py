"""What is served, over whatever protocol: one store, seen by one viewer, asked one question at a time."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Any

from factspine.ask.answering import answer_question
from factspine.core.answers import Answer, fact_record
from factspine.core.clearance import cleared_for
from factspine.core.facts import Fact
from factspine.core.findings import Finding
from factspine.evidence.view import view_fact
from factspine.lexicon.vocabulary import Vocabulary
from factspine.narrative.search import search
from factspine.store.documents import DocumentRecord
from factspine.store.facts import FactFilter
from factspine.store.store import FactStore


class Desk:
    """A store as a server shows it. The viewer is the server's, never a caller's to choose."""

    def __init__(self, address: str | Path, *, viewer: str = "", vocabulary: Path | None = None) -> None:
        self._whole = FactStore(address)
        self.store = self._whole.seen_by(viewer)
        self._viewer = viewer or None
        self._cleared = cleared_for(viewer or None)
        self._vocabulary = None if vocabulary is None else Vocabulary.load(vocabulary)
        # Questions share what was read of the store before; they take milliseconds, so they take turns.
        self._turn = threading.Lock()

    def ask(
        self,
        question: str,
        *,
        documents: Sequence[str] = (),
        today: date | None = None,
        as_of: str | None = None,
        language: str | None = None,
    ) -> Answer:
        """The answer to a question."""
        with self._turn:
            return answer_question(
                question,
                self._whole,
                today=today,
                as_of=as_of,
                viewer=self._viewer,
                language=language,
                documents=tuple(documents),
                vocabulary=self._vocabulary,
            )

    def search(
        self, question: str, *, documents: Sequence[str] = (), top: int = 10, as_of: str | None = None
    ) -> dict[str, Any]:
        """Passages and rows of tables nearest to a question."""
        with self._turn:
            found = search(
                question, self._whole, documents=tuple(documents), top=top, cleared=self._cleared, as_of=as_of
            )
        return found.as_dict()

    def facts(
        self,
        wanted: FactFilter,
        *,
        start: int = 0,
        limit: int = 100,
        as_of: str | None = None,
        all_revisions: bool = False,
    ) -> list[Fact]:
        """Some of the facts that are wanted, in order of document and place."""
        found = self.store.facts(wanted, as_of=as_of, all_revisions=all_revisions)
        return list(islice(found, start, start + limit))

    def listed(self, wanted: FactFilter, *, start: int, limit: int, **options: Any) -> dict[str, Any]:
        """The same as records, and where the next of them begin; None where there are no more."""
        found = self.facts(wanted, start=start, limit=limit + 1, **options)
        more = len(found) > limit
        return {"facts": [fact_record(fact) for fact in found[:limit]], "next": start + limit if more else None}

    def document(self, doc_id: str) -> DocumentRecord | None:
        """What is known of a document."""
        return next((one for one in self.store.documents() if one.doc_id == doc_id), None)

    def findings(self, doc_id: str) -> list[Finding]:
        """What could not be done with a document."""
        return [finding for _, finding in self.store.findings(doc_id)]

    def evidence(self, fact: Fact) -> dict[str, Any]:
        """A fact read again: whether the archived file still says the same, and whether the fact still holds."""
        return view_fact(self.store, fact).as_dict()

    def close(self) -> None:
        """Close every connection."""
        self._whole.close()
