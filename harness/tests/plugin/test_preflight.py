"""The full tier asks for pins, and says all that are missing at once."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from harness.tests.plugin.project import STUDY, Project

_STUDIES = Path(__file__).parents[3] / "evals/studies"
_SAYS = "nothing is downloaded during a run, so get it first with: hf download"
_BENCH = (
    "r1_onevision.toml: data.bench, data.bench-300, data.bench-642: downloads/r1-onevision.tsv is "
    f"not on this machine; {_SAYS} --repo-type dataset Fancy-MLLM/R1-Onevision-Bench "
    "r1-onevision.tsv --revision ffc6a742d35ed1dd12af866e6063c24161b762aa --local-dir downloads"
)
_BASE = (
    "r1_onevision.toml: models.base: Qwen/Qwen2.5-VL-7B-Instruct at revision "
    f"cc594898137f460bfe9f0759e9844b3ce807cfb5 is not on this machine; {_SAYS} "
    "Qwen/Qwen2.5-VL-7B-Instruct --revision cc594898137f460bfe9f0759e9844b3ce807cfb5"
)
_TUNED = (
    "r1_onevision.toml: models.{name}: Fancy-MLLM/{id} is not on this machine; "
    + _SAYS
    + " Fancy-MLLM/{id} --revision main; and expected source.revision to be a commit of 40 hex "
    "digits, found 'main', which can move: after the download, this prints the commit to state "
    "there: cat {hub}/models--Fancy-MLLM--{id}/refs/main"
)
_FILE = """
[data.visual-shapes]
reader = "pope"
split = "random"
path = "pope.json"
"""
_SHAPES = '[data.visual-shapes]\nreader = "visual-shapes"\nsplit = "test"\n'
_HUB = """
[models.moving]
source = { kind = "hub", id = "a/b", revision = "main" }
"""
_TABLES = """
[robustness]
models = ["good"]
focus = "good"
whole = "visual-shapes"
design = "visual-shapes"
held_out = "visual-shapes"
paper = "word"
evidence = "word"
token_budgets = [8]
"""


def from_file(project: Project) -> str:
    rows = (
        {"question_id": i, "image": f"{i}.jpg", "text": f"Is there a {i}?", "label": label}
        for i, label in enumerate(("yes", "no"), start=1)
    )
    project.write("evals/studies/pope.json", "".join(json.dumps(row) + "\n" for row in rows))
    blind = STUDY.replace('kind = "fake"\nbehaviour = "gold"', 'kind = "baseline"\nname = "random"')
    return blind.replace(_SHAPES, _FILE.lstrip())


def faults(result: pytest.RunResult) -> list[str]:
    assert result.ret == 4
    return [line.removeprefix("ERROR: ") for line in result.errlines if "mini.toml" in line]


def test_the_published_study_says_how_to_get_all_that_is_not_here(project: Project) -> None:
    """Each checkpoint and the benchmark by name, once, with the command that gets it."""
    text = (_STUDIES / "r1_onevision.toml").read_text(encoding="utf-8")
    project.write("evals/studies/r1_onevision.toml", text)
    hub = project.path / "hub"
    result = project.run(
        "-m", "canary", "--study=evals/studies/r1_onevision.toml", HOME="/", HF_HUB_CACHE=str(hub)
    )
    assert result.ret == 4
    assert [line.removeprefix("ERROR: ") for line in result.errlines if line] == [
        _BENCH,
        _BASE,
        _TUNED.format(name="rl", id="R1-Onevision-7B-RL", hub=f"~{hub}"),
        _TUNED.format(name="sft", id="R1-Onevision-7B", hub=f"~{hub}"),
    ]
    assert not (project.path / "reports").exists()


def test_a_file_without_a_source_is_told_with_its_folder(project: Project) -> None:
    text = from_file(project)
    (project.path / "evals/studies/pope.json").unlink()
    project.study(text)
    (said,) = faults(project.run("-m", "canary"))
    assert said == (
        "mini.toml: data.visual-shapes: evals/studies/pope.json: no such file; check the path in "
        "the study or fetch the data first"
    )


def test_what_is_not_pinned_is_told_in_one_message(project: Project) -> None:
    text = from_file(project)
    project.study(text.replace("[data.", _HUB + "[data."))
    said = faults(project.run("-m", "full"))
    assert [line.partition(" expected")[0] for line in said] == [
        "mini.toml: full tier: data.visual-shapes.fingerprint:",
        f"mini.toml: models.moving: a/b is not on this machine; {_SAYS} a/b --revision main; and",
    ]
    assert "pope.json holds 2 examples: if these are they" in said[0]
    assert not (project.path / "reports/runs").exists()
    (line,) = re.findall(r'fingerprint = "[0-9a-f]{64}"', said[0])
    # The line that the message gives is the one that pins the data.
    project.study(text.replace('"pope.json"\n', f'"pope.json"\n{line}\n'))
    assert project.run("-m", "full", "-k", "thresholds").ret == 0
    other = line.replace(line[-9:-1], "0" * 8)
    project.study(text.replace('"pope.json"\n', f'"pope.json"\n{other}\n'))
    (wrong,) = faults(project.run("-m", "full", "-k", "thresholds"))
    assert "data.visual-shapes: visual-shapes/random: expected the fingerprint" in wrong


def test_the_canary_asks_for_no_fingerprint(project: Project) -> None:
    project.study(from_file(project))
    assert project.run("-m", "canary", "-k", "thresholds").ret == 0


def test_data_that_only_the_tables_name_are_pinned_too(project: Project) -> None:
    text = from_file(project)
    text = text.replace(_FILE.lstrip(), _SHAPES + _FILE.replace("visual-shapes", "whole"))
    project.study(text + _TABLES.replace('whole = "visual-shapes"', 'whole = "whole"'))
    said = faults(project.run("-m", "full"))
    assert any("full tier: data.whole.fingerprint: expected" in line for line in said)
