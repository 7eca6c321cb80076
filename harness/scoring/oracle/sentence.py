"""The oracle's sentences: what kind of sentence a claim stands in, and what takes it back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.scoring.oracle.text import Token

REACH = 60
ENDS = {".", "!", "?", ";"}
NEGATIVE = {
    *("not", "never", "no", "neither", "nor", "cannot", "doubt", "doubtful", "deny", "false"),
    *("untrue", "wrong", "incorrect", "unlikely", "hardly", "impossible", "without", "none"),
    *("rule", "stretch", "chance", "refuse", "disagree", "myth", "nothing", "mistake", "nobody"),
    *("dispute",),
    *("opposite", "mistaken", "reject", "eliminate", "exclude", "anything", "except"),
}
_CONDITION = {
    *("if", "unless", "suppose", "supposing", "assuming", "assume", "whether", "imagine", "were"),
    *("might", "may", "could", "wenn", "si", "als", "hypothetically", "hope", "pretend", "far"),
    *("perhaps", "maybe", "possibly", "order"),
}
_REPORT = {
    *("says", "said", "claims", "claimed", "thinks", "thought", "believes", "believed", "told"),
    *("argues", "argued", "guessed", "answered", "according", "tempting", "assumed", "suggested"),
    *("initially", "originally", "previously", "earlier", "someone", "people", "students", "you"),
    *("sagt", "dice", "dit", "diz", "hint"),
    *("allegedly", "supposedly", "legend", "states", "reads", "many", "some", "his", "her"),
    *("sample", "instance", "superficial", "careless", "hasty", "naive"),
    *("example", "format", "template", "placeholder", "glance", "prompt"),
    *("student", "friend", "user", "they", "wrote", "chose", "picked", "responded", "stated"),
}
_LOOSE = ("order", "might", "may", "could", "were", "far", "hope", "perhaps", "maybe", "possibly")
_BINDING = {
    *("explain", "prove", "show"),
    *("when", "had", "should", "pretend", "depending", "case", "provided", "were", "se"),
    *("tomorrow",),
}
_OPENINGS = (("in", "case"), ("as", "long"), ("as", "soon"), ("say", "the"), ("let", "the"))
_THUS = (("this", ":"), ("so", ":"))
_SHOWN = {
    *("graph", "figure", "image", "table", "chart", "picture", "diagram", "passage", "text", "map"),
    *("data", "information", "formula", "law", "rule", "theorem", "plot", "legend", "above"),
    *("given",),
}

_DOUBTFUL = (NEGATIVE | _CONDITION | (_REPORT - {"some", "many", "you"})) | {
    *("few", "hardly", "unclear", "unknown", "supposed", "used", "going", "would", "looks", "he"),
    *("believed", "says", "caption", "first", "then", "not", "no", "perhaps", "maybe", "seem"),
}


@dataclass(frozen=True, slots=True)
class Claim:
    """An option as it was claimed at a place: `value` VOID when it is not one option."""

    at: int
    end: int
    value: str


def context(row: Sequence[Token], i: int, end: int) -> str:
    """What kind of sentence holds the claim whose cue is token `i`."""
    for k in range(end, min(len(row), end + REACH)):
        if row[k].text == "?":
            return "question"
        if row[k].kind == "line" or row[k].text in ENDS:
            break
    first = _start(row, i)
    pair = (row[first].low, row[first + 1].low if first + 1 < len(row) else "")
    if i - REACH < first < i and pair[1] != "not" and pair[0] in ("is", "does", "could"):
        return "question"
    compared = pair[0] == "for" and any(t.text in "<>=" for t in row[first:i])
    if (first < i and pair[0] in _BINDING) or pair in _OPENINGS or compared:
        return "condition"
    clause = True
    for k in range(i - 1, max(-1, i - REACH), -1):
        token = row[k]
        if token.text == "." and k > 2 and (row[k - 3].low, row[k - 1].low) == ("e", "g"):
            return "report"
        if token.text in ENDS and not (token.text == "." and k + 1 < i and row[k + 1].glued):
            break
        if token.kind == "line":
            break
        low = token.low
        if low in ("so", "therefore", "thus", "hence", "but", ",", ":", "because"):
            clause = False
        if low in _CONDITION and (clause or low not in _LOOSE):
            return "condition"
        if low == "according":
            return "statement" if {t.low for t in row[k : k + 5]} & _SHOWN else "report"
        if (low in ("say", "think") and _others(row, k)) or _shows(row, k):
            return "report"
        if low in _REPORT and not (low == "you" and not clause):
            return "report"
        if clause and (low in NEGATIVE or low.endswith("n't")):
            return "denial"
        if low in ("first", "previous", "initial") and clause:
            return "report"
    return "statement"


def _shows(row: Sequence[Token], k: int) -> bool:
    """Whether a pattern is shown: "e.g.", "like this:"."""
    after = tuple(t.low for t in row[k + 1 : k + 3])
    return (row[k].low == "e" and after == (".", "g")) or (
        row[k].low in ("like", "form") and (after[:1] == (":",) or after in _THUS)
    )


def _others(row: Sequence[Token], k: int) -> bool:
    """Whether somebody else would say it, or the writer no longer does."""
    if k > 1 and row[k - 1].low == "to" and row[k - 2].low == "used":
        return True
    return k > 1 and row[k - 1].low == "would" and row[k - 2].low not in ("i", "we")


def doubtful(line: Sequence[Token]) -> bool:
    """Whether a sentence denies, supposes or reports, anywhere."""
    words = {token.low for token in line}
    return bool(words & _DOUBTFUL) or any(word.endswith("n't") for word in words)


def _start(row: Sequence[Token], i: int) -> int:
    k = i
    while k and i - k < REACH and row[k - 1].kind != "line" and row[k - 1].text not in ENDS:
        k -= 1
    return k


__all__ = ["ENDS", "NEGATIVE", "REACH", "Claim", "context", "doubtful"]
