"""One run of lmms-eval from request to summary: only a results file counts as success."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness import ids
from harness.bridge.child import Ended, run_child
from harness.bridge.cleaning import clean_log, clean_results, clean_samples, cleaned
from harness.bridge.faults import BridgeError
from harness.bridge.request import LmmsRequest, known_folders
from harness.bridge.results import newest_results, read_results, task_entries
from harness.bridge.samples import samples_files
from harness.bridge.summary import summary
from harness.errors import AssayError
from harness.segments import write_atomically
from harness.types import ModelSpec

TIMEOUT_S = 86_400.0
_SHOWN_LINES = 8


def run_lmms_eval(
    request: LmmsRequest,
    out: Path,
    *,
    python: str = sys.executable,
    timeout_s: float = TIMEOUT_S,
    offline: bool = True,
    repairs: bool = True,
    dry_run: bool = False,
    environment: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Run lmms-eval and summarise what it has left.

    Parameters
    ----------
    request : what to run.
    out : folder for request.json, log.txt, results.json, samples_TASK.jsonl and summary.json,
        made where it is missing; a failed run is repeated in it, a finished one is not.
    python : interpreter of the environment that holds lmms-eval.
    timeout_s : seconds, above 0, after which the process and its children are killed.
    offline : keep the hub and data set libraries off the network.
    repairs : let the injected module repair the generic adapter; what it did is recorded.
    dry_run : write request.json and start nothing.
    environment : of the child; None takes this process's own.

    Returns
    -------
    dict
        The summary, or the request of a dry run. No absolute path is in it or in any file that
        is kept: lmms-eval writes into a folder that is emptied into cleaned copies and removed.

    Raises
    ------
    BridgeError
        When no results file appeared, whatever the exit status; when one is there but the time
        was up, the status is not 0, or a task, its metrics or its samples are missing. The
        cleaned files and failure.json stay, and no summary.json.
    """
    if not timeout_s > 0:
        raise BridgeError(f"time limit: expected more than 0 s, found {timeout_s}")
    out.mkdir(parents=True, exist_ok=True)
    if (out / "summary.json").exists():
        raise BridgeError(
            f"{out.name}: expected no finished run, found its summary.json; name another folder"
        )
    content = _content(request)
    known = known_folders(request, {"tmp": out})
    asked = {
        "request": request.document(),
        "argv": cleaned(request.argv("python", Path("<tmp>")), known),
        "timeout_s": timeout_s,
        "offline": offline,
        "repairs": repairs,
        "content": content,
        "include_sha256": _tasks_digest(request.include_path),
    }
    _write(out / "request.json", asked)
    if dry_run:
        return asked
    former = [out / name for name in ("results.json", "failure.json", "log.txt")]
    for stale in [*former, *out.glob("samples_*.jsonl")]:
        stale.unlink(missing_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix=".running-", dir=out))
    known |= known_folders(request, {"tmp": scratch / "raw"})
    ended: Ended | None = None
    try:
        ended = run_child(
            request.argv(python, scratch / "raw"),
            scratch,
            timeout_s=timeout_s,
            offline=offline,
            repairs=repairs,
            environment=dict(os.environ if environment is None else environment),
        )
        _keep_log(scratch, out, known)
        made = _collect(request, ended, scratch, out, known, content)
        _write(out / "summary.json", made)
        return made
    except AssayError as error:
        raise BridgeError(_failure(out, ended, cleaned(str(error), known))) from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _collect(
    request: LmmsRequest,
    ended: Ended,
    scratch: Path,
    out: Path,
    known: Mapping[str, str],
    content: Mapping[str, str] | None,
) -> dict[str, Any]:
    path = newest_results(scratch / "raw")
    document = clean_results(read_results(path), known, request.public_model_id)
    _write(out / "results.json", document)
    samples: dict[str, dict[str, Any]] = {}
    for task, source in samples_files(path).items():
        target = out / f"samples_{ids.slug(task)}.jsonl"
        n = clean_samples(source, target, known)
        samples[task] = {"file": target.name, "n": n, "sha256": ids.file_digest(target)}
    if ended.timed_out:
        raise BridgeError("the time was up after a results file was there; it may be a part")
    if ended.exit_status != 0:
        raise BridgeError(f"results are there, but the exit status is {ended.exit_status}")
    tasks = task_entries(document, request.tasks)
    for task, entry in tasks.items():
        stated, logged = entry["n_effective"], samples.get(task, {}).get("n", 0)
        if stated is not None and logged < stated:
            raise BridgeError(
                f"samples of {task}: expected a line for each of {stated} effective examples, "
                f"found {logged}"
            )
    return summary(
        request,
        ended,
        content=content,
        include_sha256=_tasks_digest(request.include_path),
        document=document,
        tasks=tasks,
        samples=samples,
        results_sha256=ids.file_digest(out / "results.json"),
    )


def _keep_log(scratch: Path, out: Path, known: Mapping[str, str]) -> None:
    (out / "log.txt").write_text(clean_log(scratch / "log.txt", known), encoding="utf-8")


def _failure(out: Path, ended: Ended | None, reason: str) -> str:
    facts: dict[str, Any] = {"reason": reason, "exit_status": None, "timed_out": False}
    if ended is None:
        _write(out / "failure.json", facts)
        return reason
    facts |= {"exit_status": ended.exit_status, "timed_out": ended.timed_out}
    _write(out / "failure.json", {**facts, "records": [dict(r) for r in ended.records]})
    log = (out / "log.txt").read_text(encoding="utf-8").splitlines()
    tail = [line for line in log if line.strip()][-_SHOWN_LINES:]
    how = "the time limit" if ended.timed_out else f"exit status {ended.exit_status}"
    return "\n  ".join([f"lmms-eval ({how} after {ended.seconds:.0f} s): {reason}", *tail])


def _content(request: LmmsRequest) -> dict[str, str] | None:
    """Hashes of the model's files, which tell two checkpoints of one name apart."""
    if request.checkpoint is None:
        return None
    from harness.models.fingerprint import content_digests

    source = {"kind": "local", "path": str(request.checkpoint)}
    return content_digests(ModelSpec(name=request.public_model_id, source=source))


def _tasks_digest(folder: Path | None) -> str | None:
    """One's own tasks decide the figures as much as the model does."""
    if folder is None:
        return None
    files = sorted(p for end in ("yaml", "py") for p in folder.rglob(f"*.{end}"))
    return ids.digest([[str(p.relative_to(folder)), ids.file_digest(p)] for p in files])


def _write(path: Path, value: Any) -> None:
    write_atomically(path, json.dumps(value, indent=1, sort_keys=True, allow_nan=False) + "\n")


__all__ = ["TIMEOUT_S", "run_lmms_eval"]
