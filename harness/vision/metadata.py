"""What a view shows of an example, told without opening a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.types import View
from harness.vision.draws import SIDES, donors, placement
from harness.vision.multiview import N_VIEWS
from harness.vision.steps import checked

_KEYS = (
    "ratio",
    "distractor_ids",
    "distractor_seed_variant",
    "fixed_target_position",
    "target_panel_index",
    "control_panel",
    "matched_condition",
    "n_views",
    "view_budget",
    "nominal_pixel_budget",
)


def drawn(view: View, example_id: str, ids: Sequence[str]) -> dict[str, Any]:
    """Describe a view of one example: the same draws as `harness.vision.views.apply` makes.

    Parameters
    ----------
    view : the view, with its base seed.
    example_id : the example that is asked about.
    ids : who can lend a picture, as `harness.vision.draws.donor_ids` gives them. Only the views
        with distractors read it.

    Returns
    -------
    dict
        JSON values, always under the same keys, None where one does not apply: ratio (of the
        down-sampled sides); distractor_ids (list, in the order of drawing, not of places);
        distractor_seed_variant (0, 1, 2); fixed_target_position ("left" or "right");
        target_panel_index (from 0, in reading order); control_panel ("blank" or "noise");
        matched_condition (the view that a control stands against); n_views (pictures for each
        picture of the example: 1 or 5); view_budget (side of each square, px);
        nominal_pixel_budget (px of all of them, for each picture of the example).

    Raises
    ------
    ValueError
        As `apply`, for steps that cannot be and for too few donors.

    References
    ----------
    The condition metadata of the R1-Onevision robustness study; its categories of distractors
    follow from the ids.

    Examples
    --------
    >>> from harness.vision.views import named
    >>> found = drawn(named("distractor_1_seed2_right", seed=1), "a", ("a", "b", "c", "d"))
    >>> found["distractor_ids"], found["distractor_seed_variant"], found["target_panel_index"]
    (['b'], 2, 1)
    >>> drawn(named("global_plus_quadrants_budgeted"), "a", ())["nominal_pixel_budget"]
    737280
    """
    told: dict[str, Any] = dict.fromkeys(_KEYS)
    told["n_views"] = 1
    for operation, p in checked(view):
        if operation == "downsample":
            told["ratio"] = p["ratio"]
        elif operation == "panel":
            told |= {"target_panel_index": 0, "matched_condition": "clean"}
        elif operation in ("control", "distractors"):
            n, position = int(p.get("n", 1)), str(p["position"])
            order = placement(view.seed, example_id, n, position)
            side = position if position in SIDES else None
            told |= {"fixed_target_position": side, "target_panel_index": order.index(0)}
            if operation == "control":
                matched = f"distractor_1_seed0_{side}" if side else "distractor_1"
                told |= {"control_panel": p["fill"], "matched_condition": matched}
            else:
                variant = int(p["variant"])
                chosen = donors(view.seed, example_id, ids, n, variant)
                told |= {"distractor_ids": list(chosen), "distractor_seed_variant": variant}
        elif operation == "quadrants":
            told["n_views"] *= N_VIEWS
        elif operation == "fit":
            told["view_budget"] = p["side"]
    if (side_px := told["view_budget"]) is not None:
        told["nominal_pixel_budget"] = told["n_views"] * side_px**2
    return told


__all__ = ["drawn"]
