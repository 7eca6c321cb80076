"""The R1 study's tables of selective prediction, computed again from their own counts."""

from __future__ import annotations

from functools import partial

import pytest

from harness.stats.estimate import Estimate
from harness.stats.ratios import ratio_interval
from harness.stats.rejection import matched_rejection, pool, random_rejection
from harness.stats.selective import Selection, selective_metrics
from harness.stats.uplift import enrichment_interval, uplift, uplift_interval
from harness.tests.reference.published import count, ends_fit, table

pytestmark = pytest.mark.reference

GATES = (
    ("clean_heldout_gate", 3),
    ("dual_prompt_gate_all_checkpoints", 15),
    ("dual_prompt_gate_by_item_type", 30),
    ("self_consistency_risk_coverage", 21),
)
# The drawn distributions here are drawn 20 times as often as the published ones.
N_RESAMPLES, SEED = 200_000, 11


def selection(row: dict[str, str]) -> Selection:
    """The counts behind a row; its percentages are unrounded."""
    n, accepted = int(row["n"]), int(row["accepted_n"])
    return Selection(
        n=n,
        n_correct=count(row["baseline_accuracy_pct"], n, 100),
        n_accepted=accepted,
        n_accepted_correct=count(row["selective_accuracy_pct"], accepted, 100),
    )


def ratio(hits: int, whole: int, n: int, level: float) -> Estimate:
    return ratio_interval(hits, whole, n, level)


def test_every_point_follows_from_four_counts() -> None:
    n_checked = 0
    for name, n_rows in GATES:
        for row in table(f"r1_study/extension__{name}", n_rows):
            s = selection(row)
            assert int(row["rejected_n"]) == s.n - s.n_accepted
            found = selective_metrics(s.n, s.n_correct, s.n_accepted, s.n_accepted_correct)
            for column, value in (
                ("coverage_pct", found.coverage),
                ("selective_accuracy_pct", found.selective_accuracy),
                ("rejected_error_pct", found.rejected_error),
                ("baseline_accuracy_pct", found.full_accuracy),
            ):
                if row[column] == "":
                    assert value is None, (name, row)
                else:
                    assert value is not None and abs(100 * value - float(row[column])) <= 1e-9
                    n_checked += 1
    assert n_checked == 4 * 69 - 4


def test_every_interval_is_that_of_the_ratio() -> None:
    """All questions are drawn, so that the accepted ones are as random as those answered right."""
    n_checked = 0
    for name, n_rows in GATES:
        for row in table(f"r1_study/extension__{name}", n_rows):
            s = selection(row)
            rejected = s.n - s.n_accepted
            wrong = rejected - (s.n_correct - s.n_accepted_correct)
            for column, hits, whole in (
                ("coverage", s.n_accepted, s.n),
                ("selective_accuracy", s.n_accepted_correct, s.n_accepted),
                ("rejected_error", wrong, rejected),
            ):
                ends = [row[f"{column}_ci_{end}_pct"] for end in ("low", "high")]
                if ends == ["", ""]:
                    assert whole == 0
                    continue
                low, high = (float(end) / 100 for end in ends)
                assert ends_fit(partial(ratio, hits, whole, s.n), low, high), (name, column, row)
                n_checked += 2
    assert n_checked == 2 * (3 * 69 - 4)


def test_random_rejection_is_hypergeometric() -> None:
    n_checked = 0
    for name, n_rows in GATES:
        for row in table(f"r1_study/extension__{name}", n_rows):
            if not row.get("random_ci_low_pct"):
                continue
            s = selection(row)
            low, high = (float(row[f"random_ci_{end}_pct"]) / 100 for end in ("low", "high"))
            drawn = partial(random_rejection, s.n, s.n_correct, s.n_accepted)
            assert ends_fit(drawn, low, high), (name, row)
            right = s.n_correct / s.n
            fewer = (s.n - s.n_accepted) / (s.n - 1)
            stderr = (right * (1 - right) * fewer / s.n_accepted / 10_000) ** 0.5
            assert abs(float(row["random_selective_accuracy_pct"]) / 100 - right) <= 4.5 * stderr
            n_checked += 1
    assert n_checked == 36


def test_the_held_out_gate() -> None:
    """288 of 642 accepted, 48.26 % right: the interval is not that of 288 accepted questions."""
    row = next(r for r in table("r1_study/extension__clean_heldout_gate", 3) if r["n"] == "642")
    s = selection(row)
    assert (s.n, s.n_accepted, s.n_accepted_correct, s.n_correct) == (642, 288, 139, 252)
    exact = ratio_interval(139, 288, 642, 0.95)
    assert exact.low == pytest.approx(0.4249201277955272, abs=1e-12)
    assert exact.high == pytest.approx(0.5404411764705882, abs=1e-12)
    fixed = ratio_interval(139, 288, 288, 0.95)
    published = [float(row[f"selective_accuracy_ci_{end}_pct"]) / 100 for end in ("low", "high")]
    assert [round(100 * end, 2) for end in published] == [42.46, 54.04]
    for end, all_drawn, accepted_drawn in zip(
        published, (exact.low, exact.high), (fixed.low, fixed.high), strict=True
    ):
        assert accepted_drawn is not None and all_drawn is not None
        assert abs(end - all_drawn) < abs(end - accepted_drawn)


def strata() -> list[Selection]:
    """Multiple choice and free response of the held-out questions, from their printed shares."""
    rows = {row["group"]: row for row in table("r1_study/extension__heldout_gate_by_group", 7)}
    found = []
    for group in ("Multiple choice", "Free response"):
        row = rows[group]
        n, accepted = int(row["n"]), int(row["accepted_n"])
        found.append(
            Selection(
                n=n,
                n_correct=round(float(row["baseline_accuracy_pct"]) * n / 100),
                n_accepted=accepted,
                n_accepted_correct=round(float(row["selective_accuracy_pct"]) * accepted / 100),
            )
        )
    return found


def test_the_uplift_table() -> None:
    """Uniform and by answer type in full; the cells by type and domain are not published."""
    rows = {r["comparison"]: r for r in table("r1_study/extension__heldout_gate_uplift", 3)}
    by_type = strata()
    uniform = [pool(by_type)]
    assert uniform == [Selection(n=642, n_correct=252, n_accepted=288, n_accepted_correct=139)]
    for name, parts in (
        ("uniform_same_count", uniform),
        ("answer_type_matched_count", by_type),
    ):
        row = rows.pop(name)
        value = uplift(parts)
        assert value is not None
        assert abs(100 * value - float(row["selective_accuracy_uplift_pp"])) <= 1e-9
        ends = [float(row[f"uplift_ci_{end}_pp"]) / 100 for end in ("low", "high")]
        drawn = partial(uplift_interval, parts, n_resamples=N_RESAMPLES, seed=SEED)
        assert ends_fit(drawn, *ends, room=5e-4)
        matched = matched_rejection(parts, 0.95)
        assert matched.value is not None
        expected = float(row["matched_random_expected_accuracy_pct"])
        assert abs(100 * matched.value - expected) <= 1e-9
        ends = [float(row[f"matched_random_interval_{end}_pct"]) / 100 for end in ("low", "high")]
        assert ends_fit(partial(matched_rejection, parts), *ends)
        enrichment = partial(enrichment_interval, uniform[0], n_resamples=N_RESAMPLES, seed=SEED)
        ends = [
            float(row[f"rejected_error_enrichment_ci_{end}_pp"]) / 100 for end in ("low", "high")
        ]
        assert ends_fit(enrichment, *ends, room=5e-4)
    (last,) = rows.values()
    selective = float(last["selective_accuracy_pct"])
    gain = selective - float(last["matched_random_expected_accuracy_pct"])
    assert abs(gain - float(last["selective_accuracy_uplift_pp"])) <= 1e-9


def test_the_groups_of_the_held_out_questions() -> None:
    rows = table("r1_study/extension__heldout_gate_by_group", 7)
    counted = []
    for row in rows:
        n, accepted = int(row["n"]), int(row["accepted_n"])
        hits = round(float(row["selective_accuracy_pct"]) * accepted / 100)
        right = round(float(row["baseline_accuracy_pct"]) * n / 100)
        counted.append((n, right, accepted, hits))
        for column, part, whole in (
            ("baseline_accuracy", right, n),
            ("coverage", accepted, n),
            ("selective_accuracy", hits, accepted),
        ):
            assert abs(100 * part / whole - float(row[f"{column}_pct"])) <= 0.05 + 1e-9, row
            if column == "baseline_accuracy":
                continue
            ends = [float(row[f"{column}_ci_{end}_pct"]) / 100 for end in ("low", "high")]
            assert ends_fit(partial(ratio, part, whole, n), *ends, room=5.1e-4), (row, column)
    totals = [tuple(map(sum, zip(*part, strict=True))) for part in (counted[:2], counted[2:])]
    assert totals == [(642, 252, 288, 139)] * 2


def test_the_cost_table_repeats_the_gates() -> None:
    cost = {r["method"]: r for r in table("r1_study/extension__inference_cost_summary", 5)}
    gates = table("r1_study/extension__self_consistency_risk_coverage", 21)
    clean = {(r["method"], r["threshold"]): r for r in gates if r["condition"] == "clean"}
    for name, key in (
        ("Same prompt x2", ("same_prompt_two_run_agreement", "1.0")),
        ("Eight-run vote threshold 0.625", ("eight_run_majority_confidence", "0.625")),
        ("Eight-run vote threshold 0.75", ("eight_run_majority_confidence", "0.75")),
    ):
        for column in ("coverage_pct", "selective_accuracy_pct"):
            assert abs(float(cost[name][column]) - float(clean[key][column])) <= 0.005 + 1e-9
    eight = float(cost["Eight-run vote threshold 0.625"]["sum_recorded_latency_seconds"])
    two = float(cost["Same prompt x2"]["sum_recorded_latency_seconds"])
    assert abs(eight / 8 - two / 2) < 0.01
