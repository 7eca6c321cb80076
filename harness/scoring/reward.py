r"""The rewards of Physics-R1: binary, dense in five components, and what they do inside groups.

All of it is pure and needs no tensor library. No text is evaluated: fractions and numbers go
through `policies/physics_match.py` and `policies/arithmetic.py`.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from harness.scoring.policies.physics_form import has_fraction, has_known_units
from harness.scoring.policies.physics_match import extract_boxed, number, plain
from harness.scoring.policies.physics_r1 import physics_r1
from harness.scoring.policy import Item

ANSWER = 1.0
FORMAT = 0.10
DIMENSION = 0.15
SYMBOLIC = 0.20
CONSERVATION = -0.25
IMBALANCE = 0.05


@dataclass(frozen=True, slots=True)
class Balance:
    """Which amounts must be conserved on a flagged item.

    The answer stands for `after[index]`: what `before` sums to, less all other amounts after.
    """

    before: tuple[float, ...]
    after: tuple[float, ...]
    index: int


@dataclass(frozen=True, slots=True)
class DenseReward:
    """The components by name and their clipped sum, all without a unit."""

    ans: float
    fmt: float
    dim: float
    sym: float
    cons: float

    @property
    def total(self) -> float:
        """The sum of the components, clipped to [−1, 1]."""
        parts = (self.ans, self.fmt, self.dim, self.sym, self.cons)
        return max(-1.0, min(1.0, math.fsum(parts)))


@dataclass(frozen=True, slots=True)
class PairFlips:
    """How a dense reward orders the pairs of a group, against a binary one.

    `inverted`: the opposite order; `tie_broken`: equal before, ordered now; `tie_made`: the
    reverse. `broken_in_failures` are the broken ties of groups whose binary rewards are all 0.
    """

    n_pairs: int
    inverted: int
    tie_broken: int
    tie_made: int
    broken_in_failures: int

    @property
    def kept(self) -> int:
        """Pairs that both rewards order alike."""
        return self.n_pairs - self.changed

    @property
    def changed(self) -> int:
        """Pairs whose order is not the same."""
        return self.inverted + self.tie_broken + self.tie_made

    @property
    def changed_share(self) -> float | None:
        """`changed` / `n_pairs`; None without a pair."""
        return self.changed / self.n_pairs if self.n_pairs else None


def binary_reward(text: str, gold: str) -> float:
    """Give 1.0 where the response's answer matches the gold, else 0.0.

    Parameters
    ----------
    text : the raw response.
    gold : a letter A–D, or what the last box must match; empty matches nothing.

    Returns
    -------
    float
        1.0 or 0.0.

    References
    ----------
    Physics-R1 (2026), r_bin: MATCH of EXTRACT_boxed, the default of its recipe.
    """
    return float(physics_r1(Item(kind="expression", gold=gold), text).correct)


def dense_reward(
    text: str,
    gold: str,
    *,
    balance: Balance | None = None,
    contamination: float = 0.0,
    audit_weight: float = 0.0,
) -> DenseReward:
    r"""Give the five components of the dense reward.

    Parameters
    ----------
    text, gold : as for `binary_reward`.
    balance : of a flagged item; None for every other one.
    contamination : the item's contamination score.
    audit_weight : λ of the audit factor max(0, 1 − λ · contamination), which multiplies `ans`
        only; 0 leaves it out.

    Returns
    -------
    DenseReward
        `ans` 1 for a match; `fmt` 0.10 for a closed box that is not empty; `dim` 0.15 where at
        least one number carries a unit and each of the first 32 units is a known one; `sym` 0.20
        where one of the first 16 `\frac` has a plain numerator and denominator; `cons` −0.25
        where the boxed number is more than 5 % off what the balance asks for. Zero otherwise.

    Raises
    ------
    ValueError
        When the contamination or its weight is negative or not finite.

    References
    ----------
    Physics-R1 (2026), the ablation of its reward: five components, clipped to [−1, 1].
    """
    for name, value in (("contamination", contamination), ("audit_weight", audit_weight)):
        if not (math.isfinite(value) and value >= 0):
            raise ValueError(f"dense_reward: expected {name} finite and at least 0, found {value}")
    box = extract_boxed(text)
    factor = max(0.0, 1.0 - audit_weight * contamination)
    return DenseReward(
        ans=ANSWER * binary_reward(text, gold) * factor,
        fmt=FORMAT if box else 0.0,
        dim=DIMENSION if has_known_units(text) else 0.0,
        sym=SYMBOLIC if has_fraction(text) else 0.0,
        cons=CONSERVATION if balance and box and _is_off(box, balance) else 0.0,
    )


def group_advantages(rewards: Sequence[float], eps: float = 1e-6) -> list[float]:
    """Normalise the rewards of one group: (r − r̄) / (σ + ε), with the population's σ.

    Parameters
    ----------
    rewards : of the responses to one prompt.
    eps : greater than 0.

    Returns
    -------
    list of float
        In the same order; zeros for an empty group and for equal rewards. A positive affine map
        of the rewards changes nothing but the weight of ε.

    Raises
    ------
    ValueError
        For a reward or ε that is not finite, or ε of 0 or less.

    References
    ----------
    Physics-R1 (2026) and DeepSeekMath (2024), the group-relative advantage.
    """
    if not (math.isfinite(eps) and eps > 0):
        raise ValueError(f"group_advantages: expected eps finite and above 0, found {eps}")
    _require_finite("group_advantages", rewards)
    if len(set(rewards)) < 2:
        return [0.0] * len(rewards)
    mean = math.fsum(rewards) / len(rewards)
    off = [r - mean for r in rewards]
    spread = math.sqrt(math.fsum(d * d for d in off) / len(off))
    return [d / (spread + eps) for d in off]


def pair_flips(
    binary: Sequence[float], dense: Sequence[float], groups: Sequence[Hashable]
) -> PairFlips:
    """Count how a dense reward changes the order of responses inside groups.

    Parameters
    ----------
    binary, dense : the two rewards of each response.
    groups : the group (prompt) of each; only pairs of one group are compared.

    Returns
    -------
    PairFlips
        Counts over all groups; zeros where no group has two responses.

    Raises
    ------
    ValueError
        When the lengths differ or a reward is not finite.

    References
    ----------
    Physics-R1 (2026), proposition 1: 14.3 % of pairs change, 87 % of them in all-wrong groups.
    """
    if not len(binary) == len(dense) == len(groups):
        raise ValueError(
            f"pair_flips: expected equal lengths, found {len(binary)}, {len(dense)}, {len(groups)}"
        )
    _require_finite("pair_flips", [*binary, *dense])
    members: dict[Hashable, list[tuple[float, float]]] = {}
    for group, old, new in zip(groups, binary, dense, strict=True):
        members.setdefault(group, []).append((old, new))
    n = inverted = broken = made = in_failures = 0
    for rows in members.values():
        failed = all(old == 0 for old, _ in rows)
        for i, (old, new) in enumerate(rows):
            for other_old, other_new in rows[:i]:
                before, after = _sign(old - other_old), _sign(new - other_new)
                n += 1
                inverted += before * after < 0
                made += before != 0 and after == 0
                broken += before == 0 and after != 0
                in_failures += failed and after != 0
    return PairFlips(n, inverted, broken, made, in_failures)


def _sign(difference: float) -> int:
    return (difference > 0) - (difference < 0)


def _require_finite(name: str, rewards: Sequence[float]) -> None:
    for reward in rewards:
        if not math.isfinite(reward):
            raise ValueError(f"{name}: expected finite rewards, found {reward}")


def _is_off(box: str, balance: Balance) -> bool:
    said = number(plain(box))
    if said is None or not balance.before or not balance.after:
        return False
    others = [v for n, v in enumerate(balance.after) if n != balance.index]
    expected = math.fsum(balance.before) - math.fsum(others)
    size = max(abs(expected), abs(said))
    return abs(said - expected) > IMBALANCE * size


__all__ = [
    "Balance", "DenseReward", "PairFlips", "binary_reward", "dense_reward", "extract_boxed",
    "group_advantages", "pair_flips",
]  # fmt: skip
