import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.scoring.reward import (
    Balance,
    binary_reward,
    dense_reward,
    extract_boxed,
    group_advantages,
    pair_flips,
)

REWARDS = st.lists(st.floats(-1, 1), min_size=2, max_size=16)
RIGHT = "With $a = \\frac{F}{m}$ we get \\boxed{3 \\text{ m/s}^2}"


def test_extract_boxed_takes_the_last_closed_box() -> None:
    assert extract_boxed("\\boxed{1} \\boxed{\\frac{1}{2}}") == "\\frac{1}{2}"
    assert extract_boxed("none") is None


@pytest.mark.parametrize(
    ("text", "gold", "reward"),
    [
        ("\\boxed{3}", "3", 1.0),
        ("\\boxed{3.02}", "3", 1.0),
        ("\\boxed{4}", "3", 0.0),
        ("3", "3", 0.0),
        ("The answer is C", "C", 1.0),
        ("\\boxed{E}", "E", 1.0),
        ("\\boxed{}", "", 0.0),
    ],
)
def test_binary(text: str, gold: str, reward: float) -> None:
    assert binary_reward(text, gold) == reward


def test_components_add_up_and_are_clipped() -> None:
    found = dense_reward(RIGHT, "3")
    assert (found.ans, found.fmt, found.dim, found.sym, found.cons) == (1.0, 0.1, 0.15, 0.2, 0.0)
    assert found.total == 1.0
    wrong = dense_reward(RIGHT, "4")
    assert wrong.total == pytest.approx(0.45)
    bad = dense_reward("\\boxed{9}", "4", balance=Balance((4.0,), (0.0,), 0))
    assert (bad.fmt, bad.cons) == (0.1, -0.25)
    assert bad.total == pytest.approx(-0.15)
    assert dense_reward("", "4").total == 0


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("v = 3 m/s", True),
        ("E = 2.5 \\times 10^{3}\\,\\text{kJ}", True),
        ("I see 3 balls", False),
        ("I see 3 balls of 2 kg", True),
        ("3 \\text{ furlongs} and 2 kg", False),
        ("about 3", False),
        ("x2 m", False),
        ("5 μm", True),
    ],
)
def test_dim(text: str, known: bool) -> None:
    assert (dense_reward(text, "1").dim > 0) is known


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("\\frac{1}{2}", True),
        ("\\dfrac{m v_0}{2 \\pi r}", True),
        ("\\frac{x+}{2}", False),
        ("\\frac{}{2}", False),
        ("\\frac{1}{2", False),
        ("\\frac{?}{2} \\frac{a}{b}", True),
        ("1/2", False),
    ],
)
def test_sym(text: str, plain: bool) -> None:
    assert (dense_reward(text, "1").sym > 0) is plain


@pytest.mark.parametrize(
    ("box", "penalty"),
    [("6", 0.0), ("6.3", 0.0), ("5.7", 0.0), ("6.4", -0.25), ("-6", -0.25), ("six", 0.0)],
)
def test_cons_is_off_by_more_than_five_percent(box: str, penalty: float) -> None:
    balance = Balance(before=(8.0, 2.0), after=(4.0, 99.0), index=1)
    assert dense_reward(f"\\boxed{{{box}}}", "6", balance=balance).cons == penalty
    assert dense_reward(f"\\boxed{{{box}}}", "6").cons == 0


def test_audit_factor_multiplies_the_answer_only() -> None:
    found = dense_reward(RIGHT, "3", contamination=0.5, audit_weight=1.0)
    assert (found.ans, found.fmt) == (0.5, 0.1)
    assert dense_reward(RIGHT, "3", contamination=2.0, audit_weight=1.0).ans == 0
    assert dense_reward(RIGHT, "3", contamination=2.0).ans == 1
    with pytest.raises(ValueError, match="expected contamination finite and at least 0"):
        dense_reward(RIGHT, "3", contamination=-1.0)
    with pytest.raises(ValueError, match="expected audit_weight finite"):
        dense_reward(RIGHT, "3", audit_weight=math.nan)


@given(st.text(), st.text())
def test_dense_stays_in_its_range(text: str, gold: str) -> None:
    found = dense_reward(text, gold, balance=Balance((1.0,), (1.0,), 0))
    assert -1 <= found.total <= 1
    assert binary_reward(text, gold) in (0.0, 1.0)


def test_advantages_of_known_groups() -> None:
    assert group_advantages([]) == []
    assert group_advantages([1.0]) == [0.0]
    assert group_advantages([0.1] * 3) == [0.0] * 3
    up, down = group_advantages([1.0, 0.0], eps=1e-12)
    assert (up, down) == (pytest.approx(1), pytest.approx(-1))
    one = group_advantages([1.0, 0.0, 0.0, 0.0], eps=1e-12)
    assert one[0] == pytest.approx(math.sqrt(3))
    with pytest.raises(ValueError, match="expected finite rewards, found nan"):
        group_advantages([1.0, math.nan])
    with pytest.raises(ValueError, match="expected eps finite and above 0"):
        group_advantages([1.0], eps=0.0)


@given(REWARDS, st.floats(0.1, 10), st.floats(-10, 10))
def test_advantages_ignore_positive_affine_maps(r: list[float], a: float, b: float) -> None:
    if max(r) - min(r) < 1e-3:
        return
    before = group_advantages(r, eps=1e-12)
    after = group_advantages([a * x + b for x in r], eps=1e-12)
    assert after == pytest.approx(before, abs=1e-6)
    assert math.fsum(before) == pytest.approx(0, abs=1e-6)
    assert math.fsum(x * x for x in before) / len(r) == pytest.approx(1, abs=1e-6)


def test_pair_flips_by_kind() -> None:
    found = pair_flips([0, 1, 0, 0, 1, 1], [0.5, 0.2, 0.1, 0.3, 1.0, 1.0], list("aabbcc"))
    assert (found.n_pairs, found.inverted, found.tie_broken, found.tie_made) == (3, 1, 1, 0)
    assert (found.broken_in_failures, found.kept, found.changed) == (1, 1, 2)
    assert found.changed_share == pytest.approx(2 / 3)
    assert pair_flips([0, 1], [1, 1], ["x", "x"]).tie_made == 1
    assert pair_flips([1, 1], [0.5, 1], ["x", "x"]).broken_in_failures == 0
    alone = pair_flips([0, 1], [1, 0], ["x", "y"])
    assert (alone.n_pairs, alone.changed_share) == (0, None)
    with pytest.raises(ValueError, match="expected equal lengths, found 1, 2, 1"):
        pair_flips([0], [0, 1], ["x"])
    with pytest.raises(ValueError, match="expected finite rewards, found inf"):
        pair_flips([0, math.inf], [0, 1], ["x", "x"])


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(-3, 3), st.integers(0, 2)), max_size=12))
def test_pair_flips_do_not_depend_on_order(rows: list[tuple[int, int, int]]) -> None:
    def flips(of: list[tuple[int, int, int]]) -> object:
        return pair_flips([r[0] for r in of], [r[1] for r in of], [r[2] for r in of])

    assert flips(rows) == flips(rows[::-1])
    same = pair_flips([r[0] for r in rows], [2.0 * r[0] + 1 for r in rows], [r[2] for r in rows])
    assert same.changed == 0
