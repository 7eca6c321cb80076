"""Killable child processes that answer whether two trees are equal."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import queue
import select
import subprocess
import sys
import time
from pathlib import Path

from harness.algebra.tree import Node, to_json
from harness.errors import AssayError

DEADLINE_S = 1.5  # by the clock; the child's own limit is in CPU time
START_S = 60.0
_MAX_QUESTION = 60_000  # below a pipe's buffer: writing never waits
_MAX_REPLY = 1_000
_START = """import json, sys
sys.path[:0] = json.loads(sys.argv[1])
try:
    from harness.algebra.worker import main
    main()
except Exception as error:
    print(ascii(" ".join(f"{type(error).__name__}: {error}".split()))[1:-1][:500], flush=True)
    sys.exit(1)
"""


class Child:
    """One child process, started when it is first asked; replaced after it was late or died.

    Parameters
    ----------
    deadline_s : seconds that one question may take; the start, with sympy's import, has its own.
    program : Python source that the child runs; another one is for tests.
    """

    def __init__(self, deadline_s: float = DEADLINE_S, program: str = _START) -> None:
        self.deadline_s = deadline_s
        self.program = program
        self.process: subprocess.Popen[bytes] | None = None
        self.asked = 0

    def ask(self, left: Node, right: Node) -> bool | None:
        """True where the child shows equality; None where it does not, is late or dies.

        Raises AssayError where no child can be started: then nothing was asked.
        """
        self.asked += 1
        question = json.dumps([self.asked, to_json(left), to_json(right)]).encode() + b"\n"
        if len(question) > _MAX_QUESTION:
            return None
        try:
            process = self.process if self.process and self.process.poll() is None else self.start()
            assert process.stdin is not None
            process.stdin.write(question)
            process.stdin.flush()
            number, equal = json.loads(self.line(self.deadline_s))
        except (OSError, ValueError, TypeError):
            self.stop()
            return None
        except BaseException:  # an interrupted question must not be answered by the next one
            self.stop()
            raise
        if number != self.asked:
            self.stop()
            return None
        return True if equal is True else None

    def start(self) -> subprocess.Popen[bytes]:
        """Start the child and wait until it is ready; AssayError after a second failure."""
        try:
            return self.begin()
        except OSError:
            self.stop()
        try:
            return self.begin()
        except OSError as error:
            self.stop()
            raise AssayError(
                "formulas cannot be compared: expected a child process with sympy to start, "
                f"found: {error}"
            ) from None

    def begin(self) -> subprocess.Popen[bytes]:
        """Start the child once; OSError where it does not say that it is ready."""
        self.stop()
        folder = str(Path(__file__).parents[2])
        paths = [folder, *(os.path.abspath(p) for p in sys.path if p)]
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-c", self.program, json.dumps(paths)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"LC_ALL": "C.UTF-8"},
            cwd="/",
            start_new_session=True,
        )
        said = self.line(START_S)
        if said != b"ready":
            raise OSError(said.decode("ascii", "replace"))
        return self.process

    def line(self, limit_s: float) -> bytes:
        """The next line that the child writes. Raises TimeoutError and other OSErrors."""
        assert self.process is not None and self.process.stdout is not None
        pipe, end, found = self.process.stdout.fileno(), time.monotonic() + limit_s, b""
        while not found.endswith(b"\n"):
            ready, _, _ = select.select([pipe], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                raise TimeoutError("late")
            part = os.read(pipe, 4096)
            found += part
            if not part or len(found) > _MAX_REPLY:
                raise OSError("died or babbled")
        return found.strip()

    def stop(self) -> None:
        """Kill the child, if there is one."""
        process, self.process = self.process, None
        if process is None:
            return
        process.kill()
        process.wait()
        self.drop(process)

    def drop(self, process: subprocess.Popen[bytes]) -> None:
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


class Pool:
    """Children for as many threads as ask at once, up to `size`; the others wait."""

    def __init__(
        self, size: int = 1, deadline_s: float = DEADLINE_S, program: str = _START
    ) -> None:
        self.size = size
        self.deadline_s = deadline_s
        self.program = program
        self.inherited: list[Child] = []
        self.children: list[Child] = []
        self.fill()
        atexit.register(self.close)
        os.register_at_fork(after_in_child=self.fill)

    def fill(self) -> None:
        """Fresh children; those of a parent process stay the parent's."""
        self.inherited = self.children
        self.children = [Child(self.deadline_s, self.program) for _ in range(self.size)]
        self.free: queue.LifoQueue[Child] = queue.LifoQueue()
        for child in self.children:
            self.free.put(child)

    def ask(self, left: Node, right: Node) -> bool | None:
        """As `Child.ask`, of a free child."""
        free = self.free
        child = free.get()
        try:
            return child.ask(left, right)
        finally:
            free.put(child)

    def close(self) -> None:
        """Kill all children; a later question starts new ones."""
        for child in self.children:
            child.stop()


default = Pool()

__all__ = ["DEADLINE_S", "Child", "Pool", "default"]
