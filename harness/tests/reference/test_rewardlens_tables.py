"""RewardLens' published tables through ours: cells whose answers have the published counts.

Which triplet is in which state is not published, so single judges, margins and pairs in which one
judge is always right are held against the published figures, and joint counts are not.
"""

from __future__ import annotations

from functools import cache

import pytest

from harness.interventions.settings import InterventionSettings
from harness.interventions.tables import intervention_tables
from harness.table import Table, Value
from harness.tests.interventions.made_judges import cell, from_states, pool, static, triplet
from harness.tests.reference.published import table
from harness.types import CellResult

pytestmark = pytest.mark.reference

STATES = [f"n_{base}{rel}{irr}" for base in (0, 1) for rel in (0, 1) for irr in (0, 1)]
FACTORS = ("attribute", "count", "presence", "spatial")
SHARES = ("static_accuracy", "RA", "II", "PFC", "PSC", "flip_relevant", "flip_irrelevant")
UTILITY = ("U_at_2", "U_at_4", "U_at_8")
SAMPLED = 0.6  # two lattice steps of a share of 186 or 200, percentage points


@cache
def published() -> dict[tuple[str, str], dict[str, str]]:
    rows = table("rewardlens/audit_states_and_metrics", 32)
    return {(row["model"], row["factor"]): row for row in rows}


def judge(model: str) -> list[CellResult]:
    """One judge's triplets, static items and pools of all factors."""
    triplets, bits, items, static_bits, pools, picks = [], [], [], [], [], []
    for factor in FACTORS:
        row = published()[model, factor]
        states = from_states({name: int(row[name]) for name in STATES})
        for place, state in enumerate(states):
            triplets += triplet(f"{factor}{place}", factor, "AB"[place % 2])
            bits += list(state)
        k, n = int(row["static_correct"]), int(row["static_n"])
        static_bits += ["1"] * k + ["0"] * (n - k) + ["u"] * (200 - n)
        items += [static(f"{factor}-s{i}", factor, "AB"[i % 2]) for i in range(200)]
        for name in UTILITY:
            hits = round(200 * float(row[name]))
            pools += [pool(f"{factor}-p{i}", int(name[-1]), factor) for i in range(200)]
            picks += ["1"] * hits + ["B"] * (200 - hits)
    return [
        cell(model, "audit", triplets, bits),
        cell(model, "static", items, static_bits),
        cell(model, "pools", pools, picks),
    ]


@cache
def tables() -> dict[str, Table]:
    models = tuple(dict.fromkeys(model for model, _ in published()))
    settings = InterventionSettings(
        models=models, audit="audit", static="static", pools="pools", prompt="p"
    )
    return intervention_tables([made for model in models for made in judge(model)], settings)


def rows(name: str, **where: Value) -> list[dict[str, Value]]:
    return [
        dict(row)
        for row in tables()[name].rows
        if all(row[column] == value for column, value in where.items())
    ]


def number(value: Value) -> float:
    assert isinstance(value, int | float)
    return float(value)


def test_the_32_cells() -> None:
    found = rows("judge_cells", policy="drop_unparsed")
    assert len(found) == 32
    for ours in found:
        theirs = published()[str(ours["model"]), str(ours["factor"])]
        for name in (*STATES, "n_base_correct", "static_correct", "static_n"):
            assert ours[name] == int(theirs[name]), name
        for name in (*SHARES, *UTILITY):
            assert abs(number(ours[name]) - float(theirs[name])) <= 5e-7, (theirs, name)
    assert {row["n_dropped"] for row in found} == {0}


def test_what_was_not_read_is_named_and_counts_as_wrong_under_our_policy() -> None:
    named = rows("losses")
    unread = {(r["model"], r["factor"], r["part"]): r["n_rows"] for r in named}
    expected = {
        (model, factor, "static"): 200 - int(row["static_n"])
        for (model, factor), row in published().items()
        if row["static_n"] != "200"
    }
    assert unread == expected and ("Phi", "spatial", "static") in expected
    (ours,) = rows("judge_cells", policy="wrong", model="Phi", factor="spatial")
    assert (ours["static_correct"], ours["static_n"]) == (168, 200)
    assert not rows("dropped_triplets")


def test_seven_pairs_with_the_published_gaps_and_their_median() -> None:
    found = {
        (r["factor"], r["first"], r["second"]): r
        for r in rows("matched_pairs", policy="drop_unparsed", declared=True, metric="RA")
    }
    theirs = table("rewardlens/matched_pairs_1pp_bootstrap", 7)
    assert set(found) == {(r["factor"], r["model_1"], r["model_2"]) for r in theirs}
    for row in theirs:
        where = {"factor": row["factor"], "first": row["model_1"], "second": row["model_2"]}
        for metric in ("RA", "II", "PFC", "PSC"):
            (ours,) = rows("matched_pairs", policy="drop_unparsed", metric=metric, **where)
            delta = float(row[f"delta_{metric}_pp"])
            assert abs(number(ours["delta_pp"]) - delta) <= 0.0006, (where, metric)
    (summary,) = rows("matched_summary", policy="drop_unparsed", declared=True, metric="RA")
    assert (summary["n_candidates"], summary["n_pairs"]) == (112, 7)
    assert round(number(summary["median_gap_pp"]), 2) == 15.05


def test_the_interval_of_phi_against_llava() -> None:
    """LLaVA is right throughout, so the pairing of the two cannot matter."""
    where: dict[str, Value] = {"first": "Phi", "second": "LLaVA", "factor": "attribute"}
    row = next(
        r for r in table("rewardlens/matched_pairs_1pp_bootstrap", 7) if r["model_1"] == "Phi"
    )
    assert (row["factor"], row["RA_lo"], row["RA_hi"]) == ("attribute", "-20.430", "-10.214")
    for metric in ("RA", "II", "PFC", "PSC"):
        (ours,) = rows("matched_pairs", policy="drop_unparsed", metric=metric, **where)
        for prefix in ("ci", "exact"):
            for end, column in (("low", "lo"), ("high", "hi")):
                ends = number(ours[f"{prefix}_{end}_pp"]), float(row[f"{metric}_{column}"])
                assert abs(ends[0] - ends[1]) <= SAMPLED, (metric, prefix, end)
        assert ours["holm_reject"] is True
        assert (ours["n_resamples"], ours["seed"]) == (10_000, 20270915)


def test_the_two_worked_examples() -> None:
    (kept,) = rows(
        "judge_metrics",
        policy="drop_unparsed",
        model="Qwen",
        factor="count",
        metric="retention_relevant",
    )
    assert (kept["k"], kept["n"]) == (166, 200)
    spatial = rows("judge_cells", policy="wrong", factor="spatial", base_accuracy=1.0)
    assert {r["model"]: round(100 * number(r["RA"]), 1) for r in spatial} == {
        "Qwen": 98.5,
        "Skywork": 86.0,
        "Idefics3": 55.0,
        "LLaVA": 87.0,
        "InternVL": 91.5,
    }
    said = {
        r["question"]: str(r["permitted_interpretation"]) for r in rows("permitted_interpretation")
    }
    perfect = said["Do judges that answer every base right adapt alike?"]
    assert "spatial: 5 judges, relevant adaptation 55.0% (Idefics3) to 98.5% (Qwen)" in perfect


def test_the_secondary_tables_cover_every_factor_and_pool() -> None:
    assert len(rows("specificity_matrix", policy="wrong")) == 2 * 3 * 16
    assert {r["n_judges"] for r in rows("specificity")} == {8}
    assert len(rows("outcome_prediction", policy="wrong")) == 4 * 3 * 2
