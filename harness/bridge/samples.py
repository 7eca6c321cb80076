"""lmms-eval's log of samples, one JSON object a line, as rows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness import ids
from harness.bridge.faults import BridgeError
from harness.bridge.rows import Row, check_rows

_LARGEST_BYTES = 1 << 31
_HASH_DIGITS = 12
_OWN = frozenset(
    """
    doc_id target filtered_resps resps token_counts doc_hash input doc arguments target_hash
    prompt_hash stats repeats reasoning per_sample_metrics
    """.split()  # noqa: SIM905
)


def samples_files(results: Path) -> dict[str, Path]:
    """The samples that were written with a results file, by task.

    Parameters
    ----------
    results : `STAMP_results.json`; its samples are `STAMP_samples_TASK.jsonl` beside it.
    """
    start = results.name.removesuffix("results.json") + "samples_"
    found = sorted(results.parent.glob("*.jsonl"))
    return {p.name[len(start) : -len(".jsonl")]: p for p in found if p.name.startswith(start)}


def read_samples(path: Path, task: str, *, score: str = "") -> tuple[Row, ...]:
    """Read the samples of one task.

    Parameters
    ----------
    path : JSON lines as `--log_samples` writes them.
    task : part of every id.
    score : the metric that says whether a sample is right; "" takes the only one there is, and
        none where there are several.

    Returns
    -------
    tuple of Row
        In the order of the file. An id is `TASK:DOC_ID:HASH`, where HASH is the start of the
        SHA-256 of question and target: `doc_hash` was found equal for all documents of a task
        with pictures, and a `doc_id` alone is only a place in a file, which another version of
        the data set may fill with another document. Several replies to one document become
        replicates. NaN and infinity in a metric count as no score.

    Raises
    ------
    BridgeError
        With the line: for what is no JSON object, lacks `doc_id`, `target` or a reply in words,
        and for a metric `score` that is not there; and when a document stands twice.
    """
    if path.stat().st_size > _LARGEST_BYTES:
        raise BridgeError(f"{path.name}: expected at most 2 GiB, found {path.stat().st_size} B")
    rows: list[Row] = []
    seen: dict[str, int] = {}
    with open(path, "rb") as handle:
        for number, line in enumerate(handle, 1):
            where = f"{path.name}:{number}"
            value = _object(line, where)
            for row in _rows(value, task, score, where):
                first = seen.setdefault(f"{row.id}\0{row.replicate}", number)
                if first != number:
                    raise BridgeError(
                        f"{where}: document {value['doc_id']!r} stands already in line {first}"
                    )
                rows.append(row)
    return check_rows(rows, path.name)


def scores_in(path: Path) -> tuple[str, ...]:
    """The names of the metrics that the first sample carries."""
    with open(path, "rb") as handle:
        line = handle.readline()
    return _score_names(_object(line, f"{path.name}:1"))


def _object(line: bytes, where: str) -> dict[str, Any]:
    try:
        value = json.loads(line, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise BridgeError(f"{where}: expected one JSON object, found {line[:60]!r}")
    return value


def _rows(value: Mapping[str, Any], task: str, score: str, where: str) -> list[Row]:
    doc_id, target, question = value.get("doc_id"), value.get("target"), value.get("input", "")
    if isinstance(doc_id, bool) or not isinstance(doc_id, int | str):
        raise BridgeError(f"{where}: expected a number or text as doc_id, found {doc_id!r:.40}")
    if target is None:
        raise BridgeError(f"{where}: expected a target, found none")
    asked, gold = _text(question), _text(target)
    short = hashlib.sha256(ids.canonical_json([asked, gold]).encode("ascii")).hexdigest()
    name = f"{task}:{doc_id}:{short[:_HASH_DIGITS]}"
    replies = _replies(value, where)
    if not replies:
        raise BridgeError(f"{where}: expected a reply under resps or filtered_resps, found none")
    theirs = _theirs(value, score, where)
    counts = _token_counts(value.get("token_counts"))
    return [
        Row(
            id=name,
            task=task,
            question=asked,
            gold=gold,
            text=reply,
            status="ok" if reply is not None else "error",
            error=None if reply is not None else "lmms-eval stored no text",
            n_tokens=counts[place] if place < len(counts) else None,
            theirs=theirs,
            replicate=place,
        )
        for place, reply in enumerate(replies)
    ]


def _replies(value: Mapping[str, Any], where: str) -> list[str | None]:
    """The raw replies; `resps` is left out where filtering changed nothing."""
    given = value.get("resps", value.get("filtered_resps"))
    while isinstance(given, list) and len(given) == 1 and isinstance(given[0], list):
        given = given[0]
    if given is None:
        return []
    listed = given if isinstance(given, list) else [given]
    if not all(isinstance(reply, str | None) for reply in listed):
        raise BridgeError(
            f"{where}: expected replies that are texts, found {str(listed)[:60]}; a task of "
            "likelihoods has no text to score"
        )
    return listed


def _theirs(value: Mapping[str, Any], score: str, where: str) -> float | None:
    names = _score_names(value)
    if score and score not in names:
        raise BridgeError(
            f"{where}: expected the metric {score!r}, found {', '.join(names) or 'none'}"
        )
    if not score and len(names) != 1:
        return None
    found = value[score or names[0]]
    return float(found)


def _score_names(value: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(sorted(k for k, v in value.items() if k not in _OWN and _is_number(v)))


def _is_number(value: Any) -> bool:
    return isinstance(value, bool | int | float)


def _token_counts(value: Any) -> list[int | None]:
    listed = value if isinstance(value, list) else [value]
    while len(listed) == 1 and isinstance(listed[0], list):
        listed = listed[0]
    found = [v.get("output_tokens") if isinstance(v, dict) else v for v in listed]
    return [v if type(v) is int else None for v in found]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ids.canonical_json(value)


__all__ = ["read_samples", "samples_files", "scores_in"]
