"""The tokens that rows draw: from the right distribution, each with its own seed."""

from __future__ import annotations

import torch
from numpy.random import PCG64, Generator

from harness.models.sampling import SeededDraws
from harness.types import Decoding

LOGITS = torch.tensor([2.0, 0.5, 1.0, -1.0, 0.0, -3.0])


def decoding(**fields: float) -> Decoding:
    return Decoding(max_new_tokens=4, **{"temperature": 1.0, **fields})  # type: ignore[arg-type]


def drawn(n: int, sampled: Decoding) -> torch.Tensor:
    seeds = [int(s) for s in Generator(PCG64(5)).integers(2**62, size=n)]
    left = SeededDraws(seeds, sampled)(torch.zeros(n, 1), LOGITS.expand(n, -1))
    assert (left == 0).sum(dim=-1).eq(1).all() and torch.isinf(left).sum() == n * 5
    return torch.bincount(left.argmax(dim=-1), minlength=6) / n


def test_shares_are_those_of_the_distribution() -> None:
    n = 40_000
    expected = torch.softmax(LOGITS / 0.7, dim=-1)
    error = (expected * (1 - expected) / n).sqrt()
    assert ((drawn(n, decoding(temperature=0.7)) - expected).abs() < 4.5 * error).all()


def test_top_k_and_top_p_cut() -> None:
    for cut, kept in (({"top_k": 2}, [0, 2]), ({"top_p": 0.75}, [0, 2]), ({"top_p": 1e-9}, [0])):
        shares = torch.softmax(LOGITS[kept], dim=-1)
        found = drawn(8_000, decoding(**cut))
        assert found.nonzero().flatten().tolist() == kept
        assert (found[kept] - shares).abs().max() < 0.03


def test_a_row_draws_the_same_beside_any_other() -> None:
    rows = torch.stack([LOGITS, LOGITS.flip(0), LOGITS.roll(2)])
    together = SeededDraws([1, 2, 3], decoding())
    alone = [SeededDraws([seed], decoding()) for seed in (1, 2, 3)]
    for _ in range(5):
        expected = together(torch.zeros(3, 1), rows)
        found = [one(torch.zeros(1, 1), rows[i : i + 1]) for i, one in enumerate(alone)]
        assert torch.equal(torch.cat(found), expected)
