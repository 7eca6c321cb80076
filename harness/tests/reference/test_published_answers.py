"""Every entry of the list of known answers, from its own inputs."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from harness.stats.accuracy import accuracy_from_counts
from harness.stats.agreement import agreement_from_counts
from harness.stats.binary_metrics import pope_metrics
from harness.stats.contrasts import layout_decomposition
from harness.stats.multiple import holm
from harness.stats.paired import mcnemar, paired_difference, sign_test
from harness.stats.power import mcnemar_power
from harness.stats.proportion import standard_error
from harness.stats.ratios import JointCell, ratio_difference, ratio_interval
from harness.stats.retrieval import mean_recall_from_hits
from harness.stats.seeds import aggregate_seeds
from harness.stats.selective import selective_metrics
from harness.stats.triplets import ra_from_counts
from harness.stats.visual import visual_dependency
from harness.tests.reference.published import data

pytestmark = pytest.mark.reference

Entry = dict[str, Any]


def near(found: float | None, expected: float, tolerance: float = 1e-12) -> None:
    assert found is not None and abs(found - expected) <= tolerance, (found, expected)


def rl_minus_base(given: Entry, expected: Entry) -> None:
    for n01, n10 in given["tables_n01_n10"]:
        near(mcnemar(n01, n10, "exact"), expected["mcnemar_exact_p"][f"{n01},{n10}"])
        for variant, p in expected["variants"][f"{n01},{n10}"].items():
            near(mcnemar(n01, n10, variant), p)
        found = paired_difference(n01, n10, given["n"], 0.95, "percentile")
        near(found.value, expected["diff"])
        ends = [round(end * given["n"]) for end in (found.low, found.high) if end is not None]
        assert ends == expected["bootstrap_percentile_counts"]
        for end, printed in zip((found.low, found.high), expected["ci_pp_2dp"], strict=True):
            near(100 * (end or 0), printed, 0.005)


def holdout_selective(given: Entry, expected: Entry) -> None:
    counts = (given["n"], given["correct"], given["accepted"], given["accepted_correct"])
    found = selective_metrics(*counts)
    for key in ("coverage", "selective_accuracy", "full_accuracy", "rejected_accuracy"):
        near(getattr(found, key), expected[key])
    near(100 * (found.gain or 0), expected["gain_pp"])
    exact = ratio_interval(given["accepted_correct"], given["accepted"], given["n"], 0.95)
    for end, ratio in zip((exact.low, exact.high), expected["ci_ratio_exact_pp"], strict=True):
        near(100 * (end or 0), ratio)


def agreement_range(given: Entry, expected: Entry) -> None:
    for k, turned in zip(expected["counts"], expected["turnover_counts"], strict=True):
        near(agreement_from_counts(k, given["n"]).turnover, turned / given["n"])


def sft_canvas(given: Entry, expected: Entry) -> None:
    n = given["denominator"]
    for printed, k in expected["counts"].items():
        assert f"{100 * k / n:.2f}" == printed.removeprefix("+")
        assert [m for m in (300, 600, 900, 2700) if fits_all(expected["counts"], m)] == []
    found = layout_decomposition(expected["counts"]["-6.83"], expected["counts"]["-3.00"], n)
    near(100 * (found.layout or 0), expected["layout_pp"])
    near(found.layout_share, expected["layout_share"])


def fits_all(printed: dict[str, int], n: int) -> bool:
    return all(abs(round(float(p) * n / 100) * 100 / n - float(p)) < 0.005 for p in printed)


def multiview(given: Entry, expected: Entry) -> None:
    one, five = expected["counts"]
    assert [round(100 * k / given["per_branch"], 2) for k in (one, five)] == [33.89, 33.33]
    near(100 * (five - one) / given["per_branch"], expected["diff_pp"])


def row_counts(given: Entry, expected: Entry) -> None:
    parts = expected["one_decomposition"]
    assert len(parts) == 5 and sum(parts.values()) == expected["sum"] == 26_142
    assert expected["sum"] == 11 * 3 * 300 + 5 * 3 * 300 + 942 + 8 * 300 * 3 + 3600


def rewardlens_ra(given: Entry, expected: Entry) -> None:
    for name, base in given["base_correct"].items():
        found = ra_from_counts(200, base, expected[name]["adapted"]).relevant_adaptation
        near(100 * (found or 0), expected[name]["ra_pct"], 0.005)
    spatial = expected["Spatial of 200"]
    shares = [k / 2 for name, k in spatial.items() if name != "range_pp"]
    assert len(shares) == 5 and max(shares) - min(shares) == spatial["range_pp"]


def rewardlens_gap_ci(given: Entry, expected: Entry) -> None:
    base, lost, n = given["base_correct"], given["not_adapted"], given["n_triplets"]
    cells = [
        JointCell(count=base - lost, first=(1, 1), second=(1, 1)),
        JointCell(count=lost, first=(0, 1), second=(1, 1)),
        JointCell(count=n - base, first=(0, 0), second=(1, 1)),
    ]
    drawn = ratio_difference(cells, 0.95, 10_000, 7).difference
    near(drawn.value, expected["gap"])
    exact = ratio_interval(lost, base, n, 0.95)
    fixed = ratio_interval(lost, base, base, 0.95)
    ends = ("ci_triplet_resampling_pp", "ci_fixed_subset_pp")
    for estimate, key in zip((exact, fixed), ends, strict=True):
        for end, value in zip((estimate.low, estimate.high), expected[key], strict=True):
            near(100 * (end or 0), value)
    for end, value, sd in zip(
        (drawn.low, drawn.high),
        expected["ci_triplet_resampling_pp"],
        expected["mc_sd_pp_B10000"],
        strict=True,
    ):
        near(100 * (end or 0), value, 5 * sd)
    assert not any(
        abs(k / 186 - expected["published_unrounded_pp"][0] / 100) < 1e-9 for k in range(187)
    )


def matched_rule(given: Entry, expected: Entry) -> None:
    """The pairs themselves are in test_published_rewardlens."""
    assert given["pairs_total"] == 4 * 8 * 7 // 2
    assert len(expected["gaps_pp"]) == expected["n_pairs"] == 7
    near(sorted(expected["gaps_pp"])[3], expected["median_pp"], 5e-4)
    near(100 * 28 / 186, expected["median_pp"])


def translation_drift(given: Entry, expected: Entry) -> None:
    only_et, only_en, n = given["n10_et_only"], given["n01_en_only"], given["n"]
    counts = [only_et + given["both"], only_en + given["both"]]
    assert counts == expected["counts"] and sum(counts) - given["both"] + given["neither"] == n
    near(mcnemar(only_en, only_et, "exact"), expected["mcnemar_exact_two_sided"])
    near(sign_test(only_et, only_en, n - 16, "greater").p, expected["sign_one_sided"])
    for variant in ("midp", "chi2", "chi2_cc"):
        near(mcnemar(only_en, only_et, variant), expected[variant])
    found = paired_difference(only_et, only_en, n, 0.95, "percentile")
    near(100 * (found.value or 0), expected["diff_pp"])
    for end, k in zip((found.low, found.high), expected["ci_counts"], strict=True):
        near(end, k / n)
    power = mcnemar_power(n, only_et / n, only_en / n, 0.05, "exact")
    near(power, expected["power_exact_two_sided"], 1e-8)


def bucket_precision(given: Entry, expected: Entry) -> None:
    buckets = list(given["buckets"].values())
    for (k, n), percent in zip(buckets, expected["precision_pct"], strict=True):
        near(100 * k / n, percent)
    hits, n = (sum(part) for part in zip(*buckets, strict=True))
    near(100 * hits / n, expected["overall_pct"])
    assert (hits, n) == (134, 4846) and list(buckets[1]) == expected["undisclosed_bucket"]


def physreason_seeds(given: Entry, expected: Entry) -> None:
    found = aggregate_seeds(given["values"], 0.95, "t")
    near(found.mean, expected["mean"])
    near(found.sample_std, expected["sample_std"])
    near(found.radius, expected["ci95_radius_t"], 1e-9)
    near((found.sample_std or 0) * (2 / 3) ** 0.5, expected["population_std"])


def physics_deltas(given: Entry, expected: Entry) -> None:
    pairs = ((26.3, 8.0), (39.6, 23.9), (46.2, 39.3), (77.8, 73.7))
    assert [round(a - b, 1) for a, b in pairs] == expected["deltas"]
    assert expected["gradient"] == [79.7 - 33.4, 79.7 - 50.4]
    assert expected["pool"] == 2433 - 87 - 78


def pope(given: Entry, expected: Entry) -> None:
    percents = {
        "256M_MR8": (75.13, 95.75, 52.60, 67.90, 27.47),
        "256M_MR6": (75.17, 95.76, 52.67, 67.96, 27.50),
        "500M": (80.93, 79.04, 84.20, 81.54, 53.27),
        "2.2B": (83.33, 85.31, 80.53, 82.85, 47.20),
    }
    assert set(expected) == set(percents)
    for name, counts in expected.items():
        found = pope_metrics(**counts, n_unparsed_yes=0, n_unparsed_no=0)
        assert found["n"] == given["n"] and counts["tp"] + counts["fn"] == given["positives"]
        keys = ("accuracy", "precision", "recall", "f1", "yes_ratio")
        for key, percent in zip(keys, percents[name], strict=True):
            near(100 * (found[key] or 0), percent, 0.005)


def scienceqa(given: Entry, expected: Entry) -> None:
    rights = [expected[size] for size in ("256M", "500M", "2.2B")]
    assert all(right == image + text for right, image, text in rights)
    shares = [accuracy_from_counts(k, given["n"] - k, 0, 0).accuracy or 0 for k, _, _ in rights]
    gains = [round(100 * (share - shares[0]), 2) for share in shares[1:]]
    assert gains == expected["deltas_pp_2dp"]
    assert given["n_image"] + given["n_text"] == given["n"]
    part = expected["subset500"]
    assert part["image_correct"] + part["text_correct"] == 284
    assert part["n_image"] + part["n_text"] == 500


def retrieval(given: Entry, expected: Entry) -> None:
    sizes = given["n_images"], given["n_captions"]
    means = [
        mean_recall_from_hits(expected[f"{name}_i2t"], sizes[0], expected[f"{name}_t2i"], sizes[1])
        for name in ("clip", "siglip")
    ]
    near(100 * means[0], expected["mean_recall_pct"][0], 0.005)
    near(100 * means[1], expected["mean_recall_pct"][1])
    near(100 * (means[1] - means[0]), expected["diff_pct_2dp"], 0.005)


def lmms_eval(given: Entry, expected: Entry) -> None:
    k, n = given["k"], given["n"]
    stderr = standard_error(k, n)
    near(stderr, expected["stderr_ddof1"])
    near((stderr or 0) * ((n - 1) / n) ** 0.5, expected["stderr_ddof0"])
    near(k / n, expected["accuracy"])
    near(100 * 1.959963984540054 * (stderr or 0), expected["wald95_pp"], 1e-3)
    near(4422 / 462.90, expected["tokens_per_s"], 1e-6)


def cifar_seeds(given: Entry, expected: Entry) -> None:
    student = aggregate_seeds(given["values"], 0.95, "t")
    normal = aggregate_seeds(given["values"], 0.95, "protocol_1.96")
    near(student.mean, expected["mean"])
    near(student.sample_std, expected["sample_std"])
    near(student.radius, expected["ci95_radius_t"])
    near(normal.radius, expected["ci95_radius_z_1.96"])


def holm_family(given: Entry, expected: Entry) -> None:
    tests = given["tests_model_condition_n10_n01"]
    assert len(tests) == 12
    p = [mcnemar(n01, n10, "exact") for _, _, n10, n01 in tests]
    found = holm(p, 0.05)
    for ours, raw, adjusted, theirs in zip(
        p, expected["p"], found.adjusted, expected["holm"], strict=True
    ):
        near(ours, raw)
        near(adjusted, theirs)
    assert [round(a, 4) for a in sorted(found.adjusted)[:2]] == expected["smallest_two"]
    assert not any(found.reject)


def cifar_fitness(given: Entry, expected: Entry) -> None:
    found = visual_dependency(given["accuracy"], given["shuffle"], given["blank"])
    for key, value in expected.items():
        near(getattr(found, key), value)


CHECKS: dict[str, Callable[[Entry, Entry], None]] = {
    check.__name__: check
    for check in (
        *(rl_minus_base, holdout_selective, agreement_range, sft_canvas, multiview, row_counts),
        *(rewardlens_ra, rewardlens_gap_ci, matched_rule, translation_drift, bucket_precision),
        *(physreason_seeds, physics_deltas, pope, scienceqa, retrieval, lmms_eval, cifar_seeds),
        *(holm_family, cifar_fitness),
    )
}


def entries() -> dict[str, Entry]:
    path = data("").parent / "cases/known_answers.json"
    found = json.loads(path.read_text(encoding="utf-8"))
    return {entry["id"]: entry for entry in found}


def test_every_entry_is_checked() -> None:
    assert set(entries()) == set(CHECKS) and len(CHECKS) == 20


@pytest.mark.parametrize("name", CHECKS)
def test_the_known_answer(name: str) -> None:
    entry = entries()[name]
    CHECKS[name](entry["inputs"], entry["expected"])
