import pytest
from PIL import Image

from harness.types import View
from harness.vision.views import apply, named

RED = Image.new("RGB", (5, 3), "red")
BLUE = Image.new("RGB", (4, 4), "blue")


def nobody(offset: int) -> tuple[Image.Image, ...]:
    raise AssertionError("no partner is wanted")


def test_clean_leaves_the_pictures_alone() -> None:
    assert apply(named("clean"), (RED, BLUE), nobody) == (RED, BLUE)


def test_blank_is_black_of_the_same_size() -> None:
    blank = apply(named("blank"), (RED, BLUE), nobody)
    assert [(i.mode, i.size) for i in blank] == [("RGB", (5, 3)), ("RGB", (4, 4))]
    assert all(image.getextrema() == ((0, 0), (0, 0), (0, 0)) for image in blank)
    assert RED.getpixel((0, 0)) == (255, 0, 0)


def test_shuffled_takes_the_pictures_of_the_next_example() -> None:
    asked = []

    def partner(offset: int) -> tuple[Image.Image, ...]:
        asked.append(offset)
        return (BLUE,)

    assert apply(named("shuffled"), (RED,), partner) == (BLUE,)
    assert asked == [1]


def test_steps_run_in_order() -> None:
    view = View(name="v", steps=(*named("shuffled").steps, ("blank", (("value", 9),))))
    (image,) = apply(view, (RED,), lambda _: (BLUE,))
    assert image.size == (4, 4)
    assert image.getpixel((0, 0)) == (9, 9, 9)


def test_an_example_without_pictures_stays_without() -> None:
    assert apply(named("blank"), (), nobody) == ()
    assert apply(named("shuffled"), (), nobody) == ()


def test_a_partner_without_pictures_is_refused() -> None:
    with pytest.raises(ValueError, match=r"1 place.s. later has no pictures"):
        apply(named("shuffled"), (RED,), lambda _: ())


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (("swirl", ()), "unknown operation 'swirl'; expected one of: blank, partner"),
        (("blank", ()), "takes exactly value; found none"),
        (("blank", (("value", 0), ("x", 1))), "takes exactly value; found value, x"),
        (("blank", (("value", 256),)), "0 to 255; found 256"),
        (("blank", (("value", 0.5),)), "whole number"),
        (("partner", (("offset", 0),)), "at least 1; found 0"),
    ],
)
def test_bad_steps_are_errors(step: tuple[str, tuple[tuple[str, int], ...]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        apply(View(name="v", steps=(step,)), (RED,), lambda _: (BLUE,))


def test_an_unknown_view_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match="unknown view 'upside'; expected one of: clean, blank"):
        named("upside")
