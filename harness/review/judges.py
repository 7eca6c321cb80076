"""`python -m harness judges`: may stored verdicts of judges be read, and what do they say?

One JSON or JSONL record a judged answer: judge, model, data, id; reply (the judge's text) or
verdict (true, false, null); strict, or response and gold; perhaps judgeable and problem.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from harness.data.records import read_records
from harness.drift.judged import drift_of_judges
from harness.drift.tables import DriftSettings
from harness.errors import AssayError, DataError
from harness.judging.gates import MAX_UNDECIDED, MIN_KAPPA
from harness.judging.protocol import judge_protocol
from harness.judging.rows import judge_rows
from harness.judging.verdicts import STRICT_RULES, UNDECIDED
from harness.output import written
from harness.table import Table


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge the judges.

    The exit status is 0 for GO, 1 for NO-GO with the reasons, 2 for an error.
    """
    parser = argparse.ArgumentParser(
        prog="python -m harness judges",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", type=Path, nargs="+", metavar="VERDICTS")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="tables and verdict; new")
    parser.add_argument(
        "--family",
        type=_family,
        action="append",
        default=[],
        metavar="NAME=FAMILY",
        help="of a judge or model whose name does not say it; repeat it",
    )
    parser.add_argument(
        "--pair",
        type=_pair,
        action="append",
        default=[],
        metavar="DATA=DATA",
        help="original and translated data set with the same ids: their drift, judge by judge",
    )
    parser.add_argument(
        "--alternative",
        choices=("greater", "less"),
        default="greater",
        help="side of the sign test",
    )
    parser.add_argument("--strict-rule", choices=STRICT_RULES, default=STRICT_RULES[0])
    parser.add_argument("--undecided", choices=UNDECIDED, default=UNDECIDED[0])
    parser.add_argument("--max-undecided", type=float, default=MAX_UNDECIDED, metavar="SHARE")
    parser.add_argument("--min-kappa", type=float, default=MIN_KAPPA, metavar="KAPPA")
    parser.add_argument("--level", type=float, default=0.95)
    given = parser.parse_args(arguments)
    return written(lambda: _guarded(given), "judges")


def _guarded(given: argparse.Namespace) -> int:
    try:
        return _judge(given)
    except (AssayError, OSError, ValueError) as error:
        print(f"judges: {error}".encode("ascii", "backslashreplace").decode(), file=sys.stderr)
        return 2


def _judge(given: argparse.Namespace) -> int:
    if given.out is not None and given.out.exists() and any(given.out.iterdir()):
        raise DataError(f"--out: expected a new or an empty folder, found {given.out.name}")
    records = [record for path in given.files for record in read_records(path, {})]
    rows = judge_rows(records, strict_rule=given.strict_rule, undecided=given.undecided)
    if not rows:
        raise DataError("expected verdicts, found no record")
    verdict = judge_protocol(
        rows,
        level=given.level,
        known=dict(given.family),
        max_undecided=given.max_undecided,
        min_kappa=given.min_kappa,
    )
    tables = list(verdict.tables)
    if given.pair:
        settings = DriftSettings(
            pairs=tuple(given.pair), alternative=given.alternative, level=given.level
        )
        tables.append(drift_of_judges(rows, settings))
    if given.out is not None:
        given.out.mkdir(parents=True, exist_ok=True)
        for table in tables:
            (given.out / f"{table.name}.csv").write_text(table.to_csv(), encoding="utf-8")
            (given.out / f"{table.name}.json").write_text(table.to_json(), encoding="ascii")
        issues = [{"code": i.code, "where": i.where, "message": i.message} for i in verdict.issues]
        found = {"go": verdict.go, "issues": issues, "facts": dict(verdict.facts)}
        text = json.dumps(found, indent=1, sort_keys=True)
        (given.out / "verdict.json").write_text(text + "\n", encoding="ascii")
    for table in tables:
        if table.rows:
            _say(f"# {table.name}\n{_rounded(table).to_csv()}{table.note}\n")
    for issue in verdict.issues:
        _say(str(issue))
    _say("GO" if verdict.go else f"NO-GO: {len(verdict.issues)} reason(s)")
    return 0 if verdict.go else 1


def _pair(text: str) -> tuple[str, str]:
    first, _, second = text.partition("=")
    if not first or not second or first == second:
        raise argparse.ArgumentTypeError(f"expected ORIGINAL=TRANSLATED, found {text!r}")
    return first, second


def _rounded(table: Table) -> Table:
    """As people read it; the files keep every digit."""
    rows = tuple(
        {key: round(value, 4) if isinstance(value, float) else value for key, value in row.items()}
        for row in table.rows
    )
    return replace(table, rows=rows)


def _family(text: str) -> tuple[str, str]:
    name, _, kind = text.rpartition("=")
    if not name or not kind:
        raise argparse.ArgumentTypeError(f"expected NAME=FAMILY, found {text!r}")
    return name, kind


def _say(message: str) -> None:
    sys.stdout.buffer.write(f"{message}\n".encode("utf-8", "backslashreplace"))


if __name__ == "__main__":
    sys.exit(main())

__all__ = ["main"]
