"""The protocol's prediction rows: what was retrieved for each image and for each text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness import ids
from harness.errors import DataError
from harness.retrieval.pairs import Pairs, Relevance
from harness.retrieval.ranks import Ranks

MISSING_RANK = 1_000_000
_MOST_RANK = 2**53
_SHOWN = 10
_FIELDS = {
    "i2t": ("image_id", "ranked_text_ids", "relevant_text_rank"),
    "t2i": ("text_id", "ranked_image_ids", "relevant_image_rank"),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundRanks:
    """Ranks of the first relevant item of every query, read from rows, in the order of the pairs.

    `compact` says whether the rows state the ranks, or hold whole rankings of which they are
    read. `n_unlike` counts the compact rows whose list has its first relevant item at another
    place than the stated rank, or has none within it: ties, or a fault of the writer. `n_missing`
    counts the ranks of `MISSING_RANK`.
    """

    i2t: tuple[int, ...]
    t2i: tuple[int, ...]
    compact: bool
    n_unlike: int
    n_missing: int


def rank_rows(i2t: Ranks, t2i: Ranks, joined: Pairs, ties: str) -> Iterator[dict[str, Any]]:
    """Give the compact rows of both directions: the best items and the exact rank.

    Parameters
    ----------
    i2t, t2i : of `both_ranks`.
    joined : the pairs that they were computed for.
    ties : "optimistic", as published, or "pessimistic"; the expected rank is no integer.

    Returns
    -------
    iterator of dict
        A row for each image, then for each text: its id, the ids of the best items, and the rank
        of the first relevant one, from 1.

    Raises
    ------
    DataError
        For other ties.

    Examples
    --------
    >>> import numpy as np
    >>> from harness.retrieval.pairs import pairs
    >>> from harness.retrieval.ranks import both_ranks
    >>> joined, eye = pairs(["10"], ["100"], {"100": "10"}), np.eye(1, dtype=np.float32)
    >>> next(rank_rows(*both_ranks(eye, eye, joined), joined, "optimistic"))
    {'image_id': '10', 'ranked_text_ids': ['100'], 'relevant_text_rank': 1}
    """
    if ties not in ("optimistic", "pessimistic"):
        raise DataError(f"ties: expected optimistic or pessimistic for a row, found {ties!r}")
    for name, ranks, relevant in (("i2t", i2t, joined.i2t), ("t2i", t2i, joined.t2i)):
        key, listed, stated = _FIELDS[name]
        for query, best, rank in zip(
            relevant.queries, ranks.best.tolist(), ranks.first(ties).tolist(), strict=True
        ):
            yield {key: query, listed: [relevant.candidates[p] for p in best], stated: rank}


def rows_text(rows: Iterable[Mapping[str, Any]]) -> str:
    """The rows as JSON lines, keys sorted: equal rows give equal texts.

    Examples
    --------
    >>> rows_text([{"text_id": "1", "ranked_image_ids": ["2"]}])
    '{"ranked_image_ids":["2"],"text_id":"1"}\\n'
    """
    return "".join(f"{ids.canonical_json(dict(row))}\n" for row in rows)


def found_ranks(rows: Sequence[Mapping[str, Any]], joined: Pairs) -> FoundRanks:
    """Read the ranks from prediction rows, this project's or another tool's.

    Parameters
    ----------
    rows : compact ones, which state the rank in every row, or whole rankings, which state none,
        in any order; of `read_records`. Ids are texts or numbers.
    joined : the pairs asked; each image and each text has exactly one row.

    Returns
    -------
    FoundRanks
        From a ranking, the place of the first relevant id, from 1, and `MISSING_RANK` where it
        holds none: a published rule, which leaves recall right and the median a lower bound.

    Raises
    ------
    DataError
        Listing all faults: rows of no direction or of both, ranks stated in some rows only,
        ranks that are no integers from 1, unknown or repeated ids, queries twice or without row.

    Examples
    --------
    >>> from harness.retrieval.pairs import pairs
    >>> joined = pairs(["1", "2"], ["a", "b"], {"a": "1", "b": "2"})
    >>> rows = [{"image_id": 1, "ranked_text_ids": ["b", "a"]},
    ...         {"image_id": 2, "ranked_text_ids": ["a"]},
    ...         {"text_id": "a", "ranked_image_ids": [1, 2]},
    ...         {"text_id": "b", "ranked_image_ids": [2]}]
    >>> found = found_ranks(rows, joined)
    >>> found.i2t, found.t2i
    ((2, 1000000), (1, 1))
    """
    stating = [any(stated in row for _, _, stated in _FIELDS.values()) for row in rows]
    compact = any(stating)
    faults: list[str] = []
    if compact and not all(stating):
        faults.append(
            f"expected the rank of the first relevant item in all {len(rows)} rows or in none, "
            f"found it in {sum(stating)}, the first without in row {stating.index(False) + 1}"
        )
    sides = {
        name: _Reader(name, relevant, compact)
        for name, relevant in (("i2t", joined.i2t), ("t2i", joined.t2i))
    }
    for number, row in enumerate(rows, start=1):
        named = [name for name, (key, _, _) in _FIELDS.items() if key in row]
        if len(named) == 1:
            faults += [f"row {number}: {fault}" for fault in sides[named[0]].take(row)]
        else:
            faults.append(f"row {number}: expected image_id or text_id, found {len(named)} of them")
    faults += [fault for side in sides.values() for fault in side.lacking()]
    if faults:
        more = [f"  … and {len(faults) - _SHOWN} more"] if len(faults) > _SHOWN else []
        lines = "\n".join([f"  {fault}" for fault in faults[:_SHOWN]] + more)
        raise DataError(f"retrieval rows: {len(faults)} fault(s); predict again\n{lines}")
    i2t, t2i = (tuple(side.ranks[query] for query in side.known) for side in sides.values())
    return FoundRanks(
        i2t=i2t,
        t2i=t2i,
        compact=compact,
        n_unlike=sum(side.n_unlike for side in sides.values()),
        n_missing=sum(rank >= MISSING_RANK for rank in i2t + t2i),
    )


class _Reader:
    """Rows of one direction, checked as they come."""

    def __init__(self, name: str, relevant: Relevance, compact: bool) -> None:
        self.key, self.listed, self.stated = _FIELDS[name]
        self.compact, self.n_unlike = compact, 0
        self.ranks: dict[str, int] = {}
        self.candidates = set(relevant.candidates)
        self.known = {
            query: {relevant.candidates[place] for place in relevant.of(at).tolist()}
            for at, query in enumerate(relevant.queries)
        }

    def take(self, row: Mapping[str, Any]) -> Iterator[str]:
        query, ranking = _id(row[self.key]), row.get(self.listed)
        if query not in self.known or query is None:
            yield f"expected a known {self.key}, found {row[self.key]!r}"
            return
        if query in self.ranks:
            yield f"{self.key} {query!r} has a row already"
            return
        self.ranks[query] = MISSING_RANK
        found = [_id(one) for one in ranking] if isinstance(ranking, list) else []
        if not isinstance(ranking, list):
            yield f"expected a list as {self.listed}, found {type(ranking).__name__}"
        elif unknown := [one for one in found if one not in self.candidates]:
            yield f"{self.listed}: {len(unknown)} id(s) are not in the set, such as {unknown[0]!r}"
        elif len(set(found)) < len(found):
            yield f"{self.listed}: expected different ids, found some twice"
        place = next((n for n, one in enumerate(found, 1) if one in self.known[query]), None)
        if not self.compact:
            self.ranks[query] = place or MISSING_RANK
            return
        rank = row.get(self.stated)
        if isinstance(rank, bool) or not isinstance(rank, int) or not 1 <= rank <= _MOST_RANK:
            yield f"expected an integer from 1 as {self.stated}, found {rank!r}"
            return
        self.ranks[query] = rank
        self.n_unlike += place != rank if place or rank <= len(found) else 0

    def lacking(self) -> Iterator[str]:
        without = [query for query in self.known if query not in self.ranks]
        if without:
            yield (
                f"expected a row for each {self.key}, found none for {len(without)} of "
                f"{len(self.known)}, such as {without[0]!r}"
            )


def _id(value: Any) -> str | None:
    return str(value) if isinstance(value, int | str) and not isinstance(value, bool) else None


__all__ = ["MISSING_RANK", "FoundRanks", "found_ranks", "rank_rows", "rows_text"]
