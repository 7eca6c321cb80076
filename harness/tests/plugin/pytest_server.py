"""Forks a process for every job on standard input that runs pytest, its imports already there.

A job is {"args", "cwd", "env", "out", "err", "timeout_s"}, answered by its exit status, or null
where it took too long. Only what the plugin itself imports stays for the run to load, because
pytest rewrites the plugin's asserts while it loads it.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import sys
from importlib import import_module
from typing import Any, NoReturn

import pytest

_MODULES = (
    *("harness.data.load", "harness.data.visual_shapes", "harness.gates.plan"),
    *("harness.models.fake", "harness.report.write", "harness.run", "harness.study"),
    *("harness.scoring", "harness.scoring.oracle", "PIL.Image", "jsonschema", "numpy"),
)


def work(job: dict[str, Any]) -> NoReturn:
    for descriptor, path, flags in (
        (0, os.devnull, os.O_RDONLY),
        (1, job["out"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
        (2, job["err"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
    ):
        os.dup2(os.open(path, flags, 0o600), descriptor)
    os.environ.clear()
    os.environ.update(job["env"])
    os.chdir(job["cwd"])
    sys.path[0] = job["cwd"]
    sys.argv = [os.path.join(os.path.dirname(pytest.__file__), "__main__.py"), *job["args"]]
    raise SystemExit(pytest.main())


def finished(process: int, timeout_s: float) -> int | None:
    descriptor = os.pidfd_open(process)
    try:
        late = not select.select([descriptor], [], [], timeout_s)[0]
    finally:
        os.close(descriptor)
    if late:
        os.kill(process, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    return None if late else status


def main() -> None:
    for name in _MODULES:
        import_module(name)
    gc.freeze()
    for line in sys.stdin:
        job = json.loads(line)
        process = os.fork()
        if process == 0:
            work(job)
        print(json.dumps(finished(process, job["timeout_s"])), flush=True)


if __name__ == "__main__":
    main()
