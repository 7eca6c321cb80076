"""What the tables of the robustness study are computed with: names, levels, draws, seeds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from harness.scoring.policies import policy_named
from harness.stats.checks import StatisticsError, check_draws, check_share
from harness.vision.draws import SIDES

STRESS = ("clean", "downsample_50", "downsample_25", "distractor_1", "distractor_3")
SEEDS = (0, 1, 2)
SEMANTIC = tuple(f"distractor_1_seed{seed}_{side}" for side in SIDES for seed in SEEDS)
BLANK = tuple(f"control_blank_1_{side}" for side in SIDES)
CONTROLS = (
    "control_target_rescaled",
    *(f"control_{fill}_1_{side}" for fill in ("blank", "noise") for side in SIDES),
    *(f"distractor_1_seed{seed}_{side}" for seed in SEEDS for side in SIDES),
)
PHASES = {
    "reproduction": "reproduce",
    "multiview": "multiview_budgeted",
    "held-out-gate": "heldout_gate",
    "self-consistency": "confidence",
}
# The archives that the published repair was counted over, by the experiments they hold.
ARCHIVES = {
    "core": ("reproduction", "robustness", "improvement"),
    "extension": (
        *("controls", "multiview", "held-out-gate", "gate-generalisation", "self-consistency"),
    ),
}
_POLICIES = ("error", "report")
_LEAST_DRAWS = 1000


@dataclass(frozen=True, kw_only=True, slots=True)
class TableSettings:
    """Everything that the tables depend on besides the cells; the defaults are the published ones.

    Attributes
    ----------
    models : names in the order of the tables, the untrained one first; `focus` is the one that
        the prompt, multi-view and repeated-answer phases ask.
    whole, design, held_out : names of the three data entries: all questions, the part that
        prompts were developed on, and its complement.
    paper, evidence : names of the two prompts. The gate scores the answer of the first.
    phases : experiment → phase as published tables name it, where the two differ by more than
        a hyphen. Those mapped to "reproduce" and "heldout_gate" are the long ones.
    level, alpha, power : of the intervals; error and power of the tests and of the smallest
        detectable effect. All strictly between 0 and 1.
    n_resamples : draws of what has no exact distribution, at least 1,000.
    analysis_seed, repair_seed, uplift_seed : of those draws, by the analysis that makes them.
    n_replicates, thresholds : answers to one question, and the vote shares that accept.
    on_unpaired : "error" refuses ids that one side of a comparison lacks, "report" counts them.
    repair_from : scoring policy that the scores at hand are held against; None for no such table.
    parsers : further policies that the ranking is computed under, beside "default", which is
        the scores at hand. Each is one of `harness.scoring.policies.POLICIES`.
    token_budgets : responses with more tokens count as cut off; None for as generated.
    ranking_conditions : the views that the ranking is computed under.
    """

    models: tuple[str, ...]
    focus: str
    whole: str
    design: str
    held_out: str
    paper: str
    evidence: str
    phases: Mapping[str, str] = field(default_factory=lambda: dict(PHASES))
    level: float = 0.95
    alpha: float = 0.05
    power: float = 0.8
    n_resamples: int = 10_000
    analysis_seed: int = 20260724
    repair_seed: int = 20260725
    uplift_seed: int = 20263724
    n_replicates: int = 8
    thresholds: tuple[float, ...] = (0.5, 0.625, 0.75, 0.875, 1.0)
    on_unpaired: str = "error"
    repair_from: str | None = "r1"
    parsers: tuple[str, ...] = ("r1",)
    token_budgets: tuple[int | None, ...] = (None, 512, 256)
    ranking_conditions: tuple[str, ...] = STRESS

    def phase(self, experiment: str) -> str:
        """The phase by which published tables know an experiment."""
        return self.phases.get(experiment, experiment.replace("-", "_"))

    def __post_init__(self) -> None:
        for name, share in (("level", self.level), ("alpha", self.alpha), ("power", self.power)):
            check_share(name, share)
        for seed in (self.analysis_seed, self.repair_seed, self.uplift_seed):
            check_draws(self.n_resamples, seed)
        if self.n_resamples < _LEAST_DRAWS:
            raise StatisticsError(
                "invalid_count",
                f"n_resamples: expected at least {_LEAST_DRAWS:,}, found {self.n_resamples}",
            )
        if self.on_unpaired not in _POLICIES:
            raise StatisticsError(
                "unknown_policy",
                f"on_unpaired: expected {' or '.join(_POLICIES)}, found {self.on_unpaired!r}",
            )
        if self.n_replicates < 2:
            raise StatisticsError(
                "invalid_count", f"n_replicates: expected at least 2, found {self.n_replicates}"
            )
        for policy in (*self.parsers, *([self.repair_from] if self.repair_from else [])):
            policy_named(policy)
        names = {
            "models": self.models,
            "data entries": (self.whole, self.design, self.held_out),
            "prompts": (self.paper, self.evidence),
            "parsers": ("default", *self.parsers),
            "token_budgets": self.token_budgets,
            "ranking_conditions": self.ranking_conditions,
        }
        for kind, given in names.items():
            if not given or len(set(given)) != len(given):
                raise StatisticsError(
                    "duplicate_id", f"{kind}: expected names that differ, found {given!r}"
                )
        if self.focus not in self.models:
            raise StatisticsError(
                "missing_label", f"focus: expected one of {self.models}, found {self.focus!r}"
            )


__all__ = [
    "ARCHIVES",
    "BLANK",
    "CONTROLS",
    "PHASES",
    "SEEDS",
    "SEMANTIC",
    "STRESS",
    "TableSettings",
]
