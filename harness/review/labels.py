"""Filled-in sheets held against their sample: what a summary may be made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from harness.review.manifest import edited
from harness.review.sheet import ANNOTATORS, FILLED_IN
from harness.review.taxonomy import LABELS

Sheet = Sequence[Mapping[str, str]]


class Judged(NamedTuple):
    """The labels of one row; `adjudicated` is None where the annotators agree and none is given."""

    id: str
    condition: str
    annotator_1: str
    annotator_2: str
    adjudicated: str | None

    @property
    def agreed(self) -> bool:
        return self.annotator_1 == self.annotator_2

    @property
    def final(self) -> str:
        """The label that counts: the adjudicated one, else that of both annotators."""
        return self.annotator_1 if self.adjudicated is None else self.adjudicated


def judged(manifest: Mapping[str, Any], sheets: Sequence[Sheet]) -> tuple[list[Judged], list[str]]:
    """Take the labels of a sample from its sheets, and name all that is wrong with them.

    Parameters
    ----------
    manifest : of `harness.review.manifest.read_manifest`.
    sheets : of `harness.review.sheet.read_sheet`, at least one, each with every row. A label
        may stand in any of them; two different ones for one place are a fault.

    Returns
    -------
    list of Judged, and list of str
        The rows in the order of the sample, those with a fault left out; and the faults, each
        with the id of its row: missing, twice, foreign, edited, or with a label that is blank,
        not one of P, F, R, A, U, or not adjudicated although the annotators differ. Only
        without any fault may the rows be summarised.
    """
    faults: list[str] = []
    by_sheet: list[dict[str, Mapping[str, str]]] = []
    for number, sheet in enumerate(sheets, start=1):
        where = f" (sheet {number})" if len(sheets) > 1 else ""
        faults += [f"{fault}{where}" for fault in _foreign(manifest, sheet)]
        by_sheet.append({row["id"]: row for row in sheet})
    rows = []
    for entry in manifest["rows"]:
        # An id that is missing has been named.
        found = [rows_by_id[entry["id"]] for rows_by_id in by_sheet if entry["id"] in rows_by_id]
        marks = {name: sorted({_label(row[name]) for row in found} - {""}) for name in _MARKS}
        wrong = list(_wrong(marks)) if found else []
        faults += [f"{entry['id']}: {fault}" for fault in wrong]
        if found and not wrong:
            one, two, last = (marks[name] for name in _MARKS)
            rows.append(
                Judged(entry["id"], entry["condition"], one[0], two[0], last[0] if last else None)
            )
    return rows, faults


_MARKS = FILLED_IN[:3]


def _foreign(manifest: Mapping[str, Any], sheet: Sheet) -> Iterator[str]:
    """Rows that are not exactly those of the sample."""
    counts = Counter(row["id"] for row in sheet)
    known = {entry["id"]: entry["columns"] for entry in manifest["rows"]}
    for name in known:
        if counts[name] != 1:
            yield f"{name}: expected one row of it, found {counts[name] or 'none'}"
    for name in sorted(set(counts) - set(known)):
        yield f"{name!r}: expected ids of this sample alone, found one that is not in it"
    for row in sheet:
        changed = edited(row, known.get(row["id"], {}))
        if changed:
            names = ", ".join(changed)
            yield f"{row['id']}: expected labels alone to be filled in, found edited: {names}"


def _label(text: str) -> str:
    return text.strip().upper()


def _wrong(marks: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for name, found in marks.items():
        if len(found) > 1:
            yield f"{name}: expected one label, found {' and '.join(found)} in different sheets"
        elif found and found[0] not in LABELS:
            yield f"{name}: expected one of {', '.join(LABELS)}, found {found[0]!r:.40}"
        elif not found and name in ANNOTATORS:
            yield f"{name}: expected one of {', '.join(LABELS)}, found a blank"
    one, two, last = (marks[name] for name in _MARKS)
    # Other faults of the two have been named.
    valid = all(len(found) == 1 and found[0] in LABELS for found in (one, two))
    if valid and one != two and not last:
        yield "adjudicated: expected a label where the annotators differ, found a blank"


__all__ = ["Judged", "judged"]
