"""The limit on a batch: an exception where Python runs, the end of the process where not."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

from harness.models.base import Hung
from harness.watchdog import EXIT_STATUS, watched


def test_a_batch_over_its_time_raises() -> None:
    start_s = time.monotonic()
    with (
        pytest.raises(Hung, match=r"no reply within 0\.05 s \(hang_timeout_s\)"),
        watched(0.05, "x"),
    ):
        time.sleep(10)
    assert time.monotonic() - start_s < 5


def test_the_handler_and_the_timer_of_the_caller_are_put_back() -> None:
    rung: list[int] = []
    former = signal.signal(signal.SIGALRM, lambda number, frame: rung.append(number))
    signal.setitimer(signal.ITIMER_REAL, 60)
    try:
        with watched(30, "x"):
            assert signal.getitimer(signal.ITIMER_REAL)[0] <= 30
        assert 30 < signal.getitimer(signal.ITIMER_REAL)[0] <= 60
        with pytest.raises(KeyError), watched(30, "x"):
            raise KeyError
        signal.raise_signal(signal.SIGALRM)
        assert rung == [signal.SIGALRM]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)


def test_nothing_rings_afterwards_and_no_thread_stays() -> None:
    with watched(1.0, "x"):
        timers = [t for t in threading.enumerate() if isinstance(t, threading.Timer)]
    for timer in timers:
        timer.join(0.5)
    assert timers
    assert not any(timer.is_alive() for timer in timers)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_another_thread_gets_no_signal() -> None:
    failures: list[BaseException] = []

    def work() -> None:
        try:
            with watched(0.2, "x"):
                time.sleep(0.25)
        except BaseException as error:  # noqa: BLE001
            failures.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert failures == []


def test_a_limit_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="above 0 s, found 0"), watched(0, "x"):
        pass


@pytest.mark.parametrize("where", ["main", "thread"])
def test_code_that_cannot_be_interrupted_ends_the_process(where: str) -> None:
    script = textwrap.dedent(
        """
        import signal, sys, threading, time
        from harness.watchdog import watched

        def work():
            with watched(0.1, "a batch of 1, first 'q003'"):
                time.sleep(30)

        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
        if sys.argv[1] == "main":
            work()
        else:
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
        """
    )
    done = subprocess.run(
        [sys.executable, "-c", script, where],
        capture_output=True,
        check=False,
        text=True,
        timeout=20,
    )
    assert done.returncode == EXIT_STATUS
    assert "no reply within 0.2 s for a batch of 1, first 'q003'; this process ends" in done.stderr
    assert "in work" in done.stderr
