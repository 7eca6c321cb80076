"""Accuracy by native difficulty."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.errors import DataError
from harness.saturation.levels import by_level, levels_of_cell
from harness.tests.gates.made_cells import examples, result


def test_levels_are_sorted_by_value_and_read_by_their_intervals() -> None:
    counts = {
        "10": (0, 100),
        "1": (5, 8),
        "2": (200, 200),
        "3": (10, 10),
        "hard": (1, 2),
        "9": (0, 10),
    }
    rows = [(name, n < right) for name, (right, total) in counts.items() for n in range(total)]
    table = by_level(rows, 0.95)
    assert [(row["level"], row["reading"]) for row in table.rows] == [
        ("1", "tells apart"),
        ("2", "saturated"),
        ("3", "tells apart"),
        ("9", "tells apart"),
        ("10", "out of reach"),
        ("hard", "tells apart"),
    ]
    assert table.rows[0]["accuracy_pct"] == 62.5
    assert by_level([], 0.95).rows == ()
    with pytest.raises(ValueError, match="floor < ceiling"):
        by_level([], 0.95, floor=0.9, ceiling=0.5)


def test_levels_of_a_cell() -> None:
    items = [replace(e, tags=("x", f"difficulty:{n}")) for n, e in enumerate(examples(4))]
    cell = result(["yes", "no", "no", "error"], items=items)
    assert list(levels_of_cell(cell)) == [("0", True), ("1", True), ("2", False)]
    loose = result(["yes", "no"], items=[items[0], replace(items[1], tags=("x",))])
    assert list(levels_of_cell(loose, "not graded")) == [("0", True), ("not graded", True)]
    for tags in ((), ("difficulty:1", "difficulty:2")):
        bad = result(["yes"], items=[replace(items[0], tags=tags)])
        with pytest.raises(DataError, match="expected one tag"):
            levels_of_cell(bad)
