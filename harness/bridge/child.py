"""The other harness as a child process: a time limit, a log, and repairs that travel with it."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.bridge import injected
from harness.bridge.faults import BridgeError

_GRACE_S = 5.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Ended:
    """How a child ended: its status (negative: a signal) and what it took.

    `records` are the lines that the injected module wrote: versions, then repairs.
    """

    exit_status: int
    seconds: float
    timed_out: bool
    records: tuple[Mapping[str, Any], ...]


def run_child(
    argv: Sequence[str],
    folder: Path,
    *,
    timeout_s: float,
    offline: bool,
    repairs: bool,
    environment: Mapping[str, str],
) -> Ended:
    """Run a command in a process group of its own and wait for all of it to end.

    Parameters
    ----------
    argv : the command; no shell reads it.
    folder : an existing folder for the log, the record of repairs and the injected module.
    timeout_s : seconds until the whole group is killed.
    offline : forbid the hub and data set libraries to use the network.
    repairs : whether the injected module may repair the adapter; it records versions always.
    environment : of the child, before what is added here.

    Raises
    ------
    BridgeError
        When the command cannot be started.
    """
    injection = folder / "injected"
    injection.mkdir()
    shutil.copyfile(str(injected.__file__), injection / "sitecustomize.py")
    record = folder / "record.jsonl"
    child = dict(environment)
    later = [child["PYTHONPATH"]] if child.get("PYTHONPATH") else []
    child["PYTHONPATH"] = os.pathsep.join([str(injection), *later])
    child[injected.RECORD] = str(record)
    child.pop(injected.OFF, None)
    if not repairs:
        child[injected.OFF] = "1"
    if offline:
        child |= {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "WANDB_MODE": "disabled"}
    began = time.monotonic()
    timed_out = False
    try:
        with open(folder / "log.txt", "wb") as handle:
            process = subprocess.Popen(
                list(argv),
                stdin=subprocess.DEVNULL,
                stdout=handle,
                stderr=subprocess.STDOUT,
                env=child,
                start_new_session=True,
            )
    except OSError as error:
        raise BridgeError(
            f"cannot start {Path(argv[0]).name}: {error.strerror}; name the interpreter of the "
            "environment that holds lmms-eval with --python"
        ) from error
    try:
        status = process.wait(timeout_s)
    except subprocess.TimeoutExpired:
        timed_out = True
        _end(process)
        status = process.wait()
    except BaseException:
        _end(process)
        raise
    finally:
        _kill(process.pid, signal.SIGKILL)
    return Ended(
        exit_status=status,
        seconds=time.monotonic() - began,
        timed_out=timed_out,
        records=tuple(_records(record)),
    )


def _end(process: subprocess.Popen[bytes]) -> None:
    _kill(process.pid, signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE_S)
    _kill(process.pid, signal.SIGKILL)


def _kill(group: int, with_signal: signal.Signals) -> None:
    with contextlib.suppress(OSError):
        os.killpg(group, with_signal)


def _records(path: Path) -> list[Mapping[str, Any]]:
    if not path.is_file():
        return []
    found: dict[str, Mapping[str, Any]] = {}
    for line in path.read_text(encoding="ascii").splitlines():
        with contextlib.suppress(ValueError):
            found.setdefault(line, json.loads(line))
    return list(found.values())


__all__ = ["Ended", "run_child"]
