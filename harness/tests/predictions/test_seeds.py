"""Files, figures and claims over seeds."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import DataError
from harness.predictions.seeds import CLAIMS, claim_of, claim_policy, over_seeds, seed_paths


def test_a_file_a_seed() -> None:
    assert seed_paths("d/p-{seed}.jsonl", [1, 2]) == {
        1: Path("d/p-1.jsonl"), 2: Path("d/p-2.jsonl"),
    }  # fmt: skip
    assert seed_paths("p.jsonl", [1]) == {1: Path("p.jsonl")}
    for template, seeds, said in (
        ("p.jsonl", [1, 2], r"p\.jsonl: expected \{seed\} in the path"),
        ("p-{seed}", [1, 1], r"different seeds, at least one, found \[1, 1\]"),
        ("p", [], "at least one"),
    ):
        with pytest.raises(DataError, match=said):
            seed_paths(template, seeds)


def test_the_radius_is_the_protocols() -> None:
    found = over_seeds([0.1, 0.2, 0.3])
    assert found.n == 3 and found.mean == pytest.approx(0.2)
    assert found.sample_std == pytest.approx(0.1)
    assert found.radius == pytest.approx(1.96 * 0.1 / 3**0.5)
    one = over_seeds([0.4])
    assert (one.mean, one.sample_std, one.radius) == (0.4, None, None)
    undefined = over_seeds([0.4, None])
    assert (undefined.mean, undefined.sample_std, undefined.n) == (None, None, 2)


@pytest.mark.parametrize(
    ("n", "random", "identical", "claim"),
    [
        (3, False, False, "seeds"),
        (2, False, False, "single"),
        (1, False, True, "single"),
        (3, False, True, "repeated"),
        (5, True, False, "random"),
        (1, True, True, "random"),
    ],
)
def test_what_runs_may_be_called(n: int, random: bool, identical: bool, claim: str) -> None:
    assert claim_of(n, random=random, identical=identical) == claim
    assert claim_policy(claim_of(n, random=random, identical=identical), n, 9, 9) == CLAIMS[
        claim_of(n, random=random, identical=identical)
    ].format(n=n)
