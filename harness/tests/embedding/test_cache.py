"""Vectors on disk: read back bit for bit, kept apart, and safe against kills and neighbours."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from harness.embedding.base import Embedded, EmbedderIdentity
from harness.embedding.cache import VectorCache
from harness.embedding.hashing import Hashing
from harness.errors import DataError, ModelError, StoreError

SIZE = 32 + 1 + 4 * 2048 + 4
TEXTS = [f"a ball of {n} kg" for n in range(6)]


class Counting:
    """The hashing embedder, which counts; it may fail, or call every second text cut."""

    threshold = 0.5

    def __init__(self, identity: EmbedderIdentity = Hashing.identity, fail_at: int = 10**9) -> None:
        self.identity = identity
        self.fail_at = fail_at
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> Embedded:
        if len(self.asked) + len(texts) > self.fail_at:
            raise ModelError("no answer")
        self.asked += texts
        made = Hashing().embed(texts)
        odd = np.arange(len(texts)) % 2 == 1
        return Embedded(made.vectors, odd, ~odd)


def segments(folder: Path) -> list[Path]:
    return sorted(folder.glob("*/*.vec"))


def test_every_text_is_embedded_once(tmp_path: Path) -> None:
    embedder, cache = Counting(), VectorCache(tmp_path)
    first = cache.embed(embedder, [*TEXTS, TEXTS[0]])
    again = VectorCache(tmp_path)
    second = again.embed(embedder, [TEXTS[3], *TEXTS])
    assert embedder.asked == TEXTS
    assert (cache.hits, cache.misses) == (1, 6)
    assert (again.hits, again.misses) == (7, 0)
    assert (first.vectors[:6] == Hashing().embed(TEXTS).vectors).all()
    assert (first.vectors[[3, *range(6)]] == second.vectors).all()
    assert first.truncated.tolist() == [False, True] * 3 + [False]
    assert second.truncated.tolist() == [True, *[False, True] * 3]
    assert (second.estimated == ~second.truncated).all()
    assert again.embed(embedder, []).vectors.shape == (0, 2048)


def test_another_identity_shares_nothing(tmp_path: Path) -> None:
    cache, identity = VectorCache(tmp_path), Hashing.identity
    changed = [replace(identity, prompt="q: "), replace(identity, revision="2")]
    embedders = [Counting(one) for one in [identity, *changed]]
    for embedder in embedders:
        cache.embed(embedder, TEXTS)
        assert embedder.asked == TEXTS
    assert len(list(tmp_path.glob("hashing-*/identity.json"))) == 3


def test_what_was_made_before_a_failure_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.embedding.cache._BATCH", 2)
    embedder = Counting(fail_at=4)
    with pytest.raises(ModelError, match="no answer"):
        VectorCache(tmp_path).embed(embedder, TEXTS)
    resumed = Counting()
    VectorCache(tmp_path).embed(resumed, TEXTS)
    assert (embedder.asked, resumed.asked) == (TEXTS[:4], TEXTS[4:])


@pytest.mark.parametrize("cut", [1, 4, 100, SIZE - 1])
def test_a_torn_end_is_cut_and_counted(tmp_path: Path, cut: int) -> None:
    VectorCache(tmp_path).embed(Counting(), TEXTS)
    (path,) = segments(tmp_path)
    assert path.stat().st_size == 6 * SIZE
    os.truncate(path, 6 * SIZE - cut)
    embedder, cache = Counting(), VectorCache(tmp_path)
    made = cache.embed(embedder, TEXTS)
    assert embedder.asked == TEXTS[5:]
    assert (cache.dropped, cache.misses) == (1, 1)
    assert (made.vectors == Hashing().embed(TEXTS).vectors).all()
    assert path.stat().st_size == 6 * SIZE


def test_a_damaged_record_is_embedded_again(tmp_path: Path) -> None:
    VectorCache(tmp_path).embed(Counting(), TEXTS)
    (path,) = segments(tmp_path)
    data = bytearray(path.read_bytes())
    for place in (2 * SIZE + 5, 4 * SIZE + 700):
        data[place] ^= 1
    path.write_bytes(data)
    for asked, dropped in (([TEXTS[2], TEXTS[4]], 2), ([], 2)):
        embedder, cache = Counting(), VectorCache(tmp_path)
        made = cache.embed(embedder, TEXTS)
        assert (embedder.asked, cache.dropped) == (asked, dropped)
        assert (made.vectors == Hashing().embed(TEXTS).vectors).all()


def test_two_at_once_write_two_segments(tmp_path: Path) -> None:
    """The second comes while the first is embedding, and each finds what the other made."""
    inside, go = threading.Event(), threading.Event()

    class Waiting(Counting):
        def embed(self, texts: Sequence[str]) -> Embedded:
            inside.set()
            assert go.wait(10)
            return super().embed(texts)

    slow, first, second = Waiting(), VectorCache(tmp_path), VectorCache(tmp_path)
    thread = threading.Thread(target=first.embed, args=(slow, TEXTS[:4]))
    thread.start()
    assert inside.wait(10)
    second.embed(Counting(), TEXTS[2:])
    go.set()
    thread.join()
    assert [path.stat().st_size for path in segments(tmp_path)] == [4 * SIZE] * 2
    for cache in (first, second, VectorCache(tmp_path)):
        embedder = Counting()
        assert (cache.embed(embedder, TEXTS).vectors == Hashing().embed(TEXTS).vectors).all()
        assert embedder.asked == []


def test_what_is_no_unit_vector_is_not_kept(tmp_path: Path) -> None:
    class Bad(Counting):
        def __init__(self, vectors: object) -> None:
            super().__init__()
            self.vectors = np.asarray(vectors)

        def embed(self, texts: Sequence[str]) -> Embedded:
            none = np.zeros(len(texts), bool)
            return Embedded(self.vectors, none, none)

    fine = Hashing().embed(TEXTS[:1]).vectors
    for vectors, message in (
        (fine[:, :5], r"shape \(1, 2048\), found float32 of shape \(1, 5\)"),
        (fine.astype(np.float64), "found float64"),
        (2 * fine, "length 1, found 2"),
        (np.nan * fine, "length 1, found nan"),
    ):
        with pytest.raises(DataError, match=message):
            VectorCache(tmp_path).embed(Bad(vectors), TEXTS[:1])
    assert all(path.stat().st_size == 0 for path in segments(tmp_path))


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("x")
    with pytest.raises(StoreError, match=r"cannot make file/hashing-.*Not a directory"):
        VectorCache(blocked).embed(Counting(), TEXTS)
