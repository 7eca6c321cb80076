"""Checks of what is given to a statistic: each refusal has a stable reason."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sized
from numbers import Integral

import numpy as np

from harness.errors import AssayError

MOST_COUNT = 2**53
MOST_RESAMPLES = 10**7


class StatisticsError(AssayError, ValueError):
    """A statistic was asked for with data that it cannot be computed from.

    `reason` is one of the codes that docs/statistics.md lists, such as `invalid_count`; the
    message says what was expected and what was found.
    """

    def __init__(self, reason: str, message: str) -> None:
        self.reason = reason
        super().__init__(message)


def check_count(name: str, value: object) -> None:
    """Refuse all but an integer of at least 0 (`invalid_count`); numpy's integers pass.

    A count of more than 2**53 is `too_large`: floats no longer tell it from its neighbours.
    """
    check_whole(name, value)
    check_size(name, value, MOST_COUNT)


def check_whole(name: str, value: object) -> None:
    """Refuse all but an integer of at least 0, of any size (`invalid_count`)."""
    if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < 0:
        raise StatisticsError(
            "invalid_count", f"{name}: expected an integer of at least 0, found {shown(value)}"
        )


def check_size(name: str, size: object, most: int) -> None:
    """Refuse what would ask for more time or memory than is there (`too_large`)."""
    if isinstance(size, Integral) and int(size) > most:
        raise StatisticsError(
            "too_large", f"{name}: expected at most {most:,}, found {shown(int(size))}"
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


def check_draws(n_resamples: int, seed: int) -> None:
    """Refuse less than one resample, more than 1e7, and a seed that is no integer from 0."""
    check_count("n_resamples", n_resamples)
    check_size("n_resamples", n_resamples, MOST_RESAMPLES)
    check_whole("seed", seed)
    if n_resamples < 1:
        raise StatisticsError("invalid_count", "n_resamples: expected at least 1, found 0")


def check_choice(name: str, value: object, choices: Iterable[str]) -> None:
    """Refuse a name that is not among the choices (`unknown_variant`)."""
    allowed = tuple(choices)
    if value not in allowed:
        raise StatisticsError(
            "unknown_variant", f"{name}: expected one of {', '.join(allowed)}, found {shown(value)}"
        )


def check_share(name: str, value: float) -> None:
    """Refuse a level, alpha or power that is not strictly between 0 and 1 (`invalid_level`)."""
    if not isinstance(value, int | float) or not 0.0 < value < 1.0 or value / 2.0 == 0.0:
        raise StatisticsError(
            "invalid_level",
            f"{name}: expected a number strictly between 0 and 1, found {shown(value)}",
        )


def check_finite(name: str, values: Iterable[float | None]) -> None:
    """Refuse None, NaN, infinities and what is no number (`nan_value`); `too_large` integers."""
    for place, value in enumerate(values):
        try:
            if value is not None and math.isfinite(value):
                continue
        except OverflowError as error:
            raise StatisticsError(
                "too_large", f"{name}[{place}]: expected a float, found {shown(value)}"
            ) from error
        except (TypeError, ValueError):
            pass
        raise StatisticsError(
            "nan_value", f"{name}[{place}]: expected a finite number, found {shown(value)}"
        )


def check_binary(name: str, value: object) -> None:
    """Refuse all but a bool (`not_binary`); numpy's bools pass."""
    if not isinstance(value, bool | np.bool_):
        raise StatisticsError("not_binary", f"{name}: expected True or False, found {shown(value)}")


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
                "duplicate_id", f"{name}: expected each id once, found {shown(given)} again"
            )
        seen.add(given)


def check_ids(name: str, ids: Iterable[Hashable]) -> None:
    """Refuse ids that join no rows.

    None, NaN and an empty text are a `missing_id`, all but texts and integers an `invalid_id`,
    and one that stands twice is a `duplicate_id`.
    """
    given = list(ids)
    for place, found in enumerate(given):
        if found.__class__ is str and found:
            continue
        if is_missing(found):
            raise StatisticsError(
                "missing_id", f"{name}[{place}]: expected an id, found {shown(found)}"
            )
        if isinstance(found, bool) or not isinstance(found, str | Integral):
            raise StatisticsError(
                "invalid_id",
                f"{name}[{place}]: expected a text or an integer, found {shown(found)}",
            )
    check_unique(name, given)


def is_missing(name: object) -> bool:
    """Say whether an id names nothing: None, NaN, pandas' NA or an empty text."""
    try:
        return name is None or name == "" or bool(name != name)
    except (TypeError, ValueError):  # pandas' NA, whose comparisons are neither true nor false
        return True


def shown(value: object) -> str:
    """The value as a message shows it; an integer of many digits by its length."""
    if isinstance(value, int) and value.bit_length() > 128:
        return f"an integer of {value.bit_length()} bits"
    return repr(value)


__all__ = [
    "MOST_COUNT",
    "StatisticsError",
    "check_binary",
    "check_choice",
    "check_count",
    "check_draws",
    "check_finite",
    "check_ids",
    "check_part",
    "check_same_length",
    "check_share",
    "check_size",
    "check_unique",
    "check_whole",
    "is_missing",
    "shown",
]
