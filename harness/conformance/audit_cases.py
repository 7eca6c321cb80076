"""Pairs of texts with a known Jaccard index, from strings and through the join."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from harness.audit import kernel
from harness.audit.index import build_index
from harness.audit.join import audit_block
from harness.audit.shingles import jaccard, shingles
from harness.data.records import read_records
from harness.errors import DataError

_KEYS = ("id", "a", "b", "expected_jaccard", "flag_at_0.4")


def audit_faults(rows: Sequence[Mapping[str, Any]], child: object = None) -> Iterator[str | None]:
    """Join each pair: None where all comes out as expected, else one line that says how not.

    Parameters
    ----------
    rows : id, a, b (texts), expected_jaccard (an exact fraction such as "2/5") and flag_at_0.4
        (whether the pair is a hit at J ≥ 2/5), as `audit_rows` gives them. Tokenizer
        `unicode-v1`, 5-grams. Either text is joined with the other, by every engine there is.
    child : not needed: no case can keep this process busy.
    """
    engines = ["numpy", *(["numba"] if kernel.available() else [])]
    for row in rows:
        expected, flagged = Fraction(row["expected_jaccard"]), row["flag_at_0.4"]
        found = jaccard(shingles(row["a"]), shingles(row["b"]))
        hits = {}
        for engine in engines:
            for train, item in (("a", "b"), ("b", "a")):
                index = build_index({"case": [row[item]]}, engine=engine)
                hit = audit_block([row[train]], index, engine=engine).hits
                hits[f"{engine}, {train} against {item}"] = hit[0].jaccard if hit else None
        wrong = [] if found == expected else [f"J {found} of the strings"]
        due = expected if flagged else None
        wrong += [
            f"{'no hit' if value is None else f'a hit of {value}'} by {way}"
            for way, value in hits.items()
            if value != due
        ]
        where = ascii(row["id"])[:60]
        yield (
            f"{where}: expected J {expected}, {'a' if flagged else 'no'} hit at 2/5, found "
            + "; ".join(wrong)
            if wrong
            else None
        )


def audit_rows(path: Path) -> list[dict[str, Any]]:
    """The cases of a file.

    Raises
    ------
    DataError
        For a file without cases, and for a case that cannot be one, by its number.
    """
    rows = read_records(path, {})
    if not rows:
        raise DataError(f"{path.name}: expected at least one case, found none")
    for number, row in enumerate(rows, start=1):
        where = f"{path.name}: case {number}"
        lacking = [key for key in _KEYS if key not in row]
        if lacking:
            raise DataError(f"{where} lacks {', '.join(lacking)}")
        for key in ("a", "b"):
            if not isinstance(row[key], str):
                raise DataError(f"{where}: {key}: expected a text, found {ascii(row[key])[:60]}")
        try:
            row["expected_jaccard"] = Fraction(str(row["expected_jaccard"]))
        except (ValueError, ZeroDivisionError):
            found = ascii(row["expected_jaccard"])[:60]
            raise DataError(
                f'{where}: expected_jaccard: expected a fraction such as "2/5", found {found}'
            ) from None
        if not isinstance(row["flag_at_0.4"], bool):
            raise DataError(
                f"{where}: flag_at_0.4: expected true or false, found "
                f"{ascii(row['flag_at_0.4'])[:60]}"
            )
    return rows


__all__ = ["audit_faults", "audit_rows"]
