"""Sampled responses in groups, with their binary and their dense reward."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from harness.errors import DataError
from harness.rewards.forms import AS_WRITTEN, in_form
from harness.scoring.policies import policy_named
from harness.scoring.policy import Item
from harness.scoring.reward import ANSWER, Balance, DenseReward, dense_reward

PUBLISHED, REPAIRED = "physics_r1", "default"


@dataclass(frozen=True, kw_only=True, slots=True)
class Rollout:
    """One sampled response to a prompt; `group` names the prompt.

    `balance` is that of an item flagged for conservation, `contamination` the item's score from
    an audit, in [0, 1] as a rule.
    """

    group: str
    item: Item
    text: str
    balance: Balance | None = None
    contamination: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Rewarded:
    """A response's rewards: right or not, and the five components.

    `right` is what the answer's comparison said, before an audit factor.
    """

    group: str
    right: bool
    parts: DenseReward

    @property
    def binary(self) -> float:
        """1.0 for a right answer, else 0.0."""
        return float(self.right)

    @property
    def dense(self) -> float:
        """The components' sum, clipped to [−1, 1]."""
        return self.parts.total

    @property
    def form(self) -> float:
        """What the response is paid for its form alone: box, units and fractions, 0 to 0.45."""
        return math.fsum((self.parts.fmt, self.parts.dim, self.parts.sym))


def rewarded(
    rollouts: Iterable[Rollout],
    *,
    policy: str = PUBLISHED,
    form: str = AS_WRITTEN,
    audit_weight: float = 0.0,
) -> tuple[Rewarded, ...]:
    r"""Reward responses, with one comparison of answers for the binary and the dense reward.

    Parameters
    ----------
    rollouts : the responses, in any order.
    policy : who says whether an answer is right. "physics_r1" is MATCH as published, which reads
        a box (or a letter A–D) and ignores units; "default" is the harness's own scorer; any
        other policy of `harness.scoring` will do.
    form : one of `harness.rewards.forms.FORMS`, into which each final answer is put first.
    audit_weight : λ of the audit factor max(0, 1 − λ · contamination) on the answer's component.

    Returns
    -------
    tuple of Rewarded
        In the order given.

    Raises
    ------
    DataError
        For a policy that is not known, and for what a policy refuses to read.
    ValueError
        For a form that is not known, and a negative or not finite contamination or weight.

    References
    ----------
    Physics-R1 (2026), r_bin and r_dense.

    Examples
    --------
    >>> item = Item(kind="number", gold="3 m")
    >>> said = [Rollout(group="q", item=item, text=f"<answer>{t}</answer>") for t in ("3 m", "3 s")]
    >>> [r.right for r in rewarded(said)], [r.right for r in rewarded(said, policy="default")]
    ([False, False], [True, False])
    >>> [r.right for r in rewarded(said, form="boxed")]
    [True, True]
    """
    judge = policy_named(policy)
    made = []
    for rollout in rollouts:
        text = in_form(rollout.text, form)
        grade = judge(rollout.item, text)
        right = grade.outcome == "answered" and grade.correct
        parts = dense_reward(
            text,
            rollout.item.gold,
            balance=rollout.balance,
            contamination=rollout.contamination,
            audit_weight=audit_weight,
        )
        factor = max(0.0, 1.0 - audit_weight * rollout.contamination)
        parts = replace(parts, ans=ANSWER * factor if right else 0.0)
        made.append(Rewarded(group=rollout.group, right=right, parts=parts))
    return tuple(made)


def by_group(rows: Sequence[Rewarded]) -> dict[str, list[Rewarded]]:
    """The responses of each group, groups in the order of their first response.

    Raises
    ------
    DataError
        Without a response, and for a group without a name.
    """
    if not rows:
        raise DataError("rewards: expected at least one response, found none")
    found: dict[str, list[Rewarded]] = {}
    for place, row in enumerate(rows):
        if not row.group:
            raise DataError(f"rewards: response {place}: expected the name of a group, found none")
        found.setdefault(row.group, []).append(row)
    return found


__all__ = ["PUBLISHED", "REPAIRED", "Rewarded", "Rollout", "by_group", "rewarded"]
