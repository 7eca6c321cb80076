"""Rows that an audit has to find, planted in every run: one that misses any proves nothing."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from harness.audit.index import Index
from harness.audit.join import audit_block
from harness.audit.shingles import Parameters, jaccard, shingles
from harness.audit.tokens import UNICODE, tokens
from harness.errors import DataError

EVAL_SET = "canary"
_WORDS = """quartz lantern meadow copper violin harbor saddle turnip beacon walnut thimble garnet
pepper anvil mirror bottle hammock pigeon marble candle pulley zebra ticket funnel"""
_ACCENTS = "Énoncé: à côté d'une forêt près de Besançon, un élève mesure la portée réelle"
_HAN = "质量恒定的铜制滑块沿粗糙斜面向下匀速运动求其动摩擦因数"
_FEWEST = 20


@dataclass(frozen=True)
class Canary:
    """One planted pair.

    Parameters
    ----------
    name : what it tries.
    row : the training text.
    item : the evaluation text, unlike any real one.
    expected : their Jaccard index by `unicode-v1`, 5-grams and whole short texts.
    """

    name: str
    row: str
    item: str
    expected: Fraction


@dataclass(frozen=True)
class Sighting:
    """Whether a canary came out as it has to: a hit with its index, or no hit below the threshold.

    Parameters
    ----------
    name : of the canary.
    expected : its Jaccard index under the parameters of the run, from its strings.
    found : the index with which the join reported it; None where it did not.
    ok : they agree, and the tokenizer gave what it must.
    """

    name: str
    expected: Fraction
    found: Fraction | None
    ok: bool


def canaries(parameters: Parameters | None = None) -> tuple[Canary, ...]:
    """The planted pairs: exact, just above, at and below the threshold, decomposed, Han.

    The pairs at the edge have one item and rows that share ever fewer of its shingles; their
    lengths fit the threshold and n that are given.

    Examples
    --------
    >>> [(one.name, str(one.expected)) for one in canaries()]
    ... # doctest: +NORMALIZE_WHITESPACE
    [('exact', '1'), ('above', '8/19'), ('at', '2/5'), ('below', '8/21'),
     ('decomposed', '1'), ('han', '19/27')]
    """
    given = parameters or Parameters()
    exact = " ".join(_WORDS.split())
    pairs = [("exact", exact.upper(), exact), *_edges(given)]
    pairs += [("decomposed", unicodedata.normalize("NFD", _ACCENTS), _ACCENTS)]
    pairs += [("han", f"{_HAN[:-4]}是多少呢？", _HAN)]
    return tuple(
        Canary(name, row, text, jaccard(shingles(row, given), shingles(text, given)))
        for name, row, text in pairs
    )


def with_canaries(
    sets: Mapping[str, Sequence[str]], parameters: Parameters | None = None
) -> dict[str, Sequence[str]]:
    """The evaluation sets and one more, `canary`, to be indexed together.

    Raises
    ------
    DataError
        When there is a set of that name.
    """
    if EVAL_SET in sets:
        raise DataError(f"audit: the evaluation set {EVAL_SET!r} is the planted one; rename yours")
    return {**sets, EVAL_SET: [one.item for one in canaries(parameters)]}


def sightings(index: Index, engine: str = "auto") -> tuple[Sighting, ...]:
    """Put the planted rows through the very index and join of a run, and say what came of each.

    Parameters
    ----------
    index : built from `with_canaries`.
    engine : that of the run.

    Raises
    ------
    DataError
        For an index without them.

    Examples
    --------
    >>> from harness.audit.index import build_index
    >>> index = build_index(with_canaries({"mini": ["a ball falls"]}), engine="numpy")
    >>> all(one.ok for one in sightings(index, "numpy"))
    True
    """
    if EVAL_SET not in index.sets:
        raise DataError("audit: expected an index with the planted set; build it by with_canaries")
    planted = canaries(index.parameters)
    found = audit_block([one.row for one in planted], index, engine=engine)
    hits = {hit.row: hit.jaccard for hit in found.hits if hit.eval_set == EVAL_SET}
    return judged(planted, hits, index.parameters)


def judged(
    planted: Sequence[Canary], found: dict[int, Fraction], parameters: Parameters
) -> tuple[Sighting, ...]:
    """Compare what a join reported for each canary with what it had to report.

    Parameters
    ----------
    planted : the canaries of `canaries`.
    found : Jaccard index of the hit of each that had one, by its place.
    parameters : those of the run.
    """
    limit = Fraction(*parameters.threshold)
    exact = ("exact", "decomposed") if parameters.tokenizer == UNICODE.name else ("exact",)
    seen = []
    for place, one in enumerate(planted):
        due = one.expected if one.expected >= limit else None
        came = found.get(place)
        ok = came == due and (one.name not in exact or one.expected == 1)
        if one.name == "han" and parameters.tokenizer == UNICODE.name:
            ok = ok and len(tokens(one.item)) == len(one.item)
        seen.append(Sighting(one.name, one.expected, came, ok))
    return tuple(seen)


def _edges(given: Parameters) -> list[tuple[str, str, str]]:
    """One item and rows that share as many of its shingles, but are longer or shorter by one.

    A row that begins as an item with a shingles, shares i of them and goes on with r other
    words has J = i / (a + r).
    """
    part, whole = given.threshold
    scale = -(-_FEWEST // whole)
    shared, union = part * scale, whole * scale
    size = (shared + union) // 2
    item = [_word(k) for k in range(size + given.n - 1)]
    begun = item[: shared + given.n - 1]
    rest = [_word(len(item) + k) for k in range(union - size + 1)]
    return [
        (name, " ".join(begun + rest[: max(0, union - size + more)]), " ".join(item))
        for name, more in (("above", -1), ("at", 0), ("below", 1))
    ]


def _word(k: int) -> str:
    """Ever other words, of letters alone, none of them among those of the other canaries."""
    words = _WORDS.split()
    n = len(words)
    return words[k % n] + words[k // n % n] + (words[k // n**2 % n] if k >= n**2 else "")


__all__ = ["EVAL_SET", "Canary", "Sighting", "canaries", "judged", "sightings", "with_canaries"]
