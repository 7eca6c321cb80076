"""What the tables of an intervention study are computed with: names, tolerances, draws, seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from harness.sample import SWAPPED
from harness.stats.checks import StatisticsError, check_choice, check_draws, check_share
from harness.types import ModelSpec

POLICIES = ("drop_unparsed", "wrong")
WITHIN_PP = (0.0, 0.5, 1.0, 2.0, 3.0, 5.0)
DECLARED_PP = 1.0
N_RESAMPLES = 10_000
SEED = 20270915
_LEAST_DRAWS = 1000


@dataclass(frozen=True, kw_only=True, slots=True)
class InterventionSettings:
    """Everything that the tables depend on besides the cells; the defaults are the published ones.

    Attributes
    ----------
    models : judges in the order of the tables.
    audit, static, pools : names of the data entries with triplets, static items and pools of
        several candidates; None where the study has none.
    prompt, reward_prompt : names of the prompts whose cells are read: of judges of family
        `reward` the second, where it is stated, of all others the first.
    families : judge → family, for what leaves out or redraws whole families; by default a judge
        is its own.
    within_pp : tolerances of matching, percentage points of static accuracy; a number stands for
        the decimal that it prints as. `declared_pp` is the one fixed beforehand.
    level, alpha, power : of the intervals; error and power of the tests and of the smallest
        detectable gap. All strictly between 0 and 1.
    n_resamples, seed : of what has no exact distribution, at least 1,000 draws.
    """

    models: tuple[str, ...]
    audit: str
    static: str | None = None
    pools: str | None = None
    prompt: str
    reward_prompt: str | None = None
    families: Mapping[str, str] = field(default_factory=dict)
    within_pp: tuple[float, ...] = WITHIN_PP
    declared_pp: float = DECLARED_PP
    level: float = 0.95
    alpha: float = 0.05
    power: float = 0.8
    n_resamples: int = N_RESAMPLES
    seed: int = SEED

    def __post_init__(self) -> None:
        for name in ("level", "alpha", "power"):
            check_share(name, getattr(self, name))
        check_draws(self.n_resamples, self.seed)
        if self.n_resamples < _LEAST_DRAWS:
            raise StatisticsError(
                "invalid_count",
                f"n_resamples: expected at least {_LEAST_DRAWS}, found {self.n_resamples}",
            )
        if len(set(self.models)) < len(self.models):
            raise StatisticsError("duplicate_id", f"models: a name stands twice in {self.models}")
        if self.declared_pp not in self.within_pp:
            raise StatisticsError(
                "invalid_threshold",
                f"declared_pp: expected one of {list(self.within_pp)}, found {self.declared_pp}",
            )

    def family(self, model: str) -> str:
        """The judge's family."""
        return self.families.get(model, model)

    def prompt_of(self, model: ModelSpec) -> str:
        """The name of the prompt that the judge gets."""
        return self.reward_prompt or self.prompt if model.family == "reward" else self.prompt


def check_policy(policy: str) -> None:
    """`StatisticsError` (`unknown_variant`) for a policy that is not one of `POLICIES`."""
    check_choice("policy", policy, POLICIES)


__all__ = [
    "DECLARED_PP",
    "N_RESAMPLES",
    "POLICIES",
    "SEED",
    "SWAPPED",
    "WITHIN_PP",
    "InterventionSettings",
    "check_policy",
]
