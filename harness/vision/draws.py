"""What a view draws: seeds, the examples that lend a picture, places on the canvas."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.types import Example

SIDES = ("left", "right")
_SEED_BYTES = 8
_SEPARATOR = "::"


def perturbation_seed(*parts: str | int) -> int:
    """A seed in [0, 2**64) from the parts that name its use.

    The first 8 bytes, big-endian, of SHA-256 over the parts joined by "::", the rule that the
    R1-Onevision robustness study published for its perturbations (its seeds of generations
    follow another one, `harness.ids.seed`).

    Parameters
    ----------
    *parts : texts and whole numbers, in order; at least one.

    Examples
    --------
    >>> perturbation_seed(20260723, "q1", "distractor_1", "position")
    9202755379123163827
    """
    text = _SEPARATOR.join(str(part) for part in parts)
    raw = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(raw[:_SEED_BYTES], "big")


def sample(seed: int, n_all: int, n: int) -> tuple[int, ...]:
    """Draw `n` different whole numbers below `n_all`, in the order in which they are drawn.

    Fisher and Yates's shuffle, stopped after `n` places; place j is exchanged with place
    j + (the seed of (`seed`, j) modulo what is left). The modulo favours no number by more than
    1 in 2**64 / `n_all`. A longer sample begins with the shorter one.

    Parameters
    ----------
    seed : of `perturbation_seed`.
    n_all : how many numbers there are.
    n : how many to draw, 0 to `n_all`; `n_all` gives a permutation.

    Raises
    ------
    ValueError
        For an `n` out of range.

    Examples
    --------
    >>> sample(7, 10, 3)
    (7, 2, 1)
    >>> sorted(sample(7, 4, 4))
    [0, 1, 2, 3]
    """
    if not 0 <= n <= n_all:
        raise ValueError(f"expected a sample of 0 to {n_all}, found {n}")
    moved: dict[int, int] = {}
    drawn: list[int] = []
    for place in range(n):
        other = place + perturbation_seed(seed, place) % (n_all - place)
        drawn.append(moved.get(other, other))
        moved[other] = moved.get(place, place)
    return tuple(drawn)


def donor_ids(examples: Sequence[Example], example: Example) -> tuple[str, ...]:
    """The ids among which the donors of an example are drawn, its own id included; sorted.

    A donor lends its first picture. An example without pictures cannot lend one and is left
    out; of those that share a first picture the one with the smallest id stands for all; one
    whose first picture is among the target's own is left out, since it would distract from
    nothing. Where every example has a picture of its own these are all ids of the split, as in
    the published study. The order of `examples` does not matter.

    Parameters
    ----------
    examples : the whole split.
    example : the target, one of them.

    Returns
    -------
    tuple of str
        Sorted; without any donor, the target's id alone.

    Examples
    --------
    >>> from harness.types import Example, Media
    >>> def made(name, *pictures):
    ...     media = tuple(Media(kind="image", name=p, sha256=p) for p in pictures)
    ...     return Example(id=name, kind="text", question="?", gold="x", media=media)
    >>> split = [made("d", "p"), made("c", "p"), made("b"), made("a", "q"), made("e", "q")]
    >>> donor_ids(split, split[-1])
    ('c', 'e')
    """
    own = {media.sha256 or media.name for media in example.media}
    standing: dict[str, str] = {}
    for other in examples:
        if not other.media or other.media[0].kind != "image":
            continue
        picture = other.media[0].sha256 or other.media[0].name
        if picture not in own and other.id < standing.get(picture, other.id + " "):
            standing[picture] = other.id
    return tuple(sorted((*standing.values(), example.id)))


def donors(base: int, example_id: str, ids: Sequence[str], n: int, variant: int) -> tuple[str, ...]:
    """The ids of the examples that lend a picture to the distractor panels.

    A sample without replacement of all ids but the target's, drawn from the seed of
    (`base`, `example_id`, "distractor_`n`", "donors"): variant 0 is the first `n` drawn,
    variant 1 the next `n` and so on, so that variants share no donor and each is a sample of
    what the earlier ones left. Neither the position of the target nor the order of `ids`
    changes it.

    Parameters
    ----------
    base : base seed of the view.
    example_id : the target.
    ids : who can lend a picture (see `donor_ids`); the target's own id may be among them, and
        none may be there twice.
    n : donors to draw, at least 1.
    variant : 0, 1, 2 ...

    Returns
    -------
    tuple of str
        `n` ids in the order of drawing.

    Raises
    ------
    ValueError
        Where fewer than n·(variant + 1) other ids are there.

    References
    ----------
    The R1-Onevision robustness study, three disjoint semantic-distractor seeds.

    Examples
    --------
    >>> rows = [f"r{i}" for i in range(9)]
    >>> donors(1, "r0", rows, 3, 0), donors(1, "r0", rows, 3, 1)
    (('r6', 'r5', 'r8'), ('r4', 'r2', 'r1'))
    """
    pool = sorted(ids)
    place = bisect_left(pool, example_id)
    listed = place < len(pool) and pool[place] == example_id
    n_others = len(pool) - listed
    n_needed = n * (variant + 1)
    if n_needed > n_others:
        raise ValueError(
            f"example {example_id!r}: expected at least {n_needed} other examples with a picture "
            f"of their own to draw {n} donor(s) of variant {variant} from, found {n_others}; use a "
            "larger split or a view with fewer panels"
        )
    seed = perturbation_seed(base, example_id, f"distractor_{n}", "donors")
    chosen = sample(seed, n_others, n_needed)[-n:]
    return tuple(pool[i + (listed and i >= place)] for i in chosen)


def placement(base: int, example_id: str, n: int, position: str) -> tuple[int, ...]:
    """Which panel stands at which place of the canvas, in reading order.

    Panel 0 is the target, 1 to `n` the others. Position "drawn" is a permutation from the seed
    of (`base`, `example_id`, "distractor_`n`", "position"), which depends neither on who the
    donors are nor on whether the other panel is a control; "left" and "right" are fixed.

    Parameters
    ----------
    base : base seed of the view.
    example_id : the target.
    n : panels beside the target, at least 1.
    position : "drawn", or with one other panel "left" or "right".

    Returns
    -------
    tuple of int
        A permutation of 0 to `n`; the place of the target is the index of 0.

    Raises
    ------
    ValueError
        For another position, or a side with more than one other panel.

    Examples
    --------
    >>> placement(1, "r0", 1, "left"), placement(1, "r0", 1, "right")
    ((0, 1), (1, 0))
    >>> placement(1, "r0", 3, "drawn")
    (2, 0, 3, 1)
    """
    if position == "drawn":
        seed = perturbation_seed(base, example_id, f"distractor_{n}", "position")
        return sample(seed, n + 1, n + 1)
    if position not in SIDES or n != 1:
        raise ValueError(
            f"expected position 'drawn', or 'left' or 'right' of one other panel; found "
            f"{position!r} with {n} other panels"
        )
    return (0, 1) if position == "left" else (1, 0)


def noise_bytes(base: int, example_id: str, n_bytes: int) -> bytes:
    """Uniform bytes for a noise panel: SHAKE-256 over its seed.

    The seed is that of (`base`, `example_id`, "distractor_1", "noise"), as 8 big-endian bytes.
    An extendable hash gives the same bytes under every version of every package.

    Examples
    --------
    >>> noise_bytes(1, "r0", 4).hex()
    '5517289c'
    """
    seed = perturbation_seed(base, example_id, "distractor_1", "noise")
    return hashlib.shake_256(seed.to_bytes(_SEED_BYTES, "big")).digest(n_bytes)


__all__ = [
    "SIDES",
    "donor_ids",
    "donors",
    "noise_bytes",
    "perturbation_seed",
    "placement",
    "sample",
]
