"""Frames of a video at stated places, decoded with PyAV; the rule for places needs no video."""

from __future__ import annotations

import importlib
import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.errors import DataError

if TYPE_CHECKING:
    from PIL.Image import Image

N_FRAMES = 32
RULE = "uniform-floor-1"
MAX_PX = 89_478_485
_UNEVEN = 1e-3


@dataclass(frozen=True, kw_only=True, slots=True)
class Frames:
    """Frames of one video in the order of time.

    `images` are RGB, all of one size; `places` their numbers among the `n_total` frames that the
    video shows, from 0, equal ones where the video is short; `times_s` their times from the first
    frame shown. `even` says whether those frames are equally long: False is a variable rate.
    """

    images: tuple[Image, ...]
    places: tuple[int, ...]
    times_s: tuple[float, ...]
    n_total: int
    even: bool


def frame_places(n_total: int, n: int = N_FRAMES) -> tuple[int, ...]:
    """Say which frames of a video are looked at: frame floor(i · n_total / n) for i = 0 … n - 1.

    The frames are those that the video shows, counted from 0 in the order of time; how long each
    is shown does not matter. The first frame is always among them, the last one only where
    n ≥ n_total. A video of fewer than n frames gives each of them, as evenly repeated as possible,
    so that there are always n. Published loaders follow the same rule and refuse such videos.

    Parameters
    ----------
    n_total : frames of the video, at least 1.
    n : frames that are wanted, at least 1.

    Returns
    -------
    tuple of int
        Never falling, each from 0 to n_total - 1.

    Raises
    ------
    DataError
        For a number below 1.

    Examples
    --------
    >>> frame_places(10, 4), frame_places(2, 4)
    ((0, 2, 5, 7), (0, 0, 1, 1))
    """
    if n_total < 1 or n < 1:
        raise DataError(f"expected at least one frame, and one to take, found {n_total} and {n}")
    return tuple(i * n_total // n for i in range(n))


def video_frames(path: Path, n: int = N_FRAMES) -> Frames:
    """Decode the frames of a video at the places that `frame_places` names.

    The first video stream counts. The number of its frames is what the decoder gives, not what
    the file's head says. Pixels are taken as coded: no turning, no correction of their aspect.

    Parameters
    ----------
    path : an MP4, or another file that FFmpeg reads.
    n : frames that are wanted, at least 1.

    Returns
    -------
    Frames
        `n` RGB pictures at the size of the video; equal places share one picture.

    Raises
    ------
    DataError
        For a missing file, one that is no video, that is cut short or damaged, whose head
        promises more frames than are there, that holds no frame, whose frames change their size
        or are larger than 89,478,485 pixels; and without the package av.

    References
    ----------
    C. Fu et al., "Video-MME: the first-ever comprehensive evaluation benchmark of multi-modal LLMs
    in video analysis", CVPR (2025): frames sampled uniformly.
    """
    frame_places(1, n)
    av = _av(path.name)
    if not path.is_file():
        raise DataError(
            f"{path.name}: no such file; check the video folder or fetch the data first"
        )
    try:
        n_total = _n_packets(av, path)
        # Some codecs show fewer frames than there are packets: then the true number is used.
        for _ in range(2):
            wanted = frame_places(n_total, n)
            images, times, n_shown = _decoded(av, path, frozenset(wanted))
            if n_shown == n_total:
                break
            n_total = _some(path, n_shown)
    except (av.FFmpegError, EOFError) as error:
        raise DataError(
            f"{path.name}: expected a whole video, found one that cannot be decoded "
            f"({type(error).__name__}); it may be cut short: replace it by a whole copy"
        ) from error
    if n_shown != n_total or any(place not in images for place in wanted):
        raise DataError(f"{path.name}: each reading gives another number of frames; replace it")
    return Frames(
        images=tuple(images[place] for place in wanted),
        places=wanted,
        times_s=tuple(times[place] - times[0] for place in wanted),
        n_total=n_total,
        even=_is_even(times),
    )


def _av(name: str) -> Any:
    try:
        return importlib.import_module("av")
    except ImportError as error:
        raise DataError(
            f"{name}: videos are decoded with the package av, which is not installed; "
            "install this project with its extra `video`"
        ) from error


def _stream(container: Any, path: Path) -> Any:
    if not container.streams.video:
        raise DataError(f"{path.name}: expected a video stream, found none; leave the video out")
    return container.streams.video[0]


def _n_packets(av: Any, path: Path) -> int:
    """The packets that are shown, counted without decoding; fewer than stated is a torn file."""
    with av.open(str(path)) as container:
        stream = _stream(container, path)
        stated = int(stream.frames)
        width, height = stream.codec_context.width, stream.codec_context.height
        if width * height > MAX_PX:
            raise DataError(
                f"{path.name}: expected at most {MAX_PX} pixels, found {width}x{height}"
            )
        found = shown = torn = 0
        for packet in container.demux(stream):
            # The last packet is empty: it only asks the decoder for what is left.
            if packet.size:
                found += 1
                shown += not packet.is_discard
                torn += packet.is_corrupt
    if found < stated or torn:
        raise DataError(
            f"{path.name}: expected {max(stated, found)} whole frames, found {found - torn}; the "
            "video is cut short: replace it by a whole copy"
        )
    return _some(path, shown)


def _some(path: Path, n_total: int) -> int:
    if n_total < 1:
        raise DataError(f"{path.name}: expected frames, found none; leave the video out")
    return n_total


def _decoded(
    av: Any, path: Path, wanted: frozenset[int]
) -> tuple[dict[int, Image], list[float], int]:
    """The wanted pictures by place, the time of every frame, and how many there are."""
    images: dict[int, Image] = {}
    times: list[float] = []
    sizes = set()
    with av.open(str(path)) as container:
        stream = _stream(container, path)
        stream.thread_type = "AUTO"
        for place, frame in enumerate(container.decode(stream)):
            if frame.is_corrupt:
                raise DataError(
                    f"{path.name}: frame {place} is damaged; replace the video by a whole copy"
                )
            times.append(float(place) if frame.time is None else float(frame.time))
            sizes.add((frame.width, frame.height))
            if place in wanted:
                images[place] = frame.to_image()
    if len(sizes) > 1:
        shown = ", ".join(f"{w}x{h}" for w, h in sorted(sizes))
        raise DataError(f"{path.name}: expected frames of one size, found {shown}")
    return images, times, len(times)


def _is_even(times: list[float]) -> bool:
    steps = [b - a for a, b in itertools.pairwise(times)]
    return not steps or max(steps) - min(steps) <= _UNEVEN


__all__ = ["N_FRAMES", "RULE", "Frames", "frame_places", "video_frames"]
