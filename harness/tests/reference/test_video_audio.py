"""Made videos of the official layout through their reader, their decoder and a whole cell."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.data.load import load_dataset
from harness.data.video_frames import frame_places, video_frames
from harness.errors import DataError

pytestmark = pytest.mark.reference

ROOT = Path(__file__).parents[3]
LINES = "\n".join(f"{letter}. thing {letter.lower()}" for letter in "ABCDEFGH")
SHADE = 5  # the n-th frame of a made video is this much lighter than the one before it


def video(
    path: Path, n: int, times: Sequence[int] | None = None, *, head_first: bool = False
) -> Path:
    """An H.264 video of `n` frames at 10 a second, or at these multiples of 1/10 s."""
    import av

    options = {"movflags": "faststart"} if head_first else {}
    with av.open(str(path), "w", options=options) as container:
        stream: Any = container.add_stream("libx264", rate=10, options={"crf": "10"})
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        container.start_encoding()
        for number in range(n):
            pixels = np.full((48, 64, 3), number * SHADE % 256, np.uint8)
            frame = av.VideoFrame.from_ndarray(pixels, format="rgb24")
            frame.pts = number if times is None else times[number]
            for packet in stream.encode(frame):
                container.mux(packet)
        for packet in stream.encode():
            container.mux(packet)
    return path


def rows(video_id: str, **changed: Any) -> list[dict[str, Any]]:
    return [
        {
            "video_id": video_id, "url": "https://example.org/v", "group_type": "relevance",
            "group_structure": "[1, 2, 3, 4]", "question_id": f"{video_id}-{number}",
            "question": "What is seen?", "options": LINES, "answer": "ABCDEFGH"[number],
            "level": 1 if number == 4 else None, "second_head": None, "third_head": None,
        } | changed
        for number in (1, 2, 3, 4)
    ]  # fmt: skip


def test_made_videos_through_the_reader(tmp_path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    video(tmp_path / "001.mp4", 40)
    video(tmp_path / "002.mp4", 9)
    made = rows("001") + rows("002", group_type="logic")
    lines, parquet = tmp_path / "test.jsonl", tmp_path / "test.parquet"
    lines.write_text("".join(json.dumps(row) + "\n" for row in made), encoding="utf-8")
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(made), parquet)
    options = {"image_root": str(tmp_path)}
    first, second = (
        load_dataset("video-mme-v2", name="v", split="test", path=path, options=options)
        for path in (lines, parquet)
    )
    assert first.examples == second.examples
    assert first.fingerprint == second.fingerprint
    assert "level:1" in second.examples[0].tags
    for key, n in (("001", 40), ("002", 9)):
        example = next(e for e in second.examples if e.group == key)
        shown = [second.open_image(media) for media in example.media]
        assert {image.size for image in shown} == {(64, 48)}
        found = [image.getpixel((30, 20))[0] for image in shown]  # type: ignore[index]
        expected = [place * SHADE % 256 for place in frame_places(n)]
        assert np.abs(np.array(found) - expected).max() <= 2


STUDY = """
[study]
name = "made-videos"
seed = 20261130
[tiers.canary]
n = 8
[tiers.full]
[experiments.video-mme]
data = ["videos"]
prompts = ["question"]
[models.micro.source]
kind = "local"
path = "{root}/fixtures/micro/micro-sft"
[data.videos]
reader = "video-mme-v2"
split = "test"
path = "{folder}/test.jsonl"
image_root = "{folder}"
frames = 4
[prompts]
question = "{{question}} {{choices}}"
[decoding]
max_new_tokens = 8
batch_sizes = [4, 1]
[gates]
level = 0.95
min_parse_rate = 0.0
max_infrastructure_share = 0.0
batch_invariance_n = 8
batch_invariance_size = 4
"""


def test_a_video_cell_runs_to_its_verdict(tmp_path: Path) -> None:
    video(tmp_path / "001.mp4", 40)
    video(tmp_path / "002.mp4", 9)
    made = rows("001") + rows("002")
    lines = "".join(json.dumps(row) + "\n" for row in made)
    (tmp_path / "test.jsonl").write_text(lines, encoding="utf-8")
    study = tmp_path / "study.toml"
    study.write_text(STUDY.format(root=ROOT, folder=tmp_path), encoding="utf-8")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-m", "canary", "--color=no", "-q", "-p"),
            *("no:cacheprovider", f"--study={study}", f"--reports={tmp_path / 'reports'}"),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.stdout.rstrip().endswith("\nGO"), done.stdout
    text = (tmp_path / "reports/latest/metrics.json").read_text(encoding="utf-8")
    (cell,) = (c for c in json.loads(text)["cells"] if c["experiment"] == "video-mme")
    assert (cell["n"], cell["outcomes"]["answered"] + cell["outcomes"]["review"]) == (8, 8)


@pytest.mark.parametrize("n", [32, 33, 63, 100])
def test_the_same_frames_as_transformers(tmp_path: Path, n: int) -> None:
    from transformers.video_utils import load_video

    path = video(tmp_path / "a.mp4", n)
    theirs, about = load_video(str(path), num_frames=32, backend="pyav")
    ours = video_frames(path)
    assert list(ours.places) == [int(place) for place in about.frames_indices]
    assert (np.stack([np.asarray(image) for image in ours.images]) == theirs).all()
    assert (ours.n_total, ours.even) == (n, True)
    assert ours.times_s[-1] == pytest.approx(ours.places[-1] / 10)


def test_a_variable_rate_changes_times_alone(tmp_path: Path) -> None:
    even = video_frames(video(tmp_path / "a.mp4", 50))
    uneven = video_frames(video(tmp_path / "b.mp4", 50, [n * n for n in range(50)]))
    assert (even.places, even.even, uneven.even) == (uneven.places, True, False)
    assert uneven.times_s == pytest.approx([place**2 / 10 for place in uneven.places], abs=1e-3)


def test_a_short_video_gives_each_frame(tmp_path: Path) -> None:
    found = video_frames(video(tmp_path / "a.mp4", 3), 7)
    assert (found.places, found.n_total) == ((0, 0, 0, 1, 1, 2, 2), 3)
    assert found.images[0] is found.images[2]
    assert video_frames(video(tmp_path / "b.mp4", 1)).places == (0,) * 32


@pytest.mark.parametrize(
    ("head_first", "share"),
    [(False, 0.0), (False, 0.5), (False, 0.9), (True, 0.2), (True, 0.6), (True, 0.9), (True, 1.0)],
)
def test_a_video_cut_short(tmp_path: Path, head_first: bool, share: float) -> None:
    whole = video(tmp_path / "a.mp4", 120, head_first=head_first).read_bytes()
    (tmp_path / "b.mp4").write_bytes(whole[: max(0, int(len(whole) * share) - 1)])
    with pytest.raises(DataError, match=r"b\.mp4: expected .* cut short: replace it") as caught:
        video_frames(tmp_path / "b.mp4")
    assert str(tmp_path) not in str(caught.value)


def test_videos_that_are_none(tmp_path: Path) -> None:
    import av

    with pytest.raises(DataError, match=r"a\.mp4: no such file"):
        video_frames(tmp_path / "a.mp4")
    with pytest.raises(DataError, match="expected a video stream, found none"):
        video_frames(video(tmp_path / "empty.mp4", 0))
    with av.open(str(tmp_path / "sound.mp4"), "w") as container:
        stream: Any = container.add_stream("aac", rate=16_000)
        sound = av.AudioFrame.from_ndarray(np.zeros((1, 16_000), np.float32), "fltp", "mono")
        sound.sample_rate = 16_000
        for packet in (*stream.encode(sound), *stream.encode()):
            container.mux(packet)
    with pytest.raises(DataError, match="expected a video stream, found none"):
        video_frames(tmp_path / "sound.mp4")
    raw = bytearray(video(tmp_path / "b.mp4", 200, head_first=True).read_bytes())
    middle = len(raw) // 2
    raw[middle : middle + 300] = b"\x55" * 300
    (tmp_path / "b.mp4").write_bytes(raw)
    with pytest.raises(DataError, match=r"b\.mp4: "):
        video_frames(tmp_path / "b.mp4")
