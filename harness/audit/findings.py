"""What a join found: matches, the rows it went through, and how findings are put together."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

from harness.errors import DataError


@dataclass(frozen=True, order=True)
class Match:
    """A training row beside an evaluation item, with what decides.

    Parameters
    ----------
    row : number of the training row.
    eval_set : name of the evaluation set.
    item : place of the item in its set, from 0.
    shared : shingles of both.
    row_shingles, item_shingles : distinct shingles of either.
    short : one of the two has fewer than n tokens, so that its one shingle is all of it.
    """

    row: int
    eval_set: str
    item: int
    shared: int
    row_shingles: int
    item_shingles: int
    short: bool

    @property
    def union(self) -> int:
        """Shingles of either text."""
        return self.row_shingles + self.item_shingles - self.shared

    @property
    def jaccard(self) -> Fraction:
        """Shared over all."""
        return Fraction(self.shared, self.union)

    @property
    def containment(self) -> Fraction:
        """Share of the item's shingles that the row holds."""
        return Fraction(self.shared, self.item_shingles)


@dataclass(frozen=True, order=True)
class Span:
    """Consecutive training rows that were joined with one index, and their counts.

    Parameters
    ----------
    index : its fingerprint.
    start, stop : first row, and the one after the last.
    short, unauditable : rows with 1 to n − 1 tokens, and with none.
    covered : rows that the coverage filter left.
    candidates : pairs whose shared shingles were counted.
    """

    index: str
    start: int
    stop: int
    short: int
    unauditable: int
    covered: int
    candidates: int


@dataclass(frozen=True)
class Findings:
    """What a join found: at most one hit per row and evaluation set.

    Parameters
    ----------
    hits : the nearest item at or above the threshold; equal ones: the lowest.
    contained : the item of which the row holds the largest share, from the limit on; likewise.
    spans : the rows that were joined.
    """

    hits: tuple[Match, ...] = ()
    contained: tuple[Match, ...] = ()
    spans: tuple[Span, ...] = ()

    def counts(self) -> dict[str, int]:
        """Rows, of them short and unauditable; left by the filter, pairs compared; hits.

        Rows joined with several indexes, blocks of one evaluation side, count once.
        """
        once = {(span.start, span.stop): span for span in self.spans}.values()
        return {
            "rows": sum(span.stop - span.start for span in once),
            "short": sum(span.short for span in once),
            "unauditable": sum(span.unauditable for span in once),
            "covered": sum(span.covered for span in self.spans),
            "candidates": sum(span.candidates for span in self.spans),
            "hits": len(self.hits),
            "rows_hit": len({match.row for match in self.hits}),
            "contained": len(self.contained),
        }


def merge(*parts: Findings) -> Findings:
    """Put findings together: associative, and the order of the parts does not matter.

    Parts may be of different rows, or of the same rows and different evaluation items.

    Raises
    ------
    DataError
        When rows were joined twice with the same index.
    """
    spans: list[Span] = []
    for span in sorted(span for part in parts for span in part.spans):
        last = spans[-1] if spans else None
        if last is None or last.index != span.index or last.stop < span.start:
            spans.append(span)
        elif last.stop > span.start:
            raise DataError(
                f"merge: rows {span.start} to {min(last.stop, span.stop) - 1} were audited twice "
                "with the same evaluation sets; give each shard once"
            )
        else:
            spans[-1] = Span(
                *(span.index, last.start, span.stop, last.short + span.short),
                *(last.unauditable + span.unauditable, last.covered + span.covered),
                last.candidates + span.candidates,
            )
    return Findings(
        best((match for part in parts for match in part.hits), by_jaccard),
        best((match for part in parts for match in part.contained), by_containment),
        tuple(spans),
    )


def best(matches: Iterable[Match], by: Callable[[Match], tuple[int, int]]) -> tuple[Match, ...]:
    """For each row and evaluation set the match with the largest share; equal ones: the lowest.

    Parameters
    ----------
    matches : any number, in any order.
    by : the share, as numerator and denominator: `by_jaccard` or `by_containment`.
    """
    kept: dict[tuple[int, str], Match] = {}
    for match in matches:
        key = (match.row, match.eval_set)
        other = kept.get(key)
        if other is None:
            kept[key] = match
            continue
        (ours, of), (theirs, among) = by(match), by(other)
        if (ours * among, -match.item) > (theirs * of, -other.item):
            kept[key] = match
    return tuple(sorted(kept.values()))


def by_jaccard(match: Match) -> tuple[int, int]:
    """Shared shingles, and those of either text."""
    return match.shared, match.union


def by_containment(match: Match) -> tuple[int, int]:
    """Shared shingles, and those of the item."""
    return match.shared, match.item_shingles


__all__ = ["Findings", "Match", "Span", "best", "by_containment", "by_jaccard", "merge"]
