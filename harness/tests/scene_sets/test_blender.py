"""The second engine's process: a stand-in interpreter, since Blender is no dependency."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import AssayError
from harness.scene_sets.blender import blender_run
from harness.scene_sets.command import main
from harness.scene_sets.freezing import MANIFEST, read_manifest
from harness.tests.scene_sets.made_sets import picture


def interpreter(folder: Path, body: str) -> Path:
    path = folder / "python"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def test_labels_that_hold_and_labels_that_do_not(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = picture(made, read_manifest(made / MANIFEST)[0], "base")
    # Every scene looks like the first base: its relevant edit then has another label.
    python = interpreter(tmp_path, f'test -s "$1" && test -s "$2" && cp {first} "$3"')
    command = ["render-again", str(made), "--python", str(python), "--n", "1", "--samples", "1"]
    assert main(command) == 1
    out = capsys.readouterr().out
    assert "3 pictures, 1 with another label" in out
    assert ":relevant: FAIL answer" in out
    assert ":base:" not in out


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("echo no module named bpy >&2; exit 1", "no module named bpy"),
        ("exit 0", "found exit 0"),
        ("exec sleep 30", "within 0.3 s"),
    ],
)
def test_an_interpreter_that_gives_no_picture(tmp_path: Path, body: str, words: str) -> None:
    run = blender_run(interpreter(tmp_path, body), timeout_s=0.3 if "sleep" in body else 60)
    with pytest.raises(AssayError, match=words):
        run("", {})


def test_an_interpreter_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(AssayError, match="interpreter with bpy"):
        blender_run(tmp_path / "none", timeout_s=60)("", {})
