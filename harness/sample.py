"""What a cell asks: a sample of the examples, nested in every larger one, in a stated order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256

from harness.errors import DataError
from harness.prompts import lists_choices, render
from harness.scenes.triplet import VARIANTS
from harness.types import Cell, Example

SWAPPED = "swapped"
PART = "part-"
_OTHER = {"A": "B", "B": "A"}


def select(examples: Sequence[Example], n: int | None, base_seed: int) -> tuple[Example, ...]:
    """The tier's examples, in the order of the data set.

    The `n` first by SHA-256 of seed and id: a smaller sample is contained in a larger one,
    and the choice depends on neither the order of the file nor the process. `n` of None or
    beyond the size takes all.

    The variants of a triplet (role base, relevant or irrelevant) and the parts of a problem (role
    part-1, …) stay together: they rank by their group, and groups are taken whole until at least
    `n` examples are chosen, so somewhat more than `n`.

    Examples
    --------
    >>> made = [Example(id=f"{g}:{role}", kind="yesno", question="?", gold="yes", group=g,
    ...     role=role) for g in "abc" for role in ("base", "relevant", "irrelevant")]
    >>> [example.group for example in select(made, 4, 1)]
    ['b', 'b', 'b', 'c', 'c', 'c']
    """
    if n is None or n >= len(examples):
        return tuple(examples)
    sizes = Counter(map(_unit, examples))
    chosen: set[tuple[str, str]] = set()
    n_chosen = 0
    for unit in sorted(sizes, key=lambda unit: (_rank(unit[1], base_seed), unit)):
        if n_chosen >= n:
            break
        chosen.add(unit)
        n_chosen += sizes[unit]
    return tuple(e for e in examples if _unit(e) in chosen)


def _unit(example: Example) -> tuple[str, str]:
    """What is chosen as one: a triplet or a problem's parts by their group, else the id."""
    if example.group and (example.role in VARIANTS or example.role.startswith(PART)):
        return "group", example.group
    return "", example.id


def _rank(name: str, base_seed: int) -> bytes:
    return sha256(f"{base_seed}\x1f{name}".encode("utf-8", "surrogatepass")).digest()


def shown(cell: Cell, example: Example) -> Example:
    """The example as a cell asks it: with its two candidates in the other order if `SWAPPED`.

    The stored letter is that of the order as shown; the gold goes with it, so a score is right
    as it stands, and B of the swapped order is A of the frozen one. Other variants leave the
    example as it is.

    Parameters
    ----------
    cell : its `variant` and prompt matter.
    example : for a swapped cell of kind `preference` or `choice` with two choices.

    Raises
    ------
    DataError
        When a swapped cell asks a replayed model, an example without two candidates, one whose
        question lists them itself, or with a prompt that does not show them to a model that
        reads both at once.
    """
    if cell.variant != SWAPPED:
        return example
    other = swapped(example)
    if cell.model.source.get("kind") == "replay":
        raise DataError(
            f"{cell.id}: replayed answers were given to one order of the candidates; leave model "
            f"{cell.model.name} out of the swapped cells"
        )
    if lists_choices(example.question, example.choices):
        raise DataError(
            f"{cell.id}, example {example.id!r}: the question lists its candidates itself, so "
            "their order cannot be swapped; state them as choices alone"
        )
    if cell.model.family != "reward" and render(cell.prompt, other) == render(cell.prompt, example):
        raise DataError(
            f"{cell.id}: prompt {cell.prompt.name} shows no candidates, so swapping them changes "
            "nothing; expected {choices} or {options} in it"
        )
    return other


def swapped(example: Example) -> Example:
    """The example with its two candidates in the other order, and the gold's letter with them.

    Raises
    ------
    DataError
        For an example of another kind than `preference` or `choice`, or without two choices.

    Examples
    --------
    >>> asked = swapped(Example(id="1", kind="preference", question="Hue?", gold="A",
    ...     choices=("red", "tan")))
    >>> asked.choices, asked.gold
    (('tan', 'red'), 'B')
    """
    if example.kind not in ("preference", "choice") or len(example.choices) != 2:
        raise DataError(
            f"example {example.id!r}: expected two candidates to swap, found kind {example.kind} "
            f"with {len(example.choices)} choices; ask this data set unswapped alone"
        )
    if example.gold not in _OTHER:
        raise DataError(f"example {example.id!r}: expected gold A or B, found {example.gold!r:.40}")
    return replace(example, choices=example.choices[::-1], gold=_OTHER[example.gold])


__all__ = ["SWAPPED", "select", "shown", "swapped"]
