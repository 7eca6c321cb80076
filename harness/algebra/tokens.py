"""A formula's text cut into tokens, or refused at the first sign that is not known."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from harness.algebra.vocabulary import (
    FUNCTIONS,
    GREEK,
    RELATIONS,
    SAME_LETTER,
    SEPARATORS,
    SYMBOLS,
    UNICODE,
)

MAX_LENGTH = 2_000
MAX_TOKENS = 600
MAX_DIGITS = 1_000

_ENGLISH = frozenset(
    str.split(
        "the is no yes not for all any odd one two ten six cat sum are of was can may but nor her "
        "his who why how you she him its our out"
    )
)
_DROPPED = re.compile(
    r"(\\\\)|\\(?:left|right|[bB]igg?[lrm]?|displaystyle|textstyle|scriptstyle|limits|quad|qquad|rm"
    r"|bf|it|mathbf|boldsymbol|bm|overrightarrow|mathit|mathsf|nolimits|middle)(?![A-Za-z])"
    r"|\\vec(?![A-Za-z])(?!\{)"
    r"|\\[,;:! ]|~|\$|\\[()\[\]]|\u200b|\ufeff|\u200e|\u200f|\u2061|\u2062"
)
# An arrow over a letter or two, or a letter in bold: a vector.
_ARROW = re.compile(
    r"\\(vec|overrightarrow|mathbf|boldsymbol|bm)(?![A-Za-z])\s*"
    r"(?:\{\s*([A-Za-z]{1,2}|\\[A-Za-z]+)\s*\}|([A-Za-z](?![A-Za-z])|\\[a-z]+(?![A-Za-z])))"
)
_UPPER = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿⁱ⁽⁾"
_LOWER = "₀₁₂₃₄₅₆₇₈₉₊₋₍₎"
_RAISED = re.compile(f"[{_UPPER}]+")
_LOWERED = re.compile(f"[{_LOWER}]+")
_LEVEL = str.maketrans(_UPPER + _LOWER, "0123456789+-ni()0123456789+-()")
_FOREIGN = re.compile(r"[^\x00-\x7f]")
_TOKEN = re.compile(
    r"(?P<space>\s+)"
    r"|\\begin\{(?P<begin>[a-z]+)\*?\}(?:\{[clr|]*\})?|\\end\{(?P<end>[a-z]+)\*?\}"
    r"|\\(?:text|mathrm|textrm|textbf|textit|mbox|operatorname\*?)\s*\{(?P<text>[^{}]*)\}"
    r"|\\(?P<blackboard>mathbb)\s*\{?\s*(?P<set>[A-Z])\s*\}?"
    r"|\\(?P<command>[A-Za-z]+)"
    r"|(?P<number>\d+(?:\{,\}\d{3})+(?:\.\d+)?|(?:\d+(?:\.\d*)?|\.\d+))(?P<power>[eE][+-]?\d+)?"
    r"|(?P<word>[A-Za-z]+|Å)"
    r"|(?P<sign><=|>=|!=|==|:=|\*\*|\\[{}|%\\&_#]|[-+*/^_=<>!()\[\]{}|,;:'%&])"
)
# A word or a unit, as in "max", "m/s^2", "N·m" or "kg m"; no sentence.
_ONE_WORD = re.compile(r"[^\W\d]{1,20}(?:[ /·^*.-]{0,2}(?:[^\W\d]{1,3}|\d)(?![^\W\d])){0,6}")
_WRAPPED = re.compile(r"\\(?:boxed|fbox)\s*\{(.*)\}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Token:
    """A token's kind, its text, and whether white space stood before it.

    Kinds: num, letter, name (a symbol with a long name), fn, text, cmd, sep, rel, begin, end, set
    and, for signs, op.
    """

    kind: str
    text: str
    gap: bool = False


class Unreadable(Exception):
    """The text is no formula of this grammar."""


def bare(text: str) -> str:
    """A formula's text without its wrapping and invisible marks, LaTeX spelling throughout.

    Parameters
    ----------
    text : what stood in the box or block, at most `MAX_LENGTH` characters.

    Raises
    ------
    Unreadable
        For a longer text.
    """
    if len(text) > MAX_LENGTH:
        raise Unreadable("too long")
    if not text.isascii():
        text = _RAISED.sub(lambda m: "^{" + m[0].translate(_LEVEL) + "}", text)
        text = _LOWERED.sub(lambda m: "_{" + m[0].translate(_LEVEL) + "}", text)
        text = _FOREIGN.sub(_latex, text)
    text = _ARROW.sub(_arrow, text)
    text = _DROPPED.sub(lambda m: m[1] or " ", text).strip()
    while found := _WRAPPED.fullmatch(text):
        text = found[1].strip()
    return text.rstrip(" .,;") if not text.endswith("\\,") else text


def _arrow(found: re.Match[str]) -> str:
    name = (found[2] or found[3]).strip()
    mark = "vec" if found[1] in ("vec", "overrightarrow") else "bold"
    known = name[1:] in GREEK or name[1:] in SAME_LETTER if name[0] == "\\" else True
    return f"\\{mark}{{{name}}}" if known else f" {name} "


def _latex(found: re.Match[str]) -> str:
    sign = found[0]
    if sign in UNICODE:
        return UNICODE[sign]
    name = unicodedata.name(sign, "")
    if name.startswith("GREEK ") and " LETTER " in name:
        word = name.rsplit(" ", 1)[1].lower().replace("lamda", "lambda")
        if word in GREEK:
            return "\\" + (word.capitalize() if "CAPITAL" in name else word) + " "
    return unicodedata.normalize("NFKC", sign) if "\uff01" <= sign <= "\uff5e" else sign


def tokens(text: str) -> list[Token]:
    """Cut a text from `bare` into tokens.

    Raises
    ------
    Unreadable
        At an unknown sign, an English word, or beyond the limits of size.
    """
    found: list[Token] = []
    at, gap = 0, False
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise Unreadable(f"sign {text[at]!r}")
        kind = match.lastgroup
        whole = match.start() == 0 and match.end() == len(text)
        if kind == "space":
            gap = True
            at = match.end()
            continue
        if kind in ("number", "power"):
            at = _number(match, whole, found, gap)
        else:
            at = match.end()
            _other(match, found, gap)
        gap = False
        if len(found) > MAX_TOKENS:
            raise Unreadable("too many tokens")
    return found


def _number(match: re.Match[str], whole: bool, found: list[Token], gap: bool) -> int:
    digits, exponent = match["number"].replace("{,}", ""), match["power"]
    if len(digits) > MAX_DIGITS:
        raise Unreadable("too many digits")
    if found and not gap and found[-1].kind in ("letter", "name") and digits.isdigit():
        found.append(Token("op", "_"))  # v0 is v_0
    after = match.string[match.end() : match.end() + 1]
    if after == "(" and digits.isdigit() and _is_log_word(match, found, gap):  # log2(8)
        found += [Token("op", "_"), Token("op", "{"), Token("num", digits), Token("op", "}")]
        return match.end("number")
    # 2e-3 inside a longer formula may be 2·e - 3; a literal of its own it is not.
    if exponent and (whole or exponent[1:].isdigit() or exponent[0] == "E"):
        if len(exponent) > 9:
            raise Unreadable("exponent")
        found.append(Token("num", digits + exponent.lower(), gap))
        return match.end()
    found.append(Token("num", digits, gap))
    return match.end("number")


def _is_log_word(match: re.Match[str], found: list[Token], gap: bool) -> bool:
    text, at = match.string, match.start()
    is_log = bool(found) and found[-1].kind == "fn" and found[-1].text == "log" and not gap
    return is_log and text[at - 3 : at] == "log" and text[max(0, at - 4) : at - 3] != "\\"


def _other(match: re.Match[str], found: list[Token], gap: bool) -> None:
    kind, text = match.lastgroup, match[match.lastgroup or 0]
    if kind == "sign":
        text = {"**": "^", "\\%": "%", "\\|": "|", "\\_": "_"}.get(text, text)
        found.append(Token("rel" if text in RELATIONS else "op", RELATIONS.get(text, text), gap))
    elif kind == "word":
        found.extend(_word(text, match, gap))
    elif kind == "text":
        found.extend(_text(" ".join(text.split()), gap))
    elif kind == "command":
        found.append(_command(text, gap))
    else:
        found.append(Token(str(kind), text, gap))


def _command(name: str, gap: bool) -> Token:
    name = SAME_LETTER.get(name, name)
    name = {"operatorname": "text", "dfrac": "frac", "tfrac": "frac", "cfrac": "frac"}.get(
        name, name
    )
    if name in FUNCTIONS and name != "binom":
        return Token("fn", name, gap)
    if name in RELATIONS:
        return Token("rel", RELATIONS[name], gap)
    if name in SEPARATORS:
        return Token("sep", name, gap)
    if name in SYMBOLS:
        return Token("name", name, gap)
    return Token("cmd", name, gap)


def _text(text: str, gap: bool) -> list[Token]:
    """What stood in \\text{} or \\mathrm{}: a connective, a function, one letter, or a word."""
    word = text.strip(" ,;")
    if word.lower() in ("or", "and", "and/or") or (text and not word):
        return [Token("sep", word.lower() or ",", gap)]
    if word in FUNCTIONS:
        return [Token("fn", word, gap)]
    if word in ("e", "i", "d"):
        return [Token("letter", word, gap)]
    if word and not _ONE_WORD.fullmatch(word):
        raise Unreadable(f"text {word}")
    return [Token("text", word, gap)] if word else []


def _word(run: str, match: re.Match[str], gap: bool) -> list[Token]:
    """A run of Latin letters: a name that is known, or letters that multiply."""
    lower = run.lower()
    if run == "Å":
        return [Token("text", run, gap)]
    if lower in ("or", "and"):
        return [Token("sep", lower, gap)]
    if run in FUNCTIONS:
        return [Token("fn", run, gap)]
    if lower in ("inf", "infty", "infinity", "oo"):
        return [Token("cmd", "infty", gap)]
    if lower in ("degree", "degrees", "deg"):
        return [Token("cmd", "degree", gap)]
    if run in GREEK or run == "hbar":
        return [_command(run, gap)]
    if run in _ENGLISH or (
        re.fullmatch(r"d\w", run) and match.string[match.end() :].startswith("/d")
    ):
        raise Unreadable(f"word {run}")
    for name in ("sin", "cos", "tan", "sqrt", "exp", "ln", "log"):  # mgsin(x)
        if run.endswith(name) and len(run) - len(name) <= 3:
            return [*_letters(run[: -len(name)], gap), Token("fn", name)]
    if len(run) > 4 or (len(run) == 4 and run.islower()):
        raise Unreadable(f"word {run}")
    return _letters(run, gap)


def _letters(run: str, gap: bool) -> list[Token]:
    return [Token("letter", letter, gap and not at) for at, letter in enumerate(run)]


__all__ = ["MAX_LENGTH", "Token", "Unreadable", "bare", "tokens"]
