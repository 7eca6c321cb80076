"""Frames of a data set's videos on request: each video is decoded once while it is in use."""

from __future__ import annotations

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from harness import ids
from harness.data.video_frames import Frames, video_frames
from harness.errors import DataError
from harness.types import Media

if TYPE_CHECKING:
    from PIL.Image import Image

_KEPT = 2


class VideoStore:
    """The videos of one split, by the names of their frames: "001.mp4#7/32".

    Threads may share it. It keeps the frames of the last two videos, and of the last one of each
    thread: a thread that opens the frames of one example in turn decodes its video once.

    Parameters
    ----------
    where : the data set and split, for messages.
    root : the folder of the videos, or None where there is none.
    hashes : SHA-256 of each file, as it was when the table was read.
    n_frames : frames that are taken of each video, at least 1.
    """

    def __init__(
        self, where: str, root: Path | None, hashes: Mapping[str, str | None], n_frames: int
    ) -> None:
        self._where = where
        self._root = root
        self._hashes = hashes
        self._n_frames = n_frames
        self._kept: OrderedDict[str, Frames] = OrderedDict()
        self._own = threading.local()
        self._lock = threading.Lock()
        self._turns: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)

    def frame(self, media: Media) -> Image:
        """Open one frame, as a picture of its own.

        Raises
        ------
        DataError
            Without a folder of videos; for a name that no frame of the split has; a video that
            changed since it was hashed, or that cannot be decoded (see `video_frames`).
        """
        if self._root is None:
            raise DataError(
                f"{self._where}: frame {media.name!r} is asked for, but the study names no folder "
                "of videos; set image_root"
            )
        file, _, at = media.name.rpartition("#")
        numbers = {f"{k}/{self._n_frames}": k for k in range(1, self._n_frames + 1)}
        if file not in self._hashes or at not in numbers:
            raise DataError(f"{self._where}: no frame {media.name!r} in this split")
        return self._frames(self._root / file).images[numbers[at] - 1].copy()

    def _frames(self, path: Path) -> Frames:
        last: tuple[str, Frames] | None = getattr(self._own, "last", None)
        if last is not None and last[0] == path.name:
            return last[1]
        with self._lock:
            turn = self._turns[path.name]
        with turn:
            with self._lock:
                found = self._kept.get(path.name)
            if found is None:
                found = self._decoded(path)
        with self._lock:
            self._kept[path.name] = found
            self._kept.move_to_end(path.name)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        self._own.last = (path.name, found)
        return found

    def _decoded(self, path: Path) -> Frames:
        if not path.is_file() or ids.file_digest(path) != self._hashes[path.name]:
            raise DataError(
                f"{self._where}: video {path.name!r} changed since it was hashed; read the table "
                "again"
            )
        return video_frames(path, self._n_frames)


__all__ = ["VideoStore"]
