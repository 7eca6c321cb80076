"""Words behind a number: what it counts, or words that change it or deny it."""

from __future__ import annotations

import re

from harness.scoring.quantities.number_words import words

_NOT_NOUNS = re.compile(
    r"(?:or|and|to|times|plus|minus|over|divided|multiplied|by|mod|through|until|x|versus|vs"
    r"|trillionth|millionth|billionth|BCE?|folds?|tens|hundredths?|thousandths?|score|gross|lakhs?"
    r"|crores?|grand|out\s+of|in\s+base|pi|no|none|not)\b|[或和与至到]",
    re.IGNORECASE,
)
# A verb that has the number for its subject: "5 leads to a contradiction".
_PREDICATE = re.compile(
    r"(?:squared|cubed|halved|doubled|tripled|quadrupled|inverted|negated|reversed|flipped|factorial"
    r"|(?:sub|ex)tracted|added|increased|decreased|reduced|multiplied|divided|raised)\b"
    r"|[a-z]{3,20}ed\s+(?:by|from|to|with|into|out)\b"
    r"|[a-z]{3,20}s\s+(?:no|the|this|that|out|it|us|impossible)\b|turn(?:s|ed)\s+out\b|(?:gets?|got)\b"
    r"|(?:leads|gives|yields|makes|results|contradicts|violates|breaks|produces|satisfies|works|does"
    r"|has|follows|goes|comes|looks|sounds|appears|exceeds|fits|means|implies|causes|requires|needs)\b",
    re.IGNORECASE,
)
# A clause goes on, which may take the number back or bound it.
_CLAUSE = re.compile(
    r"\b(?:if|unless|when|only|or|but|not|is|are|was|were|because|since|so|which|that|than|more|less"
    r"|fewer|at\s+most|at\s+least|would|could|might|must|cannot|shall|should|fails?|failed"
    r"|seems?|turned|rejected|excluded|impossible|invalid|mistaken|untrue|wrong|incorrect|plus|minus|times|max(?:imum)?|min(?:imum)?"
    r"|naive|corrected)\b|n't\b|或",
    re.IGNORECASE,
)
_NOUN = re.compile(
    r"(?:[^\W\d_][^\W\d_'-]+|[\u4e00-\u9fff])(?:(?:\s+|/|-|')[^\W\d_'-]+){0,14}"
    r"(?:\s*\([^()\d]{1,40}\))?"
)
_DIRECTED = re.compile(
    r"(?:(?:to|towards?|in|into|out\s+of|due|along)\s+)?(?:the\s+)?[+-]?"
    r"(?:north|south|east|west|left|right|page|paper|screen|plane|[xyz][\s-]?(?:axis|direction))"
    r"(?:ern|ward)?(?:\s+direction)?",
    re.IGNORECASE,
)
_LOOSE_END = re.compile(r"\b(?:of|the|an?|from|by|with|than)\Z", re.IGNORECASE)
_BRACKETED = re.compile(r"[(\[]([^()\[\]]*)[)\]]")


def is_noun(text: str) -> bool:
    """Whether words after a quantity only say of what it is one.

    Parameters
    ----------
    text : what follows a number or its unit; brackets round the whole do not count.

    Returns
    -------
    bool
        False for a second number, a verb, a clause and words that multiply or divide, and for
        more than 200 characters.

    Examples
    --------
    >>> is_noun("red balls"), is_noun("[units]"), is_noun("squared"), is_noun("is too much")
    (True, True, False, False)
    """
    bracketed = _BRACKETED.fullmatch(text)
    text = bracketed[1] if bracketed else text
    if _DIRECTED.fullmatch(text):
        return True
    if len(text) > 200 or not _NOUN.fullmatch(text):
        return False
    if (
        _NOT_NOUNS.match(text)
        or _PREDICATE.match(text)
        or _CLAUSE.search(text)
        or _LOOSE_END.search(text)
    ):
        return False
    return not any(
        word.lower() not in ("one", "a", "second", "third", "half", "quarter") and words(word)
        for word in re.split(r"[\s,/-]+", text)
    )


__all__ = ["is_noun"]
