"""The gates of the source standard at the one place where answers leave: what does not pass is refused with the code.

Every citation of every answer has its three fields, a similarity with four decimals, and is near enough to be one; and
nine tenths of what an answer in words says stand in the chunks it cites.
"""

from __future__ import annotations

from dataclasses import replace

from factspine.ask.messages import reason_text
from factspine.cite.gates import UNVERIFIED, citation_gate, is_verifiable
from factspine.core.answers import Answer, Reason
from factspine.narrative.answers import NarrativeAnswer
from factspine.narrative.index import NarrativeIndex


def gate(told: NarrativeAnswer, index: NarrativeIndex) -> tuple[str, ...]:
    """What the gates say against a candidate in words; nothing where it may be given."""
    codes = citation_gate([cited.as_dict() for cited in told.citations])
    chunks = [chunk for cited in told.citations if (chunk := index.chunk(cited.chunk_id)) is not None]
    texts = [text for chunk in chunks for text in (chunk.text, chunk.title, *chunk.section)]
    return codes if is_verifiable(told.answer, texts) else (*codes, UNVERIFIED)


def passed(answer: Answer) -> Answer:
    """An answer whose citations pass, or the refusal in its place."""
    codes = citation_gate(answer.citations) if answer.mode == "answer" else ()
    if not codes:
        return answer
    message = reason_text("below_gate", answer.language, ", ".join(codes))
    return replace(
        answer,
        mode="refuse",
        answer=message,
        value=None,
        unit=None,
        scale=None,
        period=None,
        facts=(),
        quotes=(),
        derivation=None,
        assumptions=(),
        conflicts=(),
        reason=Reason(code="below_gate", message=message, words=codes),
        table=(),
    )
