"""Published figures of a data set, for all models or for each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness import grid, standard_gates
from harness.errors import StudyError
from harness.study import load_study

STUDY = """
[study]
name = "s"
seed = 1
[tiers.full]
[experiments.e]
data = ["d"]
prompts = ["q"]
[models.a.source]
kind = "replay"
predictions = { d = { path = "a.jsonl" } }
[models.b.source]
kind = "replay"
predictions = { d = { path = "b.jsonl" } }
[data.d]
reader = "scienceqa"
split = "test"
path = "problems.json"
hint = "none"
[prompts]
q = "{question}"
[decoding]
max_new_tokens = 8
batch_sizes = [8]
[gates]
level = 0.95
min_parse_rate = 0.9
max_infrastructure_share = 0.0
batch_invariance_n = 8
batch_invariance_size = 4
"""


def figures(folder: Path, published: str) -> dict[str, Any]:
    """What each model's cell is held against."""
    path = folder / "s.toml"
    path.write_text(STUDY + published, encoding="utf-8")
    study = load_study(path).at("full", "e")
    gates = standard_gates(study, grid(study, views=("clean",)))
    return {
        gate.cells[0].model.name: gate.judge.keywords["figures"]  # type: ignore[attr-defined]
        for gate in gates
        if gate.name == "published"
    }


def test_one_table_is_of_all_models_and_one_for_each_of_its_own(tmp_path: Path) -> None:
    assert figures(tmp_path, "[gates.published.d]\naccuracy = 0.5\n") == {
        "a": {"accuracy": 0.5},
        "b": {"accuracy": 0.5},
    }
    assert figures(tmp_path, "[gates.published.d.a]\naccuracy = 0.5\n") == {"a": {"accuracy": 0.5}}
    both = "[gates.published.d]\nparse_rate = 1.0\n[gates.published.d.b]\naccuracy = 0.25\n"
    assert figures(tmp_path, both) == {
        "a": {"parse_rate": 1.0},
        "b": {"parse_rate": 1.0, "accuracy": 0.25},
    }


def test_figures_of_a_model_that_the_study_lacks_are_refused(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match=r"gates\.published\.d\.c: expected one of \['a', 'b'\]"):
        figures(tmp_path, "[gates.published.d.c]\naccuracy = 0.5\n")


def test_a_study_says_whether_hints_are_shown(tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    path.write_text(STUDY, encoding="utf-8")
    assert load_study(path).data["d"].options == {"hint": "none"}
    path.write_text(STUDY.replace('hint = "none"', 'hint = "context"'), encoding="utf-8")
    assert load_study(path).data["d"].options == {}
    path.write_text(STUDY.replace('hint = "none"', 'hint = "all"'), encoding="utf-8")
    with pytest.raises(StudyError, match=r"data\.d\.hint"):
        load_study(path)
