"""Counts by hand, the forms of an answer, degenerate groups and refusals."""

from __future__ import annotations

import math

import numpy as np
import pytest

from harness.errors import DataError
from harness.rewards.advantage import advantages, scale_gap
from harness.rewards.forms import in_form
from harness.rewards.order import order_measures
from harness.rewards.portability import portability_measures
from harness.rewards.proxy import proxy_measures
from harness.rewards.rollouts import Rewarded, Rollout, by_group, rewarded
from harness.rewards.spread import alignment, spread_measures
from harness.scoring.policy import Item
from harness.scoring.reward import DenseReward

NUMBER = Item(kind="number", gold="3 m")


def group(name: str, *texts: str, item: Item = NUMBER) -> list[Rollout]:
    return [Rollout(group=name, item=item, text=text) for text in texts]


# a: right, boxed and wrong with a unit, bare and wrong; b: all wrong; c: all right; d: alone.
ROLLOUTS = [
    *group("a", "\\boxed{3}", "\\boxed{4 m}", "5"),
    *group("b", "\\boxed{4}", "it is 4 kg", "\\boxed{\\frac{1}{2}}", "4"),
    *group("c", "\\boxed{3}", "\\boxed{3 m}"),
    *group("d", "\\boxed{9}"),
]


def values(measures: list[object]) -> dict[str, float | None]:
    return {m.name: m.value for m in measures}  # type: ignore[attr-defined]


def test_rewards_by_hand() -> None:
    found = rewarded(ROLLOUTS)
    assert [r.binary for r in found] == [1, 0, 0, 0, 0, 0, 0, 1, 1, 0]
    dense = [1, 0.25, 0, 0.1, 0.15, 0.3, 0, 1, 1, 0.1]
    assert [r.dense for r in found] == pytest.approx(dense)
    assert [r.form for r in found] == pytest.approx(
        [0.1, 0.25, 0, 0.1, 0.15, 0.3, 0, 0.1, 0.25, 0.1]
    )


def test_order_by_hand() -> None:
    found = values(order_measures(rewarded(ROLLOUTS)))
    assert found["pairs changed"] == 7 / 10
    assert found["changed pairs that are in all-wrong groups"] == 6 / 7
    assert found["changed pairs that are in mixed groups"] == 1 / 7
    assert found["pairs of two wrong answers that are ordered"] == 1.0
    assert (found["groups all wrong"], found["groups all right"]) == (0.5, 0.25)
    assert found["pairs inverted"] == found["ties made"] == 0.0


def test_form_by_hand() -> None:
    found = values(proxy_measures(rewarded(ROLLOUTS)))
    # a: 1 pair of wrong answers, 1 differs in its box; b: 6 and 4.
    assert found["box: pairs of two wrong answers that differ"] == 5 / 7
    # Against it: the unit without a box (0.15) before the box alone (0.10).
    assert found["box: dense prefers the one with more"] == 4 / 5
    assert found["box: dense prefers the one with less"] == 1 / 5
    assert found["dense: wrong answers with a positive advantage"] == 2 / 7
    first = advantages([1, 0.25, 0])[1:]
    second = advantages([0.1, 0.15, 0.3, 0])
    box = np.array([1, -1]) / 2, np.array([1, -1, 1, -1]) / 2
    x = np.concatenate([first - first.mean(), second])
    y = np.concatenate(box)
    expected = float((x * y).sum() / math.sqrt((x * x).sum() * (y * y).sum()))
    name = "box: correlation with the advantage of wrong answers"
    assert found[name] == pytest.approx(expected, abs=1e-12)


def test_spread_by_hand() -> None:
    found = values(spread_measures(rewarded(ROLLOUTS)))
    assert found["binary: groups whose rewards differ"] == 1 / 4
    assert found["dense: groups whose rewards differ"] == 2 / 4
    assert found["binary: variance of the advantages"] == pytest.approx(1)
    assert found["dense: variance of the advantages"] == pytest.approx(1)
    assert found["binary: advantage of right answers"] == pytest.approx(math.sqrt(2))
    kept = alignment(np.array([1.0, 0, 0]), np.array([1.0, 0.25, 0]))
    assert kept is not None
    assert found["dense: advantage of right answers"] == pytest.approx(math.sqrt(2) * kept)
    tells = found["dense: squared advantage that tells right from wrong"]
    assert tells == pytest.approx(3 * kept**2 / 7)
    assert found["dense: squared advantage in all-wrong groups"] == pytest.approx(4 / 7)


def test_portability_by_hand() -> None:
    read = {
        (form, policy): rewarded(ROLLOUTS, form=form, policy=policy)
        for form, policy in (
            ("boxed", "physics_r1"),
            ("tagged", "physics_r1"),
            ("tagged", "default"),
        )
    }
    lost = values(portability_measures(read["boxed", "physics_r1"], read["tagged", "physics_r1"]))
    assert lost["binary: responses whose reward changes"] == 3 / 10
    assert lost["dense: responses whose reward changes"] == 7 / 10
    assert lost["dense: changed, of those wrong both times"] == 4 / 7
    assert lost["binary: groups in another order"] == 1 / 4
    won = values(portability_measures(read["tagged", "physics_r1"], read["boxed", "physics_r1"]))
    assert won == lost
    with pytest.raises(DataError, match="expected the same responses twice, found 10 and 1"):
        portability_measures(read["boxed", "physics_r1"], read["boxed", "physics_r1"][:1])


def test_groups_that_teach_nothing_give_no_number() -> None:
    alone = rewarded(group("x", "\\boxed{9}"))
    assert values(order_measures(alone))["pairs changed"] is None
    assert values(spread_measures(alone))["dense: variance of the advantages"] is None
    assert values(proxy_measures(alone))["form: dense prefers the one with more"] is None
    same = rewarded(group("x", "\\boxed{9}", "\\boxed{8}"))
    name = "form: correlation with the advantage of wrong answers"
    assert values(proxy_measures(same))[name] is None
    with pytest.raises(DataError, match="at least one response"):
        order_measures([])
    with pytest.raises(DataError, match="the name of a group"):
        by_group([Rewarded(group="", right=False, parts=DenseReward(0, 0, 0, 0, 0))])


def test_match_as_published_and_the_harness_on_the_same_answers() -> None:
    """MATCH ignores units, what follows a leading number, and a tolerance's own limit."""
    cases = [
        ("3 s", "3 m", "number", True, False),
        ("3 apples", "3", "number", True, None),
        ("3 km", "3 m", "number", True, False),
        ("3000 mm", "3 m", "number", False, True),
        ("101", "100", "number", False, True),
        ("100.9", "100", "number", True, True),
        ("\\frac{1}{2}", "0.5", "number", True, True),
        ("x+1", "1+x", "expression", False, True),
        ("B", "B", "text", True, True),
    ]
    for said, gold, kind, published, ours in cases:
        item = Item(kind=kind, gold=gold)
        rollouts = group("q", f"\\boxed{{{said}}}", item=item)
        assert rewarded(rollouts)[0].right is published, (said, gold)
        if ours is not None:
            assert rewarded(rollouts, policy="default")[0].right is ours, (said, gold)


def test_an_audit_factor_takes_from_the_answer_alone() -> None:
    rollout = Rollout(group="q", item=NUMBER, text="\\boxed{3 m}", contamination=0.5)
    found = rewarded([rollout], audit_weight=1.0)[0]
    assert (found.right, found.binary, found.parts.ans) == (True, 1.0, 0.5)
    assert found.dense == pytest.approx(0.75)
    assert rewarded([rollout], audit_weight=9.0)[0].parts.ans == 0.0


@pytest.mark.parametrize(
    ("text", "boxed", "stated"),
    [
        ("a <answer> 3 m </answer> b", "a \\boxed{3 m} b", "a The final answer is 3 m. b"),
        ("\\boxed{\\frac{1}{2}}.", "\\boxed{\\frac{1}{2}}.", "The final answer is \\frac{1}{2}.."),
        (
            "\\boxed{1} <answer>2</answer>",
            "\\boxed{1} \\boxed{2}",
            "\\boxed{1} The final answer is 2.",
        ),
        (
            "<answer>2</answer> \\boxed{1",
            "\\boxed{2} \\boxed{1",
            "The final answer is 2. \\boxed{1",
        ),
        ("<answer>1<answer>2</answer>", "<answer>1\\boxed{2}", "<answer>1The final answer is 2."),
        ("<answer></answer>", "<answer></answer>", "<answer></answer>"),
        ("so C", "so C", "so C"),
    ],
)
def test_forms(text: str, boxed: str, stated: str) -> None:
    assert in_form(text, "boxed") == boxed
    assert in_form(text, "stated") == stated
    assert in_form(text, "as written") == text
    assert in_form(in_form(text, "tagged"), "boxed") == boxed


def test_refusals() -> None:
    with pytest.raises(ValueError, match="expected one of as written"):
        in_form("x", "bold")
    for bad in ([1.0, math.nan], [[1.0]]):
        with pytest.raises(ValueError, match="expected a sequence of finite rewards"):
            advantages(bad)
    with pytest.raises(ValueError, match="range is finite"):
        advantages([1e308, -1e308])
    with pytest.raises(ValueError, match="expected eps finite"):
        advantages([1.0], eps=-1e-9)
    with pytest.raises(ValueError, match="expected spread population or sample"):
        advantages([1.0], spread="sd")
    with pytest.raises(ValueError, match="expected sigma and scale above 0"):
        scale_gap(0.0, 1e-6, 1.0)
    with pytest.raises(DataError, match="polic"):
        rewarded(ROLLOUTS, policy="guess")
    assert advantages([]).tolist() == []
    assert advantages([1e-300, 0]).tolist() == [1.0, -1.0]
