"""Views: named operations on the pictures of an example."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from harness.types import View
from harness.vision import draws, multiview, panels, resolution
from harness.vision.steps import Parameters, Value, checked, is_drawn

if TYPE_CHECKING:
    from PIL.Image import Image

    Images = tuple[Image, ...]

_Steps = tuple[tuple[str, tuple[tuple[str, Value], ...]], ...]
_JOIN = "-"


def _step(operation: str, **parameters: Value) -> _Steps:
    return ((operation, tuple(parameters.items())),)


def _distractors(n: int, variant: int, position: str) -> _Steps:
    return _step("distractors", n=n, variant=variant, position=position)


_CONDITIONS: dict[str, _Steps] = {
    "clean": (),
    "blank": _step("blank", value=0),
    "shuffled": _step("partner", offset=1),
    "downsample_50": _step("downsample", ratio=0.5),
    "downsample_25": _step("downsample", ratio=0.25),
    "distractor_1": _distractors(1, 0, "drawn"),
    "distractor_3": _distractors(3, 0, "drawn"),
    "control_target_rescaled": _step("panel"),
    **{
        f"control_{fill}_1_{side}": _step("control", fill=fill, position=side)
        for fill in ("blank", "noise")
        for side in draws.SIDES
    },
    **{
        f"distractor_1_seed{variant}_{side}": _distractors(1, variant, side)
        for variant in range(3)
        for side in draws.SIDES
    },
}
_MODES: dict[str, _Steps] = {
    "global_plus_quadrants": _step("quadrants", overlap=0.12),
    "global_budgeted": _step("fit", side=864),
    "global_plus_quadrants_budgeted": (*_step("quadrants", overlap=0.12), *_step("fit", side=384)),
}
CONDITIONS = tuple(_CONDITIONS)
MODES = tuple(_MODES)


class Surroundings(Protocol):
    """What a view may ask about the split that an example stands in.

    Attributes
    ----------
    example_id : the example whose pictures are shown.
    ids : who can lend a picture, as `harness.vision.draws.donor_ids` gives them.
    """

    @property
    def example_id(self) -> str: ...

    @property
    def ids(self) -> Sequence[str]: ...

    def partner(self, offset: int) -> tuple[Image, ...]:
        """The pictures of the example `offset` places later, as the view `shuffled` counts."""

    def images_of(self, example_id: str) -> tuple[Image, ...]:
        """The pictures of another example of the split."""


def named(name: str, seed: int = 0) -> View:
    """Give the view of a name: a condition, an image mode, or both as "CONDITION-MODE".

    Parameters
    ----------
    name : conditions. `clean`: the pictures as they are; `blank`: black ones of the same size;
        `shuffled`: those of the next example of the split; `downsample_50`, `downsample_25`:
        bilinear to that share of the sides and back; `distractor_1`, `distractor_3`: on a
        canvas of panels with those of other examples, at a drawn place;
        `distractor_1_seed{0,1,2}_{left,right}`: at a fixed place, with three disjoint draws of
        the other example (seed0 is that of `distractor_1`); `control_blank_1_{left,right}`,
        `control_noise_1_{left,right}`: a white or a noise panel in place of the other
        example's; `control_target_rescaled`: the panel of the target alone. Image modes:
        `global_plus_quadrants`: the picture and four overlapping quadrants;
        `global_budgeted`: one square of 864 px; `global_plus_quadrants_budgeted`: five squares
        of 384 px. In "distractor_3-global_budgeted" the canvas is shown in the mode's way.
    seed : base seed of what is drawn. It enters the view, and so the key of a cell, only where
        something is drawn.

    Raises
    ------
    ValueError
        For another name; the message lists the known ones. "clean-MODE" is none: it would be a
        second name of MODE.

    References
    ----------
    Names and geometry: the R1-Onevision robustness study.

    Examples
    --------
    >>> named("blank").steps
    (('blank', (('value', 0),)),)
    >>> named("distractor_1", seed=7).seed, named("blank", seed=7).seed
    (7, 0)
    """
    condition, mode = condition_and_mode(name)
    steps = _CONDITIONS[condition] + (_MODES[mode] if mode != "global" else ())
    drawn = any(is_drawn(operation, dict(pairs)) for operation, pairs in steps)
    return View(name=name, steps=steps, seed=seed if drawn else 0)


def condition_and_mode(name: str) -> tuple[str, str]:
    """Split the name of a view into condition and image mode, as published tables list them.

    Raises
    ------
    ValueError
        For a name that is not known.

    Examples
    --------
    >>> condition_and_mode("distractor_3-global_budgeted"), condition_and_mode("blank")
    (('distractor_3', 'global_budgeted'), ('blank', 'global'))
    >>> condition_and_mode("global_budgeted")
    ('clean', 'global_budgeted')
    """
    if name in _CONDITIONS:
        return name, "global"
    if name in _MODES:
        return "clean", name
    condition, _, mode = name.partition(_JOIN)
    if condition not in _CONDITIONS or condition == "clean" or mode not in _MODES:
        raise ValueError(
            f"unknown view {name!r}; expected one of: {', '.join(CONDITIONS + MODES)}; or a "
            f"condition other than clean, '{_JOIN}' and one of: {', '.join(MODES)}"
        )
    return condition, mode


def apply(view: View, images: tuple[Image, ...], surroundings: Surroundings) -> tuple[Image, ...]:
    """Apply the steps of a view, in order, to the pictures of one example.

    Every operation treats each of several pictures in the same way, on its own: `blank`,
    `downsample`, `fit` (into a white square) keep their number; `panel`, `control` and
    `distractors` make one canvas of each, with the same other panels at the same places;
    `quadrants` puts the four quadrants of each straight behind it. `partner` gives whatever
    pictures the other example has. A donor lends its first picture, of any size.
    Parameters: see `harness.vision.steps.checked`. Threads may call this at the same time.

    Parameters
    ----------
    view : the view; without steps the pictures come back as they are.
    images : the example's own RGB pictures; none stay none under every operation.
    surroundings : the split around the example.

    Returns
    -------
    tuple of Image
        New pictures, or the given ones where nothing was to be done; `images` is not changed.

    Raises
    ------
    ValueError
        For an unknown operation or parameter, a value out of range, fewer donors than the view
        needs, or a partner or donor without pictures.
    """
    for operation, parameters in checked(view):
        if images:
            images = _applied(view, operation, parameters, images, surroundings)
    return images


def _applied(
    view: View, operation: str, p: Parameters, images: Images, around: Surroundings
) -> Images:
    from PIL import Image as PillowImage

    match operation:
        case "blank":
            grey = (int(p["value"]),) * 3
            return tuple(PillowImage.new("RGB", image.size, grey) for image in images)
        case "partner":
            return _partner(view, around, int(p["offset"]))
        case "downsample":
            return tuple(resolution.downsampled(image, float(p["ratio"])) for image in images)
        case "quadrants":
            several = (multiview.with_quadrants(image, float(p["overlap"])) for image in images)
            return tuple(one for five in several for one in five)
        case "fit":
            return tuple(resolution.squared(image, int(p["side"])) for image in images)
        case _:
            return _canvases(view, operation, p, images, around)


def _canvases(
    view: View, operation: str, p: Parameters, images: Images, around: Surroundings
) -> Images:
    others: list[Image] = []
    order: tuple[int, ...] = (0,)
    target = around.example_id
    if operation == "control":
        blank = p["fill"] == "blank"
        others = [panels.blank() if blank else panels.noise(view.seed, target)]
    elif operation == "distractors":
        n, variant = int(p["n"]), int(p["variant"])
        ids = draws.donors(view.seed, target, around.ids, n, variant)
        others = [panels.panel(_first(view, around, donor)) for donor in ids]
    if others:
        order = draws.placement(view.seed, target, len(others), str(p["position"]))
    return tuple(panels.composed([panels.panel(image), *others], order) for image in images)


def _first(view: View, around: Surroundings, donor: str) -> Image:
    lent = around.images_of(donor)
    if not lent:
        raise ValueError(
            f"view {view.name!r}: the example {donor!r} has no picture to lend; leave its id out "
            "of those that can"
        )
    return lent[0]


def _partner(view: View, around: Surroundings, offset: int) -> Images:
    images = tuple(around.partner(offset))
    if not images:
        raise ValueError(
            f"view {view.name!r}: the example {offset} place(s) later has no pictures to give; "
            "use this view only on a split where every example has some"
        )
    return images


__all__ = ["CONDITIONS", "MODES", "Surroundings", "apply", "condition_and_mode", "named"]
