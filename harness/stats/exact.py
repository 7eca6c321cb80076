"""Numbers as whole multiples of one power of two: their sums and squares are exact."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

from harness.stats.checks import StatisticsError


def whole_numbers(values: Iterable[float]) -> tuple[list[int], int]:
    """Write floats as integers over one denominator.

    Parameters
    ----------
    values : n finite numbers; an integer is taken as it is, all else as a float.

    Returns
    -------
    integers, shift
        n integers, so that each value is its integer / 2**shift exactly; shift ≥ 0.

    Raises
    ------
    OverflowError, ValueError
        For infinities and NaN.

    References
    ----------
    IEEE 754-2019, section 3.3: each finite binary number is an integer times a power of two.

    Examples
    --------
    >>> whole_numbers([0.75, -2.0, 3])
    ([3, -8, 12], 2)
    """
    ratios = [
        (value if isinstance(value, int) else float(value)).as_integer_ratio() for value in values
    ]
    most = max((below for _, below in ratios), default=1).bit_length()
    return [above << (most - below.bit_length()) for above, below in ratios], most - 1


def mean_and_spread(integers: list[int], shift: int) -> tuple[float | None, float | None]:
    """Compute the mean and the sample standard deviation, each rounded once or twice.

    Parameters
    ----------
    integers, shift : n numbers as `whole_numbers` gives them.

    Returns
    -------
    mean, deviation
        Floats; the deviation is exactly 0 for equal numbers. The mean is None with n = 0, the
        deviation with n < 2.

    Raises
    ------
    StatisticsError
        `too_large` for a mean or a deviation beyond the floats.

    References
    ----------
    T. F. Chan, G. H. Golub and R. J. LeVeque, "Algorithms for computing the sample variance",
    The American Statistician 37 (1983), 242-247: the textbook formula, which loses no digit in
    integers.

    Examples
    --------
    >>> mean_and_spread(*whole_numbers([0.5, 1.5, 2.5]))
    (1.5, 1.0)
    """
    n, total = len(integers), sum(integers)
    if n == 0:
        return None, None
    try:
        mean = float(Fraction(total, n << shift))
        if n == 1:
            return mean, None
        squares = n * sum(value * value for value in integers) - total * total
        return mean, square_root(Fraction(squares, n * (n - 1) << 2 * shift))
    except OverflowError as error:
        raise StatisticsError(
            "too_large", "expected a mean and a spread that are floats"
        ) from error


def square_root(value: Fraction) -> float:
    """Compute the square root of a fraction whose square may lie beyond the floats.

    Parameters
    ----------
    value : a fraction of at least 0.

    Returns
    -------
    float
        To one unit in the last place; exact for 0.

    Raises
    ------
    OverflowError
        For a root beyond the floats.

    References
    ----------
    ISO/IEC 9899, `ldexp`: a power of two changes no digit.

    Examples
    --------
    >>> square_root(Fraction(9, 4 * 10**400))
    1.5e-200
    """
    half = (value.numerator.bit_length() - value.denominator.bit_length()) // 2
    near_one = value / Fraction(4) ** half
    return math.ldexp(math.sqrt(near_one), half)


__all__ = ["mean_and_spread", "square_root", "whole_numbers"]
