"""Inspect's logs (.json, .eval) as rows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from harness.bridge.archives import LARGEST_MEMBER_BYTES, archive
from harness.bridge.faults import BridgeError
from harness.bridge.rows import Row, check_rows
from harness.types import Status

_GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
_STOPPED: dict[str, Status] = {
    "max_tokens": "truncated",
    "model_length": "truncated",
    "content_filter": "refused",
}


def read_inspect(path: Path, *, scorer: str = "") -> tuple[Row, ...]:
    """Read the samples of a finished log.

    Parameters
    ----------
    path : .json, or the zip file .eval, which is read in memory.
    scorer : whose score is `theirs`; "" takes the only one there is, and none among several.

    Returns
    -------
    tuple of Row
        Ids are `TASK:SAMPLE_ID`; epochs become replicates from 0. A grade of C, P, I or N is 1,
        0.5, 0 or 0. Several accepted targets are joined by " | ".

    Raises
    ------
    BridgeError
        For another format, a damaged or oversized file, a log that is not finished, fewer or
        more samples than its header counts, a sample without the fields that are read, or an
        unknown scorer.
    """
    match path.suffix.lower():
        case ".eval":
            header, samples = _of_archive(path)
        case ".json":
            header = _of_json(path)
            samples = header.get("samples") or []
        case suffix:
            raise BridgeError(f"{path.name}: expected .json or .eval, found {suffix!r}")
    status = header.get("status")
    if status != "success":
        raise BridgeError(f"{path.name}: expected a log of status success, found {status!r:.40}")
    task = str(_mapping(header.get("eval")).get("task") or "inspect").rpartition("/")[2]
    rows = [_row(sample, task, scorer, path.name) for sample in samples]
    counted = _mapping(header.get("results")).get("completed_samples")
    if type(counted) is int and counted != len(rows):
        raise BridgeError(f"{path.name}: expected {counted} samples, found {len(rows)}")
    return check_rows(rows, path.name)


def _of_archive(path: Path) -> tuple[dict[str, Any], list[Any]]:
    with archive(path) as opened:
        if "header.json" not in opened.names:
            raise BridgeError(
                f"{path.name}: expected header.json, found none: the run was not finished"
            )
        header = _object(opened.read("header.json"), f"{path.name}: header.json")
        members = [n for n in opened.names if n.startswith("samples/") and n.endswith(".json")]
        samples = [_object(opened.read(n), f"{path.name}: {n}") for n in sorted(members)]
    samples.sort(key=lambda s: (str(s.get("id")).zfill(20), s.get("epoch") or 0))
    return header, samples


def _of_json(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > LARGEST_MEMBER_BYTES:
            raise BridgeError(f"{path.name}: expected at most {LARGEST_MEMBER_BYTES >> 20} MiB")
        return _object(path.read_bytes(), path.name)
    except OSError as error:
        raise BridgeError(f"{path.name}: cannot be read: {error.strerror}") from error


def _object(data: bytes, where: str) -> dict[str, Any]:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BridgeError(f"{where}: expected whole JSON: {error}") from error
    if not isinstance(value, dict):
        raise BridgeError(f"{where}: expected an object")
    return value


def _row(sample: Any, task: str, scorer: str, where: str) -> Row:
    if not isinstance(sample, dict) or not isinstance(sample.get("id"), str | int):
        raise BridgeError(f"{where}: expected samples with an id, found {str(sample)[:60]!r}")
    name, target = f"{task}:{sample['id']}", sample.get("target")
    if not isinstance(target, str | list) or not target:
        raise BridgeError(f"{where}: {name}: expected a target, found {target!r:.40}")
    output = _mapping(sample.get("output"))
    choices = output.get("choices") or []
    first = _mapping(choices[0]) if isinstance(choices, list) and choices else {}
    text = output.get("completion")
    if not isinstance(text, str):
        text = _said(_mapping(first.get("message")).get("content")) if first else None
    error = _mapping(sample.get("error")).get("message") or output.get("error")
    failed = error is not None or text is None
    return Row(
        id=name,
        task=task,
        question=_asked(sample.get("input")),
        gold=target if isinstance(target, str) else " | ".join(map(str, target)),
        choices=tuple(map(str, sample.get("choices") or ())),
        text=None if failed else text,
        status="error" if failed else _STOPPED.get(str(first.get("stop_reason")), "ok"),
        error=str(error or "no output was stored")[:500] if failed else None,
        n_tokens=_tokens(output),
        theirs=_score(_mapping(sample.get("scores")), scorer, f"{where}: {name}"),
        replicate=max(0, int(sample.get("epoch") or 1) - 1),
    )


def _said(content: Any) -> str:
    """The text parts of a message; pictures and the like are left out."""
    if isinstance(content, str):
        return content
    parts: Iterable[Any] = content if isinstance(content, list) else ()
    return "\n".join(
        str(part.get("text", ""))
        for part in parts
        if isinstance(part, dict) and part.get("type") == "text"
    )


def _asked(given: Any) -> str:
    if isinstance(given, str):
        return given
    messages = given if isinstance(given, list) else []
    asked = [m for m in messages if isinstance(m, dict) and m.get("role") == "user"]
    return "\n".join(_said(message.get("content")) for message in asked)


def _tokens(output: Mapping[str, Any]) -> int | None:
    found = _mapping(output.get("usage")).get("output_tokens")
    return found if type(found) is int else None


def _score(scores: Mapping[str, Any], scorer: str, where: str) -> float | None:
    if scorer and scores and scorer not in scores:
        raise BridgeError(f"{where}: expected the scorer {scorer!r}, found {', '.join(scores)}")
    if not scores or (not scorer and len(scores) != 1):
        return None
    value = _mapping(scores[scorer or next(iter(scores))]).get("value")
    if isinstance(value, str):
        return _GRADES.get(value)
    return float(value) if isinstance(value, bool | int | float) else None


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


__all__ = ["read_inspect"]
