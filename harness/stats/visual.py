"""How much of an accuracy depends on the image: shuffled and blank image controls."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from harness.stats.checks import StatisticsError, check_finite

_WEIGHT = Fraction(1, 4)


@dataclass(frozen=True, kw_only=True, slots=True)
class VisualDependency:
    """Accuracy beside its two controls, all as fractions.

    The deltas are accuracy minus control, in [-1, 1], and None for a blank control that was not
    measured; `fitness` is in [0, 1.25].
    """

    accuracy: float
    accuracy_shuffle: float
    accuracy_blank: float | None
    visual_dependency_delta: float
    blank_image_delta: float | None
    fitness: float


def visual_dependency(
    accuracy: float, accuracy_shuffle: float | None, accuracy_blank: float | None
) -> VisualDependency:
    """Compare an accuracy with those on shuffled and on blank images.

    Computed in decimals, as the accuracies print, and rounded once, so that 0.3 - 0.1 is 0.2.

    Parameters
    ----------
    accuracy : with the right images, a fraction in [0, 1].
    accuracy_shuffle : with the images of other items. The fitness stands on it: None, where it
        was not measured, is refused.
    accuracy_blank : with blank images, None where it was not measured.

    Returns
    -------
    VisualDependency
        `fitness` is accuracy + 0.25 · max(0, accuracy - accuracy_shuffle); a control that
        does better than the right images costs nothing, and its delta is negative.
        `blank_image_delta` is None without a blank control.

    Raises
    ------
    StatisticsError
        `missing_control` without the shuffled control; `nan_value` for NaN, infinities or no
        accuracy at all; `accuracy_out_of_range` beyond [0, 1], such as a percentage.

    References
    ----------
    The protocol's visual dependency and fitness (docs/statistics.md).

    Examples
    --------
    >>> found = visual_dependency(0.1943, 0.1043, 0.1)
    >>> found.visual_dependency_delta, found.blank_image_delta, found.fitness
    (0.09, 0.0943, 0.2168)
    """
    if accuracy_shuffle is None:
        raise StatisticsError(
            "missing_control", "accuracy_shuffle: expected an accuracy, found none"
        )
    exact = _decimal("accuracy", accuracy)
    shuffle = _decimal("accuracy_shuffle", accuracy_shuffle)
    blank = None if accuracy_blank is None else _decimal("accuracy_blank", accuracy_blank)
    return VisualDependency(
        accuracy=float(exact),
        accuracy_shuffle=float(shuffle),
        accuracy_blank=None if blank is None else float(blank),
        visual_dependency_delta=float(exact - shuffle),
        blank_image_delta=None if blank is None else float(exact - blank),
        fitness=float(exact + _WEIGHT * max(Fraction(0), exact - shuffle)),
    )


def _decimal(name: str, value: float) -> Fraction:
    check_finite(name, [value])
    if not 0.0 <= value <= 1.0:
        raise StatisticsError(
            "accuracy_out_of_range", f"{name}: expected a fraction in [0, 1], found {value!r}"
        )
    return Fraction(repr(float(value)))


__all__ = ["VisualDependency", "visual_dependency"]
