"""The failed rows of the published study: five views of a large picture run out of memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from PIL import Image

from harness.data.manifest import fingerprint
from harness.models.fake import Fake
from harness.robustness.archive import Place, archive
from harness.robustness.counts import count_pairs
from harness.robustness.matrix_tables import full_group_matrix
from harness.robustness.plan import PHASES, phase_cells, table_settings
from harness.run import RunContext, run_cell
from harness.study import Study, load_study
from harness.types import CellResult, Dataset, Example, Media
from harness.vision.multiview import quadrant_boxes

STUDY = Path(__file__).parents[3] / "evals/studies/mini.toml"
PER_CELL = 15
LARGE, SMALL = (1200, 1000), (48, 36)
CANVAS = (1024, 1024)
# Pixels and prompt characters of one request: one canvas fits, its five views do not.
LIMIT = 2_500_000
BATCHES = (8, 1)
SHOWN = ("n", "errors", "resource_errors", "valid_n", "correct", "accuracy_valid", "review_valid")


def size(index: int) -> tuple[int, int]:
    """One picture of 15 is large, as 20 of the published 300 were."""
    return LARGE if index % PER_CELL == 4 else SMALL


def area_px(width: int, height: int, *, five: bool) -> int:
    boxes = quadrant_boxes(width, height, 0.12) if five else ()
    return width * height + sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in boxes)


def picture(media: Media) -> Image.Image:
    index = int(media.name)
    return Image.new("RGB", size(index), (index, 200 - index, 90))


def questions() -> Dataset:
    examples = tuple(
        Example(
            id=f"q{i:02}",
            kind="choice",
            question=f"Which one is it, {i}?",
            choices=("red", "green", "blue", "tan"),
            gold="ABCD"[i % 4],
            group="Physics",
            media=(Media(kind="image", name=str(i), sha256=f"{i:064}"),),
        )
        for i in range(PER_CELL)
    )
    return Dataset(
        name="mini-r1-300",
        split="test",
        examples=examples,
        fingerprint=fingerprint(examples),
        open_image=picture,
    )


@cache
def study() -> Study:
    return load_study(STUDY).at("full", "improvement")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> list[CellResult]:
    """The experiment `improvement` as the study asks for it, on a model with too little memory."""
    data = questions()
    context = RunContext(
        runs=tmp_path_factory.mktemp("runs"),
        run_id="run-1",
        device="cpu",
        n_threads=1,
        allow_generate=True,
        hang_timeout_s=60.0,
        max_attempts=3,
        dataset=lambda name: data,
        fingerprint=lambda spec, name: {"weights": "none"},
        model=lambda spec, name: Fake({"behaviour": "memory-limit", "memory_limit": LIMIT}, data),
    )
    return [
        run_cell(
            replace(cell, n=None, decoding=replace(cell.decoding, batch_sizes=BATCHES)), context
        )
        for cell in phase_cells(study())
    ]


def failed(result: CellResult) -> set[str]:
    return {s.example_id for s in result.scores if s.outcome == "resource_error"}


def cells_by_view(results: list[CellResult], prompt: str) -> Mapping[str, CellResult]:
    return {r.cell.view.name: r for r in results if r.cell.prompt.name == prompt}


def test_the_published_number_of_rows_fails() -> None:
    """From the sizes alone: 20 of 300 pictures in four cells, all 300 canvases in two."""
    sizes = [size(i) for i in range(300)]
    rows = {
        view: [CANVAS] * 300 if view.startswith("distractor_3") else sizes
        for view in PHASES["improvement"].views
    }
    assert len(rows) == 6
    n_failed = {
        view: sum(area_px(*s, five="quadrants" in view) > LIMIT for s in shown)
        for view, shown in rows.items()
    }
    assert n_failed == {
        "clean": 0,
        "downsample_25": 0,
        "distractor_3": 0,
        "global_plus_quadrants": 20,
        "downsample_25-global_plus_quadrants": 20,
        "distractor_3-global_plus_quadrants": 300,
    }
    n_prompts = 2
    assert n_prompts * sum(n_failed.values()) == 680
    assert n_prompts * 300 * len(rows) == 3600


def test_rows_beyond_the_memory_fail_and_no_others(results: list[CellResult]) -> None:
    """The published situation at a twentieth of its size: 34 failed rows of 180."""
    assert len(results) == 12
    everything = {e.id for e in questions().examples}
    for prompt in ("paper", "evidence-first"):
        cells = cells_by_view(results, prompt)
        assert {view: failed(cell) for view, cell in cells.items()} == {
            "clean": set(),
            "downsample_25": set(),
            "distractor_3": set(),
            "global_plus_quadrants": {"q04"},
            "downsample_25-global_plus_quadrants": {"q04"},
            "distractor_3-global_plus_quadrants": everything,
        }
    assert sum(len(failed(r)) for r in results) * 20 == 680


def test_a_failed_row_is_never_a_wrong_answer(results: list[CellResult]) -> None:
    for result in results:
        n_failed = len(failed(result))
        assert result.counts["resource_error"] == n_failed
        assert result.counts["runtime_error"] == 0
        assert result.n_counted == PER_CELL - n_failed
        for response, scored in zip(result.responses, result.scores, strict=True):
            if scored.outcome == "resource_error":
                assert response.status == "oom" and response.text is None
                assert response.error == "out of memory at batch size 1"
                assert not scored.counted
    clean = cells_by_view(results, "paper")["clean"]
    assert clean.metrics["accuracy"] == 1.0
    lost = cells_by_view(results, "paper")["distractor_3-global_plus_quadrants"]
    assert lost.metrics["accuracy"] is None


def test_the_tables_show_them_apart(results: list[CellResult]) -> None:
    cells = archive(results, table_settings(study()))
    rows = {
        (row["prompt_mode"], row["condition"], row["image_mode"]): row
        for row in full_group_matrix(cells).rows
    }
    five = "global_plus_quadrants"
    seen = {
        (condition, mode): [rows["paper", condition, mode][name] for name in SHOWN]
        for condition in ("clean", "distractor_3")
        for mode in ("global", five)
    }
    assert seen["clean", "global"][:4] == [PER_CELL, 0, 0, PER_CELL]
    assert seen["clean", five][:4] == [PER_CELL, 1, 1, PER_CELL - 1]
    assert seen["distractor_3", five] == [PER_CELL, PER_CELL, PER_CELL, 0, 0, None, 0]
    assert sum(int(row["resource_errors"] or 0) for row in rows.values()) == 34


def test_a_pair_with_a_failed_side_is_dropped_and_named(results: list[CellResult]) -> None:
    cells = archive(results, table_settings(study()))
    left, right = (
        cells.find(Place("design", "r1-rl", "clean", "paper", mode=mode))
        for mode in ("global", "global_plus_quadrants")
    )
    assert left is not None and right is not None
    pairs = count_pairs(left.first, right.first, "error")
    assert pairs.n == PER_CELL - 1 and pairs.dropped == ("q04",) and not pairs.unpaired
