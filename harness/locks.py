"""Who may generate a cell: advisory file locks that the system frees when a process dies."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from harness.errors import StoreError


def try_lock(descriptor: int, exclusive: bool) -> bool:
    """Take a lock on an open file if it is free now."""
    kind = fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def generation(folder: Path, shard: tuple[int, int] | None) -> Iterator[None]:
    """Hold the right to generate a cell, or one shard of it; waits until it is free.

    The whole cell excludes everybody else. A shard excludes itself, the whole cell, and the
    shards of another count, which would overlap with it.

    Parameters
    ----------
    folder : where the lock files lie; made if need be.
    shard : (index, count), or None for the whole cell.

    Raises
    ------
    StoreError
        When the file system cannot be written or does not lock.
    """
    index, count = (0, 1) if shard is None else shard
    with ExitStack() as stack:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _join(stack, folder, count)
            _open_locked(stack, folder / f"shard-{index}of{count}.lock")
        except OSError as error:
            raise StoreError(
                f"cannot lock {folder.parent.name}/{folder.name}: {error.strerror}; expected a "
                "writable folder on a file system with advisory locks"
            ) from error
        yield


def _join(stack: ExitStack, folder: Path, count: int) -> None:
    """Share the cell with writers of the same shard count, once all others are gone."""
    cell = _open(stack, folder / "cell.lock")
    while True:
        with ExitStack() as turn:
            _open_locked(turn, folder / "turn.lock")
            if try_lock(cell, exclusive=True):
                os.ftruncate(cell, 0)
                os.pwrite(cell, b"%d" % count, 0)
            if os.pread(cell, 16, 0) == b"%d" % count and try_lock(cell, exclusive=False):
                return
        fcntl.flock(cell, fcntl.LOCK_EX)
        fcntl.flock(cell, fcntl.LOCK_UN)


def _open_locked(stack: ExitStack, path: Path) -> None:
    fcntl.flock(_open(stack, path), fcntl.LOCK_EX)


def _open(stack: ExitStack, path: Path) -> int:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    stack.callback(os.close, descriptor)
    return descriptor


__all__ = ["generation", "try_lock"]
