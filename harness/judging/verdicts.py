r"""One answer under the two readings of a judged benchmark: strict by text, liberal by a judge."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from harness.errors import DataError
from harness.scoring.judge_parse import parse_verdict
from harness.scoring.policies.physics_match import boxes

STRICT_RULES = ("equal", "contains")
UNDECIDED = ("keep", "wrong")
NOT_JUDGEABLE, NOT_ASKED = "gold_not_judgeable", "not_asked"
_WRAPPED = re.compile(r"\\(?:text|mathrm)\{([^{}]*)\}")
_SPACES = re.compile(r"\\[,;:! ]|[\s$\u2009\u200a\u202f]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Judged:
    """One answer: `strict`, and `liberal`, which is None while undecided.

    `rule` says where the liberal verdict comes from: "strict" where the judge was not needed,
    else the form of the reply (`harness.scoring.judge_parse`), or why there is no verdict.
    """

    id: str
    strict: bool
    liberal: bool | None
    rule: str


def strict_match(text: str, gold: str, rule: str = "equal") -> bool:
    r"""Say whether one of a response's boxes holds the gold, letter by letter.

    Parameters
    ----------
    text : the raw response. Every closed `\boxed{…}` counts, not the last alone.
    gold : the gold answer; blank matches nothing.
    rule : "equal", or "contains", the published rule, under which a box that merely holds the
        gold somewhere is right as well: gold "2" is then in a box with "12".

    Returns
    -------
    bool
        After `\text{}` and `\mathrm{}`, blanks, thin spaces and `$` are taken away and case is
        folded. False without a box. No number is compared by value and no unit converted.

    Raises
    ------
    DataError
        For another rule.

    References
    ----------
    Physics-R1 (2026), judge_olympiad, whose strict reading is "contains".

    Examples
    --------
    >>> said = r"so \boxed{12 \text{ m}}"
    >>> strict_match(said, "12m"), strict_match(said, "2"), strict_match(said, "2", "contains")
    (True, False, True)
    """
    if rule not in STRICT_RULES:
        raise DataError(f"strict_match: expected a rule of {STRICT_RULES}, found {rule!r}")
    wanted = _plain(gold)
    if not wanted:
        return False
    found = [_plain(box) for box in boxes(text)]
    return any(wanted == box or (rule == "contains" and wanted in box) for box in found)


def judged(
    example_id: str,
    strict: bool,
    reply: str | None,
    *,
    judgeable: bool = True,
    undecided: str = "keep",
) -> Judged:
    """Join the strict reading of an answer with a judge's reply.

    Parameters
    ----------
    example_id : what was asked.
    strict : the strict reading. A strict match is liberally right without a judge.
    reply : the judge's raw reply; None where it was not asked.
    judgeable : whether the gold is an answer at all: marking schemes, administrative notes and
        figures alone are none, and no judge can decide by them.
    undecided : "keep" leaves such an answer undecided; "wrong" counts it as wrong, as published,
        and keeps the reason in `rule`.

    Returns
    -------
    Judged
        `liberal` True or False where the reply holds one verdict of right or wrong, else None
        (or False under "wrong"): an error text, a refusal, prose and "A" are no verdict.

    Raises
    ------
    DataError
        For another policy.

    References
    ----------
    Physics-R1 (2026), judge_olympiad: strict match first; an unparsable verdict is false.

    Examples
    --------
    >>> judged("q1", False, "Verdict: correct").liberal
    True
    >>> judged("q2", False, "[ERROR] 429").liberal is None
    True
    >>> judged("q2", False, "[ERROR] 429", undecided="wrong")
    Judged(id='q2', strict=False, liberal=False, rule='error_text')
    """
    if undecided not in UNDECIDED:
        raise DataError(f"judged: expected undecided as one of {UNDECIDED}, found {undecided!r}")
    verdict: bool | None
    if strict:
        return Judged(id=example_id, strict=True, liberal=True, rule="strict")
    if not judgeable:
        verdict, rule = None, NOT_JUDGEABLE
    elif reply is None:
        verdict, rule = None, NOT_ASKED
    else:
        read = parse_verdict(reply)
        verdict = read.value if isinstance(read.value, bool) else None
        rule = read.rule if verdict is not None or read.value is None else f"{read.rule}:no_truth"
    if verdict is None and undecided == "wrong":
        verdict = False
    return Judged(id=example_id, strict=False, liberal=verdict, rule=rule)


def all_parts(parts: Sequence[bool | None]) -> bool | None:
    """Judge a problem by its sub-parts: right when every part is right.

    Parameters
    ----------
    parts : the verdict of each part, None where undecided.

    Returns
    -------
    bool or None
        False as soon as one part is wrong, also beside undecided ones; None where parts are
        undecided and none is wrong; True only where all are right.

    Raises
    ------
    DataError
        For a problem without parts: it would be right for nothing.

    References
    ----------
    S. C. Kleene, Introduction to Metamathematics (1952), § 64: the strong conjunction. PhysReason
    as Physics-R1 (2026) scores it: AND over the sub-questions.

    Examples
    --------
    >>> all_parts([True, False, None]), all_parts([True, None]), all_parts([True, True])
    (False, None, True)
    """
    if not parts:
        raise DataError("all_parts: expected at least one part, found none; check the gold")
    if any(part is False for part in parts):
        return False
    return None if any(part is None for part in parts) else True


def _plain(text: str) -> str:
    return _SPACES.sub("", _WRAPPED.sub(r"\1", text)).casefold()


__all__ = [
    "NOT_ASKED",
    "NOT_JUDGEABLE",
    "STRICT_RULES",
    "UNDECIDED",
    "Judged",
    "all_parts",
    "judged",
    "strict_match",
]
