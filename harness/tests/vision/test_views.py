"""Names of views, their steps, and what each does to any number of pictures."""

from __future__ import annotations

import pytest
from PIL import Image

from harness.tests.vision.made_split import BOTH, EVERY_VIEW, ROWS, MadeSplit, picture
from harness.types import View
from harness.vision.views import CONDITIONS, MODES, apply, condition_and_mode, named

RED = Image.new("RGB", (5, 3), "red")
BLUE = Image.new("RGB", (4, 4), "blue")
NOBODY = MadeSplit(ids=())


def test_clean_leaves_the_pictures_alone() -> None:
    assert apply(named("clean"), (RED, BLUE), NOBODY) == (RED, BLUE)


def test_blank_is_black_of_the_same_size() -> None:
    blank = apply(named("blank"), (RED, BLUE), NOBODY)
    assert [(i.mode, i.size) for i in blank] == [("RGB", (5, 3)), ("RGB", (4, 4))]
    assert all(image.getextrema() == ((0, 0), (0, 0), (0, 0)) for image in blank)
    assert RED.getpixel((0, 0)) == (255, 0, 0)


def test_shuffled_takes_the_pictures_of_the_next_example() -> None:
    around = MadeSplit()
    (image,) = apply(named("shuffled"), (RED,), around)
    assert (image.size, around.asked) == ((20, 30), [1])


def test_steps_run_in_order() -> None:
    view = View(name="v", steps=(*named("shuffled").steps, ("blank", (("value", 9),))))
    (image,) = apply(view, (RED,), MadeSplit())
    assert (image.size, image.getpixel((0, 0))) == ((20, 30), (9, 9, 9))


@pytest.mark.parametrize("name", EVERY_VIEW)
def test_an_example_without_pictures_stays_without(name: str) -> None:
    around = MadeSplit()
    assert apply(named(name), (), around) == ()
    assert around.asked == []


def test_whoever_has_no_pictures_to_give_is_named() -> None:
    class Bare(MadeSplit):
        def partner(self, offset: int) -> tuple[Image.Image, ...]:
            return ()

        def images_of(self, example_id: str) -> tuple[Image.Image, ...]:
            return ()

    with pytest.raises(ValueError, match=r"1 place.s. later has no pictures"):
        apply(named("shuffled"), (RED,), Bare())
    with pytest.raises(ValueError, match=r"'distractor_1': the example 'r\d' has no picture"):
        apply(named("distractor_1"), (RED,), Bare())


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("clean", [(30, 20), (8, 9)]),
        ("blank", [(30, 20), (8, 9)]),
        ("shuffled", [(20, 30)]),
        ("downsample_50", [(30, 20), (8, 9)]),
        ("downsample_25", [(30, 20), (8, 9)]),
        ("distractor_1", [(1024, 512)] * 2),
        ("distractor_1_seed2_left", [(1024, 512)] * 2),
        ("distractor_3", [(1024, 1024)] * 2),
        ("control_target_rescaled", [(512, 512)] * 2),
        ("control_blank_1_right", [(1024, 512)] * 2),
        ("control_noise_1_left", [(1024, 512)] * 2),
        (
            "global_plus_quadrants",
            [(30, 20), *[(19, 12)] * 4, (8, 9), *[(5, 5)] * 2, *[(5, 6)] * 2],
        ),
        ("global_budgeted", [(864, 864)] * 2),
        ("global_plus_quadrants_budgeted", [(384, 384)] * 10),
        ("distractor_3-global_budgeted", [(864, 864)] * 2),
        ("distractor_3-global_plus_quadrants_budgeted", [(384, 384)] * 10),
    ],
)
def test_number_and_sizes_of_what_two_pictures_become(
    name: str, sizes: list[tuple[int, int]]
) -> None:
    given = (picture(30, 20), picture(8, 9))
    before = [image.tobytes() for image in given]
    found = apply(named(name, seed=3), given, MadeSplit())
    assert [(image.mode, image.size) for image in found] == [("RGB", size) for size in sizes]
    assert [image.tobytes() for image in given] == before


def test_every_picture_of_an_example_stands_among_the_same_distractors() -> None:
    around = MadeSplit()
    one, two = apply(named("distractor_3"), (picture(30, 20), picture(8, 9)), around)
    assert len(set(around.asked)) == len(around.asked) == 3
    cells = [(x, y, x + 512, y + 512) for y in (0, 512) for x in (0, 512)]
    same = [one.crop(box).tobytes() == two.crop(box).tobytes() for box in cells]
    assert sorted(same) == [False, True, True, True]


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (("swirl", ()), "unknown operation 'swirl'; expected one of: blank, partner, downsample"),
        (("blank", ()), "takes exactly value; found none"),
        (("blank", (("value", 0), ("x", 1))), "takes exactly value; found value, x"),
        (("panel", (("x", 1),)), "takes exactly nothing; found x"),
        (("blank", (("value", 256),)), "0 to 255; found 256"),
        (("blank", (("value", 0.5),)), "whole number"),
        (("blank", (("value", True),)), "whole number"),
        (("partner", (("offset", 0),)), "at least 1; found 0"),
        (("downsample", (("ratio", 0.0),)), "ratio to be a float, 0.001 to 1.0; found 0.0"),
        (("downsample", (("ratio", 1),)), "a float, 0.001 to 1.0; found 1$"),
        (("quadrants", (("overlap", 0.6),)), "overlap to be a float, 0.0 to 0.5; found 0.6"),
        (("fit", (("side", 0),)), "1 to 8192; found 0"),
        (("control", (("fill", "grey"), ("position", "left"))), "blank, noise; found 'grey'"),
        (("control", (("fill", "blank"), ("position", "up"))), "drawn, left, right; found 'up'"),
        (
            ("distractors", (("n", 26), ("variant", 0), ("position", "drawn"))),
            "n to be a whole number, 1 to 25; found 26",
        ),
        (
            ("distractors", (("n", 3), ("variant", 0), ("position", "left"))),
            "position drawn for n = 3, found 'left'",
        ),
    ],
)
def test_bad_steps_are_errors(
    step: tuple[str, tuple[tuple[str, int | float | str], ...]], message: str
) -> None:
    for images in ((RED,), ()):
        with pytest.raises(ValueError, match=message):
            apply(View(name="v", steps=(step,)), images, MadeSplit())


@pytest.mark.parametrize("name", ["upside", "", "clean-global_budgeted", "global_budgeted-blank"])
def test_an_unknown_view_names_the_known_ones(name: str) -> None:
    with pytest.raises(ValueError, match=f"unknown view '{name}'; expected one of: clean, blank"):
        named(name)


def test_names_are_those_of_the_published_tables() -> None:
    sides = ("left", "right")
    assert set(CONDITIONS) - {"blank", "shuffled"} == {
        *("clean", "downsample_50", "downsample_25", "distractor_1", "distractor_3"),
        *("control_target_rescaled", *(f"control_blank_1_{s}" for s in sides)),
        *(f"control_noise_1_{s}" for s in sides),
        *(f"distractor_1_seed{k}_{s}" for k in range(3) for s in sides),
    }
    assert set(MODES) == {
        *("global_plus_quadrants", "global_budgeted", "global_plus_quadrants_budgeted"),
    }


def test_a_name_is_one_condition_and_one_mode() -> None:
    assert condition_and_mode(BOTH[0]) == ("downsample_25", "global_plus_quadrants")
    pairs = [condition_and_mode(name) for name in EVERY_VIEW]
    assert len(set(pairs)) == len(EVERY_VIEW)
    assert len({named(name).steps for name in EVERY_VIEW}) == len(EVERY_VIEW)


@pytest.mark.parametrize("name", EVERY_VIEW)
def test_the_seed_counts_only_where_something_is_drawn(name: str) -> None:
    drawn = name.startswith(("distractor", "control_noise"))
    assert named(name, seed=5).seed == (5 if drawn else 0)
    assert named(name) == View(name=name, steps=named(name).steps)
    shown = {
        seed: [i.tobytes() for i in apply(named(name, seed), (picture(9, 7),), MadeSplit())]
        for seed in (5, 6)
    }
    assert (shown[5] != shown[6]) == drawn


def test_too_few_donors_are_counted() -> None:
    around = MadeSplit(ids=ROWS[:3])
    assert apply(named("distractor_1_seed1_left"), (RED,), around)
    with pytest.raises(ValueError, match=r"'r0': expected at least 3 other examples .* found 2"):
        apply(named("distractor_3"), (RED,), around)
