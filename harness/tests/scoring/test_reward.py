import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.scoring.reward import (
    Balance,
    binary_reward,
    dense_reward,
    extract_boxed,
)

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
