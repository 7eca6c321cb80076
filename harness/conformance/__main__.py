"""`python -m harness.conformance`: scorer, statistics and audit against known answers."""

from __future__ import annotations

import argparse
import string
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.conformance.audit_cases import audit_faults, audit_rows
from harness.conformance.child import GradingChild
from harness.conformance.statistics_cases import statistics_faults, statistics_rows
from harness.data.records import read_records
from harness.errors import AssayError, DataError
from harness.output import written

LIMIT_S = 2.0
_KINDS = {
    "mcq": "choice",
    "letter_or_text": "choice",
    "yesno": "yesno",
    "numeric": "number",
    "symbolic": "expression",
    "free": "text",
}
_CHECKS = ("exact", "null", "span", "skip")
_SCORER_KEYS = (
    *("id", "kind", "response", "choices", "gold"),
    *("expected_extracted", "expected_correct", "extracted_check"),
)
_EXTRACTION_KEYS = ("name", "response", "options", "gold")
_SHOWN = 60


def scorer_faults(rows: Sequence[Mapping[str, Any]], child: GradingChild) -> Iterator[str | None]:
    """Grade each case: None where it comes out as expected, else one line that says how not.

    Parameters
    ----------
    rows : id, kind (mcq, letter_or_text, yesno, numeric, symbolic, free), response, choices
        (texts, A first, or None), gold, expected_extracted, expected_correct, and
        extracted_check: `exact` the value must be the expected string, `null` nothing may be
        read, `span` something must be read, `skip` the value is free. `exact` true asks
        numbers to match exactly. Choices of None stand for A to D without texts, or up to the
        gold letter where that is later.
    child : where the scorer runs.
    """
    for row in rows:
        where = f"{_short(row['id'])} [{_short(row['kind'])}]"
        kind = _KINDS.get(str(row["kind"]))
        if kind is None:
            yield f"{where}: expected one of the kinds {', '.join(_KINDS)}"
            continue
        found = child.ask(
            {
                "kind": kind,
                "text": row["response"],
                "choices": _choices(kind, row["choices"], row["gold"]),
                "gold": row["gold"],
                "exact": row.get("exact") is True,
            },
            LIMIT_S,
        )
        yield None if _as_expected(row, found) else f"{where}: {_expected(row)}, {_found(found)}"


def extraction_faults(
    rows: Sequence[Mapping[str, Any]], child: GradingChild
) -> Iterator[str | None]:
    """Read each case's letter: None where it is the gold, else one line that says what is.

    Parameters
    ----------
    rows : name, response, options (letter to text, or texts with A first, or None) and gold: a
        letter, or None where no answer may be read.
    child : where the scorer runs.
    """
    for row in rows:
        choices = _choices("choice", row["options"], row["gold"])
        found = child.ask({"kind": "choice", "text": row["response"], "choices": choices}, LIMIT_S)
        if "error" not in found and found["value"] == row["gold"]:
            yield None
        else:
            expected = "nothing read" if row["gold"] is None else _short(row["gold"])
            yield f"{_short(row['name'])} [choice]: expected {expected}, {_found(found)}"


def _choices(kind: str, given: Any, gold: Any) -> list[str]:
    """Texts, A first; letters without a text, between or before the given ones, are empty."""
    letters = string.ascii_uppercase
    if given is None and kind == "choice":
        place = letters.find(gold) if isinstance(gold, str) and len(gold) == 1 else -1
        return [""] * max(4, place + 1)
    if isinstance(given, Mapping):
        texts = {str(letter).strip().upper(): text for letter, text in given.items()}
        if all(len(letter) == 1 and letter in letters for letter in texts):
            last = max((letters.index(letter) for letter in texts), default=-1)
            return [texts.get(letter, "") for letter in letters[: last + 1]]
        return list(given.values())
    return list(given or ())


def _as_expected(row: Mapping[str, Any], found: Mapping[str, Any]) -> bool:
    if "error" in found or found["correct"] is not row["expected_correct"]:
        return False
    match row["extracted_check"]:
        case "exact":
            return bool(found["value"] == row["expected_extracted"])
        case "null":
            return found["value"] is None
        case "span":
            return found["value"] is not None
    return True


def _expected(row: Mapping[str, Any]) -> str:
    value = {
        "exact": _short(row["expected_extracted"]),
        "null": "nothing read",
        "span": f"an answer such as {_short(row['expected_extracted'])}",
        "skip": "any answer",
    }[row["extracted_check"]]
    right = "right" if row["expected_correct"] else "wrong"
    return f"gold {_short(row['gold'])}, expected {value}, {right}"


def _found(found: Mapping[str, Any]) -> str:
    if "error" in found:
        return f"found {_plain(found['error'])}"
    value = "nothing" if found["value"] is None else _short(found["value"])
    line = f"found {value} by {_plain(found['rule'])}"
    if "correct" in found:
        compared = f" by {_plain(found['compared'])}" if found["compared"] else ""
        right = "right" if found["correct"] else "wrong"
        line += f", {_plain(found['outcome'])}, {right}{compared}"
    return line


def _plain(text: Any) -> str:
    return ascii(str(text))[1:-1][: 4 * _SHOWN]


def _short(value: Any) -> str:
    text = ascii(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _rows(path: Path, keys: Sequence[str]) -> list[dict[str, Any]]:
    rows = read_records(path, {})
    if not rows:
        raise DataError(f"{path.name}: expected at least one case, found none")
    for number, row in enumerate(rows, start=1):
        lacking = [key for key in keys if key not in row]
        if lacking:
            raise DataError(f"{path.name}: case {number} lacks {', '.join(lacking)}")
        if "extracted_check" in keys and row["extracted_check"] not in _CHECKS:
            raise DataError(
                f"{path.name}: case {number}: extracted_check: expected one of "
                f"{', '.join(_CHECKS)}, found {_short(row['extracted_check'])}"
            )
        if "expected_correct" in keys and not isinstance(row["expected_correct"], bool):
            raise DataError(
                f"{path.name}: case {number}: expected_correct: expected true or false, found "
                f"{_short(row['expected_correct'])}"
            )
        for key in ("choices", "options"):
            if not isinstance(row.get(key), list | dict | None):
                raise DataError(
                    f"{path.name}: case {number}: {key}: expected a list, an object or null, "
                    f"found {_short(row[key])}"
                )
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a file of cases; the exit status is 0, 1 for any failed case, 2 for a bad file
    or an output that cannot be written.

    One line on standard output per failed case, and last `N passed, N failed`. Each case has
    two seconds in a child process, one of the statistics thirty; the child is replaced when a
    case takes longer or kills it, and starting it is not counted. The audit's cases are joined
    in this process.
    """
    parser = argparse.ArgumentParser(prog="python -m harness.conformance", description=__doc__)
    parser.add_argument("format", choices=("scorer", "extraction", "stats", "audit"))
    parser.add_argument("file", type=Path, metavar="FILE")
    given = parser.parse_args(arguments)
    return written(lambda: _run(given.format, given.file), "conformance")


def _run(form: str, file: Path) -> int:
    try:
        rows: list[Any]
        match form:
            case "scorer":
                rows, faults = _rows(file, _SCORER_KEYS), scorer_faults
            case "extraction":
                rows, faults = _rows(file, _EXTRACTION_KEYS), extraction_faults
            case "audit":
                rows, faults = audit_rows(file), audit_faults
            case _:
                rows, faults = statistics_rows(file), statistics_faults
        n_failed = 0
        with GradingChild("statistics" if form == "stats" else "scorer") as child:
            for fault in faults(rows, child):
                n_failed += fault is not None
                if fault is not None:
                    print(fault, flush=True)
    except AssayError as error:
        print(ascii(" ".join(str(error).split()))[1:-1], file=sys.stderr)
        return 2
    print(f"{len(rows) - n_failed} passed, {n_failed} failed")
    return 1 if n_failed else 0


if __name__ == "__main__":
    sys.exit(main())

__all__ = ["LIMIT_S", "extraction_faults", "main", "scorer_faults"]
