"""Two small deterministic classifiers and the accuracy that they reach on labels by chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from harness import ids
from harness.errors import DataError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Labels: TypeAlias = NDArray[np.bool_]

Fit: TypeAlias = "Callable[[Floats, Floats, Floats], Floats]"
Features: TypeAlias = Mapping[str, "float | str"]

_STEPS = 8
_RIDGE = 1.0
_SCORE_DECIMALS = 8


def matrix(rows: Sequence[Features]) -> Floats:
    """Turn named features into columns: numbers as they are, each text as a column of 0 and 1.

    Parameters
    ----------
    rows : n mappings; a name that a row lacks is 0 there.

    Returns
    -------
    array of float, shape (n, p)
        Columns in the order of (name, text).

    Examples
    --------
    >>> matrix([{"n": 3, "shape": "cube"}, {"n": 4, "shape": "sphere"}]).tolist()
    [[3.0, 1.0, 0.0], [4.0, 0.0, 1.0]]
    """
    flat = [
        {
            (name, value if isinstance(value, str) else ""): 1.0
            if isinstance(value, str)
            else float(value)
            for name, value in row.items()
        }
        for row in rows
    ]
    columns = sorted({key for row in flat for key in row})
    return np.array([[row.get(key, 0.0) for key in columns] for row in flat]).reshape(
        len(rows), len(columns)
    )


def logistic(train: Floats, signs: Floats, test: Floats) -> Floats:
    """Scores of a logistic regression with an L2 penalty, for many label columns at once.

    Newton steps (iteratively reweighted least squares; C. Bishop, Pattern Recognition and
    Machine Learning, 2006, section 4.3.3), a fixed number of them; the intercept is not
    penalised.

    Parameters
    ----------
    train, test : standardised features, (n, p) and (m, p).
    signs : labels as -1 and 1, (n, k).

    Returns
    -------
    array of float, shape (m, k)
        Log odds of the label 1.
    """
    x = np.concatenate([np.ones((len(train), 1)), train], axis=1)
    penalty = np.full(x.shape[1], _RIDGE)
    penalty[0] = 1e-6
    wanted = (signs > 0).astype(np.float64)
    weights = np.zeros((signs.shape[1], x.shape[1]))
    for _ in range(_STEPS):
        odds = np.clip(x @ weights.T, -30, 30)
        chance = 1 / (1 + np.exp(-odds))
        slope = (wanted - chance).T @ x - penalty * weights
        scale = np.maximum(chance * (1 - chance), 1e-6)
        bent = (x.T[None] * scale.T[:, None, :]) @ x + np.diag(penalty)
        weights = weights + np.linalg.solve(bent, slope[..., None])[..., 0]
    scores: Floats = np.concatenate([np.ones((len(test), 1)), test], axis=1) @ weights.T
    return scores


def kernel(train: Floats, signs: Floats, test: Floats) -> Floats:
    """Scores of a ridge regression with a Gaussian kernel, which also sees interactions.

    The kernel's squared width is the number of features, so that two independent standardised
    rows lie about one width apart (T. Hastie, R. Tibshirani, J. Friedman, The Elements of
    Statistical Learning, 2nd ed. 2009, section 5.8).

    Parameters
    ----------
    train, test, signs : as in `logistic`.

    Returns
    -------
    array of float, shape (m, k)
        About -1 to 1.
    """
    width = 2.0 * max(train.shape[1], 1)
    near = np.exp(-_distances(train, train) / width)
    middle = signs.mean(axis=0)
    dual = np.linalg.solve(near + _RIDGE * np.eye(len(train)), signs - middle)
    scores: Floats = np.exp(-_distances(test, train) / width) @ dual + middle
    return scores


CLASSIFIERS: dict[str, Fit] = {"logistic": logistic, "kernel": kernel}


def accuracies(
    features: Floats, labels: Labels, groups: Sequence[str], fit: Fit, *, folds: int, seed: int
) -> Floats:
    """Out-of-fold accuracy of each label column.

    Parameters
    ----------
    features : (n, p), finite; each is standardised by the mean and deviation of the training
        folds, and left out of a fit where it is constant there.
    labels : (n, k), True and False.
    groups : the group of each row; rows of a group are in one fold.
    fit : of `CLASSIFIERS`.
    folds : at least 2 and at most the number of groups.
    seed : decides which group is in which fold.

    Returns
    -------
    array of float, shape (k,)
        Share of rows whose score has the sign of the label; a score of 0 says False.

    Raises
    ------
    DataError
        For fewer groups than folds, and fewer than 2 folds.
    """
    names = sorted(set(groups))
    if not 2 <= folds <= len(names):
        raise DataError(f"expected 2 to {len(names)} folds for {len(names)} groups, found {folds}")
    order = np.random.Generator(np.random.PCG64(seed)).permutation(len(names))
    fold_of = {names[k]: place % folds for place, k in enumerate(order.tolist())}
    fold = np.array([fold_of[group] for group in groups])
    signs = np.where(labels, 1.0, -1.0)
    right = np.zeros(labels.shape[1])
    for held in range(folds):
        test, train = fold == held, fold != held
        middle, spread = features[train].mean(axis=0), features[train].std(axis=0)
        kept = spread > 1e-9
        x = (features[:, kept] - middle[kept]) / spread[kept]
        # Rounded, so that an exact tie between the labels is one on every machine.
        scores = np.round(fit(x[train], signs[train], x[test]), _SCORE_DECIMALS)
        right += ((scores > 0) == labels[test]).sum(axis=0)
    return right / len(groups)


def shuffles(labels: Labels, groups: Sequence[str], n: int, seed: int) -> Labels:
    """The labels and n random rearrangements of them that keep the design.

    With one row a group, labels are permuted over rows. With two rows of different labels a
    group, a coin swaps them inside each group.

    Parameters
    ----------
    labels : (rows,), True and False.
    groups : (rows,).
    n : rearrangements.
    seed : equal seeds give equal rearrangements, so that they can be joined over features.

    Returns
    -------
    array of bool, shape (rows, 1 + n)
        The first column holds the labels themselves.

    Raises
    ------
    DataError
        For groups of any other make.
    """
    generator = np.random.Generator(np.random.PCG64(ids.seed(seed, "shuffles")))
    members: dict[str, list[int]] = {}
    for row, group in enumerate(groups):
        members.setdefault(group, []).append(row)
    sizes = {len(rows) for rows in members.values()}
    columns = np.repeat(labels[:, None], 1 + n, axis=1)
    if sizes == {1}:
        for k in range(1, n + 1):
            columns[:, k] = labels[generator.permutation(len(labels))]
    elif sizes == {2} and all(labels[a] != labels[b] for a, b in members.values()):
        pairs = np.array(list(members.values()))
        for k in range(1, n + 1):
            swapped = generator.integers(0, 2, len(pairs)) == 1
            columns[pairs[swapped].ravel(), k] ^= True
    else:
        raise DataError(
            "expected one row a group, or two of different labels, found groups of "
            f"{sorted(sizes)} rows"
        )
    return columns


def _distances(one: Floats, other: Floats) -> Floats:
    squared = (one**2).sum(axis=1)[:, None] + (other**2).sum(axis=1) - 2 * one @ other.T
    distances: Floats = np.maximum(squared, 0.0)
    return distances


__all__ = [
    "CLASSIFIERS", "Features", "Fit", "accuracies", "kernel", "logistic", "matrix", "shuffles",
]  # fmt: skip
