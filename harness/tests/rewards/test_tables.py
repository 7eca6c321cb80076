"""From cells of sampled answers to the gate and its four tables."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import harness
from harness.cells import grid
from harness.errors import DataError, StudyError
from harness.rewards.plan import reward_gates, rollouts_of_cell
from harness.rewards.rollouts import Rollout, rewarded
from harness.rewards.tables import COLUMNS, RewardSettings, reward_tables
from harness.scoring.policy import Item
from harness.study import Study, load_study
from harness.table import Value
from harness.tests.gates.made_cells import CELL, result
from harness.types import Cell, CellResult, Decoding, Example, Verdict

FILE = """
[study]
name = "made"
seed = 1
[tiers]
canary = {n = 2}
full = {}
[experiments.x]
data = ["d"]
prompts = ["p"]
[models.m.source]
kind = "fake"
behaviour = "x"
[data.d]
reader = "pope"
split = "x"
[prompts]
p = "{question}"
[decoding]
max_new_tokens = 16
batch_sizes = [4, 1]
[decodings.rollouts]
max_new_tokens = 16
temperature = 1.0
batch_sizes = [4, 1]
[gates]
level = 0.9
min_parse_rate = 0
max_infrastructure_share = 0
batch_invariance_n = 4
batch_invariance_size = 2
"""
NAMES = {"reward_pairs", "reward_format", "reward_variance", "reward_portability"}
SAMPLED = Decoding(max_new_tokens=8, temperature=1.0)


def made(folder: Path) -> Study:
    path = folder / "made.toml"
    path.write_text(FILE, encoding="utf-8")
    return load_study(path).at("canary", "x")


def cell(*groups: tuple[str, ...], cell: Cell = CELL) -> CellResult:
    """One example a group, whose gold is "3 m"."""
    items = [
        Example(id=f"q{n}", kind="number", question="?", gold="3 m")
        for n, texts in enumerate(groups)
        for _ in texts
    ]
    texts = [text for group in groups for text in group]
    return result(texts, cell=replace(cell, replicates=2, decoding=SAMPLED), items=items)


def value(verdict: Verdict, table: str, reading: str, measure: str) -> Value:
    (rows,) = (t.rows for t in verdict.tables if t.name == table)
    (row,) = (r for r in rows if (r["reading"], r["measure"]) == (reading, measure))
    return row["value"]


RIGHT, WRONG, BARE = "<answer>3 m</answer>", "<answer>3 s</answer>", "4"


def test_a_cell_becomes_four_tables(tmp_path: Path) -> None:
    study = made(tmp_path)
    cells = grid(study, views=("clean",), decoding="rollouts", replicates=2)
    (gate,) = harness.reward_gates(study, cells)
    assert (gate.name, gate.cells) == ("rewards", tuple(cells))
    verdict = gate.judge([cell((RIGHT, BARE, "error"), (RIGHT, WRONG), (BARE, WRONG))])
    assert verdict.go, verdict.issues
    assert {t.name for t in verdict.tables} == NAMES
    assert all(t.columns == COLUMNS for t in verdict.tables)
    # MATCH ignores the unit: to it 3 s is right.
    changed = "pairs changed"
    assert value(verdict, "reward_pairs", "MATCH", changed) == 0.0
    assert value(verdict, "reward_pairs", "harness", changed) == 1 / 3
    lost = "binary: responses whose reward changes"
    assert value(verdict, "reward_portability", "MATCH: box to tags", lost) == 4 / 6
    assert value(verdict, "reward_portability", "harness: box to tags", lost) == 0.0
    assert value(verdict, "reward_portability", "box: MATCH to harness", lost) == 2 / 6
    row = verdict.tables[0].rows[0]
    assert (row["source"], row["n_groups"], row["n_responses"]) == ("m", 3, 6)
    assert "level 0.9" in verdict.tables[0].note


def test_what_the_gate_refuses(tmp_path: Path) -> None:
    study = made(tmp_path)
    few = grid(study, views=("clean",), decoding="rollouts", replicates=1)
    with pytest.raises(StudyError, match="at least two sampled responses an example, found 1"):
        reward_gates(study, few)
    with pytest.raises(StudyError, match="found 2 with temperature None"):
        reward_gates(study, grid(study, views=("clean",), replicates=2))
    with pytest.raises(StudyError, match="a study at a tier"):
        reward_gates(load_study(tmp_path / "made.toml"), few)
    cells = grid(study, views=("clean",), decoding="rollouts", replicates=2)
    (gate,) = reward_gates(study, cells)
    verdict = gate.judge([cell((BARE, BARE))])
    assert [issue.code for issue in verdict.issues] == ["no-mixed-group"]
    assert [i.code for i in gate.judge([cell(("error", "oom"))]).issues] == ["no-responses"]


def test_rollouts_keep_what_the_model_said() -> None:
    found = rollouts_of_cell(cell((RIGHT, "oom"), (WRONG,)))
    assert [(r.group, r.text, r.item.gold) for r in found] == [
        ("q0", RIGHT, "3 m"),
        ("q1", WRONG, "3 m"),
    ]
    one = cell((RIGHT, WRONG))
    refused = replace(one.responses[1], status="refused", text=None)
    found = rollouts_of_cell(replace(one, responses=(one.responses[0], refused)))
    assert [r.text for r in found] == [RIGHT, ""]
    assert not rewarded(found[1:], form="boxed")[0].dense


def test_intervals_are_drawn_over_groups_and_equal_between_runs() -> None:
    item = Item(kind="number", gold="3")
    said = ("\\boxed{3}", "\\boxed{4}", "5"), ("\\boxed{4}", "4"), ("\\boxed{3}", "\\boxed{4}")
    rollouts = [
        Rollout(group=f"q{n}", item=item, text=text)
        for n, texts in enumerate(said * 5)
        for text in texts
    ]
    settings = RewardSettings(n_resamples=200, seed=3)
    first, again = (
        reward_tables({"s": rollouts}, settings, portable=False)["reward_pairs"] for _ in "ab"
    )
    assert first == again
    row = first.rows[0]
    low, at, high = (row[name] for name in ("low", "value", "high"))
    assert isinstance(low, float) and isinstance(at, float) and isinstance(high, float)
    assert low < at < high
    assert (at, row["n_groups"], row["degenerate"]) == (2 / 5, 15, False)
    with pytest.raises(DataError, match="at least one source"):
        reward_tables({}, settings)
    with pytest.raises(DataError, match="at least one response"):
        reward_tables({"s": []}, settings)
