"""The matrix of the study: its row counts are the published ones."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from harness.errors import StudyError
from harness.micro.r1.prompts import TEMPLATES
from harness.robustness.plan import PHASES, phase_cells, study_cells, table_settings
from harness.study import Study, load_study

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
