"""From a study to the gates of drift and saturation, and the tables that they leave."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from harness.cells import grid
from harness.data.problem_readers import WITH_PATH, open_problems
from harness.data.twin_problems import twin_problems
from harness.drift.plan import drift_gates
from harness.errors import DataError, StudyError
from harness.saturation.plan import gradient_gates, twin_gates
from harness.stats.proportion import wilson
from harness.study import Study, load_study
from harness.tests.gates.made_cells import result
from harness.types import Cell, CellResult, Example

FILE = """
[study]
name = "made"
seed = 1
[tiers]
canary = {n = 6}
full = {}
[experiments.x]
data = ["choice", "open"]
prompts = ["p"]
[models.some-model.source]
kind = "fake"
behaviour = "x"
[data.choice]
reader = "pope"
split = "x"
[data.open]
reader = "pope"
split = "x"
[prompts]
p = "{question} {choices}"
[decoding]
max_new_tokens = 16
batch_sizes = [4, 1]
[gates]
level = 0.95
min_parse_rate = 0.8
max_infrastructure_share = 0
batch_invariance_n = 4
batch_invariance_size = 2
"""


def made(folder: Path) -> tuple[Study, list[Cell]]:
    path = folder / "made.toml"
    path.write_text(FILE, encoding="utf-8")
    study = load_study(path).at("canary", "x")
    return study, grid(study, views=("clean",))


def answered(cell: Cell, items: tuple[Example, ...], wrong: int = 0) -> CellResult:
    texts = [
        f"<answer>{'77' if n < wrong else example.gold}</answer>" for n, example in enumerate(items)
    ]
    return result(texts, cell=cell, items=items)


def test_twins_and_gradient(tmp_path: Path) -> None:
    study, cells = made(tmp_path)
    (gate,) = twin_gates(study, cells, "choice", "open")
    assert (gate.name, gate.subject.split("/")[0]) == ("twins", "x")
    sides = [twin_problems(name, split=name).examples for name in ("choice", "open")]
    both = [answered(c, s, n) for c, s, n in zip(gate.cells, sides, (0, 100), strict=True)]
    verdict = gate.judge(both)
    assert verdict.go
    (table,) = verdict.tables
    assert table.name == "format_by_audit_some-model"
    assert verdict.facts["raw: format"] == pytest.approx(50.0, abs=8)
    assert len(table.rows) == 14
    lost = result(
        ["error", *[f"<answer>{e.gold}</answer>" for e in sides[1][1:]]],
        cell=gate.cells[1],
        items=sides[1],
    )
    assert "1 problems" in gate.judge([both[0], lost]).tables[0].note
    few = gate.judge([answered(c, s[:1]) for c, s in zip(gate.cells, sides, strict=True)])
    assert [issue.code for issue in few.issues] == ["too-few-twins"]
    (gate,) = gradient_gates(study, cells, [("choice", 0.0), ("open", 0.998)])
    table = gate.judge(both).tables[0]
    assert [row["step"] for row in table.rows] == ["start", "format and novelty"]
    assert table.rows[1]["step_pp"] == -50.0


def test_drift(tmp_path: Path) -> None:
    study, cells = made(tmp_path)
    gates = drift_gates(study, cells, [("choice", "open"), ("mgsm-en", "mgsm-sw")])
    assert [gate.id for gate in gates] == ["canary:language-pairs/x/choice/open", "canary:drift/x"]
    items = twin_problems("t", split="open").examples[:9]
    turned = tuple(replace(e, question=f"¿{e.question}") for e in items)
    both = [answered(cells[0], items), answered(cells[1], turned, 6)]
    assert gates[0].judge(both).go
    verdict = gates[1].judge(both)
    assert list(verdict.facts["better"].values()) == ["original"]
    assert verdict.tables[0].rows[0]["difference_pp"] == pytest.approx(200 / 3)
    assert not gates[0].judge([both[0], both[0]]).go


def test_the_flagged_are_those_with_the_tag_and_the_level_is_the_studys(tmp_path: Path) -> None:
    study, cells = made(tmp_path)
    study = replace(study, thresholds={**study.thresholds, "level": 0.5})
    (gate,) = twin_gates(study, cells, "choice", "open")
    both = []
    for cell, name in zip(gate.cells, ("choice", "open"), strict=True):
        items = twin_problems(name, split=name).examples[:40]
        known = [e.gold if "flagged" in e.tags else "77" for e in items]
        both.append(result([f"<answer>{text}</answer>" for text in known], cell=cell, items=items))
    verdict = gate.judge(both)
    assert verdict.facts["raw: audit"] == 100.0
    (drift,) = drift_gates(study, cells, [("choice", "open")])[1:]
    items = twin_problems("t", split="open").examples[:40]
    found = drift.judge([answered(cells[0], items), answered(cells[1], items, 20)]).tables[0].rows
    expected = wilson(20, 40, 0.5)
    assert found[0]["translated_low_pct"] == pytest.approx(100 * (expected.low or 0))


def test_drift_gates_keep_to_their_pairs(tmp_path: Path) -> None:
    study, cells = made(tmp_path)
    third = replace(cells[0], data="third")
    pairs = [("choice", "open"), ("choice", "absent")]
    gates = drift_gates(study, [*cells, third], pairs, alternative="less")
    assert [gate.name for gate in gates] == ["language-pairs", "drift"]
    assert {cell.data for cell in gates[1].cells} == {"choice", "open"}
    items = twin_problems("t", split="open").examples[:9]
    both = [answered(cells[0], items), answered(cells[1], items, 6)]
    row = gates[1].judge(both).tables[0].rows[0]
    assert (row["alternative"], row["p_one_sided"]) == ("less", 1.0)


def test_what_is_refused(tmp_path: Path) -> None:
    study, cells = made(tmp_path)
    bare = replace(study, tier=None)
    cases: list[tuple[str, Callable[[], object]]] = [
        ("at a tier", lambda: drift_gates(bare, cells, [("choice", "open")])),
        ("at a tier", lambda: twin_gates(bare, cells, "choice", "open")),
        ("expected the data of one of a/b", lambda: drift_gates(study, cells, [("a", "b")])),
        ("on open, found 0", lambda: twin_gates(study, cells[:1], "choice", "open")),
        ("on choice, found 2", lambda: twin_gates(study, [*cells, cells[0]], "choice", "open")),
    ]
    for message, call in cases:
        with pytest.raises(StudyError, match=message):
            call()


def test_readers_by_name(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_text("How many?\t3\n", encoding="utf-8")
    assert len(open_problems("mgsm", name="m", split="sw", path=path, options={}).examples) == 1
    found = open_problems("twin-problems", name="t", split="open", path=None, options={})
    assert len(found.examples) == 200
    refused = [
        ("gsm", "x", path, "unknown reader"),
        ("twin-problems", "open", path, "no path"),
        ("twin-problems", "both", None, "choice or open"),
        *((reader, "all", None, "path of its file") for reader in WITH_PATH),
        ("physolym", "fi", path, "split: expected all, en, et"),
        ("xcopa", "fi", path, "language: expected one of"),
    ]
    for reader, split, place, message in refused:
        with pytest.raises(DataError, match=message):
            open_problems(reader, name="n", split=split, path=place, options={})
