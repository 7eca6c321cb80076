"""Other harnesses' rows under our scorer, and two models pair by pair."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from harness.bridge.comparing import compare, rescore
from harness.bridge.faults import BridgeError
from harness.bridge.rows import Row
from harness.stats.checks import StatisticsError

ROWS = tuple(
    Row(id=f"t:{n}", task="t", question="?", gold="yes", text=text, theirs=theirs)
    for n, (text, theirs) in enumerate(
        [("Yes.", 1.0), ("yes", 0.0), ("No, not at all.", 0.0), ("perhaps", 1.0), ("Yes", None)]
    )
)
FAILED = Row(
    id="t:5", task="t", question="?", gold="yes", text=None, status="error", error="x", theirs=0.0
)


def test_rescoring_lists_where_the_two_scorers_differ() -> None:
    found = rescore([*ROWS, FAILED], "yesno")
    assert (found.ours.n_rows, found.ours.n_counted, found.ours.n_correct) == (6, 5, 3)
    assert found.theirs == 0.4
    assert found.n_theirs == 5
    # The failed row is in no denominator of ours, so it is not compared either.
    assert found.n_both == 4
    assert found.differ == ("t:1", "t:3")
    json.dumps(found.document(), allow_nan=False)


def test_a_fraction_is_neither_right_nor_wrong() -> None:
    assert rescore([replace(ROWS[0], theirs=0.5)], "yesno").n_both == 0


def test_two_models_are_paired_by_id() -> None:
    other = [replace(row, text="no") for row in ROWS]
    found = compare(ROWS, list(reversed(other)), "yesno")
    assert (found.pairs.n10, found.pairs.n01, found.pairs.n_pairs) == (3, 0, 5)
    assert found.test.difference.value == -0.6
    assert found.test.p == 0.25
    json.dumps(found.document(), allow_nan=False)


def test_a_row_that_failed_drops_its_pair() -> None:
    found = compare([*ROWS, FAILED], [*ROWS, replace(FAILED, text="yes", status="ok")], "yesno")
    assert found.pairs.dropped == ("t:5",)


def test_unpaired_rows_are_refused_or_reported() -> None:
    with pytest.raises(StatisticsError, match="only in a"):
        compare(ROWS, ROWS[1:], "yesno")
    assert compare(ROWS, ROWS[1:], "yesno", on_unpaired="report").pairs.only_a == ("t:0",)


def test_replicates_are_no_pairs() -> None:
    with pytest.raises(BridgeError, match="found replicates"):
        compare([*ROWS, replace(ROWS[0], replicate=1)], ROWS, "yesno")
