"""What a run was made with, and the removal of what must not be published about it."""

from __future__ import annotations

import getpass
import os
import platform
import re
import site
import subprocess
import sysconfig
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any

from harness import __version__

PACKAGES = (
    "numpy",
    "pandas",
    "pillow",
    "pytest",
    "pytest-xdist",
    "safetensors",
    "scipy",
    "syrupy",
    "tokenizers",
    "torch",
    "torchvision",
    "transformers",
)
_PROJECT = Path(__file__).resolve().parents[1]
_GIT_TIMEOUT_S = 10.0
_PLACEHOLDERS = ("path", "root", "site", "tmp", "home", "user", "host")
# Replacing these as words would damage prose and ids; only their telling places are replaced.
_COMMON = frozenset(
    """
    admin assay build builder clean data debian docker fake full gate guest harness home host
    image local localhost main model models node nobody path pytest python replay root runner
    server site test tests tmp torch ubuntu user users work worker
    """.split()  # noqa: SIM905
)
_SHORTEST_NAME = 4


def provenance(devices: Sequence[str] = ()) -> dict[str, Any]:
    """Code, packages and machine kind of this process, as JSON values.

    Parameters
    ----------
    devices : kinds of the devices that were used, such as ``cpu`` or ``NVIDIA H200``; the
        caller knows them, since naming them here would load torch.

    Returns
    -------
    dict
        version, git_commit and git_dirty (None where the project's folder is no checkout
        or git does not answer), python, packages (None for one that is absent), system,
        machine, n_cpus, devices. No host name, user name or path.
    """
    commit, dirty = _checkout(_PROJECT)
    return {
        "version": __version__,
        "git_commit": commit,
        "git_dirty": dirty,
        "python": platform.python_version(),
        "packages": {name: _version(name) for name in PACKAGES},
        "system": platform.system(),
        "machine": platform.machine(),
        "n_cpus": os.cpu_count(),
        "devices": sorted(set(devices)),
    }


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _checkout(folder: Path) -> tuple[str | None, bool | None]:
    if not (folder / ".git").exists():
        return None, None
    commit = _git(folder, "rev-parse", "--verify", "HEAD")
    status = _git(folder, "status", "--porcelain")
    return commit or None, None if status is None else bool(status)


def _git(folder: Path, *arguments: str) -> str | None:
    """The output of a git command; None when git is absent, refuses or does not return."""
    command = ["git", "--no-optional-locks", "-C", str(folder), *arguments]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_GIT_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def scrub(text: str) -> str:
    """Replace what tells of this machine: host and user names, and absolute paths.

    The project's folder and the working directory become ``<root>``, site-packages
    ``<site>``, temporary folders ``<tmp>`` and the home folder ``<home>``, each with what
    follows them kept; any other absolute path of two or more parts, POSIX or Windows,
    becomes ``<path>`` with its base name kept. User and host names become ``<user>`` and
    ``<host>`` where they stand as a word; a short or common one ("root") only in
    ``pytest-of-root`` and ``root@host``. URLs, fractions and "and/or" stay. Idempotent.

    Examples
    --------
    >>> scrub("read /mnt/disk7/secret/scores.csv, 3/4 of it, from https://example.org/a/b")
    'read <path>/scores.csv, 3/4 of it, from https://example.org/a/b'
    """
    folders = _folders()
    found = _path_pattern(folders).sub(lambda m: _replacement(m, dict(folders)), text)
    for pattern, placeholder in _name_patterns(_user_names(), _host_names()):
        found = pattern.sub(placeholder, found)
    return found


def _replacement(match: re.Match[str], folders: dict[str, str]) -> str:
    kind, whole = match.lastgroup, match.group()
    if kind == "url":
        return whole
    if kind == "known":
        return folders[whole]
    separator = "/" if "/" in whole else "\\"
    parts = [part for part in re.split(r"[\\/]+", whole) if part]
    return f"<path>{separator}{parts[-1]}" + (separator if whole[-1] in "\\/" else "")


@lru_cache(maxsize=32)
def _path_pattern(folders: tuple[tuple[str, str], ...]) -> re.Pattern[str]:
    """URLs (kept), then known folders, then quoted, POSIX, drive and share paths."""
    after_placeholder = "".join(f"(?<!<{name}>)" for name in _PLACEHOLDERS)
    name = r"""[^\s/\\:'"`<>|,;()\[\]{}*?=&]+"""
    spaced = rf"{name}(?:\ +{name})*"
    inside = r"A-Za-z0-9_./\\\-~)\]}%"
    start = rf"{after_placeholder}(?:(?<![{inside}])(?=/+[!-~])|(?<![{inside}\w]))"
    known = "|".join(
        (start if folder.count("/") == 1 else "") + re.escape(folder) + r"(?![\w-]|\.[\w<])"
        for folder, _ in folders
    )
    placeholder = "|".join(f"<{name}>" for name in _PLACEHOLDERS)
    alternatives = {
        "url": r"\b(?:https?|wss?|s?ftps?|ssh|s3|gs|hf|tcp|grpc|git(?:\+(?:https?|ssh))?)://"
        rf"(?:[^\s'\"<>`]|{placeholder})*",
        "known": known or "(?!)",
        "quoted": rf"(?<=['\"`])(?:[A-Za-z]:)?(?:[\\/]+{spaced}){{2,}}[\\/]*(?=['\"`])",
        "posix": rf"{start}(?:/+{name}){{2,}}/*",
        "drive": rf"(?<![A-Za-z0-9])[A-Za-z]:(?:[\\/]+{name}){{2,}}[\\/]*",
        "share": rf"(?<![\w\\>])\\\\+{name}(?:\\+{name})+\\*",
    }
    return re.compile("|".join(f"(?P<{kind}>{text})" for kind, text in alternatives.items()))


@lru_cache(maxsize=32)
def _name_patterns(
    users: tuple[str, ...], hosts: tuple[str, ...]
) -> tuple[tuple[re.Pattern[str], str], ...]:
    patterns: list[tuple[str, str]] = []
    for names, placeholder in ((hosts, "<host>"), (users, "<user>")):
        for name in names:
            word = rf"(?<![A-Za-z0-9<]){re.escape(name)}(?![A-Za-z0-9>])"
            if len(name) >= _SHORTEST_NAME and name.lower() not in _COMMON:
                patterns.append((word, placeholder))
            elif placeholder == "<user>":
                patterns += [(rf"(?<=pytest-of-){word}", placeholder)]
                patterns += [(rf"{word}(?=@)", placeholder)]
            else:
                patterns.append((rf"(?<=[A-Za-z0-9>]@){word}", placeholder))
    return tuple((re.compile(text, re.IGNORECASE), placeholder) for text, placeholder in patterns)


def _folders() -> tuple[tuple[str, str], ...]:
    """Known folders and their placeholders, longest first; the first meaning wins."""
    return _known(
        frozenset({str(_PROJECT), os.getcwd(), os.environ.get("PWD", "")}),
        frozenset({tempfile.gettempdir(), os.environ.get("TMPDIR", "")}),
        frozenset({os.path.expanduser("~")}),
    )


@lru_cache(maxsize=32)
def _known(
    roots: frozenset[str], temporary: frozenset[str], home: frozenset[str]
) -> tuple[tuple[str, str], ...]:
    packages = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    packages |= {*site.getsitepackages(), site.getusersitepackages()}
    known: dict[str, str] = {}
    for placeholder, paths in (
        ("<site>", packages),
        ("<root>", roots),
        ("<tmp>", temporary),
        ("<home>", home),
    ):
        for path in paths:
            for form in (path.rstrip("/\\"), os.path.realpath(path) if path else ""):
                if os.path.isabs(form) and len(form) > 1:
                    known.setdefault(form, placeholder)
    return tuple(sorted(known.items(), key=lambda entry: (-len(entry[0]), entry[0])))


def _user_names() -> tuple[str, ...]:
    names = {os.environ.get(key, "") for key in ("USER", "LOGNAME", "USERNAME")}
    names.add(os.path.basename(os.path.expanduser("~")))
    with suppress(KeyError, OSError, ImportError):  # an account without a name hides none
        names.add(getpass.getuser())
    return _longest_first(names)


def _host_names() -> tuple[str, ...]:
    names = {os.environ.get(key, "") for key in ("HOSTNAME", "COMPUTERNAME")} | {platform.node()}
    return _longest_first(names | {name.partition(".")[0] for name in names})


def _longest_first(names: set[str]) -> tuple[str, ...]:
    # A lone "~" is what an unknown home folder expands to; other marks alone are no names.
    kept = {name for name in names if re.search(r"[A-Za-z0-9]", name)}
    return tuple(sorted(kept, key=lambda name: (-len(name), name)))


__all__ = ["PACKAGES", "provenance", "scrub"]
