"""A scorer out of the git history, unpacked into a folder of its own."""

from __future__ import annotations

import io
import os
import re
import subprocess
import tarfile
from pathlib import Path

from harness.errors import AssayError

_VERSION = re.compile(r"^VERSION\b[^=\n]*=\s*[\"']([^\"'\n]+)[\"']", re.MULTILINE)
_VERSION_FILE = "harness/scoring/__init__.py"
_SHORT_NUMBER = re.compile(r"[0-9]{1,3}(?:\.[0-9]+)*")


def version_in(source: str) -> str:
    """The value of VERSION in the text of a scorer's `__init__.py`; "unknown" without one."""
    found = _VERSION.search(source)
    return found[1] if found else "unknown"


def find_commit(against: str, repository: Path) -> str:
    """The commit that a git ref or a scorer's version means.

    Parameters
    ----------
    against : `version:V`, or a number such as 1 or 2.1, which is too short for a commit's
        hash: the newest commit of the history whose scorer says VERSION V. Anything else is a
        git ref.
    repository : the top folder of a git checkout.

    Returns
    -------
    str
        40 hex digits (64 in a SHA-256 repository).

    Raises
    ------
    AssayError
        When nothing has that name, or there is no git checkout.
    """
    kind, colon, version = against.partition(":")
    if kind == "version" and colon:
        return _commit_of_version(version, repository)
    if _SHORT_NUMBER.fullmatch(against):
        return _commit_of_version(against, repository)
    try:
        return _git(
            repository, "rev-parse", "--verify", "--end-of-options", f"{against}^{{commit}}"
        ).strip()
    except AssayError as error:
        raise AssayError(f"--against {against}: expected a git ref, found none: {error}") from None


def unpack(commit: str, repository: Path, folder: Path) -> str:
    """Put the package as of a commit, without its tests, into a folder; gives its VERSION.

    Raises
    ------
    AssayError
        When the commit has no scorer.
    """
    version = _version_at(commit, repository)
    if version is None:
        raise AssayError(f"commit {commit[:12]}: expected a scorer in {_VERSION_FILE}, found none")
    data = _run(repository, "archive", "--format=tar", commit, "harness", ":(exclude)harness/tests")
    try:
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            archive.extractall(folder, filter="data")
    except tarfile.TarError as error:
        raise AssayError(f"commit {commit[:12]}: cannot be unpacked safely: {error}") from None
    return version


def _commit_of_version(version: str, repository: Path) -> str:
    """The newest commit with that VERSION: HEAD, or a parent of a commit that changed it."""
    if _version_at("HEAD", repository) == version:
        return _git(repository, "rev-parse", "--verify", "HEAD^{commit}").strip()
    log = _git(repository, "log", "--format=%P", "HEAD", "--", _VERSION_FILE)
    found = set()
    for parent in log.split():
        there = _version_at(parent, repository)
        if there == version:
            return parent
        found.add(there)
    known = ", ".join(sorted(v for v in found if v is not None)) or "none"
    raise AssayError(
        f"scorer version {version}: expected a commit with it in the history, found {known}"
    )


def _version_at(commit: str, repository: Path) -> str | None:
    try:
        return version_in(_git(repository, "show", f"{commit}:{_VERSION_FILE}"))
    except AssayError:
        return None


def _git(repository: Path, *arguments: str) -> str:
    return _run(repository, *arguments).decode("utf-8", "replace")


def _run(repository: Path, *arguments: str) -> bytes:
    # A hook's variables would point git at another repository.
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    try:
        done = subprocess.run(
            ["git", "-C", str(repository), *arguments],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            env={**environment, "LC_ALL": "C"},
            check=False,
        )
    except OSError as error:
        raise AssayError(f"git cannot be run: {error.strerror}") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise AssayError(f"git {arguments[0]}: {said[-1] if said else 'failed'}")
    return done.stdout


__all__ = ["find_commit", "unpack", "version_in"]
