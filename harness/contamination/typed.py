"""Records out of JSON types, by the annotations of their dataclasses: strict, place by place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from harness.errors import DataError

_T = TypeVar("_T")
_RATIO = re.compile(r"-?\d+(/\d+)?", re.ASCII)


def jsonable(value: Any) -> Any:
    """JSON types of a record: tuples become lists, fractions texts as "2/5".

    A record with a method `to_json` is asked, and its `from_json(value, where)` reads it again.

    Examples
    --------
    >>> jsonable((Fraction(2, 5), {"a": None}))
    ['2/5', {'a': None}]
    """
    if isinstance(value, Fraction):
        return str(value)
    if hasattr(value, "to_json"):
        return value.to_json()
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: jsonable(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {key: jsonable(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [jsonable(one) for one in value]
    return value


def record(kind: type[_T], value: Any, where: str) -> _T:
    """A record from what `jsonable` made of it.

    Parameters
    ----------
    kind : a dataclass; fields may be texts, numbers, booleans, fractions, tuples, dataclasses,
        and unions of these with None.
    value : of a JSON parser.
    where : stands in messages.

    Raises
    ------
    DataError
        For a missing or unknown field and a value of another type, naming the place.

    Examples
    --------
    >>> from harness.audit.pairs import Near
    >>> one = Near(3, "mini", 0, 1, 0.75)
    >>> record(Near, jsonable(one), "near") == one
    True
    """
    made = _read(kind, value, where)
    assert isinstance(made, kind)
    return made


def _read(kind: Any, value: Any, where: str) -> Any:
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        if value is None and NoneType in inner:
            return None
        return _read(next(one for one in inner if one is not NoneType), value, where)
    if origin is tuple and isinstance(value, list):
        if inner[1:] == (...,):
            return tuple(_read(inner[0], one, f"{where}[{k}]") for k, one in enumerate(value))
        if len(inner) == len(value):
            pairs = zip(inner, value, strict=True)
            return tuple(_read(one, v, f"{where}[{k}]") for k, (one, v) in enumerate(pairs))
    elif hasattr(kind, "from_json"):
        return kind.from_json(value, where)
    elif isinstance(kind, type) and is_dataclass(kind):
        hints = _hints(kind)
        if isinstance(value, dict) and set(value) == set(hints):
            return kind(**{k: _read(hints[k], v, f"{where}.{k}") for k, v in value.items()})
        keys = ", ".join(sorted(value)) if isinstance(value, dict) else type(value).__name__
        raise DataError(f"{where}: expected {', '.join(sorted(hints))}, found {keys}")
    elif kind is Fraction and isinstance(value, str) and _RATIO.fullmatch(value):
        return Fraction(value)
    elif kind is float and type(value) in (int, float):
        return float(value)
    elif kind is Any or (isinstance(kind, type) and type(value) is kind):
        return value
    raise DataError(f"{where}: expected {_name(kind)}, found {str(value)[:80]!r}")


@cache
def _hints(kind: type) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {f.name: hints[f.name] for f in fields(kind)}


def _name(kind: Any) -> str:
    return str(getattr(kind, "__name__", kind))


__all__ = ["jsonable", "record"]
