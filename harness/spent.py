"""What it took to generate a cell, over all sessions, from the events beside its responses."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True, slots=True)
class Spent:
    """Time and memory of a cell's responses; they differ between equal runs.

    Attributes
    ----------
    seconds : in the model, of every call that came to an end, repeated and failed ones too. A
        call that also answered examples outside the cell counts by its share of requests.
    n_timed : responses that some call with a known time has made.
    n_sessions : runs that made such calls.
    peak_memory_gib : highest device memory of any call; None where no device told it.
    """

    seconds: float
    n_timed: int
    n_sessions: int
    peak_memory_gib: float | None = None

    @property
    def seconds_per_response(self) -> float | None:
        """Seconds for one response that is kept; None where no time is known."""
        return self.seconds / self.n_timed if self.n_timed else None


class Tally:
    """Sums the events of a cell; `slots` are its (example id, replicate).

    Examples
    --------
    >>> tally = Tally([("q1", 0), ("q2", 0)])
    >>> asked = [["q1", 0], ["q3", 0]]
    >>> tally.take({"run": "a", "asked": asked, "made": [["q1", 0, 1]], "seconds": 3.0})
    >>> tally.total()
    Spent(seconds=1.5, n_timed=1, n_sessions=1, peak_memory_gib=None)
    """

    def __init__(self, slots: Iterable[tuple[str, int]]) -> None:
        self._slots = frozenset(slots)
        self._seconds: list[float] = []
        self._made: set[tuple[str, int]] = set()
        self._runs: set[str] = set()
        self._peaks: list[float] = []

    def take(self, event: Mapping[str, Any]) -> None:
        """Add one event; one without seconds tells nothing.

        Raises
        ------
        KeyError, TypeError, ValueError
            For an event that has seconds and is damaged otherwise.
        """
        if event.get("seconds") is None:
            return
        asked = [(str(name), int(replicate)) for name, replicate in event["asked"]]
        n_own = sum(slot in self._slots for slot in asked)
        if not n_own:
            return
        self._seconds.append(_amount(event["seconds"]) * n_own / len(asked))
        self._runs.add(str(event["run"]))
        self._made.update(
            slot for e, r, _ in event["made"] if (slot := (str(e), int(r))) in self._slots
        )
        if event.get("peak_memory_gib") is not None:
            self._peaks.append(_amount(event["peak_memory_gib"]))

    def total(self) -> Spent | None:
        """The sums; None where no event tells of the cell."""
        if not self._runs:
            return None
        return Spent(
            seconds=math.fsum(self._seconds),
            n_timed=len(self._made),
            n_sessions=len(self._runs),
            peak_memory_gib=max(self._peaks, default=None),
        )


def _amount(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"expected a number, found {value!r}")
    if not (math.isfinite(value) and value >= 0):
        raise ValueError(f"expected a finite number of at least 0, found {value!r}")
    return float(value)


__all__ = ["Spent", "Tally"]
