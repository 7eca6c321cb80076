"""An intervention study from its files to the verdict: what is GO, and that nothing gets lost."""

from __future__ import annotations

import csv
import json
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from harness.interventions.plan import intervention_cells, intervention_settings
from harness.study import load_study
from harness.tests.plugin.project import Project
from harness.tests.plugin.test_verdict import last_lines

ROOT = Path(__file__).parents[3]
VARIANTS = ("base", "relevant", "irrelevant")
FACTORS = ("count", "attribute")
STUDY = """
[study]
name = "triplets"
seed = 1
[tiers.canary]
[experiments.rewardlens]
data = ["audit", "static"]
prompts = ["judge"]
[data.audit]
reader = "triplets"
split = "audit"
path = "set.jsonl"
image_root = "pictures"
[data.static]
reader = "triplets"
split = "static"
path = "set.jsonl"
image_root = "pictures"
[prompts]
judge = "{question} {options} One letter."
[decoding]
max_new_tokens = 16
batch_sizes = [8, 1]
[gates]
level = 0.95
min_parse_rate = 0.8
max_infrastructure_share = 0.0
batch_invariance_n = 2
batch_invariance_size = 2
[interventions]
audit = "audit"
static = "static"
prompt = "judge"
n_resamples = 1000
"""
Row = dict[str, Any]


@pytest.fixture
def project(pytester: pytest.Pytester) -> Project:
    made = Project(pytester)
    source = (ROOT / "evals/interventions/test_rewardlens.py").read_text(encoding="utf-8")
    made.write("evals/interventions/test_rewardlens.py", source)
    return made


def made_rows(n: int = 3) -> list[Row]:
    """`n` triplets and as many static items of each factor, one record a picture."""
    rows = []
    for factor in FACTORS:
        common = {"factor": factor, "question": f"{factor}?", "candidates": ["one", "two"]}
        for i in range(n):
            key = f"{factor}-{i}"
            for variant in VARIANTS:
                gold = "AB"[(i + (variant == "relevant")) % 2]
                own = {"triplet_id": key, "variant": variant, "image": f"{key}-{variant}.png"}
                rows.append({"item_id": f"{key}:{variant}", "gold": gold, **own, **common})
            rows.append({"item_id": f"s-{key}", "gold": "AB"[i % 2], "image": f"s-{key}.png"})
            rows[-1] |= common
    return rows


def arranged(project: Project, rows: Sequence[Row], models: str, study: str = STUDY) -> None:
    """Write the set, one picture for each name that it gives, and the study."""
    folder = project.path / "evals/studies"
    project.write("evals/studies/set.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    paint(folder / "pictures", [row["image"] for row in rows])
    project.study(study + models)


def paint(folder: Path, names: Sequence[str]) -> None:
    folder.mkdir(exist_ok=True)
    for shade, name in enumerate(dict.fromkeys(names)):
        Image.new("RGB", (4, 3), (shade, 0, 9)).save(folder / name)


def judge(name: str, answers: dict[str, str], *, family: str = "generative") -> str:
    table = "".join(f"{json.dumps(key)} = {json.dumps(text)}\n" for key, text in answers.items())
    return (
        f'[models.{name}]\nfamily = "{family}"\n[models.{name}.source]\nkind = "fake"\n'
        f'behaviour = "scripted"\n[models.{name}.source.answers]\n{table}'
    )


def table(project: Project, name: str) -> Iterator[dict[str, str]]:
    path = project.latest / f"tables/canary/{name}.csv"
    return csv.DictReader(path.read_text(encoding="utf-8").splitlines())


def test_unread_answers_are_counted_and_named(project: Project) -> None:
    """An unparsed letter, equal scores and NaN: wrong under our policy, dropped as published."""
    rows = made_rows()
    right = {row["item_id"]: row["gold"] for row in rows}
    scores = {"A": '{"score_a":2,"score_b":1}', "B": '{"score_a":1,"score_b":2}'}
    mumbles = {**right, "count-0:base": "Both A and B look right."}
    scored = {key: scores[letter] for key, letter in right.items()} | {
        "count-1:relevant": '{"score_a":1.5,"score_b":1.5}',
        "attribute-2:base": '{"score_a":"nan","score_b":1}',
    }
    models = judge("mumbles", mumbles) + judge("scores", scored, family="reward")
    study = STUDY.replace('prompts = ["judge"]', 'prompts = ["judge", "bare"]')
    study = study.replace("[decoding]", 'bare = "{question}"\n[decoding]')
    arranged(project, rows, models, study + 'swapped = false\nreward_prompt = "bare"\n')
    result = project.run("-m", "canary")
    assert result.ret == 0, result.outlines
    assert last_lines(result) == "GO"
    lost = [
        tuple(row[c] for c in ("model", "part", "reason", "ids", "drop_unparsed", "wrong"))
        for row in table(project, "losses")
    ]
    policies = ("left out", "counted as wrong")
    assert lost == [
        ("mumbles", "base", "unparsed", "count-0:base", *policies),
        ("scores", "relevant", "tied_margin", "count-1:relevant", *policies),
        ("scores", "base", "nan_margin", "attribute-2:base", *policies),
    ]
    dropped = [
        (row["policy"], row["model"], row["triplet"]) for row in table(project, "dropped_triplets")
    ]
    assert dropped == [
        ("drop_unparsed", "mumbles", "count-0"),
        ("drop_unparsed", "scores", "count-1"),
        ("drop_unparsed", "scores", "attribute-2"),
    ]
    counted = {
        (row["policy"], row["model"], row["factor"]): (row["n_triplets"], row["n_111"])
        for row in table(project, "judge_cells")
    }
    assert counted["wrong", "mumbles", "count"] == ("3", "2")
    assert counted["drop_unparsed", "mumbles", "count"] == ("2", "2")
    assert counted["wrong", "mumbles", "attribute"] == ("3", "3")
    subjects = [g["subject"] for g in project.metrics()["gates"] if g["gate"] == "comparability"]
    assert "rewardlens/audit/clean/bare/reward" in subjects


def test_bad_triplets_are_refused_by_name_before_any_model(project: Project) -> None:
    rows = made_rows()
    rows = [row for row in rows if row["item_id"] != "count-0:irrelevant"]
    rows.append(next(row for row in rows if row["item_id"] == "count-1:base"))
    arranged(project, rows, judge("any", {}))
    picture = project.path / "evals/studies/pictures/attribute-0-relevant.png"
    Image.new("RGB", (5, 3)).save(picture)
    result = project.run("-m", "canary")
    said = "\n".join(result.errlines)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert not (project.path / "reports/runs").exists()
    for fault in (
        "count-0: expected the variants base, relevant, irrelevant, found none of irrelevant",
        "count-1: variant base stands 2 times, expected it once",
        "attribute-0: expected pictures of one size, found base 4x3, relevant 5x3, irrelevant 4x3",
    ):
        assert fault in said


def test_a_constant_judge_on_data_that_leak_is_no_go_by_every_gate(project: Project) -> None:
    rows = [row for row in made_rows() if row["item_id"] != "count-0:irrelevant"]
    always = '[models.always-a.source]\nkind = "fake"\nbehaviour = "scripted"\notherwise = "A"\n'
    kept = STUDY.replace('split = "audit"', 'split = "audit"\nincomplete = "keep"')
    arranged(project, rows, always, kept)
    pictures = project.path / "evals/studies/pictures"
    (pictures / "s-count-1.png").write_bytes((pictures / "count-2-base.png").read_bytes())
    (pictures / "attribute-1-relevant.png").unlink()
    result = project.run("-m", "canary")
    assert result.ret == 1
    said = last_lines(result)
    for found in (
        "[missing_variant] count-0: lacks irrelevant",
        "[shared_image] audit and static: expected no picture in both, found count-2:base = "
        "s-count-1",
        "[unhashed_image] audit: expected a hash of every picture, found none for "
        "attribute-1:relevant",
        "[constant_letter]",
        "attribute-1:relevant",
    ):
        assert found in said
    lost = {
        (row["part"], row["reason"], row["ids"], row["wrong"]) for row in table(project, "losses")
    }
    assert lost == {
        ("irrelevant", "missing_variant", "count-0:irrelevant", "left out"),
        ("relevant", "runtime_error", "attribute-1:relevant", "left out"),
    }
    dropped = {(row["policy"], row["triplet"]) for row in table(project, "dropped_triplets")}
    both = ("drop_unparsed", "wrong")
    assert dropped == {(policy, t) for policy in both for t in ("count-0", "attribute-1")}


def test_the_published_study_names_all_that_is_missing_in_one_message(project: Project) -> None:
    text = (ROOT / "evals/studies/rewardlens.toml").read_text(encoding="utf-8")
    path = project.write("evals/studies/rewardlens.toml", text)
    study = load_study(path).at("full", "rewardlens")
    judges = study.scope.models
    cells = intervention_cells(study)
    assert len(judges) == 8 and len(cells) == 8 * 2 * 2
    bare = {cell.model.name for cell in cells if cell.prompt.template == "{question}"}
    assert bare == {"skywork-vl-reward-7b"}
    settings = intervention_settings(study)
    assert (settings.seed, settings.n_resamples, settings.declared_pp) == (20270915, 10_000, 1.0)
    assert (study.decoding.max_new_tokens, study.decoding.greedy) == (16, True)
    result = project.run("-m", "canary", "--study=evals/studies/rewardlens.toml")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    said = [line.removeprefix("ERROR: ") for line in result.errlines if line]
    named = [line.split(": ")[1] for line in said]
    assert named == ["data.audit", "data.static", *(f"models.{name}" for name in sorted(judges))]


def test_the_documented_triplets_run_as_printed(project: Project) -> None:
    text = (ROOT / "docs/interventions.md").read_text(encoding="utf-8")
    section = text[text.index("## Your own pictures") :]
    section = section[: section.index("\n## ", 3)]
    (rows,), (study,), (command,) = (
        re.findall(rf"```{language}\n(.*?)```", section, flags=re.DOTALL)
        for language in ("json", "toml", "console")
    )
    project.write("mine/photographs.jsonl", rows)
    project.write("mine/photographs.toml", study)
    paint(project.path / "mine/pictures", re.findall(r'"([^"]*\.png)"', rows))
    words = shlex.split(command.splitlines()[0].removeprefix("$ "))
    assert words[0] == "pytest"
    result = project.run(*words[1:])
    assert result.ret == 0, result.outlines
    assert last_lines(result) == "GO, in part: paths evals/interventions"
    found = [
        (row["factor"], row["n_triplets"], row["n_111"]) for row in table(project, "judge_cells")
    ]
    assert found == 2 * [("attribute", "1", "1"), ("presence", "1", "1")]
