"""The same scan over Ray Data: the evaluation side is broadcast, training blocks are mapped."""

from __future__ import annotations

import logging
import math
import os
import socket
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import chain
from typing import Any

from harness.contamination.blocks import Found, Task, Texts
from harness.contamination.ray_pipeline import Flow, Served
from harness.errors import DataError

_SETTLE_S, _REACH_S = 3.0, 10.0


@dataclass(frozen=True)
class _Setup:
    address: str | None
    actors: int | None
    cpus: float
    gpus: float
    wait_s: float
    told: Callable[[Served], None]


def ray_executor(
    address: str | None = None,
    actors: int | None = None,
    cpus_per_actor: float = 1,
    gpus_per_actor: float = 0,
    wait_s: float = 600.0,
    told: Callable[[Served], None] = lambda _: None,
) -> Callable[[Task, Iterable[Texts]], Iterator[Found]]:
    """An executor for `harness.contamination.scanning.scan_file` over a Ray cluster.

    The task (evaluation index and vectors) is put into the object store once; every actor of a
    pool opens it and the embedder once; blocks of texts go through one Ray dataset as the driver
    reads them, four for each actor at most, and come back in their order. An actor, or a
    worker that reads, that is lost is started again, and its blocks are scanned again.

    Parameters
    ----------
    address : ``host:port`` of a cluster, or ``auto``; None starts one on this machine, on
        127.0.0.1, and ends it. Where the process is connected already, that connection is used
        and kept.
    actors : workers; None for as many as there is room for.
    cpus_per_actor, gpus_per_actor : of each; a fraction of a GPU lets several share one.
    wait_s : seconds without a result before the run ends with an error. The first result waits
        for actors to start and to load the embedder.
    told : is called with each block, in order: where it was scanned.

    Returns
    -------
    Callable
        Its findings equal those of `harness.contamination.blocks.in_process`.

    Raises
    ------
    DataError
        At once for a number that is none; when it runs, without the extra `ray`, for a cluster
        that cannot be reached, one that has too little room, and when `wait_s` runs out.

    Examples
    --------
    >>> ray_executor(actors=0)
    Traceback (most recent call last):
        ...
    harness.errors.DataError: ray: expected actors of 1 or more, found 0

    References
    ----------
    Ray 2.60 Data: custom `Datasource`, `ActorPoolStrategy`.
    """
    if actors is not None and actors < 1:
        raise DataError(f"ray: expected actors of 1 or more, found {actors}")
    for name, value in (("cpus_per_actor", cpus_per_actor), ("gpus_per_actor", gpus_per_actor)):
        if not (value == 0 or 1e-4 <= value < math.inf):
            raise DataError(f"ray: expected {name} of 0, or 0.0001 or more, found {value}")
    if not cpus_per_actor + gpus_per_actor > 0:
        raise DataError("ray: expected actors that ask for a CPU or a GPU, found neither")
    if not 0 < wait_s < math.inf:
        raise DataError(f"ray: expected wait_s above 0, found {wait_s}")
    setup = _Setup(address, actors, cpus_per_actor, gpus_per_actor, wait_s, told)

    def run(task: Task, blocks: Iterable[Texts]) -> Iterator[Found]:
        return _run(task, blocks, setup)

    return run


def _run(task: Task, blocks: Iterable[Texts], setup: _Setup) -> Iterator[Found]:
    waiting = iter(blocks)
    first = next(waiting, None)
    if first is None:
        return
    if task.cache is not None:
        # Workers start in a folder of their own.
        task = replace(task, cache=task.cache.absolute())
    with _connected(setup) as ray:
        n_actors = _room(ray, setup)
        flow = Flow(task, n_actors, setup.cpus, setup.gpus, setup.wait_s)
        with closing(flow):
            for served, found in flow.run(chain([first], waiting)):
                setup.told(served)
                yield found


@contextmanager
def _connected(setup: _Setup) -> Iterator[Any]:
    try:
        ray = import_module("ray")
        import_module("ray.data")
        import_module("pyarrow")
    except ImportError as error:
        raise DataError(
            f"ray: expected the module {error.name or error}, found none; install the extra [ray] "
            "(install this project with its extra `ray`), or scan with processes"
        ) from None
    if ray.is_initialized():
        yield ray
        return
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if setup.address is None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        options |= {"address": "local", "include_dashboard": False}
        options |= {"_node_ip_address": "127.0.0.1"}
        if setup.actors is not None:
            options["num_cpus"] = max(1, math.ceil(setup.actors * setup.cpus))
    else:
        options["address"] = setup.address
        _reached(setup.address)
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    try:
        with _inward() if setup.address is None else nullcontext():
            ray.init(**options)
    except Exception as error:
        where = setup.address or "a cluster on this machine"
        raise DataError(
            f"ray: expected {where} to answer, found {type(error).__name__}: "
            f"{str(error).strip().splitlines()[0] if str(error).strip() else ''}; start it with "
            "`ray start --head`, and see that its versions of Ray and Python are the same"
        ) from error
    try:
        yield ray
    finally:
        ray.shutdown()


@contextmanager
def _inward() -> Iterator[None]:
    """Let no other machine reach what is started, as Ray does where it allows no clusters.

    It takes an address of the network for 127.0.0.1 elsewhere, whatever it is told.
    """
    constants: Any = import_module("ray._private.ray_constants")
    before = constants.ENABLE_RAY_CLUSTER
    constants.ENABLE_RAY_CLUSTER = False
    try:
        yield
    finally:
        constants.ENABLE_RAY_CLUSTER = before


def _reached(address: str) -> None:
    # Ray itself goes on asking for minutes.
    host, colon, port = address.rpartition(":")
    if not (host and colon and port.isascii() and port.isdigit()) or "/" in host:
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), _REACH_S).close()
    except (OSError, OverflowError) as error:
        raise DataError(
            f"ray: expected a cluster at {address}, found: {error}; start it with `ray start "
            "--head` and name the address that it prints"
        ) from None


def _room(ray: Any, setup: _Setup) -> int:
    """How many actors to start.

    Ray waits without a word for room that never comes, so it is asked here.
    """
    until = time.monotonic() + _SETTLE_S
    while True:
        nodes = [node["Resources"] for node in ray.nodes() if node["Alive"]]
        most = slots(nodes, setup.cpus, setup.gpus)
        free = min(most, slots([ray.available_resources()], setup.cpus, setup.gpus))
        wanted = setup.actors or max(1, most)
        # What another run gave back a moment ago is told late.
        if free >= wanted or time.monotonic() >= until or most < wanted:
            break
        time.sleep(0.2)
    if setup.actors is None and free:
        return free
    if free >= wanted:
        return wanted
    has = ", ".join(f"{node.get('CPU', 0):g} CPU and {node.get('GPU', 0):g} GPU" for node in nodes)
    now = ray.available_resources()
    raise DataError(
        f"ray: expected room for {wanted} actor(s) of {setup.cpus:g} CPU and {setup.gpus:g} GPU "
        f"each, found room for {free}: {len(nodes)} node(s) with {has or 'nothing'}, of which "
        f"{now.get('CPU', 0):g} CPU and {now.get('GPU', 0):g} GPU are free; ask for fewer or "
        "smaller actors, or add nodes (`ray start --address`)"
    )


def slots(nodes: Sequence[Mapping[str, float]], cpus: float, gpus: float) -> int:
    """How many actors fit, each on one node.

    Parameters
    ----------
    nodes : resources of each, as of `ray.nodes()`.
    cpus, gpus : that an actor asks for; not both 0.

    Examples
    --------
    >>> slots([{"CPU": 3.0}, {"CPU": 3.0, "GPU": 1.0}], 2, 0)
    2
    >>> slots([{"CPU": 3.0}, {"CPU": 3.0, "GPU": 1.0}], 1, 0.5)
    2
    """
    asked = [(name, need) for name, need in (("CPU", cpus), ("GPU", gpus)) if need > 0]
    # Ray counts in ten-thousandths.
    return sum(
        min(round(node.get(name, 0) * 10_000) // round(need * 10_000) for name, need in asked)
        for node in nodes
    )


__all__ = ["Served", "ray_executor", "slots"]
