"""A scan over a Ray cluster of two nodes against the scan of one process."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest

from harness.contamination import blocks
from harness.contamination.blocks import Found, Side, Task, in_process
from harness.contamination.evaluation import evaluation
from harness.contamination.plan import AuditPlan, plan_from
from harness.contamination.ray_engine import Served, ray_executor
from harness.contamination.scanning import scan_file
from harness.embedding.base import Embedded
from harness.embedding.load import open_embedder
from harness.errors import DataError
from harness.ids import seed
from harness.tests.reference.published import data

pytestmark = [pytest.mark.reference, pytest.mark.filterwarnings("ignore:::ray")]

_FREE_S = 20.0


@dataclass(frozen=True)
class Two:
    """Two nodes of one CPU each, on this machine."""

    address: str
    raylets: tuple[int, ...]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Two]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_AUTH_MODE", "disabled")
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        # Ray takes the machine's own address for 127.0.0.1, unless it is one of those where it
        # may not.
        patch.setattr(import_module("ray._private.ray_constants"), "ENABLE_RAY_CLUSTER", False)
        utils: Any = import_module("ray.cluster_utils")
        node: dict[str, Any] = {"num_cpus": 1, "num_gpus": 0, "object_store_memory": 100 << 20}
        node["node_ip_address"] = "127.0.0.1"
        made = utils.Cluster(
            initialize_head=True, head_node_args=node | {"include_dashboard": False}
        )
        try:
            made.add_node(**node)
            pids = tuple(
                entry.process.pid
                for one in made.list_all_nodes()
                for entry in one.all_processes["raylet"]
            )
            yield Two(made.address, pids)
        finally:
            made.shutdown()


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Blocks of this many rows, so that there are several."""
    return lambda n_rows: monkeypatch.setattr(blocks, "MOST_ROWS", n_rows)


def lines(path: Path, texts: Sequence[str]) -> str:
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts), "utf-8")
    return str(path)


def random_plan(folder: Path) -> AuditPlan:
    """2,000 rows against 500 items: a third of the rows copy an item, some of them in part."""
    rng = np.random.Generator(np.random.PCG64(seed(7, "audit over ray")))
    words = [f"w{k}" for k in range(400)]

    def text() -> list[str]:
        return [words[k] for k in rng.integers(0, len(words), rng.integers(0, 40))]

    items = [text() for _ in range(500)]
    rows = [text() for _ in range(2_000)]
    for row in range(0, len(rows), 3):
        copied = items[rng.integers(0, len(items))]
        cut = rng.integers(0, len(copied) + 1)
        rows[row] = copied[cut:] + (text() if row % 2 else [])
    train = lines(folder / "train.jsonl", [" ".join(row) for row in rows])
    first = lines(folder / "first.jsonl", [" ".join(item) for item in items[:300]])
    second = lines(folder / "second.jsonl", [" ".join(item) for item in items[300:]])
    given = {"train": {"path": train}, "evals": {"a": {"path": first}, "b": {"path": second}}}
    return plan_from({**given, "embedder": "hashing"}, "plan")


def gsm8k_plan() -> AuditPlan:
    train = {"path": str(data("gsm8k/train.jsonl.gz")), "fields": ["question"]}
    test = {"path": str(data("gsm8k/test.jsonl")), "fields": ["question"]}
    given = {"train": train, "evals": {"gsm8k": test}}
    return plan_from({**given, "embedder": "hashing"}, "plan")


def running() -> dict[int, tuple[int, bytes]]:
    """Parent and title of each process."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError, IndexError):
                parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
                found[int(folder.name)] = int(parent), (folder / "cmdline").read_bytes()
    return found


def reader_of(raylets: Sequence[int]) -> int:
    """The process under one of these raylets that runs the task which reads."""
    for process, (parent, title) in running().items():
        if parent in raylets and title.startswith(b"ray::Read"):
            return process
    raise AssertionError("expected a process that reads, found none")


def listening() -> set[str]:
    """Addresses, as the kernel writes them, at which this process and those under it listen."""
    processes = running()
    mine = {os.getpid()}
    while more := {one for one, (parent, _) in processes.items() if parent in mine} - mine:
        mine |= more
    sockets = set()
    for process in mine:
        with suppress(OSError):
            sockets |= {os.readlink(one) for one in Path(f"/proc/{process}/fd").iterdir()}
    lines = Path("/proc/net/tcp").read_text() + Path("/proc/net/tcp6").read_text()
    rows = [line.split() for line in lines.splitlines()]
    return {
        row[1].partition(":")[0]
        for row in rows
        if row[3] == "0A" and f"socket:[{row[9]}]" in sockets
    }


def test_two_nodes_find_what_one_process_finds(
    cluster: Two, tmp_path: Path, small: Callable[[int], None]
) -> None:
    # Actors take every CPU of the cluster: the reader needs a slot no more.
    small(100)
    plan = random_plan(tmp_path)
    alone = scan_file(plan)
    served: list[Served] = []
    run = ray_executor(cluster.address, 2, wait_s=60, told=served.append)
    spread = scan_file(plan, executor=run, cache=tmp_path / "vectors")
    assert spread == alone
    assert len(alone.findings.hits) > 200
    assert alone.nearness is not None
    assert len(alone.nearness.near) > 200
    assert [one.start for one in served] == list(range(0, 2_000, 100))
    assert sum(one.rows for one in served) == 2_000
    assert len({one.node for one in served}) == 2


def test_lost_processes_change_nothing(cluster: Two, small: Callable[[int], None]) -> None:
    small(250)
    plan = gsm8k_plan()
    alone = scan_file(plan)
    killed: list[int] = []
    served: list[Served] = []

    def told(one: Served) -> None:
        served.append(one)
        if one.number in (2, 9):
            killed.append(one.process if one.number == 2 else reader_of(cluster.raylets))
            os.kill(killed[-1], signal.SIGKILL)

    spread = scan_file(plan, executor=ray_executor(cluster.address, wait_s=60, told=told))
    assert spread == alone
    # Three rows, two of which are like one item.
    assert [hit.row for hit in alone.findings.hits] == [20, 1314, 5162]
    assert len({hit.item for hit in alone.findings.hits}) == 2
    assert len(killed) == 2
    assert [one.number for one in served] == list(range(30))
    assert len({one.process for one in served}) == 3
    assert len({one.node for one in served}) == 2


def task_of(plan: AuditPlan, embed: Callable[[Sequence[str]], Embedded]) -> Task:
    embedder = open_embedder("hashing")
    side: Side = evaluation(plan, embedder, embedder.embed, "numpy").side
    return Task(side, embed=embed)


def test_what_goes_wrong_is_said_in_time(cluster: Two, tmp_path: Path) -> None:
    plan = random_plan(tmp_path)
    given = [(k, ["a ball falls from rest at noon"]) for k in range(3)]

    def scanned(task: Task, **options: Any) -> list[Found]:
        return list(ray_executor(cluster.address, **options)(task, iter(given)))

    def stuck(_: Sequence[str]) -> NoReturn:
        time.sleep(600)
        raise AssertionError

    def broken(_: Sequence[str]) -> NoReturn:
        raise DataError("embedder: expected a file, found none")

    def wrong(_: Sequence[str]) -> NoReturn:
        raise ZeroDivisionError("by nought")

    hashing = open_embedder("hashing").embed
    begun = time.monotonic()
    with pytest.raises(DataError, match="a cluster at 127.0.0.1:1, found"):
        list(ray_executor("127.0.0.1:1")(task_of(plan, hashing), given))
    for options, said in (
        ({"actors": 3}, r"room for 3 actor.*room for 2: 2 node.*1 CPU and 0 GPU"),
        ({"actors": 1, "cpus_per_actor": 2}, r"room for 1 actor\(s\) of 2 CPU.*room for 0"),
        ({"gpus_per_actor": 0.5}, r"of 1 CPU and 0.5 GPU each, found room for 0"),
    ):
        with pytest.raises(DataError, match=said):
            scanned(task_of(plan, hashing), **options)
    assert time.monotonic() - begun < _FREE_S
    with pytest.raises(DataError, match=r"^embedder: expected a file, found none$"):
        scanned(task_of(plan, broken), actors=1)
    with pytest.raises(ZeroDivisionError, match="by nought"):
        scanned(task_of(plan, wrong), actors=1)
    begun = time.monotonic()
    with pytest.raises(DataError, match="within 3 s, found none after 0 blocks"):
        scanned(task_of(plan, stuck), actors=1, wait_s=3)
    assert time.monotonic() - begun < _FREE_S
    # The cluster is free again for the next, which reads four blocks ahead and no more.
    task = task_of(plan, hashing)
    asked: list[int] = []

    def many() -> Iterator[tuple[int, list[str]]]:
        for k in range(40):
            asked.append(k)
            yield k, [f"a ball falls from rest at noon {k}"]

    ahead = []
    found = []
    for one in ray_executor(cluster.address, 1, wait_s=60)(task, many()):
        found.append(one)
        ahead.append(len(asked) - len(found))
    assert max(ahead) <= 4
    assert found == list(in_process(task, many()))


def test_a_cluster_of_its_own_is_for_this_machine_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    constants: Any = import_module("ray._private.ray_constants")
    monkeypatch.setattr(constants, "ENABLE_RAY_CLUSTER", True)
    task = task_of(random_plan(tmp_path), open_embedder("hashing").embed)
    given = [(0, ["a ball falls from rest at noon"])]
    heard: set[str] = set()
    run = ray_executor(actors=1, wait_s=60, told=lambda _: heard.update(listening()))
    assert list(run(task, given)) == list(in_process(task, given))
    assert heard <= {"0100007F", "0000000000000000FFFF00000100007F"}
    assert heard
    assert constants.ENABLE_RAY_CLUSTER
    assert not import_module("ray").is_initialized()
