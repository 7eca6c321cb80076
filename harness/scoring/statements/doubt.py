"""Doubt that a response casts on the answer it has just given, without taking it back in form."""

from __future__ import annotations

import re

from harness.scoring.statements.anchors import DOUBTS, holds, index

# Said in the sentences right after the answer.
_DOUBT = re.compile(
    r"\b(?:this|that|it|which)\s+(?:directly\s+|clearly\s+|also\s+)?(?:contradicts|conflicts\s+with"
    r"|is\s+(?:at\s+odds|inconsistent|in\s+conflict)\s+with|disagrees\s+with)\b"
    r"|\b(?:this|that|it|something)\s+(?:does(?:n't|\s+not)\s+(?:seem|look|feel|sound|add\s+up)"
    r"|do(?:es)?n't\s+(?:fit|match)\b|(?:seems|looks|feels|sounds)\s+(?:off|odd|wrong|strange"
    r"|suspicious|incorrect))"
    r"|\bnot\s+so\s+fast\b|(?:^|[.!?,;\n(])\s*or\s+(?:maybe\s+|perhaps\s+)?not\b\s*(?:[.!?)]|$)"
    r"|\b(?:let\s+me|let's|I\s+(?:need|have|want|ought)\s+to|I\s+(?:should|must|will|'ll))\s+"
    r"(?:just\s+|first\s+|quickly\s+)?(?:double-?check|re-?(?:check|count|examine|consider"
    r"|calculate|compute"
    r"|think|evaluate|assess|visit|do|read|verify)|fix|correct\s+(?:that|this|my)|look\s+again"
    r"|check\s+again|try\s+again|start\s+over|think\s+again)\b"
    r"|\bthen\s+again\b|\bI\s+(?:can(?:no|')t|could(?:n't|\s+not))\s+(?:really\s+)?(?:tell"
    r"|decide)\b"
    r"|\bbut\s+(?:it|this|that|the\s+answer)\s+(?:could|might|may)(?:\s+(?:just\s+as\s+)?well"
    r"|\s+also|\s+equally)?\s+be\b"
    r"|,\s*(?:but|yet|though)\s+(?:it|this|that)\s+(?:fails|is\s+(?:wrong|false|a\s+trap"
    r"|misleading)"
    r"|would\s+be\s+wrong|does(?:n't|\s+not)\s+(?:fit|work|hold|match))\b"
    r"|\bbut\s+I(?:'d|\s+would)\s+also\s+say\b|,\s*or\s+at\s+least\s+I\s+think\b"
    r"|\bso\s+the\s+(?:wrong|false|incorrect)\s+(?:one|option|statement|choice|answer)\b"
    r"|\A[)\]}\"']{0,3},?\s+respectively\b",
    re.IGNORECASE,
)
# "But B is the colour of the lamp": the answer's own letter or text is said of something else.
_OTHERWISE = r"\bbut\s+(?:option\s+|choice\s+)?[(\[]?{}[)\]]?\s+(?:is|was)\b[^.!?\n]{{0,60}}\bnot\b"
_CHARS = 400


def doubted(text: str, end: int, value: str) -> bool:
    """Whether what follows an answer that ends at a place casts doubt on it.

    "The answer is B. However, this contradicts the legend." leaves a person unsure; a reply
    that goes on to name an answer again is read by that later statement.
    """
    if not holds(index(text), DOUBTS, end):
        return False
    tail = text[end : end + _CHARS]
    if _DOUBT.search(tail):
        return True
    return " not" in tail and bool(
        re.search(_OTHERWISE.format(re.escape(value)), tail, re.IGNORECASE)
    )


__all__ = ["doubted"]
