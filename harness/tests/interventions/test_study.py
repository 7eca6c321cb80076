"""From a study file to cells, gates and the tables that a run leaves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from harness.errors import StudyError
from harness.interventions.plan import (
    _tabled,
    intervention_cells,
    intervention_gates,
    intervention_settings,
)
from harness.interventions.tables import intervention_tables
from harness.study import Study, load_study
from harness.tests.interventions.made_judges import SETTINGS, audit, statics
from harness.types import CellResult

TABLES = (
    *("judge_cells", "judge_metrics", "matched_pairs", "matched_summary", "specificity_matrix"),
    *("specificity", "outcome_prediction", "position_bias", "losses", "dropped_triplets"),
    "permitted_interpretation",
)
FILE = """
[study]
name = "made"
seed = 1
[tiers]
canary = {n = 6}
full = {}
[experiments.audit]
data = ["audit", "static"]
prompts = ["p"]
[models.m1.source]
kind = "fake"
behaviour = "x"
[models.blind.source]
kind = "baseline"
name = "majority"
[data.audit]
reader = "pope"
split = "x"
[data.static]
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
[interventions]
audit = "audit"
static = "static"
prompt = "p"
families = {m1 = "made"}
"""


def study(folder: Path, text: str = FILE) -> Study:
    path = folder / "made.toml"
    path.write_text(text)
    return load_study(path)


def made() -> list[CellResult]:
    states = {"m1": ["111"] * 3 + ["101"] * 9, "m2": ["111"] * 11 + ["1u1"]}
    cells = [audit(m, s) for m, s in states.items()]
    cells += [audit(m, s, swapped=True) for m, s in states.items()]
    return cells + [statics(m, ["1"] * 9 + ["0"]) for m in states]


def test_the_study_gives_cells_in_both_orders_and_four_gates(tmp_path: Path) -> None:
    found = study(tmp_path).at("full", "audit")
    cells = intervention_cells(found)
    named = [(c.model.name, c.data, c.variant) for c in cells]
    assert sorted(named) == [
        ("blind", "audit", ""),
        ("blind", "static", ""),
        ("m1", "audit", ""),
        ("m1", "audit", "swapped"),
        ("m1", "static", ""),
        ("m1", "static", "swapped"),
    ]
    gates = {gate.name: gate for gate in intervention_gates(found)}
    assert list(gates) == ["triplets", "disjoint-images", "signal", "interventions"]
    assert len(gates["interventions"].cells) == 6 and len(gates["signal"].cells) == 4
    settings = intervention_settings(found)
    assert settings.seed == 20270915 and settings.n_resamples == 10_000
    assert (settings.models, settings.family("m1")) == (("blind", "m1"), "made")
    assert found.frozen["interventions"]["declared_pp"] == 1.0
    once = study(tmp_path, FILE + "swapped = false\n").at("full", "audit")
    assert len(intervention_cells(once)) == 4


def test_reward_models_get_a_prompt_of_their_own(tmp_path: Path) -> None:
    text = FILE.replace("[models.m1.source]", '[models.m1]\nfamily = "reward"\n[models.m1.source]')
    with pytest.raises(StudyError, match=r"interventions\.reward_prompt: .* reward models m1"):
        intervention_cells(study(tmp_path, text).at("full", "audit"))
    text = text.replace("[decoding]", 'bare = "{question}"\n[decoding]')
    text += 'reward_prompt = "bare"\n'
    with pytest.raises(StudyError, match="prompts among"):
        intervention_cells(study(tmp_path, text).at("full", "audit"))
    text = text.replace('prompts = ["p"]', 'prompts = ["p", "bare"]')
    found = study(tmp_path, text).at("full", "audit")
    cells = intervention_cells(found)
    asked = {(c.model.name, c.prompt.name, c.prompt.template) for c in cells}
    assert asked == {("m1", "bare", "{question}"), ("blind", "p", "{question} {choices}")}
    assert len(cells) == 6 and found.frozen["interventions"]["reward_prompt"] == "bare"
    # Both prompts are one row of the tables for each judge; another prompt's cells are none.
    states = ["111", "101"]
    rewarded = audit("m1", states, family="reward", prompt="bare")
    settings = replace(SETTINGS, static=None, reward_prompt="bare")
    rows = intervention_tables([rewarded, audit("m2", states)], settings)["judge_cells"].rows
    assert [(r["model"], r["n_triplets"]) for r in rows if r["policy"] == "wrong"] == [
        ("m1", 2),
        ("m2", 2),
    ]
    lacking = _tabled(
        [audit("m1", states, family="reward"), audit("m2", states)], settings=settings
    )
    assert [(i.code, i.where) for i in lacking.issues] == [("lacks-cell", "m1/audit")]


def test_the_signal_gate_takes_the_stricter_floor(tmp_path: Path) -> None:
    for stated, expected in (("0.8", 0.8), ("0.5", 0.8), ("0.95", 0.95)):
        text = FILE.replace("min_parse_rate = 0.8", f"min_parse_rate = {stated}")
        gates = intervention_gates(study(tmp_path, text).at("full", "audit"))
        (signal,) = [gate for gate in gates if gate.name == "signal"]
        verdict = signal.judge([statics("m1", ["1"] * 9 + ["u"])])
        assert verdict.facts["min_parse_rate"] == expected
        assert verdict.go == (expected <= 0.9)
    of_it = FILE.replace(
        "[interventions]", "[gates.min_parse_rate_of]\naudit = 1.0\n[interventions]"
    )
    gates = intervention_gates(study(tmp_path, of_it).at("full", "audit"))
    (signal,) = [gate for gate in gates if gate.name == "signal"]
    assert signal.judge([statics("m1", ["1"])]).facts["min_parse_rate"] == 1.0


def test_a_factor_without_a_triplet_that_was_read_is_no_go() -> None:
    cells = [audit("m1", ["1u1", "11u"]), audit("m2", ["111", "1u1"])]
    verdict = _tabled(cells, settings=replace(SETTINGS, static=None))
    assert [(i.code, i.where) for i in verdict.issues] == [("all-dropped", "m1/count")]
    assert verdict.tables
    lost = [audit("m1", ["e11"]), audit("m2", ["111"])]
    issues = _tabled(lost, settings=replace(SETTINGS, static=None)).issues
    assert [(i.code, i.where) for i in issues] == [("all-dropped", "m1/count")]


def test_faults_of_the_table_are_named(tmp_path: Path) -> None:
    for old, new, fault in (
        ('static = "static"\n', 'static = "gone"\n', "interventions: expected data among"),
        ('{m1 = "made"}', '{m9 = "made"}', "interventions: expected models among"),
        ('prompt = "p"\n', 'prompt = "p"\nreward_prompt = "q"\n', "expected prompts among"),
        ('prompt = "p"\n', 'prompt = "p"\ndeclared_pp = 4.0\n', "declared_pp among within_pp"),
        ('prompt = "p"\n', 'prompt = "p"\nn_resamples = 10\n', "n_resamples"),
    ):
        assert old in FILE
        with pytest.raises(StudyError, match=fault):
            study(tmp_path, FILE.replace(old, new))
    without = study(tmp_path, FILE[: FILE.index("[interventions]")])
    with pytest.raises(StudyError, match=r"\[interventions\]"):
        intervention_settings(without.at("full", "audit"))


def test_the_gate_leaves_every_table_and_names_a_missing_cell() -> None:
    verdict = _tabled(made(), settings=SETTINGS)
    assert verdict.go
    assert tuple(table.name for table in verdict.tables) == TABLES
    for table in verdict.tables:
        assert table.to_csv() and table.to_json()
    lacking = _tabled(made()[:-1], settings=SETTINGS)
    assert [(i.code, i.where) for i in lacking.issues] == [("lacks-cell", "m2/static")]


def test_the_tables_do_not_depend_on_the_order_of_the_cells() -> None:
    def texts(cells: list[CellResult]) -> list[str]:
        return [table.to_json() for table in intervention_tables(cells, SETTINGS).values()]

    assert texts(made()) == texts(made()[::-1])


def test_what_may_be_said_follows_the_numbers() -> None:
    said = {
        str(row["question"]): str(row["permitted_interpretation"])
        for row in intervention_tables(made(), SETTINGS)["permitted_interpretation"].rows
    }
    matched = said["Do judges of equal static accuracy adapt alike?"]
    assert "may be claimed for 1 after Holm" in matched and "m1 minus m2 -66.67" in matched
    perfect = said["Do judges that answer every base right adapt alike?"]
    assert "2 judges, relevant adaptation 25.0% (m1) to 91.7% (m2)" in perfect
    assert "in 0 of 6 parts" in said["Does the order of the candidates matter?"]
    assert said["Do interventions predict an outcome?"].startswith("None")
    assert all(text.startswith("None") or "L0" in text for text in said.values())
    same = [audit(m, ["111"] * 4) for m in ("m1", "m2")]
    same += [statics(m, ["1"] * 9 + ["0"]) for m in ("m1", "m2")]
    table = intervention_tables(same, replace(SETTINGS))["permitted_interpretation"]
    assert "may be claimed for 0" in str(table.rows[0]["permitted_interpretation"])
