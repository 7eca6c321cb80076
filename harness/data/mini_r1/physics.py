"""Physics: forces, circuits, motion, waves, springs, levers and meters."""

from __future__ import annotations

import math

from harness.data.mini_r1.axes import Axes
from harness.data.mini_r1.draws import Draws
from harness.data.mini_r1.figure import COLORS, GREY, INK, LIGHT, WHITE, Figure, Point, polar
from harness.data.mini_r1.problem import (
    COLLEGE,
    HIGH,
    JUNIOR,
    Family,
    Problem,
    others,
    spread,
    unit,
)

_CURVES = tuple(COLORS[name] for name in ("red", "blue", "green", "purple", "brown"))
_FILLS = ("#bcd5f0", "#f6d7a8", "#bfe0bb", "#e3c9ee", "#f3c1c1")


def _net_force(draws: Draws) -> Problem:
    figure = Figure(draws, 380, 220)
    left, right = draws.sample(range(2, 15), 2)
    middle, half = (figure.width / 2, figure.height / 2 - 8), 38
    corner = (middle[0] - half, middle[1] - half)
    figure.rectangle(corner, (2 * half, 2 * half), draws.pick(_FILLS))
    floor = middle[1] + half + 2
    figure.line([(20, floor), (figure.width - 20, floor)], INK, 4)
    room = (figure.width / 2 - half - 20) / 14
    for force, side in ((left, -1), (right, 1)):
        start = middle[0] + side * half
        tip = start + side * max(40, room * force)
        figure.arrow((start, middle[1]), (tip, middle[1]), COLORS["red"], 6)
        figure.text((middle[0] + side * (half + 50), middle[1] - 28), f"{force} N", 22)
    toward, away = ("to the right", "to the left")[:: 1 if right > left else -1]
    size = abs(right - left)
    second, third = draws.sample([n for n in range(1, 11) if n != size], 2)
    answer = f"{size} N {toward}"
    return Problem(
        question="The floor is smooth. What is the net horizontal force on the block?",
        answer=answer,
        wrong=(
            *(f"{size} N {away}", f"{second} N {toward}", f"{second} N {away}"),
            f"{third} N {draws.pick((toward, away))}",
        ),
        evidence=f"A force of {right} N points to the right and one of {left} N to the left.",
        figure=figure,
    )


def _circuit(draws: Draws) -> Problem:
    figure = Figure(draws, 380, 240)
    one, two, joint = draws.pick(
        [(6, 3, 2), (6, 6, 3), (12, 4, 3), (12, 6, 4), (20, 5, 4), (8, 8, 4)]
    )
    if draws.below(2):
        one, two = two, one
    first = draws.between(2, 12)
    parallel = bool(draws.below(3))
    color = draws.pick(_FILLS)
    y, w = figure.height / 2, figure.width
    x1, x2, x3 = 0.28 * w, 0.67 * w, w - 34
    figure.line([(34, y), (x3, y)])
    if parallel:
        gap = 52
        figure.rectangle((0.5 * w, y - gap), (0.34 * w, 2 * gap), figure.ground)
        _resistor(figure, (x1, y), first, color)
        _resistor(figure, (x2, y - gap), one, color)
        _resistor(figure, (x2, y + gap), two, color)
        total = first + joint
        evidence = f"{one} Ω and {two} Ω are in parallel, with {first} Ω in series before them."
    else:
        for share, value in zip((0.22, 0.5, 0.78), (first, one, two), strict=True):
            _resistor(figure, (share * w, y), value, color)
        total = first + one + two
        evidence = f"{first} Ω, {one} Ω and {two} Ω are all in series."
    for x, name in ((34, "A"), (x3, "B")):
        figure.circle((x, y), 6, INK)
        figure.text((x, y - 22), name, 22)
    pool = [first + one + two, first + joint, first + max(one, two), one + two, joint, first]
    pool += [total + 1, total + 3]
    return Problem(
        question="What is the total resistance between A and B?",
        answer=f"{total} Ω",
        wrong=others(draws, f"{total} Ω", [f"{value} Ω" for value in pool]),
        evidence=evidence,
        figure=figure,
    )


def _resistor(figure: Figure, at: Point, value: int, color: str) -> None:
    figure.rectangle((at[0] - 34, at[1] - 13), (68, 26), color)
    figure.text((at[0], at[1] - 28), f"{value} ohm", 18)


def _velocity(draws: Draws) -> Problem:
    figure = Figure(draws, 360, 280)
    t1, t2, t3 = (2 * n for n in sorted(draws.sample(range(1, 6), 3)))
    speed = 2 * draws.between(2, 5)
    last = draws.pick([0, speed])
    axes = Axes(figure, (0, 10, 2), (0, 12, 2), ("time (s)", "velocity (m/s)"))
    path = [(0, 0), (t1, speed), (t2, speed), (t3, last)]
    figure.line([axes.at(*p) for p in path], draws.pick(_CURVES), 5)
    figure.circle(axes.at(*path[-1]), 5, INK)
    distance = speed * t1 // 2 + speed * (t2 - t1) + (speed + last) * (t3 - t2) // 2
    rest = "falls to zero at" if last == 0 else "stays so until"
    return Problem(
        question="How far does the car travel in the time that the graph shows?",
        answer=f"{distance} m",
        wrong=spread(draws, distance, draws.pick((4, 6, 8)), unit("m"), 2),
        evidence=f"The velocity rises to {speed} m/s in {t1} s, is constant until {t2} s and "
        f"{rest} {t3} s.",
        figure=figure,
    )


def _wave(draws: Draws) -> Problem:
    figure = Figure(draws, 380, 240)
    length, height = draws.pick((2, 3, 4, 5, 6, 8)), draws.between(2, 4)
    shift = draws.below(4)
    axes = Axes(figure, (0, 12, 2), (-5, 5, 5), ("x (m)", "displacement (cm)"))
    axes.curve(
        lambda x: height * math.sin(math.tau * (x / length + shift / 4)),
        (0, 12),
        draws.pick(_CURVES),
        120,
    )
    return Problem(
        question="What is the wavelength of the wave in the picture?",
        answer=f"{length} m",
        wrong=others(draws, f"{length} m", [f"{n} m" for n in (1, 2, 3, 4, 5, 6, 8, 10, 12)]),
        evidence=f"The curve repeats every {length} m along the x axis.",
        figure=figure,
    )


def _spring(draws: Draws) -> Problem:
    figure = Figure(draws, 260, 320)
    step = draws.pick((1, 2, 5))
    marks = 10
    reading = draws.between(1, marks - 1)
    x, top = figure.width / 2, 40
    room = figure.height - 110
    figure.rectangle((x - 40, top), (80, room), WHITE)
    for mark in range(marks + 1):
        y = top + 16 + (room - 32) * mark / marks
        long = mark % 2 == 0
        figure.line([(x + 12, y), (x + (38 if long else 26), y)], INK, 2.5)
        if long:
            figure.text((x + 50, y), str(step * mark), 18, "lm")
    figure.text((x + 50, 20), "newton", 16, "lm")
    y = top + 16 + (room - 32) * reading / marks
    coils = 9
    zigzag = [(x - 14 + 16 * (i % 2), top + (y - top) * i / coils) for i in range(coils + 1)]
    figure.line(zigzag, GREY, 3)
    figure.line([(x - 34, y), (x + 20, y)], COLORS["red"], 5)
    figure.line([(x - 6, y), (x - 6, top + room + 16)], INK, 3)
    size = draws.between(20, 32)
    figure.rectangle((x - 6 - size, top + room + 16), (2 * size, 36), draws.pick(_FILLS))
    figure.line([(x, 8), (x, top)], INK, 4)
    force = step * reading
    return Problem(
        question="Which force does the spring balance show?",
        answer=f"{force} N",
        wrong=spread(draws, force, step, unit("N")),
        evidence=f"The pointer stands at mark {reading} of {marks}; one mark is {step} N.",
        figure=figure,
    )


def _lever(draws: Draws) -> Problem:
    figure = Figure(draws, 400, 220)
    options = [
        (force, left, right)
        for force in range(2, 13)
        for left in range(1, 6)
        for right in range(1, 6)
        if force * left % right == 0 and left != right and force * left // right <= 30
    ]
    force, left, right = draws.pick(options)
    middle, y = figure.width / 2, figure.height / 2
    px = (figure.width - 80) / 10
    figure.polygon([(middle, y + 4), (middle - 26, y + 56), (middle + 26, y + 56)], LIGHT)
    figure.rectangle((middle - 5 * px - 12, y - 5), (10 * px + 24, 10), draws.pick(_FILLS))
    for mark in range(-5, 6):
        figure.line([(middle + px * mark, y - 12), (middle + px * mark, y + 5)], INK, 2)
    for x, words in ((-left, f"{force} N"), (right, "F")):
        figure.arrow((middle + px * x, y - 62), (middle + px * x, y - 8), COLORS["red"], 5)
        figure.text((middle + px * x, y - 78), words, 21)
    answer = force * left // right
    return Problem(
        question="The marks are equally spaced. Which force F balances the lever?",
        answer=f"{answer} N",
        wrong=spread(draws, answer, draws.pick((1, 2, 3)), unit("N"), 1),
        evidence=f"{force} N acts at mark {left} left of the pivot, F at mark {right} right of it.",
        figure=figure,
    )


def _meter(draws: Draws) -> Problem:
    figure = Figure(draws, 320, 240)
    step = draws.pick((1, 2, 5, 10))
    name, sign = draws.pick((("current", "A"), ("voltage", "V")))
    marks = 10
    reading = draws.between(1, marks - 1)
    centre = (figure.width / 2, figure.height - 46)
    radius = min(figure.width / 2 - 56, figure.height - 104)
    figure.rectangle((8, 8), (figure.width - 16, figure.height - 16), WHITE)
    figure.arc(centre, radius, 200, 340, INK, 3)
    for mark in range(marks + 1):
        turn = 160 - 14 * mark
        inner = radius - (18 if mark % 2 == 0 else 11)
        figure.line([polar(centre, inner, turn), polar(centre, radius, turn)], INK, 2.5)
        if mark % 2 == 0:
            figure.text(polar(centre, radius + 20, turn), str(step * mark), 17)
    needle = polar(centre, radius - 6, 160 - 14 * reading)
    figure.line([centre, needle], COLORS["red"], 4)
    figure.circle(centre, 9, INK)
    figure.text((figure.width / 2, figure.height - 22), sign, 22)
    value = step * reading
    return Problem(
        question=f"What {name} does the meter show?",
        answer=f"{value} {sign}",
        wrong=spread(draws, value, step, unit(sign)),
        evidence=f"The needle stands at mark {reading} of {marks}; one mark is {step} {sign}.",
        figure=figure,
    )


FAMILIES = (
    Family(name="net-force", category="Physics", level=JUNIOR, make=_net_force),
    Family(name="circuit", category="Physics", level=HIGH, make=_circuit, free="number"),
    Family(name="velocity", category="Physics", level=HIGH, make=_velocity, free="number"),
    Family(name="wave", category="Physics", level=COLLEGE, make=_wave, free="number"),
    Family(name="spring", category="Physics", level=JUNIOR, make=_spring, free="number"),
    Family(name="lever", category="Physics", level=COLLEGE, make=_lever, free="number"),
    Family(name="meter", category="Physics", level=JUNIOR, make=_meter, free="number"),
)

__all__ = ["FAMILIES"]
