"""Which limits the planned gates judge by."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from harness import grid, standard_gates
from harness.sample import SWAPPED
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


def test_families_and_orders_are_compared_apart_and_a_variant_repeats_no_batch() -> None:
    scope = MINI.at("canary", "visual-shapes")
    cells = grid(scope, views=("clean",), models=("micro-base", "micro-sft"))
    scored = [replace(c, model=replace(c.model, name="r", family="reward")) for c in cells[:1]]
    turned = [replace(cell, variant=SWAPPED) for cell in cells + scored]
    gates = standard_gates(scope, [*cells, *scored, *turned])
    assert len({gate.id for gate in gates}) == len(gates)
    groups = {
        (gate.subject.removeprefix("visual-shapes/visual-shapes/clean/word"), len(gate.cells))
        for gate in gates
        if gate.name == "comparability"
    }
    assert groups == {("", 2), ("/reward", 1), ("/swapped", 2), ("/swapped/reward", 1)}
    tested = [gate.subject for gate in gates if gate.name == "batch-invariance"]
    assert len(tested) == 3 and not any(SWAPPED in subject for subject in tested)
