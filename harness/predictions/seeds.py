"""One prediction file a seed, and what may be said of several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from harness.errors import DataError
from harness.stats.seeds import FORMAL_SEEDS, aggregate_seeds

FIELD = "{seed}"
Claim = Literal["random", "repeated", "seeds", "single"]
CLAIMS: Mapping[Claim, str] = {
    "random": (
        "A random baseline: it shows that data, metrics and seeds work, and says nothing of any "
        "model."
    ),
    "repeated": (
        "Every seed gave the same answers, so these are repetitions of one run and no comparison "
        "over seeds."
    ),
    "seeds": (
        "A mean over {n} seeds with their sample standard deviation; the radius is 1.96 sd/√n, "
        "which covers less than 95 % with so few."
    ),
    "single": (
        "Fewer than three seeds: a figure of {n} run(s), with an interval over questions alone, "
        "and no comparison over seeds."
    ),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class OverSeeds:
    """One metric over seeds; `sample_std` and `radius` are None for one, `mean` for none."""

    mean: float | None
    sample_std: float | None
    radius: float | None
    n: int


def seed_paths(template: str, seeds: Sequence[int]) -> dict[int, Path]:
    """Give the file of each seed.

    Parameters
    ----------
    template : a path, with `{seed}` where the seed stands if there are several.
    seeds : at least one, all different.

    Raises
    ------
    DataError
        Without a seed, with one twice, or with several and no `{seed}`.

    Examples
    --------
    >>> [path.name for path in seed_paths("p-{seed}.jsonl", [42, 43]).values()]
    ['p-42.jsonl', 'p-43.jsonl']
    """
    if not seeds or len(set(seeds)) < len(seeds):
        raise DataError(f"expected different seeds, at least one, found {list(seeds)}")
    if len(seeds) > 1 and FIELD not in template:
        raise DataError(
            f"{Path(template).name}: expected {FIELD} in the path, for one file a seed, found "
            f"none with {len(seeds)} seeds ({', '.join(map(str, seeds))})"
        )
    return {seed: Path(template.replace(FIELD, str(seed))) for seed in seeds}


def over_seeds(values: Sequence[float | None]) -> OverSeeds:
    """Summarise a metric as the protocol does.

    Parameters
    ----------
    values : one a seed; None where it is undefined, which leaves all undefined.

    Returns
    -------
    OverSeeds
        Mean, sample standard deviation (n - 1) and the radius 1.96 sd/√n.

    References
    ----------
    Unified multimodal evaluation protocol: mean, sample standard deviation, 95 % radius.

    Examples
    --------
    >>> over_seeds([0.5])
    OverSeeds(mean=0.5, sample_std=None, radius=None, n=1)
    """
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return OverSeeds(mean=None, sample_std=None, radius=None, n=len(values))
    found = aggregate_seeds(known, 0.95, "protocol_1.96")
    return OverSeeds(
        mean=found.mean, sample_std=found.sample_std, radius=found.radius, n=found.n_seeds
    )


def claim_of(n_seeds: int, *, random: bool, identical: bool) -> Claim:
    """What a set of runs may be called.

    Parameters
    ----------
    n_seeds : different seeds.
    random : the predictions are those of the random baseline.
    identical : all seeds have the same texts, as greedy decoding gives.

    Examples
    --------
    >>> claim_of(3, random=False, identical=False)
    'seeds'
    >>> claim_of(3, random=False, identical=True)
    'repeated'
    """
    if random:
        return "random"
    if n_seeds > 1 and identical:
        return "repeated"
    return "seeds" if n_seeds >= FORMAL_SEEDS else "single"


def claim_policy(claim: Claim, n_seeds: int, n_scored: int, n_data: int) -> str:
    """The sentence that goes with the figures; a subset of the data is named as one.

    Examples
    --------
    >>> claim_policy("single", 1, 500, 4241).endswith("Scored on 500 of 4241 questions.")
    True
    """
    text = CLAIMS[claim].format(n=n_seeds)
    return text if n_scored == n_data else f"{text} Scored on {n_scored} of {n_data} questions."


__all__ = ["CLAIMS", "Claim", "OverSeeds", "claim_of", "claim_policy", "over_seeds", "seed_paths"]
