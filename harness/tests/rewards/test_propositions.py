"""P1 to P4 of Physics-R1 as properties: what holds of any group, and what does not."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from harness.rewards.advantage import advantages, scale_gap
from harness.rewards.order import order_measures, pair_counts
from harness.rewards.portability import portability_measures
from harness.rewards.proxy import proxy_measures
from harness.rewards.rollouts import Rewarded, Rollout, rewarded
from harness.rewards.spread import alignment, least_alignment, spread_measures
from harness.scoring.policy import Item
from harness.scoring.reward import DenseReward

LIMITS = settings(max_examples=50, deadline=None)
REWARDS = st.lists(st.integers(-64, 64).map(lambda k: k / 64), min_size=2, max_size=16)


def row(
    right: bool = False,
    fmt: bool = False,
    dim: bool = False,
    sym: bool = False,
    off: bool = False,
    *,
    group: str = "q",
    factor: float = 1.0,
) -> Rewarded:
    parts = DenseReward(right * factor, fmt * 0.1, dim * 0.15, sym * 0.2, off * -0.25)
    return Rewarded(group=group, right=right, parts=parts)


def rows(flagged: bool = False, most: int = 10) -> st.SearchStrategy[list[Rewarded]]:
    one = st.builds(
        row,
        *[st.booleans()] * 4,
        st.booleans() if flagged else st.just(False),
        group=st.sampled_from(["q", "r"]),
    )
    return st.lists(one, min_size=2, max_size=most)


def values(measures: list[object]) -> dict[str, float | None]:
    return {m.name: m.value for m in measures}  # type: ignore[attr-defined]


@LIMITS
@given(REWARDS, st.floats(1e-3, 1e3), st.floats(-1e3, 1e3))
def test_p1_a_positive_affine_map_changes_no_advantage(
    rewards: list[float], scale: float, shift: float
) -> None:
    before = advantages(rewards)
    after = advantages([scale * r + shift for r in rewards])
    # Rounding of the rewards themselves: a shift of 1e3 leaves 1e-13 of a step of 1e-3 / 64.
    assert np.allclose(after, before, rtol=0, atol=1e-6)
    assert np.allclose(advantages([-r for r in rewards]), -before, rtol=0, atol=1e-12)


@LIMITS
@given(REWARDS, st.floats(0.01, 100), st.floats(1e-9, 1e-1))
def test_p1_epsilon_breaks_it_by_a_known_amount(
    rewards: list[float], scale: float, eps: float
) -> None:
    assume(len(set(rewards)) > 1)
    sigma = float(np.std(rewards))
    whole = advantages(rewards)
    moved = advantages([scale * r for r in rewards], eps) - advantages(rewards, eps)
    assert np.allclose(np.abs(moved), np.abs(whole) * scale_gap(sigma, eps, scale), atol=1e-9)
    assert scale_gap(sigma, eps, scale) <= eps * abs(1 - 1 / scale) / sigma + 1e-15


@LIMITS
@given(rows(flagged=True))
def test_p1_a_dense_reward_turns_no_right_and_wrong_answer_round(group: list[Rewarded]) -> None:
    found = pair_counts(group)
    assert not found.inverted.any() and not found.made.any()
    assert pair_counts(group[::-1]).broken.sum() == found.broken.sum()


@LIMITS
@given(rows(flagged=True), st.lists(st.sampled_from([0.0, 0.4, 1.0]), min_size=10, max_size=10))
def test_p1_pairs_are_counted_as_they_are_defined(
    group: list[Rewarded], factors: list[float]
) -> None:
    group = [
        replace(r, parts=replace(r.parts, ans=r.parts.ans * factor))
        for r, factor in zip(group, factors, strict=False)
    ]
    counts = dict.fromkeys(("pairs", "inverted", "broken", "made", "failed"), 0)
    for a, b in combinations(group, 2):
        if a.group != b.group:
            continue
        before, after = a.binary - b.binary, a.dense - b.dense
        counts["pairs"] += 1
        counts["inverted"] += before * after < 0
        counts["broken"] += before == 0 != after
        counts["made"] += before != 0 == after
        alone = not any(r.right for r in group if r.group == a.group)
        counts["failed"] += alone and after != 0
    found = pair_counts(group)
    counted = (found.pairs, found.inverted, found.broken, found.made, found.changed_in_all_wrong)
    assert [int(c.sum()) for c in counted] == list(counts.values())


@LIMITS
@given(rows())
def test_p1_without_flagged_items_only_pairs_of_wrong_answers_change(group: list[Rewarded]) -> None:
    found = pair_counts(group)
    assert (found.changed == found.wrong_broken).all()


def test_p1_an_audit_factor_can_turn_a_right_and_a_wrong_answer_round() -> None:
    found = values(order_measures([row(True, factor=0.4), row(fmt=True, dim=True, sym=True)]))
    assert (found["pairs inverted"], found["pairs changed"]) == (1.0, 1.0)
    assert values(order_measures([row(True, factor=0.0), row()]))["ties made"] == 1.0


@LIMITS
@given(rows())
def test_p2_a_dense_reward_orders_wrong_answers_by_their_form(group: list[Rewarded]) -> None:
    found = values(proxy_measures(group))
    assert found["form: dense prefers the one with less"] in (0.0, None)
    assert found["form: dense prefers the one with more"] in (1.0, None)
    assert found["binary: wrong answers with a positive advantage"] in (0.0, None)
    for name in "qr":
        wrong = [r for r in group if r.group == name and not r.right]
        gains = advantages([r.dense for r in wrong])
        assert np.array_equal(
            np.argsort(gains, kind="stable"), np.argsort([r.form for r in wrong], kind="stable")
        )
        assert not advantages([r.binary for r in wrong]).any()


@LIMITS
@given(REWARDS)
def test_p3_every_reward_that_varies_has_the_variance_one(rewards: list[float]) -> None:
    assume(len(set(rewards)) > 1)
    k = len(rewards)
    assert math.fsum(advantages(rewards) ** 2) / k == pytest.approx(1, abs=1e-12)
    of_sample = math.fsum(advantages(rewards, spread="sample") ** 2) / k
    assert of_sample == pytest.approx((k - 1) / k, abs=1e-12)
    sigma, eps = float(np.std(rewards)), 0.05
    shrunk = math.fsum(advantages(rewards, eps) ** 2) / k
    assert shrunk == pytest.approx((sigma / (sigma + eps)) ** 2, abs=1e-12)


@LIMITS
@given(st.lists(st.integers(0, 64).map(lambda k: k / 64), min_size=2, max_size=16))
def test_p3_a_binary_reward_has_the_largest_variance_not_the_least(rewards: list[float]) -> None:
    mean, square = float(np.mean(rewards)), float(np.var(rewards))
    assert square <= mean * (1 - mean) + 1e-12
    binary = set(rewards) <= {0.0, 1.0}
    assert (square == pytest.approx(mean * (1 - mean), abs=1e-12)) is binary


@LIMITS
@given(rows(flagged=True))
def test_p3_right_answers_keep_the_share_of_their_advantage_that_the_alignment_says(
    group: list[Rewarded],
) -> None:
    group = [row_ for row_ in group if row_.group == "q"]
    right = np.array([r.right for r in group], dtype=bool)
    assume(right.any() and not right.all())
    binary, dense = np.array([r.binary for r in group]), np.array([r.dense for r in group])
    kept = alignment(binary, dense)
    assert kept is not None
    of_binary = advantages(binary)[right].mean()
    assert of_binary == pytest.approx(math.sqrt((1 - right.mean()) / right.mean()))
    assert advantages(dense)[right].mean() == pytest.approx(kept * of_binary, abs=1e-12)
    if all(r.parts.cons == 0 for r in group):
        assert kept >= least_alignment(float(right.mean()), 0.45) - 1e-12


def test_p3_the_bound_is_reached() -> None:
    # δ = 2/3: a share of 3/4 of the wrong answers is paid δ.
    dense = np.array([1.0, 2 / 3, 2 / 3, 2 / 3, 0.0])
    found = alignment(np.array([1.0, 0, 0, 0, 0]), dense)
    assert found == pytest.approx(least_alignment(0.2, 2 / 3), abs=1e-12)
    assert least_alignment(0.2, 0.0) == 1.0
    with pytest.raises(ValueError, match="expected a share in"):
        least_alignment(0.0, 0.45)


def test_p3_shaping_may_make_the_variance_smaller() -> None:
    """Every wrong answer in a box: σ falls to 0.9 of binary's, and no advantage changes."""
    group = [row(True, True), row(fmt=True), row(fmt=True)]
    found = values(spread_measures(group))
    assert found["dense: variance of the rewards"] == pytest.approx(0.81 * 2 / 9)
    assert found["dense: mixed groups with a larger variance than binary"] == 0.0
    assert found["dense: alignment with binary in mixed groups"] == pytest.approx(1)


@LIMITS
@given(rows(), st.data())
def test_p4_form_changes_no_binary_reward(group: list[Rewarded], data: st.DataObject) -> None:
    other = [
        row(r.right, *data.draw(st.tuples(*[st.booleans()] * 3)), group=r.group) for r in group
    ]
    found = values(portability_measures(group, other))
    assert found["binary: responses whose reward changes"] == 0.0
    assert found["binary: groups in another order"] == 0.0
    # A right answer is clipped to 1 whatever its form; only wrong ones are paid otherwise.
    changed = sum(a.dense != b.dense for a, b in zip(group, other, strict=True))
    assert found["dense: responses whose reward changes"] == changed / len(group)
    assert all(a.dense == b.dense for a, b in zip(group, other, strict=True) if a.right)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(1, 9999), min_size=2, max_size=6), st.sampled_from(["", " m", " kg"]))
def test_p4_the_form_decides_by_match_and_not_by_the_harness(said: list[int], unit: str) -> None:
    item = Item(kind="number", gold=f"{said[0]}{unit}")
    rollouts = [
        Rollout(group="q", item=item, text=f"So we get \\boxed{{{n}{unit}}}.") for n in said
    ]
    forms = ("boxed", "tagged", "stated")
    ours = [[r.right for r in rewarded(rollouts, policy="default", form=f)] for f in forms]
    assert ours[0] == ours[1] == ours[2] == [abs(n - said[0]) * 100 <= said[0] for n in said]
    published = [[r.right for r in rewarded(rollouts, form=f)] for f in forms]
    assert published[0] == [abs(n - said[0]) * 100 < said[0] for n in said]
    assert not any(published[1]) and not any(published[2])
    paid = [[r.dense for r in rewarded(rollouts, policy="default", form=f)] for f in forms]
    assert all(b - a > 0.09 for a, b, r in zip(paid[1], paid[0], ours[0], strict=True) if not r)
