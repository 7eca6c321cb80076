"""What a reply claims, by the oracle: every statement and every denial of an option."""

from __future__ import annotations

from collections.abc import Sequence

from harness.scoring.oracle.entire import GOOD, Reader, whole
from harness.scoring.oracle.grammar import RIGHT, WRONG, copula, link
from harness.scoring.oracle.read import UNREAD, VOID, Options, Reading
from harness.scoring.oracle.sentence import ENDS, NEGATIVE, Claim, context
from harness.scoring.oracle.text import Token

_NOUNS = {
    *("answer", "option", "choice", "solution", "selection", "match", "statement", "letter"),
    *("response", "pick"),
}
_PLURALS = {"answers", "options", "choices"}
_STRONG = {
    *("final", "correct", "best", "right", "appropriate", "suitable", "closest", "likely", "my"),
}
_BEFORE = {
    *("so", "thus", "therefore", "hence", "then", "and", "but", "that", "think", "believe"),
    *("say", "conclude", "means", "is", "now", "consequently", "accordingly", "overall"),
    *("because", "here", "since", "with", "conclusion", "implies", "shows", "suggests"),
    *("indicates", "as", "determine", "finally", "choose", "select", "give", "clearly"),
    *("confirms", "making", "yes", "certain", "sure", "confident", "where", "which", "actually"),
    *("case", "summary", "image"),
}
_CHOOSE = {"choose", "pick", "select", "choosing", "selecting", "answer", "go", "going"}
_AFTER = {"answer", "option", "choice", "because", "since", "as", "one", "and", "but", "here", "so"}
_CLAUSE = {",", ":", "option", "choice", "answer", "letter", "-", "\n"}
_CONCLUSIVE = {
    *("so", "thus", "therefore", "hence", "believe", "think", "say", "conclude", "means", "that"),
    *("now", "consequently", "accordingly", "overall", "finally", "clearly", "actually"),
    *("conclusion",),
    *("summary", "is", "case", "implies", "shows", "suggests", "indicates", "confirms"),
}
_CONCLUDING = dict.fromkeys(("it", "it's"), _CONCLUSIVE)
_CONCLUDING |= {"closest": {"the"}, "nearest": {"the"}}


def claims(row: Sequence[Token], reader: Reader) -> tuple[list[Claim], list[Claim]]:
    """All claims of a reply and all denials, both in the order of the text.

    A claim of something that is no option has the value UNREAD and stands among the denials.
    """
    stated: list[Claim] = []
    denied: list[Claim] = []
    for i, token in enumerate(row):
        found: Claim | None = None
        deny = False
        if token.kind == "box":
            found = _boxed(row, i, reader)
            deny = found is not None and context(row, i, i + 1) == "denial"
        elif token.low in _NOUNS:
            found, deny = _cued(row, i, reader)
        elif token.low in _PLURALS and _are_named(row, i):
            found = Claim(i, i + 1, VOID)
        elif token.low in RIGHT or token.low in WRONG:
            found, deny = _verdict(row, i, reader)
        elif token.low in _CHOOSE:
            found, deny = _chosen(row, i, reader)
        elif token.low in ("corresponds", "matches", "corresponding"):
            found, deny = _matched(row, i, reader)
        elif i and row[i - 1 - (i > 1 and row[i - 1].text == ",")].low in _CONCLUDING.get(
            token.low, ()
        ):
            found, deny = _concluded(row, i, reader)
        if found is not None:
            where = context(row, i, found.end)
            if found.value == UNREAD and where != "statement":
                continue
            if deny or where == "denial" or found.value == UNREAD:
                denied.append(found)
            elif where == "statement":
                stated.append(found)
            else:
                denied.append(Claim(found.at, found.end, where))
    return stated, denied


def _are_named(row: Sequence[Token], i: int) -> bool:
    """Whether several answers are announced: "the correct options", "Answers: ..."."""
    other = i > 0 and row[i - 1].low in ("other", "these", "all", "remaining")
    listed = (
        row[i].low == "answers"
        and not other
        and i + 1 < len(row)
        and row[i + 1].low in (":", "are")
    )
    return listed or (i > 0 and row[i - 1].low in RIGHT)


def _boxed(row: Sequence[Token], i: int, reader: Reader) -> Claim | None:
    value = whole(row[i].inside, reader)
    if value is None:
        letters = [t for t in row[i].inside if t.kind == "word"]
        glued = len(letters) == 1 and len(letters[0].text) > 1
        several = glued and set(letters[0].text) <= set(reader.labels)
        if several and len(row[i].inside) == 1:
            return Claim(i, i + 1, VOID)
        joined = bool(row[i].inside) and row[i].inside[0].low in ("and", "or")
        return Claim(i, i + 1, VOID if joined else UNREAD)
    joined = i >= 2 and row[i - 2].kind == "box" and row[i - 1].low in ("and", "or", ",", "/")
    joined = joined or (i >= 1 and row[i - 1].kind == "box")
    if joined and whole(row[i - (1 if row[i - 1].kind == "box" else 2)].inside, reader) != value:
        value = VOID
    reading = Reading(value, i + 1)
    if isinstance(reader, Options):
        reading = reader.alone(row, reading) or reading
    return link(row, i, reading)


def _cued(row: Sequence[Token], i: int, reader: Reader) -> tuple[Claim | None, bool]:
    j = i
    strong = False
    while j and i - j < 8 and row[j - 1].low in GOOD and row[j - 1].kind == "word":
        j -= 1
        strong = strong or row[j].low in _STRONG
    before = row[j - 1] if j else None
    if before is not None and before.text == "_" and before.glued:
        return None, False
    if row[i].low != "answer" and not strong:
        return None, False
    if before is not None and before.kind == "word":
        owned = j < i and row[j].low in ("the", "my", "our")
        if before.low in NEGATIVE or (before.low not in _BEFORE and not owned):
            return None, False
    at, negated = copula(row, i + 1)
    if at is None:
        return None, False
    reading = reader.at(row, at)
    if negated and reading is not None:
        k = reading.end
        if k < len(row) and row[k].text == ",":
            k += 1
        if k < len(row) and row[k].low in ("but", "rather"):
            k += 1
            while k < len(row) and row[k].low in ("rather", "instead", "it", "is"):
                k += 1
            other = reader.at(row, k)
            if other is not None:
                return link(row, i, other), False
    if reading is None and _unread(row, i, at, strong and not negated):
        return Claim(i, at, UNREAD), False
    return (None if reading is None else link(row, i, reading)), negated


def _unread(row: Sequence[Token], i: int, at: int, strong: bool) -> bool:
    """Whether an answer is announced and given that is no option: "Final answer: unknown"."""
    while at < len(row) and row[at].kind == "line":
        at += 1
    if "answer" in (token.low for token in row[i + 1 : at + 4]):
        return False
    colon = any(token.text == ":" for token in row[i:at])
    return row[i].low == "answer" and (colon or strong) and at < len(row) and row[at].kind != "box"


def _verdict(row: Sequence[Token], i: int, reader: Reader) -> tuple[Claim | None, bool]:
    """ "B is correct", "option C is not the right answer", "A is wrong"."""
    k = i - 1
    deny = row[i].low in WRONG
    verb = False
    while k >= 0 and i - k < 7 and row[k].low in GOOD | WRONG | {"are", "be", "ruled", "must"}:
        if len(row[k].text) == 1 and row[k].text.isupper():
            break
        deny = deny or row[k].low in WRONG
        verb = verb or row[k].low in ("is", "are", "be", "isn't", "cannot", "can't")
        k -= 1
    while k >= 0 and row[k].text in (")", "]"):
        k -= 1
    if not (verb or row[i].low in ("isn't", "cannot", "can't")) or k < 0:
        return None, False
    if not isinstance(reader, Options):
        return None, False
    token = row[k]
    if token.kind != "word" or len(token.text) != 1 or token.text not in reader.labels:
        return None, False
    start = k
    while start and row[start - 1].text in ("(", "["):
        start -= 1
    prior = row[start - 1].low if start else "."
    if not deny and prior in ("and", "or", ",", "/", "nor", "both"):
        return Claim(k, i + 1, VOID), False
    clause = prior in _BEFORE | ENDS | _CLAUSE
    follow = row[i + 1] if i + 1 < len(row) else None
    if follow is not None and not deny and follow.kind == "word" and follow.low not in _AFTER:
        return None, False
    beside = i + 3 if follow is not None and follow.low in _AFTER - {"and", "but"} else i + 2
    if not deny and beside < len(row) and row[beside - 1].low in ("and", "or"):
        end = beside + 1 == len(row) or row[beside + 1].kind != "word"
        if row[beside].text in tuple(reader.labels) and end:
            return Claim(k, i + 1, VOID), False
    noun = follow is not None and follow.low in ("answer", "option", "choice", "one")
    if noun and link(row, k, Reading(token.text, i + 2)) is None:
        return Claim(k, i + 2, token.text), True
    return (Claim(k, i + 1, token.text) if clause or deny else None), deny


def _chosen(row: Sequence[Token], i: int, reader: Reader) -> tuple[Claim | None, bool]:
    """ "I choose B", "I would go with C", "so select D"."""
    k = i - 1
    while k >= 0 and row[k].low in ("would", "will", "'d", "therefore", "thus", "should", "must"):
        k -= 1
    first = k >= 0 and row[k].low in ("i", "we", "i'd", "i'll", "i'm", "so", "therefore", "thus")
    if not first and not (k >= 0 and row[k].low in ("not", "don't", "won't", "wouldn't")):
        return None, False
    at = i + 1
    while at < len(row) and row[at].low in ("with", "for", "the", "answer", ":"):
        at += 1
    reading = reader.at(row, at)
    return (None if reading is None else link(row, i, reading)), not first


def _matched(row: Sequence[Token], i: int, reader: Reader) -> tuple[Claim | None, bool]:
    """ "This corresponds to option B"."""
    at = i + 1
    while at < len(row) and row[at].low in ("to", "with", "the", "answer"):
        at += 1
    if at >= len(row) or row[at].low not in ("option", "choice"):
        return None, False
    reading = reader.at(row, at)
    return (None if reading is None else link(row, i, reading)), False


def _concluded(row: Sequence[Token], i: int, reader: Reader) -> tuple[Claim | None, bool]:
    """ "Therefore it is C", "the closest is C"."""
    at, negated = (i + 1, False) if row[i].low == "it's" else copula(row, i + 1)
    if at is None:
        return None, False
    reading = reader.at(row, at)
    return (None if reading is None else link(row, i, reading)), negated


__all__ = ["claims"]
