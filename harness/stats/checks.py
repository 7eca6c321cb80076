"""Checks of what is given to a statistic: each refusal has a stable reason."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sized
from numbers import Integral, Real
from typing import Any

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


def check_count(name: str, value: object) -> int:
    """Give a count as Python's integer; refuse all but integers of at least 0 (`invalid_count`).

    numpy's integers pass, and are turned into Python's, which neither wrap around nor overflow.
    A count of more than 2**53 is `too_large`: floats no longer tell it from its neighbours.
    """
    count = check_whole(name, value)
    check_size(name, count, MOST_COUNT)
    return count


def check_whole(name: str, value: object) -> int:
    """As `check_count`, for an integer of any size."""
    if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < 0:
        raise StatisticsError(
            "invalid_count", f"{name}: expected an integer of at least 0, found {shown(value)}"
        )
    return int(value)


def check_size(name: str, size: object, most: int) -> None:
    """Refuse what would ask for more time or memory than is there (`too_large`)."""
    if isinstance(size, Integral) and int(size) > most:
        raise StatisticsError(
            "too_large", f"{name}: expected at most {most:,}, found {shown(int(size))}"
        )


def check_part(part_name: str, part: object, whole_name: str, whole: object) -> tuple[int, int]:
    """Give two counts; refuse a part that is more than its whole (`invalid_count`)."""
    some, every = check_count(part_name, part), check_count(whole_name, whole)
    if some > every:
        raise StatisticsError(
            "invalid_count", f"expected {part_name} <= {whole_name}, found {some} > {every}"
        )
    return some, every


def check_draws(n_resamples: object, seed: object) -> tuple[int, int]:
    """Give both; refuse less than one resample, more than 1e7, and a seed that is none from 0."""
    draws, start = check_count("n_resamples", n_resamples), check_whole("seed", seed)
    check_size("n_resamples", draws, MOST_RESAMPLES)
    if draws < 1:
        raise StatisticsError("invalid_count", "n_resamples: expected at least 1, found 0")
    return draws, start


def check_choice(name: str, value: object, choices: Iterable[str]) -> None:
    """Refuse a name that is not among the choices (`unknown_variant`)."""
    allowed = tuple(choices)
    if not isinstance(value, str) or value not in allowed:
        raise StatisticsError(
            "unknown_variant", f"{name}: expected one of {', '.join(allowed)}, found {shown(value)}"
        )


def check_share(name: str, value: Any) -> float:
    """Give a level, alpha or power; refuse all but numbers between 0 and 1 (`invalid_level`)."""
    share = float(value) if is_number(value) and 0 < value < 1 else math.nan
    if not 0.0 < share < 1.0 or share / 2.0 == 0.0:
        raise StatisticsError(
            "invalid_level",
            f"{name}: expected a number strictly between 0 and 1, found {shown(value)}",
        )
    return share


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
    if isinstance(value, bool):
        return
    import numpy as np

    if not isinstance(value, np.bool_):
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


def is_number(value: object) -> bool:
    """Say whether a value is a real number, numpy's included and bools not."""
    return isinstance(value, Real) and not isinstance(value, bool)


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
    "is_number",
    "shown",
]
