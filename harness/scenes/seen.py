"""What a picture shows, measured from its arrays alone: areas, places, gaps and colours."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from harness.errors import DataError
from harness.scenes.hues import Lab, chroma, lab, nearest
from harness.scenes.tints import TINTS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from harness.scenes.render import Rendered

SUBSAMPLES = 9
CLIPPED_FROM = 250
Box = tuple[int, int, int, int]
Point = tuple[float, float]


@dataclass(frozen=True, kw_only=True, slots=True)
class SeenColor:
    """The colour of an object's core.

    Attributes
    ----------
    rgb : median of each sRGB channel over the core, in [0, 255].
    lab, chroma : the same in CIE L*a*b*, and its distance from the gray axis.
    name, margin : nearest palette class and its lead over the second (see `hues.nearest`).
    clipped : share of the core with all three channels at 250 or more.
    """

    rgb: tuple[float, float, float]
    lab: Lab
    chroma: float
    name: str
    margin: float
    clipped: float


@dataclass(frozen=True, kw_only=True, slots=True)
class SeenObject:
    """One object as the picture shows it; lengths in pixels, x to the right and y down.

    Attributes
    ----------
    id : its name in the id pass.
    pixels : pixels that the id pass gives to it.
    pieces : 4-connected components of those pixels; 0 where there are none.
    core : pixels whose every sub-sample shows it.
    visible : sub-samples that show it over those that would without the other objects, in
        [0, 1]; 0 where even then none would.
    box : first and last column and row that show it, (left, top, right, bottom), inclusive;
        None where nothing does.
    centroid : mean place of its sub-samples; None likewise.
    radius : of the disc about the middle of the box that holds all of it; 0 likewise.
    color : None where no pixel is all core.
    """

    id: str
    pixels: int
    pieces: int
    core: int
    visible: float
    box: Box | None
    centroid: Point | None
    radius: float
    color: SeenColor | None


@dataclass(frozen=True, kw_only=True, slots=True)
class SeenPair:
    """How two objects stand in the picture, in pixels.

    Attributes
    ----------
    disc_gap : between the discs about their boxes; negative where these overlap.
    box_gap : free columns between their boxes, negative where they share columns.
    centroid_gap : x of the second's centroid minus that of the first, so that a positive
        value has the first on the left.
    """

    disc_gap: float
    box_gap: int
    centroid_gap: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """All that was measured of one picture; `strangers` are id values that name no object."""

    width: int
    height: int
    objects: Mapping[str, SeenObject]
    strangers: tuple[int, ...]

    def of_color(self, color: str) -> tuple[SeenObject, ...]:
        """The objects whose core has that colour class, in the order of the id pass."""
        return tuple(o for o in self.objects.values() if o.color and o.color.name == color)

    def border_gap(self, object_id: str) -> int | None:
        """Free pixels between an object's box and the nearest border; None where unseen."""
        box = self.objects[object_id].box
        if box is None:
            return None
        return min(box[0], box[1], self.width - 1 - box[2], self.height - 1 - box[3])


def see(rendered: Rendered, tints: Mapping[str, Sequence[Lab]] = TINTS) -> Seen:
    """Measure every object of a picture, reading nothing but its arrays.

    Parameters
    ----------
    rendered : the picture with its id pass and sub-sample counts.
    tints : L*a*b* centroids of the colour classes; by default those of this renderer.

    Returns
    -------
    Seen
        Objects in the order of `rendered.object_ids`. An object that nothing shows is there
        with zeros and None.

    Raises
    ------
    DataError
        When the arrays disagree in size.

    Examples
    --------
    >>> from harness.scenes.render import render
    >>> from harness.scenes.scene import Scene, SceneObject
    >>> ball = SceneObject(
    ...     id="o1", shape="sphere", color="red", material="rubber", size="large", x=0, y=0
    ... )
    >>> seen = see(render(Scene(objects=(ball,)), width=96, height=72))
    >>> seen.objects["o1"].pieces, seen.objects["o1"].color.name
    (1, 'red')
    """
    height, width = rendered.ids.shape
    names = tuple(rendered.object_ids)
    _check_sizes(rendered, height, width, len(names))
    values = np.unique(rendered.ids).tolist()
    return Seen(
        width=width,
        height=height,
        objects={name: _object(rendered, k, name, tints) for k, name in enumerate(names)},
        strangers=tuple(v for v in values if not -1 <= v < len(names)),
    )


def pair(one: SeenObject, other: SeenObject) -> SeenPair | None:
    """Measure two objects against each other; None where one of them is not seen."""
    if one.box is None or other.box is None or one.centroid is None or other.centroid is None:
        return None
    (ax, ay), (bx, by) = _middle(one.box), _middle(other.box)
    return SeenPair(
        disc_gap=math.hypot(ax - bx, ay - by) - one.radius - other.radius,
        box_gap=max(one.box[0] - other.box[2], other.box[0] - one.box[2]) - 1,
        centroid_gap=other.centroid[0] - one.centroid[0],
    )


def pieces(mask: NDArray[np.bool_]) -> int:
    """Count the 4-connected components of a mask, shape (H, W); 0 for an empty one.

    Runs of a row are joined with the runs of the row above that share a column.

    Examples
    --------
    >>> pieces(np.array([[1, 0, 1], [1, 1, 1], [0, 0, 0], [0, 1, 0]], dtype=bool))
    2
    """
    edges = np.diff(mask.astype(np.int8), axis=1, prepend=0, append=0)
    rows, starts = np.nonzero(edges == 1)
    stops = np.nonzero(edges == -1)[1]
    runs = list(zip(rows.tolist(), starts.tolist(), stops.tolist(), strict=True))
    parent = list(range(len(runs)))

    def root(k: int) -> int:
        while parent[k] != k:
            parent[k] = parent[parent[k]]
            k = parent[k]
        return k

    above = 0
    for k, (row, start, stop) in enumerate(runs):
        while runs[above][0] < row - 1:
            above += 1
        j = above
        while runs[j][0] == row - 1:
            if runs[j][1] < stop and start < runs[j][2]:
                parent[root(j)] = root(k)
            j += 1
    return sum(parent[k] == k for k in range(len(runs)))


def _object(
    rendered: Rendered, k: int, name: str, tints: Mapping[str, Sequence[Lab]]
) -> SeenObject:
    coverage, alone = rendered.coverage[k], int(rendered.solo[k].sum(dtype=np.int64))
    owned = rendered.ids == k
    rows, columns = (np.nonzero((coverage > 0).any(axis=axis))[0] for axis in (1, 0))
    if not rows.size:
        return SeenObject(
            id=name, pixels=int(owned.sum()), pieces=pieces(owned), core=0, visible=0.0,
            box=None, centroid=None, radius=0.0, color=None,
        )  # fmt: skip
    top, bottom, left, right = int(rows[0]), int(rows[-1]), int(columns[0]), int(columns[-1])
    crop = slice(top, bottom + 1), slice(left, right + 1)
    part = coverage[crop]
    total = int(part.sum(dtype=np.int64))
    box = (left, top, right, bottom)
    core = part == SUBSAMPLES
    ys, xs = np.nonzero(part)
    cx, cy = _middle(box)
    reach = np.max((np.abs(xs + left - cx)) ** 2 + (np.abs(ys + top - cy)) ** 2)
    pixels = int(owned.sum())
    inside = owned[crop]
    whole = pixels == int(inside.sum())
    return SeenObject(
        id=name,
        pixels=pixels,
        pieces=pieces(inside if whole else owned),
        core=int(core.sum()),
        visible=min(total / alone, 1.0) if alone else 0.0,
        box=box,
        centroid=(
            left + int(part.sum(axis=0, dtype=np.int64) @ np.arange(part.shape[1])) / total,
            top + int(part.sum(axis=1, dtype=np.int64) @ np.arange(part.shape[0])) / total,
        ),
        radius=math.sqrt(float(reach)) + 0.5,
        color=_color(rendered.rgb[crop][core], tints) if core.any() else None,
    )


def _color(pixels: NDArray[np.uint8], tints: Mapping[str, Sequence[Lab]]) -> SeenColor:
    red, green, blue = (float(value) for value in np.median(pixels, axis=0))
    seen = lab(red, green, blue)
    name, margin = nearest(seen, tints)
    return SeenColor(
        rgb=(red, green, blue),
        lab=seen,
        chroma=chroma(seen),
        name=name,
        margin=margin,
        clipped=float((pixels >= CLIPPED_FROM).all(axis=1).mean()),
    )


def _middle(box: Box) -> Point:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _check_sizes(rendered: Rendered, height: int, width: int, n: int) -> None:
    for name, shape in (
        ("rgb", (height, width, 3)),
        ("coverage", (n, height, width)),
        ("solo", (n, height, width)),
    ):
        found = getattr(rendered, name).shape
        if found != shape:
            raise DataError(
                f"a picture of {width}×{height} with {n} objects: expected {name} of shape "
                f"{shape}, found {found}"
            )


__all__ = [
    "SUBSAMPLES", "Box", "Point", "Seen", "SeenColor", "SeenObject", "SeenPair", "pair", "pieces",
    "see",
]  # fmt: skip
