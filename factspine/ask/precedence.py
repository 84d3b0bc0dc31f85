"""Which of several documents comes first, by the declared precedence, and how that is told.

A document stands where all it says puts it, not only the cells that were found: the later report comes first for last
year's figure, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from factspine.core.verdicts import Agreement, Rule, judge, question_of, standing_of

if TYPE_CHECKING:
    from factspine.core.facts import Fact
    from factspine.lexicon.vocabulary import Vocabulary
    from factspine.store.snapshot import Snapshot
    from factspine.store.spans import ReadingSpan

_RULES: dict[Rule | None, tuple[str, str]] = {
    "explicit": ("按所设的文件次序", "the order you gave the documents"),
    "restated": ("重述值在前", "a restated figure comes first"),
    "revision": ("较新的修订在前", "the newer revision comes first"),
    "later_document": ("报告期较晚的文件在前", "the document that reports on the later period comes first"),
    "audited": ("经审计的在前", "audited comes before unaudited"),
    "known_later": ("较晚入库的在前", "what was learnt later comes first"),
    None: ("没有规则区分,按文件名排列", "no rule puts one before the other; they stand in the order of their names"),
}


def judged(
    facts: Sequence[Fact], snapshot: Snapshot, readings: Sequence[ReadingSpan], vocabulary: Vocabulary
) -> Agreement:
    """Facts that speak of the same thing, best first, and the verdict over them."""
    documents = {fact.source_doc_id for fact in facts}
    said = snapshot.periods_and_marks([span for span in readings if span.doc_id in documents and len(documents) > 1])
    standings = {name: standing_of(said.get(name, ()), vocabulary.precedence(name)) for name in documents}
    return judge(question_of(facts[0]), facts, standings)


def precedence_text(agreement: Agreement | None, language: str) -> str:
    """Why the first of sources that contradict one another comes first; empty where they do not."""
    if agreement is None or agreement.verdict != "conflict":
        return ""
    chinese, english = _RULES[agreement.rule]
    return f"来源次序:{chinese}" if language == "zh" else f"order of the sources: {english}"
