"""When one quantity equals another: tolerance, percent, units and uncertainty."""

from __future__ import annotations

from fractions import Fraction

from harness.scoring.comparison import Comparison
from harness.scoring.quantities.numerals import Numeral
from harness.scoring.quantities.quantity import Quantity
from harness.scoring.quantities.units import converted

_FAR = 20_000
# pi, for angles in radians, to the 49 decimals that pint's degree has.
_DEGREES = Fraction(180) / Fraction("3.1415926535897932384626433832795028841971693993751")


def close(answer: Fraction, gold: Fraction, *, exact: bool = False) -> bool:
    """Whether a value is within 1 % of the gold, inclusive; the very value if `exact`.

    >>> close(Fraction("0.707"), Fraction("0.7")), close(Fraction("101.005"), Fraction(100))
    (True, False)
    """
    return answer == gold if exact else 100 * abs(answer - gold) <= abs(gold)


def equal(answer: Quantity, gold: Quantity, *, exact: bool) -> Comparison:
    """Compare two quantities; `harness.scoring.quantities.number.compare` has the rules.

    Returns
    -------
    Comparison
        By the first reading of the answer that equals the gold, if there is one.
    """
    readings = [(a, g) for a in _readings(answer) for g in _readings(gold)]
    results = [_equal(a, g, exact) for a, g in readings]
    if results[0].equal or len(results) == 1:
        return results[0]
    # "10K" against a bare 10 may be ten kelvin or a wrong ten thousand; with a unit it is plain.
    for (_, g), result in zip(readings, results, strict=True):
        if result.equal:
            return result if g.units or answer == gold else Comparison(None, "ambiguous_unit")
    return results[0]


def _readings(quantity: Quantity) -> list[Quantity]:
    return [quantity, quantity.other] if quantity.other else [quantity]


def _equal(answer: Quantity, gold: Quantity, exact: bool) -> Comparison:
    result = _of_values(answer, gold, exact)
    if not result.equal or answer.width is None or gold.width is None:
        return result
    same = close(abs(answer.width), abs(gold.width), exact=exact)
    return result if same or answer.units != gold.units else Comparison(False, "uncertainty")


def _of_values(answer: Quantity, gold: Quantity, exact: bool) -> Comparison:
    if answer.number.shift or gold.number.shift:
        return _far(answer.number, gold.number, exact)
    a, g = answer.number.value, gold.number.value
    if answer.units and gold.units:
        return _with_units(answer, gold, exact)
    if answer.per != gold.per:
        return _shares(answer, gold, exact)
    if close(a, g, exact=exact):
        if (answer.noun and gold.units) or (gold.noun and answer.units):
            return Comparison(None, "unknown_unit")
        if answer.noun and gold.noun and _thing(answer.noun) != _thing(gold.noun):
            return Comparison(None, "things_counted")
        return Comparison(True, "value")
    if answer.has_pi and any(unit.is_degree for unit in gold.units):
        return Comparison(close(a * _DEGREES, g, exact=exact), "radians")
    return Comparison(False, "value")


def _thing(noun: str) -> str:
    return noun.split()[0].casefold().rstrip("s")


def _shares(answer: Quantity, gold: Quantity, exact: bool) -> Comparison:
    """One is a percentage (or per mille), and the other is not, or of another kind."""
    a, g = answer.number.value, gold.number.value
    if answer.units or gold.units:
        return Comparison(False, "unit")
    if close(a / answer.per, g / gold.per, exact=exact):
        return Comparison(True, "share")
    if (answer.per > 1 and gold.per > 1) or not close(a, g, exact=exact):
        return Comparison(False, "value")
    # 50% for a gold of 50 only has a sign more; 0.5% for 0.5 may be that or a wrong share.
    if (gold.per == 1 and abs(g) <= 1) or max(answer.per, gold.per) > 100:
        return Comparison(None, "share_or_percent")
    return Comparison(True, "value")


def _with_units(answer: Quantity, gold: Quantity, exact: bool) -> Comparison:
    a, g = answer.number.value, gold.number.value
    if answer.per != 1 or gold.per != 1:
        return Comparison(False, "unit")
    same_dimension = doubtful = False
    for unit in answer.units:
        for wanted in gold.units:
            value = converted(a, unit, wanted)
            if value is None:
                doubtful = doubtful or (unit.weighs != wanted.weighs)
                continue
            if unit.cycles != wanted.cycles and (unit.angles or wanted.angles):
                doubtful = True
            elif close(value, g, exact=exact):
                return Comparison(True, "value" if unit == wanted else "converted")
            same_dimension = True
            if (unit.zero or wanted.zero) and unit.zero != wanted.zero:
                difference = converted(a, unit, wanted, interval=True)
                doubtful = doubtful or (
                    difference is not None and close(difference, g, exact=exact)
                )
    if doubtful:
        return Comparison(None, "unit_in_doubt")
    return Comparison(False, "value" if same_dimension else "unit")


def _far(answer: Numeral, gold: Numeral, exact: bool) -> Comparison:
    """Powers of ten that are not built: the nearer ones are compared as a ratio."""
    if not answer.value or not gold.value:
        return Comparison(answer.value == gold.value, "value")
    distance = answer.shift - gold.shift
    if abs(distance) > _FAR:
        return Comparison(False, "value")
    return Comparison(
        close(answer.value * Fraction(10) ** distance, gold.value, exact=exact), "value"
    )


__all__ = ["close", "equal"]
