"""What the rows of a prediction file were asked with, and the sidecar that says so."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness import ids
from harness.errors import StoreError
from harness.identity import differing
from harness.provenance import scrub
from harness.segments import write_atomically

SCHEMA_VERSION = 1
_SUFFIX = ".metadata.json"
_BOUND = ("model_id", "model_revision", "seed", "data", "view", "prompt", "decoding", "compute")
_SHOWN = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """All that a file's rows have in common; the mappings hold JSON values only.

    Attributes
    ----------
    model_id, model_revision : as they stand in every row.
    seed : of the run; 0 where nothing is drawn.
    data : name, split and fingerprint of the data set.
    view, prompt, decoding : how a question was shown, put and answered.
    compute : whatever else can change an answer, such as dtype and attention.
    """

    model_id: str
    model_revision: str
    seed: int
    data: Mapping[str, Any]
    prompt: Mapping[str, Any]
    decoding: Mapping[str, Any]
    view: Mapping[str, Any]
    compute: Mapping[str, Any]

    @property
    def bound(self) -> dict[str, Any]:
        """What has to agree before a file is continued."""
        return {name: ids.plain(getattr(self, name)) for name in _BOUND}

    @property
    def sha256(self) -> str:
        """Of all of it: equal for two files whose rows may stand in one."""
        return ids.digest(self.bound)


def sidecar_path(path: Path) -> Path:
    """Where the metadata of a prediction file lie: beside it, as NAME.metadata.json."""
    return path.with_name(path.name + _SUFFIX)


def write_sidecar(path: Path, asked: Asked, about: Mapping[str, Any]) -> None:
    """Write the metadata of a prediction file, whole or not at all.

    Parameters
    ----------
    path : the prediction file; only its base name is kept.
    asked : what a continuation has to agree with.
    about : further JSON values (counts, seconds, device); absolute paths and names of hosts
        and users are taken out of their texts.

    Raises
    ------
    StoreError
        When it cannot be written.
    """
    document = {
        **_scrubbed(ids.plain(dict(about))),
        "schema_version": SCHEMA_VERSION,
        "file": path.name,
        "asked": asked.bound,
        "asked_sha256": asked.sha256,
    }
    write_atomically(sidecar_path(path), json.dumps(document, indent=1, sort_keys=True) + "\n")


def read_sidecar(path: Path) -> dict[str, Any] | None:
    """Read the metadata beside a prediction file; None where there are none.

    Raises
    ------
    StoreError
        For a sidecar that is no JSON object, of another schema version, or whose `asked` is not
        what its digest was made of.
    """
    place = sidecar_path(path)
    try:
        document = json.loads(place.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        raise StoreError(
            f"{place.name}: expected the metadata of {path.name} as JSON, found none "
            f"({type(error).__name__}); restore it, or write to another file"
        ) from None
    found = document.get("schema_version") if isinstance(document, dict) else None
    if found != SCHEMA_VERSION:
        raise StoreError(
            f"{place.name}: expected schema_version {SCHEMA_VERSION}, found {found!r}; write to "
            "another file"
        )
    asked = document.get("asked")
    if not isinstance(asked, dict) or ids.digest(asked) != document.get("asked_sha256"):
        raise StoreError(
            f"{place.name}: expected what was asked under `asked` with its digest, found another "
            "one; the file was changed: restore it"
        )
    return dict(document)


def refuse_other(path: Path, sidecar: Mapping[str, Any], asked: Asked) -> None:
    """Refuse to continue a file whose rows were asked otherwise.

    Raises
    ------
    StoreError
        Naming every field that differs, with both values.
    """
    names = differing(sidecar["asked"], asked.bound)
    if names:
        lines = [
            f"  {name}: the file has {_shown(sidecar['asked'], name)}, this run "
            f"{_shown(asked.bound, name)}"
            for name in names
        ]
        raise StoreError(
            f"{path.name}: its rows were asked otherwise, so it cannot be continued; write to "
            "another file\n" + "\n".join(lines)
        )


def _shown(tree: Mapping[str, Any], name: str) -> str:
    value: Any = tree
    for part in name.split("."):
        if not isinstance(value, Mapping) or part not in value:
            return "nothing"
        value = value[part]
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _scrubbed(value: Any) -> Any:
    if isinstance(value, str):
        return scrub(value)
    if isinstance(value, dict):
        return {key: _scrubbed(inner) for key, inner in value.items()}
    return [_scrubbed(inner) for inner in value] if isinstance(value, list) else value


__all__ = [
    "SCHEMA_VERSION",
    "Asked",
    "read_sidecar",
    "refuse_other",
    "sidecar_path",
    "write_sidecar",
]
