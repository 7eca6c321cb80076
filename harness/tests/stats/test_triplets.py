from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.stats.checks import StatisticsError
from harness.stats.triplets import (
    EightStates,
    eight_states,
    ra_from_counts,
    ra_ii_from_states,
    triplet_metrics,
)

BITS = st.tuples(st.booleans(), st.booleans(), st.booleans())
NAMES = [f"n_{i:03b}" for i in range(8)]


def states(*counts: int) -> EightStates:
    return EightStates(**dict(zip(NAMES, counts, strict=True)))


@settings(max_examples=50, deadline=None)
@given(st.lists(BITS, max_size=20), st.randoms(use_true_random=False))
def test_metrics_are_the_shares_of_the_bits(bits: list[tuple[bool, ...]], random) -> None:
    rows = [(i, *three) for i, three in enumerate(bits)]
    table = eight_states(rows, "refuse")
    found = triplet_metrics(table.states)
    n, right = len(bits), [three for three in bits if three[0]]
    assert (found.n_triplets, found.n_base_correct) == (n, len(right))

    def share(hits: int, whole: int) -> float | None:
        return hits / whole if whole else None

    assert found.base_accuracy == share(len(right), n)
    assert found.relevant_adaptation == share(sum(r for _, r, _ in right), len(right))
    assert found.irrelevant_invariance == share(sum(i for _, _, i in right), len(right))
    assert found.pfc == share(sum(r for _, r, _ in right), n)
    assert found.psc == share(sum(i for _, _, i in right), n)
    random.shuffle(rows)
    assert eight_states(rows, "refuse") == table


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.booleans(), BITS), min_size=1, max_size=20))
def test_flips_are_those_of_the_letters(items: list[tuple[bool, tuple[bool, ...]]]) -> None:
    """Correctness changes where exactly one of answer and gold changes."""
    rows, flips_relevant, flips_irrelevant = [], 0, 0
    for i, (gold, (base, relevant, irrelevant)) in enumerate(items):
        golds = {"base": gold, "relevant": not gold, "irrelevant": gold}
        answers = {"base": base, "relevant": relevant, "irrelevant": irrelevant}
        rows.append((i, *(answers[item] == golds[item] for item in golds)))
        flips_relevant += answers["relevant"] != answers["base"]
        flips_irrelevant += answers["irrelevant"] != answers["base"]
    found = triplet_metrics(eight_states(rows, "refuse").states)
    assert found.flip_relevant == flips_relevant / len(items)
    assert found.flip_irrelevant == flips_irrelevant / len(items)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(0, 30), min_size=8, max_size=8))
def test_identities(counts: list[int]) -> None:
    given_states = states(*counts)
    found, n = triplet_metrics(given_states), sum(counts)
    if found.n_base_correct:
        assert found.pfc == pytest.approx(found.base_accuracy * found.relevant_adaptation)
        assert found.psc == pytest.approx(found.base_accuracy * found.irrelevant_invariance)
        assert found.joint_low <= found.joint <= found.joint_high
        low = max(0, found.relevant_adaptation + found.irrelevant_invariance - 1)
        assert found.joint_low == pytest.approx(low)
        assert found.joint_high == min(found.relevant_adaptation, found.irrelevant_invariance)
    else:
        assert found.relevant_adaptation is found.irrelevant_invariance is found.joint is None
    if n:
        s = given_states
        stay = s.n_010 + s.n_011 + s.n_100 + s.n_101
        assert found.flip_relevant == pytest.approx(1 - stay / n)
    by_counts = ra_from_counts(n, found.n_base_correct, counts[6] + counts[7])
    by_states = ra_ii_from_states(*counts[4:])
    for other in (by_counts, by_states):
        assert other.n_base_correct == found.n_base_correct
        assert other.relevant_adaptation == found.relevant_adaptation
    assert by_counts.base_accuracy == found.base_accuracy
    assert by_states.irrelevant_invariance == found.irrelevant_invariance


def test_the_bounds_of_the_joint_share_are_reached() -> None:
    apart, together = (
        triplet_metrics(states(0, 0, 0, 0, 0, 4, 6, 0)),
        states(0, 0, 0, 0, 4, 0, 2, 4),
    )
    assert apart.joint == apart.joint_low == 0.0
    found = triplet_metrics(together)
    assert found.joint == found.joint_high == 0.4


def test_published_cells() -> None:
    phi = triplet_metrics(states(0, 0, 6, 8, 6, 22, 14, 144))
    assert (phi.n_triplets, phi.n_base_correct) == (200, 186)
    assert phi.relevant_adaptation == 158 / 186
    assert phi.irrelevant_invariance == 166 / 186
    assert (phi.pfc, phi.psc, phi.flip_relevant, phi.flip_irrelevant) == (0.79, 0.83, 0.79, 0.14)
    gemma = triplet_metrics(states(24, 30, 0, 0, 3, 143, 0, 0))
    assert (gemma.relevant_adaptation, gemma.flip_relevant, gemma.flip_irrelevant) == (
        0,
        0.27,
        0.165,
    )


def test_nothing_is_undefined_and_not_zero() -> None:
    empty = triplet_metrics(eight_states([], "refuse").states)
    assert empty.n_triplets == empty.n_base_correct == 0
    assert empty.base_accuracy is empty.pfc is empty.flip_relevant is None
    assert ra_from_counts(0, 0, 0).base_accuracy is None
    assert ra_from_counts(5, 0, 0).base_accuracy == 0.0
    assert ra_from_counts(5, 0, 0).relevant_adaptation is None
    assert ra_ii_from_states(0, 0, 0, 0).irrelevant_invariance is None


def test_incomplete_triplets_by_policy() -> None:
    rows = [("a", True, None, True), ("b", True, True, True), ("c", None, True, False)]
    dropped = eight_states(rows, "drop")
    assert (dropped.states.n_triplets, dropped.states.n_111) == (1, 1)
    assert (dropped.dropped, dropped.incomplete) == (("a", "c"), "drop")
    wrong = eight_states(rows, "wrong")
    assert (wrong.states.n_101, wrong.states.n_111, wrong.states.n_010) == (1, 1, 1)
    assert wrong.dropped == ()
    with pytest.raises(StatisticsError, match="'a': expected three outcomes") as refused:
        eight_states(rows, "refuse")
    assert refused.value.reason == "incomplete_triplet"


def test_bits_may_be_integers_and_of_numpy() -> None:
    rows = [("a", 1, 0, np.True_), ("b", np.int64(1), True, False)]
    found = eight_states(rows, "refuse").states
    assert (found.n_101, found.n_110) == (1, 1)
    assert eight_states(iter(rows), "refuse").states == found


@pytest.mark.parametrize(
    ("rows", "policy", "reason"),
    [
        ([("a", True, True, True)] * 2, "drop", "duplicate_id"),
        ([("a", None, True, True), ("a", True, True, True)], "drop", "duplicate_id"),
        ([(None, True, True, True)], "drop", "missing_id"),
        ([("a", 2, True, True)], "drop", "not_binary"),
        ([("a", "yes", True, True)], "drop", "not_binary"),
        ([("a", 1.0, True, True)], "drop", "not_binary"),
        ([("a", float("nan"), True, True)], "wrong", "not_binary"),
        ([("a", True, True, True)], "skip", "unknown_variant"),
    ],
)
def test_rows_are_refused(rows: list[Any], policy: str, reason: str) -> None:
    with pytest.raises(StatisticsError) as refused:
        eight_states(rows, policy)
    assert refused.value.reason == reason


def test_a_row_has_three_bits() -> None:
    with pytest.raises(ValueError, match="unpack"):
        eight_states([("a", True, True)], "drop")


@pytest.mark.parametrize("bad", [-1, 1.0, True, None, "1"])
def test_counts_are_refused(bad: Any) -> None:
    for call in (
        lambda: states(0, 0, 0, bad, 0, 0, 0, 0),
        lambda: ra_ii_from_states(0, bad, 0, 0),
        lambda: ra_from_counts(bad, 0, 0),
        lambda: ra_from_counts(5, 3, bad),
    ):
        with pytest.raises(StatisticsError) as refused:
            call()
        assert refused.value.reason == "invalid_count"


@pytest.mark.parametrize("counts", [(5, 6, 0), (5, 3, 4)])
def test_parts_are_not_more_than_their_whole(counts: tuple[int, int, int]) -> None:
    with pytest.raises(StatisticsError) as refused:
        ra_from_counts(*counts)
    assert refused.value.reason == "invalid_count"
