"""The answer to a question for a few words, and whether it is the gold's."""

from __future__ import annotations

import re
import unicodedata

from harness.scoring.comparison import Comparison
from harness.scoring.free.dates import clock, date
from harness.scoring.quantities import number
from harness.scoring.quantities.quantity import Quantity, quantity
from harness.scoring.quantities.unit_names import names
from harness.scoring.statements.passage import find
from harness.scoring.statements.regions import Span, prose_cut, trimmed, unsure
from harness.scoring.statements.text import normalise
from harness.types import Answer

_BARE_WORDS, _BARE_CHARS, _LINE_WORDS, _STATED_CHARS = 12, 120, 4, 300
_QUOTES = "\"'“”‘’«»「」『』"
_WRAPPER = re.compile(
    r"\\(?:text(?:bf|it|rm|sf)?|math(?:rm|bf|it|sf)|mbox|ce)\s*(?=\{)|\\[,;! ]|\\?[{}$]"
)
_LEAD = re.compile(
    r"(?:(?:therefore|thus|hence|so)[,:]?\s+)?(?:(?:it|this|that|there|he|she|they|these|those)(?:\s+(?:is|are|was|were)|'s|'re)"
    r"|(?:the\s+)?(?:correct\s+|final\s+)?answer(?:\s+is|:)|i(?:\s+would|'d)?\s+(?:see|say|think|believe|guess)(?:\s+(?:it\s+is|it's))?)\s+(?=\S)",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"(?:the|an?)\s+(?=\S)", re.IGNORECASE)
_VERB = re.compile(r"\b(?:is|are|was|were|be|called|named)\s+", re.IGNORECASE)
_MIXED = re.compile(r"(?=[^\s]*[A-Z])(?=[^\s]*\d)[A-Za-z\d+\-()_^]{2,20}")
_ELEMENTS = re.compile(r"(?=.*[A-Z].*[A-Z])(?:[A-Z][a-z]?\d*){2,12}|[A-Z][a-z]")
_SUBSCRIPT = re.compile(r"(?<=[A-Za-z)\d])_(?=\d)")
_LOWERED = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_BULLET = re.compile(r"[#>•+*-]+\s+(?=\S)")
_HYPHEN = re.compile(r"(?<=\w)-(?=\w)")
_NO_LETTER = re.compile(r"[^\w^+-]|_|(?<=\w)-(?=\w)")
# A charge of one: "Na⁺".
_CHARGE = re.compile(r"(?<![⁰¹²³⁴⁵⁶⁷⁸⁹])[⁺⁻](?![⁰¹²³⁴⁵⁶⁷⁸⁹])")
# One spelling for words that are spelled in two ways.
_SPELLINGS = tuple(
    (re.compile(pattern), new)
    for pattern, new in (
        (r"\bgrey", "gray"),
        (r"(?<=[a-z]{2})our(?=s?\b|ed\b|ful)", "or"),
        (r"(?<=[a-z][bct])re\b", "er"),
        (r"(?<=[a-z]{2})is(?=e[sd]?\b|ing\b|ation)", "iz"),
        (r"\baluminium\b", "aluminum"),
        (r"\bsulph", "sulf"),
        (r"(?<=[a-z])ll(?=ed\b|ing\b)", "l"),
        (r"ae|oe", "e"),
    )
)
_CUT_OFF = re.compile(
    r"(?:an?|the|of|to|in|on|at|is|are|that|not|and|or|for|with|from|by|very|most|it|this)", re.I
)
_REASON = re.compile(r",?\s+(?:because|since|as)\s+\S+\s+\S+", re.I)
_RAISED = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+")
_NOT_WORD = re.compile(r"[^\w]+")
_NO_END = re.compile(r"[.!?:;。！？…]\s*$")


def wording(text: str) -> Answer:
    """Read an answer in words.

    Where it may stand is what `harness.scoring.statements.passage` says. A whole reply of one
    line counts up to 12 words, unless it declines, doubts or asks; longer prose without a
    statement of its answer is left for review.

    Parameters
    ----------
    text : the raw response.

    Returns
    -------
    Answer
        `value` is the answer as it stands, without delimiters, wrappers and end marks.

    Examples
    --------
    >>> wording("Final answer: **a stop sign**").value
    'a stop sign'
    """
    return find(text, _read)


def compare(answer: str, gold: str) -> Comparison:
    """Hold an answer in words against the gold: the whole of it, never a part.

    Case, spaces, quotes, end marks, a leading article and a leading "it is" do not count; case
    does in formulas and identifiers ("H2O", "CO" and "Co"). Numbers, with their units, are
    equal by value and dates by their day. There is no list of synonyms.

    Parameters
    ----------
    answer, gold : as read and as the data set has it.

    Returns
    -------
    Comparison
        `equal` is None where one contains the other as whole words, or differs from it in its
        plural or spelling, in the case of a short formula, or within 1 % of a decimal number:
        a person must look at those.
    """
    if answer.strip() and answer.strip() == gold.strip():
        return Comparison(True, "identical")
    given, wanted = _shown(answer), _shown(gold)
    forms, golds = _forms(given), _forms(wanted)
    if forms & golds:
        return _of_case(given, wanted)
    days = date(given), date(wanted)
    if days[0] and days[1]:
        return Comparison(days[0] == days[1], "date")
    times = clock(given), clock(wanted)
    if times[0] and times[1]:
        said = times[0][2] and times[1][2] and times[0][2] != times[1][2]
        return Comparison(times[0][:2] == times[1][:2] and not said, "time")
    numbers = quantity(given), quantity(wanted)
    if numbers[0] and numbers[1]:
        return _of_numbers(given, wanted, numbers[0], numbers[1])
    longest, other = max(forms, key=len), max(golds, key=len)
    if _within(min(golds, key=len), longest) or _within(min(forms, key=len), other):
        return Comparison(None, "contains")
    if any(
        {f"{a}s", f"{a}es"} & golds or {f"{b}s", f"{b}es"} & forms for a in forms for b in golds
    ):
        return Comparison(None, "plural")
    if _letters(given) == _letters(wanted) != "" or _spelled(given) == _spelled(wanted):
        return Comparison(None, "spelling")
    return Comparison(False, "words")


def _spelled(text: str) -> str:
    text = text.casefold()
    for pattern, new in _SPELLINGS:
        text = pattern.sub(new, text)
    return text


def _letters(text: str) -> str:
    """A text without spaces and punctuation."""
    text = _RAISED.sub(r"^\g<0>", text)
    return _NO_LETTER.sub("", normalise(unicodedata.normalize("NFKC", text)).text.casefold())


def _shown(text: str) -> str:
    text = _WRAPPER.sub("", unicodedata.normalize("NFC", normalise(text[:4_000]).text))
    text = _CHARGE.sub(lambda m: "+" if m.group() == "⁺" else "-", text)
    text = _SUBSCRIPT.sub("", text.translate(_LOWERED))
    return " ".join(text.split()).strip(_QUOTES + " *`").rstrip(" .!,;:。，！").strip(_QUOTES + " ")


def _forms(text: str) -> set[str]:
    """A text folded, as it stands and without what leads it in."""
    bare = _LEAD.sub("", text, count=1) if _LEAD.match(text) else text
    bare = _ARTICLE.sub("", bare, count=1) if _ARTICLE.match(bare) else bare
    return {" ".join(_HYPHEN.sub(" ", form.casefold()).split()) for form in (text, bare)} - {
        ""
    } or {""}


def _of_case(given: str, wanted: str) -> Comparison:
    if not given:
        return Comparison(None, "empty")
    given, wanted = (_ARTICLE.sub("", _LEAD.sub("", t, count=1), count=1) for t in (given, wanted))
    if given == wanted or " " in wanted:
        return Comparison(True, "words")
    if _MIXED.fullmatch(wanted) or _MIXED.fullmatch(given):
        return Comparison(False, "case")
    if _ELEMENTS.fullmatch(wanted) and _ELEMENTS.fullmatch(given) and not _is_a_word(given, wanted):
        return Comparison(False, "case")
    if (len(wanted) == 2 and wanted.isupper() and given.islower()) or names(given) != names(wanted):
        return Comparison(None, "case")
    return Comparison(True, "words")


def _is_a_word(given: str, wanted: str) -> bool:
    """Capitals only at the start, or all along, of three letters and more."""
    return len(wanted) > 2 and all(t.istitle() or t.isupper() for t in (given, wanted))


def _of_numbers(given: str, wanted: str, a: Quantity, b: Quantity) -> Comparison:
    result = number.compare(given, wanted, exact=True)
    if (a.noun or b.noun) and result.equal:
        return Comparison(None, "counted_words")
    if result.equal is not False or a.noun or b.noun or "." not in wanted:
        return result
    near = number.compare(given, wanted)
    return Comparison(None, "near") if near.equal else result


def _within(part: str, whole: str) -> bool:
    whole, part = (f" {' '.join(_NOT_WORD.split(text))} " for text in (whole, part))
    return len(part) > 3 and part in whole


def _read(body: str, start: int, end: int, how: str) -> Span | str | None:
    if how in ("answer_block", "boxed"):
        return trimmed(body, start, end)
    if how == "concluded":
        verbs = list(_VERB.finditer(body, start, end))
        if not verbs:
            return None
        start = verbs[-1].end()
    bullet = _BULLET.match(body, start, end)
    start = bullet.end() if bullet else start
    stop = prose_cut(body, start, end)
    region = trimmed(body, start, stop)
    if region is None:
        return None
    text = body[slice(*region)]
    n_words = len(text.split())
    if re.search(r"\bor\b|或", text) and n_words <= _BARE_WORDS:
        return "several"
    if "\\boxed" in text:
        return None
    if how == "final_phrase":
        if _CUT_OFF.fullmatch(text) and not body[region[1] :].strip(" \n*"):
            return "cut_off"
        return region if len(text) <= _STATED_CHARS and "?" not in body[stop : stop + 1] else None
    if unsure(body[start:end]) or len(text) > _BARE_CHARS:
        return None
    if how == "bare":
        if n_words <= _LINE_WORDS and _REASON.match(body, stop, end):
            return region
        return region if n_words <= _BARE_WORDS and not body[stop:end].strip(" .!。\n*") else None
    if how == "concluded":
        return region if n_words <= 2 * _LINE_WORDS else None
    return region if n_words <= _LINE_WORDS and not _NO_END.search(body[start:end]) else None


__all__ = ["compare", "wording"]
