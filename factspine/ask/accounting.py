"""Which words of a question a cell does not account for, though they carry meaning: then it is no answer to it."""

from __future__ import annotations

from collections.abc import Sequence

from factspine.ask.candidates import Candidate
from factspine.ask.features import Features
from factspine.ask.question import Phrase, Question, Word, is_name
from factspine.ask.strangers import Strangers
from factspine.lexicon.vocabulary import Vocabulary

_WHOLLY = 0.9


def unused_words(
    question: Question, best: Candidate, labels: Sequence[Features], *, strictly: bool = False
) -> tuple[str, ...]:
    """The words of the question that carry meaning and that the cell does not account for.

    `strictly`: a metric must be the cell's own, not that of a table or of half a label; among many tables there is
    always one that shares some of its words.
    """
    unused: list[Word | Phrase] = []
    for phrase in question.phrases:
        if not _phrase_used(phrase, question, best, strictly=strictly):
            unused.append(phrase)
    for number, word in enumerate(question.words):
        if word.kind == "number" and number not in best.by_labels and _names_a_line(word, best):
            unused.append(word)  # the 34 of a title (weeks 31 to 34) is not the week that a cell is of
            continue
        if best.strengths.get(number, 0.0) >= 0.5 or word.function or _in_phrase(word, question, best):
            continue
        if (
            (word.critical and not _said_in_passing(number, question))
            or word.name_like
            or is_name(word)
            or (word.kind == "number" and not word.unit)
        ):
            unused.append(word)
    unused += (question.words[number] for number in Strangers(question, best, labels).naming())
    return tuple(dict.fromkeys(question.text[item.start : item.end] for item in unused))


def _names_a_line(word: Word, best: Candidate) -> bool:
    """Whether a number is what another row or column of the table is headed by."""
    if not best.table.context.forms.issuperset(word.forms):
        return False
    rarities = (best.table.row_rarity, best.table.col_rarity)
    return any(rarity.knows(form) for rarity in rarities for form in word.forms)


def _phrase_used(phrase: Phrase, question: Question, best: Candidate, *, strictly: bool) -> bool:
    metric = phrase.form.startswith("m:")
    strictly = strictly and metric
    if phrase.form in best.forms and (not strictly or _is_metric(phrase.form, best)):
        return True
    # A dictionary may cut a name otherwise than the lexicon does: whatever word it lies in or holds counts.
    inside = _inside(phrase, question)
    if inside and phrase.form.startswith("m:") and all(question.words[number].function for number in inside):
        return True  # said in passing
    if (
        phrase.form.startswith("m:")
        and " " not in (text := question.text[phrase.start : phrase.end])
        and text.isascii()
    ):
        # A lone English word (people, output, area) may be said in passing; it counts as the others do. No abbreviation
        # of a metric (EBITDA) is.
        return not text.isupper() or any(best.strengths.get(number, 0.0) >= 0.5 for number in inside)
    if phrase.form.startswith("p:"):
        # Of several periods each must be the cell's own: a title that spans them says nothing about one number.
        telling = [number for number in inside if question.words[number].kind != "latin"] or inside
        return bool(inside) and all(number in best.by_labels for number in telling)  # May is latin, and all there is
    content = [number for number in inside if not question.words[number].function] or inside
    if phrase.form.startswith("m:") and text.isascii() and inside and best.strengths.get(inside[-1], 0.0) < 0.5:
        return False  # what kind of a thing it is stands last: of `net income`, a label with `net` says nothing
    if strictly:
        # Half of a metric's name is another metric: capital expenditure is not capitalised interest.
        return all(number in best.by_labels for number in content)
    found = [best.strengths.get(number, 0.0) >= 0.5 for number in content]
    return any(found) and (all(found) or not metric)


def _inside(phrase: Phrase, question: Question) -> list[int]:
    return [n for n, word in enumerate(question.words) if phrase.start < word.end and word.start < phrase.end]


def _is_metric(form: str, best: Candidate) -> bool:
    """Whether a cell is of this metric: by its own labels, as a part of it, or as the total of a table about it."""
    return form == f"m:{best.fact.metric_code}" or form in best.part_of or "total" in best.fact.status.split()


def _in_phrase(word: Word, question: Question, best: Candidate) -> bool:
    """Whether a word is judged with the name it is part of; what changes a number (`revenue growth`) also by itself."""
    return any(
        phrase.start <= word.start and word.end <= phrase.end and (phrase.form in best.forms or not word.critical)
        for phrase in question.phrases
    )


def _said_in_passing(number: int, question: Question) -> bool:
    """`most of`, `at least`: superlatives only where `the` stands before them."""
    word, before = question.words[number].text.lower(), question.words[number - 1].text.lower() if number else ""
    return word in ("most", "least") and before != "the"


def other_metric(question: Question, best: Candidate, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The name of a metric in the question where the cell is of another: 长期借款 is not 短期借款."""
    if best.fact.metric_code not in vocabulary.metric_names:
        return ()
    asked = [phrase for phrase in question.phrases if phrase.form.startswith("m:")]
    if any(phrase.form in best.forms for phrase in asked):
        return ()
    return tuple(
        question.text[phrase.start : phrase.end]
        for phrase in asked
        # All of it said by the cell's labels, it is part of a longer name.
        if any(best.strengths.get(number, 0.0) < _WHOLLY for number in _inside(phrase, question))
    )
