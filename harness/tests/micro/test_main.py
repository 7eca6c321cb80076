from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import ModelError
from harness.micro import __main__ as command
from harness.micro import measure
from harness.micro.recipe import RECIPES, Recipe

ROOT = Path(__file__).parents[3] / "fixtures" / "micro"


def test_out_trains_all_or_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    made: list[tuple[str, Path]] = []

    def make(recipe: Recipe, directory: Path) -> None:
        made.append((recipe.name, directory))

    monkeypatch.setattr(command, "make", make)
    assert command.main(["--out", str(tmp_path)]) == 0
    assert made == [(r.name, tmp_path / r.name) for r in RECIPES]
    made.clear()
    assert command.main(["--out", str(tmp_path), "--only", "micro-base"]) == 0
    assert made == [("micro-base", tmp_path / "micro-base")]


def test_measure_prints_the_table_of_the_trained_styles(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = []

    def rows(directory: Path, styles: tuple[str, ...], split: str) -> list[measure.Row]:
        asked.append((directory.name, styles, split))
        return [
            measure.Row(data="digits", style="word", condition=c, n=400, accuracy=0.5, listed=0.99)
            for c in measure.CONDITIONS
        ]

    monkeypatch.setattr(measure, "measure", rows)
    assert command.main(["--measure", str(ROOT / "micro-base"), "--split", "val"]) == 0
    assert command.main(["--measure", str(ROOT / "micro-sft")]) == 0
    assert asked == [
        ("micro-base", ("word",), "val"),
        ("micro-sft", ("word", "evidence", "letter"), "test"),
    ]
    assert "| digits | word | 400 | 0.500 | 0.500 | 0.500 | 0.990 |" in capsys.readouterr().out


def test_a_folder_without_record_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"no training\.json"):
        command.main(["--measure", str(tmp_path)])


@pytest.mark.parametrize("arguments", [[], ["--out", "a", "--measure", "b"]])
def test_one_task_at_a_time(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        command.main(arguments)
    assert caught.value.code == 2
    assert "--measure" in capsys.readouterr().err
