"""How fast answers are read and compared, beside math-verify measured in the same run."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from harness.scoring import extract, grade
from harness.tests.bench.replies import CHOICES, letter_replies, yesno_replies

pytestmark = pytest.mark.bench

NUMBERS = (
    ("The answer is 15.", "15"),
    ("So we get \\boxed{\\frac{1}{2}}", "0.5"),
    ("\\boxed{3\\times10^{8}}", "3e8"),
    ("Answer: 1,234.5", "1234.5"),
    ("Therefore the final answer is $\\boxed{0.707}$.", "0.7"),
    ("\\boxed{50\\%}", "50%"),
    ("Answer: 5 m/s", "5 m/s"),
    ("\\boxed{101.1}", "100"),
)
FORMULAS = (
    ("\\boxed{\\sin^2 x+\\cos^2 x}", "1"),
    ("\\boxed{2\\sqrt{2}}", "\\sqrt{8}"),
    ("\\boxed{\\frac{x^2}{16}+\\frac{y^2}{12}=1}", "\\frac{x^2}{4}+\\frac{y^2}{3}=1"),
    ("\\boxed{2x+4y-3=0}", "y=-\\frac{1}{2}x+\\frac{3}{4}"),
    ("\\boxed{\\frac{\\mu_0 I}{2\\pi r}}", "\\mu_0 I/(2\\pi r)"),
    ("\\boxed{\\{3,2,1\\}}", "\\{1,2,3\\}"),
    ("\\boxed{(x+1)^2}", "x^2+2x+1"),
    ("\\boxed{\\frac{\\sin 2x}{2\\cos x}}", "\\sin x"),
)


@pytest.mark.parametrize("kind", ["choice", "yesno"])
@pytest.mark.parametrize("length", [500, 5_000, 50_000])
def test_replies_per_second(kind: str, length: int, benchmark: Any) -> None:
    """The aim: 50,000 replies of 500 characters a second on one core, and time linear in length."""
    n = 500_000 // length
    made = letter_replies if kind == "choice" else yesno_replies
    replies, choices = made(n, length), CHOICES if kind == "choice" else ()
    benchmark(lambda: [extract(kind, reply, choices) for reply in replies])
    seconds = benchmark.stats.stats.median
    benchmark.extra_info |= {
        "replies_per_s": round(n / seconds),
        "ns_per_character": round(1e9 * seconds / sum(map(len, replies)), 2),
    }


@pytest.mark.parametrize("n_boxes", [7_000, 14_000, 28_000])
def test_unclosed_boxes(n_boxes: int, benchmark: Any) -> None:
    """The aim: 200 kB that hold 28,000 unclosed boxes in less than 50 ms, and linear time."""
    reply = "\\boxed{" * n_boxes
    assert benchmark(lambda: extract("choice", reply, CHOICES)).value is None


@pytest.mark.benchmark(group="number: ours at least 10 times as fast as math-verify")
@pytest.mark.parametrize("name", ["ours", "math-verify"])
def test_numbers(name: str, benchmark: Any) -> None:
    benchmark(_judged("number", name, NUMBERS))


@pytest.mark.benchmark(group="expression: ours no slower than math-verify")
@pytest.mark.parametrize("name", ["ours", "math-verify"])
def test_formulas(name: str, benchmark: Any) -> None:
    benchmark(_judged("expression", name, FORMULAS))


def _judged(kind: str, name: str, pairs: tuple[tuple[str, str], ...]) -> Callable[[], list[bool]]:
    """A call that judges all pairs, with no answer remembered from the call before."""
    if name == "ours":
        return lambda: _fresh(kind, pairs)
    from math_verify import parse, verify

    return lambda: [bool(verify(parse(f"${gold}$"), parse(reply))) for reply, gold in pairs]


def _fresh(kind: str, pairs: tuple[tuple[str, str], ...]) -> list[bool]:
    for forget in _forgetters():
        forget()
    return [grade(kind, reply, (), gold).correct for reply, gold in pairs]


@cache
def _forgetters() -> tuple[Callable[[], None], ...]:
    """What empties each cache of answers, formulas and comparisons."""
    names = [n for n in sys.modules if n.startswith(("harness.scoring", "harness.algebra"))]
    values = [value for name in names for value in vars(sys.modules[name]).values()]
    cached = {id(v): v for v in values if hasattr(v, "cache_clear")}
    assert len(cached) >= 2
    return tuple(v.cache_clear for v in cached.values())
