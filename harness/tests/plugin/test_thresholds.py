"""Thresholds are bound to what was asked of whom: a study under another name is not a new one."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import huggingface_hub.constants
import pytest

from harness.data.visual_shapes import visual_shapes
from harness.errors import StoreError
from harness.models.fingerprint import model_fingerprint
from harness.plugin.thresholds import asked, first, freeze
from harness.study import Study, load_study
from harness.tests.plugin.project import STUDY, Project
from harness.tests.plugin.test_verdict import last_lines
from harness.types import Dataset, ModelSpec

_MICRO = Path(__file__).parents[3] / "fixtures/micro/micro-base"
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


def test_a_record_that_was_taken_away_is_told(project: Project) -> None:
    """Responses are there and no thresholds of them: those of now cannot pass for the first."""
    assert project.run(*_CLEAN).ret == 0
    shutil.rmtree(project.path / "reports/runs/thresholds")
    project.study(STUDY.replace("min_parse_rate = 0.95", "min_parse_rate = 0.5"))
    result = project.run(*_CLEAN)
    assert result.ret == 1
    assert (
        "thresholds/visual-shapes: [thresholds_unknown] good/visual-shapes/word: expected the "
        "thresholds of its first response in the runs folder, found responses and no record"
    ) in last_lines(result)
    first = project.metrics()["study"]["thresholds_first"]
    assert first["unknown"] == ["good/visual-shapes/word"]
    for name, said in (
        ("report.md", "is not known: the runs folder"),
        ("report.zh.md", "无从得知"),
    ):
        (line,) = [
            line
            for line in (project.latest / name).read_text(encoding="utf-8").splitlines()
            if said in line
        ]
        assert "good/visual-shapes/word" in line
    assert project.run(*_CLEAN, "--runs=other").ret == 0


def made(folder: Path, text: str) -> Study:
    path = folder / "study.toml"
    path.write_text(text, encoding="utf-8")
    return load_study(path)


def questions(
    study: Study, content: str = "a", model: Mapping[str, Any] | None = None
) -> dict[str, dict[str, str]]:
    def dataset(name: str) -> Dataset:
        return replace(visual_shapes("test"), name=name, fingerprint=content)

    return asked(study, dataset, lambda spec, _: spec.source if model is None else model)


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


def test_what_is_the_same_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Libraries, labels and where a checkpoint lies make no question new; its files do."""
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    commit = "0123456789abcdef0123456789abcdef01234567"
    shutil.copytree(_MICRO, tmp_path / "hub/models--a--b/snapshots" / commit)
    study = made(tmp_path, STUDY)

    def key(found: Mapping[str, Any]) -> str:
        (only,) = questions(study, model=found)
        return only

    folder = model_fingerprint(
        ModelSpec(name="m", source={"kind": "local", "path": str(_MICRO)}), "d"
    )
    hub = model_fingerprint(
        ModelSpec(name="m", source={"kind": "hub", "id": "a/b", "revision": commit}), "d"
    )
    served = {"kind": "endpoint", "label": "one", "model": "a/b", "revision": commit}
    absent = {**hub, "id": "a/c"}
    newer = {"processor": {**hub["processor"], "transformers": "99.0"}}
    for one, other, same in (
        (folder, {**folder, **newer}, True),
        (folder, {**folder, "trust_remote_code": True}, True),
        (folder, hub, True),
        (hub, {**hub, **newer}, True),
        (absent, {**absent, **newer}, True),
        (served, {**served, "label": "two"}, True),
        (folder, {**folder, "weights_sha256": "0" * 64}, False),
        (folder, {**folder, "settings_sha256": "0" * 64}, False),
        (hub, absent, False),
        (absent, {**absent, "revision": "f" * 40}, False),
        (served, {**served, "model": "a/c"}, False),
        (served, {**served, "revision": None}, False),
    ):
        assert (key(one) == key(other)) is same, (one, other)


def stored(folder: Path, study: Study, text: str) -> None:
    """A stored cell of the study's first question."""
    fingerprint: Mapping[str, Any] = study.models["good"].source
    identity = {
        "data": {"fingerprint": "a"},
        "model": {"fingerprint": dict(fingerprint)},
        "prompt": {"sha256": study.prompts["word"].sha256},
    }
    (folder / "responses").mkdir(parents=True)
    (folder / "cell.json").write_text(json.dumps(identity), encoding="utf-8")
    (folder / "responses/a.jsonl").write_text(text, encoding="utf-8")


def test_answered_questions_without_a_record_stay_unknown(tmp_path: Path) -> None:
    study = made(tmp_path, STUDY)
    unknown = {**study.frozen, "unknown": ["good/visual-shapes/word"]}
    for number, (text, content, same) in enumerate(
        (("{}\n", "a", True), ("", "a", False), ("{}\n", "b", False))
    ):
        runs = tmp_path / str(number)
        stored(runs / "0123", study, text)
        (runs / "4567/responses").mkdir(parents=True)
        (runs / "4567/cell.json").write_text("[]", encoding="utf-8")
        (runs / "4567/responses/a.jsonl").write_text("{}\n", encoding="utf-8")
        for _ in range(2):
            assert started(study, runs, content) == (unknown if same else study.frozen)
    # One record of several is enough to lose.
    edited = made(tmp_path, _EDITED)
    (key,) = questions(study)
    started(edited, tmp_path / "1")
    stored(tmp_path / "1/89ab", study, "{}\n")
    (tmp_path / f"1/thresholds/asked/{key}.json").unlink()
    assert started(edited, tmp_path / "1") == {**edited.frozen, "unknown": unknown["unknown"]}


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
