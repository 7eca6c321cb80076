"""Deduction: sequences, matrices, odd ones out, routes, scales, pyramids and tangles."""

from __future__ import annotations

import itertools

from harness.data.mini_r1.draws import Draws
from harness.data.mini_r1.figure import COLORS, GREY, INK, WHITE, Figure, Point, polar, regular
from harness.data.mini_r1.problem import SOCIAL, Family, Problem, others, spread

_DIRECTIONS = (
    *("right", "up and right", "up", "up and left"),
    *("left", "down and left", "down", "down and right"),
)
_FILLS = ("#bcd5f0", "#f6d7a8", "#bfe0bb", "#e3c9ee", "#f3c1c1")
_COUNTS = ("one", "two", "three")


def _sequence(draws: Draws) -> Problem:
    figure = Figure(draws, 430, 150)
    start, turn = draws.below(8), draws.pick((1, 2, 3, 5, 6, 7))
    side = (figure.width - 60) / 5
    y = (figure.height - side) / 2
    fill, color = draws.pick(_FILLS), draws.pick(tuple(COLORS.values()))
    for i in range(5):
        x = 10 + i * (side + 10)
        figure.rectangle((x, y), (side, side), WHITE if i == 4 else fill)
        centre = (x + side / 2, y + side / 2)
        if i == 4:
            figure.text(centre, "?", 40)
            continue
        angle = 45 * (start + turn * i)
        reach = side / 2 - 8
        figure.arrow(polar(centre, reach, angle + 180), polar(centre, reach, angle), color, 7)
    seen = [_DIRECTIONS[(start + turn * i) % 8] for i in range(5)]
    return Problem(
        question="The arrow turns by the same angle every time. Where does it point in the last "
        "box?",
        answer=seen[4],
        wrong=others(draws, seen[4], _DIRECTIONS),
        evidence=f"The arrows point {', '.join(seen[:4])}.",
        figure=figure,
    )


def _matrix(draws: Draws) -> Problem:
    figure = Figure(draws, 330, 330)
    shapes = draws.sample(("circle", "square", "triangle", "star"), 3)
    colors = draws.sample(("red", "blue", "green", "orange", "purple"), 3)
    counts = draws.shuffled((1, 2, 3))
    turn, hidden = draws.between(1, 2), (draws.below(3), draws.below(3))
    side = (min(figure.width, figure.height) - 20) / 3
    x0, y0 = (figure.width - 3 * side) / 2, (figure.height - 3 * side) / 2
    for i, j in itertools.product(range(3), repeat=2):
        corner = (x0 + i * side, y0 + j * side)
        figure.rectangle(corner, (side, side), WHITE)
        middle = (corner[0] + side / 2, corner[1] + side / 2)
        if (i, j) == hidden:
            figure.text(middle, "?", 44)
            continue
        for k in range(counts[i]):
            x = middle[0] + (k - (counts[i] - 1) / 2) * side / 3.3
            _shape(figure, (x, middle[1]), side / 8.5, shapes[j], colors[(turn * i + j) % 3])

    def words(count: int, color: str, shape: str) -> str:
        return f"{_COUNTS[count - 1]} {color} {shape}{'s' if count > 1 else ''}"

    i, j = hidden
    truth = (counts[i], colors[(turn * i + j) % 3], shapes[j])
    pool = [words(*mix) for mix in itertools.product(counts, colors, shapes)]
    near = [w for w in pool if sum(part in w for part in (_COUNTS[truth[0] - 1], *truth[1:])) == 2]
    return Problem(
        question="Which figure belongs in the empty cell of the pattern?",
        answer=words(*truth),
        wrong=others(draws, words(*truth), near),
        evidence=f"The row holds {shapes[j]}s and lacks {truth[1]}; the cells of the column hold "
        f"{_COUNTS[counts[i] - 1]}.",
        figure=figure,
    )


def _shape(figure: Figure, at: Point, radius: float, shape: str, color: str) -> None:
    fill = COLORS[color]
    if shape == "circle":
        figure.circle(at, radius, fill, INK, 2)
    elif shape == "star":
        rings = (regular(at, 1.25 * radius, 5), regular(at, 0.5 * radius, 5, 126))
        figure.polygon([p for pair in zip(*rings, strict=True) for p in pair], fill, INK, 2)
    else:
        corners, turn = (4, 45) if shape == "square" else (3, 90)
        figure.polygon(regular(at, 1.25 * radius, corners, turn), fill, INK, 2)


def _odd(draws: Draws) -> Problem:
    figure = Figure(draws, 440, 150)
    odd, kind = draws.below(5), draws.pick(("corners", "mirror", "dot"))
    fill = draws.pick(_FILLS)
    few = draws.pick((3, 4, 5))
    step, y = figure.width / 5, figure.height / 2 - 14
    radius = min(step / 2 - 10, 34)
    for i in range(5):
        centre, turn = (step * (i + 0.5), y), draws.below(360)
        if kind == "corners":
            figure.polygon(regular(centre, radius, few + (i == odd), turn), fill)
        elif kind == "mirror":
            hand = -1 if i == odd else 1
            flag = [(-90.0, 1.1), (90, 1.1), (45, 1.3), (0, 0.7), (90, 0)]
            points = [polar(centre, r * radius, turn + hand * a) for a, r in flag]
            figure.polygon(points[1:], fill)
            figure.line(points[:2], INK, 5)
        else:
            points = regular(centre, radius, few, turn)
            figure.polygon(points, fill)
            spot = centre if i == odd else polar(centre, 0.75 * radius, turn)
            figure.circle(spot, 6, COLORS["red"], width=0)
        figure.text((centre[0], figure.height - 20), str(i + 1), 24)
    why = {
        "corners": f"has {few + 1} corners, the others {few}",
        "mirror": "is a mirror image of the others",
        "dot": "has its dot in the middle, the others at a corner",
    }[kind]
    return Problem(
        question="Figures may be rotated. Which one does not belong with the others?",
        answer=f"figure {odd + 1}",
        wrong=tuple(f"figure {i + 1}" for i in range(5) if i != odd),
        evidence=f"Figure {odd + 1} {why}.",
        figure=figure,
    )


def _route(draws: Draws) -> Problem:
    figure = Figure(draws, 420, 280)
    places = {"S": (0.09, 0.5), "A": (0.36, 0.2), "B": (0.36, 0.8)}
    places |= {"C": (0.66, 0.2), "D": (0.66, 0.8), "T": (0.91, 0.5)}
    at = {name: (x * figure.width, y * figure.height) for name, (x, y) in places.items()}
    roads = ("SA", "SB", "AB", "AC", "BD", "CD", "CT", "DT")
    lengths = {road: draws.between(1, 9) for road in roads}
    for road, length in lengths.items():
        p, q = at[road[0]], at[road[1]]
        figure.line([p, q], GREY, 5)
        figure.note(((p[0] + q[0]) / 2, (p[1] + q[1]) / 2), str(length), 22)
    fill = draws.pick(_FILLS)
    for name, place in at.items():
        figure.circle(place, 21, WHITE if name in "ST" else fill)
        figure.text(place, name, 24)
    both = lengths | {road[::-1]: length for road, length in lengths.items()}
    routes = {
        sum(both[a + b] for a, b in itertools.pairwise(route)): route
        for count in range(2, 5)
        for middle in itertools.permutations("ABCD", count)
        for route in ["S" + "".join(middle) + "T"]
        if all(a + b in both for a, b in itertools.pairwise(route))
    }
    best = min(routes)
    return Problem(
        question="The numbers are lengths of roads. How long is the shortest route from S to T?",
        answer=str(best),
        wrong=spread(draws, best, draws.pick((1, 2)), lowest=3),
        evidence=f"The shortest route is {'-'.join(routes[best])}.",
        figure=figure,
    )


def _scales(draws: Draws) -> Problem:
    figure = Figure(draws, 420, 200)
    first, second = draws.between(2, 4), draws.between(1, 4)
    big, middle, small = draws.sample(("circle", "square", "triangle", "star"), 3)
    color = dict(zip((big, middle, small), draws.sample(tuple(COLORS), 3), strict=True))
    half = figure.width / 2
    for x, (one, many, count) in zip(
        (half / 2, 1.5 * half), ((big, middle, first), (middle, small, second)), strict=True
    ):
        y = figure.height / 2 + 18
        figure.polygon([(x, y), (x - 18, y + 46), (x + 18, y + 46)], GREY)
        figure.line([(x - 88, y), (x + 88, y)], INK, 6)
        _shape(figure, (x - 58, y - 22), 15, one, color[one])
        for k in range(count):
            spot = (x + 38 + 36 * (k % 2), y - 20 - 36 * (k // 2))
            _shape(figure, spot, 13, many, color[many])
    answer = first * second
    return Problem(
        question=f"Both scales are balanced. How many {small}s weigh as much as one {big}?",
        answer=str(answer),
        wrong=spread(draws, answer, 1, lowest=1),
        evidence=f"One {big} weighs {first} {middle}s, and one {middle} weighs {second} {small}"
        f"{'s' if second > 1 else ''}.",
        figure=figure,
    )


def _pyramid(draws: Draws) -> Problem:
    figure = Figure(draws, 360, 240)
    rows = [[draws.between(1, 9) for _ in range(4)]]
    while len(rows[-1]) > 1:
        rows.append([a + b for a, b in itertools.pairwise(rows[-1])])
    w, h = (figure.width - 40) / 4, (figure.height - 40) / 4
    given = draws.below(3)
    gap = given + draws.below(2)
    shown = {(0, i) for i in range(4) if i != gap} | {(1, given)}
    fill = draws.pick(_FILLS)
    for j, row in enumerate(rows):
        for i, value in enumerate(row):
            corner = (20 + w * (i + j / 2), 20 + h * (3 - j))
            known, top = (j, i) in shown, j == 3
            figure.rectangle(corner, (w, h), fill if known else WHITE)
            words = str(value) if known else "?" if top else ""
            figure.text((corner[0] + w / 2, corner[1] + h / 2), words, 26)
    answer = rows[3][0]
    return Problem(
        question="Every brick is the sum of the two bricks below it. Which number is on top?",
        answer=str(answer),
        wrong=spread(draws, answer, draws.pick((1, 2, 3)), lowest=4),
        evidence=f"With the gap filled the lowest bricks are {', '.join(map(str, rows[0]))}.",
        figure=figure,
    )


def _tangle(draws: Draws) -> Problem:
    figure = Figure(draws, 400, 280)
    ends, left, right = draws.shuffled(range(5)), 50, figure.width - 50
    ys = [figure.height * (i + 0.5) / 5 for i in range(5)]
    for i, end in enumerate(ends):
        path = []
        for k in range(41):
            t = k / 40
            ease = t * t * (3 - 2 * t)
            path.append((left + (right - left) * t, ys[i] + (ys[end] - ys[i]) * ease))
        figure.line(path, INK, 4)
    fill = draws.pick(_FILLS)
    for i, y in enumerate(ys):
        figure.circle((left - 20, y), 18, fill)
        figure.text((left - 20, y), "PQRST"[i], 22)
        figure.circle((right + 20, y), 18, WHITE)
        figure.text((right + 20, y), str(i + 1), 22)
    asked = draws.below(5)
    answer = str(ends[asked] + 1)
    return Problem(
        question=f"Which number is the letter {'PQRST'[asked]} joined to by a line?",
        answer=answer,
        wrong=others(draws, answer, "12345"),
        evidence=f"The line from {'PQRST'[asked]} ends at {answer}.",
        figure=figure,
    )


FAMILIES = (
    Family(name="sequence", category="Deduction", level=SOCIAL, make=_sequence),
    Family(name="matrix", category="Deduction", level=SOCIAL, make=_matrix),
    Family(name="odd", category="Deduction", level=SOCIAL, make=_odd),
    Family(
        name="route", category="Deduction", level=SOCIAL, make=_route, free="number", exact=True
    ),
    Family(
        name="scales", category="Deduction", level=SOCIAL, make=_scales, free="number", exact=True
    ),
    Family(
        name="pyramid", category="Deduction", level=SOCIAL, make=_pyramid, free="number", exact=True
    ),
    Family(
        name="tangle", category="Deduction", level=SOCIAL, make=_tangle, free="number", exact=True
    ),
)

__all__ = ["FAMILIES"]
