"""The full tier asks for pins, and says all that are missing at once."""

from __future__ import annotations

import json
import re

import pytest

from harness.tests.plugin.project import STUDY, Project

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


def test_what_is_not_pinned_is_told_in_one_message(project: Project) -> None:
    text = from_file(project)
    project.study(text.replace("[data.", _HUB + "[data."))
    said = faults(project.run("-m", "full"))
    assert [line.partition(": expected")[0] for line in said] == [
        "mini.toml: full tier: data.visual-shapes.fingerprint",
        "mini.toml: full tier: models.moving.source.revision",
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
