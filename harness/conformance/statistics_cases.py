"""Cases of the statistics: read from a file, asked of a child process and compared by tolerance."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.conformance.child import GradingChild
from harness.errors import DataError

LIMIT_S = 30.0
_KEYS = ("id", "function", "input", "expected", "tolerance")
_P_VALUES = ("p", "p_value", "p_values", "adjusted", "adjusted_p")
_SHARED = ("exact_mode", "ci_exact", "monte_carlo_B10000")
_LONGEST_INTEGER = 4000
_SHOWN = 60


def statistics_faults(rows: Sequence[Any], child: GradingChild) -> Iterator[str | None]:
    """Compute each case: None where it comes out as expected, else one line that says how not.

    Parameters
    ----------
    rows : id, function, input (its arguments by name), expected and tolerance. `expected` is
        `{"error": reason}`, for which the function must refuse with that reason, or a value
        for each key, where null means undefined and other keys of the result are free.
        `tolerance` is the largest absolute difference of two numbers, or an object with one
        for each key; `p` stands for all p-values, and a key without its own takes
        `exact_mode`, `ci_exact` or `monte_carlo_B10000`, the first that is there.
    child : where the statistics run; it serves `statistics`.
    """
    for place, row in enumerate(rows, start=1):
        lacking = [key for key in _KEYS if not isinstance(row, Mapping) or key not in row]
        if lacking:
            found = f"no {' and no '.join(lacking)}" if isinstance(row, Mapping) else _short(row)
            yield f"case {place}: expected an object with {', '.join(_KEYS)}, found {found}"
            continue
        answer = child.ask({"function": row["function"], "input": row["input"]}, LIMIT_S)
        fault = _fault(row, answer)
        where = f"{_short(row['id'])} [{_short(row['function'])}]"
        yield None if fault is None else f"{where}: {fault}"


def statistics_rows(path: Path) -> list[Any]:
    """Read the cases of a file, one object a line or one list; NaN and Infinity are numbers.

    Raises
    ------
    DataError
        For a file that is missing, not text, without a case, or with a torn line.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise DataError(f"{path.name}: expected a file of cases, found no such file") from error
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path.name}: expected readable UTF-8 text: {error}") from error
    if text.lstrip().startswith("["):
        whole = _parsed(path, 1, text)
        rows = whole if isinstance(whole, list) else [whole]
    else:
        lines = text.split("\n")
        rows = [_parsed(path, i, line) for i, line in enumerate(lines, 1) if line.strip()]
    if not rows:
        raise DataError(f"{path.name}: expected at least one case, found none")
    return rows


def _parsed(path: Path, number: int, text: str) -> Any:
    try:
        return json.loads(text, parse_int=_integer)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path.name}:{number}: torn or bad line: {error}") from error


def _integer(digits: str) -> int | float:
    """Python reads no integer of more digits than this; such a one is infinite here."""
    return int(digits) if len(digits) <= _LONGEST_INTEGER else float(digits)


def _fault(row: Mapping[str, Any], found: Mapping[str, Any]) -> str | None:
    expected, tolerance = row["expected"], row["tolerance"]
    if not isinstance(expected, Mapping) or not expected:
        return f"expected a case with expected values, found {_short(expected)}"
    if not _is_tolerance(tolerance):
        return f"expected a tolerance of at least 0, or one a key, found {_short(tolerance)}"
    if "error" in expected:
        if found.get("refused") == expected["error"]:
            return None
        return f"expected a refusal for {_short(expected['error'])}, {_said(found)}"
    if "value" not in found:
        return f"expected {_short(dict(expected))}, {_said(found)}"
    return _difference("", expected, found["value"], tolerance)


def _difference(where: str, expected: Any, found: Any, tolerance: Any) -> str | None:
    """What differs first, None where nothing does."""
    name = where or "the result"
    if isinstance(expected, Mapping):
        if not isinstance(found, Mapping):
            return f"{name}: expected an object, found {_short(found)}"
        for key, value in expected.items():
            inner = f"{where}.{_plain(key)}" if where else _plain(key)
            if key not in found:
                return f"{inner}: expected {_short(value)}, found no such key"
            fault = _difference(inner, value, found[key], _of_key(tolerance, key))
            if fault is not None:
                return fault
        return None
    if isinstance(expected, list):
        if not isinstance(found, list) or len(found) != len(expected):
            length = f"a list of {len(found)}" if isinstance(found, list) else _short(found)
            return f"{name}: expected a list of {len(expected)}, found {length}"
        pairs = enumerate(zip(expected, found, strict=True))
        faults = (_difference(f"{where}[{i}]", *pair, tolerance) for i, pair in pairs)
        return next((fault for fault in faults if fault is not None), None)
    if _is_number(expected) and _is_number(found):
        limit = tolerance if _is_number(tolerance) else 0
        same = expected == found or abs(expected - found) <= limit
    else:
        same = type(expected) is type(found) and expected == found
    if same:
        return None
    within = f" within {tolerance!r}" if _is_number(expected) else ""
    return f"{name}: expected {_short(expected)}{within}, found {_short(found)}"


def _of_key(tolerance: Any, key: str) -> Any:
    """The tolerance that holds below a key: its own, the shared one, or all of them still."""
    if not isinstance(tolerance, Mapping):
        return tolerance
    if key in tolerance:
        return tolerance[key]
    if key in _P_VALUES and "p" in tolerance:
        return tolerance["p"]
    return next((tolerance[name] for name in _SHARED if name in tolerance), 0)


def _is_tolerance(tolerance: Any) -> bool:
    if isinstance(tolerance, Mapping):
        return all(_is_tolerance(value) for value in tolerance.values())
    return _is_number(tolerance) and 0 <= tolerance < math.inf


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _said(found: Mapping[str, Any]) -> str:
    if "value" in found:
        return f"found {_short(found['value'])}"
    if "refused" in found:
        return f"found a refusal for {_short(found['refused'])}: {_plain(found['message'])}"
    return f"found {_plain(found.get('error', found))}"


def _plain(text: Any) -> str:
    return ascii(str(text))[1:-1][: 4 * _SHOWN]


def _short(value: Any) -> str:
    try:
        text = ascii(value)
    except (ValueError, RecursionError) as error:
        text = type(error).__name__
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


__all__ = ["LIMIT_S", "statistics_faults", "statistics_rows"]
