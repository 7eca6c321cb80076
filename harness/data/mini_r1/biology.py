"""Biology: food webs, populations, cells, pedigrees, crosses and counts under a microscope."""

from __future__ import annotations

import itertools
import math

from harness.data.mini_r1.axes import Axes
from harness.data.mini_r1.draws import Draws
from harness.data.mini_r1.figure import COLORS, GREY, INK, WHITE, Figure, Point, polar
from harness.data.mini_r1.problem import COLLEGE, HIGH, JUNIOR, Family, Problem, others, spread

_PLANTS = ("grass", "oak", "clover", "wheat", "algae")
_EATERS = ("mouse", "rabbit", "snail", "beetle", "duck", "deer", "cricket", "vole")
_HUNTERS = ("fox", "owl", "snake", "hawk", "heron", "cat", "wolf", "stoat")


def _food_web(draws: Draws) -> Problem:
    figure = Figure(draws, 400, 300)
    plants = draws.sample(_PLANTS, 2)
    eaters, hunters = draws.sample(_EATERS, 3), draws.sample(_HUNTERS, 2)
    rows = ((0.84, plants), (0.5, eaters), (0.16, hunters))
    at = {
        name: (figure.width * (i + 0.5) / len(row), figure.height * y)
        for y, row in rows
        for i, name in enumerate(row)
    }
    grazed = draws.shuffled([*plants, draws.pick(plants)])
    arrows = set(zip(grazed, eaters, strict=True))
    hunted = draws.sample(eaters, 3)
    links = [(hunted[0], hunters[0]), (hunted[1], hunters[1]), (hunted[2], draws.pick(hunters))]
    arrows |= set(links)
    for eaten, by in sorted(arrows):
        figure.arrow(_toward(at[eaten], at[by]), _toward(at[by], at[eaten]), GREY, 4)
    color = draws.pick(("#dff0d8", "#fdf0d5", "#e3ecf8"))
    for name, (x, y) in at.items():
        figure.ellipse((x, y), (50, 21), color)
        figure.text((x, y), name, 20)
    asked, answer = draws.pick(links)
    pool = [*hunters, *eaters, *plants]
    return Problem(
        question=f"Arrows point from food to feeder. Which organism feeds on the {asked}?",
        answer=answer,
        wrong=others(draws, answer, [name for name in pool if name != asked]),
        evidence=f"An arrow points from {asked} to {answer}.",
        figure=figure,
    )


def _toward(p: Point, q: Point) -> Point:
    """Where the way from `p` to `q` leaves the ellipse around `p`, with a little room."""
    dx, dy = q[0] - p[0], q[1] - p[1]
    share = 1 / math.hypot(dx / 56, dy / 27)
    return p[0] + share * dx, p[1] + share * dy


def _population(draws: Draws) -> Problem:
    figure = Figure(draws, 380, 280)
    limit, middle, rate = 10 * draws.between(4, 11), draws.between(6, 13), draws.between(5, 9)
    axes = Axes(figure, (0, 24, 4), (0, 120, 20), ("time (h)", "cells (thousand)"))
    color = COLORS[draws.pick(("red", "blue", "green", "purple"))]
    axes.curve(lambda t: limit / (1 + math.exp((middle - t) * rate / 10)), (0, 24), color)
    return Problem(
        question="At about what number of cells, in thousands, does the population stop growing?",
        answer=str(limit),
        wrong=spread(draws, limit, draws.pick((10, 20)), lowest=10),
        evidence=f"The curve levels off at {limit} thousand cells.",
        figure=figure,
    )


_PARTS = ("nucleus", "vacuole", "chloroplast", "mitochondrion", "cell wall")


def _cell(draws: Draws) -> Problem:
    figure = Figure(draws, 400, 300)
    w, h = figure.width, figure.height
    figure.rectangle((84, 36), (w - 168, h - 72), "#e9f5dc", "#4d7a2a", 8)
    sites = draws.shuffled([(0.35, 0.34), (0.64, 0.33), (0.36, 0.68), (0.65, 0.68)])
    spots = [(84 + (w - 168) * (x - 0.22) / 0.56, h * y) for x, y in sites]
    nucleus, vacuole, chloroplast, mitochondrion = spots
    figure.circle(nucleus, 29, "#b18bd0")
    figure.circle((nucleus[0] + 6, nucleus[1] - 4), 9, "#5f3a83", width=0)
    figure.ellipse(vacuole, (44, 30), "#bfe0f7", "#3f7fb0")
    figure.ellipse(chloroplast, (34, 18), COLORS["green"])
    for shift in (-16, 0, 16):
        x = chloroplast[0] + shift
        figure.line([(x, chloroplast[1] - 8), (x, chloroplast[1] + 8)], "#c8f0c0", 4)
    figure.ellipse(mitochondrion, (36, 17), COLORS["orange"])
    wave = [(mitochondrion[0] - 26 + 7 * i, mitochondrion[1] + 8 * (-1) ** i) for i in range(8)]
    figure.line(wave, "#7a3d00", 3)
    wall = (w / 2, h - 38) if draws.below(2) else (w / 2, 38)
    numbers = dict(zip(_PARTS, draws.shuffled("12345"), strict=True))
    for part, spot in zip(_PARTS, (*spots, wall), strict=True):
        side = -1 if spot[0] < w / 2 else 1
        end = (w / 2 + side * (w / 2 - 26), spot[1])
        if part == "cell wall":
            end = (w / 2, h - 14 if wall[1] > h / 2 else 16)
        figure.line([spot, (end[0] - (0 if part == "cell wall" else 14 * side), end[1])], INK, 2.5)
        figure.circle(end, 13, WHITE, INK, 2)
        figure.text(end, numbers[part], 20)
    asked = draws.pick(_PARTS)
    return Problem(
        question=f"Which number points to the {asked} of the plant cell?",
        answer=numbers[asked],
        wrong=others(draws, numbers[asked], "12345"),
        evidence=f"The line from {numbers[asked]} ends on the {asked}.",
        figure=figure,
    )


def _pedigree(draws: Draws) -> Problem:
    figure = Figure(draws, 380, 280)
    w, h = figure.width, figure.height
    children = draws.between(4, 6)
    people = [(0.38 * w, 0.26 * h, "male"), (0.62 * w, 0.26 * h, "female")]
    people += [
        (w * (i + 0.5) / children, 0.74 * h, draws.pick(("male", "female")))
        for i in range(children)
    ]
    figure.line([(0.38 * w, 0.26 * h), (0.62 * w, 0.26 * h)])
    figure.line([(w / 2, 0.26 * h), (w / 2, 0.5 * h)])
    figure.line([(people[2][0], 0.5 * h), (people[-1][0], 0.5 * h)])
    fill, counts = draws.pick(tuple(COLORS.values())), {"male": 0, "female": 0}
    for place, (x, y, sex) in enumerate(people):
        ill = bool(draws.below(2))
        counts[sex] += ill
        if place > 1:
            figure.line([(x, 0.5 * h), (x, y)])
        if sex == "male":
            figure.rectangle((x - 20, y - 20), (40, 40), fill if ill else WHITE)
        else:
            figure.circle((x, y), 21, fill if ill else WHITE)
    asked = draws.pick(("male", "female"))
    answer = counts[asked]
    shape = "squares" if asked == "male" else "circles"
    return Problem(
        question=f"Squares are males, circles females, filled symbols are affected. How many "
        f"{asked}s are affected?",
        answer=str(answer),
        wrong=spread(draws, answer, 1),
        evidence=f"Of the filled symbols {answer} are {shape}.",
        figure=figure,
    )


def _cross(draws: Draws) -> Problem:
    figure = Figure(draws, 320, 320)
    letter = draws.pick("ABDEGHRT")
    types = (letter * 2, letter + letter.lower(), letter.lower() * 2)
    parents = [draws.pick((*types, types[1])) for _ in range(2)]
    x0, y0 = 78, 66
    side = min(figure.width - x0 - 24, figure.height - y0 - 24) / 2
    fill = draws.pick(("#fdf0d5", "#e3ecf8", "#e9f5dc"))
    for i, j in itertools.product(range(2), repeat=2):
        figure.rectangle((x0 + i * side, y0 + j * side), (side, side), fill)
        figure.text((x0 + (i + 0.5) * side, y0 + (j + 0.5) * side), "?", 24, color=GREY)
    for i in range(2):
        figure.text((x0 + (i + 0.5) * side, y0 - 26), parents[0][i], 32)
        figure.text((x0 - 32, y0 + (i + 0.5) * side), parents[1][i], 32)
    asked = draws.pick((*types, "dominant"))
    made = ["".join(sorted(pair)) for pair in itertools.product(*parents)]
    shown = [(asked == "dominant" and letter in pair) or asked == pair for pair in made]
    share = 100 * sum(shown) // len(made)
    what = "shows the dominant trait" if asked == "dominant" else f"has genotype {asked}"
    return Problem(
        question=f"Complete the Punnett square. What share of the offspring {what}?",
        answer=f"{share} %",
        wrong=others(draws, f"{share} %", [f"{n} %" for n in (0, 25, 50, 75, 100)]),
        evidence=f"The parents are {parents[0]} and {parents[1]}.",
        figure=figure,
    )


def _microscope(draws: Draws) -> Problem:
    figure = Figure(draws, 300, 300)
    centre, radius = (figure.width / 2, figure.height / 2), min(figure.width, figure.height) / 2
    figure.rectangle((0, 0), (figure.width, figure.height), "#2b2b2b", width=0)
    figure.circle(centre, radius - 10, draws.pick(("#fbf3e4", "#eef5ee", "#f3eef8")))
    step = (radius - 20) / 2.75
    cells = [
        (centre[0] + step * i + draws.between(-3, 3), centre[1] + step * j + draws.between(-3, 3))
        for i in range(-2, 3)
        for j in range(-2, 3)
        if math.hypot(i, j) < 2.3
    ]
    rods, balls = draws.between(2, 9), draws.between(2, 9)
    dark = draws.pick((COLORS["purple"], COLORS["red"], COLORS["blue"], COLORS["green"]))
    for place, spot in enumerate(draws.sample(cells, rods + balls)):
        if place < rods:
            turn = draws.below(180)
            ends = [polar(spot, 13, turn), polar(spot, 13, turn + 180)]
            figure.line(ends, dark, 12)
            for end in ends:
                figure.circle(end, 6, dark, width=0)
        else:
            figure.circle(spot, 11, dark, width=0)
    name, count = draws.pick((("rod-shaped", rods), ("round", balls)))
    return Problem(
        question=f"How many {name} bacteria are in the field of view?",
        answer=str(count),
        wrong=spread(draws, count, 1, lowest=1),
        evidence=f"There are {rods} rods and {balls} round cells.",
        figure=figure,
    )


FAMILIES = (
    Family(name="food-web", category="Biology", level=JUNIOR, make=_food_web, free="text"),
    Family(name="population", category="Biology", level=COLLEGE, make=_population, free="number"),
    Family(name="cell", category="Biology", level=JUNIOR, make=_cell),
    Family(
        name="pedigree", category="Biology", level=HIGH, make=_pedigree, free="number", exact=True
    ),
    Family(name="cross", category="Biology", level=HIGH, make=_cross),
    Family(
        name="microscope",
        category="Biology",
        level=JUNIOR,
        make=_microscope,
        free="number",
        exact=True,
    ),
)

__all__ = ["FAMILIES"]
