"""The unified protocol's published metrics, computed again from their own counts."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from harness.stats.accuracy import accuracy_from_counts
from harness.stats.binary_metrics import pope_metrics
from harness.stats.proportion import standard_error
from harness.stats.retrieval import mean_recall_from_hits
from harness.stats.seeds import aggregate_seeds
from harness.stats.visual import visual_dependency
from harness.tests.reference.published import count, data, document

pytestmark = pytest.mark.reference

POPE = ("accuracy", "precision", "recall", "f1", "yes_ratio")
MATRICES = {
    "smolvlm2-256m": (789, 35, 1465, 711),
    "smolvlm2-500m": (1263, 335, 1165, 237),
    "smolvlm2-2.2b": (1208, 208, 1292, 292),
}
EARLIER = (790, 35, 1465, 710)
# Right answers of 4,241, of the 2,017 with an image and of the 2,224 without.
SCIENCEQA = {
    "smolvlm2-256m": (2329, 1267, 1062),
    "smolvlm2-500m": (2758, 1514, 1244),
    "smolvlm2-2.2b": (3376, 1780, 1596),
}
HITS = {
    "clip-vit-b32": ([2515, 3747, 4173], [7618, 13987, 16735]),
    "siglip2-base-p16-224": ([3263, 4296, 4583], [12216, 18248, 20274]),
}


def group(benchmark: str) -> dict[str, dict[str, Any]]:
    groups = document("auto_research/checkpoint-matrix-mr8-full")["comparison_groups"]
    (found,) = (g["results"] for g in groups if g["benchmark"] == benchmark)
    return {result["name"]: result for result in found}


def matrices(published: dict[str, float], n: int) -> list[tuple[int, int, int, int]]:
    """Every confusion matrix of n rows with these accuracy, precision, recall and yes ratio."""
    right, yes = count(published["accuracy"], n), count(published["yes_ratio"], n)
    tp = count(published["precision"], yes)
    tn = right - tp
    fn = n - yes - tn
    fits = abs(tp / (tp + fn) - published["recall"]) < 1e-12
    return [(tp, yes - tp, tn, fn)] if fits else []


def test_the_pope_matrices_are_the_only_ones() -> None:
    results = group("pope-adversarial")
    earlier = document("auto_research/pope-adversarial-smolvlm2-256m-full")["seed_results"]
    published = {name: result["metrics"] for name, result in results.items()}
    assert set(published) == set(MATRICES) and len(earlier) == 1
    rows = [(MATRICES[name], metrics) for name, metrics in published.items()]
    rows.append((EARLIER, earlier[0]))
    for counts, metrics in rows:
        assert matrices(metrics, 3000) == [counts]
        found = pope_metrics(*counts, 0, 0)
        for key in POPE:
            assert abs(found[key] - metrics[key]) <= 1e-12, (counts, key)  # type: ignore[operator]


def test_two_settings_changed_between_the_runs_that_differ_by_one_row() -> None:
    matrix = document("auto_research/checkpoint-matrix-mr8-full")["metadata"]
    earlier = document("auto_research/pope-adversarial-smolvlm2-256m-full")["metadata"]
    batch = group("pope-adversarial")["smolvlm2-256m"]["batch_size"]
    assert (earlier["max_new_tokens"], earlier["batch_size"]) == (8, 48)
    assert (matrix["max_new_tokens"], batch) == (16, 16)
    moved = [a - b for a, b in zip(EARLIER, MATRICES["smolvlm2-256m"], strict=True)]
    assert moved == [1, 0, 0, -1]


def test_scienceqa_is_its_two_slices() -> None:
    results = group("scienceqa")
    assert set(results) == set(SCIENCEQA)
    for name, (right, image, text) in SCIENCEQA.items():
        metrics = results[name]["metrics"]
        assert count(metrics["accuracy"], 4241) == right == image + text
        assert count(metrics["image_accuracy"], 2017) == image
        assert count(metrics["text_accuracy"], 2224) == text
        found = accuracy_from_counts(right, 4241 - right, 0, 0)
        assert found.accuracy == pytest.approx(metrics["accuracy"], abs=1e-12)
    assert count(results["smolvlm2-256m"]["metrics"]["parse_rate"], 4241) == 4241 - 2
    subset = document("auto_research/scienceqa-smolvlm2-256m-500")["seed_results"][0]
    assert count(subset["accuracy"], 500) == 284
    assert count(subset["image_accuracy"], 237) == 149
    assert count(subset["text_accuracy"], 263) == 135
    assert count(subset["parse_rate"], 500) == 499


def test_the_published_gains_need_unrounded_values() -> None:
    small, middle, large = (SCIENCEQA[f"smolvlm2-{size}"][0] for size in ("256m", "500m", "2.2b"))
    printed = [round(100 * k / 4241, 2) for k in (small, middle, large)]
    assert printed == [54.92, 65.03, 79.60]
    assert [round(100 * (k - small) / 4241, 2) for k in (middle, large)] == [10.12, 24.69]
    assert [round(p - printed[0], 2) for p in printed[1:]] == [10.11, 24.68]


def test_mean_recall_averages_unrounded_recalls() -> None:
    results = group("coco-karpathy-test-5k")
    assert set(results) == set(HITS)
    means = {}
    for name, (i2t, t2i) in HITS.items():
        metrics = results[name]["metrics"]
        for direction, hits, n in (("i2t", i2t, 5000), ("t2i", t2i, 25_010)):
            for k, hit in zip((1, 5, 10), hits, strict=True):
                # These shares were averaged in single precision.
                share = metrics[f"{direction}_recall_at_{k}"]
                assert round(share * n) == hit and abs(share * n - hit) < 0.01
        means[name] = mean_recall_from_hits(i2t, 5000, t2i, 25_010)
        assert abs(means[name] - metrics["mean_recall"]) < 1e-7
    clip, siglip = means.values()
    assert [round(100 * mean, 2) for mean in means.values()] == [60.33, 74.29]
    assert round(100 * (siglip - clip), 2) == 13.95
    printed = {
        name: [round(100 * h / n, 2) for hits, n in ((i2t, 5000), (t2i, 25_010)) for h in hits]
        for name, (i2t, t2i) in HITS.items()
    }
    rounded = {name: round(sum(values) / 6, 2) for name, values in printed.items()}
    assert list(rounded.values()) == [60.33, 74.28]
    assert round(74.29 - 60.33, 2) == 13.96


def test_the_radius_of_lmms_eval_is_one_standard_error() -> None:
    metrics = document("auto_research/lmms-eval-mr9-scienceqa-img")
    found = accuracy_from_counts(metrics["metrics"]["correct"], 2017 - 1759, 0, 0)
    assert found.accuracy is not None and found.stderr is not None
    assert found.accuracy == pytest.approx(metrics["metrics"]["exact_match"], abs=1e-12)
    assert found.stderr == pytest.approx(metrics["metrics"]["standard_error"], abs=1e-12)
    assert found.stderr == standard_error(1759, 2017)
    assert round(100 * found.accuracy, 2) == 87.21
    assert round(100 * found.stderr, 2) == 0.74
    assert round(100 * 1.96 * found.stderr, 2) == 1.46
    speed = metrics["efficiency"]
    rate = speed["total_output_tokens"] / speed["total_elapsed_seconds"]
    assert abs(rate - speed["average_generation_tokens_per_second"]) < 5e-5
    assert speed["tokens_per_correct_answer"] == pytest.approx(4422 / 1759, abs=1e-12)


def test_the_seeds_of_cifar() -> None:
    """0.25 points are the seeds' spread; the 95 % radius is 0.28 as published and 0.63 by t."""
    summary = document("auto_research/cifar10-qa-seeds42-44")
    values = [round(seed["test_accuracy"], 6) for seed in summary["seed_results"]]
    published = summary["aggregate_metrics"]["test_accuracy"]
    assert values == [0.192, 0.197, 0.194]
    normal = aggregate_seeds(values, 0.95, "protocol_1.96")
    student = aggregate_seeds(values, 0.95, "t")
    assert normal.mean == pytest.approx(published["mean"], abs=1e-8)
    assert normal.sample_std == pytest.approx(published["std"], abs=1e-8)
    assert normal.radius == pytest.approx(published["ci95"], abs=1e-8)
    assert normal.radius is not None and student.radius is not None
    assert [round(100 * r, 2) for r in (normal.radius, student.radius)] == [0.28, 0.63]


def test_every_aggregate_of_cifar() -> None:
    """Sample standard deviation and 1.96 sd / sqrt(3), for all eleven metrics."""
    summary = document("auto_research/cifar10-qa-seeds42-44")
    seeds = summary["seed_results"]
    assert len(seeds) == 3 and len(summary["aggregate_metrics"]) == 11
    for name, published in summary["aggregate_metrics"].items():
        found = aggregate_seeds([seed[name] for seed in seeds], 0.95, "protocol_1.96")
        assert found.mean == pytest.approx(published["mean"], abs=1e-12)
        assert found.sample_std == pytest.approx(published["std"], abs=1e-12)
        assert found.radius == pytest.approx(published["ci95"], abs=1e-12)


def test_the_fitness_of_cifar() -> None:
    means = document("auto_research/cifar10-qa-seeds42-44")["aggregate_metrics"]
    found = visual_dependency(
        *(
            round(means[f"test_{key}"]["mean"], 4)
            for key in ("accuracy", "shuffled_image_accuracy", "blank_image_accuracy")
        )
    )
    assert found.fitness == pytest.approx(0.2168, abs=1e-12)
    assert found.visual_dependency_delta == pytest.approx(0.09, abs=1e-12)
    assert found.blank_image_delta == pytest.approx(0.0943, abs=1e-12)


def test_a_single_run_has_no_spread() -> None:
    """One seed's spread is published as 0; it is not known."""
    single = document("auto_research/pope-adversarial-smolvlm2-256m-full")["aggregate_metrics"]
    assert {m["n"] for m in single.values()} == {1}
    assert {m["std"] for m in single.values()} == {0.0}
    assert aggregate_seeds([0.75], 0.95, "t").sample_std is None


def test_three_runs_of_four_questions_are_called_formal() -> None:
    video = document("auto_research/video-mme-v2-smolvlm2-a30-4x3")
    assert video["formal_comparison"] is True and video["evaluated_examples"] == 4
    assert {s["accuracy"] for s in video["seed_results"]} == {0.0}
    assert {s["parse_rate"] for s in video["seed_results"]} == {1.0}


def test_one_peak_of_memory_is_in_another_unit() -> None:
    """0.96 GiB is 959.95 MB divided by 1,000; the other peaks are divided by 1,024."""
    printed = {"smolvlm2-256m": 0.96, "smolvlm2-500m": 1.41, "smolvlm2-2.2b": 6.12}
    printed |= {"clip-vit-b32": 0.53, "siglip2-base-p16-224": 1.23}
    results = group("scienceqa") | group("coco-karpathy-test-5k")
    peaks = {name: r["efficiency"]["peak_gpu_memory_mb"] for name, r in results.items()}
    assert set(peaks) == set(printed)
    off = [name for name, peak in peaks.items() if round(peak / 1024, 2) != printed[name]]
    assert off == ["smolvlm2-256m"]
    assert [round(peaks[off[0]] / unit, 2) for unit in (1024, 1000)] == [0.94, 0.96]


def test_empty_outputs_of_gpt3_were_given_a_random_choice() -> None:
    problems = json.loads(gzip.decompress(data("scienceqa/problems_test.json.gz").read_bytes()))
    lines = gzip.decompress(data("scienceqa/predictions_gpt3_qcm-ale.jsonl.gz").read_bytes())
    rows = [json.loads(line) for line in lines.decode("utf-8").splitlines()]
    right = [row["published_index"] == problems[row["id"]]["answer"] for row in rows]
    empty = [not row["raw"].strip() for row in rows]
    assert (len(rows), sum(empty)) == (4241, 243)
    kept = sum(r and not e for r, e in zip(right, empty, strict=True))
    assert (sum(right), kept, sum(right) - kept) == (3188, 3065, 123)
    assert [round(100 * k / 4241, 2) for k in (sum(right), kept)] == [75.17, 72.27]
    # Six more outputs hold no answer either; four of their drawn options are right.
    assert round(100 * (kept - 4) / 4241, 2) == 72.18


def test_one_index_of_llava_13b_v0_names_another_option_than_its_text() -> None:
    """The text says D where there are two options; the index published for it is right."""
    problems = json.loads(gzip.decompress(data("scienceqa/problems_test.json.gz").read_bytes()))
    lines = gzip.decompress(data("scienceqa/predictions_llava13b_v0.jsonl.gz").read_bytes())
    stated = json.loads(data("scienceqa/published_accuracy.json").read_text("utf-8"))
    rows = [json.loads(line) for line in lines.decode("utf-8").splitlines()]
    answers = ["ABCDE".index(row["raw"].rpartition("The answer is ")[2][0]) for row in rows]
    gold = [problems[row["id"]]["answer"] for row in rows]
    by_text = sum(a == g for a, g in zip(answers, gold, strict=True))
    by_index = sum(row["published_index"] == g for row, g in zip(rows, gold, strict=True))
    assert (by_text, by_index, stated["llava13b_v0"]["correct"]) == (3855, 3856, 3855)
    apart = [r for r, a in zip(rows, answers, strict=True) if a != r["published_index"]]
    assert [(row["id"], row["raw"][-2:], row["published_index"]) for row in apart] == [
        ("3247", "D.", 1)
    ]
    assert len(problems["3247"]["choices"]) == 2
