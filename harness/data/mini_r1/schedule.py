"""Which question stands in which row: the published counts, balanced and shuffled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from harness.data.mini_r1 import biology, chemistry, deduction, mathematics, physics
from harness.data.mini_r1.draws import Draws
from harness.data.mini_r1.problem import Family

SEED = 20260723
COUNTS = {
    "Mathematics": 327,
    "Physics": 278,
    "Biology": 134,
    "Chemistry": 105,
    "Deduction": 98,
}
FREE_COUNTS = {
    "Mathematics": 72,
    "Physics": 52,
    "Biology": 12,
    "Chemistry": 14,
    "Deduction": 9,
}
N_ROWS = sum(COUNTS.values())
FAMILIES = (
    *mathematics.FAMILIES,
    *physics.FAMILIES,
    *biology.FAMILIES,
    *chemistry.FAMILIES,
    *deduction.FAMILIES,
)
# Of five choice questions two give five choices; of eight one lists them in its text, if short.
_N_CHOICES = (4, 5, 4, 5, 4)
_LISTED_EVERY = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class Slot:
    """A row before anything is drawn for it.

    `n_choices` is 0 for free response, else 4 or 5; `place` is where the right choice goes;
    `listed` asks for the choices in the question's text.
    """

    family: Family
    n_choices: int = 0
    place: int = 0
    listed: bool = False


def slots(split: str, block: int) -> list[Slot]:
    """The 942 rows of one block of a split, in order.

    Families of a category have equal shares to within one row, and so have those of them that
    can be asked freely among its free questions. Over a block the right choice stands equally
    often, to within one, in every place.

    Parameters
    ----------
    split : names the stream of draws.
    block : 0 for the first 942 rows, 1 for the next, and so on.
    """
    draws = Draws(SEED, split, "slots", block)
    asked = [pair for category in COUNTS for pair in _asked(category)]
    order = draws.shuffled(asked)
    sizes = [_N_CHOICES[i % len(_N_CHOICES)] for i in range(N_ROWS - sum(FREE_COUNTS.values()))]
    places = {n: _places(draws, n, sizes.count(n)) for n in set(_N_CHOICES)}
    size = iter(draws.shuffled(sizes))
    rows = []
    for family, free in order:
        if free:
            rows.append(Slot(family=family))
            continue
        n = next(size)
        listed = draws.below(_LISTED_EVERY) == 0
        rows.append(Slot(family=family, n_choices=n, place=next(places[n]), listed=listed))
    return rows


def _asked(category: str) -> list[tuple[Family, bool]]:
    families = [family for family in FAMILIES if family.category == category]
    open_ended = [family for family in families if family.free is not None]
    total, free = COUNTS[category], FREE_COUNTS[category]
    freely = [open_ended[i % len(open_ended)].name for i in range(free)]
    pairs = []
    for family in (families[i % len(families)] for i in range(total)):
        is_free = family.name in freely
        if is_free:
            freely.remove(family.name)
        pairs.append((family, is_free))
    return pairs


def _places(draws: Draws, n_choices: int, count: int) -> Iterator[int]:
    return iter(draws.shuffled([i % n_choices for i in range(count)]))


__all__ = ["COUNTS", "FAMILIES", "FREE_COUNTS", "N_ROWS", "SEED", "Slot", "slots"]
