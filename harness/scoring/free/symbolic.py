r"""Whether two formulas say the same: the comparison of examples of kind `expression`."""

from __future__ import annotations

import re
from functools import lru_cache

import mpmath

from harness.algebra import pool
from harness.algebra.forms import Verdict
from harness.algebra.latex import Formula, parse
from harness.algebra.spelling import renamings
from harness.algebra.statements import UNREAD, Comparer
from harness.algebra.tokens import MAX_LENGTH
from harness.algebra.tree import Node, symbols
from harness.scoring.comparison import OTHER_SYMBOLS, Comparison
from harness.scoring.free import wording
from harness.scoring.quantities import measured
from harness.scoring.quantities.unit_names import names

_SPACING = re.compile(
    r"(?<!\d)\s+|\s+(?!\d)|\$|\\[,;:! ]|\\(?:left|right|displaystyle|quad|qquad)(?![A-Za-z])"
)
_BRACED = re.compile(r"\\(?:text|mathrm)\{([^{}]*)\}|\{(\\[A-Za-z]+|[A-Za-z0-9])\}")
_MARKED = re.compile(r"%|°|\\circ|degree")
_WORDS = re.compile(r"(?=.*[A-Za-z]{3})[A-Za-z ,.'-]+")
_MAX_IDENTICAL = 1_000_000
# "2√3$, approximately $3.46", "n² (by induction)", "12π$ square units", "x+1$ cm"
_NEARLY = re.compile(
    r"\$?,?\s*(?:which is )?(?:approximately|about|roughly|or about)(?: equal to)?\s*\$"
)
_THUS = re.compile(r"(?:Hence|Thus|Therefore|So|Then|Finally)\s*,?\s*(?=\$)")
_ABOUT = re.compile(r"\$?,?\s*(?:approximately|approx\.?|roughly)[\s$.]*$")
_ALSO = re.compile(
    r"\$?,?\s*(?:or\s+)?(?:equivalently|that\s+is|i\.e\.|in\s+other\s+words),?\s*\$?"
)
_REASON = re.compile(r"\s*\((?:by|using|from|via|since|because)\b[A-Za-z ,'-]{0,60}\)\s*$")
# A name or a subscript of several words: \text{Length rate} = ..., N_{\text{sent, back}}
_WORDED = re.compile(
    r"((?:^|_\{)\\(?:text|mathrm)\{)([A-Za-z ,.-]{1,40})"
    r"(\}(?:\}|\s*(?:=|\\approx(?![A-Za-z]))))"
)
_UNITS = re.compile(
    r"(?:\$|\\[,; ]|~| ){0,6}(?:\\(?:text|mathrm) ?\{ ?)?(?:(?:square|sq\.?|cubic|cu\.?) )?"
    r"\bunits?\b(?:\^\{?\d\}?|[²³])?[ }$.]{0,6}$"
)
_BEHIND = re.compile(
    r"(.{1,400})\$\s*([A-Za-zµμ°%Ω][\w/^*·.-]{0,12}(?: [A-Za-z][\w/^-]{0,8})?)", re.DOTALL
)
# What sympy and mpmath are known to raise where a formula has no value.
_FAULTS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    RuntimeError,  # RecursionError and NotImplementedError are its kinds
    TypeError,
    ValueError,
    mpmath.libmp.NoConvergence,
)


def compare(answer: str, gold: str, exact: bool = False) -> Comparison:
    r"""Hold a formula that was read against the gold.

    Parameters
    ----------
    answer, gold : LaTeX or plain-text maths, as read and as the data set has it.
    exact : numbers must be equal; otherwise one written with a decimal point may be off by 1 %
        of the gold, inclusive.

    Returns
    -------
    Comparison
        True only for equal texts, for what a normal form or sympy proves, and for numbers within
        tolerance; False for values that differ clearly; None where neither is shown: a formula
        that is not read, is too large or takes too long, or one in other symbols.

    Notes
    -----
    Sets and alternatives have no order, tuples have; ± stands for two values; a name before an
    equals sign ("x = 5", "f(x) = 2x") is not part of the value; equations may be rearranged and
    scaled; inequalities are intervals. Symbols count as positive unless a root or a modulus
    shows their sign. A unit set as text is compared as `harness.scoring.quantities.number` does.

    Examples
    --------
    >>> compare(r"\frac{1}{\sqrt{2}}", r"\frac{\sqrt{2}}{2}")
    Comparison(equal=True, rule='normal form')
    >>> compare(r"x=1 \text{ or } x=-2", r"\{1,-2\}").equal, compare("(1,2)", "(2,1)").equal
    (True, False)
    """
    if max(len(answer), len(gold)) > _MAX_IDENTICAL:
        return Comparison(None, "too_long")
    if plain(answer) == plain(gold) and plain(gold):
        return Comparison(True, "identical")
    if max(len(answer), len(gold)) > MAX_LENGTH:
        return Comparison(None, "too_long")
    try:
        forms = [f for f in _ALSO.split(answer) if f.strip(" $")][:3]
        found = {_compared(_tidied(f), _tidied(gold), exact) for f in forms or [answer]}
        if len({c.equal for c in found}) > 1:
            return Comparison(None, "two_forms_that_differ")
        return min(found, key=lambda c: c.rule)
    except _FAULTS as fault:  # whatever a model wrote, the run goes on
        return Comparison(None, f"fault:{type(fault).__name__}")


def _tidied(text: str) -> str:
    """The formula without the words that say "about", "units" or why behind it."""
    text = _NEARLY.sub(r" \\approx ", _THUS.sub("", text.strip()))
    text = _ABOUT.sub("", _REASON.sub("", text))
    text = _WORDED.sub(lambda m: m[1] + "".join(filter(str.isalnum, m[2]))[:20] + m[3], text)
    text = _UNITS.sub("", text).strip()
    behind = _BEHIND.fullmatch(text)
    if behind and "$" not in behind[1].removeprefix("$"):
        text = f"{behind[1]} \\text{{{behind[2].strip()}}}"
    return text


def plain(text: str) -> str:
    """A formula's text without white space, spacing commands and braces round one character."""
    text = _SPACING.sub("", text).replace("\\dfrac", "\\frac").replace("\\tfrac", "\\frac")
    return _BRACED.sub(lambda m: m[1] or m[2] or "", text).rstrip(".")


@lru_cache(maxsize=4096)
def _compared(answer: str, gold: str, exact: bool) -> Comparison:
    given, wanted = parse(answer), parse(gold)
    if wanted is None and _WORDS.fullmatch(gold.strip()):
        return wording.compare(answer, gold)
    if given is None or wanted is None:
        found = Verdict(None, "gold_not_read" if wanted is None else "not_read")
    else:
        found = _by_readings(given, wanted, exact)
        if found.equal is False and _is_renamed(given.likely, wanted.likely, exact):
            found = Verdict(None, OTHER_SYMBOLS)
        unknown = found == UNREAD  # P(X=2) = 0.5
        if not unknown and not any(map(_is_measured, (answer, gold), (given, wanted))):
            return Comparison(found.equal, found.rule)
    if found.equal:
        return Comparison(True, found.rule)
    as_quantity = measured.compare(answer, gold, exact)
    if as_quantity.rule == "unit_or_symbol" or as_quantity.equal is not None:
        return as_quantity
    return Comparison(found.equal, found.rule)


def _is_renamed(answer: Node, gold: Node, exact: bool) -> bool:
    """Whether the two differ in names alone, which only who knows the question can judge."""
    if (answer.op == "rel") != (gold.op == "rel"):  # I = ml² against Ml²
        answer, gold = _unnamed(answer), _unnamed(gold)
    comparer = Comparer(exact, pool.default.ask, _is_unit)
    return any(comparer.equal(other, gold).equal for other in renamings(answer, gold))


def _unnamed(node: Node) -> Node:
    return node.args[-1] if node.op == "rel" and node.args[0].op == "sym" else node


def _by_readings(answer: Formula, gold: Formula, exact: bool) -> Verdict:
    """The verdict of the likely readings; any other that disagrees makes it undecided."""
    comparer = Comparer(exact, pool.default.ask, _is_unit)
    found = comparer.equal(answer.likely, gold.likely)
    if not found.equal or answer.disputed or gold.disputed:
        for a in filter(None, (answer.likely, answer.other)):
            for g in filter(None, (gold.likely, gold.other)):
                other = (a, g) != (answer.likely, gold.likely)
                if other and comparer.equal(a, g).equal is not found.equal:
                    return Verdict(None, "another reading")
    if answer.common is None and gold.common is None:
        return found
    common = comparer.equal(
        (answer.common or (answer.likely,))[0], (gold.common or (gold.likely,))[0]
    )
    if common.equal == found.equal:
        return found
    bare = [f for f in (answer, gold) if f.common is None]
    if (
        (found.equal or common.equal)
        and not any(_has_log(f.likely) for f in bare)
        and len(bare) == 1
    ):
        return found if found.equal else common
    return Verdict(None, "base of the logarithm")


def _has_log(node: Node) -> bool:
    return any(n.op == "fn" and n.value == "ln" for n in node.walk())


def _is_measured(text: str, formula: Formula) -> bool:
    """Whether a text may be a number with a unit, a degree or a percent sign."""
    node = _unnamed(formula.likely)
    with_letters = node.op in ("mul", "sym", "text") and bool(symbols(node))
    return with_letters or bool(_MARKED.search(text))


def _is_unit(word: str) -> bool:
    return bool(names(word))


__all__ = ["compare", "plain"]
