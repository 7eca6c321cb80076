"""The protocol's metrics of one prediction file, each with its interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from harness import ids
from harness.errors import DataError
from harness.predictions.rows import Row
from harness.scoring import score
from harness.stats.estimate import Estimate
from harness.stats.proportion import wilson
from harness.stats.ratios import ratio_interval
from harness.stats.resampling import bootstrap_statistic
from harness.stats.weighted import weighted_yes_no
from harness.types import Example, Response, Score

Field = Literal["prediction", "raw_prediction"]
PROTOCOL_KINDS = ("choice", "yesno")
N_RESAMPLES = 2000
_SHOWN = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """A scorer and what it is given: the model's text, or what the file's writer read in it."""

    policy: str
    field: Field

    @property
    def name(self) -> str:
        return f"{self.policy} of {self.field}"


def readings(rows: Sequence[Row], kind: str, policy: str = "default") -> list[Reading]:
    """Which scorers can judge a file.

    Parameters
    ----------
    rows : of the file.
    kind : of the examples.
    policy : this package's reading, see `harness.scoring.policies`.

    Returns
    -------
    list of Reading
        `policy`, and for the kinds choice and yesno the published rule: each on the raw text,
        where the rows have it, and on the prediction, which is all that the protocol's own
        scorer sees.

    Raises
    ------
    DataError
        When only some rows have a raw text: no scorer could be given the same of all.
    """
    n_raw = sum(row.raw is not None for row in rows)
    if 0 < n_raw < len(rows):
        raise DataError(
            f"expected raw_prediction in all {len(rows)} rows or in none, found it in {n_raw}"
        )
    fields: list[Field] = ["raw_prediction", "prediction"] if n_raw else ["prediction"]
    policies = [policy, "protocol"] if kind in PROTOCOL_KINDS else [policy]
    return [Reading(policy=p, field=f) for p in dict.fromkeys(policies) for f in fields]


def scores(examples: Sequence[Example], rows: Mapping[str, Row], reading: Reading) -> list[Score]:
    """Score every row, in the order of the examples; `rows` has one of each."""
    found = []
    for example in examples:
        row = rows[example.id]
        text = row.prediction if reading.field == "prediction" else row.raw
        response = Response(example_id=example.id, status="ok", text=text)
        found.append(score(example, response, reading.policy))
    return found


def figures(
    examples: Sequence[Example], found: Sequence[Score], level: float = 0.95
) -> dict[str, Estimate]:
    """Compute a file's metrics.

    Parameters
    ----------
    examples, found : aligned; rows that are not counted are left out.
    level : confidence level, strictly between 0 and 1.

    Returns
    -------
    dict
        Fractions. `accuracy`, `accuracy[TAG]` for each tag, `parse_rate`, and of yes/no
        questions `yes_ratio`, by Wilson; `precision` and `recall` as ratios whose denominator
        is redrawn; `f1` by 2,000 resamples of the questions. An empty slice is None, not 0.

    Raises
    ------
    DataError
        When the two are not aligned by id.
    """
    if [e.id for e in examples] != [s.example_id for s in found]:
        raise DataError(
            f"figures: expected scores aligned with {len(examples)} examples by id, found "
            f"{len(found)} in another order or of other ids"
        )
    counted = [(e, s) for e, s in zip(examples, found, strict=True) if s.counted]

    def share(rows: Sequence[bool]) -> Estimate:
        return wilson(sum(rows), len(rows), level)

    metrics = {"accuracy": share([s.correct for _, s in counted])}
    for tag in sorted({tag for e in examples for tag in e.tags}):
        metrics[f"accuracy[{tag}]"] = share([s.correct for e, s in counted if tag in e.tags])
    metrics["parse_rate"] = share([s.outcome == "answered" for _, s in counted])
    if examples and all(e.kind == "yesno" for e in examples):
        metrics |= _yes_no([s for _, s in counted], level)
    return metrics


def _yes_no(rows: Sequence[Score], level: float) -> dict[str, Estimate]:
    gold = [s.gold == "yes" for s in rows]
    read = {"yes": True, "no": False}
    said = [read.get(s.answer.value or "") if s.outcome == "answered" else None for s in rows]
    hits = sum(g and a is True for g, a in zip(gold, said, strict=True))
    yes = sum(a is True for a in said)
    n = len(rows)
    seed = ids.seed(0, "predictions", "f1", n, hits, yes, sum(gold)) % 2**32
    return {
        "precision": ratio_interval(hits, yes, n, level),
        "recall": ratio_interval(hits, sum(gold), n, level),
        "f1": bootstrap_statistic(
            weighted_yes_no("f1", gold, said), level, "percentile", N_RESAMPLES, seed
        ),
        "yes_ratio": wilson(yes, n, level),
    }


def covered(
    examples: Sequence[Example], rows: Mapping[str, Row], *, partial: bool, where: str
) -> list[Example]:
    """Give the examples that a file has a row of.

    Parameters
    ----------
    examples : the whole data set.
    rows : of the file.
    partial : let examples without a row be left out.
    where : the file, for the message.

    Raises
    ------
    DataError
        For rows of no example, and unless `partial` for examples without a row.
    """
    known = {example.id for example in examples}
    foreign = [key for key in rows if key not in known]
    missing = [example.id for example in examples if example.id not in rows]
    if foreign:
        raise DataError(
            f"{where}: {len(foreign)} of {len(rows)} rows belong to no example: "
            f"{_some(foreign)}; is it of another data set or split?"
        )
    if missing and not partial:
        raise DataError(
            f"{where}: {len(missing)} of {len(examples)} examples have no row: {_some(missing)}; "
            "complete the file, or score it as a subset with --partial"
        )
    return [example for example in examples if example.id in rows]


def _some(keys: Sequence[str]) -> str:
    return ", ".join(keys[:_SHOWN]) + (", …" if len(keys) > _SHOWN else "")


__all__ = ["PROTOCOL_KINDS", "Reading", "covered", "figures", "readings", "scores"]
