"""One device per worker, leased by a lock file from the caller's CUDA_VISIBLE_DEVICES."""

from __future__ import annotations

import fcntl
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from harness.errors import DeviceError

_POLL_S = 1.0


def wanted(option: str, environment: Mapping[str, str], count_cuda: Callable[[], int]) -> list[str]:
    """The devices that this session may use, as torch names.

    Parameters
    ----------
    option : auto, cpu, cuda or cuda:<index among the visible devices>.
    environment : CUDA_VISIBLE_DEVICES is read from it; an empty value hides all.
    count_cuda : number of visible CUDA devices; called only where it matters.

    Raises
    ------
    DeviceError
        For an unknown name, or a CUDA device that is not there.
    """
    if option == "cpu":
        return ["cpu"]
    hidden = environment.get("CUDA_VISIBLE_DEVICES", "x").strip() in ("", "-1")
    n = 0 if hidden else count_cuda()
    if option == "auto":
        return [f"cuda:{i}" for i in range(n)] or ["cpu"]
    if option == "cuda" and n:
        return [f"cuda:{i}" for i in range(n)]
    index = option.removeprefix("cuda:")
    if option.startswith("cuda:") and index.isdigit() and int(index) < n:
        return [option]
    if option == "cuda" or option.startswith("cuda:"):
        raise DeviceError(f"--device {option}: expected one of {n} visible CUDA devices")
    raise DeviceError(f"--device: expected auto, cpu, cuda or cuda:<i>, found {option!r}")


def physical(device: str, environment: Mapping[str, str]) -> str:
    """The device that a visible index stands for, so that sessions with other lists agree."""
    index = int(device.removeprefix("cuda:"))
    visible = environment.get("CUDA_VISIBLE_DEVICES", "")
    names = [v.strip() for v in visible.split(",") if v.strip()]
    return names[index] if index < len(names) else str(index)


@contextmanager
def lease(
    devices: Sequence[str],
    environment: Mapping[str, str],
    folder: Path | None = None,
    timeout_s: float = 3600.0,
) -> Iterator[str]:
    """Hold one of `devices` exclusively; the CPU is shared and needs no lock.

    Waits for another process to give one back, saying so once; a killed holder's lock is
    free at once. Raises `DeviceError` after `timeout_s`.
    """
    if list(devices) == ["cpu"]:
        yield "cpu"
        return
    folder = folder or Path(tempfile.gettempdir()) / f"assay-devices-{os.getuid()}"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    deadline = time.monotonic() + timeout_s
    said = False
    while True:
        for device in devices:
            name = physical(device, environment).replace("/", "_")
            descriptor = os.open(folder / f"{name}.lock", os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(descriptor)
                continue
            try:
                yield device
            finally:
                os.close(descriptor)
            return
        if time.monotonic() >= deadline:
            raise DeviceError(
                f"no free device among {list(devices)} within {timeout_s:.0f} s: expected at most "
                f"{len(devices)} workers (-n {len(devices)})"
            )
        if not said:
            print(f"assay: waiting for one of {list(devices)}", file=sys.stderr)
            said = True
        time.sleep(_POLL_S)


def n_threads(n_workers: int) -> int:
    """CPU threads for each of `n_workers` processes, at least 1.

    An equal share of half the logical processors: two of them are commonly one core, and
    threads that wait for a busy core cost a small model many times what they bring.
    """
    return max(1, len(os.sched_getaffinity(0)) // 2 // max(1, n_workers))
