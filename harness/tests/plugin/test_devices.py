"""Device leases with real processes: the caller's CUDA_VISIBLE_DEVICES is honoured."""

import multiprocessing
import os
import signal
from pathlib import Path

import pytest

from harness.errors import DeviceError
from harness.plugin.devices import lease, n_threads, physical, wanted


def no_count() -> int:
    raise AssertionError("counting devices is not needed here")


def test_names() -> None:
    assert wanted("cpu", {}, no_count) == ["cpu"]
    assert wanted("auto", {"CUDA_VISIBLE_DEVICES": ""}, no_count) == ["cpu"]
    assert wanted("auto", {"CUDA_VISIBLE_DEVICES": "-1"}, no_count) == ["cpu"]
    assert wanted("auto", {}, lambda: 0) == ["cpu"]
    assert wanted("auto", {"CUDA_VISIBLE_DEVICES": "2,3"}, lambda: 2) == ["cuda:0", "cuda:1"]
    assert wanted("cuda:1", {}, lambda: 2) == ["cuda:1"]


@pytest.mark.parametrize("option", ["cuda", "cuda:2", "cuda:x", "gpu", ""])
def test_a_device_that_is_not_there_is_refused(option: str) -> None:
    with pytest.raises(DeviceError, match="expected"):
        wanted(option, {}, lambda: 2 if option != "cuda" else 0)


def test_visible_index_is_not_the_physical_device() -> None:
    """AT-58: worker 0 of a caller with devices 2 and 3 gets 2, never 0."""
    environment = {"CUDA_VISIBLE_DEVICES": "2, 3"}
    assert physical("cuda:0", environment) == "2"
    assert physical("cuda:1", environment) == "3"
    assert physical("cuda:1", {}) == "1"
    assert physical("cuda:0", {"CUDA_VISIBLE_DEVICES": "GPU-ab/1"}) == "GPU-ab/1"


def hold(folder: Path, environment: dict[str, str], names: list[str], pipe: object) -> None:
    with lease(names, environment, folder) as device:
        pipe.send(physical(device, environment))  # type: ignore[attr-defined]
        pipe.recv()  # type: ignore[attr-defined]


def test_two_processes_never_hold_one_device_and_a_killed_one_gives_it_back(
    tmp_path: Path,
) -> None:
    context = multiprocessing.get_context("fork")
    environment = {"CUDA_VISIBLE_DEVICES": "2,3"}
    names = ["cuda:0", "cuda:1"]
    holders = []
    for _ in range(2):
        ours, theirs = context.Pipe()
        process = context.Process(target=hold, args=(tmp_path, environment, names, theirs))
        process.start()
        holders.append((process, ours, ours.recv()))
    assert {device for _, _, device in holders} == {"2", "3"}
    with pytest.raises(DeviceError, match="-n 2"), lease(names, environment, tmp_path, 0.0):
        pass
    # Another list that names the same card contends for the same lock.
    with pytest.raises(DeviceError), lease(["cuda:0"], {"CUDA_VISIBLE_DEVICES": "3"}, tmp_path, 0):
        pass
    process, _, device = holders[0]
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    with lease(names, environment, tmp_path, 5.0) as leased:
        assert physical(leased, environment) == device
    holders[1][1].send("done")
    holders[1][0].join()


def test_threads_are_an_equal_share_and_never_none() -> None:
    cores = len(os.sched_getaffinity(0))
    assert n_threads(1) == max(1, cores // 2)
    assert n_threads(10 * cores) == 1
