"""The child process that asks sympy whether two trees are equal.

It reads questions as JSON lines ([id, tree, tree]), answers with [id, true] or [id, null], and
limits its own memory, time and files before the first. It sees trees, never a text. The time of
a question is counted in its own CPU time, so that a busy machine does not change a verdict; its
parent has a limit by the clock besides.
"""

from __future__ import annotations

import json
import resource
import signal
import sys
from fractions import Fraction
from types import FrameType
from typing import Any

import sympy

from harness.algebra.tree import Node, add, call, from_json, mul, number, power, symbol

MEMORY_BYTES = 1 << 30
QUESTION_S = 0.8
HARD_CPU_S = 5

_FUNCTIONS = {
    **{name: getattr(sympy, name) for name in ("sin", "cos", "tan", "cot", "sec", "csc")},
    **{name: getattr(sympy, name) for name in ("sinh", "cosh", "tanh", "coth", "asin", "acos")},
    **{name: getattr(sympy, name) for name in ("atan", "asinh", "acosh", "atanh", "factorial")},
    "ln": sympy.log,
    "abs": sympy.Abs,
    "floor": sympy.floor,
    "ceil": sympy.ceiling,
    "binom": sympy.binomial,
    "min": sympy.Min,
    "max": sympy.Max,
}
_CONSTANTS = {"pi": sympy.pi, "e": sympy.E, "i": sympy.I}


def main() -> None:
    """Answer until standard input ends."""
    warm()
    limit()
    signal.signal(signal.SIGPROF, _late)
    print("ready", flush=True)
    for line in sys.stdin:
        used = resource.getrusage(resource.RUSAGE_SELF)
        seconds = int(used.ru_utime + used.ru_stime) + HARD_CPU_S
        _lower(resource.RLIMIT_CPU, seconds, keep_hard=True)
        asked, left, right = json.loads(line)
        print(json.dumps([asked, answer(left, right)]), flush=True)


def warm() -> None:
    """Ask what makes sympy load the rest of itself."""
    two, third, x = number(2), number(Fraction(1, 3)), symbol("x")
    root = power(add(number(3), mul(two, power(two, number(Fraction(1, 2))))), third)
    equal(root, add(number(1), power(two, third)))
    equal(power(call("sin", x), two), add(call("cos", x), power(Node("e"), x)))


def _late(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError("late")


def limit() -> None:
    """No more than a gibibyte, no file written, no core."""
    _lower(resource.RLIMIT_AS, MEMORY_BYTES)
    _lower(resource.RLIMIT_FSIZE, 0)
    _lower(resource.RLIMIT_CORE, 0)


def _lower(kind: int, wanted: int, keep_hard: bool = False) -> None:
    """Set a limit, no higher than what this process was started with."""
    _, hard = resource.getrlimit(kind)
    limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(kind, (limit, hard if keep_hard else limit))


def answer(left: list[Any], right: list[Any]) -> bool | None:
    """True where sympy proves the two equal; None for whatever else happens."""
    signal.setitimer(signal.ITIMER_PROF, QUESTION_S)
    try:
        return equal(from_json(left), from_json(right))
    except Exception:  # noqa: BLE001 - sympy raises anything; no proof is no proof
        return None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def equal(left: Node, right: Node) -> bool | None:
    """Whether the difference is shown to be 0; symbols are positive numbers."""
    rest = expression(left) - expression(right)
    if rest == 0 or sympy.expand(rest) == 0 or sympy.simplify(rest) == 0:
        return True
    return True if rest.equals(0) is True else None


def expression(node: Node) -> Any:
    """A scalar tree as a sympy expression."""
    if node.op in _CONSTANTS:
        return _CONSTANTS[node.op]
    match node.op:
        case "num" | "dec":
            assert isinstance(node.value, Fraction)
            return sympy.Rational(node.value.numerator, node.value.denominator)
        case "sym" | "text":
            return sympy.Symbol(f"_{node.value}", positive=True)
        case "add":
            return sympy.Add(*map(expression, node.args))
        case "mul":
            return sympy.Mul(*map(expression, node.args))
        case "pow":
            base, exponent = map(expression, node.args)
            odd = exponent.is_Rational and exponent.q % 2 and exponent.q > 1
            if odd and base.is_negative:  # the real root
                return (-1) ** exponent.p * sympy.Pow(-base, exponent)
            return sympy.Pow(base, exponent)
        case "fn":
            return _FUNCTIONS[str(node.value)](*map(expression, node.args))
    raise ValueError(node.op)


if __name__ == "__main__":
    main()
