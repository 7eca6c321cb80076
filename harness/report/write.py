"""The one place that writes a run's reports, each file whole or not at all."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness.errors import AssayError
from harness.provenance import scrub
from harness.report.junit import scrub_junit
from harness.report.markdown import report
from harness.report.validation import validate

LATEST = "latest"


def write_reports(
    folder: Path,
    metrics: Mapping[str, Any],
    junit_path: Path,
    files: Mapping[str, str],
) -> None:
    """Write metrics.json, report.md, report.zh.md and tables; clean junit.xml; move `latest`.

    Every text is scrubbed first. A NO-GO is written like a GO. `latest`, beside `folder`,
    is a relative link to it; where links cannot be made, ``latest.txt`` names it instead.

    Parameters
    ----------
    folder : the run's own folder; made if need be.
    metrics : what `harness.report.metrics.build` returns.
    junit_path : the JUnit file that pytest has written, inside `folder` or elsewhere.
    files : tables and figures, as "TIER/NAME.csv" to the text; they go below `tables/`.

    Raises
    ------
    AssayError
        Before anything is written, when the metrics do not validate; after the other
        files, when the JUnit file is not there or is damaged; when a file cannot be written.
    """
    clean = _scrubbed(metrics)
    validate(clean)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(clean, indent=1, ensure_ascii=True, allow_nan=False) + "\n"
        _replace(folder / "metrics.json", text)
        _replace(folder / "report.md", report(clean, "en"))
        _replace(folder / "report.zh.md", report(clean, "zh"))
        for name, content in files.items():
            path = folder / "tables" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            _replace(path, scrub(content))
        _point(folder.parent / LATEST, folder.name)
    except OSError as error:
        raise AssayError(
            f"cannot write the reports of {folder.name}: {error.strerror}; expected a writable "
            "folder with space left (--reports)"
        ) from error
    _rewrite_junit(junit_path)


def _scrubbed(value: Any) -> Any:
    if isinstance(value, str):
        return scrub(value)
    if isinstance(value, Mapping):
        return {name: _scrubbed(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_scrubbed(inner) for inner in value]
    return value


def _rewrite_junit(path: Path) -> None:
    try:
        xml = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise AssayError(
            f"{path.name}: expected the JUnit file of this run, found none; run pytest with its "
            "junitxml plugin (no `-p no:junitxml`)"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise AssayError(f"{path.name}: cannot be read: {error}") from error
    _replace(path, scrub_junit(xml))


def _replace(path: Path, text: str) -> None:
    """Write beside the file and rename, so that no reader ever sees a part of it."""
    scratch = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        with scratch.open("w", encoding="utf-8", newline="\n") as handle:
            handle.write(text)
            handle.flush()
            os.fsync(handle.fileno())
        os.replace(scratch, path)
    finally:
        scratch.unlink(missing_ok=True)


def _point(link: Path, name: str) -> None:
    scratch = link.with_name(f".{link.name}.{secrets.token_hex(4)}.tmp")
    note = link.with_name(f"{link.name}.txt")
    try:
        scratch.symlink_to(name, target_is_directory=True)
    except (OSError, NotImplementedError):
        _replace(note, name + "\n")
        return
    try:
        os.replace(scratch, link)
    except OSError:
        scratch.unlink()
        raise
    note.unlink(missing_ok=True)


__all__ = ["write_reports"]
