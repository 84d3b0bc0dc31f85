"""The names a store can be asked by, spelled in every usual way: word order, plural, script, width, small typos.

A label of two languages (`Operating profit 营运利润`) can be asked for by either half; a metric the lexicon knows, by
any of its names. Held in memory for one state of the store.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache, cached_property, lru_cache
from itertools import chain, islice

from factspine.ask.features import SMALL_WORDS
from factspine.ask.operations import find_operation
from factspine.ask.question import critical_roots
from factspine.ask.words import Token, function_words, pairs, phrases, root, token_texts, tokens
from factspine.lexicon.slugs import PATH_BREAK
from factspine.lexicon.vocabulary import Vocabulary
from factspine.store.terms import Terms

HAN_SMALL = "的之"
_NEAR_SHOWN = 6
# What a number would be called with the other sign: Net income (loss), Cash provided by (used in) operations.
_OTHER_SIGN = re.compile(
    r"\s*\((?:net )?(?:loss(?:es)?|deficit|benefit|income|gains?|expense|provision|increase|decrease|used in|used for|"
    r"provided by|outflow|inflow|亏损|损失|减少|增加)\)\s*",
    re.IGNORECASE,
)
# What kind of part it is: the Garden segment, 华东区.
_KIND = re.compile(
    r"(?<=\w) (?:segment|division|business|region|market|unit)$"
    r"|(?<=[㐀-鿿]{2})(?:分部|板块|事业部|业务|部门|大区|地区|区域|市场|区)$",
    re.IGNORECASE,
)
_LEGAL_HAN = re.compile(r"(?<=[㐀-鿿]{2})(?:\(集团\)|集团)?(?:控股)?(?:股份有限公司|有限责任公司|有限公司|集团)$")
_TOTAL = re.compile(r"^total\s+(?=\w+\s+\w)", re.IGNORECASE)


def key_word(token: Token) -> str:
    """A word as it stands in a key; empty for small words and Chinese runs."""
    if token.kind == "han" or token.text.lower() in SMALL_WORDS:
        return ""
    return root(token.text) if token.kind == "latin" else token.text.replace(",", "")


@lru_cache(maxsize=200_000)
def _key_word_of(text: str) -> str:
    return "".join(key_word(token) for token in tokens(text))


def without_small(run: str) -> str:
    """A Chinese run without the words that only join."""
    return run.replace("的", "").replace("之", "")


def name_key(text: str) -> str:
    """The form in which two spellings of one name are equal, whatever the order of its English words."""
    return _key(tokens(text))


def _key(found: Sequence[Token]) -> str:
    han = "".join(without_small(token.text) for token in found if token.kind == "han")
    return " ".join(sorted([word for token in found if (word := key_word(token))])) + "|" + han


# The unit of a duration or a rate behind a name: 保修期（月）, 最高转速（转/分）.
_MEASURED = re.compile(r"\s*[（(]\s*(?:[年月日天周时分秒]|小时|分钟|个月|[^\s()（）/]{1,6}/[^\s()（）/]{1,6})\s*[)）]$")


def spellings(label: str) -> set[str]:
    """The keys by which a label can be asked for."""
    if label.isascii():
        # Most labels of a large store; without Chinese runs, words need no places.
        words = [text if text.isdigit() else _key_word_of(text) for text in token_texts(label)]
        return {" ".join(sorted(filter(None, words))) + "|"}
    parts = tokens(label)
    found = {_key(parts)}
    if label[-1] in ")）" and (bare := _MEASURED.sub("", label)) != label and bare:
        found |= spellings(bare)
    han = [token for token in parts if token.kind == "han"]
    if han and len(han) < len(parts):
        latin = [token for token in parts if token.kind != "han"]
        if any(token.kind == "latin" and len(token.text) > 1 for token in latin):
            found.add(_key(latin))
        if sum(len(token.text) for token in han) > 1:
            found.add(_key(han))
    return found


def short_name(entity: str) -> str:
    """An organisation as people call it: without its legal form, and without `Group`."""
    short = _LEGAL_HAN.sub("", entity)
    words = short.split()
    while len(words) > 1 and words[-1].strip(".,").lower() in _legal_words():
        words.pop()
    short = " ".join(words).rstrip(" ,")
    # What is left must still be a name: two characters, or a word of three letters.
    return short if len(tokens(short)) and len(short) > 2 and short.lower() not in function_words() else entity


@cache
def _legal_words() -> frozenset[str]:
    return frozenset((*phrases()["legal_forms"], "group", "holdings"))


def _other_names(entity: str, vocabulary: Vocabulary) -> Iterable[str]:
    """What else the user's file calls an organisation, however the store calls it: by its code, or as documents do."""
    known = vocabulary.entity(entity)
    return () if known is None else vocabulary.entity_names.get(known.code, ())


def _shortened(label: str) -> str:
    """A label as people say it: without the other sign it allows for, and without `total`."""
    return _TOTAL.sub("", _OTHER_SIGN.sub(" ", label)) or label


def _without_kind(part: str) -> str:
    """The name of a part as people say it: Garden, 华东."""
    return _KIND.sub("", part)


def near_only(name: str, labels: Iterable[str]) -> tuple[str, ...] | None:
    """The words by which a name differs from every label, where they change the meaning; None where one label fits.

    The lexicon knows `net revenue` as a name of revenue; a row called `Revenue` is still not said to be net.
    """
    asked = set(name.partition("|")[0].split())
    critical = critical_roots()
    found: tuple[str, ...] | None = None
    for label in labels:
        own = set(name_key(label).partition("|")[0].split())
        extra = asked - own if own <= asked else own - asked if asked <= own else set()
        if not own or not asked or not extra & critical:
            return None
        found = tuple(sorted(extra & critical))
    return found


class TermIndex:
    """Every metric and entity of a store by every key it can be asked by.

    A store may have 100,000 labels, and the first question waits for this: what only refusals and misspelt words
    need is made when one comes.
    """

    def __init__(self, terms: Terms, vocabulary: Vocabulary) -> None:
        self.metrics: dict[str, set[str]] = defaultdict(set)
        self.entities: dict[str, set[str]] = defaultdict(set)
        self.label_of: dict[str, str] = {}
        self._terms, self._vocabulary = terms, vocabulary
        self._labels = [label for _, label in terms.metrics]
        for code, label in terms.metrics:
            self.label_of.setdefault(code, label)
            for key in spellings(label):
                self.metrics[key].add(code)
        self._own_keys = len(self.metrics)  # those of labels come first, those of the lexicon's names after them
        for code, label in terms.metrics:
            if "(" in label or label[:5].lower() == "total":
                for key in spellings(_shortened(label)):
                    self.metrics[key].add(code)
        for code in self.label_of.keys() & vocabulary.metric_names.keys():
            for name in vocabulary.metric_names[code]:
                self.metrics[name_key(name)].add(code)
                self._labels.append(name)
        for entity in terms.entities:
            names = (entity, *_other_names(entity, vocabulary)) if vocabulary.entities else (entity,)
            for name in names:
                short = short_name(name)
                for key in spellings(name) if short == name else (*spellings(name), *spellings(short)):
                    self.entities[key].add(entity)
        # A word of somebody's name is no misspelt metric.
        every = " ".join(key.partition("|")[0] for key in chain(self.metrics, self.entities))
        self._known_roots = frozenset(every.split())

    @cached_property
    def _words(self) -> frozenset[str]:
        """The words of metric names, as they are spelled."""
        texts = set(token_texts("\n".join(self._labels)))
        return frozenset(text.lower() for text in texts if len(text) > 3 and text[0].isalpha() and text[0] < "㐀")

    @cached_property
    def _word_list(self) -> list[str]:
        return sorted(self._words)

    @cached_property
    def _by_form(self) -> dict[str, set[str]]:
        """Metrics by the words, and the pairs of characters, of their labels."""
        found: dict[str, set[str]] = defaultdict(set)
        for key, codes in islice(self.metrics.items(), self._own_keys):
            words, _, han = key.partition("|")
            for form in (*words.split(), *(pairs(han) if han else ())):
                found[form].update(codes)
        return found

    @cached_property
    def parts(self) -> dict[str, dict[str, set[str]]]:
        """Metrics whose labels say what is measured and of which part of the whole, by the one and then the other."""
        found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for code, label in self._terms.metrics:
            pieces = label.split(PATH_BREAK)
            if len(pieces) < 2 or any(map(find_operation, pieces)):
                continue  # a change that a table states is one of several ways to tell it
            for head, part in ((pieces[0], pieces[1:]), (pieces[-1], pieces[:-1])):
                of_head = found[self._head(head)]
                for name in {" ".join(part), " ".join(reversed(part)), *map(_without_kind, part[-1:])}:
                    of_head[name_key(name)].add(code)
        return dict(found)

    @cached_property
    def measures(self) -> dict[str, set[str]]:
        """What labels of parts measure, by every key it can be asked by."""
        found: dict[str, set[str]] = defaultdict(set)
        for head in self.parts:
            for name in self._vocabulary.metric_names.get(head, ()):
                found[name_key(name)].add(head)
            if "|" in head:
                found[head].add(head)
        return dict(found)

    def _head(self, label: str) -> str:
        """What a label measures: the lexicon's code, or its own key."""
        return self._vocabulary.metric_code(label) or name_key(label)

    def corrected(self, word: str) -> str | None:
        """The one known word that a misspelt one must be; None where none or several are as near."""
        lowered = word.lower()
        if len(word) < 5 or not word.isascii() or root(word) in self._known_roots or lowered in self._words:
            return None
        from rapidfuzz import fuzz, process

        near = process.extract(lowered, self._word_list, scorer=fuzz.ratio, score_cutoff=86, limit=2)
        if not near or (len(near) > 1 and near[1][1] == near[0][1]):
            return None
        return str(near[0][0])

    def near(self, forms: Iterable[str], exclude: Sequence[str] = ()) -> list[str]:
        """Metrics that share the most with some words, best first."""
        shared: dict[str, float] = defaultdict(float)
        for form in set(forms):
            codes = self._by_form.get(form, ())
            for code in codes:
                shared[code] += 1.0 / (1.0 + len(codes)) + 0.5
        ranked = sorted(
            (code for code in shared if code not in exclude), key=lambda code: (-shared[code], len(code), code)
        )
        return ranked[:_NEAR_SHOWN]
