"""Axes for plots: grid, ticks, titles, and the way from data to pixels."""

from __future__ import annotations

from collections.abc import Callable

from harness.data.mini_r1.figure import GREY, INK, LIGHT, Figure, Point

Ticks = tuple[int, int, int]


class Axes:
    """A plot that fills its figure, drawn on creation.

    Parameters
    ----------
    figure : what is drawn on.
    x, y : (lowest, highest, step) of each axis in data units; a label stands at every step.
    titles : of the horizontal and the vertical axis; an empty one takes no room.
    crossed : axes through the origin with a square grid, instead of at the left and below.
    names : words instead of numbers under the horizontal axis, one per step.
    """

    def __init__(
        self,
        figure: Figure,
        x: Ticks,
        y: Ticks,
        titles: tuple[str, str] = ("", ""),
        crossed: bool = False,
        names: tuple[str, ...] = (),
    ) -> None:
        self.figure, self._x, self._y = figure, x, y
        left, top = (12, 12) if crossed else (50, 34 if titles[1] else 16)
        right, bottom = (12, 12) if crossed else (22, 52 if titles[0] else 34)
        self.left, self.right = float(left), float(figure.width - right)
        self.top, self.bottom = float(top), float(figure.height - bottom)
        if crossed:
            self._square()
        self._grid(crossed, names)
        if titles[1]:
            figure.text((8, 16), titles[1], 17, "lm")
        if titles[0]:
            figure.text((self.right, figure.height - 14), titles[0], 17, "rm")

    def at(self, x: float, y: float) -> Point:
        """The pixel of a point in data units."""
        across = (x - self._x[0]) / (self._x[1] - self._x[0])
        up = (y - self._y[0]) / (self._y[1] - self._y[0])
        return (
            self.left + across * (self.right - self.left),
            self.bottom - up * (self.bottom - self.top),
        )

    def curve(
        self,
        function: Callable[[float], float],
        span: tuple[float, float],
        color: str,
        samples: int = 60,
    ) -> None:
        """A function's graph over `span`; parts above or below the plot are left out."""
        low, high = span
        run: list[Point] = []
        for i in range(samples + 1):
            x = low + (high - low) * i / samples
            y = function(x)
            if self._y[0] <= y <= self._y[1]:
                run.append(self.at(x, y))
            elif len(run) > 1:
                self.figure.line(run, color, 4)
                run = []
        if len(run) > 1:
            self.figure.line(run, color, 4)

    def dot(self, x: float, y: float, color: str = INK) -> None:
        """A bold dot at a point in data units."""
        self.figure.circle(self.at(x, y), 6, color, width=0)

    def _square(self) -> None:
        """Equal units on both axes, in the middle of the figure."""
        units = (self._x[1] - self._x[0], self._y[1] - self._y[0])
        room = (self.right - self.left, self.bottom - self.top)
        px = min(room[0] / units[0], room[1] / units[1])
        spare = (room[0] - px * units[0], room[1] - px * units[1])
        self.left, self.right = self.left + spare[0] / 2, self.right - spare[0] / 2
        self.top, self.bottom = self.top + spare[1] / 2, self.bottom - spare[1] / 2

    def _grid(self, crossed: bool, names: tuple[str, ...]) -> None:
        figure, (x0, x1, dx), (y0, y1, dy) = self.figure, self._x, self._y
        columns, rows = range(x0, x1 + 1, dx), range(y0, y1 + 1, dy)
        if not names:
            for x in columns:
                figure.line([self.at(x, y0), self.at(x, y1)], LIGHT, 1.5)
        for y in rows:
            figure.line([self.at(x0, y), self.at(x1, y)], LIGHT, 1.5)
        zero_x, zero_y = (0, 0) if crossed else (x0, y0)
        draw = figure.arrow if crossed else _plain(figure)
        draw(self.at(x0, zero_y), self.at(x1, zero_y), INK, 2.5)
        draw(self.at(zero_x, y0), self.at(zero_x, y1), INK, 2.5)
        if crossed:
            self._numbers()
            return
        for y in rows:
            px = self.at(x0, y)
            figure.text((px[0] - 7, px[1]), str(y), 16, "rm")
        for i, x in enumerate(columns):
            px = self.at(x + dx / 2, y0) if names else self.at(x, y0)
            if not names or i < len(names):
                figure.text((px[0], px[1] + 15), names[i] if names else str(x), 16)

    def _numbers(self) -> None:
        (x0, x1, _), (y0, y1, _) = self._x, self._y
        for x in range(x0 + 1, x1):
            if x and x % 2 == 0:
                px = self.at(x, 0)
                self.figure.text((px[0], px[1] + 10), str(x), 14, color=GREY)
        for y in range(y0 + 1, y1):
            if y and y % 2 == 0:
                px = self.at(0, y)
                self.figure.text((px[0] - 6, px[1]), str(y), 14, "rm", GREY)
        self.figure.text((self.right - 2, self.at(0, 0)[1] - 14), "x", 18, "rm")
        self.figure.text((self.at(0, 0)[0] + 12, self.top + 8), "y", 18)


def _plain(figure: Figure) -> Callable[[Point, Point, str, float], None]:
    def draw(p: Point, q: Point, color: str, width: float) -> None:
        figure.line([p, q], color, width)

    return draw


__all__ = ["Axes", "Ticks"]
