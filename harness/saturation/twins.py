"""Twin items: one problem as a choice among four numbers and as an open question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Context, Decimal, localcontext
from itertools import pairwise

import numpy as np

from harness import ids
from harness.errors import DataError
from harness.scoring import grade
from harness.types import Example

N_CHOICES = 4
CHOICE, OPEN = "choice", "open"
LETTERS = "ABCDEFGHIJ"
# The choices of one item lie within this ratio, in thousandths of e-folds, and this far apart.
_WIDTH, _APART = 2_000, 150
_STEPS = tuple(map(Decimal, range(9)))
_SMALL = 20
_TRIES = 100
_NUMBER = re.compile(
    r"(?P<before>\s*\$?)(?P<number>[-+]?\d{1,15}(?:\.\d{1,9})?)"
    r"(?P<after>(?:\s*(?:×|x|\\times)\s*10\^\{?-?\d{1,3}\}?|[eE][-+]?\d{1,3})?"
    r"(?:[^\d^]|\^\{?-?\d{1,2}\}?|(?<=[A-Za-z])\d)*)"
)
_NEEDS_CHOICES = re.compile(
    r"\b(?:which|what) (?:one )?of (?:the following|these|the options|the above)\b"
    r"|\b(?:the following|these|above) (?:statements?|options?|choices?|graphs?|figures?)\b"
    r"|\ball of the above\b|\bnone of (?:the above|these)\b|\bexcept\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Twins:
    """Examples of one problem set in both formats, paired by id, and what had no twin.

    `choice` and `open` have the same ids in the same order. `left_out` maps an id to the reason.
    """

    choice: tuple[Example, ...]
    open: tuple[Example, ...]
    left_out: tuple[tuple[str, str], ...]


def as_choice(example: Example, seed: int, n_choices: int = N_CHOICES) -> Example:
    """Make an open question with a number for its answer into one of choice.

    Parameters
    ----------
    example : of kind `number`; its gold is a number with or without a unit, on which all choices
        agree with it in form: the same unit and the same number of decimals.
    seed : of the study; every draw is by the example's id under it.
    n_choices : choices, 2 to 6.

    Returns
    -------
    Example
        Kind `choice` with the same id, question, pictures and tags. Choices rise by value. The
        gold's place is drawn evenly, and the others are drawn around it so that each of them
        could have been the one that the rest was made of: neither the letter nor order, ratios or
        roundness of the numbers give the gold away, but near 0 and below about 9 units, where no
        number may change its sign. No choice but the gold is scored as right.

    Raises
    ------
    DataError
        For another kind, a gold without a number, or one that leaves too few distractors.

    References
    ----------
    Physics-R1 (2026) names the missing design; docs/saturation.md.

    Examples
    --------
    >>> item = Example(id="q1", kind="number", question="How fast?", gold="12.5 m/s")
    >>> made = as_choice(item, seed=1)
    >>> made.choices[ord(made.gold) - 65], len(made.choices)
    ('12.5 m/s', 4)
    """
    where = example.id
    if not 2 <= n_choices <= 6:
        raise DataError(f"{where}: expected 2 to 6 choices, found {n_choices}")
    if example.kind != "number":
        raise DataError(f"{where}: expected an open question of kind number, found {example.kind}")
    match = _NUMBER.fullmatch(example.gold)
    if match is None:
        raise DataError(f"{where}: expected a gold that begins with a number: {example.gold!r:.40}")
    value = Decimal(match["number"])
    draws = np.random.Generator(np.random.PCG64(ids.seed(seed, "twin", where)))
    for place in (int(at) for at in draws.permutation(n_choices) for _ in range(_TRIES)):
        numbers = _choices(value, place, n_choices, draws)
        texts = [f"{match['before']}{number:f}{match['after']}".strip() for number in numbers]
        if len(texts) == n_choices and _one_right(texts, place, example.gold):
            break
    else:
        raise DataError(
            f"{where}: expected {n_choices - 1} distractors of {example.gold!r:.40}, found no set "
            f"of them in {_TRIES} draws for each place"
        )
    return replace(
        example,
        kind="choice",
        choices=tuple(texts),
        gold=LETTERS[place],
        role=CHOICE,
        exact=False,
    )


def as_open(example: Example) -> Example:
    """Make a question of choice into an open one, where it can stand without its choices.

    Parameters
    ----------
    example : of kind `choice`, with choices.

    Returns
    -------
    Example
        The same id, question, pictures and tags, without choices; the gold is the text of the
        right choice, of kind `number` where it is one, else `expression`.

    Raises
    ------
    DataError
        For another kind; for a question that asks to choose ("which of the following", "except"),
        or whose right choice is words, which say nothing that could be scored.

    Examples
    --------
    >>> item = Example(id="q1", kind="choice", question="How fast?", gold="B",
    ...                choices=("3 m/s", "5 m/s"))
    >>> as_open(item).gold, as_open(item).kind
    ('5 m/s', 'number')
    """
    where = example.id
    if example.kind != "choice" or not example.choices:
        raise DataError(f"{where}: expected a question of choice, found kind {example.kind}")
    if found := _NEEDS_CHOICES.search(example.question):
        raise DataError(f"{where}: cannot stand without its choices: it says {found[0]!r}")
    place = LETTERS.find(example.gold) if len(example.gold) == 1 else -1
    if not 0 <= place < len(example.choices):
        raise DataError(f"{where}: expected a gold letter of a choice, found {example.gold!r:.20}")
    text = example.choices[place].strip()
    if _NEEDS_CHOICES.search(text) or not re.search(r"[\d\\=^]", text):
        raise DataError(f"{where}: the right choice {text!r:.40} is words and no open answer")
    kind = "number" if _NUMBER.fullmatch(text) else "expression"
    return replace(example, kind=kind, choices=(), gold=text, role=OPEN)  # type: ignore[arg-type]


def twins(examples: Sequence[Example], seed: int, n_choices: int = N_CHOICES) -> Twins:
    """Make every example's other form, from open questions and from questions of choice.

    Parameters
    ----------
    examples : any; ids are unique.
    seed, n_choices : as for `as_choice`.

    Returns
    -------
    Twins
        An example of kind `number` keeps its open form, one of kind `choice` its choices. Those
        that have no twin are left out of both sides and listed with the reason.

    Raises
    ------
    DataError
        For an id that stands twice.

    Examples
    --------
    >>> rows = [Example(id="a", kind="number", question="How many?", gold="12"),
    ...         Example(id="b", kind="text", question="Who?", gold="Kepler")]
    >>> made = twins(rows, seed=1)
    >>> [e.id for e in made.choice], made.left_out[0][0]
    (['a'], 'b')
    """
    if len({e.id for e in examples}) < len(examples):
        raise DataError("twins: expected each id once; give every form of a problem its own id")
    both, left_out = [], []
    for example in examples:
        try:
            if example.kind == "choice":
                both.append((replace(example, role=CHOICE), as_open(example)))
            else:
                both.append((as_choice(example, seed, n_choices), replace(example, role=OPEN)))
        except DataError as error:
            left_out.append((example.id, str(error).removeprefix(f"{example.id}: ")))
    return Twins(
        choice=tuple(choice for choice, _ in both),
        open=tuple(open_ for _, open_ in both),
        left_out=tuple(left_out),
    )


def _choices(
    value: Decimal, place: int, n_choices: int, draws: np.random.Generator
) -> list[Decimal]:
    """Rising numbers with the value at this place; none where the draw does not serve.

    Their ratios (of small numbers their distances) are drawn without regard to the value, and any
    of them could be the one that the others were made of: nothing in them tells which. All have
    the value's sign, its decimals and its last digit that is not 0, so that none is rounder.
    """
    last = int((value.normalize() if value else value).as_tuple().exponent)
    unit, shown = Decimal(1).scaleb(last), Decimal(1).scaleb(int(value.as_tuple().exponent))
    sign = -1 if value < 0 else 1
    if abs(value) <= _SMALL * unit:
        rungs = sorted(_STEPS[int(at)] for at in draws.permutation(len(_STEPS))[:n_choices])[::sign]
        numbers = [value + sign * (rung - rungs[place]) * unit for rung in rungs]
    else:
        logs = sorted(int(at) for at in draws.integers(0, _WIDTH, n_choices))
        if any(after - before < _APART for before, after in pairwise(logs)):
            return []
        # Decimal's exp is rounded correctly, so that machines agree on every digit.
        with localcontext(Context(prec=60)):
            rungs = [(Decimal(log) / 1000).exp() for log in logs][::sign]
            numbers = [(value * rung / rungs[place]).quantize(unit) for rung in rungs]
    alike = [number * value > 0 or (value == 0 and number >= 0) for number in numbers] + [
        value == 0 or int(number.normalize().as_tuple().exponent) == last for number in numbers
    ]
    return [number.quantize(shown) for number in numbers] if all(alike) else []


def _one_right(texts: Sequence[str], place: int, gold: str) -> bool:
    right = [grade("number", f"<answer>{text}</answer>", (), gold).correct for text in texts]
    return right == [at == place for at in range(len(texts))]


__all__ = ["CHOICE", "N_CHOICES", "OPEN", "Twins", "as_choice", "as_open", "twins"]
