"""The matrix of the study: its row counts are the published ones."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from harness.errors import StudyError
from harness.micro.r1.prompts import TEMPLATES
from harness.robustness import repair
from harness.robustness.archive import archive
from harness.robustness.plan import PHASES, phase_cells, study_cells, table_settings
from harness.study import Study, load_study
from harness.types import Answer, CellResult, Example, Response, Score

STUDIES = Path(__file__).parents[3] / "evals/studies"
CORE = {"reproduction": 2826, "robustness": 4500, "improvement": 3600}
EXTENSION = {
    "controls": 9900,
    "self-consistency": 7200,
    "held-out-gate": 942,
    "gate-generalisation": 4500,
    "multiview": 3600,
}


def studies() -> list[tuple[Study, dict[str, int]]]:
    mini, public = (load_study(STUDIES / f"{name}.toml") for name in ("mini", "r1_onevision"))
    return [
        (mini, {"mini-r1": 942, "mini-r1-300": 300}),
        (public, {"bench": 942, "bench-300": 300}),
    ]


def test_the_phases_have_the_published_rows() -> None:
    for study, sizes in studies():
        rows: Counter[str] = Counter()
        for name in PHASES:
            for cell in phase_cells(study.at("full", name)):
                assert cell.n is None
                rows[name] += sizes[cell.data] * cell.replicates
        assert rows == CORE | EXTENSION
        assert sum(CORE.values()) == 10_926 and sum(EXTENSION.values()) == 26_142


def test_the_repair_of_the_full_mini_study_has_the_published_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """10,926 and 26,142 rows; 35,268 responses, since six cells of 300 stand in two phases."""
    mini = load_study(STUDIES / "mini.toml")
    examples = tuple(
        Example(id=f"q{i:03}", kind="text", question="?", gold="A") for i in range(942)
    )
    score = Score(
        gold="A", outcome="answered", correct=True, counted=True, answer=Answer(value="A", rule="t")
    )
    settings = table_settings(mini)
    cells = []
    for cell in study_cells(mini.at("full", "robustness")):
        shown = examples[: {settings.whole: 942, settings.design: 300}[cell.data]]
        rows = [(e, r) for e in shown for r in range(cell.replicates)]
        cells.append(
            CellResult(
                cell=cell,
                key=str((cell.data, cell.model.name, cell.view, cell.prompt, cell.decoding)),
                identity={},
                examples=shown,
                n_data=len(shown),
                responses=tuple(
                    Response(example_id=e.id, replicate=r, status="ok", text="A") for e, r in rows
                ),
                scores=tuple(replace(score, example_id=e.id, replicate=r) for e, r in rows),
                counts={},
                metrics={},
                records_sha256="",
            )
        )
    monkeypatch.setattr(repair, "rescored", lambda rows, policy: [(row, row) for row in rows])
    settings = replace(settings, n_resamples=1000)
    table = repair.scorer_repair_summary(archive(cells, settings), settings)
    assert {str(row["dataset"]): row["n"] for row in table.rows} == {
        "mini-r1": 3768,
        "mini-r1-300": 31_500,
        "core": 10_926,
        "extension": 26_142,
        "all": 35_268,
    }


def test_tables_know_every_cell_of_the_study() -> None:
    for study, _ in studies():
        settings = table_settings(study)
        cells = study_cells(study.at("full", "robustness"))
        assert {c.model.name for c in cells} == set(settings.models)
        assert {c.data for c in cells} <= {settings.whole, settings.design}
        assert {c.prompt.name for c in cells} == {settings.paper, settings.evidence}


def test_both_studies_ask_with_the_prompts_that_the_micro_models_learnt() -> None:
    for study, _ in studies():
        for name, template in TEMPLATES.items():
            assert study.prompts[name].template == template


def test_another_experiment_is_no_phase() -> None:
    mini, _ = studies()[0]
    with pytest.raises(StudyError, match="visual-shapes: expected one of reproduction"):
        phase_cells(mini.at("full", "visual-shapes"))
