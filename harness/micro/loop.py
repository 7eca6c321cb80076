"""What every training of a checkpoint does alike: one thread, one seed, decay for matrices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

Report = Callable[[int, float], None]


@contextmanager
def one_thread() -> Iterator[None]:
    """Hold torch to one thread meanwhile: sums are then added up in one order."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


@contextmanager
def repeatable() -> Iterator[None]:
    """One thread, and torch's generator is afterwards as it was before."""
    import torch

    with one_thread(), torch.random.fork_rng(devices=[]):
        yield


def groups(parameters: Iterable[Any], weight_decay: float) -> list[dict[str, Any]]:
    """Decay for matrices, none for vectors."""
    known = list(parameters)
    return [
        {"params": [p for p in known if p.ndim >= 2], "weight_decay": weight_decay},
        {"params": [p for p in known if p.ndim < 2], "weight_decay": 0.0},
    ]


__all__ = ["Report", "groups", "one_thread", "repeatable"]
