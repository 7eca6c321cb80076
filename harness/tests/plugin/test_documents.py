"""The documented experiment runs exactly as it is printed."""

import re
from pathlib import Path

from harness.tests.plugin.project import STUDY, Project
from harness.tests.plugin.test_verdict import last_lines

ROOT = Path(__file__).parents[3]


def blocks(language: str) -> list[str]:
    text = (ROOT / "docs/add-an-experiment.md").read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, flags=re.DOTALL)


def test_the_documented_experiment_runs_as_printed(project: Project) -> None:
    (code,), (table,) = blocks("python"), blocks("toml")
    project.write("evals/protocol/test_beats_majority.py", code)
    mini = (ROOT / "evals/studies/mini.toml").read_text(encoding="utf-8")
    mini = mini.replace("../../fixtures", str(ROOT / "fixtures")).replace("golden = true", "")
    project.study(mini + table)
    result = project.run("-m", "canary", "-k", "beats_majority", "evals/protocol")
    assert result.ret == 0, result.outlines
    assert last_lines(result) == "GO, in part: -k beats_majority; paths evals/protocol"
    gates = {g["gate"]: g["go"] for g in project.metrics()["gates"]}
    assert gates["beats-majority"] is True


def test_its_own_gate_can_fail(project: Project) -> None:
    (code,) = blocks("python")
    project.write("evals/protocol/test_beats_majority.py", code)
    models = '[models.majority]\nsource = { kind = "baseline", name = "majority" }\n[data.vis'
    project.study(
        STUDY.replace("[experiments.visual-shapes]", "[experiments.beats-majority]")
        .replace("[data.vis", models)
        .replace('behaviour = "gold"', 'behaviour = "gold"\naccuracy = 0.0')
    )
    result = project.run("-m", "canary", "-k", "beats_majority", "evals/protocol")
    assert result.ret == 1
    assert "not_above_majority" in last_lines(result)
