"""A table of results: named columns, rows of plain values, and a note on how they came about."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harness.errors import DataError

Value = str | int | float | bool | None
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_PLAIN = (str, int, float, bool, type(None))
_QUOTED = ('"', ",", "\n", "\r")


@dataclass(frozen=True, kw_only=True)
class Table:
    """Rows under one set of columns; a value of None is undefined.

    `note` says what the numbers rest on, or, where there are no rows, what is missing.

    Raises
    ------
    DataError
        For a row whose columns are not those of the table, for NaN and infinities, and for what is
        no plain value (numpy's numbers would read differently in CSV).

    Examples
    --------
    >>> print(Table(name="t", columns=("a", "b"), rows=({"a": "x,y", "b": None},)).to_csv(), end="")
    a,b
    "x,y",
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[Mapping[str, Value], ...] = ()
    note: str = ""

    def __post_init__(self) -> None:
        for place, row in enumerate(self.rows):
            if tuple(row) != self.columns:
                raise DataError(
                    f"table {self.name}, row {place}: expected the columns {self.columns}, found "
                    f"{tuple(row)}"
                )
            for column, value in row.items():
                if value.__class__ not in _PLAIN:
                    raise DataError(
                        f"table {self.name}, row {place}, {column}: expected a plain value, found "
                        f"{type(value).__name__}"
                    )
                if isinstance(value, float) and not math.isfinite(value):
                    raise DataError(
                        f"table {self.name}, row {place}, {column}: expected a finite number or "
                        f"None, found {value}"
                    )

    def to_csv(self) -> str:
        """The rows as CSV (RFC 4180, lines end in LF), without the note.

        Numbers are written so that they read back the same, None as nothing. A text that a
        spreadsheet would take for a formula (= + - @, tab or carriage return first) is given a
        leading apostrophe; numbers are not, whatever their sign.
        """
        lines = [self.columns, *([row[c] for c in self.columns] for row in self.rows)]
        return "".join(",".join(map(_cell, line)) + "\n" for line in lines)

    def to_json(self) -> str:
        """Name, note, columns and rows as JSON, ASCII only, one row a line."""
        head = {"name": self.name, "note": self.note, "columns": list(self.columns)}
        text = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
        rows = ",\n  ".join(json.dumps(dict(row), allow_nan=False) for row in self.rows)
        text.append('"rows": [' + (f"\n  {rows}\n" if rows else "") + "]")
        return "{" + ",\n".join(text) + "}\n"


def lacking(name: str, columns: Sequence[str], missing: Sequence[str]) -> Table:
    """The table that cannot be made: no rows, and a note that names what it lacks."""
    listed = "; ".join(missing)
    return Table(
        name=name,
        columns=tuple(columns),
        note=f"not computed: lacks {len(missing)} cell(s): {listed}",
    )


def percent(share: float | None) -> float | None:
    """A share as percent, None where undefined."""
    return None if share is None else 100.0 * share


def ratio(part: int, whole: int, unit: int = 1) -> float | None:
    """`unit` · part / whole, rounded once; None where the whole is 0."""
    return unit * part / whole if whole else None


def _cell(value: Value) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        return str(value).lower() if isinstance(value, bool) else repr(value)
    text = f"'{value}" if value.startswith(_FORMULA) else value
    return '"' + text.replace('"', '""') + '"' if any(mark in text for mark in _QUOTED) else text


__all__ = ["Table", "Value", "lacking", "percent", "ratio"]
