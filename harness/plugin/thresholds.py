"""The gate thresholds of a study as they were when it first ran, kept in the runs folder."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from harness import ids
from harness.errors import StoreError
from harness.study import Study


def _file(study: Study, runs: Path) -> Path:
    return runs / "thresholds" / f"{ids.slug(study.name)}.json"


def freeze(study: Study, runs: Path) -> None:
    """Record what may not change, unless this study has run here before (then the first stays).

    Raises
    ------
    StoreError
        When the runs folder cannot be written.
    """
    path = _file(study, runs)
    if path.exists():
        return
    scratch = path.with_suffix(f".{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        scratch.write_text(ids.canonical_json(study.frozen) + "\n", encoding="ascii")
        try:
            os.link(scratch, path)
        except FileExistsError:
            return
        finally:
            scratch.unlink()
    except OSError as error:
        raise StoreError(
            f"runs folder {runs.name}: expected to write it, found {error.strerror}; name another "
            "by --runs"
        ) from None


def first(study: Study, runs: Path) -> dict[str, Any] | None:
    """The recorded thresholds; None before the first run.

    Raises
    ------
    StoreError
        When the record cannot be read.
    """
    path = _file(study, runs)
    try:
        value = json.loads(path.read_text(encoding="ascii"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        value = f"{type(error).__name__}"
    if not isinstance(value, dict):
        raise StoreError(
            f"thresholds/{path.name}: expected the study's first thresholds as one JSON object, "
            f"found {value!r}; restore the file, or use another runs folder"
        )
    return value
