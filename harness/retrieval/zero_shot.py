"""Zero-shot classification by similarity: one text a class, the class whose text is nearest."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from harness.errors import DataError
from harness.stats.clustered import cluster_interval
from harness.stats.estimate import Estimate
from harness.stats.proportion import wilson

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

TEMPLATE = "This is a sound of {label}."
Ties = Literal["pessimistic", "optimistic"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Hits:
    """The share of clips whose class is among the `k` nearest, with what stands beside it.

    `clustered` is the interval over recordings, None where these are not given. `chance` is what
    drawing k different classes gives, `majority` what always answering the k most common classes
    of these very clips would: both in [0, 1].
    """

    k: int
    accuracy: Estimate
    clustered: Estimate | None
    chance: float
    majority: float


@dataclass(frozen=True, kw_only=True, slots=True)
class ZeroShot:
    """A zero-shot classification: `ranks` of the right class from 1, shape (n,), and its hits."""

    n: int
    n_labels: int
    ties: Ties
    ranks: tuple[int, ...]
    hits: tuple[Hits, ...]


def label_prompts(labels: Sequence[str], template: str = TEMPLATE) -> tuple[str, ...]:
    """Give the text of every class.

    Parameters
    ----------
    labels : different, non-empty class names, in the order of the similarity's columns.
    template : a text with {label} in it once and no other field.

    Raises
    ------
    DataError
        For no labels, an empty or repeated one, and another template.

    Examples
    --------
    >>> label_prompts(("dog", "sea waves"))
    ('This is a sound of dog.', 'This is a sound of sea waves.')
    """
    check_labels(labels)
    check_template(template)
    return tuple(template.format(label=label) for label in labels)


def top_labels(row: ArrayLike, labels: Sequence[str], k: int) -> tuple[str, ...]:
    """Give the `k` nearest classes of one clip, nearest first, ties in the order of the labels.

    Parameters
    ----------
    row : similarities, shape (labels,), finite; more is nearer.
    labels : as for `label_prompts`.
    k : from 1 to the number of labels.

    Raises
    ------
    DataError
        For labels or similarities that `zero_shot` refuses, and for another k.

    Examples
    --------
    >>> top_labels([0.1, 0.3, 0.3], ("cat", "dog", "hen"), 2)
    ('dog', 'hen')
    """
    values = _similarities([np.asarray(row)], labels)[0]
    _check_k(k, len(labels))
    order = np.argsort(-values, kind="stable")
    return tuple(labels[place] for place in order[:k])


def zero_shot(
    similarities: ArrayLike,
    gold: Sequence[str],
    labels: Sequence[str],
    *,
    level: float,
    ks: Sequence[int] = (1, 5),
    ties: Ties = "pessimistic",
    clusters: Sequence[Hashable] | None = None,
) -> ZeroShot:
    """Score a zero-shot classification.

    Parameters
    ----------
    similarities : shape (clips, labels), finite, in any unit; more is nearer.
    gold : the right class of each clip.
    labels : the classes, in the order of the columns.
    level : confidence level, strictly between 0 and 1.
    ks : different cut-offs, each from 1 to the number of labels.
    ties : "pessimistic": classes as near as the right one come before it, so that equal
        similarities are never a hit. "optimistic": after it.
    clusters : the recording that each clip was cut from; clips of one are not independent.

    Returns
    -------
    ZeroShot
        `hits` in the order of `ks`: Wilson's interval, and the cluster-robust one (CR1, t) with
        `clusters`. Without a clip the accuracy is None and the majority 0.

    Raises
    ------
    DataError
        For labels that are none, empty or repeated, similarities of another shape or not finite,
        a gold that is no label, a cut-off out of range or repeated, an unknown rule for ties.
    StatisticsError
        For a level or clusters as `harness.stats` refuses them.

    References
    ----------
    Y. Wu et al., "Large-scale contrastive language-audio pretraining", ICASSP (2023).

    Examples
    --------
    >>> found = zero_shot([[0.9, 0.1], [0.8, 0.2]], ["dog", "hen"], ("dog", "hen"),
    ...     level=0.95, ks=(1, 2))
    >>> found.ranks, [h.accuracy.value for h in found.hits], [h.chance for h in found.hits]
    ((1, 2), [0.5, 1.0], [0.5, 1.0])
    """
    if ties not in ("pessimistic", "optimistic"):
        raise DataError(f"ties: expected pessimistic or optimistic, found {ties!r}")
    values = _similarities(similarities, labels)
    place = {label: number for number, label in enumerate(labels)}
    foreign = sorted({label for label in gold if label not in place})
    if foreign:
        raise DataError(f"gold: expected one of the {len(labels)} labels, found {foreign[:5]}")
    if len(gold) != len(values):
        raise DataError(f"expected {len(gold)} rows, one a clip, found {len(values)}")
    if not ks or len(set(ks)) < len(ks):
        raise DataError(f"ks: expected different cut-offs, found {list(ks)}")
    own = values[np.arange(len(gold)), [place[label] for label in gold]]
    ahead = values >= own[:, None] if ties == "pessimistic" else values > own[:, None]
    ranks = ahead.sum(axis=1) + (ties == "optimistic")
    common = [count for _, count in Counter(gold).most_common()]
    hits = []
    for k in ks:
        _check_k(k, len(labels))
        hit = ranks <= k
        hits.append(
            Hits(
                k=k,
                accuracy=wilson(int(hit.sum()), len(gold), level),
                clustered=None
                if clusters is None
                else cluster_interval(hit.astype(np.float64), clusters, "CR1", level),
                chance=k / len(labels),
                majority=sum(common[:k]) / len(gold) if gold else 0.0,
            )
        )
    return ZeroShot(
        n=len(gold),
        n_labels=len(labels),
        ties=ties,
        ranks=tuple(int(rank) for rank in ranks),
        hits=tuple(hits),
    )


def check_labels(labels: Sequence[str]) -> None:
    """Refuse labels that are none, empty or repeated."""
    counts = Counter(labels)
    bad = [label for label, n in counts.items() if n > 1 or not label.strip()]
    if bad or not counts:
        raise DataError(f"labels: expected different, non-empty names, found {bad or 'none'}")


def check_template(template: str) -> None:
    """Refuse a template without {label}, or with another field."""
    try:
        fields = [
            field for _, field, _, _ in string.Formatter().parse(template) if field is not None
        ]
    except ValueError as error:
        raise DataError(
            f"template {template!r}: expected a text with {{label}}: {error}"
        ) from error
    if fields != ["label"]:
        raise DataError(f"template {template!r}: expected {{label}} once, found fields {fields}")


def _similarities(similarities: Any, labels: Sequence[str]) -> NDArray[np.float64]:
    check_labels(labels)
    values = np.asarray(similarities, dtype=np.float64)
    if values.size == 0 and values.ndim < 2:
        values = values.reshape(0, len(labels))
    if values.ndim != 2 or values.shape[1] != len(labels):
        raise DataError(
            f"similarities: expected {len(labels)} columns, one a label, found shape {values.shape}"
        )
    if not np.isfinite(values).all():
        raise DataError("similarities: expected finite numbers, found NaN or infinity")
    return values


def _check_k(k: int, n_labels: int) -> None:
    if isinstance(k, bool) or not isinstance(k, int) or not 1 <= k <= n_labels:
        raise DataError(f"k: expected an integer from 1 to {n_labels}, found {k!r}")


__all__ = [
    "TEMPLATE",
    "Hits",
    "ZeroShot",
    "check_labels",
    "check_template",
    "label_prompts",
    "top_labels",
    "zero_shot",
]
