"""Matched pairs, position, specificity and prediction, on judges whose answers are known."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from harness.interventions.counts import FactorCounts, factor_counts
from harness.interventions.matched import matched_tables
from harness.interventions.pairs import gap
from harness.interventions.position import position_bias
from harness.interventions.prediction import least_squares, prediction_table
from harness.interventions.readings import JudgeFactor, readings
from harness.interventions.specificity import specificity_tables
from harness.interventions.tables import intervention_tables
from harness.stats.power import paired_mde
from harness.tests.interventions.made_judges import (
    SETTINGS,
    audit,
    cell,
    pool,
    static,
    statics,
    triplet,
)
from harness.types import CellResult


def counted(cells: list[CellResult], policy: str = "wrong") -> list[FactorCounts]:
    return [factor_counts(judge, policy) for judge in readings(cells, SETTINGS).frozen]


def two(first: list[str], second: list[str], k1: int = 9, k2: int = 9) -> list[FactorCounts]:
    bits = [["1"] * k + ["0"] * (10 - k) for k in (k1, k2)]
    return counted(
        [audit("m1", first), audit("m2", second), statics("m1", bits[0]), statics("m2", bits[1])]
    )


def test_each_judge_keeps_its_own_denominator() -> None:
    first, second = two(["111", "101", "011", "111"], ["111", "111", "111", "101"])
    found = gap(first, second, "RA", SETTINGS)
    # 2 of 3 against 3 of 4; shared base-correct are t0, t1, t3.
    assert found.drawn.second == 2 / 3 and found.drawn.first == 3 / 4
    assert found.drawn.difference.value == float(Fraction(2, 3) - Fraction(3, 4))
    assert (found.test.n, found.test.n01, found.test.n10) == (3, 1, 1)
    assert gap(first, second, "PFC", SETTINGS).drawn.difference.value == -0.25


def test_the_exact_interval_of_a_judge_that_always_adapts_mirrors() -> None:
    weak, strong = two(["111"] * 12 + ["101"] * 8, ["111"] * 20)
    ours, mirrored = (
        gap(weak, strong, "RA", SETTINGS).exact,
        gap(strong, weak, "RA", SETTINGS).exact,
    )
    assert ours is not None and mirrored is not None
    assert ours.value == -0.4 and (ours.low, ours.high) == (-0.6, -0.2)
    assert mirrored.low is not None and mirrored.high is not None
    assert (-mirrored.high, -mirrored.low) == (ours.low, ours.high)
    drawn = gap(weak, strong, "RA", SETTINGS).drawn.difference
    assert drawn.low is not None and abs(drawn.low - -0.6) <= 0.051


def test_the_interval_is_that_of_redrawn_triplets_with_both_denominators_recounted() -> None:
    """Against a plain loop over drawn triplets: both judges together, RA anew in each draw."""
    rng = np.random.Generator(np.random.PCG64(11))
    states = [["".join(row) for row in rng.choice(list("0111"), size=(80, 3))] for _ in range(2)]
    first, second = two(states[0], states[1])
    gaps = []
    for _ in range(2000):
        drawn = rng.integers(0, 80, size=80)
        shares = []
        for judge in states:
            base = [judge[i] for i in drawn if judge[i][0] == "1"]
            shares.append(sum(state[1] == "1" for state in base) / len(base))
        gaps.append(shares[0] - shares[1])
    found = gap(first, second, "RA", replace(SETTINGS, n_resamples=10_000)).drawn.difference
    assert found.low is not None and found.high is not None
    low, high = np.quantile(gaps, [0.025, 0.975])
    assert abs(found.low - low) < 0.02 and abs(found.high - high) < 0.02


def test_pairs_are_named_by_the_smallest_tolerance_and_corrected_within_the_declared_one() -> None:
    counts = two(["101"] * 40, ["111"] * 40, k1=9, k2=9)
    pairs, summary = matched_tables(counts, SETTINGS)
    assert [row["metric"] for row in pairs.rows] == ["RA", "II", "PFC", "PSC"]
    first = pairs.rows[0]
    assert (first["within_pp"], first["declared"], first["delta_pp"]) == (0.0, True, -100.0)
    assert first["holm_reject"] is True and first["family_size"] == 1
    assert pairs.rows[1]["minimum_detectable_gap_pp"] is None  # no discordant triplet
    assert len(summary.rows) == 6 * 4
    assert {r["n_pairs"] for r in summary.rows} == {1}
    # Ten points apart: no tolerance matches, and the candidates are still counted.
    pairs, summary = matched_tables(two(["101"], ["111"], k1=9, k2=8), SETTINGS)
    assert not pairs.rows and {r["n_candidates"] for r in summary.rows} == {1}


def test_a_larger_family_hides_smaller_gaps() -> None:
    states = {"m1": ["101"] * 5 + ["111"] * 35, "m2": ["111"] * 40, "m3": ["111"] * 40}
    settings = replace(SETTINGS, models=tuple(states))
    cells = [audit(model, found) for model, found in states.items()]
    cells += [statics(model, ["1"] * 9 + ["0"]) for model in states]
    counts = [factor_counts(judge, "wrong") for judge in readings(cells, settings).frozen]
    pairs = [r for r in matched_tables(counts, settings)[0].rows if r["metric"] == "RA"]
    assert {r["family_size"] for r in pairs} == {3}
    seen = paired_mde(40, 5 / 40, 0.05 / 3, 0.8)
    assert seen is not None and pairs[0]["minimum_detectable_gap_pp"] == 100 * seen
    # McNemar's 0.0625 is not rejected though the interval leaves out 0.
    low, high = pairs[0]["ci_low_pp"], pairs[0]["ci_high_pp"]
    assert isinstance(low, float) and isinstance(high, float) and low < high < 0
    assert pairs[0]["holm_reject"] is False
    said = intervention_tables(cells, settings)["permitted_interpretation"].rows[0]
    assert "may be claimed for 0 after Holm" in str(said["permitted_interpretation"])


def test_a_baseline_is_no_judge_and_kinds_are_named() -> None:
    items = [e for i in range(4) for e in triplet(f"t{i}", gold="AB"[i % 2])]
    still = [static(f"s{i}") for i in range(4)]
    cells = [audit("m1", ["111"] * 4), statics("m1", ["1"] * 4)]
    for name, bits in (("audit", ["1"] * 12), ("static", ["1"] * 4)):
        asked = items if name == "audit" else still
        cells.append(cell("m2", name, asked, bits, family="reward"))
        cells.append(cell("m3", name, asked, bits, kind="baseline"))
    tables = intervention_tables(cells, replace(SETTINGS, models=("m1", "m2", "m3")))
    pairs = {(r["first"], r["second"], r["kinds"]) for r in tables["matched_pairs"].rows}
    assert pairs == {("m1", "m2", "generative and reward")}
    assert {r["kind"] for r in tables["judge_cells"].rows} == {"generative", "reward", "baseline"}
    said = str(tables["permitted_interpretation"].rows[0]["permitted_interpretation"])
    assert "(generative and reward judges, not ranked)" in said


def test_a_pair_beyond_the_declared_tolerance_has_no_corrected_p() -> None:
    settings = replace(SETTINGS, within_pp=(1.0, 10.0))
    pairs, summary = matched_tables(two(["101"] * 9, ["111"] * 9, k1=9, k2=8), settings)
    assert {(r["within_pp"], r["declared"], r["holm_p"]) for r in pairs.rows} == {
        (10.0, False, None)
    }
    rejects = {(r["within_pp"], r["metric"]): r["holm_rejects"] for r in summary.rows}
    assert rejects[10.0, "RA"] == 1 and rejects[1.0, "RA"] == 0


def test_a_judge_that_always_takes_the_first_candidate() -> None:
    items = [static(f"s{i}", gold="AB"[i % 2]) for i in range(40)]
    first = ["A"] * 40
    cells = [cell("m1", "static", items, first), cell("m1", "static", items, first, swapped=True)]
    cells += [statics("m2", ["1"] * 30 + ["u"] * 10), statics("m2", ["1"] * 40, swapped=True)]
    found = readings(cells, SETTINGS)
    always, fair = position_bias(found.frozen, found.swapped, 0.95, 0.05, 0.8).rows
    assert (always["consistent_pct"], always["first_position_rate_pct"]) == (0.0, 100.0)
    assert (always["n_always_first"], always["position_effect_pp"]) == (40, 100.0)
    assert always["accuracy_gold_second_pct"] == 0.0
    assert (fair["n_unread"], fair["n_consistent"], fair["consistent_pct"]) == (10, 30, 75.0)
    assert fair["first_position_rate_pct"] == 50.0
    consistent, effect = str(fair["ci_method"]).split("; ")
    assert consistent == "consistent: Wilson score interval"
    assert effect.startswith("effect: ") and "bootstrap" in effect
    empty = position_bias(found.frozen, (), 0.95, 0.05, 0.8)
    assert not empty.rows and "swapped" in empty.note


def panel_of(shares: dict[str, tuple[int, int]]) -> list[CellResult]:
    """Judges whose adaptation in each of two factors is given, with outcomes that follow it."""
    cells = []
    for model, skill in shares.items():
        items, bits, pools, picks, items_s, bits_s = [], [], [], [], [], []
        for factor, k in zip(("count", "spatial"), skill, strict=True):
            for i in range(10):
                items += triplet(f"{factor}{i}", factor)
                bits += list("111" if i < k else "101")
                pools.append(pool(f"{factor}-p{i}", 4, factor))
                picks.append("1" if i < k else "0")
                items_s.append(static(f"{factor}-s{i}", factor))
                bits_s.append("1" if i < 8 else "0")
        cells += [
            cell(model, "audit", items, bits),
            cell(model, "pools", pools, picks),
            cell(model, "static", items_s, bits_s),
        ]
    return cells


def test_behaviour_that_is_specific_to_its_factor() -> None:
    models = ("m1", "m2", "m3", "m4")
    settings = replace(SETTINGS, models=models, pools="pools", families={"m1": "x", "m2": "x"})
    cells = panel_of({"m1": (2, 9), "m2": (4, 3), "m3": (6, 9), "m4": (8, 3)})
    tables = intervention_tables(cells, settings)
    matrix = {
        (r["audit_factor"], r["outcome_factor"]): r["value"]
        for r in tables["specificity_matrix"].rows
        if r["policy"] == "wrong" and r["behaviour"] == "PFC"
    }
    a, b = np.array([2, 4, 6, 8]), np.array([9, 3, 9, 3])
    assert abs(float(matrix["count", "count"]) - 1) < 1e-12  # type: ignore[arg-type]
    assert abs(float(matrix["count", "spatial"]) - np.corrcoef(a, b)[0, 1]) < 1e-12  # type: ignore[arg-type]
    row = next(r for r in tables["specificity"].rows if r["behaviour"] == "PFC")
    assert (row["n_judges"], row["n_families"]) == (4, 3)
    assert "clusters" in str(row["ci_method"])
    # Outcomes that equal the adaptation are predicted by it without error, by accuracy not at all.
    for found in tables["outcome_prediction"].rows:
        exact = found["predictors"] == "A+PFC+PSC"
        assert (found["mae_pp"] == 0.0) == exact
        assert found["n_reduced_fits"] == 3  # static accuracy and PSC are the same for all
    # By hand: static accuracy is constant, so the others' mean outcome predicts, without m1 and m2
    # at once: errors of 50, 30, 13.3 and 40 points.
    (mean,) = [
        r["mae_pp"]
        for r in tables["outcome_prediction"].rows
        if (r["policy"], r["factor"], r["predictors"]) == ("wrong", "count", "A")
    ]
    assert mean == float(Fraction(100, 3))
    assert "Outside" not in tables["specificity"].note
    one = specificity_tables([c for c in counted(cells) if c.factor == "count"], settings)
    assert not one[0].rows and not one[1].rows


def test_judges_outside_the_panel_are_named() -> None:
    settings = replace(SETTINGS, models=("m1", "m2", "m3", "m4"), pools="pools")
    cells = panel_of({"m1": (2, 9), "m2": (4, 3), "m3": (6, 9), "m4": (8, 3)})
    # m4 has no pool, and m3 no answer that was read to any spatial pool.
    cells = [c for c in cells if (c.cell.model.name, c.cell.data) != ("m4", "pools")]
    pools = [
        pool(f"{factor}-p{i}", 4, factor) for factor in ("count", "spatial") for i in range(10)
    ]
    cells = [c for c in cells if (c.cell.model.name, c.cell.data) != ("m3", "pools")]
    cells.append(cell("m3", "pools", pools, ["1"] * 10 + ["u"] * 10))
    tables = intervention_tables(cells, settings)
    for name in ("specificity", "specificity_matrix"):
        assert tables[name].note.endswith(
            " Outside, for want of one of the figures in a factor: m3 (PFC on U_at_4 under "
            "drop_unparsed, PSC on U_at_4 under drop_unparsed); m4."
        )
    sizes = {r["policy"]: r["n_judges"] for r in tables["specificity"].rows}
    assert sizes == {"drop_unparsed": 2, "wrong": 3}


def test_least_squares_in_fractions_equals_numpy() -> None:
    rng = np.random.Generator(np.random.PCG64(5))
    for _ in range(20):
        x = rng.integers(0, 9, size=(7, 3))
        x[:, 0] = 1
        y = rng.integers(0, 9, size=7)
        rows = [[Fraction(int(v)) for v in row] for row in x]
        found, full = least_squares(rows, [Fraction(int(v)) for v in y])
        if full:
            wanted = np.linalg.lstsq(x.astype(float), y.astype(float), rcond=None)[0]
            assert np.allclose([float(v) for v in found], wanted)


def test_without_pools_nothing_is_predicted() -> None:
    judges = [JudgeFactor(model="m1", factor="count")]
    assert not prediction_table([factor_counts(j, "wrong") for j in judges], SETTINGS).rows


def test_one_family_redrawn_is_no_interval() -> None:
    models = ("m1", "m2", "m3", "m4")
    families = dict.fromkeys(models, "x")
    settings = replace(SETTINGS, models=models, pools="pools", families=families)
    cells = panel_of({"m1": (2, 2), "m2": (4, 4), "m3": (6, 3), "m4": (8, 9)})
    tables = intervention_tables(cells, settings)
    row = next(r for r in tables["specificity"].rows if r["behaviour"] == "PFC")
    assert (row["n_families"], row["ci_low"], row["ci_high"]) == (1, None, None)
    said = tables["permitted_interpretation"].rows
    text = next(r["permitted_interpretation"] for r in said if r["table"] == "specificity")
    assert str(text).startswith("Specific in 0 of")
