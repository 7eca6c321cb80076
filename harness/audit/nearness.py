"""What stage 2 found: near pairs, the rows it went through, and how parts are put together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from harness.audit.pairs import Near
from harness.errors import DataError


@dataclass(frozen=True, order=True)
class NearSpan:
    """Consecutive training rows that were compared with one evaluation side, and their counts.

    Parameters
    ----------
    index : fingerprint of its vectors.
    start, stop : first row, and the one after the last.
    truncated : rows that were cut at the model's limit.
    empty : rows without text, which have no vector and are near to nothing.
    borderline : pairs at the threshold.
    """

    index: str
    start: int
    stop: int
    truncated: int
    empty: int
    borderline: int


@dataclass(frozen=True)
class Nearness:
    """Near pairs of some rows.

    Parameters
    ----------
    near : by row, set and rank: the k nearest items at or above the threshold, which are
        the candidates, and the nearest of those from the floor up to it, for the sample.
    borderline : pairs of which either could be true at another rounding, dtype or batch size:
        within `NearParameters.border` of the threshold; at most k at or above it and one below
        for each row and set.
    spans : the rows that were compared.
    """

    near: tuple[Near, ...] = ()
    borderline: tuple[Near, ...] = ()
    spans: tuple[NearSpan, ...] = ()

    def counts(self) -> dict[str, int]:
        """Rows, of them truncated and empty, and pairs."""
        return {
            "rows": sum(span.stop - span.start for span in self.spans),
            "truncated": sum(span.truncated for span in self.spans),
            "empty": sum(span.empty for span in self.spans),
            "near": len(self.near),
            "borderline": len(self.borderline),
        }


def merge_near(*parts: Nearness) -> Nearness:
    """Put parts together: associative, and their order does not matter.

    Parts are of different rows; or of the same rows and other evaluation sets.

    Raises
    ------
    DataError
        When rows were compared twice with the same items or sets.
    """
    spans: list[NearSpan] = []
    for span in sorted(span for part in parts for span in part.spans):
        last = spans[-1] if spans else None
        if last is None or last.index != span.index or last.stop < span.start:
            spans.append(span)
        elif last.stop > span.start:
            raise DataError(
                f"merge: rows {span.start} to {min(last.stop, span.stop) - 1} were compared twice "
                "with the same evaluation vectors; give each shard once"
            )
        else:
            spans[-1] = NearSpan(
                *(span.index, last.start, span.stop, last.truncated + span.truncated),
                *(last.empty + span.empty, last.borderline + span.borderline),
            )
    near = _in_order(one for part in parts for one in part.near)
    ranked = Counter((one.row, one.eval_set, one.rank) for one in near)
    for (row, eval_set, _), count in ranked.items():
        if count > 1:
            raise DataError(
                f"merge: row {row} was compared with two evaluation sides that both have a set "
                f"{eval_set!r}; give a set whole, in one of them"
            )
    borderline = _in_order(one for part in parts for one in part.borderline)
    return Nearness(tuple(near), tuple(borderline), tuple(spans))


def _in_order(found: Iterable[Near]) -> list[Near]:
    return sorted(found, key=lambda one: (one.row, one.eval_set, one.rank))


__all__ = ["NearSpan", "Nearness", "merge_near"]
