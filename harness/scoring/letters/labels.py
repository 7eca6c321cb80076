"""How a letter that stands for a choice looks in a text, and what it is not."""

from __future__ import annotations

import re

LABEL = re.compile(r"[\s(\[{\"'<【「]{0,9}([A-Za-z])(?![A-Za-z0-9])(?:\s{0,3}([)\]}\"'>】」]+))?")
GLUED = re.compile(r"[\s(\[{\"']{0,9}([A-Z]{2,10})(?![A-Za-z0-9])")
NOT_A_LABEL = re.compile(
    r"'(?!d[iıuü]r\b|t[iıuü]r\b)[A-Za-z]|-[A-Za-z0-9]|\.(?:[a-z0-9]|[A-Z](?![a-z]))"
    r"|\.{2,9}\s?[A-Z]|[:,][0-9]|:[A-Za-z\\]"
    r"|[\u0300-\u036f♭♯♮]|[)\]}]{0,2}\s?[∪∩⊕∘]"
    r"|\s{0,3}[=^_\\%°+#²³₀-₉<>·×÷±∪∩∧∨→⇒≈≠≤≥∈⊂]|\s{0,3}\|(?!\s*(?:\n|$))"
    r"|[ ]?[-–—][ ]?[A-Z](?![A-Za-z'])(?!\s+[a-z])|,?\s+(?:and\s+)?[IVX]{2,4}\b"
)
# "E. coli" is a name; a sentence that begins in lower case begins with one of these.
ABBREVIATED = re.compile(
    r"\.[ \t]+(?!(?:because|since|as|so|therefore|it|this|that|the|they|there|we|option|answer"
    r"|based|given|explanation|reason|in|an?|if|while|all|none|both|but|and|or|not|no|i"
    r"|you)\b)[a-z]"
)
# An initial's name, unless it is a word that makes a sentence by itself.
NAME = re.compile(
    r"\.[ ](?!(?:Correct|Yes|No|Right|Done|True|False|Thanks?|Indeed|Definitely|Obviously"
    r"|Clearly|Good|Great|Sorry|End|Answer|Explanation|Because|Reason\w*|Final|Sure|Okay|Simple"
    r"|Option|Choice|Note|Hope|Certainly|Hence|Therefore|The|This|That|There"
    r"|These|They|Here|When|While|With|From|For|Since|And|But|Both|All|None|Based|Looking|According"
    r"|However|Let|She|His|Her|Its|Our|You|After)\b)"
    r"((?:[A-Z]\.[ ]){1,3}[A-Z][a-z]+"
    r"|(?:[A-Z][a-z]+[ ]){0,2}[A-Z][a-z]{2,}(?=[.!]?\s*(?:\n|$)|,\s+(?:who|whose)\b))"
)
AND = re.compile(
    r"(?:\s*\([^)\n]{0,40}\))?\s*(?:,?\s*(?:\band/or\b|\band\b|\bor\b|\bund\b|\boder\b|\bet\b"
    r"|\bou\b"
    r"|\by\b|\bo\b|\be\b|\bили\b|\bи\b)|[,;/&、和或及与]|以及|还有|とか?|か|または|또는|와|과|أو|و|\s\+"
    r"|\bas\s+well\s+as\b)\s*"
    r"(?:(?:either|maybe|perhaps|possibly|even|also|option|choice|answer)\s+)*",
    re.IGNORECASE,
)
CLAUSE_END = re.compile(
    r"\s*(?:$|[.,;:!?\"'\U0001f300-\U0001faff\u2600-\u27bf)\]}|\n。、…]|[-–—]\s|—(?=[a-z])"
    r"|[(\[](?![A-Za-z][)\]])|[・」』》]"
    r"|\s?है|।|(?:です|でした|でしょう|だ|になり|になる|である|입니다|이다|예요|이에요|번|요|项|項|选项|選項|因为|因為|所以|由于))"
)
GOES_ON = re.compile(
    r"\s+(?:because|since|as|for|due|given|based|which|with|but|so|therefore|thus|not|while|rather"
    r"|instead|over|here|and\s+(?:not|the|this|it|I|we|here|that)|denn|weil|porque|parce|так|потому"
    r"|The|This|That|It|In|There|These|Because|Since|As|Explanation|Reason|Based|Given|From"
    r"|Here|To|We|Note|BECAUSE)\b"
)
NEXT_LABEL = re.compile(r"[\s,;.]{0,5}(?:and\s+|or\s+)?[(\[]?([A-Z])(?![A-Za-z])[)\].:]?\s?")
PART = re.compile(r"[^\n]{0,200}\n\s*\(?[b-z][).]\s")  # "(a) … (b) …": an answer in parts
ASKED = re.compile(r"[^.!?\n。]{0,120}[?]")
_BESIDE = re.compile(
    r"\s?[(\[]([A-Z])[)\]]|[)\].]?\s*\n\s*(?:[-•]\s+)?[(\[]?([A-Z])[)\].]?\s*(?:\n|$)"
    r"|\.\s*([A-Z])\.?\s*$"
)
_INSIDE = re.compile(r"\s*\((?:or|and|and/or|also)\s+(?:option\s+)?([A-Z])\b", re.IGNORECASE)
_LIST_JOINT = re.compile(r"\s*(?:,|/|&|\band\b|\bor\b|和|或|、|;|\s)\s*")
_LONG_WORD = re.compile(r"[A-Za-z]{4}")
_I = re.compile(r",\s+(?:however|personally|myself|too|for\s+one|as|like)\b")


def ends(text: str, end: int, letter: str) -> bool:
    """Whether a letter that ends at a place stands alone there, not at the head of a phrase."""
    if letter in "Ii" and _I.match(text, end):
        return False
    if letter == "a" and text.startswith(": ", end):
        return False
    if CLAUSE_END.match(text, end):
        return True
    if letter.islower() and letter in "ai":
        return False
    return bool(GOES_ON.match(text, end))


def joined(text: str, end: int, others: str) -> bool:
    """Whether a choice that ends at a place is joined to another label: "A or B", "A, C"."""
    beside = _BESIDE.match(text, end)
    if beside and (beside[1] or beside[2] or beside[3]) in others:
        return True
    inside = _INSIDE.match(text, end)
    if inside and inside.group(1).upper() in others:
        return True
    joint = AND.match(text, end)
    label = LABEL.match(text, joint.end()) if joint else None
    if not joint or not label or label.group(1) not in others:
        return False
    after = text[label.end() : label.end() + 12]
    if re.match(r"\s+(?:and|or|are|both)\b", after):
        return True
    if re.search(r"[,;]", joint.group()) and not re.search(r"\w", joint.group()):
        return not re.match(r"\s+[a-z]|'", after)
    article = label.group(1) in "AI" and not label.group(2)
    return not re.match(r"\s+[a-z]" if article else r"\s+(?:is|was)\b|'", after)


def is_list(part: str, letters: str) -> bool:
    """Whether a part is nothing but two labels or more."""
    if _LONG_WORD.search(part, 0, 200):
        return False
    found = [x.strip("()[]{}.\\") for x in _LIST_JOINT.split(part[:200].strip(" .()[]{}"))]
    found = [x for x in found if x]
    return len(found) > 1 and all(len(x) == 1 and x in letters for x in found)


__all__ = [
    *(
        "ABBREVIATED",
        "AND",
        "ASKED",
        "CLAUSE_END",
        "GLUED",
        "GOES_ON",
        "LABEL",
        "NAME",
        "NEXT_LABEL",
    ),
    *("NOT_A_LABEL", "PART", "ends", "is_list", "joined"),
]
