"""Views: named operations on the pictures of an example."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from harness.types import View

if TYPE_CHECKING:
    from PIL.Image import Image

    Parameters = dict[str, str | int | float]
    Partner = Callable[[int], tuple[Image, ...]]

_VIEWS = {
    "clean": View(name="clean"),
    "blank": View(name="blank", steps=(("blank", (("value", 0),)),)),
    "shuffled": View(name="shuffled", steps=(("partner", (("offset", 1),)),)),
}
_OPERATIONS = {"blank": ("value",), "partner": ("offset",)}


def named(name: str) -> View:
    """Give the view of a name: "clean", "blank" or "shuffled".

    Parameters
    ----------
    name : `clean` leaves the pictures alone, `blank` puts black ones of the same size in
        their place, `shuffled` those of the next example of the whole split.

    Raises
    ------
    ValueError
        For another name; the message lists the known ones.

    Examples
    --------
    >>> named("blank").steps
    (('blank', (('value', 0),)),)
    """
    if name not in _VIEWS:
        raise ValueError(f"unknown view {name!r}; expected one of: {', '.join(_VIEWS)}")
    return _VIEWS[name]


def apply(view: View, images: tuple[Image, ...], partner: Partner) -> tuple[Image, ...]:
    """Apply the steps of a view, in order, to the pictures of one example.

    Operations: `blank` (value: grey level 0 to 255 of all three channels) gives uniform
    pictures of the same sizes; `partner` (offset: at least 1) gives the pictures of the example
    that many places later in the whole split, counted cyclically among those that show other
    pictures.

    Parameters
    ----------
    view : the view; without steps the pictures come back as they are.
    images : the example's own RGB pictures; none stay none under every operation.
    partner : called with the offset, gives the pictures of that other example.

    Returns
    -------
    tuple of Image
        New pictures, or the given ones where nothing was to be done; `images` is not changed.

    Raises
    ------
    ValueError
        For an unknown operation or parameter, a value out of range, or a partner without
        pictures.
    """
    for operation, pairs in view.steps:
        if operation not in _OPERATIONS:
            raise ValueError(
                f"view {view.name!r}: unknown operation {operation!r}; expected one of: "
                f"{', '.join(_OPERATIONS)}"
            )
        parameters = dict(pairs)
        if tuple(parameters) != _OPERATIONS[operation]:
            raise ValueError(
                f"view {view.name!r}: operation {operation!r} takes exactly "
                f"{', '.join(_OPERATIONS[operation])}; found {', '.join(parameters) or 'none'}"
            )
        if not images:
            continue
        if operation == "blank":
            images = _blank(images, _whole(view, parameters["value"], 0, 255))
        else:
            images = _partner(view, partner, _whole(view, parameters["offset"], 1, None))
    return images


def _blank(images: tuple[Image, ...], value: int) -> tuple[Image, ...]:
    from PIL import Image as PillowImage

    return tuple(PillowImage.new("RGB", image.size, (value, value, value)) for image in images)


def _partner(view: View, partner: Partner, offset: int) -> tuple[Image, ...]:
    images = tuple(partner(offset))
    if not images:
        raise ValueError(
            f"view {view.name!r}: the example {offset} place(s) later has no pictures to give; "
            "use this view only on a split where every example has some"
        )
    return images


def _whole(view: View, value: str | int | float, least: int, most: int | None) -> int:
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole or int(value) < least or (most is not None and int(value) > most):
        wanted = f"{least} to {most}" if most is not None else f"at least {least}"
        raise ValueError(f"view {view.name!r}: expected a whole number, {wanted}; found {value!r}")
    return int(value)


__all__ = ["apply", "named"]
