"""Unit vectors of the evaluation side, checked once, and what is checked of any vector."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.errors import DataError
from harness.ids import canonical_json

NORM_TOLERANCE = 1e-3

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class EvalVectors:
    """The evaluation side of stage 2: what `eval_vectors` builds.

    Parameters
    ----------
    sets : names, sorted.
    vectors : (n, d) float32, set by set, each vector of a set once, in the order of its first
        item.
    set_of : (n,) places in `sets`.
    members, member_starts : items that have vector v, ascending: ``members[member_starts[v]:
        member_starts[v + 1]]``.
    norms : (n,) Euclidean lengths.
    sizes, empty : items of each set, and how many of them have no vector.
    embedder : fingerprint of what made the vectors; empty where that is not known.
    fingerprint : SHA-256 of all of it.
    """

    sets: tuple[str, ...]
    vectors: Floats
    set_of: Integers
    members: Integers
    member_starts: Integers
    norms: Floats
    sizes: tuple[int, ...]
    empty: tuple[int, ...]
    embedder: str
    fingerprint: str


def eval_vectors(
    sets: Mapping[str, Any], present: Mapping[str, Any] | None = None, embedder: str = ""
) -> EvalVectors:
    """Check the vectors of the evaluation sets and put them together.

    Parameters
    ----------
    sets : name of each set → (n, d) array, float32 (or float16, which is widened), of length 1
        to within 10⁻³; d is the same for all.
    present : name → (n items,) booleans, for sets in which items have no text and thus no
        vector; there the array has a row for each item that has one. A set that is not named
        has a vector for each item.
    embedder : `EmbedderIdentity.fingerprint()`.

    Returns
    -------
    EvalVectors
        Independent of the order of the mapping.

    Raises
    ------
    DataError
        For no set, another shape or type, vectors of different dimensions, and a vector that is
        not finite, is zero or has another length: set and item are named.

    Examples
    --------
    >>> index = eval_vectors({"mini": np.eye(3, dtype=np.float32)[[0, 1, 0]]})
    >>> index.vectors.shape, index.members.tolist(), index.member_starts.tolist()
    ((2, 3), [0, 2, 1], [0, 2, 3])
    """
    if not sets:
        raise DataError("eval vectors: expected at least one evaluation set, found none")
    names = tuple(sorted(sets))
    digest = hashlib.sha256()
    kept: list[Any] = []
    members: list[Any] = []
    counts: list[Any] = []
    sizes, empty, distinct = [], [], []
    n_dimensions: int | None = None
    for name in names:
        where = f"evaluation set {name!r}"
        places = _places((present or {}).get(name), sets[name], where)
        vectors, _ = checked(sets[name], where, places[1], n_dimensions)
        n_dimensions = vectors.shape[1] if len(vectors) else n_dimensions
        sizes.append(places[0])
        empty.append(places[0] - len(vectors))
        digest.update(canonical_json([name, places[0], places[1].tolist(), embedder]).encode())
        digest.update(vectors.astype("<f4", copy=False).tobytes())
        groups: dict[bytes, list[int]] = {}
        for row, item in zip(vectors, places[1].tolist(), strict=True):
            groups.setdefault(hashlib.sha256(row.tobytes()).digest(), []).append(item)
        first = np.searchsorted(places[1], [group[0] for group in groups.values()])
        kept.append(vectors if len(first) == len(vectors) else vectors[first])
        members += [item for group in groups.values() for item in group]
        counts += [len(group) for group in groups.values()]
        distinct.append(len(first))
    if n_dimensions is None:
        raise DataError("eval vectors: expected at least one item with a vector, found none")
    together = np.concatenate([part for part in kept if len(part)])
    return EvalVectors(
        sets=names,
        vectors=together,
        set_of=np.repeat(np.arange(len(names)), distinct).astype(np.int64),
        members=np.asarray(members, np.int64),
        member_starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        norms=_lengths(together),
        sizes=tuple(sizes),
        empty=tuple(empty),
        embedder=embedder,
        fingerprint=digest.hexdigest(),
    )


def checked(
    vectors: Any, where: str, places: Integers, n_dimensions: int | None = None
) -> tuple[Floats, Floats]:
    """The vectors as contiguous float32 with their lengths, if every one of them is usable.

    Parameters
    ----------
    vectors : (n, d) of float32 or float16.
    where : what they belong to, for messages.
    places : (n,) number of the row or item of each, for messages.
    n_dimensions : what d has to be; None for any.

    Raises
    ------
    DataError
        As for `eval_vectors`.
    """
    given = np.asarray(vectors)
    if given.ndim != 2 or given.dtype not in (np.float32, np.float16):
        raise DataError(
            f"{where}: expected vectors as an (n, d) array of float32 or float16, found "
            f"{given.dtype} of shape {given.shape}"
        )
    if len(given) and n_dimensions is not None and given.shape[1] != n_dimensions:
        raise DataError(
            f"{where}: expected vectors of {n_dimensions} dimensions, found {given.shape[1]}; both "
            "sides need the same embedder"
        )
    single = np.ascontiguousarray(given, np.float32)
    lengths = _lengths(single)
    fits = np.abs(lengths - 1) <= NORM_TOLERANCE
    if not fits.all():
        place = int(np.flatnonzero(~fits)[0])
        # An overflow of the squares is no value that is not finite.
        length = float(np.sqrt(np.sum(single[place].astype(np.float64) ** 2)))
        found = (
            "a value that is not finite"
            if not np.isfinite(length)
            else f"length {length:.6g}"
            if length
            else "zeros (a text without content has no vector, and no cosine of 0)"
        )
        raise DataError(
            f"{where}, vector of {int(places[place])}: expected length 1 to within "
            f"{NORM_TOLERANCE:g}, found {found}; embed it again"
        )
    return single, lengths


def _lengths(vectors: Floats) -> Floats:
    with np.errstate(over="ignore", invalid="ignore"):
        lengths: Floats = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    return lengths


def _places(present: Any, vectors: Any, where: str) -> tuple[int, Integers]:
    """Items of a set, and the number of each that has a vector."""
    n = len(vectors)
    if present is None:
        return n, np.arange(n)
    mask = np.asarray(present)
    if mask.dtype != np.bool_ or mask.ndim != 1 or int(mask.sum()) != n:
        raise DataError(
            f"{where}: expected a boolean for each item, true for {n} of them, found "
            f"{mask.dtype} of shape {mask.shape} with {int(np.count_nonzero(mask))} true"
        )
    return len(mask), np.flatnonzero(mask)


__all__ = ["NORM_TOLERANCE", "EvalVectors", "Floats", "Integers", "checked", "eval_vectors"]
