"""Quick looks before slow patterns: a label that is passed over by its words is one the pattern does not fit."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product

import pytest

from factspine.interpret import dimensions
from factspine.lexicon import measured, scenario

_FRAMES = (
    "{}", "Price {}", "{} of plan", "{} 7", "{} / m", "% {}", "{} budget", "{} (net)", "sub-{}", "7{}", "_{}", "to {}",
)  # fmt: skip
_LOOKS: tuple[tuple[Callable[[str], bool], Callable[[str], object], re.Pattern[str]], ...] = (
    (measured.is_counted, measured._COUNTED.fullmatch, measured._COUNTED),
    (measured.is_for_one, measured._FOR_ONE.fullmatch, measured._FOR_ONE),
    (scenario.is_against, scenario._AGAINST.search, scenario._AGAINST),
    (dimensions.is_total, dimensions._TOTAL.search, dimensions._TOTAL),
)


@pytest.mark.parametrize("look", range(len(_LOOKS)))
def test_a_quick_look_misses_nothing_that_the_pattern_finds(look: int) -> None:
    """Every word of a pattern, beside others and alone, with and without its ending: the answer is the pattern's."""
    quick, slow, pattern = _LOOKS[look]
    words = set(re.findall(r"[A-Za-z]{1,}", pattern.pattern))
    spelled = {form for word in words for form in (word, f"{word}s", word.upper(), f"{word}ing", word[:-1])}
    labels = [frame.format(word) for frame, word in product(_FRAMES, sorted(spelled))]
    labels += [f"{one} {other}" for one, other in product(sorted(words), repeat=2)]
    assert [label for label in labels if quick(label) is not (slow(label) is not None)] == []
