"""Labels that somebody gave: a file of keys and labels takes the place of a judge."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from harness.audit.pairs import Label, Opinion, Pair
from harness.errors import DataError

_LABELS: Mapping[str, Label] = {"duplicate": "duplicate", "neighbour": "neighbour"}
_UNDECIDED = ("", "undecided")
_FIELDS = "key (row/set/item), label (duplicate, neighbour or undecided) and perhaps reason"


class LabelsJudge:
    """A judge that looks its opinions up.

    Parameters
    ----------
    labels : label and reason by the key of the candidate.
    name : of the judge.
    """

    def __init__(
        self, labels: Mapping[str, tuple[Label | None, str]], name: str = "labels"
    ) -> None:
        self._labels = dict(labels)
        self.name = name

    @property
    def keys(self) -> frozenset[str]:
        """Pairs that it has a line for."""
        return frozenset(self._labels)

    def judge(self, pairs: Sequence[Pair]) -> list[Opinion]:
        """One opinion for each pair; a pair without a label is undecided, and the reason says so.

        Examples
        --------
        >>> judge = LabelsJudge({"0/mini/1": ("duplicate", "same problem")})
        >>> [one.label for one in judge.judge([Pair("0/mini/1", "", ""), Pair("9/mini/1", "", "")])]
        ['duplicate', None]
        """
        lacking = (None, "the file of labels has none for this pair")
        return [
            Opinion(pair.key, self.name, *self._labels.get(pair.key, lacking)) for pair in pairs
        ]


def read_labels(path: Path, name: str = "") -> LabelsJudge:
    """Read a file of labels.

    Parameters
    ----------
    path : JSONL of objects, or CSV with a head line where its name ends in `.csv`; fields `key`
        (as an audit's `pairs.jsonl` has it), `label` and, if need be, `reason`; others are left
        alone. An empty label and `undecided` leave a pair open.
    name : of the judge; "labels:" and the file's name if empty.

    Raises
    ------
    DataError
        For a file that cannot be read, a broken line, a missing field, an unknown label and a
        key with two different labels, by line.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = "text in UTF-8" if isinstance(error, UnicodeDecodeError) else "a readable file"
        raise DataError(
            f"labels {path.name}: expected {why}, found {type(error).__name__}; give a JSONL or "
            f"CSV file of {_FIELDS}"
        ) from None
    rows = (
        _csv_rows(text, path.name) if path.suffix.lower() == ".csv" else _json_rows(text, path.name)
    )
    labels: dict[str, tuple[Label | None, str]] = {}
    for number, row in rows:
        where = f"labels {path.name}:{number}"
        key, label, reason = (row.get(field) for field in ("key", "label", "reason"))
        if not isinstance(key, str) or not key.strip() or "label" not in row:
            raise DataError(f"{where}: expected {_FIELDS}, found {sorted(map(str, row))}")
        said = "" if label is None else str(label).strip()
        if said not in _LABELS and said not in _UNDECIDED:
            raise DataError(
                f"{where}: expected the label duplicate, neighbour or undecided, found {said!r}"
            )
        told = str(reason or "").strip()
        found = _LABELS.get(said), told or ("" if said in _LABELS else "left undecided")
        if key in labels and labels[key][0] != found[0]:
            raise DataError(f"{where}: expected one label for {key}, found a second one, {said!r}")
        labels.setdefault(key, found)
    return LabelsJudge(labels, name or f"labels:{path.name}")


def _json_rows(text: str, name: str) -> Iterator[tuple[int, Mapping[str, object]]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise DataError(
                f"labels {name}:{number}: expected one JSON object, found {line[:80]!r}"
            )
        yield number, value


def _csv_rows(text: str, name: str) -> Iterator[tuple[int, Mapping[str, object]]]:
    reader = csv.DictReader(io.StringIO(text, newline=""))
    try:
        for row in reader:
            yield reader.line_num, {key: value for key, value in row.items() if key is not None}
    except csv.Error as error:
        raise DataError(f"labels {name}:{reader.line_num}: expected CSV, found: {error}") from None


__all__ = ["LabelsJudge", "read_labels"]
