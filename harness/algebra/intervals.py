"""Intervals of real numbers and their unions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from harness.algebra.tree import Node, negative
from harness.algebra.values import closed

_INF = Node("inf")
_MINUS_INF = negative(_INF)


@dataclass(frozen=True, slots=True)
class Piece:
    """An interval of reals with its two ends and whether each belongs to it."""

    low: Node
    high: Node
    low_in: bool
    high_in: bool


def as_piece(node: Node) -> Piece | None:
    """An interval, or a pair in round brackets taken as an open one."""
    if len(node.args) != 2 or node.op not in ("iv", "tuple"):
        return None
    brackets = str(node.value) or "()"
    return Piece(*node.args, brackets[0] == "[", brackets[1] == "]")


def joined(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """Pieces that overlap or touch as one, where all ends are numbers or infinite."""
    if len(pieces) < 2:
        return pieces
    keyed = []
    for piece in pieces:
        low, high = _position(piece.low), _position(piece.high)
        if low is None or high is None:
            return pieces
        keyed.append((low, not piece.low_in, high, piece))
    found: list[tuple[float | Fraction, Piece]] = []
    for low, _, high, piece in sorted(keyed, key=lambda k: k[:2]):
        if found:
            end, last = found[-1]
            if low < end or (low == end and (last.high_in or piece.low_in)):
                further = high > end
                high_in = (
                    piece.high_in if further else last.high_in or (high == end and piece.high_in)
                )
                top = piece.high if further else last.high
                found[-1] = max(high, end), Piece(last.low, top, last.low_in, high_in)
                continue
        found.append((high, piece))
    return tuple(piece for _, piece in found)


def _position(end: Node) -> float | Fraction | None:
    if end == _INF:
        return math.inf
    return -math.inf if end == _MINUS_INF else closed(end)


def all_but(point: Node) -> tuple[Piece, Piece]:
    return Piece(_MINUS_INF, point, False, False), Piece(point, _INF, False, False)


def half_line(sign: str, end: Node) -> tuple[Piece, ...]:
    if sign == "!=":
        return all_but(end)
    if sign[0] == "<":
        return (Piece(_MINUS_INF, end, False, sign == "<="),)
    return (Piece(end, _INF, sign == ">=", False),)


def common(pieces: list[Piece]) -> Piece | None:
    """x > 1 and x < 3: what single intervals have in common."""
    lows = [(_position(p.low), not p.low_in, p.low, p.low_in) for p in pieces]
    highs = [(_position(p.high), p.high_in, p.high, p.high_in) for p in pieces]
    if any(k[0] is None for k in (*lows, *highs)):
        return None
    low, high = max(lows, key=_first_two), min(highs, key=_first_two)
    if _first_two(low)[0] >= _first_two(high)[0]:
        return None
    return Piece(low[2], high[2], low[3], high[3])


def _first_two(
    key: tuple[float | Fraction | None, bool, Node, bool],
) -> tuple[float | Fraction, bool]:
    return (math.nan if key[0] is None else key[0]), key[1]


__all__ = ["Piece", "all_but", "as_piece", "common", "half_line", "joined"]
