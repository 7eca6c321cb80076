"""The published objective in plain arrays: ratios, clip, divergence, lengths."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.micro.rl import objective


def test_loss_is_the_formula_written_out() -> None:
    new = np.log([[0.5, 0.25, 1.0], [0.2, 0.2, 0.8]])
    old = np.log([[0.4, 0.25, 0.3], [0.3, 0.3, 0.3]])
    base = np.log([[0.4, 0.5, 0.7], [0.2, 0.4, 0.9]])
    mask = [[1, 1, 0], [1, 1, 1]]
    ratios = [(0.5 / 0.4) ** 0.5, (0.2 * 0.2 * 0.8 / 0.3**3) ** (1 / 3)]
    assert objective.sequence_ratios(new, old, mask) == pytest.approx(ratios)
    drift = [
        sum(q - np.log(q) - 1 for q in (0.8, 2.0)) / 2,
        sum(q - np.log(q) - 1 for q in (1.0, 2.0, 0.9 / 0.8)) / 3,
    ]
    assert objective.divergences(new, base, mask) == pytest.approx(drift)
    found = objective.loss(new, old, base, mask, [2.0, -1.0], beta=0.5)
    assert found == pytest.approx(-(2 * ratios[0] - ratios[1]) / 2 + 0.5 * sum(drift) / 2)


@pytest.mark.parametrize(
    ("ratio", "advantage", "value"),
    [
        (1.5, 1.0, -1.28),
        (1.27, 1.0, -1.27),
        (0.5, 1.0, -0.5),
        (1.5, -1.0, 1.5),
        (0.5, -1.0, 0.8),
        (0.81, -1.0, 0.81),
        (3.0, 0.0, 0.0),
    ],
)
def test_clip_holds_back_only_what_would_go_too_far(
    ratio: float, advantage: float, value: float
) -> None:
    new = [[np.log(ratio)] * 4]
    zero = [[0.0] * 4]
    found = objective.loss(new, zero, new, [[1, 1, 1, 1]], [advantage])
    assert found == pytest.approx(value)


@given(st.integers(1, 6), st.integers(1, 5), st.integers(0, 10_000))
@settings(max_examples=30, deadline=None)
def test_length_and_padding_do_not_weigh(n: int, length: int, seed: int) -> None:
    rng = np.random.Generator(np.random.PCG64(seed))
    new, old, base = rng.normal(-1.0, 0.3, size=(3, n, length))
    gains = rng.normal(size=n)
    ones = np.ones((n, length))
    value = objective.loss(new, old, base, ones, gains)
    twice = [np.concatenate([a, a], axis=1) for a in (new, old, base, ones)]
    assert objective.loss(*twice, gains) == pytest.approx(value)
    junk = rng.normal(size=(n, 3))
    padded = [np.concatenate([a, junk], axis=1) for a in (new, old, base)]
    mask = np.concatenate([ones, np.zeros((n, 3))], axis=1)
    assert objective.loss(*padded, mask, gains) == pytest.approx(value)


@pytest.mark.parametrize(
    ("arrays", "gains", "said"),
    [
        (([[0.0]], [[0.0, 0.0]], [[0.0]]), [1.0], r"found shapes \[\(1, 1\), \(1, 2\), \(1, 1\)\]"),
        (([0.0], [0.0], [0.0]), [1.0], r"\(n, length\), found shapes \[\(1,\)"),
        (([[0.0]], [[0.0]], [[0.0]]), [1.0, 2.0], r"found \(2,\) for 1"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(
    arrays: tuple[list[float], ...], gains: list[float], said: str
) -> None:
    new, old, mask = arrays
    with pytest.raises(ValueError, match=said):
        objective.loss(new, old, new, mask, gains)
