"""A canvas for smooth, bold line drawings: twice the size, then averaged down."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from harness.data.mini_r1.draws import Draws

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFont import FreeTypeFont
    from PIL.ImageFont import ImageFont as BitmapFont

Point = tuple[float, float]
INK = "#1a1a1a"
GREY = "#8a8a8a"
LIGHT = "#d4d4d4"
WHITE = "#ffffff"
COLORS = {
    "red": "#d62728",
    "blue": "#1f5fb4",
    "green": "#2a8f3c",
    "orange": "#f08a1d",
    "purple": "#7b3fa0",
    "brown": "#8a5a33",
    "pink": "#e377c2",
    "grey": "#7a7a7a",
}
GROUNDS = ("#ffffff", "#fbfaf5", "#f5f8fb", "#f8f5fb", "#f4faf4", "#fdf6f0")
_SHRINK = 2
_SCALES = (2, 2, 2.5)
_SMOOTH = 40  # points from which on a line bends too little to need round joints
_STEPS = 12  # sizes vary by up to _STEPS × 4 px a side


class Figure:
    """A picture under construction, in units of 1 px (or 1.25 px) from the top left corner.

    Size, scale and ground are drawn, so two pictures of one family seldom agree in layout.
    Coordinates are rounded to half pixels before drawing: the last digit of a platform's
    sine cannot move a line.

    Parameters
    ----------
    draws : where size, scale and ground come from.
    width, height : the least size in units, multiples of 4; up to 48 are added to each.
    """

    def __init__(self, draws: Draws, width: int = 336, height: int = 264) -> None:
        from PIL import Image, ImageDraw

        self.width = width + 4 * draws.between(0, _STEPS)
        self.height = height + 4 * draws.between(0, _STEPS)
        self.ground = draws.pick(GROUNDS)
        self._scale = draws.pick(_SCALES)
        size = (round(self.width * self._scale), round(self.height * self._scale))
        self._canvas = Image.new("RGB", size, self.ground)
        self._pen = ImageDraw.Draw(self._canvas)

    def image(self) -> Image:
        """The finished RGB picture: `width` × `height` px, or 1.25 times that."""
        return self._canvas.reduce(_SHRINK)

    def line(self, points: Sequence[Point], color: str = INK, width: float = 3) -> None:
        """An open polyline."""
        joint = "curve" if len(points) < _SMOOTH else None
        self._pen.line(self._scaled(points), color, self._px(width), joint=joint)

    def dashed(self, p: Point, q: Point, color: str = GREY, width: float = 2) -> None:
        """A dashed segment with dashes and gaps of 6 px."""
        length = math.dist(p, q)
        for start in range(0, int(length), 12):
            ends = [_along(p, q, min(s, length) / length) for s in (start, start + 6)]
            self.line(ends, color, width)

    def polygon(
        self, points: Sequence[Point], fill: str | None = None, color: str = INK, width: float = 3
    ) -> None:
        """A closed outline, filled or not (`width` 0: no outline)."""
        if fill is not None:
            self._pen.polygon(self._scaled(points), fill)
        if width:
            self.line([*points, points[0], points[1]], color, width)

    def rectangle(
        self,
        corner: Point,
        size: Point,
        fill: str | None = None,
        color: str = INK,
        width: float = 3,
    ) -> None:
        """A rectangle from its top left corner (`width` 0: no outline)."""
        (x, y), (w, h) = corner, size
        box = self._scaled([(x, y), (x + w, y + h)])
        self._pen.rectangle(box, fill, color if width else None, self._px(width) if width else 0)

    def ellipse(
        self,
        centre: Point,
        radii: Point,
        fill: str | None = None,
        color: str = INK,
        width: float = 3,
    ) -> None:
        """An ellipse with horizontal and vertical radii (`width` 0: no outline)."""
        (x, y), (rx, ry) = centre, radii
        box = self._scaled([(x - rx, y - ry), (x + rx, y + ry)])
        self._pen.ellipse(box, fill, color if width else None, self._px(width) if width else 0)

    def circle(
        self,
        centre: Point,
        radius: float,
        fill: str | None = None,
        color: str = INK,
        width: float = 3,
    ) -> None:
        """A circle (`width` 0: no outline)."""
        self.ellipse(centre, (radius, radius), fill, color, width)

    def sector(
        self, centre: Point, radius: float, start: float, end: float, fill: str | None = None
    ) -> None:
        """A sector between two angles in degrees, clockwise from east."""
        (x, y), r = centre, radius
        box = self._scaled([(x - r, y - r), (x + r, y + r)])
        self._pen.pieslice(box, start, end, fill, INK, self._px(2))

    def arc(
        self,
        centre: Point,
        radius: float,
        start: float,
        end: float,
        color: str = INK,
        width: float = 3,
    ) -> None:
        """An arc between two angles in degrees, clockwise from east."""
        (x, y), r = centre, radius
        self._pen.arc(
            self._scaled([(x - r, y - r), (x + r, y + r)]), start, end, color, self._px(width)
        )

    def arrow(self, p: Point, q: Point, color: str = INK, width: float = 4) -> None:
        """A straight arrow from `p` to its tip `q`."""
        length, head = math.dist(p, q), 3 * width
        ux, uy = (q[0] - p[0]) / length, (q[1] - p[1]) / length
        base = (q[0] - head * ux, q[1] - head * uy)
        side = 0.6 * head
        left = (base[0] - side * uy, base[1] + side * ux)
        right = (base[0] + side * uy, base[1] - side * ux)
        self.line([p, base], color, width)
        # Releases of Pillow differ at the rim of a bare polygon; the outline covers it.
        self.polygon([q, left, right], color, color, 1.5)

    def text(
        self, at: Point, words: str, size: int = 18, anchor: str = "mm", color: str = INK
    ) -> None:
        """Words at a point; `anchor` as Pillow names it ("mm": the middle)."""
        # The embedded font has no minus sign.
        words = words.replace("−", "-")
        ((x, y),) = self._scaled([at])
        self._pen.text((x, y), words, color, _font(round(size * self._scale)), anchor)

    def note(self, at: Point, words: str, size: int = 18, color: str = INK) -> None:
        """Words in the middle of a patch of the ground, readable on top of lines."""
        half_w, half_h = 0.3 * size * len(words) + 4, 0.6 * size
        self.rectangle(
            (at[0] - half_w, at[1] - half_h), (2 * half_w, 2 * half_h), self.ground, width=0
        )
        self.text(at, words, size, color=color)

    def _scaled(self, points: Sequence[Point]) -> list[tuple[int, int]]:
        return [(round(self._scale * x), round(self._scale * y)) for x, y in points]

    def _px(self, width: float) -> int:
        return max(1, round(self._scale * width))


def polar(centre: Point, radius: float, degrees: float) -> Point:
    """The point at a distance and an angle, counter-clockwise from east."""
    angle = math.radians(degrees)
    return centre[0] + radius * math.cos(angle), centre[1] - radius * math.sin(angle)


def regular(centre: Point, radius: float, corners: int, turn: float = 90) -> list[Point]:
    """The corners of a regular polygon; one of them stands at the angle `turn`."""
    return [polar(centre, radius, turn + 360 * i / corners) for i in range(corners)]


def _along(p: Point, q: Point, share: float) -> Point:
    return p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1])


@functools.cache
def _font(size: int) -> FreeTypeFont | BitmapFont:
    from PIL import ImageFont

    return ImageFont.load_default(size)


__all__ = [
    "COLORS",
    "GREY",
    "GROUNDS",
    "INK",
    "LIGHT",
    "WHITE",
    "Figure",
    "Point",
    "polar",
    "regular",
]
