"""Units: their spellings, their readings, and exact conversion."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.scoring.quantities.compound import compound
from harness.scoring.quantities.spelling import clean
from harness.scoring.quantities.units import converted, units

SAME = [
    ("m/s^2", "m s^{-2}"),
    ("m/s^2", "m/s/s"),
    ("m/s^2", "meters per second squared"),
    ("kg·m/s²", "\\mathrm{kg}\\cdot\\mathrm{m}/\\mathrm{s}^2"),
    ("kg m^-3", "\\mathrm{~kg} / \\mathrm{m}^3"),
    ("kg/m^3", "\\frac{\\text{kg}}{\\text{m}^3}"),
    ("N m", "Nm"),
    ("N·m", "N-m"),
    ("J/(kg K)", "J/kg·K"),
    ("W m^-2 K^-1", "W/m^2 K"),
    ("m^2", "square meters"),
    ("m^2", "m2"),
    ("ft^2", "sq. ft"),
    ("cm^3", "cubic centimeters"),
    ("s^-1", "1/s"),
    ("μm", "um"),
    ("μm", "\\mu m"),
    ("Ω", "ohms"),
    ("kg", "Kg"),
    ("kg", "kgs"),
    ("km/h", "kilometers per hour"),
    ("米/秒", "m/s"),
    ("平方厘米", "cm^2"),
    ("千克", "kg"),
    ("摄氏度", "°C"),
    ("degrees Celsius", "^\\circ\\text{C}"),
    ("degrees", "^\\circ"),
    ("ft-lb", "foot-pounds"),
    ("L", "litres"),
]
FACTORS = [
    ("km", "m", "1000"),
    ("km/h", "m/s", "5/18"),
    ("mile", "km", "1.609344"),
    ("in", "cm", "2.54"),
    ("eV", "J", "1.602176634e-19"),
    ("Å", "nm", "0.1"),
    ("kWh", "MJ", "3.6"),
    ("atm", "Pa", "101325"),
    ("cm^3", "mL", "1"),
    ("N", "kg m/s^2", "1"),
    ("min", "s", "60"),
    ("lb", "kg", "0.45359237"),
    ("cents", "$", "0.01"),
    ("J/°C", "J/K", "1"),
    ("mol/L", "M", "1"),
    ("rpm", "rev/min", "1"),
    ("G", "T", "0.0001"),
]


@pytest.mark.parametrize(("left", "right"), SAME)
def test_spellings_of_one_unit(left: str, right: str) -> None:
    a, b = units(clean(left).strip()), units(clean(right).strip())
    assert a and b
    assert converted(Fraction(7, 3), a[0], b[0]) == Fraction(7, 3)


@pytest.mark.parametrize(("unit", "to", "factor"), FACTORS)
def test_factors_are_exact(unit: str, to: str, factor: str) -> None:
    assert converted(Fraction(1), units(unit)[0], units(to)[0]) == Fraction(factor)


def test_temperatures_are_points_or_differences() -> None:
    celsius, kelvin, fahrenheit = (units(u)[0] for u in ("°C", "K", "°F"))
    assert converted(Fraction(25), celsius, kelvin) == Fraction("298.15")
    assert converted(Fraction(212), fahrenheit, celsius) == 100
    assert converted(Fraction(10), celsius, kelvin, interval=True) == 10
    assert converted(Fraction(9), fahrenheit, celsius, interval=True) == 5


@pytest.mark.parametrize(
    "text",
    ["", "apples", "in the", "x", "m m m m m m m m m m m", "m^99", "m^(1/3)", "(m", "m)", "((m))",
     "m^2^2", "5", "m 5 s", "os", "import", "__class__", "m;s", "lambda", "m" * 100],
)  # fmt: skip
def test_other_texts_are_no_units(text: str) -> None:
    assert units(text) == ()


def test_a_symbol_of_two_units_has_both_readings() -> None:
    assert [unit.factors[0][0] for unit in units("C")] == ["coulomb", "celsius"]
    assert [unit.factors[0][0] for unit in units("ton")] == ["metric_ton", "ton"]


def test_case_tells_prefixes_apart() -> None:
    assert converted(Fraction(1), units("MW")[0], units("mW")[0]) == 10**9
    assert units("M") != units("m")


@pytest.mark.parametrize(
    ("unit", "to"), [("m", "s"), ("m^2", "m"), ("$", "€"), ("B", "s"), ("°C", "J")]
)
def test_other_dimensions_do_not_convert(unit: str, to: str) -> None:
    assert converted(Fraction(1), units(unit)[0], units(to)[0]) is None


def test_half_powers() -> None:
    value = converted(Fraction(1), units("km^{1/2}")[0], units("m^{1/2}")[0])
    assert value is not None
    assert abs(value**2 - 1000) < Fraction(1, 10**20)


@pytest.mark.parametrize(
    ("text", "value"),
    [("5 min 30 s", "5.5"), ("1 h 30 min", "1.5"), ("6 ft 6 in", "6.5"),
     ("2 days, 12 hours", "2.5"),
     ("5°30'", "5.5"), ("5° 30' 36\"", "5.51"), ("5 min", None), ("30 s 5 min", None),
     ("5 m 3 s", None),
     ("5 min 30", None), ("5 and 6", None)],
)  # fmt: skip
def test_sums_of_falling_units(text: str, value: str | None) -> None:
    found = compound(text)
    assert (None if found is None else found[0]) == (None if value is None else Fraction(value))


@given(st.text(max_size=40))
def test_any_text_has_readings_or_none(text: str) -> None:
    assert len(units(text)) <= 4


@given(st.text(alphabet="kmgsNJ/^·*()23- per°C{}", max_size=20))
def test_unit_like_texts_convert_to_themselves(text: str) -> None:
    for unit in units(text):
        assert converted(Fraction(3), unit, unit) == 3
