"""Who waits for whom while a cell is generated."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from harness.errors import StoreError
from harness.locks import generation

Shard = tuple[int, int] | None


def waits(folder: Path, held: Shard, wanted: Shard) -> bool:
    """Whether `wanted` has to wait for `held`; it must get its turn in the end."""
    entered = threading.Event()

    def enter() -> None:
        with generation(folder, wanted):
            entered.set()

    thread = threading.Thread(target=enter)
    with generation(folder, held):
        thread.start()
        waited = not entered.wait(0.15)
    assert entered.wait(5)
    thread.join()
    return waited


@pytest.mark.parametrize(
    ("held", "wanted", "expected"),
    [
        (None, None, True),
        (None, (0, 3), True),
        ((0, 3), None, True),
        ((0, 3), (0, 3), True),
        ((0, 3), (1, 3), False),
        ((0, 3), (1, 8), True),
        ((0, 1), None, True),
    ],
    ids=str,
)
def test_only_other_shards_of_one_count_run_together(
    tmp_path: Path, held: Shard, wanted: Shard, expected: bool
) -> None:
    assert waits(tmp_path, held, wanted) is expected


def test_a_lock_is_free_after_an_error(tmp_path: Path) -> None:
    with pytest.raises(KeyError), generation(tmp_path, None):
        raise KeyError
    assert not waits(tmp_path / "other", (0, 2), (1, 2))
    with generation(tmp_path, (0, 2)):
        pass


def test_many_writers_of_mixed_counts_all_get_their_turn(tmp_path: Path) -> None:
    active: list[int] = []
    mixed: list[set[int]] = []
    mutex = threading.Lock()

    def work(shard: Shard) -> None:
        with generation(tmp_path, shard):
            with mutex:
                active.append(shard[1] if shard else 1)
                mixed.append(set(active))
            with mutex:
                active.remove(shard[1] if shard else 1)

    shards: list[Shard] = [None, None, *((i, 3) for i in range(3)), *((i, 8) for i in range(8))]
    threads = [threading.Thread(target=work, args=(shard,)) for shard in shards * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(mixed) == len(shards) * 3
    assert all(len(counts) == 1 for counts in mixed)


def test_a_file_system_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "locks").write_text("a file")
    with (
        pytest.raises(StoreError, match=r"cannot lock .*/locks: File exists"),
        generation(tmp_path / "locks", None),
    ):
        pass
