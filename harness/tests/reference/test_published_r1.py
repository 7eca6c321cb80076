"""The R1 robustness study's published tables, computed again from their own counts."""

from __future__ import annotations

from collections import Counter

import pytest

from harness.stats.agreement import agreement_from_counts
from harness.stats.contrasts import layout_decomposition
from harness.stats.multiple import holm
from harness.stats.paired import mcnemar, paired_difference
from harness.stats.ratios import ratio_interval
from harness.tests.reference.published import count, document, ends_fit, some_table, table

pytestmark = pytest.mark.reference

# File, rows, and whether its shares are percentages.
PAIRED = (
    ("reproduction_paired_deltas", 3, False),
    ("robustness_paired", 12, False),
    ("extension__control_paired_contrasts", 93, True),
    ("extension__multiview_budgeted_paired", 6, True),
)


def paired_rows() -> list[dict[str, float]]:
    """The 114 paired tests, all in counts of questions."""
    found = []
    for name, n_rows, percent in PAIRED:
        for row in table(f"r1_study/{name}", n_rows):
            n, unit = int(row["n"]), 100.0 if percent else 1.0
            end, tail = ("ci", "_pp") if percent else ("delta_ci", "")
            share = "_pct" if percent else ""
            found.append(
                {
                    "n": n,
                    "n10": int(row["left_only_correct"]),
                    "n01": int(row["right_only_correct"]),
                    "p": float(row["mcnemar_exact_p"]),
                    "left": count(row[f"left_accuracy{share}"], n, unit),
                    "right": count(row[f"right_accuracy{share}"], n, unit),
                    "difference": count(row["delta_pp" if percent else "accuracy_delta"], n, unit),
                    "agree": count(row[f"answer_agreement{share}"], n, unit),
                    "low": float(row[f"{end}_low{tail}"]) / unit * n,
                    "high": float(row[f"{end}_high{tail}"]) / unit * n,
                }
            )
    return found


def test_every_paired_p_value_is_exact() -> None:
    rows = paired_rows()
    assert len(rows) == 114
    for row in rows:
        assert abs(mcnemar(int(row["n01"]), int(row["n10"]), "exact") - row["p"]) <= 1e-12, row
        assert row["right"] - row["left"] == row["difference"] == row["n01"] - row["n10"]
        # A flip of correctness is a flip of the answer.
        assert row["n01"] + row["n10"] <= row["n"] - row["agree"]


def test_every_interval_end_is_within_one_step_of_the_exact_quantile() -> None:
    """One end of the 228 lies between two counts, which only interpolation can give."""
    steps: Counter[str] = Counter()
    for row in paired_rows():
        n = int(row["n"])
        exact = paired_difference(int(row["n01"]), int(row["n10"]), n, 0.95, "percentile")
        assert exact.low is not None and exact.high is not None
        for published, quantile in ((row["low"], exact.low), (row["high"], exact.high)):
            off = abs(published - quantile * n)
            assert off <= 1 + 1e-6, row
            whole = abs(off - round(off)) < 1e-6
            steps[str(round(off)) if whole else "between"] += 1
    assert steps == {"0": 180, "1": 47, "between": 1}


def test_the_end_between_two_counts_is_an_interpolated_one() -> None:
    """Place 0.975 * 9,999 of the sorted draws lies 0.025 of the way from one to the next."""
    between = [
        (row, row[end])
        for row in paired_rows()
        for end in ("low", "high")
        if abs(row[end] - round(row[end])) > 1e-6
    ]
    ((row, end),) = between
    assert (row["n01"], row["n10"]) == (39, 40)
    assert end == pytest.approx(16.025, abs=1e-6)


def test_the_holm_family() -> None:
    rows = table("r1_study/robustness_paired", 12)
    family = holm([float(row["mcnemar_exact_p"]) for row in rows], 0.05)
    named = {
        (row["model_key"], row["right"]): p for row, p in zip(rows, family.adjusted, strict=True)
    }
    assert len(named) == 12
    assert round(named.pop(("sft", "distractor_1")), 4) == 0.0555
    assert round(named.pop(("rl", "downsample_25")), 4) == 0.0941
    assert set(named.values()) == {1.0}
    assert not any(family.reject)


def test_agreement_ranges_from_37_7_to_56_3() -> None:
    rows = table("r1_study/robustness_paired", 12)
    counts = [count(row["answer_agreement"], 300) for row in rows]
    assert (min(counts), max(counts)) == (113, 169)
    shares = [agreement_from_counts(k, 300) for k in (113, 169)]
    assert [round(100 * s.agreement, 1) for s in shares if s.agreement] == [37.7, 56.3]
    assert [round(300 * s.turnover) for s in shares if s.turnover] == [187, 131]


def test_rl_minus_base_follows_from_three_tables_alone() -> None:
    """0.32 points are 3 of 942, and the p-value leaves three numbers of discordant pairs."""
    fitting = [
        (c + 3, c)
        for c in range((942 - 3) // 2 + 1)
        if round(mcnemar(c + 3, c, "exact"), 3) == 0.906
    ]
    assert fitting == [(144, 141), (145, 142), (146, 143)]
    for n01, n10 in fitting:
        exact = paired_difference(n01, n10, 942, 0.95, "percentile")
        assert exact.low is not None and exact.high is not None
        assert (round(exact.low * 942), round(exact.high * 942)) == (-30, 36)
        assert (round(100 * exact.low, 2), round(100 * exact.high, 2)) == (-3.18, 3.82)


def test_the_accuracies_of_the_three_models() -> None:
    for row in table("r1_study/reproduction_models", 3):
        right = count(row["accuracy"], 942)
        ends = float(row["accuracy_ci_low"]), float(row["accuracy_ci_high"])
        assert ends_fit(lambda level, k=right: ratio_interval(k, 942, 942, level), *ends)
        by_domain = table("r1_study/reproduction_by_domain", 5)
        share = f"{row['model_key']}_accuracy_pct"
        whole = [round(float(r[share]) * int(r["n"]) / 100) for r in by_domain]
        assert sum(whole) == right
        assert sum(int(r["n"]) for r in by_domain) == 942


def test_the_differences_by_domain() -> None:
    """The flips are not published: some table with these margins has the published interval."""
    rows = table("r1_study/reproduction_by_domain", 5)
    for row in rows:
        n = int(row["n"])
        base, rl = (round(float(row[f"{m}_accuracy_pct"]) * n / 100) for m in ("base", "rl"))
        assert abs(100 * (rl - base) / n - float(row["rl_minus_base_pp"])) <= 0.005 + 1e-9
        ends = [float(row[f"rl_minus_base_ci_{end}_pp"]) * n / 100 for end in ("low", "high")]
        assert some_table(base, rl, n, *ends), row["domain"]
    assert sum(int(row["n"]) for row in rows) == 942


def test_a_parse_rate_of_one_holds_rows_for_review() -> None:
    """What the published parse rate counts as parsed, the scorer could not read."""
    rows = {row["model_key"]: row for row in table("r1_study/reproduction_models", 3)}
    assert {row["parse_rate"] for row in rows.values()} == {"1.0"}
    review = {name: count(row["manual_review_rate"], 942) for name, row in rows.items()}
    assert review == {"base": 63, "sft": 90, "rl": 29}


def test_the_mean_over_semantic_panels() -> None:
    """Six panels and two blanks a model; the published differences are counts of 1,800."""
    accuracy = {
        (row["model"], row["condition"]): count(row["accuracy_pct"], 300, 100)
        for row in table("r1_study/extension__control_condition_summary", 39)
    }
    rows = table("r1_study/extension__semantic_seed_aggregate", 6)
    cells = [f"distractor_1_seed{seed}_{side}" for seed in (0, 1, 2) for side in ("left", "right")]
    for row in rows:
        model = row["model"]
        semantic = sum(accuracy[model, cell] for cell in cells)
        clean = 6 * accuracy[model, "clean"]
        sides = [accuracy[model, f"control_blank_1_{side}"] for side in ("left", "right")]
        blank = 3 * sum(sides)
        base = clean if row["comparison"] == "semantic_mean_minus_clean" else blank
        assert count(row["mean_semantic_accuracy_pct"], 1800, 100) == semantic
        assert count(row["clean_accuracy_pct"], 1800, 100) == clean
        assert count(row["matched_blank_accuracy_pct"], 1800, 100) == blank
        assert count(row["mean_delta_pp"], 1800, 100) == semantic - base
        for end in ("ci_low_pp", "ci_high_pp"):
            count(row[end], 1800, 100)
        if model == "sft":
            parts = layout_decomposition(semantic - clean, semantic - blank, 1800)
            assert (semantic - clean, semantic - blank) == (-123, -54)
            assert parts.layout == pytest.approx((blank - clean) / 1800, abs=1e-12)
            assert parts.layout_share == pytest.approx(69 / 123, abs=1e-12)


def test_five_views_gain_nothing() -> None:
    rows = table("r1_study/extension__multiview_budgeted_paired", 6)
    left = sum(count(row["left_accuracy_pct"], 300, 100) for row in rows)
    right = sum(count(row["right_accuracy_pct"], 300, 100) for row in rows)
    assert (left, right) == (610, 600)
    assert (round(left / 18, 2), round(right / 18, 2)) == (33.89, 33.33)
    assert all(float(row["ci_low_pp"]) < 0 < float(row["ci_high_pp"]) for row in rows)


def test_the_matrix_counts_what_failed_as_wrong() -> None:
    """The text leaves rows that failed out of accuracy; this table keeps them in."""
    rows = table("r1_study/full_group_matrix", 30)
    right = [count(row["accuracy"], int(row["n"])) for row in rows]
    overview = document("r1_study/audit_overview")
    assert sum(int(row["n"]) for row in rows) == overview["rows"] == 10_926
    assert sum(int(row["errors"]) for row in rows) == overview["errors"] == 680
    assert sum(int(row["manual_review"]) for row in rows) == overview["manual_review"] == 1219
    assert sum(right) == 3631
    failed = [row for row in rows if 0 < int(row["errors"]) < 300]
    assert len(failed) == 4
    for row in failed:
        counted = float(row["accuracy"]) * 280
        assert abs(counted - round(counted)) > 0.1
    assert [int(row["errors"]) for row in rows if row["errors"] != "0"].count(300) == 2
    assert [round(100 * 3631 / n, 2) for n in (10_926, 10_926 - 680)] == [33.23, 35.44]


def test_the_repair_of_the_scorer_adds_up() -> None:
    datasets = document("r1_study/scorer_repair_summary")["datasets"]
    assert {name: d["n"] for name, d in datasets.items()} == {"baseline": 10926, "extension": 26142}
    for d in datasets.values():
        assert d["new_correct"] == d["old_correct"] + d["false_to_true"] - d["true_to_false"]
        assert d["new_manual_review"] - d["old_manual_review"] == d["manual_review_change"]
        for age in ("old", "new"):
            assert count(d[f"{age}_accuracy_pct"], d["n"], 100) == d[f"{age}_correct"]
        change = d["new_correct"] - d["old_correct"]
        assert count(d["accuracy_change_pp"], d["n"], 100) == change
        # What failed is counted among the rows for review.
        left = d["remaining_manual_mc_nonerror"] + d["remaining_manual_fr_nonerror"]
        assert d["new_manual_review"] == left + d["errors"]
    assert datasets["baseline"]["new_manual_review"] - datasets["baseline"]["errors"] == 539


def test_the_audits_add_up() -> None:
    stage_a = document("r1_study/ifsr_stage_a_audit_summary")
    parsed = {
        kind: count(part["rate"], part["denominator"])
        for kind, part in stage_a["parseability"].items()
    }
    assert parsed == {"multiple_choice": 7244, "free_response": 1202}
    assert sum(p["denominator"] for p in stage_a["parseability"].values()) == 10_080
    assert stage_a["decision"] == "NO-GO"
    stage_b = document("r1_study/ifsr_stage_b0_v7_audit_summary")
    issues = dict(stage_b["issue_counts"])
    assert issues.pop("total") == sum(issues.values()) == 53
    assert sum(stage_b["role_equivalence_failures_by_checkpoint"].values()) == 46
    assert 10_848 + 108_198 == 119_046 and round(119_046 / 25_536, 2) == 4.66
    assert 300 * 3 * (11 + 8 + 5) + 942 + 3600 == 26_142
    assert 942 * 3 + 300 * (3 * 5 + 3 * 2 * 2) == 10_926
