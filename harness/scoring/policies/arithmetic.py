"""The value of an expression of plain numbers, computed without evaluating any text."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

MAX_LENGTH = 200

_TOKEN = re.compile(r"(?P<number>(?:\d++\.?\d*+|\.\d++)(?:[eE][-+]?\d++)?)|\*\*|[-+*/^()]")
_RANK = {"+": 1, "-": 1, "*": 2, "/": 2, "negate": 3, "keep": 3, "^": 4}
_SIGNS = {"-": "negate", "+": "keep"}
_TWO: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "^": math.pow,
}


def arithmetic(text: str) -> float | None:
    """Compute an expression.

    Parameters
    ----------
    text : numbers with + - * / ^ (or **) and brackets, without blanks, at most 200 characters.

    Returns
    -------
    float or None
        None for anything else, an unbalanced bracket, a division by 0 or an overflow.

    Examples
    --------
    >>> arithmetic("-2^2+1/4")
    -3.75
    """
    if len(text) > MAX_LENGTH:
        return None
    values: list[float] = []
    waiting: list[str] = []
    expects_value, at = True, 0
    try:
        while at < len(text):
            token = _TOKEN.match(text, at)
            if token is None:
                return None
            at = token.end()
            sign = "^" if token[0] == "**" else token[0]
            if token["number"] or sign == "(":
                if not expects_value:
                    return None
                if token["number"]:
                    values.append(float(sign))
                    expects_value = False
                else:
                    waiting.append(sign)
            elif sign == ")":
                if expects_value:
                    return None
                while waiting[-1] != "(":
                    _apply(values, waiting.pop())
                waiting.pop()
            elif expects_value:
                waiting.append(_SIGNS[sign])
            else:
                while waiting and _goes_first(waiting[-1], sign):
                    _apply(values, waiting.pop())
                waiting.append(sign)
                expects_value = True
        while waiting:
            _apply(values, waiting.pop())
    except (IndexError, KeyError, ArithmeticError, ValueError):
        return None
    return values[0] if len(values) == 1 and math.isfinite(values[0]) else None


def _goes_first(waiting: str, sign: str) -> bool:
    rank = _RANK.get(waiting, 0)
    return rank > _RANK[sign] or (rank == _RANK[sign] and sign != "^")


def _apply(values: list[float], sign: str) -> None:
    if sign in ("negate", "keep"):
        values.append(-values.pop() if sign == "negate" else values.pop())
        return
    right = values.pop()
    values.append(_TWO[sign](values.pop(), right))


__all__ = ["MAX_LENGTH", "arithmetic"]
