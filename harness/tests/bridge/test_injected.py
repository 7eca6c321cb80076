"""The module that runs inside lmms-eval: what it repairs, and what it leaves alone."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from harness.bridge import injected
from harness.bridge.faults import BridgeError
from harness.tests.bridge.stand_in import run


def test_the_repairs_are_made_at_run_time_and_recorded(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    source = Path(environment["PYTHONPATH"]) / "lmms_eval/models/chat/huggingface.py"
    before = source.read_bytes()
    made = run("adapter", tmp_path / "a", environment, timeout_s=60)
    assert source.read_bytes() == before
    assert made["harness"]["repairs"] == [
        {"module": "lmms_eval.models.chat.huggingface", "patch": "installed"},
        {
            "instead_of": "AutoModel",
            "patch": "generating-model",
            "used": "AutoModelForImageTextToText",
        },
        {"patch": "audio-keyword", "processor": "Processor"},
    ]
    said = "('AutoModelForImageTextToText', ['images', 'text'])"
    assert said in (tmp_path / "a/log.txt").read_text()
    with pytest.raises(BridgeError, match=r"ValueError: audios"):
        run("adapter", tmp_path / "b", environment, timeout_s=60, repairs=False)


def test_a_sitecustomize_that_was_there_still_runs(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "sitecustomize.py").write_text("print('the other one ran')\n")
    both = {**environment, "PYTHONPATH": f"{other}:{environment['PYTHONPATH']}"}
    run("fine", tmp_path / "out", both, timeout_s=60)
    assert "the other one ran" in (tmp_path / "out/log.txt").read_text()


def test_only_the_standard_library_is_needed() -> None:
    source = Path(str(injected.__file__)).read_text(encoding="utf-8")
    assert "harness" not in source


class Config:
    @classmethod
    def from_pretrained(cls, name: str, *, trust_remote_code: bool = False) -> Config:
        return cls()


class Base:
    _model_mapping: dict[type, int] = {}

    @classmethod
    def from_pretrained(cls, name: str, **options: Any) -> tuple[str, str, dict[str, Any]]:
        return cls.__name__, name, options


class Generating(Base):
    _model_mapping = {Config: 1}


def test_a_model_without_a_head_stays_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(injected.RECORD, str(tmp_path / "record"))
    plain = injected.AnyModel([Base], Config, Base)
    assert plain.from_pretrained("m", dtype="x") == ("Base", "m", {"dtype": "x"})
    assert not (tmp_path / "record").exists()
    repaired = injected.AnyModel([Base, Generating], Config, Base)
    assert repaired.from_pretrained("m", dtype="x") == ("Generating", "m", {"dtype": "x"})
    assert json.loads((tmp_path / "record").read_text())["used"] == "Generating"


def test_sounds_are_passed_on_under_the_name_they_have() -> None:
    class Real:
        def __call__(self, text: str, **named: Any) -> dict[str, Any]:
            return {"text": text, **named}

        @classmethod
        def from_pretrained(cls, name: str) -> Real:
            return cls()

    processor = injected.AnyProcessor(Real).from_pretrained("m")
    assert isinstance(processor, Real)
    assert type(processor).__name__ == "Real"
    assert processor("t", images=["i"], videos=[], audios=[]) == {"text": "t", "images": ["i"]}
    assert processor("t", audios=["a"]) == {"text": "t", "audio": ["a"]}


def test_another_version_of_the_adapter_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(injected.RECORD, str(tmp_path / "record"))
    module = SimpleNamespace(__name__="adapter", AutoModel=Base)
    injected.repair(module)
    assert module.AutoModel is Base
    assert json.loads((tmp_path / "record").read_text())["patch"] == "not-applicable"
