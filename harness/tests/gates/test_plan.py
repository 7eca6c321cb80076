"""Which limits the planned gates judge by."""

from __future__ import annotations

from pathlib import Path

from harness import grid, standard_gates
from harness.study import Study, load_study
from harness.types import Gate

MINI = load_study(Path(__file__).parents[3] / "evals/studies/mini.toml")


def planned(experiment: str, name: str, study: Study = MINI) -> list[Gate]:
    scope = study.at("canary", experiment)
    cells = grid(scope, views=("clean",), decoding="short")
    return [gate for gate in standard_gates(scope, cells) if gate.name == name]


def test_an_experiment_has_its_own_floor_of_answers_read() -> None:
    floors = MINI.thresholds["min_parse_rate_of"]
    for experiment, floor in (("robustness", floors["robustness"]), ("digits-qa", 0.95)):
        gates = planned(experiment, "parseability")
        assert gates
        assert {gate.judge.keywords["limit"] for gate in gates} == {floor}  # type: ignore[attr-defined]


def test_batch_invariance_takes_a_whole_batch_where_the_tier_has_fewer_rows() -> None:
    gates = planned("robustness", "batch-invariance")
    size = MINI.thresholds["batch_invariance_size"]
    assert gates
    for gate in gates:
        assert {cell.n for cell in gate.cells} == {size}


def test_models_of_other_decodings_are_not_held_beside_each_other() -> None:
    scope = MINI.at("canary", "signal-pilot")
    cells = [
        cell
        for decoding in ("short", "sampled")
        for cell in grid(scope, views=("clean",), prompts=("paper",), decoding=decoding)
    ]
    gates = [gate for gate in standard_gates(scope, cells) if gate.name == "comparability"]
    assert [{c.decoding.name for c in gate.cells} for gate in gates] == [{"sampled"}, {"short"}]
