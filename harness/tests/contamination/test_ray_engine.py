"""What of the Ray engine needs no Ray: its room, its refusals, and its memory of blocks."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from harness.audit.index import build_index
from harness.contamination.blocks import Side, Task
from harness.contamination.ray_engine import ray_executor, slots
from harness.contamination.ray_pipeline import Feed
from harness.errors import DataError

pytestmark = pytest.mark.unit


def test_slots_are_of_one_node() -> None:
    two = [{"CPU": 1.0}, {"CPU": 3.0, "GPU": 1.0}]
    for nodes, cpus, gpus, expected in (
        ([], 1, 0, 0),
        (two, 1, 0, 4),
        (two, 2, 0, 1),
        (two, 4, 0, 0),
        (two, 1, 1, 1),
        (two, 0, 0.25, 4),
        (two, 2, 0.25, 1),
        ([{"CPU": 1.0}], 0.1, 0, 10),
        ([{"CPU": 0.3}], 0.1, 0, 3),
        ([{"memory": 1e9}], 1, 0, 0),
    ):
        assert slots(nodes, cpus, gpus) == expected, (nodes, cpus, gpus)


def test_wrong_numbers_are_refused_at_once() -> None:
    nan = float("nan")
    for options, said in (
        ({"actors": 0}, "actors of 1 or more, found 0"),
        ({"cpus_per_actor": -1}, "cpus_per_actor of 0, or 0.0001 or more, found -1"),
        ({"gpus_per_actor": nan}, "gpus_per_actor of 0, or 0.0001 or more, found nan"),
        ({"cpus_per_actor": 0}, "a CPU or a GPU, found neither"),
        ({"cpus_per_actor": 0.00001}, "or more, found 1e-05"),
        ({"wait_s": 0}, "wait_s above 0, found 0"),
        ({"wait_s": nan}, "wait_s above 0, found nan"),
    ):
        given: dict[str, Any] = options
        with pytest.raises(DataError, match=said):
            ray_executor(**given)


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    task = Task(Side(build_index({"mini": ["a ball"]}, engine="numpy")), cache=tmp_path)
    with pytest.raises(DataError, match=r"module ray, found none; install the extra \[ray\]"):
        list(ray_executor()(task, [(0, ["a ball"])]))
    # Where all blocks are known from before, nothing is started.
    assert list(ray_executor()(task, [])) == []


def test_a_reader_may_start_over() -> None:
    async def story() -> list[bytes | None]:
        feed = Feed()
        waiting = asyncio.create_task(feed.take(0))
        await asyncio.sleep(0)
        assert not waiting.done()
        await feed.put(0, b"zero")
        await feed.put(1, b"one")
        first = [await waiting, await feed.take(1)]
        await feed.done(0)
        late = asyncio.create_task(feed.take(2))
        await asyncio.sleep(0)
        assert not late.done()
        await feed.end(2)
        return [*first, await late, await feed.take(0), await feed.take(1), await feed.take(2)]

    assert asyncio.run(asyncio.wait_for(story(), 5)) == [b"zero", b"one", None, b"", b"one", None]
