"""The names and signs that formulas are written with."""

from __future__ import annotations

FUNCTIONS = frozenset(
    str.split(
        "sin cos tan cot sec csc sinh cosh tanh coth asin acos atan arcsin arccos arctan arcsinh "
        "arccosh arctanh arsinh arcosh artanh asinh acosh atanh "
        "ln log lg exp sqrt cbrt abs max min gcd lcm floor ceil "
        "binom"
    )
)
_GREEK = str.split(
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho "
    "sigma tau upsilon phi chi psi omega"
)
GREEK = frozenset(_GREEK) | {g.capitalize() for g in _GREEK}
SAME_LETTER = {
    "varepsilon": "epsilon",
    "varphi": "phi",
    "vartheta": "theta",
    "varrho": "rho",
    "varsigma": "sigma",
    "varkappa": "kappa",
}
SYMBOLS = GREEK - {"pi"} | {"hbar", "ell"}
RELATIONS = {
    **{s: s for s in ("=", "<", ">", "<=", ">=", "!=")},
    "==": "=",
    ":=": "=",
    "equiv": "equiv",
    "approx": "=",
    "simeq": "=",
    "coloneqq": "=",
    "le": "<=",
    "leq": "<=",
    "leqslant": "<=",
    "leqq": "<=",
    "lt": "<",
    "ge": ">=",
    "geq": ">=",
    "geqslant": ">=",
    "geqq": ">=",
    "gt": ">",
    "ne": "!=",
    "neq": "!=",
    "in": "in",
    "cong": "cong",
}
SEPARATORS = frozenset(("or", "and", "lor", "vee", "land", "wedge"))
UNICODE = {
    **dict.fromkeys("×·⋅∙•∗", "*"),
    **dict.fromkeys("÷∕⁄", "/"),
    **dict.fromkeys("−–‐‑‒", "-"),
    **dict.fromkeys("\u00a0\u2009\u202f\u2002\u2003\u3000", " "),
    "∞": r"\infty ",
    "√": r"\sqrt ",
    "∛": r"\sqrt[3]",
    "≤": r"\le ",
    "⩽": r"\le ",
    "≥": r"\ge ",
    "⩾": r"\ge ",
    "≠": r"\ne ",
    "≈": r"\approx ",
    "≡": r"\equiv ",
    "±": r"\pm ",
    "∓": r"\mp ",
    "∪": r"\cup ",
    "∈": r"\in ",
    "°": r"^\circ ",
    "′": "'",
    "’": "'",
    "″": "''",
    "ℏ": r"\hbar ",
    "ħ": r"\hbar ",
    "∅": r"\emptyset ",
    "ℝ": r"\mathbb{R}",
    "ℓ": r"\ell ",
    "½": r"\frac12",
    "⅓": r"\frac13",
    "⅔": r"\frac23",
    "¼": r"\frac14",
    "¾": r"\frac34",
    "⅕": r"\frac15",
    "⅛": r"\frac18",
    "⟨": r"\langle ",
    "⟩": r"\rangle ",
    "∣": "|",
    "∖": r"\setminus ",
    "…": r"\ldots ",
    "ϕ": r"\phi ",
    "φ": r"\phi ",
    "ε": r"\epsilon ",
    "ϵ": r"\epsilon ",
    "ϑ": r"\theta ",
    "µ": r"\mu ",
    "Ω": r"\Omega ",
    "Å": "\\text{Å}",
    "∨": r"\vee ",
    "∧": r"\wedge ",
}

__all__ = [
    "FUNCTIONS",
    "GREEK",
    "RELATIONS",
    "SAME_LETTER",
    "SEPARATORS",
    "SYMBOLS",
    "UNICODE",
]
