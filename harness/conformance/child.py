"""A scorer or the statistics in a child process, asked one question at a time, killed when late."""

from __future__ import annotations

import contextlib
import faulthandler
import importlib
import json
import os
import resource
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness.errors import AssayError

_ROOT = Path(__file__).resolve().parents[2]
# Isolated from the folder it is started in, where a file may be named like a library.
_CODE = """import sys
sys.path.insert(0, sys.argv[1])
from harness.conformance.child import serve
serve(*sys.argv[2:])"""
_START_LIMIT_S = 120.0
_ORPHAN_LIMIT_S = 300.0
_SLOW_S = 0.2
_STATISTICS_MEMORY = 8 << 30
_LIBRARIES = ("numpy", "scipy.optimize", "scipy.special", "scipy.stats")
_WARM_UP: tuple[tuple[str, str, tuple[str, ...], str], ...] = (
    ("choice", "Answer: A", ("red", "blue"), "A"),
    ("yesno", "Yes.", (), "yes"),
    ("number", "Answer: 3 km", (), "3000 m"),
    ("expression", r"\boxed{\sin^2(x) + \cos^2(x)}", (), "1"),
    ("text", "Answer: red", (), "red"),
)


class GradingChild:
    """This package behind a pipe; a context manager that ends the child.

    The child is started on the first question and replaced after it was killed or died. It
    has been used once for each kind, or has imported what it needs, before a question's time
    begins to run.

    Parameters
    ----------
    serves : `scorer` or `statistics`.
    """

    def __init__(self, serves: str = "scorer") -> None:
        self._serves = serves
        self._process: subprocess.Popen[bytes] | None = None
        self._buffer = b""

    def __enter__(self) -> GradingChild:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def ask(self, question: Mapping[str, Any], limit_s: float) -> dict[str, Any]:
        """Have one text read or graded, or one statistic computed.

        Parameters
        ----------
        question : kind, text, choices, and for a grade gold and exact. Without a gold the text
            is only read. For a statistic function and input.
        limit_s : seconds, from sending the question.

        Returns
        -------
        dict
            value and rule; for a grade outcome, correct and compared too. For a statistic
            value, or refused (the reason) and message. Or `error` alone, where the child
            raised, died or took longer.

        Raises
        ------
        AssayError
            When the child cannot be started at all.
        """
        self._start()
        line = json.dumps(question).encode("ascii") + b"\n"
        assert self._process is not None and self._process.stdin is not None
        deadline = time.monotonic() + limit_s
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
            answer = self._line(deadline)
        except (EOFError, OSError):
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(0.5)
            return {"error": f"a {self._name} that died ({self._end()})"}
        if answer is None:
            self._end()
            return {"error": f"that it took longer than {limit_s:g} s"}
        return answer

    @property
    def _name(self) -> str:
        return "scorer" if self._serves == "scorer" else "process"

    def _start(self) -> None:
        """Wait until the child, made where there is none, says that it is ready."""
        if self._process is not None and self._process.poll() is not None:
            # Its last "ready" may still be in the pipe.
            self._end()
        fresh = self._process is None
        if self._process is None:
            self._buffer = b""
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _CODE, str(_ROOT), self._serves],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        try:
            said = self._line(time.monotonic() + _START_LIMIT_S)
        except (EOFError, OSError):
            said = None
        if said == {"ready": True}:
            return
        how = self._end()
        if not fresh:
            # It died between two questions, which is no fault of the next one.
            self._start()
            return
        reason = said["error"] if said and "error" in said else how
        raise AssayError(f"the {self._name} cannot be started: {reason}")

    def _line(self, deadline: float) -> dict[str, Any] | None:
        """The child's next line; None at the deadline, `EOFError` when it is gone."""
        assert self._process is not None and self._process.stdout is not None
        handle = self._process.stdout.fileno()
        while b"\n" not in self._buffer:
            left_s = deadline - time.monotonic()
            if left_s <= 0 or not select.select([handle], [], [], left_s)[0]:
                return None
            more = os.read(handle, 1 << 16)
            if not more:
                raise EOFError
            self._buffer += more
        line, _, self._buffer = self._buffer.partition(b"\n")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _end(self) -> str:
        """Kill the child, whose own children end with its pipes; says how it had ended."""
        process, self._process = self._process, None
        if process is None:
            return ""
        if process.poll() is None:
            with contextlib.suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        status = process.wait()
        return f"signal {-status}" if status < 0 else f"exit status {status}"


def serve(serves: str = "scorer") -> None:
    """The child's side: questions on standard input, answers on standard output, as lines."""
    warm_up, answered = (
        (_warm_up, _answer) if serves == "scorer" else (_load_statistics, _statistic)
    )
    # Whatever a library prints must not be taken for an answer.
    out = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)

    def say(value: Mapping[str, Any]) -> None:
        out.write(json.dumps(value) + "\n")
        out.flush()

    try:
        warm_up()
    except ImportError as error:
        say({"error": f"{type(error).__name__}: {error}"})
        return
    say({"ready": True})
    for line in sys.stdin.buffer:
        # The parent kills a late child; this is for a child whose parent was killed itself.
        faulthandler.dump_traceback_later(_ORPHAN_LIMIT_S, exit=True)
        started_s = time.monotonic()
        try:
            answer = answered(json.loads(line))
        except Exception as error:  # noqa: BLE001
            answer = {"error": f"{type(error).__name__}: {error}"[:500]}
        say(answer)
        if time.monotonic() - started_s > _SLOW_S:
            # A worker of the scorer's own may have been replaced, which takes its time.
            warm_up()
        faulthandler.cancel_dump_traceback_later()
        say({"ready": True})


def _answer(question: Mapping[str, Any]) -> dict[str, Any]:
    from harness.scoring import extract, grade

    kind, text, choices = question["kind"], question["text"], tuple(question["choices"])
    if "gold" not in question:
        answer = extract(kind, text, choices)
        return {"value": answer.value, "rule": answer.rule}
    score = grade(kind, text, choices, question["gold"], exact=question["exact"])
    return {
        "value": score.answer.value,
        "rule": score.answer.rule,
        "outcome": score.outcome,
        "correct": score.correct,
        "compared": score.compared,
    }


def _statistic(question: Mapping[str, Any]) -> dict[str, Any]:
    from harness.conformance.statistics import computed
    from harness.stats.checks import StatisticsError

    try:
        return {"value": computed(question["function"], question["input"])}
    except StatisticsError as error:
        return {"refused": error.reason, "message": str(error)[:500]}


def _load_statistics() -> None:
    """Import what the statistics need, and hold the child to an amount of memory.

    A library that is not installed fails the cases that need it, with its own message.
    """
    # Each thread of a library takes address space, which is what is limited.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    import harness.conformance.statistics  # noqa: F401

    for name in _LIBRARIES:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    limit = _STATISTICS_MEMORY if hard == resource.RLIM_INFINITY else min(hard, _STATISTICS_MEMORY)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


def _warm_up() -> None:
    from harness.scoring import grade

    for kind, text, choices, gold in _WARM_UP:
        # A kind that fails here fails each of its cases, with its own message.
        with contextlib.suppress(Exception):
            grade(kind, text, choices, gold)


__all__ = ["GradingChild", "serve"]
