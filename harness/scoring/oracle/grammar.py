"""The grammar around a claim, to the oracle: the verb before an option and what comes after."""

from __future__ import annotations

from collections.abc import Sequence

from harness.scoring.oracle.read import Reading
from harness.scoring.oracle.sentence import Claim
from harness.scoring.oracle.text import Token

_COPULAS = {"is", "are", "be", "remains", ":", "=", "-", "was", "'s", "seems", "appears", "becomes"}
_HELPS = {"should", "must", "will", "has", "have", "to", "would", "only"}
_ADVERBS = {
    *("probably", "likely", "most", "clearly", "therefore", "thus", "hence", "definitely"),
    *("indeed", "simply", "option", "choice", "letter", ":", "-", "certainly", "then", "also"),
    *("be", "to", "answer", "is", "the", "actually", "now", "in", "fact", "that", "it"),
    *("obviously",),
}
_INSERTS = {
    *("corrected", "revised", "updated", '"'),
    *("to", "for", "of", "the", "this", "question", "problem", "here", ",", "i", "we", "believe"),
    *("think", "would", "say", "in", "my", "opinion", "case", "is", "given", "above"),
    *("therefore", "option", "choice", "letter", "below", "(", ")", "your", "view", "at", "hand"),
    *("number", "correct"),
}
_STARTS = {
    *("therefore", "however", "thus", "hence", "so", "note", "also", "moreover", "furthermore"),
    *("here", "yes", "no", "indeed", "done", "thanks", "similarly", "conversely", "otherwise"),
    *("first", "next", "then", "still", "additionally", "explanation", "correct", "right"),
    *("nevertheless", "overall", "alternatively", "wait", "actually", "i", "not", "instead"),
    *("sorry",),
    *("final", "hmm", "oops", "nope", "or", "and", "but", "yet"),
}
RIGHT = {"correct", "right"}
WRONG = {"wrong", "incorrect", "false", "out", "not", "isn't", "cannot", "can't", "ruled"}


def link(row: Sequence[Token], i: int, reading: Reading) -> Claim | None:
    """No claim where the sentence goes on to judge what it named."""
    k = reading.end
    if _initial(row, k):
        return None
    while k < len(row) and row[k].text in set(")]\"'"):
        k += 1
    if k < len(row) and row[k].low in ("is", "was", "would", "isn't", "might", "may", "could"):
        after = {token.low for token in row[k + 1 : k + 4]}
        if row[k].low != "is" or not after & (RIGHT | {"answer"}) or after & WRONG:
            return None
    return Claim(i, reading.end, reading.value)


def _initial(row: Sequence[Token], k: int) -> bool:
    """Whether the letter before token `k` is the initial of a name, as in "A. Lincoln"."""
    if k + 1 >= len(row) or row[k].text != "." or len(row[k - 1].text) != 1:
        return False
    name, after = row[k + 1], row[k + 2] if k + 2 < len(row) else None
    if name.kind != "word" or not name.text[0].isupper() or name.low in _STARTS:
        return False
    return not name.low.endswith("ly") and (
        after is None or after.kind == "line" or after.text in (".", ",", ";")
    )


def copula(row: Sequence[Token], i: int) -> tuple[int | None, bool]:
    """The place after "is", ":" and the like, and whether a negation stands there."""
    n = len(row)
    k = i
    while k < min(n, i + 9) and (row[k].low in _INSERTS or row[k].kind == "line"):
        if row[k].low == "is" or (row[k].kind == "line" and k > i):
            break
        k += 1
    linked = k < n and k > i and row[k - 1].kind == "line"
    while k < min(n, i + 12) and row[k].low in _HELPS:
        k += 1
    if k < n and row[k].low in ("isn't", "not", "cannot", "can't", "wasn't"):
        return k + 1 + (k + 1 < n and row[k + 1].low == "be"), True
    if k >= n or (row[k].low not in _COPULAS and not linked):
        return None, False
    if k < n and row[k].low == "was":
        return None, False
    negated = False
    limit = k + 12
    while k < min(n, limit):
        low = row[k].low
        if low in ("not", "neither", "isn't", "anything", "never", "no"):
            if low == "no" and not (k + 1 < n and row[k + 1].low == "longer"):
                break
            negated = True
        elif low not in _COPULAS and low not in _ADVERBS and row[k].kind != "line":
            if low != "but" or not negated:
                break
        elif (k + 1 < n and (low, row[k + 1].kind) in (("the", "line"), ("-", "number"))) or (
            low == "-" and k + 1 < n and row[k + 1].glued and not row[k].glued
        ):
            break
        k += 1
    return (k, negated) if k < n else (None, False)


__all__ = ["RIGHT", "WRONG", "copula", "link"]
