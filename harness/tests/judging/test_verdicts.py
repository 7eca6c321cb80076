"""Strict and liberal readings, sub-parts, and what undecided verdicts leave open."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.errors import DataError
from harness.judging.noise import by_problem, difference_range, noise_floor, part_counts
from harness.judging.verdicts import all_parts, judged, strict_match
from harness.stats.checks import StatisticsError

VERDICTS = st.sampled_from((True, False, None))
PAIRS = st.lists(st.tuples(VERDICTS, VERDICTS), max_size=8)
# text, gold, right under "equal", right under "contains"
STRICT = [
    (r"\boxed{12}", "12", True, True),
    (r"\boxed{12}", "2", False, True),
    (r"first \boxed{3}, then \boxed{4}", "3", True, True),
    (r"\boxed{ 3 \text{ m} }", "3m", True, True),
    (r"\boxed{\frac{1}{2}}", r"\frac{1}{2}", True, True),
    (r"\boxed{$V_0$}", "v_0", True, True),
    (r"\boxed{3 m}", "3", False, True),
    (r"\boxed{3.0}", "3", False, True),
    ("the answer is 12", "12", False, False),
    (r"\boxed{12", "12", False, False),
    (r"\boxed{}", "", False, False),
    (r"\boxed{12}", "$ $", False, False),
]
REPLIES: list[tuple[str | None, bool | None, str]] = [
    ("YES", True, "bare"),
    ("NO", False, "bare"),
    ("Verdict: incorrect", False, "label"),
    ('{"verdict": "correct"}', True, "json"),
    ("A", None, "bare:no_truth"),
    ("It depends on the sign convention.", None, "prose"),
    ("[ERROR] 429 Too Many Requests", None, "error_text"),
    ("I'm sorry, I can't judge this.", None, "refusal"),
    ("", None, "empty"),
    (None, None, "not_asked"),
]


def test_strict_readings() -> None:
    for text, gold, equal, contains in STRICT:
        found = strict_match(text, gold), strict_match(text, gold, "contains")
        assert found == (equal, contains), (text, gold)
    with pytest.raises(DataError, match="expected a rule"):
        strict_match("", "", "close")


def test_replies_become_verdicts_or_stay_undecided() -> None:
    for reply, liberal, rule in REPLIES:
        found = judged("q", False, reply)
        assert (found.liberal, found.rule) == (liberal, rule), reply
        counted = judged("q", False, reply, undecided="wrong")
        assert counted.liberal is (liberal is True), reply
        assert counted.rule == rule
    assert judged("q", True, "NO").liberal is True
    assert judged("q", True, None).rule == "strict"
    assert judged("q", False, "YES", judgeable=False).rule == "gold_not_judgeable"
    with pytest.raises(DataError, match="undecided"):
        judged("q", False, "YES", undecided="right")


@settings(max_examples=50, deadline=None)
@given(st.lists(VERDICTS, min_size=1, max_size=6))
def test_the_conjunction_holds_under_every_way_of_deciding(parts: list[bool | None]) -> None:
    ways = product(*((part,) if part is not None else (True, False) for part in parts))
    ends = {all(way) for way in ways}
    assert all_parts(parts) is (ends.pop() if len(ends) == 1 else None)


def test_a_problem_without_parts_is_refused() -> None:
    with pytest.raises(DataError, match="at least one part"):
        part_counts({"p": []})
    assert part_counts({}).part_accuracy is None


def test_parts_are_gathered_by_problem() -> None:
    of = {"p/1": "p", "q/1": "q", "p/2": "p"}
    assert by_problem(of, {"p/2": None, "q/1": True, "p/1": True}) == {
        "p": [True, None],
        "q": [True],
    }
    for verdicts in ({"p/1": True, "q/1": True}, {**dict.fromkeys(of, True), "r/1": True}):
        with pytest.raises(DataError, match="on one side alone"):
            by_problem(of, verdicts)


@settings(max_examples=50, deadline=None)
@given(PAIRS)
def test_the_range_of_a_difference_is_reached_and_never_left(
    pairs: list[tuple[bool | None, bool | None]],
) -> None:
    found = difference_range(pairs)
    if not pairs:
        assert (found.low, found.high, found.settled) == (None, None, False)
        return
    open_ = [v for pair in pairs for v in pair].count(None)
    if open_ > 8:
        return
    reached = []
    for way in product((True, False), repeat=open_):
        left = iter(way)
        bits = [[next(left) if v is None else v for v in pair] for pair in pairs]
        reached.append(sum(a - b for a, b in bits) / len(pairs))
    assert (found.low, found.high) == (min(reached), max(reached))
    assert found.settled == (min(reached) > 0 or max(reached) < 0)


def test_the_noise_floor() -> None:
    # 13.9 % of 500 cannot be judged: 33.4 % strictly right may be anything up to 47.4 %.
    found = noise_floor(167, 70, 500, 0.95)
    assert (found.low, found.high) == (0.334, 0.474)
    assert found.undecided_rate.value == 0.14
    assert found.decided == 167 / 430
    nothing = noise_floor(0, 0, 0, 0.95)
    assert (nothing.low, nothing.high, nothing.decided) == (None, None, None)
    assert noise_floor(0, 3, 3, 0.95).decided is None
    for counts in ((4, 2, 5), (-1, 0, 3)):
        with pytest.raises(StatisticsError):
            noise_floor(*counts, 0.95)
