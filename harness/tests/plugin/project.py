"""A small project in a temporary folder: an experiment, a study of fake models, the plugin."""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

_ROOT = Path(__file__).parents[3]
# Plugins of the development environment that a project of a user would not load.
_WITHOUT = [p for name in ("hypothesispytest", "benchmark", "anyio") for p in ("-p", f"no:{name}")]


@cache
def _server() -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "harness.tests.plugin.pytest_server"],
        cwd=_ROOT,
        env={name: value for name, value in os.environ.items() if "PYTEST" not in name}
        | {"PYTHONPATH": str(_ROOT), "CUDA_VISIBLE_DEVICES": ""},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(process.communicate)
    return process


def _ask(job: dict[str, Any]) -> int | None:
    process = _server()
    assert process.stdin is not None and process.stdout is not None
    print(json.dumps(job), file=process.stdin, flush=True)
    status = json.loads(process.stdout.readline())
    assert status is None or isinstance(status, int)
    return status


STUDY = """
[study]
name = "tiny"
seed = 1
[tiers.canary]
n = 24
[tiers.full]
n = 36
[experiments.visual-shapes]
data = ["visual-shapes"]
prompts = ["word"]
[models.good.source]
kind = "fake"
behaviour = "gold"
[data.visual-shapes]
reader = "visual-shapes"
split = "test"
[prompts]
word = "{question}"
[decoding]
max_new_tokens = 8
batch_sizes = [8, 4, 1]
[gates]
level = 0.95
min_parse_rate = 0.95
max_infrastructure_share = 0.0
batch_invariance_n = 8
batch_invariance_size = 4
"""


class Project:
    """Runs pytest in a subprocess with this repository's plugin and settings."""

    def __init__(self, pytester: pytest.Pytester) -> None:
        self.pytester = pytester
        self.path = pytester.path
        pytester.makeini((_ROOT / "pytest.ini").read_text().replace("harness/tests evals", "evals"))
        pytester.makeconftest('pytest_plugins = ["harness.plugin"]')
        source = (_ROOT / "evals/protocol/test_visual_shapes.py").read_text()
        self.write("evals/test_visual_shapes.py", source)
        self.study(STUDY)

    def write(self, name: str, text: str) -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def study(self, text: str) -> Path:
        return self.write("evals/studies/mini.toml", text)

    def model(self, behaviour: str, **options: Any) -> None:
        """Replace the study's model by another fake."""
        lines = "".join(f"{k} = {json.dumps(v)}\n" for k, v in options.items())
        self.study(STUDY.replace('behaviour = "gold"\n', f'behaviour = "{behaviour}"\n{lines}'))

    @contextmanager
    def environment(self, **extra: str) -> Iterator[None]:
        """This repository importable, no trace of an outer pytest."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PYTHONPATH", f"{_ROOT}:{self.path}")
            # Fake models need no device, and counting them would import torch.
            patch.setenv("CUDA_VISIBLE_DEVICES", "")
            for name in ("PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT"):
                patch.delenv(name, raising=False)
            for name, value in extra.items():
                patch.setenv(name, value)
            yield

    def command(self, *args: str) -> list[str]:
        return [sys.executable, "-m", "pytest", "--color=no", *_WITHOUT, *args]

    def run(self, *args: str, timeout_s: float = 120.0, **environment: str) -> pytest.RunResult:
        """As `python -m pytest *args`; a fork of a warm process, unless Python itself is set up."""
        with self.environment(**environment):
            if any(name.startswith("PYTHON") for name in environment):
                return self.pytester.run(*self.command(*args), timeout=timeout_s)
            return self.fork(self.command(*args)[3:], timeout_s)

    def fork(self, args: list[str], timeout_s: float) -> pytest.RunResult:
        out, err = self.path / "stdout", self.path / "stderr"
        job = {
            "args": args,
            "cwd": os.getcwd(),
            "env": dict(os.environ),
            "out": str(out),
            "err": str(err),
            "timeout_s": timeout_s,
        }
        start = time.monotonic()
        status = _ask(job)
        if status is None:
            raise self.pytester.TimeoutExpired(f"{timeout_s} s: {args}")
        said, complained = (p.read_text("utf-8", "replace").splitlines() for p in (out, err))
        print("\n".join(said), "\n".join(complained), sep="\n")
        return pytest.RunResult(status, said, complained, time.monotonic() - start)

    def kill(self, n_records: int, *args: str) -> None:
        """Start a run; SIGKILL it with all its workers once so many records are stored."""
        with self.environment():
            process = subprocess.Popen(
                self.command(*args),
                cwd=self.path,
                start_new_session=True,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        deadline = time.monotonic() + 60
        while self.n_records() < n_records and time.monotonic() < deadline:
            assert process.poll() is None, "the run ended before it could be killed"
            time.sleep(0.005)
        os.killpg(process.pid, signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL

    def n_records(self) -> int:
        paths = (self.path / "reports/runs").glob("*/responses/*.jsonl")
        return sum(path.read_bytes().count(b"\n") for path in paths)

    @property
    def latest(self) -> Path:
        return self.path / "reports" / "latest"

    def metrics(self) -> dict[str, Any]:
        value = json.loads((self.latest / "metrics.json").read_text(encoding="utf-8"))
        assert isinstance(value, dict)
        return value

    def records(self) -> dict[str, list[str]]:
        """Sorted record lines by cell key."""
        found: dict[str, list[str]] = {}
        for path in sorted((self.path / "reports/runs").glob("*/responses/*.jsonl")):
            lines = path.read_text(encoding="utf-8").splitlines()
            found.setdefault(path.parts[-3], []).extend(lines)
        return {key: sorted(lines) for key, lines in found.items()}
