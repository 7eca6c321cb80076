"""The scoring policies by name: the default, and the published ones with their weak spots.

The published ones share no code with the default reader: they reproduce figures.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from harness.errors import DataError
from harness.scoring.policies.default import default
from harness.scoring.policies.physics_r1 import (
    physics_r1,
    physics_r1_liberal,
    physics_r1_strict,
)
from harness.scoring.policies.pope_official import pope_official
from harness.scoring.policies.protocol import protocol
from harness.scoring.policies.r1 import r1
from harness.scoring.policies.rewardlens import drop_unparsed, rewardlens
from harness.scoring.policies.scienceqa_official import scienceqa_official
from harness.scoring.policy import Policy

POLICIES: Mapping[str, Policy] = MappingProxyType(
    {
        "default": default,
        "drop_unparsed": drop_unparsed(default),
        "r1": r1,
        "rewardlens": rewardlens,
        "physics_r1": physics_r1,
        "physics_r1_strict": physics_r1_strict,
        "physics_r1_liberal": physics_r1_liberal,
        "protocol": protocol,
        "pope_official": pope_official,
        "scienceqa_official": scienceqa_official,
    }
)

# RewardLens leaves every row without an answer out of its denominators, whatever the reason.
ANSWERED_ONLY = frozenset({"drop_unparsed", "rewardlens"})


def policy_named(name: str) -> Policy:
    """Give the policy of a name.

    Raises
    ------
    DataError
        For an unknown name; lists the known ones.
    """
    try:
        return POLICIES[name]
    except KeyError:
        known = ", ".join(POLICIES)
        raise DataError(f"unknown scoring policy {name!r}: expected one of {known}") from None


__all__ = ["ANSWERED_ONLY", "POLICIES", "policy_named"]
