"""Whether a line that holds nothing but an answer stands on its own or ends another sentence."""

from __future__ import annotations

import re

# A line that announces what stands under it. A bare colon does not: "Wrong:", "Visible:".
_HEADING = re.compile(
    r"\b(?:answers?|choice|option|choose|pick|select(?:ion|ed)?|response|guess|conclusion|conclude"
    r"|verdict|decision|output|result|therefore|thus|hence|so|final(?:ly)?|solution|assistant|model"
    r"|summary|short)\b|答|选|選|正解|답",
    re.IGNORECASE,
)
# A line that ends with one of these goes on in the next.
_GOES_ON = re.compile(
    r"\b(?:an?|the|is|are|was|were|be|been|not|no|nor|or|and|but|of|to|in|on|at|by|for|from|with"
    r"|than|between|called|named|labell?ed|letter|word|point|part|degrees?|option|choice|number"
    r"|exclude|excluded|eliminate|reject|out|except|n't|isn't|wasn't|say|says|said|reads|shows"
    r"|answer|war|vitamin|hepatitis|type|class|figure|panel|section|version|appendix|grade)\s*$",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"\b(?:not|no|never|neither|nor|wrong|incorrect|false|exclud\w+|eliminat\w+|reject\w*"
    r"|rul\w+\s+out"
    r"|possible|following|visible|shown|given|opposite|everything|everyone|some|says?|said|reads?"
    r"|question|asks?|if|would|could|might|choices|options|labels|which)\b|n't\b|\?",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"(?:(?:kind|best|warm|many)\s+)?(?:regards|wishes|thanks)|sincerely(?:\s+yours)?|best|cheers"
    r"|yours(?:\s+\w+)?|thanks(?:\s+a\s+lot)?|thank\s+you|love",
    re.IGNORECASE,
)
_LABELLED = re.compile(r"[(\[]?[A-Z](?:[)\]][.:]?|[.:])\s+\S")
_ENDED = ".!。…)]}>\"'】」』|"
_LINE_CHARS = 400
_SAME = re.compile(r"\s*(?:because|since|as|due|so|for|but|which|-|\()\b")


def stands_alone(text: str, start: int) -> bool:
    """Whether the line above lets a line that begins at `start` answer by itself.

    Parameters
    ----------
    text : the spoken part of a response, normalised.
    start : where the line's words begin.

    Returns
    -------
    bool
        False where the line above breaks off within a sentence ("The answer is not"), denies,
        lists or reports what follows ("Excluded options:"), asks, or closes a letter
        ("Kind regards,"). True for the first line.
    """
    line_start = text.rfind("\n", 0, start) + 1
    head = text[max(0, line_start - _LINE_CHARS) : line_start].rstrip()
    if not head:
        return True
    above = head[head.rfind("\n") + 1 :].strip(" \t>#-•")
    if text.startswith(above, start):
        return True  # the same line again
    plain = above.rstrip(" ,.!")
    if len(plain) < 24 and _CLOSING.fullmatch(plain):
        return False
    if above[-1:] in ":\uff1a":
        return bool(_HEADING.search(above)) and not _DENIES.search(above)
    if above[-1:] in "?,;":
        return above[-1:] == "?" and text.count("\n", len(head), start) > 0
    if above[-1:] in _ENDED:
        return True
    apart = text.find("\n\n", max(0, line_start - 6), start) >= 0
    if apart and _LABELLED.match(above):
        return True
    if _GOES_ON.search(above):
        return bool(_HEADING.fullmatch(above.split()[-1])) and len(above.split()) <= 2
    if len(above.split()) <= 3:
        return bool(_HEADING.search(above)) and not _DENIES.search(above)
    return apart and not _DENIES.search(above)


def goes_on(text: str, end: int) -> bool:
    """Whether a line that ends at a place goes on in the next: "A\\ntriangle is shown"."""
    following = text[end : end + 60]
    if not following.startswith("\n") or following.startswith("\n\n"):
        return False
    words = following.strip()
    return words[:1].islower() and not _SAME.match(following)


__all__ = ["goes_on", "stands_alone"]
