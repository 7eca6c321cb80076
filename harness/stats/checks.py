"""Checks of what is given to a statistic: each refusal has a stable reason."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sized
from numbers import Integral

from harness.errors import AssayError


class StatisticsError(AssayError, ValueError):
    """A statistic was asked for with data that it cannot be computed from.

    `reason` is one of the codes that docs/statistics.md lists, such as `invalid_count`; the
    message says what was expected and what was found.
    """

    def __init__(self, reason: str, message: str) -> None:
        self.reason = reason
        super().__init__(message)


def check_count(name: str, value: object) -> None:
    """Refuse all but an integer of at least 0 (`invalid_count`); numpy's integers pass."""
    if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < 0:
        raise StatisticsError(
            "invalid_count", f"{name}: expected an integer of at least 0, found {value!r}"
        )


def check_part(part_name: str, part: int, whole_name: str, whole: int) -> None:
    """Refuse counts of which one is more than the whole that holds it (`invalid_count`)."""
    check_count(part_name, part)
    check_count(whole_name, whole)
    if part > whole:
        raise StatisticsError(
            "invalid_count",
            f"expected {part_name} <= {whole_name}, found {part} > {whole}",
        )


def check_share(name: str, value: float) -> None:
    """Refuse a level, alpha or power that is not strictly between 0 and 1 (`invalid_level`)."""
    if not isinstance(value, int | float) or not 0.0 < value < 1.0:
        raise StatisticsError(
            "invalid_level", f"{name}: expected a number strictly between 0 and 1, found {value!r}"
        )


def check_finite(name: str, values: Iterable[float | None]) -> None:
    """Refuse None, NaN and infinities among numbers (`nan_value`)."""
    for place, value in enumerate(values):
        if value is None or not math.isfinite(value):
            raise StatisticsError(
                "nan_value", f"{name}[{place}]: expected a finite number, found {value!r}"
            )


def check_same_length(**sequences: Sized) -> None:
    """Refuse sequences that differ in length (`length_mismatch`)."""
    lengths = {name: len(sequence) for name, sequence in sequences.items()}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise StatisticsError("length_mismatch", f"expected equal lengths, found {found}")


def check_unique(name: str, ids: Iterable[Hashable]) -> None:
    """Refuse an id that stands twice (`duplicate_id`)."""
    seen = set()
    for given in ids:
        if given in seen:
            raise StatisticsError(
                "duplicate_id", f"{name}: expected each id once, found {given!r} again"
            )
        seen.add(given)


__all__ = [
    "StatisticsError",
    "check_count",
    "check_finite",
    "check_part",
    "check_same_length",
    "check_share",
    "check_unique",
]
