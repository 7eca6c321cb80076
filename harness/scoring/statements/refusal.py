"""Responses that decline to answer."""

from __future__ import annotations

import re

from harness.scoring.statements.text import normalise, unmarked
from harness.scoring.statements.thinking import spoken

_ACT = (
    r"(?:help|assist|answer|respond|reply|comply|fulfil\w*|provide|give|share|offer|disclose"
    r"|discuss"
    r"|engage|participate|complete|continue|proceed|support|do\s+(?:that|this|so)|process"
    r"|identify|recogni[sz]e"
    r"|analy[sz]e|interpret|evaluate|view|access|open|display|describe|diagnose|choose|select"
    r"|make\s+(?:that|this)"
    r"|see\s+(?:the\s+|this\s+|that\s+|any\s+|your\s+)?(?:image|picture|photo|attachment|figure)s?)"
)
_CANNOT = (
    r"(?:can't|cannot|can\s+not|won't|will\s+not|couldn't|could\s+not|(?:am|'m)\s+(?:unable"
    r"|not\s+able)\s+to"
    r"|(?:am|'m)\s+not\s+(?:allowed|permitted|comfortable)(?:\s+to|\s+with)?|must\s+decline\s+to"
    r"|decline\s+to"
    r"|have\s+to\s+decline\s+to|refuse\s+to|do\s+not\s+feel\s+comfortable"
    r"|don't\s+feel\s+comfortable)"
)
_DECLINES = re.compile(
    rf"\bI\s*{_CANNOT}\s+(?:\w+ly\s+)?{_ACT}\w*\b"
    r"|\bI\s+(?:must|have\s+to|will|need\s+to)?\s*(?:respectfully\s+|politely\s+)?decline\b"
    r"|\bas\s+an?\s+(?:AI|artificial\s+intelligence|(?:large\s+)?language\s+model)\b[^.\n]{0,80}"
    r"\b(?:can't|cannot|unable|not\s+able|don't\s+have\s+the\s+ability)\b"
    r"|\bthis\s+(?:request|content|question)\s+(?:violates|goes\s+against)\b"
    r"|\bagainst\s+my\s+(?:guidelines|policy)\b"
    r"|(?:抱歉|对不起|對不起|很遗憾)[^。\n]{0,30}(?:无法|無法|不能|没法|没办法|不便|不可以)"
    r"|作为(?:一个|一名)?(?:AI|人工智能|语言模型|大模型)[^。\n]{0,40}(?:无法|不能)"
    r"|^\s*我?(?:无法|不能)(?:回答|提供|协助|帮助|处理|满足|完成|讨论|识别)"
    r"|申し訳[^。\n]{0,40}(?:できません|できかねます|いたしかねます)|お答えできません"
    r"|죄송[^\n]{0,40}(?:없습니다|어렵습니다|없어요)"
    r"|(?:désolée?|je\s+regrette)[^.\n]{0,40}\bne\s+(?:peux|puis)\s+pas"
    r"|(?:tut\s+mir\s+leid|entschuldigung)[^.\n]{0,40}\bkann\b[^.\n]{0,40}\bnicht\b"
    r"|lo\s+siento[^.\n]{0,40}\bno\s+puedo|(?:desculpe|lamento"
    r"|sinto\s+muito)[^.\n]{0,40}\bnão\s+posso"
    r"|mi\s+dispiace[^.\n]{0,40}\bnon\s+posso"
    r"|(?:извините|простите|к\s+сожалению)[^.\n]{0,40}\bне\s+могу",
    re.IGNORECASE,
)
# Not to know is no refusal: such an answer is for review.
_UNDECIDED = re.compile(
    r"[^.\n。]{0,40}(?:\bdetermin\w*|\bbe\s+determined|\btell\b|\bdecide\b|\bcertain|\bconclu\w*"
    r"|确定|判断"
    r"|определить|bestimmen|déterminer|判断)",
    re.IGNORECASE,
)
_HEAD_CHARS = 300


def refused(text: str) -> bool:
    """Whether a response from which no answer was read declines to give one.

    Only what stands at its beginning counts, and only a plain refusal: "it cannot be
    determined" and "there is no image" leave a person to look at the response.

    Parameters
    ----------
    text : the raw response.

    Returns
    -------
    bool
        False for an empty text, and for one that is only thinking.

    Examples
    --------
    >>> refused("I'm sorry, I can't assist with that."), refused("I can't see any dog, so no.")
    (True, False)
    """
    copy, _ = spoken(unmarked(normalise(text[: 40 * _HEAD_CHARS])))
    head = copy.text.strip()[:_HEAD_CHARS]
    found = _DECLINES.search(head)
    if not found:
        return False
    return not _UNDECIDED.match(head, max(found.start(), found.end() - 12))


__all__ = ["refused"]
