"""Chemistry: volumes, titrations, molecules, the periodic table, solubility, shells, energy."""

from __future__ import annotations

import itertools
import math

from harness.data.mini_r1.axes import Axes
from harness.data.mini_r1.draws import Draws
from harness.data.mini_r1.figure import COLORS, GREY, INK, WHITE, Figure, Point, polar
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
_LIQUIDS = ("#9cc9ee", "#f4b6b6", "#b9e2b2", "#f5d48a", "#d8b8ea")
_SYMBOLS = (
    *("H", "He", "Li", "Be", "B", "C", "N", "O", "F", "Ne", "Na", "Mg", "Al", "Si", "P", "S"),
    *("Cl", "Ar", "K", "Ca", "Sc", "Ti", "V", "Cr", "Mn", "Fe", "Co", "Ni", "Cu", "Zn", "Ga"),
    *("Ge", "As", "Se", "Br", "Kr", "Rb", "Sr", "Y", "Zr", "Nb", "Mo", "Tc", "Ru", "Rh", "Pd"),
    *("Ag", "Cd", "In", "Sn", "Sb", "Te", "I", "Xe"),
)


def _cylinder(draws: Draws) -> Problem:
    figure = Figure(draws, 240, 330)
    step = draws.pick((1, 2, 5))
    reading = draws.between(2, 18)
    x, w, top = figure.width / 2 - 44, 66, 30
    bottom = figure.height - 40
    low, high = bottom - 14, top + 26
    level = low - (low - high) * reading / 20
    figure.rectangle((x, level), (w, bottom - level), draws.pick(_LIQUIDS), width=0)
    figure.line([(x, level), (x + w, level)], INK, 2)
    figure.line([(x, top), (x, bottom), (x + w, bottom), (x + w, top)], INK, 4)
    figure.rectangle((x - 20, bottom), (w + 40, 12), "#c8c8c8")
    for mark in range(21):
        y = low - (low - high) * mark / 20
        reach = 28 if mark % 5 == 0 else 15
        figure.line([(x + w - reach, y), (x + w, y)], INK, 2)
        if mark % 5 == 0:
            figure.text((x + w + 8, y), str(step * mark), 18, "lm")
    figure.text((x + w + 8, top - 6), "mL", 18, "lm")
    volume = step * reading
    return Problem(
        question="How much liquid is in the measuring cylinder?",
        answer=f"{volume} mL",
        wrong=spread(draws, volume, step, unit("mL")),
        evidence=f"The liquid stands at {volume} on the scale in mL.",
        figure=figure,
    )


def _titration(draws: Draws) -> Problem:
    figure = Figure(draws, 380, 290)
    volume = 5 * draws.between(2, 8)
    falls = bool(draws.below(3) == 0)
    axes = Axes(figure, (0, 50, 10), (0, 14, 2), ("volume added (mL)", "pH"))

    def ph(v: float) -> float:
        slow = 1.5 + 0.03 * (v - volume)
        value = 5.5 + 5 * math.tanh((v - volume) / 0.9) + slow
        return 14 - value if falls else value

    axes.curve(ph, (0, 50), draws.pick(_CURVES), 120)
    return Problem(
        question="At what added volume is the equivalence point of the titration?",
        answer=f"{volume} mL",
        wrong=spread(draws, volume, 5, unit("mL"), 5),
        evidence=f"The pH {'falls' if falls else 'rises'} steeply at {volume} mL.",
        figure=figure,
    )


def _molecule(draws: Draws) -> Problem:
    figure = Figure(draws, 400, 250)
    carbons = draws.between(1, 4)
    double = carbons > 1 and bool(draws.below(2))
    oxygen = draws.below(2)
    hydrogens = 2 * carbons + 2 - 2 * double
    px = min(78, (figure.width - 110) / (carbons + oxygen))
    start = (figure.width - px * (carbons + oxygen - 1)) / 2
    y = figure.height / 2 + 10
    chain = [(start + px * i, y) for i in range(carbons + oxygen)]
    bonds: list[tuple[Point, Point]] = list(itertools.pairwise(chain))
    small: list[Point] = []
    for i, (x, _) in enumerate(chain):
        sites: list[Point] = [(x, y - 56), (x, y + 56)]
        sites += [(x - 52, y)] if i == 0 else []
        sites += [(x + 52, y)] if i == len(chain) - 1 else []
        if i == carbons:
            sites = sites[-1:]
        elif double and i < 2:
            del sites[1]
        small += sites
        bonds += [((x, y), site) for site in sites]
    for p, q in bonds:
        figure.line([p, q], INK, 4)
    if double:
        for shift in (-6, 6):
            p, q = (chain[0][0], y + shift), (chain[1][0], y + shift)
            figure.line([p, q], INK, 4)
        figure.line([chain[0], chain[1]], figure.ground, 7)
    for site in small:
        figure.circle(site, 13, WHITE, INK, 2.5)
        figure.text(site, "H", 16)
    for i, site in enumerate(chain):
        figure.circle(site, 20, COLORS["red"] if i == carbons else "#555555", INK, 2.5)
        figure.text(site, "O" if i == carbons else "C", 22, color=WHITE)
    answer = _formula(carbons, hydrogens, oxygen)
    pool = [(c, h, o) for c in (carbons, carbons + 1) for h in (-2, 0, 2) for o in (0, 1)]
    return Problem(
        question="What is the molecular formula of the molecule shown?",
        answer=answer,
        wrong=others(draws, answer, [_formula(c, max(hydrogens + h, 2), o) for c, h, o in pool]),
        evidence=f"The model has {carbons} C, {hydrogens} H and {oxygen} O.",
        figure=figure,
    )


def _formula(carbons: int, hydrogens: int, oxygens: int) -> str:
    counts = (("C", carbons), ("H", hydrogens), ("O", oxygens))
    text = "".join(f"{name}{n if n > 1 else ''}" for name, n in counts if n)
    return text.translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))


def _periodic(draws: Draws) -> Problem:
    figure = Figure(draws, 320, 260)
    columns = 4
    # From period 4 on all rows are 18 long, so rows of a clip are 18 apart.
    first, period = (draws.between(19, 32), 18) if draws.below(4) else (draws.pick((5, 6)), 8)
    rows = 3 if period == 8 else 2
    numbers = [[first + period * j + i for i in range(columns)] for j in range(rows)]
    if period == 8:
        numbers[2] = [n + 10 for n in numbers[2]]
    side = min((figure.width - 30) / columns, (figure.height - 30) / rows)
    x0, y0 = (figure.width - side * columns) / 2, (figure.height - side * rows) / 2
    hidden = (draws.below(columns), draws.below(rows))
    fills = draws.sample(("#e3ecf8", "#fdf0d5", "#e9f5dc", "#f6e3ee"), 2)
    for j, row in enumerate(numbers):
        for i, number in enumerate(row):
            corner = (x0 + side * i, y0 + side * j)
            gone = (i, j) == hidden
            figure.rectangle(corner, (side, side), WHITE if gone else fills[0])
            middle = (corner[0] + side / 2, corner[1] + side * 0.62)
            figure.text(middle, "?" if gone else _SYMBOLS[number - 1], 30)
            if not gone:
                figure.text((corner[0] + 7, corner[1] + 14), str(number), 16, "lm")
    number = numbers[hidden[1]][hidden[0]]
    near = [n for n in range(number - 4, number + 5) if 1 <= n <= len(_SYMBOLS)]
    pool = [_SYMBOLS[n - 1] for n in (*near, number - 8, number + 8) if n <= len(_SYMBOLS)]
    answer = _SYMBOLS[number - 1]
    around = [n for row in numbers for n in row if abs(n - number) == 1]
    return Problem(
        question="Which element belongs in the empty field of the periodic table?",
        answer=answer,
        wrong=others(draws, answer, pool),
        evidence=f"The empty field is next to {' and '.join(_SYMBOLS[n - 1] for n in around)}; its "
        f"number is {number}.",
        figure=figure,
    )


def _solubility(draws: Draws) -> Problem:
    figure = Figure(draws, 400, 300)
    axes = Axes(figure, (0, 80, 20), (0, 120, 20), ("temperature (°C)", "g per 100 g water"))
    colors = draws.sample(("red", "blue", "green", "purple", "orange"), 3)
    low = draws.sample((0, 10, 20, 30), 3)
    rise = draws.sample((0, 5, 10, 20), 3)
    for color, start, slope in zip(colors, low, rise, strict=True):
        ends = [axes.at(0, start), axes.at(80, start + 4 * slope)]
        figure.line(ends, COLORS[color], 5)
    asked, at = draws.below(3), 20 * draws.between(1, 3)
    values = [start + slope * at // 20 for start, slope in zip(low, rise, strict=True)]
    return Problem(
        question=f"How much of the salt with the {colors[asked]} line dissolves in 100 g of water "
        f"at {at} °C?",
        answer=f"{values[asked]} g",
        wrong=spread(draws, values[asked], draws.pick((5, 10)), unit("g")),
        evidence=f"The {colors[asked]} line is at {values[asked]} g for {at} °C.",
        figure=figure,
    )


def _energy(draws: Draws) -> Problem:
    figure = Figure(draws, 380, 290)
    axes = Axes(figure, (0, 12, 12), (0, 120, 20), ("", "energy (kJ/mol)"), names=(" ",))
    start, end = (10 * n for n in draws.sample(range(2, 8), 2))
    peak = 10 * draws.between(max(start, end) // 10 + 2, 12)
    color = draws.pick(_CURVES)

    def height(t: float) -> float:
        level = start if t < 6 else end
        return level + (peak - level) * math.exp(-(((t - 6) / 1.25) ** 2))

    for level, reach in ((start, (0, 4)), (end, (8, 12)), (peak, (5, 7))):
        figure.dashed(axes.at(0, level), axes.at(reach[0], level), GREY)
    axes.curve(height, (0.4, 11.6), color, 120)
    under = 16 if end > start else -16
    figure.text((axes.at(1.9, 0)[0], axes.at(0, start)[1] + under), "reactants", 18)
    figure.text((axes.at(10, 0)[0], axes.at(0, end)[1] - 16), "products", 18)
    figure.text((figure.width / 2 + 14, figure.height - 16), "course of reaction", 17)
    kinds = {"activation energy": peak - start, "change of energy": end - start}
    asked = draws.pick(tuple(kinds))
    answer = kinds[asked]
    show = unit("kJ/mol")
    values = (peak - start, peak - end, end - start, start - end, peak, start, end)
    return Problem(
        question=f"What is the {asked} of the reaction?",
        answer=show(answer),
        wrong=others(draws, show(answer), [show(v) for v in (*values, peak - 10, peak - 20)]),
        evidence=f"Reactants are at {start}, products at {end} and the peak is at {peak} kJ/mol.",
        figure=figure,
    )


def _shells(draws: Draws) -> Problem:
    figure = Figure(draws, 300, 300)
    number = draws.between(3, 18)
    electrons = [n for n in (min(number, 2), min(max(number - 2, 0), 8), number - 10) if n > 0]
    centre = (figure.width / 2, figure.height / 2)
    step = (min(figure.width, figure.height) / 2 - 44) / 3
    turn, color = draws.below(90), draws.pick(_CURVES)
    figure.circle(centre, 18, COLORS["orange"])
    for shell, count in enumerate(electrons):
        radius = 28 + step * (shell + 1)
        figure.circle(centre, radius, None, GREY, 2)
        for i in range(count):
            figure.circle(polar(centre, radius, turn + 360 * i / count), 8, color, INK, 2)
    near = [_SYMBOLS[n - 1] for n in range(max(1, number - 3), number + 4)]
    answer = _SYMBOLS[number - 1]
    return Problem(
        question="The electron shells of a neutral atom are shown. Which element is it?",
        answer=answer,
        wrong=others(draws, answer, near),
        evidence=f"The shells hold {', '.join(map(str, electrons))} electrons, {number} in all.",
        figure=figure,
    )


FAMILIES = (
    Family(name="cylinder", category="Chemistry", level=JUNIOR, make=_cylinder, free="number"),
    Family(name="titration", category="Chemistry", level=COLLEGE, make=_titration, free="number"),
    Family(name="molecule", category="Chemistry", level=HIGH, make=_molecule),
    Family(name="periodic", category="Chemistry", level=HIGH, make=_periodic),
    Family(name="solubility", category="Chemistry", level=HIGH, make=_solubility, free="number"),
    Family(name="energy", category="Chemistry", level=COLLEGE, make=_energy, free="number"),
    Family(name="shells", category="Chemistry", level=JUNIOR, make=_shells),
)

__all__ = ["FAMILIES"]
