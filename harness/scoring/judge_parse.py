"""What a judge's reply says: a verdict or a score in one of a few strict forms, or nothing.

An error message, a refusal, prose that happens to hold digits, and a reply that says two things
never become a score or a verdict. What stands before the last `</think>` is not the reply.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

MAX_OBJECT = 20_000
MAX_BRACKETS = 64


@dataclass(frozen=True, slots=True)
class JudgeVerdict:
    """A verdict: True (correct), False, "A", "B" or "tie"; None with the reason in `rule`."""

    value: bool | str | None
    rule: str


@dataclass(frozen=True, slots=True)
class JudgeScore:
    """A score on the scale that was asked for; None with the reason in `rule`."""

    value: float | None
    rule: str


_VERDICTS: dict[str, bool | str] = {
    **dict.fromkeys(("correct", "right", "true", "yes", "equivalent", "equal"), True),
    **dict.fromkeys(("incorrect", "wrong", "false", "no", "inequivalent"), False),
    **dict.fromkeys(("not correct", "not equivalent", "not equal"), False),
    "a": "A",
    "b": "B",
    "tie": "tie",
}
_VERDICT_KEYS = ("verdict", "judgement", "judgment", "decision", "correct")
_SCORE_KEYS = ("score", "rating")
_ERROR_KEYS = frozenset({"code", "message", "status", "status_code"})
_LABEL = r"^[ \t>#*_-]*+(?:(?:final|my|the|overall)[ \t]++){0,2}+"
_VERDICT_LINE = re.compile(
    _LABEL + r"(?:verdict|judge?ment|decision)[ \t*_]*+[:=][ \t]*+(?P<said>[^\n]*+)$",
    re.IGNORECASE | re.MULTILINE,
)
_SCORE_LINE = re.compile(
    _LABEL + r"(?:score|rating)[ \t*_]*+[:=][ \t]*+(?P<said>[^\n]*+)$", re.IGNORECASE | re.MULTILINE
)
_BRACKETS = re.compile(r"\[\[([^\[\]\n]{0,20})\]\]")
_LEADING = re.compile(r"[\s*_\"'(]*+(?P<word>[A-Za-z]++)[*_\"')]*+(?=[.,;:!\n]|\s[-–—]|[-–—]\s)")
_WORD = re.compile(r"[A-Za-z']+")
_NUMBER = re.compile(r"([-+]?[0-9]{1,9}(?:\.[0-9]{1,9})?)(?:[ \t]*+/[ \t]*+([0-9]{1,9}))?")
_SIGNS = " \t\r\n*_`\"'.!"
_THINK = re.compile(r"<(/?)think>", re.IGNORECASE)
_OBJECT = re.compile(r"\{\s*+\"")
_ERROR = re.compile(
    r"\W*+(?:(?:\w+[ .])?\w*?(?:error|exception)(?:\W*+[:\]\d(]| code\b)|traceback\b|https?\b"
    r"|[45]\d\d[ :]+[a-z]|status[ _]code|rate[ -]?limit|too many requests|quota\b|bad gateway"
    r"|(?:request|connection|api)\b[^.\n]{0,60}\b(?:fail|exceed|refus|time|invalid|error|reset)"
    r"|(?:service|server|model)\b[^.\n]{0,60}\b(?:unavailable|overloaded)|timed? ?out\b|<!doctype"
    r"|<html)",
    re.IGNORECASE,
)
_OCCURRED = re.compile(r"\b(?:error|exception)s?\b[^.\n]{0,30}\boccurred\b", re.IGNORECASE)
_REFUSAL = re.compile(
    r"\W*+(?:(?:i['’]?m|i am)\b[ \w]{0,20}(?:sorry|unable|not able)|sorry\b|i apologi[sz]e"
    r"|(?:i|we) (?:can(?:['’]?t|not| not)|won['’]?t|will not)(?: be able to)? (?:assist|help|judge"
    r"|assess|evaluate|determine|answer|provide|grade|comply|score|rate|give|see|view|access|verify"
    r"|decide|do)\b|(?:i|we) (?:must )?decline\b|as an ai\b)",
    re.IGNORECASE,
)
_TURNS = frozenset({"but", "however", "wait", "actually", "although", "though", "unless", "unsure"})
_DENIALS = frozenset({"no", "not", "incorrect", "wrong", "false", "different", "cannot", "neither"})
_ASSENTS = frozenset(
    {"yes", "correct", "right", "true", "same", "equal", "equivalent", "match", "matches", "agree"}
)


def parse_verdict(text: str | bytes | None) -> JudgeVerdict:
    """Read a judge's verdict.

    Parameters
    ----------
    text : the raw reply.

    Returns
    -------
    JudgeVerdict
        From, in this order: one JSON object with `verdict` (or judgement, decision; or `correct`
        as true or false), fenced or in prose without other braces; lines "VERDICT: CORRECT";
        "[[A]]", "[[B]]" or "[[C]]" (a tie); the whole reply, or a first word that a mark ends,
        as YES, NO, CORRECT, INCORRECT, TRUE or FALSE, and the whole reply as A, B or TIE. All
        places of one form must agree. Everything else is None: an error text, a refusal, prose,
        two objects, a key given twice, NaN, a first word that the rest takes back.

    Examples
    --------
    >>> parse_verdict('{"verdict": "correct"}').value
    True
    >>> parse_verdict("[ERROR] 429 Too Many Requests").value is None
    True
    """
    said, rule = _reply(text)
    if rule:
        return JudgeVerdict(None, rule)
    found, rule = _object(said)
    if found is not None:
        return _agreed((_json_verdict(found[k]) for k in _VERDICT_KEYS if k in found), "json")
    if rule:
        return JudgeVerdict(None, rule)
    if lines := list(_VERDICT_LINE.finditer(said)):
        return _agreed((_stated(line["said"]) for line in lines), "label")
    if marks := _BRACKETS.findall(said):
        ties = {"c": "tie", "tie": "tie", "a": "A", "b": "B"}
        return _agreed((ties.get(m.strip().casefold()) for m in marks), "double_brackets")
    whole = _named(said)
    if whole is not None:
        return JudgeVerdict(whole, "bare")
    return _leading(said)


def parse_score(text: str | bytes | None, low: float, high: float) -> JudgeScore:
    """Read a judge's score.

    Parameters
    ----------
    text : the raw reply.
    low, high : the ends of the scale, both allowed.

    Returns
    -------
    JudgeScore
        From, in this order: the number `score` (or rating) of one JSON object; lines "SCORE: 4" or
        "SCORE: 4/5", whose 5 must be `high`; "[[4]]"; a reply that is one number. All places of
        one form must agree. Everything else is None, above all a number outside the scale, in an
        error message or in prose.

    Raises
    ------
    ValueError
        When the ends of the scale are not finite or not in order.

    Examples
    --------
    >>> parse_score("Score: 4/5", 1, 5).value
    4.0
    >>> parse_score("[ERROR] 429", 0, 1000).value is None
    True
    """
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise ValueError(f"parse_score: expected finite low < high, found {low!r} and {high!r}")
    said, rule = _reply(text)
    if rule:
        return JudgeScore(None, rule)
    found, rule = _object(said)
    if found is not None:
        return _on_scale(
            (_json_number(found[k]) for k in _SCORE_KEYS if k in found), "json", low, high
        )
    if rule:
        return JudgeScore(None, rule)
    if lines := list(_SCORE_LINE.finditer(said)):
        return _on_scale((_number(line["said"], high) for line in lines), "label", low, high)
    if marks := _BRACKETS.findall(said):
        return _on_scale((_number(m, high) for m in marks), "double_brackets", low, high)
    if len(said) > 100 or (whole := _number(said, high)) is None:
        return JudgeScore(None, "prose")
    return _on_scale([whole], "bare", low, high)


def _reply(text: str | bytes | None) -> tuple[str, str]:
    """What follows the judge's thinking, and why it is no reply ("" where it may be one)."""
    if not isinstance(text, str):
        return "", "not_text"
    start = 0
    for tag in _THINK.finditer(text):
        start = tag.end() if tag[1] else start
    said = text[start:]
    if _THINK.search(said):
        return said, "unclosed_thinking"
    if not said.strip():
        return said, "empty"
    if _ERROR.match(text) or _ERROR.match(said) or _OCCURRED.search(said):
        return said, "error_text"
    return said, "refusal" if _REFUSAL.match(said) else ""


def _object(text: str) -> tuple[dict[str, Any] | None, str]:
    """The one JSON object of a reply; or None and why what looks like one is not ("": nothing)."""
    opening = _OBJECT.search(text)
    if opening is None:
        return None, ""
    start, end = opening.start(), text.rfind("}")
    piece = text[start : end + 1]
    if not piece or len(piece) > MAX_OBJECT or piece.count("{") + piece.count("[") > MAX_BRACKETS:
        return None, "no_json_object"
    try:
        found = json.loads(
            piece, object_pairs_hook=_unique, parse_constant=_refused, parse_int=_short
        )
    except (ValueError, RecursionError):
        return None, "no_json_object"
    if found.get("error") or _ERROR_KEYS & found.keys():
        return None, "error_object"
    outside = text[:start] + "\n" + text[end + 1 :]
    if _VERDICT_LINE.search(outside) or _SCORE_LINE.search(outside) or _BRACKETS.search(outside):
        return None, "several_forms"
    return found, ""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = {key.strip().casefold(): value for key, value in pairs}
    if len(found) != len(pairs):
        raise ValueError("a key occurs twice")
    return found


def _refused(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def _short(digits: str) -> int:
    if len(digits) > 20:
        raise ValueError("too long a number")
    return int(digits)


def _json_verdict(value: object) -> bool | str | None:
    if isinstance(value, bool):
        return value
    return _named(value) if isinstance(value, str) else None


def _json_number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _named(text: str) -> bool | str | None:
    word = text[:60].strip(_SIGNS) if len(text) <= 60 else ""
    if word.startswith("[[") and word.endswith("]]"):
        word = word[2:-2].strip()
    return _VERDICTS.get(" ".join(word.casefold().replace("_", " ").split()))


def _number(text: str, high: float) -> float | None:
    word = text.strip(_SIGNS) if len(text) <= 100 else ""
    if word.startswith("[[") and word.endswith("]]"):
        word = word[2:-2].strip()
    match = _NUMBER.fullmatch(word)
    if match is None or (match[2] and float(match[2]) != high):
        return None
    return float(match[1])


def _stated(text: str) -> bool | str | None:
    value = _named(text)
    return _leading(text).value if value is None else value


def _leading(text: str) -> JudgeVerdict:
    first = _LEADING.match(text)
    value = _VERDICTS.get(first["word"].casefold()) if first else None
    if first is None or not isinstance(value, bool):
        return JudgeVerdict(None, "prose")
    rest = {word[0].casefold() for word in _WORD.finditer(text, first.end())}
    denied = not rest.isdisjoint(_DENIALS) or any(word.endswith("n't") for word in rest)
    assented = not rest.isdisjoint(_ASSENTS)
    # "No, it is not correct" assents to nothing, while "No, it is correct" takes the no back.
    back = denied if value else "yes" in rest or (assented and not denied)
    if back or not rest.isdisjoint(_TURNS):
        return JudgeVerdict(None, "taken_back")
    return JudgeVerdict(value, "leading_word")


def _agreed(values: Iterable[bool | str | None], form: str) -> JudgeVerdict:
    distinct = set(values)
    if len(distinct) != 1:
        return JudgeVerdict(None, f"{form}:{'conflict' if distinct else 'no_verdict'}")
    value = distinct.pop()
    return JudgeVerdict(value, form if value is not None else f"{form}:unreadable")


def _on_scale(values: Iterable[float | None], form: str, low: float, high: float) -> JudgeScore:
    distinct = set(values)
    if len(distinct) != 1:
        return JudgeScore(None, f"{form}:{'conflict' if distinct else 'no_score'}")
    value = distinct.pop()
    if value is None:
        return JudgeScore(None, f"{form}:unreadable")
    if not low <= value <= high:
        return JudgeScore(None, f"{form}:out_of_range")
    return JudgeScore(value, form)


__all__ = ["JudgeScore", "JudgeVerdict", "parse_score", "parse_verdict"]
