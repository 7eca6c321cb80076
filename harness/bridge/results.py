"""lmms-eval's results file: which one counts, and what of it can be trusted."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.bridge.faults import BridgeError

_SUFFIX = "_results.json"
_LARGEST_BYTES = 1 << 28


def newest_results(folder: Path, known: Sequence[Path] = ()) -> Path:
    """Find the results file that a run has left.

    Parameters
    ----------
    folder : searched with everything below it.
    known : files that were there before the run, which are no result of it.

    Returns
    -------
    Path
        The newest `*_results.json` by time of change; of equal ones the last by name.

    Raises
    ------
    BridgeError
        When there is none. lmms-eval ends with status 0 after a crash, so nothing else tells.
    """
    found = [path for path in folder.rglob(f"*{_SUFFIX}") if path not in set(known)]
    if not found:
        raise BridgeError(
            f"expected a new *{_SUFFIX} from lmms-eval, found none: the run failed, whatever its "
            "exit status; read the end of its log"
        )
    return max(found, key=lambda path: (path.stat().st_mtime_ns, str(path)))


def read_results(path: Path) -> dict[str, Any]:
    """Read a results file as JSON.

    Raises
    ------
    BridgeError
        For a file that is no JSON object, is larger than 256 MiB, or has no `results`.
    """
    if path.stat().st_size > _LARGEST_BYTES:
        raise BridgeError(f"{path.name}: expected at most 256 MiB, found {path.stat().st_size} B")
    try:
        value = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise BridgeError(
            f"{path.name}: expected JSON, found a file that was cut off or damaged ({error}); "
            "run again"
        ) from error
    if not isinstance(value, dict) or not isinstance(value.get("results"), dict):
        raise BridgeError(f"{path.name}: expected an object with results by task, found none")
    return value


def metrics_of(entry: Mapping[str, Any]) -> dict[str, float]:
    """The scalar metrics of one task, by short names.

    Parameters
    ----------
    entry : lmms-eval's `results[TASK]`, whose keys are metric and filter, "exact_match,none".

    Returns
    -------
    dict
        Sorted by name. A name ends at its first comma; only where two filters share a metric
        does the filter other than "none" stay, in brackets. Texts (the alias, an error of
        "N/A"), lists, truth values, NaN and infinities are no scalars and are left out.

    Examples
    --------
    >>> metrics_of({"alias": "t", "acc,none": 0.5, "acc_stderr,none": "N/A"})
    {'acc': 0.5}
    """
    keys = [key for key, value in entry.items() if _is_scalar(value)]
    short = [key.partition(",")[0] for key in keys]
    found = {}
    for key, name in zip(keys, short, strict=True):
        kept = key.partition(",")[2]
        alone = short.count(name) == 1 or kept in ("", "none")
        found[name if alone else f"{name}[{kept}]"] = entry[key]
    return dict(sorted(found.items()))


def task_entries(document: Mapping[str, Any], asked: Sequence[str]) -> dict[str, dict[str, Any]]:
    """What a results file says of each task.

    Parameters
    ----------
    document : as `read_results` gives it.
    asked : the tasks of the request; a group counts as answered when its own entry is there.

    Returns
    -------
    dict
        version (text, None where not stated), n_original and n_effective (None for a group),
        metrics; by task, sorted.

    Raises
    ------
    BridgeError
        When an asked task has no entry, an entry has no metric, no example was effective, or
        more were effective than there are.
    """
    results = document["results"]
    missing = [task for task in asked if task not in results]
    if missing:
        raise BridgeError(
            f"results: expected an entry for each of {', '.join(asked)}, found none for "
            f"{', '.join(missing)}"
        )
    sizes = _mapping(document.get("n-samples"))
    versions = _mapping(document.get("versions"))
    found = {}
    for task in sorted(results):
        size = _mapping(sizes.get(task))
        n_original, n_effective = _count(size, "original"), _count(size, "effective")
        metrics = metrics_of(_mapping(results[task]))
        in_a_group = any(task in _mapping(document.get(k)) for k in ("groups", "group_subtasks"))
        if not metrics and not (in_a_group and task not in sizes):
            raise BridgeError(f"results of {task}: expected a scalar metric, found none")
        if task in sizes and not n_effective:
            raise BridgeError(f"results of {task}: expected at least one effective example")
        if n_original is not None and n_effective is not None and n_effective > n_original:
            raise BridgeError(
                f"results of {task}: expected at most {n_original} effective examples, found "
                f"{n_effective}"
            )
        version = versions.get(task)
        found[task] = {
            "version": None if version is None else str(version),
            "n_original": n_original,
            "n_effective": n_effective,
            "metrics": metrics,
        }
    return found


def _is_scalar(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and math.isfinite(value)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _count(sizes: Mapping[str, Any], name: str) -> int | None:
    value = sizes.get(name)
    return value if type(value) is int and value >= 0 else None


__all__ = ["metrics_of", "newest_results", "read_results", "task_entries"]
