"""A "yes" or "no" that replies to the prompt's wording instead of answering the question."""

from __future__ import annotations

import re

_PICTURE = (
    r"(?:(?:the|this|that|any|your|an?)\s+)?(?:image|picture|photo|file|attachment|figure|video)s?"
)
_OFFER = re.compile(
    r"[\s,.!、。]*(?:(?:of\s+course|sure|certainly|I'm\s+sorry|sorry|unfortunately|but),?\s+)?(?:"
    r"(?:I|we)\s+(?:can|could|will|would\s+be)\s+(?:\w+\s+){0,2}(?:help|assist|do\s+that|describe"
    r"|process|analy[sz]e)\b"
    r"|please\b(?!\s+(?:note|see|notice))|(?:could|can|would)\s+you\s+please\b"
    r"|let\s+me\s+(?:take\s+a\s+(?:closer\s+)?look|look|check|see|know|think)\b"
    r"|(?:what|how)\s+(?:would|can|may|do)\s+(?:you|I)\b"
    r"|I(?:'d|\s+would)\s+be\s+(?:happy|glad|able|pleased)\b|I(?:'m|\s+am)\s+(?:happy|glad|ready"
    r"|here)\b"
    r"|I\s+(?:understand(?=\s*[.,!]|\s+(?:the|your|what|how|that\s+you)\b)"
    r"|see\s+the\s+(?:question|problem))\b"
    rf"|I\s+can\s+see\s+{_PICTURE}\s*[.!]"
    r"|as\s+an?\s+(?:AI|artificial|(?:large\s+)?language|assistant)\b"
    r"|I(?:'m|\s+am)\s+(?:sorry|unable|not\s+able)\b"
    r"|I\s+(?:can(?:no|')t|can\s+not|couldn't|could\s+not|don't"
    r"|do\s+not)\s+(?:\w+ly\s+)?(?:answer|tell"
    rf"|say|know|help|assist|provide|determine|process|(?:see|view|access"
    rf"|open)\s+{_PICTURE}\s*(?:[.,!]|$))"
    r"|bitte\b|das\s+kann\s+ich\s+nicht\b|ich\s+kann\s+(?:das|es|diese\s+frage)\s+nicht\b"
    r"|(?:por\s+favor|veuillez|s'il\s+vous\s+pla[iî]t)\b"
    r"|(?:我)?(?:明白|知道了|理解|请|可以帮)|알겠습니다|이해했습니다|[わ分]かりました|承知)",
    re.IGNORECASE,
)
_CROSSED = re.compile(r"\s?[❌✗✘]")


def unanswering(text: str, end: int, value: str) -> bool:
    """Whether the words after a yes or no that ends at a place offer help, ask or excuse.

    "Yes, I can see the image." and "No, I can't answer that." say nothing of the question;
    "No, I can't see any dog." does. A crossed-out "yes" says nothing either.
    """
    if value == "yes" and _CROSSED.match(text, end):
        return True
    return bool(_OFFER.match(text, end))


__all__ = ["unanswering"]
