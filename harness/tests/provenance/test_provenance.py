"""Provenance names code and packages, never the machine, its people or its folders."""

from __future__ import annotations

import getpass
import json
import os
import platform
import shutil
import subprocess
from pathlib import Path

import pytest

from harness import __version__
from harness import provenance as module
from harness.provenance import PACKAGES, provenance


def test_it_names_code_packages_and_kind_of_machine() -> None:
    found = provenance(["cpu", "cpu"])
    assert found["version"] == __version__
    assert found["packages"]["pytest"] == pytest.__version__
    assert set(found["packages"]) == set(PACKAGES)
    assert found["python"] == platform.python_version()
    assert found["devices"] == ["cpu"]
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_an_absent_package_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PACKAGES", ("pytest", "no-such-package-at-all"))
    assert provenance()["packages"]["no-such-package-at-all"] is None


def test_it_holds_no_host_user_or_path() -> None:
    text = json.dumps(provenance())
    assert os.getcwd() not in text
    assert os.path.expanduser("~") not in text
    assert f'"{platform.node()}"' not in text
    assert f'"{getpass.getuser()}"' not in text


def _git(folder: Path, *arguments: str) -> None:
    who = ["-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(folder), *who, *arguments], check=True, capture_output=True)


def test_a_checkout_gives_its_commit_and_whether_it_is_dirty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_PROJECT", tmp_path)
    assert provenance()["git_commit"] is None, "no checkout"
    _git(tmp_path, "init", "-q")
    assert provenance()["git_commit"] is None, "no commit"
    (tmp_path / "a.txt").write_text("1")
    _git(tmp_path, "add", "a.txt")
    _git(tmp_path, "commit", "-q", "-m", "a")
    found = provenance()
    assert len(found["git_commit"]) == 40
    assert found["git_dirty"] is False
    (tmp_path / "a.txt").write_text("2")
    assert provenance()["git_dirty"] is True
    (tmp_path / "inner").mkdir()
    monkeypatch.setattr(module, "_PROJECT", tmp_path / "inner")
    assert provenance()["git_commit"] is None, "the checkout is of something else"


def test_without_git_or_when_it_hangs_nothing_is_claimed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "repo/.git").mkdir(parents=True)
    monkeypatch.setattr(module, "_PROJECT", tmp_path / "repo")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert (provenance()["git_commit"], provenance()["git_dirty"]) == (None, None)
    slow = tmp_path / "git"
    slow.write_text(
        "#!/bin/sh\nexec " + (shutil.which("sleep", path="/bin:/usr/bin") or "") + " 9\n"
    )
    slow.chmod(0o755)
    monkeypatch.setattr(module, "_GIT_TIMEOUT_S", 0.05)
    assert (provenance()["git_commit"], provenance()["git_dirty"]) == (None, None)
