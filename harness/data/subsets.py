"""A stratified subset of a data set, what it leaves, and a refusal of what leaks between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from harness.data import manifest
from harness.errors import DataError
from harness.gates.leakage import describe, leaked
from harness.types import Dataset, Example

if TYPE_CHECKING:
    from numpy.typing import NDArray

By = Literal["group", "role", "kind"]
Part = Literal["selected", "rest"]
_LABEL: dict[str, Callable[[Example], str]] = {
    "group": lambda example: example.group,
    "role": lambda example: example.role,
    "kind": lambda example: example.kind,
}
_MAX_SEED = 2**32 - 1
_SHOWN = 5


def stratified(
    dataset: Dataset, n: int, seed: int, *, by: By = "group", part: Part = "selected"
) -> Dataset:
    """Draw a subset that keeps the shares of each stratum, or give what it leaves.

    The draw is that of scikit-learn's `train_test_split` of the positions with `train_size` = n
    and `stratify`, written out here on numpy's frozen legacy generator, so that no release of
    scikit-learn can change it. It depends on the order of the data set; both parts keep that.

    Parameters
    ----------
    dataset : every stratum needs two examples.
    n : size of the selected part, from the number of strata to what leaves as many over.
    seed : of the draw, 0 to 2**32 - 1.
    by : what makes the strata: `group` (the category), `role` (the level) or `kind`.
    part : `selected` are the `n` drawn, `rest` all others: the same `n`, `seed` and `by` give
        two parts without a common example that together are the whole.

    Returns
    -------
    Dataset
        With the fingerprint of its own examples, so a part never passes for the whole.

    Raises
    ------
    DataError
        For another `by` or `part`, an `n` or `seed` out of range, and a stratum of one example.

    References
    ----------
    The R1-Onevision robustness study: 300 of 942 by category with seed 20260723 for prompt
    development, the other 642 held out.
    """
    where = f"{dataset.name}/{dataset.split}"
    if by not in _LABEL or part not in get_args(Part):
        raise DataError(
            f"{where}: expected a subset by {', '.join(_LABEL)}, part selected or rest; found by "
            f"{by!r}, part {part!r}"
        )
    strata = [_LABEL[by](example) for example in dataset.examples]
    n_strata, n_all = len(set(strata)), len(strata)
    if not n_strata <= n <= n_all - n_strata:
        raise DataError(
            f"{where}: expected a subset of {n_strata} to {n_all - n_strata} of the {n_all} "
            f"examples, so that each of {n_strata} strata can stand in both parts; found n = {n}"
        )
    lone = sorted(label for label in set(strata) if strata.count(label) < 2)
    if lone:
        raise DataError(
            f"{where}: expected at least two examples in every stratum ({by}), found one in "
            f"{', '.join(map(repr, lone[:5]))}"
        )
    if not 0 <= seed <= _MAX_SEED:
        raise DataError(f"{where}: expected a seed of 0 to {_MAX_SEED}, found {seed}")
    drawn = _drawn(strata, n, seed)
    kept = part == "selected"
    examples = tuple(e for i, e in enumerate(dataset.examples) if (i in drawn) is kept)
    return replace(dataset, examples=examples, fingerprint=manifest.fingerprint(examples))


def _drawn(strata: list[str], n: int, seed: int) -> set[int]:
    """Positions of the `n` drawn: a share of each stratum, then a permutation within it."""
    rng = np.random.RandomState(seed)
    names = sorted(set(strata))
    places = [[i for i, label in enumerate(strata) if label == name] for name in names]
    sizes = np.array([len(members) for members in places])
    shares = _shares(sizes, n, rng)
    # The reference also shares out what is left, and so moves the generator on.
    _shares(sizes - shares, len(strata) - n, rng)
    return {
        members[j]
        for members, share in zip(places, shares, strict=True)
        for j in rng.permutation(len(members))[:share]
    }


def _shares(sizes: NDArray[np.int64], n: int, rng: np.random.RandomState) -> NDArray[np.int64]:
    """`n` places shared out in proportion to sizes, by largest remainder, ties by lot."""
    exact = sizes / sizes.sum() * n
    shares = np.floor(exact)
    left = n - int(shares.sum())
    remainders = exact - shares
    for value in np.unique(remainders)[::-1]:
        if left <= 0:
            break
        (tied,) = np.nonzero(remainders == value)
        lucky = rng.choice(tied, size=min(len(tied), left), replace=False)
        shares[lucky] += 1
        left -= len(lucky)
    return np.asarray(shares, dtype=np.int64)


def subset(dataset: Dataset, options: Mapping[str, Any]) -> Dataset:
    """Take the part of a data set that a study's `subset` table describes.

    Parameters
    ----------
    options : `kind` ("stratified"), `n`, `seed`, and where wanted `by` and `part`, as for
        `stratified`.

    Raises
    ------
    DataError
        For another kind, and as `stratified` does.
    """
    if options["kind"] != "stratified":
        raise DataError(
            f"{dataset.name}/{dataset.split}: expected a subset of kind 'stratified', found "
            f"{options['kind']!r}"
        )
    return stratified(
        dataset,
        options["n"],
        options["seed"],
        by=options.get("by", "group"),
        part=options.get("part", "selected"),
    )


def refuse_leak(development: Dataset, held_out: Dataset) -> None:
    """Refuse a held-out data set that holds what development has seen.

    Parameters
    ----------
    development, held_out : compared by id and by content, see `harness.gates.leakage.leaked`.

    Raises
    ------
    DataError
        Naming the data sets and the ids.
    """
    pairs = leaked(development.examples, held_out.examples)
    if pairs:
        raise DataError(
            f"{held_out.name}: {describe(pairs)} ({development.name}); hold out the rest of the "
            "same draw (subset part = 'rest')"
        )


def refuse_other_parts(whole: Dataset, parts: Sequence[Dataset]) -> None:
    """Refuse parts that together are not the whole.

    Parameters
    ----------
    whole, parts : compared by the ids of their examples.

    Raises
    ------
    DataError
        Naming the data sets and the ids.

    Examples
    --------
    >>> from harness.data.load import load_dataset
    >>> whole = load_dataset("visual-shapes", name="a", split="test", path=None, options={})
    >>> drawn, rest = (stratified(whole, 20, 1, part=part) for part in ("selected", "rest"))
    >>> refuse_other_parts(whole, [drawn, rest])
    """
    ids, in_parts = ({e.id for d in side for e in d.examples} for side in ([whole], parts))
    told = [
        f"{len(names)} {what} ({', '.join(sorted(names)[:_SHOWN])}"
        f"{', …' if len(names) > _SHOWN else ''})"
        for names, what in (
            (ids - in_parts, "in none of them"),
            (in_parts - ids, "of theirs that it lacks"),
        )
        if names
    ]
    if told:
        raise DataError(
            f"{whole.name}: expected {' and '.join(part.name for part in parts)} to be its parts, "
            f"found {' and '.join(told)}; draw all parts with one n, seed and by"
        )


__all__ = ["By", "Part", "refuse_leak", "refuse_other_parts", "stratified", "subset"]
