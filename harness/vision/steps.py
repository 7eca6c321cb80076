"""What a step of a view may be: its operation, its parameters and their ranges."""

from __future__ import annotations

from collections.abc import Callable

from harness.types import View
from harness.vision.draws import SIDES

Value = str | int | float
Parameters = dict[str, Value]
_Expected = Callable[[Value], str | None]

_MAX_PANELS = 25
_MAX_SIDE_PX = 8192


def _whole(least: int, most: int | None) -> _Expected:
    def expected(value: Value) -> str | None:
        whole = isinstance(value, int) and not isinstance(value, bool)
        if whole and value >= least and (most is None or value <= most):  # type: ignore[operator]
            return None
        return "a whole number, " + (
            f"{least} to {most}" if most is not None else f"at least {least}"
        )

    return expected


def _share(least: float, most: float) -> _Expected:
    def expected(value: Value) -> str | None:
        number = isinstance(value, float)
        return None if number and least <= value <= most else f"a float, {least} to {most}"  # type: ignore[operator]

    return expected


def _one_of(*names: str) -> _Expected:
    def expected(value: Value) -> str | None:
        return None if value in names else f"one of: {', '.join(names)}"

    return expected


_POSITION = _one_of("drawn", *SIDES)
# Operation → parameters in the order in which a step lists them.
_OPERATIONS: dict[str, dict[str, _Expected]] = {
    "blank": {"value": _whole(0, 255)},
    "partner": {"offset": _whole(1, None)},
    "downsample": {"ratio": _share(0.001, 1.0)},
    "panel": {},
    "control": {"fill": _one_of("blank", "noise"), "position": _POSITION},
    "distractors": {
        "n": _whole(1, _MAX_PANELS),
        "variant": _whole(0, None),
        "position": _POSITION,
    },
    "quadrants": {"overlap": _share(0.0, 0.5)},
    "fit": {"side": _whole(1, _MAX_SIDE_PX)},
}


def checked(view: View) -> tuple[tuple[str, Parameters], ...]:
    """The steps of a view as (operation, parameters), every one of them possible.

    Operations and parameters, in this order: `blank` (value: grey level 0 to 255); `partner`
    (offset: at least 1); `downsample` (ratio: 0.001 to 1.0); `panel` (none); `control` (fill:
    blank or noise; position: drawn, left or right); `distractors` (n: 1 to 25; variant: at
    least 0; position: drawn, or with n = 1 left or right); `quadrants` (overlap: 0.0 to 0.5);
    `fit` (side: 1 to 8192 px). Shares are floats, so that one view has one key.

    Raises
    ------
    ValueError
        For an unknown operation, a parameter too few or too many, or a value out of range.

    Examples
    --------
    >>> checked(View(name="v", steps=(("blank", (("value", 9),)),)))
    (('blank', {'value': 9}),)
    """
    return tuple(
        (operation, _parameters(view, operation, pairs)) for operation, pairs in view.steps
    )


def _parameters(view: View, operation: str, pairs: tuple[tuple[str, Value], ...]) -> Parameters:
    if operation not in _OPERATIONS:
        raise ValueError(
            f"view {view.name!r}: unknown operation {operation!r}; expected one of: "
            f"{', '.join(_OPERATIONS)}"
        )
    wanted = _OPERATIONS[operation]
    if tuple(name for name, _ in pairs) != tuple(wanted):
        found = ", ".join(name for name, _ in pairs)
        raise ValueError(
            f"view {view.name!r}: operation {operation!r} takes exactly "
            f"{', '.join(wanted) or 'nothing'}; found {found or 'none'}"
        )
    for name, value in pairs:
        if (expected := wanted[name](value)) is not None:
            raise ValueError(
                f"view {view.name!r}: operation {operation!r}: expected {name} to be {expected}; "
                f"found {value!r}"
            )
    parameters = dict(pairs)
    if operation == "distractors" and parameters["n"] != 1 and parameters["position"] != "drawn":
        raise ValueError(
            f"view {view.name!r}: operation 'distractors': expected position drawn for "
            f"n = {parameters['n']}, found {parameters['position']!r}; a side needs n = 1"
        )
    return parameters


def is_drawn(operation: str, parameters: Parameters) -> bool:
    """Whether a step draws from the view's base seed.

    >>> is_drawn("control", {"fill": "blank", "position": "left"})
    False
    """
    if operation == "control":
        return parameters["fill"] == "noise" or parameters["position"] == "drawn"
    return operation == "distractors"


__all__ = ["Parameters", "Value", "checked", "is_drawn"]
