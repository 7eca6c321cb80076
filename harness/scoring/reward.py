r"""The rewards of Physics-R1 for one response: binary, and dense in five components.

No text is evaluated: fractions and numbers go through `policies/physics_match.py` and
`policies/arithmetic.py`. What the rewards do inside groups is in `harness.rewards`.
"""

from __future__ import annotations

import math
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


def _is_off(box: str, balance: Balance) -> bool:
    said = number(plain(box))
    if said is None or not balance.before or not balance.after:
        return False
    others = [v for n, v in enumerate(balance.after) if n != balance.index]
    expected = math.fsum(balance.before) - math.fsum(others)
    size = max(abs(expected), abs(said))
    return abs(said - expected) > IMBALANCE * size


__all__ = ["Balance", "DenseReward", "binary_reward", "dense_reward", "extract_boxed"]
