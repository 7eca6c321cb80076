"""A question: one model, one data set and one prompt, by content; which of them were answered."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness import ids
from harness.errors import ModelError
from harness.models.fingerprint import content_digests
from harness.types import ModelSpec

_KEY_DIGITS = 32
_FILES = ("weights_sha256", "settings_sha256")


def question(data: str, model: Mapping[str, Any], prompt: str) -> str:
    """The hash of a question.

    Parameters
    ----------
    data : the fingerprint of the data set.
    model : the model's, as `model_fingerprint` gives it.
    prompt : the hash of the template.

    Returns
    -------
    str
        32 hex digits. They know no name, and of a model its content alone: a checkpoint from the
        hub is the one with these files in a folder, whatever libraries read it; an endpoint is
        what it serves, whatever it is called.
    """
    return ids.digest([data, _content(model), prompt])[:_KEY_DIGITS]


def answered(runs: Path) -> set[str]:
    """The questions that a runs folder holds a response to, by their hash.

    A folder that names no question is passed over: the store refuses it where it is read.
    """
    found = set()
    for path in runs.glob("*/cell.json"):
        if not any(p.stat().st_size for p in (path.parent / "responses").glob("*.jsonl")):
            continue
        try:
            cell = json.loads(path.read_text(encoding="utf-8"))
            data, prompt = cell["data"]["fingerprint"], cell["prompt"]["sha256"]
            found.add(question(data, cell["model"]["fingerprint"], prompt))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            continue
    return found


def _content(fingerprint: Mapping[str, Any]) -> dict[str, Any]:
    """What of a model's fingerprint decides what it is: not its libraries, and no name."""
    match fingerprint.get("kind"):
        case "local":
            names: tuple[str, ...] = _FILES
        case "hub":
            source = {name: fingerprint.get(name) for name in ("kind", "id", "revision")}
            try:
                return dict(content_digests(ModelSpec(name=str(source["id"]), source=source)))
            except ModelError:
                return source  # not on this machine: nobody asks it here
        case "endpoint":
            names = ("kind", "model", "revision")
        case _:
            return dict(fingerprint)
    return {name: fingerprint.get(name) for name in names}


__all__ = ["answered", "question"]
