"""Sums of products of rational powers of atoms: the arithmetic of the normal form.

Symbols count as positive here, so that (ab)^½ is a^½ b^½; whoever uses a proof has to look at
negative values where that matters (`Ring.folded` names the symbols). Trigonometric and
hyperbolic functions become exponentials, whose exponents add up: the addition theorems need no
rule. Powers of sums that are no whole number, or negative, are atoms of their own until
`vanishes` multiplies them away.
"""

from __future__ import annotations

from fractions import Fraction

from harness.algebra.atoms import (
    ANGLES,
    HALF,
    I_PI,
    IMAGINARY,
    NONE,
    ONE,
    TURN,
    UNIT,
    Monomial,
    Poly,
    common_divisor,
    is_prime,
    key_of,
    primes,
)

_MAX_TERMS = 400
MAX_WORK = 30_000


class Unproven(Exception):
    """This normal form says nothing about the formula, or not within its budget."""


class Ring:
    """The arithmetic of one comparison; equal names are equal atoms.

    `folded` collects symbols whose even power lost its sign under a root or a modulus.
    """

    def __init__(self, budget: int = MAX_WORK) -> None:
        self.budget = budget
        self.inside: dict[str, Poly] = {}  # of a sum, logarithm or exponential
        self.folded: set[str] = set()
        self.inside[TURN] = {I_PI: UNIT}
        self.work = 0

    def product(self, a: Poly, b: Poly) -> Poly:
        self.spend(len(a) * len(b))
        found: Poly = {}
        for m, c in a.items():
            for n, d in b.items():
                if not m or not n:
                    key = m or n
                    found[key] = found.get(key, NONE) + c * d
                    continue
                joined = dict(m)
                for atom, exponent in n:
                    joined[atom] = joined.get(atom, NONE) + exponent
                for key, factor in self.reduced(joined).items():
                    found[key] = found.get(key, NONE) + c * d * factor
        return self.checked(found)

    def total(self, *polys: Poly) -> Poly:
        found: Poly = {}
        for poly in polys:
            for m, c in poly.items():
                found[m] = found.get(m, NONE) + c
        return self.checked(found)

    def checked(self, poly: Poly) -> Poly:
        if len(poly) > _MAX_TERMS:
            raise Unproven("too many terms")
        return {m: c for m, c in poly.items() if c}

    def spend(self, amount: int) -> None:
        self.work += amount
        if self.work > self.budget:
            raise Unproven("too much work")

    def reduced(self, exponents: dict[str, Fraction]) -> Poly:
        """A product of atoms with the relations among them applied."""
        factor, others = UNIT, []
        for atom in list(exponents):
            exponent = exponents[atom]
            if not exponent:
                del exponents[atom]
            elif atom == "I":
                quarter = int(exponent) % 4
                factor *= -1 if quarter >= 2 else 1
                exponents[atom] = Fraction(quarter % 2)
                if not quarter % 2:
                    del exponents[atom]
            elif is_prime(atom):
                whole = exponent.__floor__()
                if abs(whole) > 4000:
                    raise Unproven("large power")
                factor *= Fraction(int(atom[1:])) ** whole
                exponents[atom] = exponent - whole
                if exponent == whole:
                    del exponents[atom]
            elif atom == TURN:
                sign, rest = divmod(exponent, 1)
                factor *= -1 if sign % 2 else 1
                del exponents[atom]
                if rest >= HALF:
                    others.append({IMAGINARY: UNIT})
                    rest -= HALF
                if rest in ANGLES:
                    others.append(ANGLES[rest])
                elif rest:
                    exponents[atom] = rest
            elif atom[0] == "(" and exponent >= 1:
                whole = exponent.__floor__()
                exponents[atom] = exponent - whole
                if exponent == whole:
                    del exponents[atom]
                others += [self.inside[atom]] * int(whole)
                if whole > 12:
                    raise Unproven("power of a sum")
        found: Poly = {tuple(sorted(exponents.items())): factor}
        for other in others:
            found = self.product(found, other)
        return found

    def raised(self, poly: Poly, q: Fraction) -> Poly:
        """poly^q."""
        if q == 0 or (not poly and q > 0):
            return {ONE: UNIT} if q == 0 and poly else {}
        if not poly:
            raise Unproven("division by zero")
        if len(poly) == 1:
            ((monomial, c),) = poly.items()
            return self.monomial_power(monomial, c, q)
        if q.denominator == 1 and 0 < q <= 12:
            found = poly
            for _ in range(int(q) - 1):
                found = self.product(found, poly)
            return found
        content, monomial, rest = self.parted(poly, whole=q.denominator == 1)
        outside = self.monomial_power(monomial, content, q, strict=False)
        return self.product(outside, self.reduced({self.named(rest): q}))

    def named(self, poly: Poly) -> str:
        key = "(" + key_of(poly)
        self.inside[key] = poly
        return key

    def parted(self, poly: Poly, *, whole: bool) -> tuple[Fraction, Monomial, Poly]:
        """Content, common monomial and the rest; the sign goes with the content if `whole`."""
        content = abs(next(iter(poly.values())))
        for c in poly.values():
            content = common_divisor(content, abs(c))
        atoms = {a for m in poly for a, _ in m if whole or not self.is_complex(a)} - {"I"}
        own = [dict(m) for m in poly]
        common = {a: min(m.get(a, NONE) for m in own) for a in atoms}
        common = {a: e for a, e in common.items() if e}
        if whole and min(poly.items())[1] < 0:
            content = -content
        shift = tuple(sorted(common.items()))
        rest: Poly = {}
        for m, c in poly.items():
            joined = dict(m)
            for a, e in shift:
                joined[a] = joined.get(a, NONE) - e
            rest = self.total(rest, {k: v * c / content for k, v in self.reduced(joined).items()})
        return content, shift, rest

    def monomial_power(self, m: Monomial, c: Fraction, q: Fraction, *, strict: bool = True) -> Poly:
        if q.denominator == 1:
            if abs(q) * max(c.numerator.bit_length(), c.denominator.bit_length()) > 20_000:
                raise Unproven("large power")
            found = self.reduced({a: e * q for a, e in m})
            return {k: v * c ** int(q) for k, v in found.items()}
        if any(self.is_complex(a) for a, _ in m) or (c < 0 and m and q.denominator % 2 == 0):
            return {((f"C{q} {key_of({m: c})}", UNIT),): UNIT}
        for atom, exponent in m:
            if strict and exponent.denominator == 1 and exponent % 2 == 0:
                self.folded.add(atom)
        exponents = {a: e * q for a, e in m}
        for prime, times in primes(abs(c)).items():
            exponents[prime] = exponents.get(prime, NONE) + times * q
        if c < 0 and q.denominator % 2 == 0:
            if q.denominator != 2:
                raise Unproven("root of a negative number")
            exponents["I"] = Fraction(q.numerator)
        found = self.reduced(exponents)
        odd = c < 0 and q.denominator % 2 and q.numerator % 2
        return {k: -v for k, v in found.items()} if odd else found

    def is_complex(self, atom: str) -> bool:
        return atom[0] in "IC" or (
            atom[0] == "E" and any(self.is_complex(a) for m in self.inside[atom] for a, _ in m)
        )

    def exponential(self, poly: Poly) -> Poly:
        """e^poly."""
        found: Poly = {ONE: UNIT}
        for m, c in poly.items():
            if len(m) == 1 and m[0][0][0] == "L" and m[0][1] == 1:
                term = self.raised(self.inside[m[0][0]], c)
            elif m == I_PI:
                term = self.reduced({TURN: c})
            else:
                atom = f"E{key_of({m: UNIT})}"
                self.inside[atom] = {m: UNIT}
                term = {((atom, c),): UNIT}
            found = self.product(found, term)
        return found

    def logarithm(self, poly: Poly) -> Poly:
        """ln poly."""
        if not poly:
            raise Unproven("log of zero")
        if len(poly) > 1:
            content, monomial, rest = self.parted(poly, whole=False)
            outside = self.logarithm({monomial: content})
            return self.total(outside, self.log_atom(rest))
        ((m, c),) = poly.items()
        if c < 0 or any(self.is_complex(a) for a, _ in m):
            raise Unproven("log of a negative number")
        found: Poly = {}
        factors: list[tuple[str, Fraction | int]] = [*m, *primes(c).items()]
        for atom, e in factors:
            if atom[0] == "E":
                log = self.inside[atom]
            elif is_prime(atom):
                log = self.log_atom({ONE: Fraction(int(atom[1:]))})
            else:
                log = self.log_atom({((atom, UNIT),): UNIT})
            found = self.total(found, {k: v * e for k, v in log.items()})
        return found

    def log_atom(self, poly: Poly) -> Poly:
        atom = f"L{key_of(poly)}"
        self.inside[atom] = poly
        return {((atom, UNIT),): UNIT}

    def vanishes(self, poly: Poly) -> bool:
        """Whether the poly is 0 for certain; False says only that this does not show it."""
        return not self.cleared(poly)

    def cleared(self, poly: Poly) -> Poly:
        """The poly times the powers of sums in its denominators."""
        for _ in range(6):
            lowest: dict[str, Fraction] = {}
            for m in poly:
                for atom, e in m:
                    if atom[0] == "(" and e < lowest.get(atom, NONE):
                        lowest[atom] = e
            if not lowest:
                break
            for atom, e in lowest.items():
                found: Poly = {}
                for m, c in poly.items():
                    joined = dict(m)
                    joined[atom] = joined.get(atom, NONE) - e
                    self.spend(1)
                    for k, v in self.reduced(joined).items():
                        found[k] = found.get(k, NONE) + v * c
                poly = self.checked(found)
        return poly


__all__ = ["MAX_WORK", "Ring", "Unproven"]
