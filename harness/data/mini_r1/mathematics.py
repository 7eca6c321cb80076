"""Mathematics: graphs, angles, lengths, areas, data and chance."""

from __future__ import annotations

import math

from harness.data.mini_r1.axes import Axes
from harness.data.mini_r1.draws import Draws
from harness.data.mini_r1.figure import COLORS, GREY, LIGHT, Figure, Point, polar
from harness.data.mini_r1.problem import (
    COLLEGE,
    HIGH,
    JUNIOR,
    Family,
    Problem,
    minus,
    others,
    spread,
    unit,
)

_CURVES = tuple(COLORS[name] for name in ("red", "blue", "green", "purple", "brown"))


def _slope(draws: Draws) -> Problem:
    figure = Figure(draws, 300, 300)
    rise, run = draws.pick([(1, 1), (1, 2), (2, 1), (3, 1), (3, 2), (2, 3), (1, 3), (4, 1)])
    rise *= draws.sign()
    at = [
        (x, y) for x in range(-4, 3) for y in range(-4, 5) if x + run <= 4 and -4 <= y + rise <= 4
    ]
    x, y = draws.pick(at)
    color = draws.pick(_CURVES)
    axes = Axes(figure, (-5, 5, 1), (-5, 5, 1), crossed=True)
    axes.curve(lambda t: y + rise / run * (t - x), (-5, 5), color, 120)
    axes.dot(x, y, color)
    axes.dot(x + run, y + rise, color)
    pool = [(s * a, b) for s in (1, -1) for a, b in ((abs(rise), run), (run, abs(rise)))]
    pool += [(2 * rise, run), (rise, 2 * run), (-2 * rise, run)]
    answer = _fraction(rise, run)
    return Problem(
        question="What is the slope of the line through the two marked points?",
        answer=answer,
        wrong=others(draws, answer, [_fraction(a, b) for a, b in pool]),
        evidence=f"The line passes through ({minus(x)}, {minus(y)}) and "
        f"({minus(x + run)}, {minus(y + rise)}).",
        figure=figure,
    )


def _vertex(draws: Draws) -> Problem:
    figure = Figure(draws, 300, 300)
    h, k, opens = draws.between(-3, 3), draws.between(-3, 3), draws.sign()
    axes = Axes(figure, (-5, 5, 1), (-5, 5, 1), crossed=True)
    axes.curve(lambda t: k + opens * (t - h) ** 2, (-5, 5), draws.pick(_CURVES), 120)
    pool = [(-h, k), (h, -k), (-h, -k), (k, h), (h + 1, k), (h, k - 1), (h - 1, k), (h, k + 1)]
    answer = f"({minus(h)}, {minus(k)})"
    return Problem(
        question="What are the coordinates of the vertex of the parabola?",
        answer=answer,
        wrong=others(draws, answer, [f"({minus(a)}, {minus(b)})" for a, b in pool]),
        evidence=f"The {'lowest' if opens > 0 else 'highest'} point of the curve is at "
        f"x = {minus(h)}, y = {minus(k)}.",
        figure=figure,
    )


def _angle(draws: Draws) -> Problem:
    figure = Figure(draws, 340, 260)
    alpha, beta = draws.between(35, 75), draws.between(35, 75)
    third = 180 - alpha - beta
    w, h = figure.width - 50, figure.height - 50
    top = math.tan(math.radians(alpha)) * math.tan(math.radians(beta))
    top /= math.tan(math.radians(alpha)) + math.tan(math.radians(beta))
    base = min(w, h / top)
    left, y = (figure.width - base) / 2, (figure.height + base * top) / 2
    foot = base * top / math.tan(math.radians(alpha))
    a, b, c = (left, y), (left + base, y), (left + foot, y - base * top)
    figure.polygon([a, b, c], draws.pick(("#dfeaf8", "#fbe9d0", "#e2f2e0")))
    for corner, start, end in ((a, -alpha, 0), (b, 180, 180 + beta)):
        figure.arc(corner, 28, start, end, COLORS["red"])
    figure.text(polar(a, 52, alpha / 2), f"{alpha}°", 20)
    figure.text(polar(b, 52, 180 - beta / 2), f"{beta}°", 20)
    figure.text((c[0] + 10 * (c[0] < figure.width / 2) - 5, c[1] + 42), "x", 22)
    return Problem(
        question="In the triangle two angles are given. How large is the angle x?",
        answer=f"{third}°",
        wrong=spread(draws, third, draws.pick((2, 5, 10)), lambda v: f"{v}°", 20),
        evidence=f"The other two angles are {alpha}° and {beta}°.",
        figure=figure,
    )


def _side(draws: Draws) -> Problem:
    figure = Figure(draws, 340, 260)
    triple = draws.pick([(3, 4, 5), (5, 12, 13), (8, 15, 17), (7, 24, 25), (20, 21, 29)])
    factor = draws.between(1, 3 if triple[2] < 10 else 2)
    legs = draws.shuffled([factor * triple[0], factor * triple[1]])
    longest = factor * triple[2]
    hidden = draws.below(3)
    w = min(figure.width - 130, (figure.height - 80) * 1.8)
    h = min(figure.height - 80, max(w * legs[1] / legs[0], 90))
    w = max(min(w, h * legs[0] / legs[1]), 110)
    x, y = (figure.width - w) / 2 - 10, (figure.height + h) / 2 - 8
    a, b, c = (x, y), (x + w, y), (x + w, y - h)
    figure.polygon([a, b, c], draws.pick(("#dfeaf8", "#fbe9d0", "#e2f2e0")))
    figure.line([(b[0] - 16, y), (b[0] - 16, y - 16), (b[0], y - 16)], GREY, 2)
    lengths = [*legs, longest]
    shown = ["?" if i == hidden else f"{n} cm" for i, n in enumerate(lengths)]
    figure.text((x + w / 2, y + 18), shown[0], 20)
    figure.text((b[0] + 8, y - h / 2), shown[1], 20, "lm")
    figure.text((x + w / 2 - 12, y - h / 2 - 10), shown[2], 20, "rm")
    answer = lengths[hidden]
    known = [f"{n} cm" for i, n in enumerate(lengths) if i != hidden]
    return Problem(
        question="How long is the side marked with a question mark in the right triangle?",
        answer=f"{answer} cm",
        wrong=spread(draws, answer, draws.pick((1, 2, 3)), unit("cm"), 1),
        evidence=f"The other sides measure {known[0]} and {known[1]}; "
        + ("both are legs." if hidden == 2 else "the second is the hypotenuse."),
        figure=figure,
    )


def _bars(draws: Draws) -> Problem:
    figure = Figure(draws, 380, 280)
    names = ("Mon", "Tue", "Wed", "Thu", "Fri")
    values = [5 * n for n in draws.sample(range(1, 11), len(names))]
    axes = Axes(figure, (0, len(names), 1), (0, 50, 10), ("", "books sold"), names=names)
    color = draws.pick(_CURVES)
    for i, value in enumerate(values):
        (x0, y0), (x1, y1) = axes.at(i + 0.2, value), axes.at(i + 0.8, 0)
        figure.rectangle((x0, y0), (x1 - x0, y1 - y0), color, width=2)
    more, fewer = draws.sample(range(len(names)), 2)
    if values[more] < values[fewer]:
        more, fewer = fewer, more
    answer = values[more] - values[fewer]
    return Problem(
        question=f"How many more books were sold on {names[more]} than on {names[fewer]}?",
        answer=str(answer),
        wrong=spread(draws, answer, 5, lowest=5),
        evidence=f"The bar of {names[more]} reaches {values[more]}, that of {names[fewer]} "
        f"{values[fewer]}.",
        figure=figure,
    )


def _area(draws: Draws) -> Problem:
    figure = Figure(draws, 340, 280)
    w, h = draws.between(6, 12), draws.between(5, 9)
    cut_w, cut_h = draws.between(2, w - 3), draws.between(2, h - 2)
    px = min((figure.width - 130) / w, (figure.height - 90) / h)
    x, y = (figure.width - px * w) / 2, (figure.height - px * h) / 2
    corners = [(0, 0), (w - cut_w, 0), (w - cut_w, cut_h), (w, cut_h), (w, h), (0, h)]
    fill = draws.pick(("#bcd5f0", "#f6d7a8", "#bfe0bb", "#e3c9ee"))
    points: list[Point] = [(x + px * i, y + px * j) for i, j in corners]
    figure.polygon(points, fill)
    figure.text((x + px * w / 2, y + px * h + 18), f"{w} cm", 19)
    figure.text((x - 8, y + px * h / 2), f"{h} cm", 19, "rm")
    figure.text((x + px * (w - cut_w / 2), y + px * cut_h - 14), f"{cut_w} cm", 17)
    figure.text((points[1][0] - 7, y + px * cut_h / 2), f"{cut_h} cm", 17, "rm")
    answer = w * h - cut_w * cut_h
    return Problem(
        question="All angles of the shaded figure are right angles. What is its area?",
        answer=f"{answer} cm²",
        wrong=spread(draws, answer, draws.pick((2, 3, 4)), unit("cm²"), 10),
        evidence=f"The figure is a rectangle of {w} cm by {h} cm without a corner of {cut_w} cm "
        f"by {cut_h} cm.",
        figure=figure,
    )


def _spinner(draws: Draws) -> Problem:
    figure = Figure(draws, 280, 280)
    parts = draws.pick((6, 8, 10, 12))
    names = draws.sample(("red", "blue", "green", "orange", "purple"), 3)
    first = draws.between(1, parts - 3)
    second = draws.between(1, parts - first - 1)
    counts = dict(zip(names, (first, second, parts - first - second), strict=True))
    fields = draws.shuffled([name for name in names for _ in range(counts[name])])
    centre, radius = (figure.width / 2, figure.height / 2), min(figure.width, figure.height) / 2
    for i, name in enumerate(fields):
        figure.sector(centre, radius - 14, 360 * i / parts, 360 * (i + 1) / parts, COLORS[name])
    figure.circle(centre, 12, LIGHT)
    figure.arrow(centre, polar(centre, radius - 40, draws.below(360)), width=6)
    asked = draws.pick(names)
    answer = _fraction(counts[asked], parts)
    return Problem(
        question=f"All sectors of the spinner are equal. With what probability does it stop on "
        f"{asked}?",
        answer=answer,
        wrong=others(draws, answer, [_fraction(n, parts) for n in range(1, parts)]),
        evidence=f"{counts[asked]} of the {parts} sectors are {asked}.",
        figure=figure,
    )


def _fraction(above: int, below: int) -> str:
    divisor = math.gcd(above, below) * (-1 if below < 0 else 1)
    above, below = above // divisor, below // divisor
    return minus(above) if below == 1 else f"{minus(above)}/{below}"


FAMILIES = (
    Family(name="slope", category="Mathematics", level=HIGH, make=_slope, free="expression"),
    Family(name="vertex", category="Mathematics", level=COLLEGE, make=_vertex),
    Family(name="angle", category="Mathematics", level=JUNIOR, make=_angle, free="number"),
    Family(name="side", category="Mathematics", level=HIGH, make=_side, free="number"),
    Family(
        name="bars", category="Mathematics", level=JUNIOR, make=_bars, free="number", exact=True
    ),
    Family(name="area", category="Mathematics", level=JUNIOR, make=_area, free="number"),
    Family(name="spinner", category="Mathematics", level=HIGH, make=_spinner, free="expression"),
)

__all__ = ["FAMILIES"]
