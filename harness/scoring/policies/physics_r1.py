"""Physics-R1's scorings: MATCH, and the strict and liberal rules of its olympiad judge.

The liberal rule needs another model's reply: `liberal_prompt` says what to ask and
`liberal_verdict` reads the answer. The policy `physics_r1_liberal` is what that judge comes to
without a model, in the way of its third version: every box, or a few statements near the end
where there is none, against each part of the gold within 2 %.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from harness.scoring.judge_parse import parse_verdict
from harness.scoring.policies.physics_match import (
    boxes,
    extract_boxed,
    extract_letter,
    is_letter,
    match,
    match_single,
    split_parts,
)
from harness.scoring.policy import Grade, Item
from harness.types import Answer

TAIL = 600
MAX_GOLD = 3000
MAX_CANDIDATES = 8
MAX_CANDIDATE = 120
LIBERAL_TOLERANCE = 0.02
# Boxes beyond these are not looked at, so that a response made of boxes costs no more than another.
MAX_BOXES = 64
MAX_BOX = 4096

_THOUGHT = re.compile(r"</think>", re.IGNORECASE)
_WRAP = re.compile(r"\\text\s*+\{([^{}]*+)\}")
_DROPPED = re.compile(r"\\[,;:! ]|[\s$]|\\thinspace")
_LETTER_RULES = (
    ("boxed", re.compile(r"\\boxed\{\s*+(?:\\text\{\s*+)?+\(?([A-J])\)?\s*+\}")),
    ("answer_is", re.compile(r"(?i:answer\s*+(?:is|:))[*(\s]*+([A-J])\b")),
    ("closing_bold", re.compile(r"\*\*\(?([A-J])\)?\.?\*\*\.?\s*+\Z")),
    ("closing_letter", re.compile(r"(?<![^\W_])([A-J])\.?\s*+\Z")),
    ("bracketed_letter", re.compile(r"\(([A-J])\)")),
    ("last_letter", re.compile(r"(?<![^\W_])([A-J])(?![^\W_])")),
)
_STATEMENTS = (
    re.compile(r"answer\s*+(?:is|:)\s*+([^\n]++)", re.IGNORECASE),
    re.compile(r"=\s*+([^=\n]++)$", re.MULTILINE),
    re.compile(r"\*\*([^*\n]++)\*\*"),
)


def physics_r1(item: Item, text: str) -> Grade:
    """Grade one response by MATCH, the reward's own comparison.

    Parameters
    ----------
    item : a gold A–D is compared as a letter, every other one with the last box.
    text : the raw response.

    Returns
    -------
    Grade
        Review where there is no box, or no letter for a gold that is one. Numbers match where
        |p − g| / |g| < 1 % or |p − g| < 1e-6; units are ignored.

    References
    ----------
    Physics-R1 (2026), the reward function of its recipe.
    """
    if is_letter(item.gold):
        letter, rule = extract_letter(text)
        answer = Answer(value=letter, rule=rule)
        return _grade(answer, letter == item.gold.strip().upper(), "letter")
    box = extract_boxed(text)
    answer = Answer(value=box or None, rule="boxed" if box else "unboxed")
    return _grade(answer, bool(box) and match(box or "", item.gold), "match")


def physics_r1_strict(item: Item, text: str) -> Grade:
    """Grade one response by the judge's strict rule: some box equals or contains the gold.

    Parameters
    ----------
    item : of kind choice, the letter is read as the study's harness for choices reads it.
    text : the raw response.

    Returns
    -------
    Grade
        The comparison leaves out blanks, `$`, thin spaces, `\\text{}` and case. As published, a
        gold that occurs inside a box counts: gold "2" is right in the box "12".
    """
    if item.kind == "choice":
        return _letter_grade(item, text)
    found = _boxes(text)
    right = [box for box in found if _holds(box, item.gold)]
    value = right[-1] if right else found[-1] if found else None
    return _grade(
        Answer(value=value, rule="any_box" if found else "unboxed"), bool(right), "contains"
    )


def physics_r1_liberal(item: Item, text: str) -> Grade:
    """Grade one response as the judge's third version does where it asks no model.

    Parameters
    ----------
    item : of kind choice, as in `physics_r1_strict`.
    text : the raw response; without a box its last 600 characters are searched for statements.

    Returns
    -------
    Grade
        Right where the strict rule says so, or where every part of the gold equals some box (or
        statement: at most 8, each under 120 characters) as MATCH does, within 2 %.
    """
    strict = physics_r1_strict(item, text)
    if item.kind == "choice" or strict.correct:
        return strict
    found = _boxes(text)
    said = found or _statements(text)
    rule = "any_box" if found else "any_statement" if said else "unboxed"
    parts = [part for _, part in split_parts(item.gold) or [("", item.gold)]]
    right = bool(said) and all(
        any(match_single(piece, part, LIBERAL_TOLERANCE) for piece in _pieces(said))
        for part in parts
    )
    return _grade(Answer(value=said[-1] if said else None, rule=rule), right, "match_2_percent")


def liberal_prompt(question: str, gold: str, text: str) -> str:
    """Give the prompt for a judge that decides as the liberal rule does.

    Parameters
    ----------
    question, gold : of the item; the gold is cut at 3,000 characters.
    text : the response, of which the judge sees all boxes or, without any, the last 600 characters.

    Returns
    -------
    str
        A request for YES or NO; `liberal_verdict` reads the reply.
    """
    found = _boxes(text)
    seen = "\n".join(f"[{n}] {box}" for n, box in enumerate(found, 1)) or text[-TAIL:]
    return (
        "Decide whether a student's final answer agrees with the reference answer.\n"
        "Accept another form or unit of the same result, and numbers within 2 %.\n"
        "Every part that the reference asks for must be there and be right.\n\n"
        f"Problem:\n{question}\n\nReference answer:\n{gold[:MAX_GOLD]}\n\n"
        f"Student's final answer:\n{seen}\n\nReply with one word, YES or NO."
    )


def liberal_verdict(reply: str) -> bool:
    """Read a liberal judge's reply.

    Parameters
    ----------
    reply : the judge's raw text.

    Returns
    -------
    bool
        True for a clear yes. As published, a reply without a verdict is False; ask
        `parse_verdict` where an unreadable reply must not pass for a wrong answer.
    """
    return parse_verdict(reply).value is True


def read_option(text: str, n_choices: int) -> Answer:
    r"""Read a letter as the study's harness for choices does.

    Parameters
    ----------
    text : the raw response; what stands before the last `</think>` is left out.
    n_choices : how many choices the item has; 0 stands for the four of the study.

    Returns
    -------
    Answer
        By the first rule that finds one of the item's letters: the last box, "answer is",
        a bold letter at the end, a letter at the end, "(X)", the last capital that stands alone.
        Where none does, the study wrote X; here the value is None and the rule `x`.
    """
    letters = "ABCDEFGHIJ"[: n_choices or 4]
    start = max((m.end() for m in _THOUGHT.finditer(text)), default=0)
    for rule, pattern in _LETTER_RULES:
        last = None
        for found in pattern.finditer(text, start):
            last = found if found[1].upper() in letters else last
        if last is not None:
            return Answer(value=last[1].upper(), rule=rule, span=last.span(1))
    return Answer(value=None, rule="x")


def _letter_grade(item: Item, text: str) -> Grade:
    answer = read_option(text, len(item.choices))
    return _grade(answer, answer.value == item.gold.strip().upper(), "letter")


def _grade(answer: Answer, right: bool, compared: str) -> Grade:
    read = answer.value is not None
    return Grade(
        answer=answer,
        outcome="answered" if read else "review",
        correct=read and right,
        compared=compared,
    )


def _boxes(text: str) -> list[str]:
    found = [box.strip() for box in boxes(text)[-MAX_BOXES:] if len(box) <= MAX_BOX]
    return [box for box in found if box]


def _holds(box: str, gold: str) -> bool:
    wanted = _bare(gold)
    return bool(wanted) and wanted in _bare(box)


def _bare(text: str) -> str:
    return _DROPPED.sub("", _WRAP.sub(r"\1", text)).lower()


def _statements(text: str) -> list[str]:
    tail = text[-TAIL:]
    found = [(m.start(1), m[1].strip(" .$*")) for p in _STATEMENTS for m in p.finditer(tail)]
    said = [piece for _, piece in sorted(found) if 0 < len(piece) < MAX_CANDIDATE]
    return said[-MAX_CANDIDATES:]


def _pieces(said: Iterable[str]) -> list[str]:
    """Each candidate, and its own parts where it has several."""
    return [p for s in said for p in (s, *(part for _, part in split_parts(s) or ()))]


__all__ = [
    "liberal_prompt", "liberal_verdict", "physics_r1", "physics_r1_liberal", "physics_r1_strict",
    "read_option",
]  # fmt: skip
