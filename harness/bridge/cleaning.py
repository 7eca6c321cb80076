"""Taking this machine's paths out of what another harness wrote, before it is kept."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness import ids
from harness.bridge.faults import BridgeError
from harness.provenance import scrub

_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
_COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_LARGEST_LOG_BYTES = 1 << 20
# What a model was asked and said stays as it is, but for folders that the run itself brought in.
_SAID = frozenset({"input", "target", "resps", "filtered_resps"})


def cleaned(value: Any, known: Mapping[str, str], *, said: bool = False) -> Any:
    """A JSON value without absolute paths.

    Parameters
    ----------
    value : as `json.loads` gives it; keys are cleaned like texts.
    known : what to write in place of each folder that the run knows. Longer ones go first.
    said : take out those folders alone. A question or a reply may hold what only looks like a
        path, and a changed reply is no longer the model's.

    Returns
    -------
    Any
        Elsewhere every absolute path is reduced to its base name (`harness.provenance.scrub`),
        and the address of a function in memory, which differs in every run, is cut. NaN and
        infinities become None.

    Examples
    --------
    >>> cleaned({"input_dir": "/secret/place/x"}, {"/secret/place": "<root>"})
    {'input_dir': '<root>/x'}
    """
    match value:
        case str():
            return _text(value, known, said)
        case dict():
            return {_text(k, known, said): cleaned(v, known, said=said) for k, v in value.items()}
        case list():
            return [cleaned(inner, known, said=said) for inner in value]
        case float() if not math.isfinite(value):
            return None
    return value


def clean_results(value: Mapping[str, Any], known: Mapping[str, str], model: str) -> dict[str, Any]:
    """A results file; the model's folder name gives way to its public name `model`."""
    found: dict[str, Any] = cleaned(dict(value), known)
    for key in ("model_name", "model_name_sanitized"):
        if key in found:
            found[key] = model
    return found


def clean_samples(source: Path, target: Path, known: Mapping[str, str]) -> int:
    """Write a cleaned copy of a log of samples, line by line, and count the lines.

    Raises
    ------
    BridgeError
        With the line, for what is no JSON object.
    """
    number = 0
    with open(source, "rb") as lines, open(target, "w", encoding="ascii") as copy:
        for number, line in enumerate(lines, 1):
            try:
                value = json.loads(line)
            except (ValueError, RecursionError):
                value = None
            if not isinstance(value, dict):
                raise BridgeError(
                    f"{source.name}:{number}: expected one JSON object, found {line[:60]!r}"
                )
            kept = {k: cleaned(v, known, said=k in _SAID) for k, v in value.items()}
            copy.write(ids.canonical_json(kept) + "\n")
    return number


def clean_log(source: Path, known: Mapping[str, str]) -> str:
    """The last MiB of a log, without colours and paths."""
    with open(source, "rb") as handle:
        handle.seek(max(0, source.stat().st_size - _LARGEST_LOG_BYTES))
        text = handle.read().decode("utf-8", "replace")
    lines = (line.rpartition("\r")[2] for line in _COLOUR.sub("", text).split("\n"))
    return "\n".join(_text(line, known, False) for line in lines)


def _text(text: str, known: Mapping[str, str], said: bool) -> str:
    for folder in sorted(known, key=len, reverse=True):
        whole = re.escape(folder) + r"(?![\w-]|\.\w)"
        text = re.sub(whole, known[folder].replace("\\", r"\\"), text)
    return text if said else scrub(_ADDRESS.sub("", text))


__all__ = ["clean_log", "clean_results", "clean_samples", "cleaned"]
