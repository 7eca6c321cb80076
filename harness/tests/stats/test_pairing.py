from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.stats.checks import StatisticsError
from harness.stats.pairing import pair

Rows = list[tuple[str, bool | None]]


def test_every_id_is_a_pair_or_is_listed() -> None:
    a: Rows = [("q1", True), ("q2", False), ("q3", None), ("q4", True), ("q5", True), ("a", True)]
    b: Rows = [("q5", True), ("q4", None), ("q3", True), ("q2", True), ("q1", False), ("b", None)]
    found = pair(a, b, "report")
    assert (found.n11, found.n10, found.n01, found.n00) == (1, 1, 1, 0)
    assert (found.n_pairs, found.difference) == (3, 0.0)
    assert (found.only_a, found.only_b, found.dropped) == (("a",), ("b",), ("q3", "q4"))


def test_lists_are_sorted_whatever_the_order() -> None:
    rows: Rows = [("c", None), ("a", None), ("b", None)]
    assert pair(rows, list(reversed(rows)), "error").dropped == ("a", "b", "c")
    assert pair(rows, [], "report").only_a == ("a", "b", "c")


def test_rows_may_come_one_by_one() -> None:
    rows: Rows = [("q1", True), ("q2", False)]
    found = pair(iter(rows), (row for row in rows[::-1]), "error")
    assert (found.n_pairs, found.n11, found.n00) == (2, 1, 1)


@pytest.mark.parametrize("policy", [None, ["error"], np.array(["error", "report"])])
def test_what_is_no_policy_is_refused(policy: Any) -> None:
    with pytest.raises(StatisticsError) as refused:
        pair([], [], policy)
    assert refused.value.reason == "unknown_policy"


def test_nothing_to_pair() -> None:
    found = pair([], [], "error")
    assert (found.n_pairs, found.difference) == (0, None)
    assert pair([("q1", True)], [("z1", True)], "report").difference is None


@pytest.mark.parametrize("policy", ["error", "report"])
@pytest.mark.parametrize(
    ("a", "b", "reason"),
    [
        ([("q1", True), ("q1", True)], [("q1", True)], "duplicate_id"),
        ([("q1", True)], [("q1", True), ("q1", None)], "duplicate_id"),
        ([("q1", None), ("q1", None)], [], "duplicate_id"),
        ([(None, True)], [], "missing_id"),
        ([], [("", True)], "missing_id"),
        ([("q1", 1)], [("q1", True)], "not_binary"),
        ([("q1", True)], [("q1", float("nan"))], "not_binary"),
    ],
)
def test_bad_rows_are_refused_under_either_policy(
    a: Rows, b: Rows, reason: str, policy: str
) -> None:
    with pytest.raises(StatisticsError, match="expected .* found") as refused:
        pair(a, b, policy)
    assert refused.value.reason == reason


def test_unpaired_ids_are_an_error_that_names_the_first() -> None:
    a: Rows = [(f"q{place}", True) for place in range(7)]
    with pytest.raises(StatisticsError, match="7 only in a .'q0', .*'q4', …. and 1") as refused:
        pair(a, [("z", None)], "error")
    assert refused.value.reason == "unpaired_ids"
    with pytest.raises(StatisticsError) as refused:
        pair(a, a, "drop")
    assert refused.value.reason == "unknown_policy"


CORRECT = st.sampled_from([True, False, None])


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(st.text("abc", min_size=1, max_size=3), st.tuples(CORRECT, CORRECT)))
def test_swapping_the_sides_mirrors_and_order_does_not_matter(
    both: dict[str, tuple[bool | None, bool | None]],
) -> None:
    a: Rows = [(name, values[0]) for name, values in both.items()]
    b: Rows = [(name, values[1]) for name, values in sorted(both.items())]
    one, other = pair(a, b, "error"), pair(b, a[::-1], "error")
    assert (one.n11, one.n10, one.n01, one.n00) == (other.n11, other.n01, other.n10, other.n00)
    assert one.difference is None or one.difference == -(other.difference or 0)
    assert one.n_pairs + len(one.dropped) == len(both)
    assert one.dropped == other.dropped


def test_numpys_bools_are_bools() -> None:
    assert pair([("q", np.bool_(True))], [("q", np.bool_(False))], "error").n10 == 1


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (float("nan"), "missing_id"),
        (None, "missing_id"),
        ("", "missing_id"),
        (1.5, "invalid_id"),
        (True, "invalid_id"),
        (("q", 1), "invalid_id"),
    ],
)
def test_ids_are_texts_or_integers(name: Any, reason: str) -> None:
    with pytest.raises(StatisticsError) as refused:
        pair([("q1", True), (name, True)], [("q1", True)], "report")
    assert refused.value.reason == reason


def test_integers_beside_texts_are_sorted_first() -> None:
    rows = [("b", True), (10, True), ("a", None), (9, None)]
    found = pair(rows, [("a", True), (9, True)], "report")
    assert (found.only_a, found.dropped) == ((10, "b"), (9, "a"))
