"""The oracle's own reading of raw text: cleaning, thinking, answer blocks, boxes, tokens.

Nothing here is shared with the compact readers, so that a fault in one is seen by the other.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_SPACES = re.compile(r"[^\S\n]+")
_TAG = re.compile(r"<(/?)think(?:ing)?>", re.IGNORECASE)
_BLOCK = re.compile(r"<(/?)answer>", re.IGNORECASE)
_HTML = re.compile(r"</?(?:b|i|u|p|em|strong|span|div|center|br|mark|h[1-6]) ?/?>", re.IGNORECASE)
_TURN_MARK = re.compile(
    r"<\|[a-z_]{1,30}\|>|</?s>|<(?:end|start)_of_turn>|\[/?INST\]|[✅✔☑✓]\ufe0f?"
)
_NEXT_QUESTION = re.compile(
    r"\n[ \t]*(?:\*\*|#+ )?(?:next )?(?:question|user|human|q)(?: \d{1,3})?(?:\*\*)? ?:",
    re.IGNORECASE,
)
_BRACE = re.compile(r"\\+f?boxed *\{|\\?[{}]")
_WRAPPER = re.compile(r"\\+(?:text\w*|math(?:rm|bf|it|sf|tt)|mbox|boxed|fbox)(?![a-z]) *\{?")
_SPACING = re.compile(r"\\+(?:[()\[\],;:! ]|quad|qquad|displaystyle|left|right)")
_MARKUP = re.compile(r"\\+\$|[`${}]|^[ \t]*#+ |~", re.MULTILINE)
_STRUCK = re.compile(
    r"~~[^~\n]{0,200}~~|<(del|s)>[^<\n]{0,200}</\1>|<!--[^>]{0,200}-->", re.IGNORECASE
)
_LONE_STAR = re.compile(r"^([^*\n]*\b[A-Za-z])\*(?=[^*\n]*$)", re.MULTILINE)
_TILDE = re.compile(r"(?<=[ \t])~(?=[A-Za-z])")
_SIGNATURE = re.compile(r"^[ \t]*\u2014", re.MULTILINE)
_STARS = re.compile(r"\*+")
_EMPHASIS = re.compile(r"(?<![^\W_])_+|_+(?![^\W_])")
_QUOTE = re.compile(r"^[ \t]*(?:>[ \t]*)+", re.MULTILINE)
_PIECE = re.compile(r"\n|[^\W\d_]+(?:'[^\W\d_]+)*|\d+(?:[.,]\d+)*|[^\S\n]+|.", re.DOTALL)
_WIDE = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
_SEAM = re.compile(rf"(?<=[{_WIDE}])(?=[A-Za-z])|(?<=[A-Za-z])(?=[{_WIDE}])")
_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2212"), "-") | {0x2014: " - "}
_QUOTES = dict.fromkeys(map(ord, "\u2018\u2019\u02bc`"), "'")
_DOUBLE = dict.fromkeys(map(ord, "\u201c\u201d\u300c\u300d\u300e\u300f\xab\xbb"), '"')
_NOT_LETTERS = {0xAA: "?", 0xBA: "?"}
_STOPS = {0x3002: ". ", 0x3001: ", ", 0x3010: " ", 0x3011: " : ", 0x2028: "\n", 0x2029: "\n"}
_SIGNS = _DASHES | _QUOTES | _DOUBLE | _STOPS
_TWINS = dict(zip("АВСЕНІЈКМОРТХΑΒΕΖΗΙΚΜΝΟΡΤΧ", "ABCEHIJKMOPTXABEZHIKMNOPTX", strict=True))
_LATIN = re.compile(r"[A-Za-z]")
_FOREIGN = re.compile(r"[\u0370-\u03ff\u0400-\u04ff]+")

_GOES_ON = r"(?![ \t]*(?:[,.!\n]|$))"

# What other languages say around an option, as English words of the same role.
_PHRASES = [
    (re.compile(pattern), english)
    for pattern, english in (
        ("如果|假如|假设|假設|若|もし|만약", " if "),
        ("(?:请|請)(?:从[^,.\n]{0,20})?[选選]择?", " options "),
        (
            rf"(?:并|並)?不(?:是|(?:应|該|该|应该|要|能|会|可)?[选選]|為|为)择?{_GOES_ON}",
            " is not ",
        ),
        ("并非|並非", " is not "),
        ("有(?:同学|人|学生|些人)|别人|某人|他们?(?=说|认为)", " someone says "),
        ("不正确|不正確|错误|錯誤|不对|間違い|不正解|틀렸", " incorrect "),
        ("ではない|ではありません|じゃない|아닙니다|아니다", " is wrong "),
        ("等等|等一下", " wait "),
        ("还是|或者|或|または|또는", " or "),
        ("(?:和|与|以及|及|と|와|과) ?(?=[A-Z(])", " and "),
        ("都是?正[确確]的?|都对", " are correct "),
        ("是正[确確](?:的)?(?:答案|选项|選項)?|が正解|정답입니다", " is the correct answer "),
        ("(?:正[确確]|最[终終])的?(?:答案|选项|選項)|正解|答案|答え|解答|정답", " answer "),
        ("选项|選項|選択肢", " option "),
        ("(?:应|應|应该)?选择?(?!题|项)|選(?!択)", " the answer is "),
        ("(?:应该|應該|应)?[是为為](?!的|[,.!?]|$)|は|(?<= )[은는이가](?= )|은 |는 ", " is "),
        ("です|である|입니다|이다", " "),
        ("吗|嗎|ですか", " ? "),
        ("[因所][此以]|故|因而|したがって|따라서", " so "),
    )
]
_WORDS = {
    **dict.fromkeys(
        ("antwort", "lösung", "réponse", "respuesta", "resposta", "risposta"), "answer"
    ),
    **dict.fromkeys(("ответ", "vastus", "svar", "antwoord", "cevap", "odpowiedź"), "answer"),
    **dict.fromkeys(
        ("richtige", "korrekte", "correcte", "bonne", "correcta", "correta"), "correct"
    ),
    **dict.fromkeys(("corretta", "правильный", "õige", "richtig", "endgültige"), "correct"),
    **dict.fromkeys(("ist", "lautet", "est", "es", "é", "è", "är", "er"), "is"),
    **dict.fromkeys(("die", "der", "das", "la", "le", "el", "il", "meine"), "the"),
    **dict.fromkeys(("nicht", "pas", "não", "non", "не", "ej", "inte"), "not"),
    **dict.fromkeys(("oder", "ou", "или", "või", "eller"), "or"),
    **dict.fromkeys(("und", "et", "и", "ja"), "and"),
    **dict.fromkeys(("weil", "denn", "parce", "porque"), "because"),
}


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number, sign, line end or box; `glued` says that no space stands before it."""

    kind: str
    text: str
    low: str
    glued: bool = False
    inside: tuple[Token, ...] = ()


def clean(text: str) -> str:
    """A copy in plain signs: compatibility forms, no format characters, one kind of line end."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").translate(_NOT_LETTERS)
    text = _TURN_MARK.sub(" ", unicodedata.normalize("NFKC", text))
    text = _SIGNATURE.sub(", ", text)
    kept = (
        " " if unicodedata.category(ch) == "Cc" and ch != "\n" else ch
        for ch in text
        if unicodedata.category(ch) != "Cf"
    )
    return _SPACES.sub(" ", "".join(kept).translate(_SIGNS) if text else "")


def spoken(text: str) -> str:
    """The part that is said aloud: a closing tag ends all before it, an open one hides the rest."""
    said: list[str] = []
    depth = at = 0
    for tag in _TAG.finditer(text):
        if depth == 0:
            said.append(text[at : tag.start()])
        at = tag.end()
        if not tag[1]:
            depth += 1
        elif depth:
            depth -= 1
        else:
            said.clear()
    if depth == 0:
        said.append(text[at:])
    return "\n".join(said)


def first_turn(text: str) -> str | None:
    """What stands before the next question that a model asks itself; None when it asks none."""
    mark = _NEXT_QUESTION.search(text)
    if mark is None or not text[: mark.start()].strip():
        return None
    numbered = _NEXT_QUESTION.match("\n" + text.lstrip())
    return None if numbered else text[: mark.start()]


def block(text: str) -> tuple[str | None, str | None]:
    """The content of the last closed answer block, and what stands in an open one after it."""
    opened: int | None = None
    found: str | None = None
    for tag in _BLOCK.finditer(text):
        if not tag[1]:
            opened = tag.end()
        elif opened is not None:
            found = text[opened : tag.start()]
            opened = None
    return found, None if opened is None else text[opened:]


def tokens(text: str) -> tuple[Token, ...]:
    """The tokens of a cleaned text; every outermost closed box is one token."""
    result: list[Token] = []
    at = 0
    for start, inner, end in _boxes(text):
        result += _pieces(text[at:start])
        result.append(Token("box", "", "", inside=tuple(_pieces(text[inner : end - 1]))))
        at = end
    result += _pieces(text[at:])
    return tuple(result)


def _boxes(text: str) -> list[tuple[int, int, int]]:
    open_: list[tuple[int, int, bool]] = []
    found: list[tuple[int, int, int]] = []
    for brace in _BRACE.finditer(text):
        sign = brace[0]
        if sign.endswith("boxed {") or "box" in sign:
            open_.append((brace.start(), brace.end(), True))
        elif sign == "{":
            open_.append((brace.start(), brace.end(), False))
        elif sign == "}" and open_:
            start, inner, box = open_.pop()
            if box:
                while found and found[-1][0] > start:
                    found.pop()
                found.append((start, inner, brace.end()))
    return found


def _pieces(text: str) -> list[Token]:
    text = _HTML.sub(" ", _QUOTE.sub("", _STRUCK.sub(" ", text)))
    text = _TILDE.sub("? ", _LONE_STAR.sub(r"\1^", text))
    text = _MARKUP.sub(" ", _SPACING.sub(" ", _WRAPPER.sub(" ", text)))
    text = _EMPHASIS.sub("", _STARS.sub("", text))
    text = _SEAM.sub(" ", text)
    if not text.isascii():
        text = _twins(text)
        for pattern, english in _PHRASES:
            text = pattern.sub(english, text)
    result = []
    glued = False
    for piece in _PIECE.findall(text):
        if piece.isspace() and piece != "\n":
            glued = False
            continue
        kind = "line" if piece == "\n" else "word" if piece[0].isalpha() else "mark"
        low = piece.casefold()
        low = low if low.isascii() and len(low) < 2 else _WORDS.get(low, low)
        result.append(Token("number" if piece[0].isdigit() else kind, piece, low, glued))
        glued = piece != "\n"
    return result


def _twins(text: str) -> str:
    """Latin letters for their look-alikes, unless the text is in that script."""
    runs = _FOREIGN.findall(text)
    if any(len(run) > 1 for run in runs) or ("В" in runs and not _LATIN.search(text)):
        return text
    return _FOREIGN.sub(lambda run: _TWINS.get(run[0], run[0]), text)


__all__ = ["Token", "block", "clean", "first_turn", "spoken", "tokens"]
