import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.stats.checks import StatisticsError
from harness.stats.stopping import SequentialGate, difference_evidence, rate_evidence


def rate_gate(threshold: float, population: int | None) -> SequentialGate:
    return SequentialGate(
        quantity="rate", threshold=threshold, alpha=0.05, prior=0.5, population=population
    )


@pytest.mark.parametrize("p", [0.6, 0.5, 0.2])
def test_chance_of_ever_a_false_go_stays_below_alpha(p: float) -> None:
    alive, lost = {0: 1.0}, 0.0
    for n in range(1, 81):
        after: dict[int, float] = {}
        for k, mass in alive.items():
            after[k + 1] = after.get(k + 1, 0.0) + mass * p
            after[k] = after.get(k, 0.0) + mass * (1 - p)
        alive = {}
        for k, mass in after.items():
            if mass > 1e-15 and rate_evidence(k, n, 0.6, "above", 0.5, None).p <= 0.05:
                lost += mass
            elif mass > 1e-15:
                alive[k] = mass
    assert lost <= 0.05
    assert p < 0.6 or lost > 0.01  # at the threshold the promise is used, not wasted


@pytest.mark.parametrize("population", [5, 9])
def test_a_finite_gate_decides_rightly_by_the_last_example(population: int) -> None:
    for total in range(population + 1):
        gate = rate_gate(0.6, population).update(up=total, down=population - total)
        assert gate.decision == ("go" if total >= 0.6 * population else "no-go")
        for minus in range(population + 1 - total):
            still = population - total - minus
            gate = SequentialGate(
                quantity="difference", threshold=-0.2, alpha=0.05, prior=0.5, population=population
            ).update(up=total, down=minus, still=still)
            assert gate.decision == ("go" if total - minus >= -0.2 * population else "no-go")


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=6), st.booleans())
def test_evidence_depends_on_counts_and_the_first_decision_stands(
    batches: list[tuple[int, int]], finite: bool
) -> None:
    gate = rate_gate(0.5, 40 if finite else None)
    decisions = []
    for up, down in batches:
        gate = gate.update(up=up, down=down)
        decisions.append(gate.decision)
    assert (gate.up, gate.down) == (sum(u for u, _ in batches), sum(d for _, d in batches))
    made = [decision for decision in decisions if decision != "continue"]
    assert len(set(made)) <= 1
    assert decisions[len(decisions) - len(made) :] == made
    n = gate.up + gate.down
    last = rate_evidence(gate.up, n, 0.5, "above", 0.5, gate.population).log_e
    assert gate.e_go >= last


def test_a_decision_outlives_what_later_examples_say() -> None:
    gate = rate_gate(0.5, None).update(up=12, down=0)
    assert gate.decision == "go"
    later = gate.update(up=0, down=60)
    assert later.e_no_go > later.e_go > 3.0
    assert (later.decision, later.down) == ("go", 60)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 20), st.integers(0, 20), st.integers(0, 20))
def test_claims_mirror(up: int, down: int, still: int) -> None:
    n = up + down + still
    above = difference_evidence(up, down, n, 0.1, "above", 0.5, None)
    below = difference_evidence(down, up, n, -0.1, "below", 0.5, None)
    assert above.log_e == pytest.approx(below.log_e, abs=1e-8)
    assert above.p == pytest.approx(min(1.0, math.exp(-above.log_e)))


def test_more_successes_are_stronger_evidence() -> None:
    for population in (None, 60):
        log_es = [rate_evidence(k, 30, 0.6, "above", 0.5, population).log_e for k in range(31)]
        assert log_es == sorted(log_es)


def test_no_data_is_no_evidence() -> None:
    assert rate_evidence(0, 0, 0.4, "above", 0.5, None).p == pytest.approx(1.0)
    assert rate_evidence(0, 0, 0.4, "below", 0.5, 10).p == pytest.approx(1.0)
    assert difference_evidence(0, 0, 0, 0.0, "above", 0.5, None).p == pytest.approx(1.0)
    assert difference_evidence(0, 0, 0, 0.0, "below", 0.5, 10).p == pytest.approx(1.0)
    assert rate_gate(0.5, None).update(up=0, down=0).decision == "continue"


def test_certainty_is_infinite_evidence() -> None:
    assert rate_evidence(6, 6, 0.6, "above", 0.5, 10).log_e == math.inf
    assert rate_evidence(0, 5, 0.6, "above", 0.5, 10).log_e == -math.inf
    assert rate_evidence(0, 5, 0.6, "below", 0.5, 10).log_e == math.inf


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((3, 2, 0.5, "above", 0.5, None), "invalid_count"),
        ((1, 2, 0.0, "above", 0.5, None), "invalid_threshold"),
        ((1, 2, 1.0, "above", 0.5, None), "invalid_threshold"),
        ((1, 2, math.nan, "above", 0.5, None), "invalid_threshold"),
        ((1, 2, "high", "above", 0.5, None), "invalid_threshold"),
        ((1, 2, 0.5, "at least", 0.5, None), "unknown_claim"),
        ((1, 2, 0.5, "above", 0, None), "invalid_prior"),
        ((1, 2, 0.5, "above", 0.5, 1), "invalid_count"),
    ],
)
def test_bad_input_is_refused_by_name(arguments: tuple[object, ...], reason: str) -> None:
    with pytest.raises(StatisticsError, match="expected") as caught:
        rate_evidence(*arguments)  # type: ignore[arg-type]
    assert caught.value.reason == reason


def test_a_gate_refuses_what_it_cannot_count() -> None:
    with pytest.raises(StatisticsError, match="ties"):
        rate_gate(0.5, None).update(up=1, down=1, still=1)
    with pytest.raises(StatisticsError, match="down"):
        rate_gate(0.5, None).update(up=1, down=-1)
    with pytest.raises(StatisticsError, match="population"):
        rate_gate(0.5, 3).update(up=2, down=2)


@pytest.mark.parametrize(
    ("quantity", "alpha", "reason"),
    [
        ("mean", 0.1, "unknown_quantity"),
        (None, 0.1, "unknown_quantity"),
        (["rate"], 0.1, "unknown_quantity"),
        ("rate", 1.5, "invalid_level"),
        ("rate", 0, "invalid_level"),
        ("difference", math.nan, "invalid_level"),
        ("difference", None, "invalid_level"),
    ],
)
def test_a_gate_that_could_never_decide_is_not_made(quantity: Any, alpha: Any, reason: str) -> None:
    with pytest.raises(StatisticsError, match="expected") as caught:
        SequentialGate(quantity=quantity, threshold=0.5, alpha=alpha, prior=0.5, population=None)
    assert caught.value.reason == reason
