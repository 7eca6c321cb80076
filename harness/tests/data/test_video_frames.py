"""The rule for places, the store of frames, and what is said without the package or the video."""

from __future__ import annotations

import itertools
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from harness import ids
from harness.data import video_store
from harness.data.video_frames import N_FRAMES, Frames, frame_places, video_frames
from harness.data.video_store import VideoStore
from harness.errors import DataError
from harness.types import Media


@pytest.mark.parametrize(
    ("n_total", "n", "places"),
    [
        (32, 32, tuple(range(32))),
        (64, 32, tuple(range(0, 64, 2))),
        (100, 4, (0, 25, 50, 75)),
        (7, 3, (0, 2, 4)),
        (3, 7, (0, 0, 0, 1, 1, 2, 2)),
        (1, 3, (0, 0, 0)),
        (5, 1, (0,)),
    ],
)
def test_places(n_total: int, n: int, places: tuple[int, ...]) -> None:
    assert frame_places(n_total, n) == places


@given(st.integers(1, 10**7), st.integers(1, 300))
def test_places_are_uniform(n_total: int, n: int) -> None:
    places = frame_places(n_total, n)
    assert len(places) == n
    assert places[0] == 0
    assert places[-1] < n_total
    gaps = {b - a for a, b in itertools.pairwise(places)}
    assert len(gaps) <= 2
    assert not gaps or max(gaps) - min(gaps) <= 1
    if n_total <= n:
        assert set(places) == set(range(n_total))


@pytest.mark.parametrize(("n_total", "n"), [(0, 4), (4, 0), (-1, 4)])
def test_no_places(n_total: int, n: int) -> None:
    with pytest.raises(DataError, match="expected at least one frame"):
        frame_places(n_total, n)


def test_without_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(DataError, match=r"a\.mp4: videos are decoded with the package av, .*video"):
        video_frames(tmp_path / "a.mp4")


class FakeAv:
    """PyAV as far as it is used: `packets` (size, discarded, torn), and frames by reading."""

    class FFmpegError(Exception):
        pass

    def __init__(self, packets: Sequence[tuple[int, bool, bool]], *readings: Sequence[Any]) -> None:
        self.packets = packets
        self.readings = list(readings)
        self.stated = 0
        self.streams = SimpleNamespace(video=[self])
        self.codec_context = SimpleNamespace(width=4, height=4)

    @property
    def frames(self) -> int:
        return self.stated

    @contextmanager
    def open(self, path: str) -> Iterator[FakeAv]:
        yield self

    def demux(self, stream: object) -> Iterator[SimpleNamespace]:
        for size, discarded, torn in (*self.packets, (0, False, False)):
            yield SimpleNamespace(size=size, is_discard=discarded, is_corrupt=torn)

    def decode(self, stream: object) -> Iterator[SimpleNamespace]:
        for made in self.readings.pop(0):
            if isinstance(made, Exception):
                raise made
            yield made


def shown(place: int, *, time: float | None = None, width: int = 4, bad: bool = False) -> Any:
    image = Image.new("RGB", (width, 4), (place, 0, 0))
    return SimpleNamespace(time=time, width=width, height=4, is_corrupt=bad, to_image=lambda: image)


def read(folder: Path, monkeypatch: pytest.MonkeyPatch, fake: FakeAv, n: int = 4) -> Frames:
    monkeypatch.setitem(sys.modules, "av", fake)
    (folder / "a.mp4").write_bytes(b"")
    return video_frames(folder / "a.mp4", n)


WHOLE = (9, False, False)


def test_packets_that_are_not_shown_do_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = FakeAv([(9, True, False), *[WHOLE] * 8], [shown(k, time=k / 4 + 3) for k in range(8)])
    fake.stated = 9
    found = read(tmp_path, monkeypatch, fake)
    assert (found.places, found.n_total, found.even) == ((0, 2, 4, 6), 8, True)
    assert found.times_s == (0.0, 0.5, 1.0, 1.5)


def test_the_decoder_says_how_many_frames_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = [shown(k, time=k) for k in range(4)]
    fake = FakeAv([WHOLE] * 8, frames, frames)
    found = read(tmp_path, monkeypatch, fake)
    assert (found.places, found.n_total) == ((0, 1, 2, 3), 4)
    assert [image.getpixel((0, 0))[0] for image in found.images] == [0, 1, 2, 3]
    fake = FakeAv([WHOLE] * 8, frames, frames[:3])
    with pytest.raises(DataError, match="each reading gives another number"):
        read(tmp_path, monkeypatch, fake)


@pytest.mark.parametrize(
    ("packets", "frames", "said"),
    [
        ([], [], "expected frames, found none"),
        ([(9, True, False)], [], "expected frames, found none"),
        ([WHOLE], [], "expected frames, found none"),
        ([WHOLE, (9, False, True)], [], "expected 2 whole frames, found 1"),
        ([WHOLE] * 2, [shown(0), shown(1, bad=True)], "frame 1 is damaged"),
        ([WHOLE] * 2, [shown(0), shown(1, width=2)], "frames of one size, found 2x4, 4x4"),
        ([WHOLE], [FakeAv.FFmpegError()], "cannot be decoded (FFmpegError)"),
        ([WHOLE], [EOFError()], "cannot be decoded (EOFError)"),
    ],
)
def test_videos_that_are_refused(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    packets: Sequence[tuple[int, bool, bool]],
    frames: Sequence[Any],
    said: str,
) -> None:
    with pytest.raises(DataError) as caught:
        read(tmp_path, monkeypatch, FakeAv(packets, frames, frames))
    assert said in str(caught.value)
    assert str(caught.value).startswith("a.mp4: ")


def test_heads_that_cannot_be_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeAv([WHOLE] * 3)
    fake.stated = 4
    with pytest.raises(DataError, match="expected 4 whole frames, found 3"):
        read(tmp_path, monkeypatch, fake)
    fake.streams = SimpleNamespace(video=[])
    with pytest.raises(DataError, match="expected a video stream"):
        read(tmp_path, monkeypatch, fake)
    fake.streams = SimpleNamespace(video=[fake])
    fake.codec_context = SimpleNamespace(width=10**5, height=10**5)
    with pytest.raises(DataError, match="expected at most 89478485 pixels, found 100000x100000"):
        read(tmp_path, monkeypatch, fake)
    with pytest.raises(DataError, match=r"b\.mp4: no such file"):
        video_frames(tmp_path / "b.mp4")


def test_frames_without_times_count_as_even(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = read(tmp_path, monkeypatch, FakeAv([WHOLE] * 2, [shown(0), shown(1)]), 2)
    assert (found.times_s, found.even) == ((0.0, 1.0), True)


class Decoder:
    """Stands in for the decoder: one colour a video, and a list of what was decoded."""

    def __init__(self) -> None:
        self.decoded: list[str] = []

    def __call__(self, path: Path, n: int) -> Frames:
        self.decoded.append(path.name)
        shade = int(path.stem)
        images = tuple(Image.new("RGB", (2, 2), (shade, place, 0)) for place in range(n))
        return Frames(
            images=images, places=tuple(range(n)), times_s=(0.0,) * n, n_total=n, even=True
        )


@pytest.fixture
def decoder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Decoder]:
    made = Decoder()
    monkeypatch.setattr(video_store, "video_frames", made)
    yield made


def store(folder: Path, n_videos: int = 5, n: int = 4) -> VideoStore:
    names = [f"{number:03d}.mp4" for number in range(1, n_videos + 1)]
    for name in names:
        (folder / name).write_bytes(name.encode())
    hashes = {name: ids.file_digest(folder / name) for name in names}
    return VideoStore("v/test", folder, hashes, n)


def frame(video: int, at: str) -> Media:
    return Media(kind="image", name=f"{video:03d}.mp4#{at}", sha256=None)


def test_a_video_is_decoded_once_for_all_its_frames(tmp_path: Path, decoder: Decoder) -> None:
    held = store(tmp_path)
    for number in (1, 2, 3):
        for at in range(1, 5):
            image = held.frame(frame(number, f"{at}/4"))
            assert image.getpixel((0, 0)) == (number, at - 1, 0)
    assert decoder.decoded == ["001.mp4", "002.mp4", "003.mp4"]
    held.frame(frame(2, "1/4"))
    assert len(decoder.decoded) == 3
    held.frame(frame(1, "1/4"))
    assert decoder.decoded[3:] == ["001.mp4"]


def test_each_picture_is_its_own(tmp_path: Path, decoder: Decoder) -> None:
    held = store(tmp_path)
    held.frame(frame(1, "1/4")).putpixel((0, 0), (9, 9, 9))
    assert held.frame(frame(1, "1/4")).getpixel((0, 0)) == (1, 0, 0)


def test_threads_do_not_take_each_others_videos(tmp_path: Path, decoder: Decoder) -> None:
    held = store(tmp_path, n_videos=4)
    together = threading.Barrier(4)

    def read(number: int) -> list[tuple[int, ...]]:
        together.wait(timeout=10)
        return [held.frame(frame(number, f"{at}/4")).getpixel((0, 0)) for at in (1, 2, 3, 4)]

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(read, (1, 2, 3, 4)))
    assert found == [[(number, at, 0) for at in range(4)] for number in (1, 2, 3, 4)]
    assert sorted(decoder.decoded) == ["001.mp4", "002.mp4", "003.mp4", "004.mp4"]


@pytest.mark.parametrize(
    "name", ["009.mp4#1/4", "001.mp4#5/4", "001.mp4#0/4", "001.mp4#1/32", "001.mp4", "../x#1/4"]
)
def test_a_frame_that_is_not_of_the_split(tmp_path: Path, decoder: Decoder, name: str) -> None:
    with pytest.raises(DataError, match="no frame .* in this split"):
        store(tmp_path).frame(Media(kind="image", name=name, sha256=None))
    assert decoder.decoded == []


def test_a_changed_or_lost_video(tmp_path: Path, decoder: Decoder) -> None:
    held = store(tmp_path)
    (tmp_path / "001.mp4").write_bytes(b"other")
    (tmp_path / "002.mp4").unlink()
    for number in (1, 2):
        with pytest.raises(DataError, match=f"'00{number}.mp4' changed since it was hashed"):
            held.frame(frame(number, "1/4"))
    assert decoder.decoded == []
    with pytest.raises(DataError, match="set image_root"):
        VideoStore("v/test", None, {"001.mp4": None}, N_FRAMES).frame(frame(1, "1/32"))
