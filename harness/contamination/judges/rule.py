"""A judge without a model: shared numbers, shared words, and the sequence with numbers masked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from harness.audit.pairs import Label, Opinion, Pair
from harness.audit.tokens import tokens

VERSION = "rule-v1"
# Chosen on every second GSM8K question; docs/judging-duplicates.md has what the others give.
NUMBERS, WORDS, SEQUENCE, ALL_WORDS, INSIDE = 0.6, 0.25, 0.8, 0.8, 0.9
_LEAST_INSIDE, _MOST_TOKENS = 8, 2_000
_WORDS = "zero one two three four five six seven eight nine ten eleven twelve"
_SPELT = {word: str(value) for value, word in enumerate(_WORDS.split())} | {
    "twenty": "20",
    "thirty": "30",
    "forty": "40",
    "fifty": "50",
    "hundred": "100",
    "thousand": "1000",
    "twice": "2",
    "double": "2",
    "triple": "3",
    "thrice": "3",
    "dozen": "12",
    "half": "1/2",
    "third": "1/3",
    "quarter": "1/4",
}
_FILLING = """
a an the of in on at to for from by with and or as is are was were be been being has have had
do does did it its he she they him his her their them this that these those there then than if
so what which who how many much when will would can could each every per all some total number
find calculate determine after before into out up down not no
"""
_COMMON = frozenset(_FILLING.split())
_ENDINGS = ("ing", "ed", "es", "s", "ly")


@dataclass(frozen=True)
class Alike:
    """How alike two texts are, each share in [0, 1].

    Parameters
    ----------
    numbers : Jaccard index of the distinct numbers; None where a text has fewer than two.
    words : Dice index of the distinct words, common ones left out, English endings cut.
    inside : share of the shorter list of words that the other has.
    inside_numbers : whether one text has all numbers of the other.
    sequence : 2 · matched / all tokens, numbers masked; 0 where it cannot reach the limit, or
        for texts of more than 2,000 tokens.
    least : words in the shorter list.
    """

    numbers: float | None
    words: float
    inside: float
    inside_numbers: bool
    sequence: float
    least: int


class RuleJudge:
    """A deterministic judge for a first look, for tests, and beside a model as second opinion.

    A pair is a duplicate if at least 0.6 of its numbers and 0.25 of its words are shared; or the
    token sequences with masked numbers are alike to 0.8 (the same problem with other numbers);
    or 0.8 of the words are shared; or 0.9 of at least eight words and all numbers of the shorter
    text are in the longer one. It reads words, not meaning: other languages, other names
    together with other numbers, and texts without numbers in new words escape it.
    """

    name = VERSION

    def judge(self, pairs: Sequence[Pair]) -> list[Opinion]:
        """One opinion for each pair; undecided only where a text has no word and no number.

        Examples
        --------
        >>> row = "A train goes 60 km in 2 hours and 90 km in 3 hours. What is its speed?"
        >>> item = "A train goes 75 km in 3 hours and 50 km in 2 hours. What is its speed?"
        >>> [(one.label, one.reason) for one in RuleJudge().judge([Pair("k", row, item)])]
        [('duplicate', 'same sequence but for numbers: 1.00')]
        """
        return [Opinion(pair.key, self.name, *decided(pair.row, pair.item)) for pair in pairs]


def decided(row: str, item: str) -> tuple[Label | None, str]:
    """The label of two texts, and the measure that decides."""
    first, second = tokens(row), tokens(item)
    if not first or not second:
        return None, "a text has no word and no number"
    found = alike(first, second)
    if found.sequence >= SEQUENCE:
        return "duplicate", f"same sequence but for numbers: {found.sequence:.2f}"
    if found.numbers is not None and found.numbers >= NUMBERS and found.words >= WORDS:
        return "duplicate", f"shared numbers {found.numbers:.2f}, words {found.words:.2f}"
    if found.words >= ALL_WORDS and found.least >= _LEAST_INSIDE:
        return "duplicate", f"shared words {found.words:.2f}"
    if found.inside >= INSIDE and found.inside_numbers and found.least >= _LEAST_INSIDE:
        return "duplicate", f"one inside the other: {found.inside:.2f} of its words"
    numbers = "-" if found.numbers is None else f"{found.numbers:.2f}"
    return "neighbour", (
        f"shared numbers {numbers}, words {found.words:.2f}, sequence below {SEQUENCE}"
    )


def alike(first: Sequence[str], second: Sequence[str]) -> Alike:
    """Compare two lists of tokens.

    Parameters
    ----------
    first, second : of `harness.audit.tokens.tokens`; neither is empty.

    Examples
    --------
    >>> found = alike("pump lifts 3 kg in 5 s".split(), "crane lifts 3 kg in 5 s".split())
    >>> found.numbers, round(found.words, 2), round(found.sequence, 2)
    (1.0, 0.75, 0.86)
    """
    (masked, numbers, words), (other_masked, other_numbers, other_words) = map(
        _parts, (first, second)
    )
    shared, least = len(words & other_words), min(len(words), len(other_words))
    some = min(len(numbers), len(other_numbers)) > 1
    return Alike(
        len(numbers & other_numbers) / len(numbers | other_numbers) if some else None,
        2 * shared / max(1, len(words) + len(other_words)),
        shared / max(1, least),
        numbers <= other_numbers or other_numbers <= numbers,
        _sequence(masked, other_masked),
        least,
    )


def _parts(words: Sequence[str]) -> tuple[list[str], set[str], set[str]]:
    masked: list[str] = []
    numbers: set[str] = set()
    content: set[str] = set()
    for word in words:
        value = _SPELT.get(word) or (word.lstrip("0") or "0" if word.isdigit() else "")
        if value:
            numbers.add(value)
            # 3.5 is two tokens and 1,000 too: one number, one mask.
            if masked[-1:] != ["#"]:
                masked.append("#")
            continue
        masked.append(word)
        if word not in _COMMON:
            content.add(_stem(word))
    return masked, numbers, content


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def _sequence(first: list[str], second: list[str]) -> float:
    if max(len(first), len(second)) > _MOST_TOKENS:
        return 0.0
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    if matcher.real_quick_ratio() < SEQUENCE or matcher.quick_ratio() < SEQUENCE:
        return 0.0
    return matcher.ratio()


__all__ = ["VERSION", "Alike", "RuleJudge", "alike", "decided"]
