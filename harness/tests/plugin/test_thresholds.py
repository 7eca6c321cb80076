"""Thresholds are bound to what was asked of whom: a study under another name is not a new one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.data.visual_shapes import visual_shapes
from harness.errors import StoreError
from harness.plugin.thresholds import asked, first, freeze
from harness.study import Study, load_study
from harness.tests.plugin.project import STUDY, Project
from harness.tests.plugin.test_verdict import last_lines
from harness.types import Dataset

_RENAMED = STUDY.replace('"tiny"', '"other"')
_EDITED = _RENAMED.replace("min_parse_rate = 0.95", "min_parse_rate = 0.5")
_CLEAN = ("-m", "canary", "-k", "thresholds or (completeness and not blank)")


def test_a_rename_launders_nothing(project: Project) -> None:
    assert project.run(*_CLEAN).ret == 0
    project.study(_RENAMED)
    assert project.run(*_CLEAN).ret == 0
    project.study(_EDITED.replace('"other"', '"third"'))
    for more in (("-n", "1"), ("--no-generate",)):
        result = project.run(*_CLEAN, *more)
        assert result.ret == 1
        assert (
            "thresholds/visual-shapes: [changed] min_parse_rate: expected 0.95 as at the first "
            "response of study 'tiny' to the same questions, found 0.5"
        ) in last_lines(result)


def test_a_report_without_that_gate_says_it_too(project: Project) -> None:
    assert project.run("-m", "canary", "-k", "comparability").ret == 0
    project.study(_EDITED)
    assert project.run("-m", "canary", "-k", "comparability").ret == 0
    assert project.metrics()["study"]["thresholds_first"]["study"] == "tiny"
    said = (project.latest / "report.md").read_text(encoding="utf-8")
    assert "changed since the first response" in said and "tiny" in said


def made(folder: Path, text: str) -> Study:
    path = folder / "study.toml"
    path.write_text(text, encoding="utf-8")
    return load_study(path)


def questions(study: Study, content: str = "a") -> dict[str, dict[str, str]]:
    def dataset(name: str) -> Dataset:
        return replace(visual_shapes("test"), name=name, fingerprint=content)

    return asked(study, dataset, lambda spec, _: spec.source)


def started(study: Study, runs: Path, content: str = "a") -> dict[str, Any] | None:
    """What a run finds that has frozen what it asks."""
    found = questions(study, content)
    freeze(study, runs, found)
    return first(study, runs, found)


def test_what_is_the_same_question(tmp_path: Path) -> None:
    """Names, views and decoding make none new; other data, models and prompts do."""
    runs = tmp_path / "runs"
    study = made(tmp_path, STUDY)
    assert first(study, runs, questions(study)) is None
    assert started(study, runs) == study.frozen
    edited = made(tmp_path, _EDITED)
    for text, content, same in (
        (_EDITED, "a", True),
        (_EDITED.replace("max_new_tokens = 8", "max_new_tokens = 9"), "a", True),
        (_EDITED.replace('word = "', 'words = "').replace('["word"]', '["words"]'), "a", True),
        (_EDITED.replace("models.good", "models.best"), "a", True),
        (_EDITED, "b", False),
        (_EDITED.replace('"gold"', '"unparsable"'), "a", False),
        (_EDITED.replace('"{question}"', '"{question} Why?"'), "a", False),
    ):
        other = made(tmp_path, text)
        found = first(other, runs, questions(other, content))
        assert found == ({**study.frozen, "study": "tiny"} if same else None), text
    # A study that ran on questions of its own may not take in those of another one later.
    assert started(edited, runs, "b") == edited.frozen
    assert first(edited, runs, {**questions(edited, "b"), **questions(edited)}) == {
        **study.frozen,
        "study": "tiny",
    }


def test_a_run_killed_while_it_froze_leaves_no_gap(tmp_path: Path) -> None:
    """The study's own record comes first, and what is recorded later is recorded as that."""
    runs = tmp_path / "runs"
    study = made(tmp_path, STUDY)
    freeze(study, runs, {})
    edited = made(tmp_path, _EDITED.replace('"other"', '"tiny"'))
    assert started(edited, runs) == study.frozen
    renamed = made(tmp_path, _EDITED)
    assert started(renamed, runs) == {**study.frozen, "study": "tiny"}
    assert started(made(tmp_path, STUDY), runs) == study.frozen
    assert not list(runs.rglob("*.tmp"))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"study": "a", "thresholds": 3}'])
def test_a_damaged_record_is_named(tmp_path: Path, text: str) -> None:
    study = made(tmp_path, STUDY)
    found = questions(study)
    freeze(study, tmp_path, found)
    (key,) = found
    (tmp_path / f"thresholds/asked/{key}.json").write_text(text, encoding="utf-8")
    with pytest.raises(StoreError, match=f"{key}.json: expected a study's first thresholds"):
        first(study, tmp_path, found)
