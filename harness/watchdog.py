"""A limit on the time that a model may take for one batch."""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from harness.models.base import Hung

EXIT_STATUS = 70


@contextmanager
def watched(timeout_s: float, what: str) -> Iterator[None]:
    """Raise `Hung` after `timeout_s`; end the process after twice that time.

    The exception needs the main thread of a POSIX process and Python code that runs. Native
    code that never returns, or another thread, leaves the second limit alone: the stacks of
    all threads and a message go to standard error and the process ends with status 70.
    A timer and handler of the caller are put back.

    Parameters
    ----------
    timeout_s : seconds, above 0.
    what : named in the messages, such as the ids of the batch.
    """
    if timeout_s <= 0:
        raise ValueError(f"expected a time limit above 0 s, found {timeout_s}")
    last_resort = threading.Timer(2 * timeout_s, _end, (2 * timeout_s, what))
    last_resort.daemon = True
    last_resort.start()
    try:
        if threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer"):
            with _alarm(timeout_s):
                yield
        else:
            yield
    finally:
        last_resort.cancel()


@contextmanager
def _alarm(timeout_s: float) -> Iterator[None]:
    armed = True

    def ring(_signal: int, _frame: FrameType | None) -> None:
        if armed:
            raise Hung(f"no reply within {timeout_s:g} s (hang_timeout_s)")

    former_handler = signal.signal(signal.SIGALRM, ring)
    former_timer = signal.setitimer(signal.ITIMER_REAL, timeout_s)
    try:
        try:
            yield
        finally:
            armed = False
    finally:
        signal.setitimer(signal.ITIMER_REAL, *former_timer)
        signal.signal(signal.SIGALRM, former_handler)


def _end(limit_s: float, what: str) -> None:
    stream = sys.__stderr__
    if stream is not None:
        faulthandler.dump_traceback(stream, all_threads=True)
        stream.write(f"assay: no reply within {limit_s:g} s for {what}; this process ends\n")
        stream.flush()
    os._exit(EXIT_STATUS)


__all__ = ["EXIT_STATUS", "watched"]
