"""Judges and triplets in a study file: endpoints, reward models, readers with their options."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import StudyError
from harness.study import Study, load_study, unpinned

MINI = (Path(__file__).parents[3] / "evals/studies/mini.toml").read_text(encoding="utf-8")
JUDGES = """
[models.served]
source = { kind = "endpoint", base_url = "$JUDGE_URL", label = "lab", model = "judge-1" }

[models.scalar]
family = "reward"
source = { kind = "local", path = "judge" }

[data.photos]
reader = "triplets"
split = "audit"
path = "photos.jsonl"
image_root = "photos"
exclude = ["t7"]
incomplete = "keep"

[data.made]
reader = "scenes"
split = "static"
path = "manifest.jsonl.gz"
size = "160x120"
"""


def load(tmp_path: Path, text: str) -> Study:
    path = tmp_path / "s.toml"
    path.write_text(MINI + text, encoding="utf-8")
    return load_study(path)


def test_judges_and_triplets_are_as_the_file_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUDGE_URL", "http://127.0.0.1:1/v1")
    study = load(tmp_path, JUDGES)
    served = study.models["served"]
    assert served.source["base_url"] == "http://127.0.0.1:1/v1"
    assert served.source["n_attempts"] == 5
    assert "expected 40 hex digits" in str(unpinned(served))
    assert study.models["scalar"].family == "reward"
    assert study.data["photos"].options == {
        "image_root": tmp_path / "photos", "exclude": ("t7",), "incomplete": "keep",
    }  # fmt: skip
    assert study.data["made"].options == {"size": "160x120"}
    pinned = JUDGES.replace('"judge-1"', f'"judge-1", revision = "{"a1" * 20}"')
    assert unpinned(load(tmp_path, pinned).models["served"]) is None


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("$JUDGE_URL", "$NOT_SET_HERE", r"served.source.base_url: .* to set NOT_SET_HERE"),
        ('label = "lab", ', "", r"models.served.source.*label: expected a value, found none"),
        ('"lab"', '"lab", api_key = "k"', r"api_key: expected no such key"),
        ('"lab"', '"lab", n_attempts = 0', r"n_attempts: .* found 0"),
        ('"160x120"', '"160"', r"data.made.size: .* found '160'"),
        ('"keep"', '"drop"', r"data.photos.incomplete: .* found 'drop'"),
    ],
)
def test_a_fault_names_its_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, message: str
) -> None:
    monkeypatch.setenv("JUDGE_URL", "http://127.0.0.1:1/v1")
    assert old in JUDGES
    with pytest.raises(StudyError, match=message):
        load(tmp_path, JUDGES.replace(old, new))
