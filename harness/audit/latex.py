"""LaTeX as a reader would say it: commands to the letters, spaces or words that they typeset."""

from __future__ import annotations

import re
from functools import lru_cache

# What is drawn as a Unicode symbol is no token there, so its command is none here.
_OPERATORS = """
times cdot div pm mp leq le leqslant geq ge geqslant neq ne approx approxeq equiv sim simeq cong
propto to gets rightarrow leftarrow leftrightarrow Rightarrow Leftarrow Leftrightarrow
longrightarrow longleftarrow Longrightarrow Longleftarrow longleftrightarrow Longleftrightarrow
implies iff mapsto longmapsto uparrow downarrow Uparrow Downarrow updownarrow nearrow searrow
rightleftharpoons hookrightarrow xrightarrow xleftarrow in notin ni subset subseteq supset supseteq
subsetneq cup cap bigcup bigcap forall exists nexists infty partial nabla sum prod coprod int oint
iint iiint oiint sqrt surd circ degree prime backprime cdots ldots dots vdots ddots dotsb dotsc
angle measuredangle perp parallel nparallel ll gg prec succ preceq succeq mid nmid vert Vert lvert
rvert lVert rVert langle rangle lfloor rfloor lceil rceil lbrace rbrace lbrack rbrack wedge vee neg
lnot land lor oplus ominus otimes odot bigoplus bigotimes star ast bullet setminus smallsetminus
emptyset varnothing triangle bigtriangleup triangleleft triangleright square Box diamond because
therefore colon doteq asymp models vdash dagger ddagger cdotp ldotp percent slash backslash
textdegree textbackslash textasciitilde textasciicircum nRightarrow nLeftarrow nLeftrightarrow
"""
_LAYOUT = """
frac dfrac tfrac cfrac nicefrac sfrac binom dbinom tbinom over atop choose text textbf textit textrm
textsf texttt textnormal textsc textup textsl emph underline mathrm mathbf mathit mathsf mathtt
mathcal mathbb mathfrak mathscr mathnormal boldsymbol bm pmb operatorname left right middle big Big
bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr bigm Bigm quad qquad enspace thinspace
medspace thickspace negthinspace hfill vfill hskip vskip displaystyle textstyle scriptstyle
scriptscriptstyle limits nolimits vec hat bar tilde dot ddot dddot check breve acute grave mathring
overline overrightarrow overleftarrow widehat widetilde overbrace underbrace overset underset
stackrel boxed fbox mbox hbox vbox makebox raisebox phantom hphantom vphantom smash noindent indent
par newline linebreak pagebreak newpage item centering raggedright tiny scriptsize footnotesize
small normalsize large Large LARGE huge Huge rm bf it tt sf sl sc cal rmfamily bfseries itshape
nonumber notag hline cline toprule midrule bottomrule multicolumn multirow mathop mathbin mathrel
mathord mathopen mathclose mathpunct ensuremath protect relax substack array displaylimits tag
section subsection paragraph textsuperscript textsubscript cancel bcancel xcancel not SI si num qty
unit ang per
"""
_GREEK = """
alpha α beta β gamma γ delta δ epsilon ε zeta ζ eta η theta θ iota ι kappa κ lambda λ mu μ nu ν xi ξ
omicron ο pi π rho ρ sigma σ tau τ upsilon υ phi φ chi χ psi ψ omega ω
Alpha Α Beta Β Gamma Γ Delta Δ Epsilon Ε Zeta Ζ Eta Η Theta Θ Iota Ι Kappa Κ Lambda Λ Mu Μ Nu Ν Xi Ξ
Omicron Ο Pi Π Rho Ρ Sigma Σ Tau Τ Upsilon Υ Phi Φ Chi Χ Psi Ψ Omega Ω
"""
_LETTERS = {
    **dict(zip(_GREEK.split()[::2], _GREEK.split()[1::2], strict=True)),
    "varepsilon": "ε",
    "vartheta": "θ",
    "varkappa": "κ",
    "varpi": "π",
    "varrho": "ρ",
    "varsigma": "σ",
    "varphi": "φ",
    "digamma": "ϝ",
    "hbar": "ħ",
    "hslash": "ħ",
    "ell": "l",
    "Re": "R",
    "Im": "I",
    "imath": "i",
    "jmath": "j",
    "AA": "Å",
    "aa": "å",
    "ss": "ß",
    "ae": "æ",
    "AE": "Æ",
    "oe": "œ",
    "OE": "Œ",
    "o": "ø",
    "O": "Ø",
    "l": "ł",
    "L": "Ł",
    "ohm": "Ω",
    "textmu": "μ",
    "upmu": "μ",
}
_WORDS = {
    "celsius": " C ",
    "degreeCelsius": " C ",
    "bmod": " mod ",
    "pmod": " mod ",
    "TeX": " tex ",
    "LaTeX": " latex ",
}
_COMMANDS = {
    **dict.fromkeys((_OPERATORS + _LAYOUT).split(), " "),
    **_LETTERS,
    **_WORDS,
    **{f"var{name}": _LETTERS[name] for name in ("Gamma", "Delta", "Theta", "Lambda", "Pi")},
    **{f"var{name}": _LETTERS[name] for name in ("Sigma", "Phi", "Psi", "Omega", "Xi")},
    # A line break, a tab or a return that was escaped once too often.
    **dict.fromkeys(("n", "t", "r"), " "),
}
_MARKS = {"'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303"}
_NAMED_MARKS = {"c": "\u0327", "v": "\u030c", "H": "\u030b", "k": "\u0328", "u": "\u0306"}

# One pass, leftmost first: arguments that are no text; accents; commands; hyphens; signs.
_PATTERN = re.compile(
    r"""(\\(?:
      (?:begin|end|label|includegraphics|vspace|hspace|color|textcolor)
        \*?\s*(?:\[[^\][{}]*\])?\{(?:array\}\s*\{|tabular\}\s*\{)?[^{}]*\}
    | ['`^"~](?:\{\\?[A-Za-z]\}|(?<=[A-Za-z]\\.)[AEIOUYaeiouy])
    | [cvHku]\{[A-Za-z]\}
    | [A-Za-z]+\*?
    | -(?=[A-Za-z])
    | .
    | $
    ))""",
    re.VERBOSE | re.DOTALL,
)


def without_commands(text: str) -> str:
    r"""Replace every LaTeX command by what it typesets; all other characters stay.

    Layout and operators (``\frac``, ``\mathrm``, ``\times``) become a space, Greek letters and
    letters of other alphabets themselves, accents a combining mark; a command that is not known
    keeps its letters as a word, so that no word is lost. ``\begin``, ``\end``, ``\label``,
    ``\includegraphics``, lengths and colours go with their first argument, which is no text. A
    literal ``\n``, ``\t`` or ``\r`` before a capital, or alone, is white space.

    Parameters
    ----------
    text : any string; without a backslash it comes back as it is.

    Examples
    --------
    >>> without_commands(r"angle $\theta$ of $\frac{1}{2}$ rad\nFind $\sin\theta$").split()
    ['angle', '$θ$', 'of', '$', '{1}{2}$', 'rad', 'Find', '$', 'sin', 'θ$']
    """
    if "\\" not in text:
        return text
    parts = _PATTERN.split(text)
    parts[1::2] = map(_typeset, parts[1::2])
    return "".join(parts)


@lru_cache(1 << 12)
def _typeset(command: str) -> str:
    name = command[1:].rstrip("*")
    if name.isalpha():
        if name not in _COMMANDS and name[0] in "ntr" and name[1:2].isupper():
            return f" {name[1:]}"
        return _COMMANDS.get(name) or f" {name} "
    kind, letter = command[1:2], name.strip("{}\\")[-1:]
    if kind in _MARKS and len(command) > 2:
        return letter + _MARKS[kind]
    if kind in _NAMED_MARKS and len(command) == 5:
        return letter + _NAMED_MARKS[kind]
    return "" if command == r"\-" else " "


__all__ = ["without_commands"]
