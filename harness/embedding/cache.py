"""Vectors on disk, by the text's hash and all else that they depend on: embed once."""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from harness.embedding.base import Embedded, Embedder, EmbedderIdentity
from harness.errors import DataError, StoreError
from harness.ids import canonical_json, slug
from harness.locks import try_lock

_KEY, _FLAGS, _SUM = 32, 1, 4
_TRUNCATED, _ESTIMATED = 1, 2
_BATCH = 512
_NORM_TOLERANCE = 1e-3

_Place = tuple[Path, int]


class VectorCache:
    """A folder of vectors, one sub-folder for each embedder identity.

    Records of one size (key, flags, float32 little-endian, checksum) are appended to segments;
    a process owns the segment that it writes, so any number may work at once. A record that was
    cut by a kill, or whose checksum is wrong, is not used and is counted in `dropped`; its text
    is embedded again.

    Parameters
    ----------
    folder : made if need be.

    Attributes
    ----------
    hits, misses : texts of all calls that were read, and that were embedded; equal texts of one
        call are embedded once, the rest of them are hits.
    dropped : records that were damaged.

    Notes
    -----
    Each vector known takes about 200 bytes of memory beside its place on the disk.

    Examples
    --------
    >>> import tempfile
    >>> from harness.embedding.hashing import Hashing
    >>> cache = VectorCache(Path(tempfile.mkdtemp()))
    >>> first = cache.embed(Hashing(), ["a ball", "a train", "a ball"])
    >>> again = VectorCache(cache.folder)
    >>> bool((again.embed(Hashing(), ["a train"]).vectors == first.vectors[1]).all())
    True
    >>> (cache.hits, cache.misses), (again.hits, again.misses)
    ((1, 2), (1, 0))
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.hits = 0
        self.misses = 0
        self.dropped = 0
        self._known: dict[str, dict[bytes, _Place]] = {}
        self._read: dict[Path, int] = {}

    def embed(self, embedder: Embedder, texts: Sequence[str]) -> Embedded:
        """The vectors of some texts, read where they are known, else made and kept.

        Parameters
        ----------
        embedder : its identity is part of the key.
        texts : each with a letter or a digit.

        Returns
        -------
        Embedded
            In the order of the texts. What was made before an error is kept.

        Raises
        ------
        StoreError
            When the folder cannot be read or written.
        DataError
            For an embedder whose vectors are not what its identity says, or not finite, or not
            of length 1.
        """
        identity = embedder.identity
        folder = self._folder(identity)
        known = self._known.setdefault(identity.fingerprint(), {})
        keys = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
        self._refresh(folder, identity.dimensions, known)
        wanted = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        missing = list(wanted.items())
        if missing:
            with _owned(folder, _size(identity.dimensions)) as (segment, torn):
                self.dropped += torn
                for begin in range(0, len(missing), _BATCH):
                    batch = missing[begin : begin + _BATCH]
                    made = embedder.embed([text for _, text in batch])
                    _check(made, len(batch), identity)
                    self._append(segment, [key for key, _ in batch], made)
                self._refresh(folder, identity.dimensions, known)
        self.misses += len(missing)
        self.hits += len(texts) - len(missing)
        return self._looked_up(keys, known, identity.dimensions)

    def _folder(self, identity: EmbedderIdentity) -> Path:
        folder = self.folder / f"{slug(identity.name)}-{identity.fingerprint()[:16]}"
        with _naming(folder, "make"):
            folder.mkdir(parents=True, exist_ok=True)
            said = folder / "identity.json"
            if not said.exists():
                draft = folder / f".identity.{os.getpid()}.draft"
                draft.write_text(canonical_json(identity) + "\n", encoding="ascii")
                os.replace(draft, said)
        return folder

    def _refresh(self, folder: Path, n_dimensions: int, known: dict[bytes, _Place]) -> None:
        """Take in the whole records that were added to any segment since the last call."""
        size = _size(n_dimensions)
        for path in sorted(folder.glob("*.vec")):
            with _naming(path, "read"), open(path, "rb") as handle:
                place = self._read.get(path, 0)
                handle.seek(place)
                while len(record := handle.read(size)) == size:
                    body, told = record[:-_SUM], record[-_SUM:]
                    if zlib.crc32(body).to_bytes(_SUM, "little") == told:
                        known.setdefault(body[:_KEY], (path, place))
                    else:
                        self.dropped += 1
                    place += size
                self._read[path] = place

    def _append(self, segment: int, keys: Sequence[bytes], made: Embedded) -> None:
        records = []
        flags = made.truncated * _TRUNCATED + made.estimated * _ESTIMATED
        for key, flag, vector in zip(keys, flags.tolist(), made.vectors, strict=True):
            body = key + bytes([flag]) + vector.astype("<f4").tobytes()
            records.append(body + zlib.crc32(body).to_bytes(_SUM, "little"))
        view = memoryview(b"".join(records))
        with _naming(self.folder, "write"):
            while view:
                view = view[os.write(segment, view) :]
            os.fsync(segment)

    def _looked_up(
        self, keys: Sequence[bytes], known: dict[bytes, _Place], n_dimensions: int
    ) -> Embedded:
        vectors = np.empty((len(keys), n_dimensions), np.float32)
        flags = np.zeros(len(keys), np.uint8)
        by_path: dict[Path, list[tuple[int, int]]] = {}
        for row, key in enumerate(keys):
            path, place = known[key]
            by_path.setdefault(path, []).append((place, row))
        for path, places in by_path.items():
            with _naming(path, "read"), open(path, "rb") as handle:
                for place, row in sorted(places):
                    handle.seek(place + _KEY)
                    data = handle.read(_FLAGS + 4 * n_dimensions)
                    flags[row] = data[0]
                    vectors[row] = np.frombuffer(data, "<f4", offset=_FLAGS)
        return Embedded(vectors, flags & _TRUNCATED > 0, flags & _ESTIMATED > 0)


def _size(n_dimensions: int) -> int:
    return _KEY + _FLAGS + 4 * n_dimensions + _SUM


@contextmanager
def _owned(folder: Path, size: int) -> Iterator[tuple[int, bool]]:
    """The first segment that no living process writes, cut to whole records, and whether it was."""
    number = 0
    while True:
        path = folder / f"s{number:03d}.vec"
        with _naming(path, "open"):
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            with _naming(path, "lock"):
                mine = try_lock(descriptor, exclusive=True)
            if mine:
                with _naming(path, "cut the torn end of"):
                    length = os.fstat(descriptor).st_size
                    if length % size:
                        os.ftruncate(descriptor, length - length % size)
                yield descriptor, length % size > 0
                return
        finally:
            os.close(descriptor)
        number += 1


def _check(made: Embedded, count: int, identity: EmbedderIdentity) -> None:
    expected = (count, identity.dimensions)
    vectors: NDArray[np.float32] = made.vectors
    if vectors.shape != expected or vectors.dtype != np.float32:
        raise DataError(
            f"embedder {identity.name}: expected vectors of float32 and shape {expected}, found "
            f"{vectors.dtype} of shape {vectors.shape}"
        )
    lengths = np.sqrt((vectors.astype(np.float64) ** 2).sum(axis=1))
    bad = np.flatnonzero(~(np.abs(lengths - 1) <= _NORM_TOLERANCE))
    if len(bad):
        raise DataError(
            f"embedder {identity.name}: expected vectors of length 1, found {lengths[bad[0]]:g}; "
            "nothing of this batch was kept"
        )


@contextmanager
def _naming(path: Path, action: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(
            f"vector cache: cannot {action} {path.parent.name}/{path.name}: "
            f"{error.strerror or type(error).__name__}; what was kept before is not lost, so mend "
            "the cause and run again"
        ) from error


__all__ = ["VectorCache"]
