"""Every answer belongs to the picture of its own example."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from harness.errors import DataError
from harness.run import run_cell
from harness.tests.run.stand_ins import Bench, Stub, cell, dataset, picture, pixel_hash
from harness.types import CellResult, Dataset, Decoding, Media, ModelSpec, Request, View

SHUFFLED = View(name="shuffled", steps=(("partner", (("offset", 1),)),))


def seen(request: Request) -> str:
    return " ".join(pixel_hash(image) for image in request.images) or "no picture"


def texts(result: CellResult) -> dict[str, str | None]:
    return {r.example_id: r.text for r in result.responses}


def ran(runs: Path, data: Dataset, **changes: Any) -> CellResult:
    return run_cell(cell(**changes), Bench(runs, data, Stub(answer=seen)).context(n_threads=2))


@pytest.mark.parametrize("sizes", [(1,), (4, 1), (8, 4, 1)])
def test_each_answer_belongs_to_its_own_picture_at_any_batch_size(
    tmp_path: Path, sizes: tuple[int, ...]
) -> None:
    decoding = Decoding(max_new_tokens=8, batch_sizes=sizes)
    data = dataset(11, images=True)
    result = ran(tmp_path, data, decoding=decoding)
    assert texts(result) == {e.id: e.media[0].sha256 for e in data.examples}
    assert result.batch_size == sizes[0]


def test_pictures_join_by_name_not_by_place(tmp_path: Path) -> None:
    names = [f"p{i}" for i in range(10)]
    shelf = {name: picture(name) for name in reversed(names)}
    data = dataset(10, images=True, open_image=lambda media: shelf[media.name].copy())
    backwards = replace(data, examples=data.examples[::-1])
    assert texts(ran(tmp_path / "a", data)) == texts(ran(tmp_path / "b", backwards))


def test_a_picture_that_cannot_be_opened_is_one_row(tmp_path: Path) -> None:
    data = dataset(10, images=True, broken=["p3"])
    result = ran(tmp_path, data)
    bad = [r for r in result.responses if r.status != "ok"]
    assert [r.example_id for r in bad] == ["q003"]
    assert bad[0].text is None
    assert bad[0].error is not None
    assert bad[0].error.startswith("DataError: ")
    assert "secret" not in bad[0].error
    assert result.counts["answered"] + result.counts["review"] == 9


@pytest.mark.parametrize("error", [OSError("cut"), ValueError("mode"), SyntaxError("broken PNG")])
def test_whatever_pillow_raises_on_opening_is_one_row(tmp_path: Path, error: Exception) -> None:
    def open_image(media: Media) -> Image.Image:
        if media.name == "p0":
            raise error
        return picture(media.name)

    result = ran(tmp_path, dataset(4, images=True, open_image=open_image))
    assert [r.status for r in result.responses] == ["error", "ok", "ok", "ok"]
    assert result.responses[0].error == f"{type(error).__name__}: {error}"


def test_another_fault_of_opening_stops_the_cell(tmp_path: Path) -> None:
    def open_image(media: Media) -> Image.Image:
        raise KeyError("a bug")

    with pytest.raises(KeyError):
        ran(tmp_path, dataset(4, images=True, open_image=open_image))


def test_shuffled_shows_the_picture_of_the_next_example_of_the_split(tmp_path: Path) -> None:
    data = dataset(10, images=True)
    following = {
        e.id: data.examples[(i + 1) % 10].media[0].sha256 for i, e in enumerate(data.examples)
    }
    whole = texts(ran(tmp_path, data, view=SHUFFLED))
    assert whole == following
    small = texts(ran(tmp_path / "small", data, view=SHUFFLED, n=3))
    assert small == {i: following[i] for i in small}


def test_a_view_that_cannot_be_applied_stops_the_cell(tmp_path: Path) -> None:
    data = dataset(4, images=True)
    blind = replace(data.examples[1], media=())
    data = replace(data, examples=(data.examples[0], blind, *data.examples[2:]))
    with pytest.raises(DataError, match="example 'q000'"):
        ran(tmp_path, data, view=SHUFFLED)


def test_an_example_without_pictures_is_asked_without(tmp_path: Path) -> None:
    assert set(texts(ran(tmp_path, dataset(3))).values()) == {"no picture"}


def test_a_replayed_model_needs_no_pictures(tmp_path: Path) -> None:
    def open_image(media: Media) -> Image.Image:
        raise DataError("not on this machine")

    data = dataset(3, images=True, open_image=open_image)
    replay = ModelSpec(name="m", source={"kind": "replay", "predictions": {}})
    assert set(texts(ran(tmp_path, data, model=replay)).values()) == {"no picture"}


def test_video_is_refused(tmp_path: Path) -> None:
    data = dataset(2, images=True)
    clip = Media(kind="video", name="v", sha256=None)
    data = replace(data, examples=tuple(replace(e, media=(clip,)) for e in data.examples))
    with pytest.raises(DataError, match="expected images, found video 'v'"):
        ran(tmp_path, data)


def test_few_pictures_are_open_at_a_time_and_the_largest_come_first(tmp_path: Path) -> None:
    opened: list[str] = []
    answered = 0
    most_ahead = 0

    def open_image(media: Media) -> Image.Image:
        opened.append(media.name)
        side = 1 + int(media.name[1:]) % 5
        return Image.new("RGB", (side, side))

    areas: list[int] = []

    def answer(request: Request) -> str:
        nonlocal answered, most_ahead
        most_ahead = max(most_ahead, len(opened) - answered)
        answered += 1
        areas.append(request.images[0].width)
        return "yes"

    data = dataset(100, images=True, open_image=open_image)
    decoding = Decoding(max_new_tokens=8, batch_sizes=(2, 1))
    context = Bench(tmp_path, data, Stub(answer=answer)).context(n_threads=2)
    run_cell(cell(decoding=decoding), context)
    assert answered == 100
    assert most_ahead <= 16
    assert _falling(areas[:8])


def _falling(values: Sequence[int]) -> bool:
    return list(values) == sorted(values, reverse=True)


def test_a_second_run_opens_no_picture_and_no_model_and_scores_alike(tmp_path: Path) -> None:
    """AT-23, AT-41."""
    opened: list[str] = []

    def open_image(media: Media) -> Image.Image:
        opened.append(media.name)
        return picture(media.name)

    made = Bench(tmp_path, dataset(10, images=True, open_image=open_image))
    first = run_cell(cell(), made.context())
    again = run_cell(cell(), made.context(run_id="run-2"))
    assert sorted(opened) == sorted(f"p{i}" for i in range(10))
    assert (made.n_opened, again.n_generated) == (1, 0)
    assert (again.scores, again.metrics, again.counts) == (
        first.scores,
        first.metrics,
        first.counts,
    )
    assert again.accuracy == 0.5


def test_a_model_that_paints_over_its_pictures_changes_no_other_request(tmp_path: Path) -> None:
    """AT-66: two examples share one picture file, and each gets a picture of its own."""

    def paint(request: Request) -> str:
        before = seen(request)
        request.images[0].paste((0, 0, 0), (0, 0, 2, 2))
        return before

    data = dataset(6, images=True)
    shared = data.examples[0].media
    data = replace(data, examples=tuple(replace(e, media=shared) for e in data.examples))
    decoding = Decoding(max_new_tokens=8, batch_sizes=(1,))
    made = Bench(tmp_path, data, Stub(answer=paint))
    result = run_cell(cell(decoding=decoding), made.context())
    assert set(texts(result).values()) == {shared[0].sha256}


def test_the_shuffled_view_skips_examples_with_the_same_picture(tmp_path: Path) -> None:
    """Questions about one picture follow each other in POPE; the next row is no control."""
    first, second, third, _ = dataset(4, images=True).examples
    twin = replace(second, media=first.media)
    data = replace(dataset(4, images=True), examples=(first, twin, third))
    own = {e.id: e.media[0].sha256 for e in data.examples}
    assert texts(ran(tmp_path / "a", data, view=SHUFFLED)) == {
        first.id: own[third.id],
        twin.id: own[third.id],
        third.id: own[first.id],
    }
    with pytest.raises(DataError, match="expected an example with another picture"):
        ran(tmp_path / "b", replace(data, examples=(first, twin)), view=SHUFFLED)
