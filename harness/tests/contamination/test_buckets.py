"""Precision by cosine: borders of buckets, undecided candidates, the published unit."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.audit.buckets import EDGES, bucket_table, counted_table, scaled_edges, units
from harness.audit.pairs import Candidate, Label
from harness.errors import DataError


def lines(rows: Any, **options: Any) -> dict[str, tuple[Any, ...]]:
    columns = ("candidates", "duplicates", "neighbours", "undecided", "precision")
    table = bucket_table(rows, **options)
    return {str(row["bucket"]): tuple(row[c] for c in columns) for row in table.rows}


def test_borders_belong_to_the_upper_bucket() -> None:
    cosines = (1.0, 1.0 + 5e-7, 0.95, math.nextafter(0.95, 0), 0.9, 0.87, 0.85)
    found = lines([(cosine, True) for cosine in cosines])
    assert {name: line[0] for name, line in found.items()} == {
        "[0.95, 1]": 3, "[0.9, 0.95)": 2, "[0.87, 0.9)": 1, "[0.85, 0.87)": 1, "all": 7,
    }  # fmt: skip


def test_undecided_and_stage_1_stand_apart() -> None:
    rows = [(0.96, True), (0.96, None), (0.86, None), (None, True), (None, False), (0.5, False)]
    assert lines(rows) == {
        "[0.95, 1]": (2, 1, 0, 1, 1.0),
        "[0.9, 0.95)": (0, 0, 0, 0, None),
        "[0.87, 0.9)": (0, 0, 0, 0, None),
        "[0.85, 0.87)": (1, 0, 0, 1, None),
        "below 0.85": (1, 0, 1, 0, 0.0),
        "stage 1 only": (2, 1, 1, 0, 0.5),
        "all": (6, 2, 2, 2, 0.5),
    }
    assert list(lines([])) == [*("[0.95, 1]", "[0.9, 0.95)", "[0.87, 0.9)", "[0.85, 0.87)"), "all"]
    empty = bucket_table([]).rows[-1]
    assert (empty["precision"], empty["precision_low"], empty["precision_high"]) == (None, 0.0, 1.0)
    assert "2 undecided" in bucket_table(rows).note


def test_a_unit_takes_its_cosine_from_the_nearest_and_its_label_from_any() -> None:
    def pair(row: int, item: int, cosine: float | None, label: Label | None) -> Any:
        return Candidate(row, "s" if item < 9 else "t", item, cosine=cosine), label

    found = units(
        [
            pair(2, 1, 0.86, "duplicate"),
            pair(2, 0, 0.93, "neighbour"),
            pair(2, 9, 0.99, "neighbour"),
            pair(1, 0, None, None),
            pair(1, 1, 0.88, "neighbour"),
            pair(3, 0, None, "duplicate"),
            pair(3, 1, None, None),
        ]
    )
    assert [(u.row, u.eval_set, u.cosine, u.duplicate) for u in found] == [
        (1, "s", 0.88, None), (2, "s", 0.93, True), (2, "t", 0.99, False), (3, "s", None, True),
    ]  # fmt: skip
    assert units([]) == ()


def test_edges_of_other_thresholds() -> None:
    assert scaled_edges(0.85) == EDGES
    assert scaled_edges(0.0) == (0.667, 0.333, 0.133, 0.0)
    assert scaled_edges(0.9999) == (0.9999,)
    for threshold in (0.3, 0.71, 0.999, -0.5):
        edges = scaled_edges(threshold)
        assert edges[-1] == threshold and list(edges) == sorted(set(edges), reverse=True)
        assert lines([(threshold, True), (1.0, False)], edges=edges)["all"][0] == 2
    for threshold in (1.0, -1.0, math.nan):
        with pytest.raises(DataError, match="threshold: expected a cosine"):
            scaled_edges(threshold)


@settings(max_examples=50, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.one_of(st.none(), st.floats(-1, 1, width=32)),
            st.sampled_from([True, False, None]),
        ),
        max_size=30,
    )
)
def test_nothing_is_lost(rows: list[tuple[float | None, bool | None]]) -> None:
    *parts, together = bucket_table(rows).rows
    for column in ("candidates", "duplicates", "neighbours", "undecided"):
        assert sum(int(str(row[column])) for row in parts) == together[column]
    assert together["candidates"] == len(rows)
    for row in (*parts, together):
        decided = int(str(row["duplicates"])) + int(str(row["neighbours"]))
        share = Fraction(int(str(row["duplicates"])), decided) if decided else None
        assert row["precision"] == (None if share is None else float(share))


def test_what_is_refused() -> None:
    for edges in ((), (0.9, 0.9), (0.8, 0.9), (1.2, 0.9), (0.5, -2.0), (math.nan,)):
        with pytest.raises(DataError, match="edges: expected cosines"):
            bucket_table([], edges)
    for cosine in (math.nan, math.inf, 1.1, -1.1):
        with pytest.raises(DataError, match="expected a cosine in"):
            bucket_table([(cosine, True)])
    for counts in ([(1, 2)], [(3, 2), (0, 0), (0, 0), (0, 0)]):
        with pytest.raises(DataError, match="duplicates and candidates of 4 buckets"):
            counted_table(counts)
