"""RewardLens: its reader of a preference, A or B, and its rule that unread rows do not count."""

from __future__ import annotations

import re
from dataclasses import replace

from harness.scoring.letters.margin import margin
from harness.scoring.policy import Grade, Item, Policy
from harness.types import Answer

_EXACT = re.compile(r"\s*+([AB])\s*+", re.IGNORECASE)
_CUE = re.compile(r"\b(?:answer|preference|choice)\s*+:\s*+([AB])\b", re.IGNORECASE)
_LEADING = re.compile(r"\s*+([AB])(?![^\W\d_])")
_ALONE = re.compile(r"\b([AB])\b", re.IGNORECASE)


def rewardlens(item: Item, text: str) -> Grade:
    """Grade one judge's reply as RewardLens did; a reply without a preference is not counted.

    Parameters
    ----------
    item : its gold is "A" or "B".
    text : the raw reply.

    Returns
    -------
    Grade
        Two scores of a reward model are read by their margin, and a tie is no preference. Of
        prose the preference is the whole text; else the letter after "answer:", "preference:" or
        "choice:"; else a capital first letter that no other letter follows; else the only A or B
        that stands alone. That last rule takes either case, so an English article is a
        preference: "It is a red cube" is read as A. Otherwise the outcome is review and `counted`
        is False.

    References
    ----------
    RewardLens, the parser of its judges' replies.
    """
    answer = _read(text)
    return _uncounted(
        Grade(
            answer=answer,
            outcome="review" if answer.value is None else "answered",
            correct=answer.value is not None and answer.value == item.gold,
            compared="letter",
        )
    )


def drop_unparsed(policy: Policy) -> Policy:
    """Make a policy that leaves rows without a readable answer out of every denominator.

    Parameters
    ----------
    policy : any policy; its answers and verdicts stay as they are.

    Returns
    -------
    Policy
        The same with `counted` False where the outcome is not `answered`.
    """

    def dropping(item: Item, text: str) -> Grade:
        return _uncounted(policy(item, text))

    return dropping


def _uncounted(grade: Grade) -> Grade:
    return grade if grade.outcome == "answered" else replace(grade, counted=False)


def _read(text: str) -> Answer:
    if (scored := margin(text)) is not None:
        return scored
    for rule, match in (
        ("exact", _EXACT.fullmatch(text)),
        ("cue", _CUE.search(text)),
        ("leading_letter", _LEADING.match(text)),
    ):
        if match:
            return Answer(value=match[1].upper(), rule=rule, span=match.span(1))
    first = _ALONE.search(text)
    if first is None:
        return Answer(value=None, rule="no_letter")
    if _ALONE.search(text, first.end()):
        return Answer(value=None, rule="several_letters")
    return Answer(value=first[1].upper(), rule="only_letter", span=first.span(1))


__all__ = ["drop_unparsed", "rewardlens"]
