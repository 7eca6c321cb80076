"""Which numbers are equal, and that no text is too much."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.scoring.quantities.number import compare, number
from harness.scoring.quantities.number_words import words
from harness.scoring.quantities.numerals import Numeral, numeral

EQUAL = [
    *[("1,234", "1234"), ("8,000", "8000"), ("1 234 567", "1234567"), ("1.234,5", "1234.5")],
    *[("1'234", "1234"), ("12,34,567", "1234567"), ("1,234.5", "1234.5"), ("1,5", "1.5")],
    *[("1{,}234", "1234"), ("1\\,234", "1234"), ("0,001", "0.001")],
    *[("1.234.567,89", "1234567.89")],
    *[("+5", "5"), ("5.", "5"), ("5.0", "5"), (".5", "0.5"), ("005", "5"), ("-0", "0")],
    *[("0.0", "0")],
    *[("50%", "50%"), ("50\\%", "50%"), ("50 %", "50"), ("50%", "0.5"), ("0.5", "50%")],
    *[("50", "50%")],
    *[("28 percent", "28%"), ("28 percentage points", "28%"), ("5‰", "0.5%"), ("百分之五", "5%")],
    *[("3×10^8", "3e8"), ("3*10**8", "3e8"), ("3 x 10^8", "300000000"), ("3·10⁸", "3e8")],
    *[("3E+08", "3e8"), ("3 \\cdot 10^{8}", "3e8"), ("3 \\times 10^8", "3e8")],
    *[("10^{-3}", "0.001")],
    *[("10⁻³", "0.001"), ("1.6e-19", "1.602e-19"), ("3 \\times 10^{8}", "3*10^8")],
    *[("3.0 × 10^(8)", "3e8")],
    *[("1/2", "0.5"), ("\\frac12", "0.5"), ("\\dfrac{1}{2}", "0.5"), ("\\tfrac{1}{2}", "1/2")],
    *[("½", "0.5"), ("1 1/2", "1.5"), ("1\\frac{1}{2}", "1.5"), ("1½", "1.5")],
    *[("-1 1/2", "-1.5")],
    *[("-\\frac{3}{4}", "-0.75"), ("\\frac{-3}{4}", "-3/4"), ("\\frac{1}\n{2}", "0.5")],
    *[("2/3", "0.667")],
    *[("three quarters", "0.75"), ("one half", "1/2"), ("forty-two", "42"), ("a dozen", "12")],
    *[("two hundred and five", "205"), ("one million", "1000000"), ("two and a half", "2.5")],
    *[("五", "5"), ("十二", "12"), ("三百", "300"), ("三万五千", "35000"), ("1.5亿", "150000000")],
    *[("1.5 million", "1500000"), ("1.5\\text{ million}", "1.5e6"), ("2k", "2000")],
    *[("$2k", "2000")],
    *[("3 billion", "3e9"), ("10K", "10000"), ("$1.2M", "1200000"), ("5 thousand", "5000")],
    *[("$5", "5"), ("5 dollars", "$5"), ("\\$5", "5 dollars"), ("€5", "5 euros")],
    *[("50 cents", "$0.50")],
    *[("$-5", "-5"), ("-$5", "-5"), ("US$5", "5"), ("USD 5", "$5"), ("$5$", "5")],
    *[("18 dollars per day", "18")],
    *[("60°", "60"), ("60^\\circ", "60 degrees"), ("60^{\\circ}", "60")],
    *[("60 degrees", "60^\\circ")],
    *[("\\frac{\\pi}{3}", "60^\\circ"), ("\\pi/3 rad", "60°"), ("180°", "\\pi rad")],
    *[("25 °C", "25"), ("25 °C", "298.15 K"), ("77 °F", "25 °C"), ("25 degrees Celsius", "25°C")],
    *[("25 C", "25 °C")],
    *[("5 m/s", "5"), ("5", "5 m/s"), ("5\\ \\text{m/s}", "5 m/s"), ("18 km/h", "5 m/s")],
    *[("5 m s^{-1}", "5 m/s"), ("5 meters per second", "5 m/s"), ("500 m", "0.5 km")],
    *[("3.2\\,\\mathrm{N}", "3.2 N"), ("3.2 kg·m/s²", "3.2 N"), ("1 kWh", "3.6 MJ")],
    *[("1 eV", "1.602e-19 J")],
    *[("10 Å", "1 nm"), ("1 atm", "760 mmHg"), ("5 kΩ", "5000 ohms"), ("5 μm", "5 um")],
    *[("5 µm", "0.005 mm")],
    *[("2 L", "2000 cm^3"), ("3 hours", "180 min"), ("60 mph", "96.6 km/h")],
    *[("1 ft", "12 inches")],
    *[("5 square meters", "5 m^2"), ("5 sq. ft", "5 ft²"), ("5平方米", "5 m^2")],
    *[("5米/秒", "5 m/s")],
    *[("0.5 kg/m^3", "0.5 g/L"), ("4186 J/kg·K", "4186 J/(kg K)"), ("60 rpm", "1 rev/s")],
    *[("5 N m", "5 Nm")],
    *[("72 clips", "72"), ("72", "72 clips"), ("5 apples", "5"), ("5-inch", "5 in"), ("5个", "5")],
    *[("approximately 5", "5"), ("\\approx 5", "5"), ("~5", "5"), ("x = 5", "5"), ("5", "x = 5")],
    *[("256+37 = 293", "293"), ("5 ± 0.2", "5"), ("5 \\pm 0.2", "5 ± 0.2")],
    *[("(5 ± 0.2) m", "5 m")],
    *[("(3.0 \\pm 0.1) \\times 10^8 m/s", "3e8 m/s"), ("(5)", "5"), ("{5}", "5")],
    *[("\\frac{\\sqrt{3}}{2}", "0.866"), ("2\\pi", "6.28"), ("5!", "120"), ("\\sqrt[3]{8}", "2")],
    *[("2^{10}", "1024"), ("\\log_2 8", "3"), ("e^2", "7.389"), ("2\\pi cm", "6.283 cm")],
    *[("12+3", "15")],
    *[("101", "100"), ("99", "100"), ("0.707", "0.7"), ("-101", "-100"), ("∞", "\\infty")],
    *[("-inf", "-\\infty")],
    *[("1e1000000", "1e1000000"), ("9^{9^9}", "9^{9^9}"), ("1:30", "1:30"), ("minus five", "-5")],
    *[("5 mol/L", "5 M"), ("5M", "5000000"), ("(1,2)", "(1,2)"), ("5 1/s", "5 Hz")],
    *[("5 ft-lb", "6.78 J"), ("5 pounds", "£5"), ("5 pounds", "5 lb"), ("5 - 5", "0")],
    *[("511 keV/c^2", "0.511 MeV/c^2"), ("3 kΩ", "3.0\\ \\mathrm{k}\\Omega"), ("3 ppm", "3e-6")],
]  # fmt: skip
DIFFERENT = [
    *[("101.005", "100"), ("101.1", "100"), ("98.9", "100"), ("105.2", "100"), ("0.7071", "0.7")],
    *[("5.5", "-5.5"), ("-5", "5"), ("0.001", "0"), ("1e-30", "0"), ("5%", "50%"), ("5", "50%")],
    *[("3\\times10^{-8}", "3e8"), ("5\\times 10^3", "50000"), ("1,2,3", "123")],
    *[("1.234", "1234")],
    *[("nan", "0"), ("nan", "nan"), ("inf", "5"), ("5", "inf"), ("-inf", "inf"), ("inf", "-inf")],
    *[("5 m/s^2", "5 m/s"), ("5 kg", "5 m"), ("5 km", "5 m"), ("5 €", "5 $"), ("5%", "5 m")],
    *[("5 C", "5 m")],
    *[("25 °C", "25 °F"), ("\\{1,2\\}", "1"), ("(1,2)", "1"), ("[0,1]", "1"), ("3:4", "0.5")],
    *[("1:30", "1.5")],
    *[("12 or 15", "12"), ("x > 5", "5"), ("x \\geq 5", "5"), ("\\pm 5", "5")],
    *[("5 ± 0.2", "5 ± 0.4")],
    *[("\\frac{3}{4}", "0.7"), ("2\\sqrt{2}", "2"), ("6\\pi", "6"), ("2^{98}", "2^{99}")],
    *[("1e1000000", "1e1000001"), ("1e1000000", "5"), ("1.5 million", "1.5"), ("60", "\\pi/3")],
    *[("50", "1/2"), ("5 m^2", "5 m"), ("5 rad", "5°"), ("forty-two", "24"), ("1,234", "1.234")],
]  # fmt: skip
UNDECIDED = [
    *[("5 blobs", "5 m"), ("5 m", "5 apples"), ("0.5%", "0.5"), ("10 °C", "10 K"), ("10K", "10")],
    *[("x+1", "5"), ("1/0", "1"), ("9^9^9^9", "5"), ("10^{10^{10}}", "10"), ("1000000000!", "3")],
    *[("2^{1000000000}", "3"), ("3:4", "0.75"), ("5‰", "5"), ("5 ppm", "5"), ("5G", "5")],
    *[("dog", "5"), ("5 + x", "5"), ("2x", "2"), ("5 ** os", "5"), ("__import__('os')", "5")],
    *[("5", "dog")],
    *[("9" * 5000, "9"), ("(" * 3000, "2"), ("5 lb", "22.2 N")],
]  # fmt: skip


@pytest.mark.parametrize(("answer", "gold"), EQUAL)
def test_equal(answer: str, gold: str) -> None:
    assert compare(answer, gold).equal is True, compare(answer, gold)


@pytest.mark.parametrize(("answer", "gold"), DIFFERENT)
def test_different(answer: str, gold: str) -> None:
    assert compare(answer, gold).equal is False, compare(answer, gold)


@pytest.mark.parametrize(("answer", "gold"), UNDECIDED)
def test_undecided(answer: str, gold: str) -> None:
    assert compare(answer, gold).equal is None, compare(answer, gold)


def test_numerals_have_limits() -> None:
    assert numeral("9" * 4_000) is not None
    assert numeral("9" * 4_001) is None
    assert numeral("-2e9999999") == (Numeral(Fraction(-2), 9_999_999), 10)
    assert compare("1e10000000", "1").equal is None


@pytest.mark.parametrize(
    ("text", "value"),
    [("twenty-one", 21), ("nine hundred ninety nine thousand", 999_000),
     ("half a million", 500_000),
     ("one hundred and two", 102), ("five point two five", "5.25"),
     ("two and three quarters", "2.75"),
     ("一百零五", 105), ("二〇二四", 2024), ("两千", 2000), ("三亿", 300_000_000), ("十五六", None),
     ("five six", None), ("million billion", None), ("hundred hundred", None), ("oak", None)],
)  # fmt: skip
def test_number_words(text: str, value: int | str | None) -> None:
    found = words(text)
    assert (found and found[0]) == (None if value is None else Fraction(value))


@pytest.mark.parametrize("odd", ["\ud800", "\x00", "\u202e5\u202c", "\u0665", "²", "₂", "Ⅴ"])
def test_odd_characters_never_raise(odd: str) -> None:
    for text in (
        odd,
        f"Answer: {odd}",
        f"\\boxed{{{odd}}}",
        f"5{odd}",
        f"1e{odd}",
        f"5^{odd}",
        f"\\frac{{{odd}}}2",
    ):
        number(text)
        compare(text, "5")
        compare("5", text)


def test_exact() -> None:
    assert compare("100", "101").equal is True
    assert compare("100", "101", exact=True).equal is False
    assert compare("2,024", "2024", exact=True).equal is True
    assert compare("0.5 km", "500 m", exact=True).equal is True


def test_tolerance_is_of_the_gold() -> None:
    assert compare("105.2", "100").equal is False
    assert compare("101", "100").equal is True
    assert compare("100", "101.01").equal is True
    assert compare("100", "101.02").equal is False


@given(st.integers(1, 10**7), st.integers(-(10**5), 10**5))
def test_one_percent_is_inclusive_to_the_last_digit(gold: int, excess: int) -> None:
    answer = Fraction(101 * gold, 100) + Fraction(excess, 10**6)
    text = f"{answer.numerator}/{answer.denominator}"
    within = abs(answer - gold) * 100 <= gold
    assert compare(text, str(gold)).equal is within


@given(st.text(max_size=60), st.text(max_size=20))
def test_any_text_is_decided_or_not_but_never_raises(text: str, gold: str) -> None:
    answer = number(text)
    assert (answer.value is None) == (answer.span is None)
    compare(text, gold)
    compare(answer.value or "", gold)


@given(st.text(alphabet="0123456789.,-+ eE/\\frac{}^×%$ msk±=or", max_size=30))
def test_number_like_text_never_raises(text: str) -> None:
    number(text)
    result = compare(text, text)
    assert result.equal in (True, False) or not text.strip()


@pytest.mark.parametrize(
    "text",
    ["42 " * 70_000, "9" * 200_000, "\\boxed{" * 28_000, "$" * 200_000, "*a" * 100_000,
     "1," * 100_000,
     "The answer is 5 or 6. " * 9_000, "(" * 200_000, "\\frac{" * 30_000, "= " * 100_000,
     "1 " * 100_000,
     "Answer: " * 25_000, "five " * 40_000, "\\text{" * 30_000, "_a" * 100_000, "a_" * 100_000,
     "** " * 60_000],
)  # fmt: skip
def test_long_texts_take_linear_time(text: str) -> None:
    start = time.process_time()
    number(text)
    compare(text, "5")
    compare("5", text)
    assert time.process_time() - start < 20  # seconds of the processor: linear, not quick
