"""The published rule of POPE, under which everything that does not say no says yes."""

from __future__ import annotations

from harness.scoring.policy import Grade, Item
from harness.types import Answer

_NO = {"No", "not", "no"}


def pope_official(item: Item, text: str) -> Grade:
    """Grade one answer as POPE's own script does.

    Parameters
    ----------
    item : of kind yesno; its gold is "yes" or "no".
    text : the raw answer.

    Returns
    -------
    Grade
        Of the text before the first full stop, without its commas and split at spaces: "no" when
        one of the words is "No", "no" or "not", else "yes". Nothing is ever unreadable: an empty
        answer, an error text and "NO" in capitals are all "yes".

    References
    ----------
    Y. Li et al., "Evaluating Object Hallucination in Large Vision-Language Models" (2023).
    """
    sentence = text.partition(".")[0]
    no = not _NO.isdisjoint(sentence.replace(",", "").split(" "))
    return Grade(
        answer=Answer(
            value="no" if no else "yes", rule="says_no" if no else "else_yes",
            span=(0, len(sentence)),
        ),
        outcome="answered",
        correct=item.gold == ("no" if no else "yes"),
        compared="yesno",
    )  # fmt: skip


__all__ = ["pope_official"]
