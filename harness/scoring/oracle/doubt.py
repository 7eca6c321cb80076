"""What takes a claim back, or sets another beside it, after it was made: the oracle's view."""

from __future__ import annotations

from collections.abc import Sequence

from harness.scoring.oracle.entire import Reader
from harness.scoring.oracle.sentence import ENDS, REACH, Claim
from harness.scoring.oracle.text import Token
from harness.scoring.oracle.yesno import YesNo


def _phrases(*texts: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(text.split()) for text in texts)


# Said at the start of any later sentence.
_TURNS = _phrases(
    *("wait", "hold on", "scratch that", "hmm", "oops", "ignore that", "on reflection"),
    *("i misread",),
    *("on second thought", "i was wrong", "i made a", "i made an", "correction", "but wait"),
    *("on another", "never mind", "forget that", "no wait", "i change", "i take", "i mean"),
    *("i retract", "i meant", "please ignore", "please disregard", "just kidding", "not so fast"),
    *("let me fix", "let me correct", "let me recheck", "let me reconsider", "let me rethink"),
    *("let me recount", "let me redo", "let me re", "let me recalculate", "let me reevaluate"),
    *("let me revise", "let me restart", "let me revisit", "i need to recheck", "i should recheck"),
    *("i need to reconsider", "i should reconsider", "then again", "i was mistaken"),
    *("actually , let me", "actually let me", "however , let me", "but let me re"),
)
# Said at the start of the next sentence or two.
_NEXT_TURNS = _phrases(
    *("no ,", "no .", "no :", "actually", "sorry", "however , i", "wrong", "this is wrong"),
    *("that is wrong", "this was wrong", "not quite", "that was wrong", "this is incorrect"),
    *("that is incorrect", "that's wrong", "that's not right", "that is not right", "not true"),
    *("this answer is", "that answer is", "both are", "this cannot", "that cannot", "that was a"),
    *("so is", "or is", "alternatively", "nope", "strike that", "my mistake", "i misspoke"),
    *("( withdrawn", "[ retracted", "delete", "withdrawn", "retracted", "make that"),
    *("what follows", "this was a", "that's not", "( rejected", "( wrong", "( incorrect", "or not"),
    *("( crossed", "( not sure", "that does not", "this does not", "that doesn't", "this doesn't"),
    *("this seems off", "that seems off", "this looks off", "that looks off", "this seems wrong"),
    *("that seems wrong", "this looks wrong", "that looks wrong", "this contradicts"),
    *("that contradicts", "which contradicts", "however , this contradicts", "( no"),
    *("however , that contradicts", "but this contradicts", "but that contradicts", "i doubt"),
    *("( not correct", "( not right", "- no !", "- no ,", "- no .", "- wait", "or no", "or yes"),
    *("or maybe", "or perhaps", "looking again", "my bad", "apologies", "i spoke too"),
    *("that was incorrect", "looking closer", "on closer", "let me verify again"),
    *("let me check again", "let me double", "i should double", "i need to double"),
    *("i am no longer",),
    *("i'm no longer", "maybe not", "perhaps not", "oh", "oh , wait", "it could also be"),
    *("not really", "not sure", "i am not sure", "i'm not sure", "although , i", "but i am not"),
)
# Said behind a comma in the sentence of the claim.
_COMMA_TURNS = _phrases(
    *(
        "wait",
        "hold on",
        "scratch that",
        "no wait",
        "or at least",
        "maybe",
        "perhaps",
        "no ,",
        "possibly",
        "i hope",
        "i guess not",
    )
)
_ASIDES = {
    *("alternatively", "withdrawn", "retracted", "might", "if", "unless", "said", "says"),
    *("according", "sorry", "rather", "when", "example", "mean", "provided", "respectively"),
    *("probability", "assuming", "else", "otherwise", "lied", "supposedly", "allegedly"),
}
_RIVALS = {
    *("also", "possible", "possibly", "equally", "maybe", "perhaps", "or", "could", "well", "too"),
}
_REASONS = {"because", "since", "as", "given"}
_DOUBTS = _phrases(
    *("which is wrong", "which is false", "but that is", "so it is", "which i", "is wrong"),
    *("it is wrong", "but this is not", "but it is not", "but it's not", "but that is not"),
    *("which is not", "but i'm not", "but i am not", "but this isn't", "but it isn't"),
)
_DOUBTED = {
    *("wrong", "false", "can't", "cannot", "incorrect", "doubt"),
    *("among", "listed", "one", "available", "given", "accurate", "correct", "right", "sure"),
    *("certain", "exact", "exactly", "option", "match", "provided"),
}
_IN = {"the", "this", "my", "our", "all", "fact", "option", "a", "an", "figure", "both", "each"}
_SECOND_LOOK = {
    *("contradicts", "contradict", "conflicts", "conflict", "inconsistent", "incompatible"),
    *("unsure",),
    *("recheck", "reconsider", "overlooked", "inspection", "rethink", "recount", "reexamine"),
}
_WRONG_ONE = _phrases("the wrong one", "the wrong answer", "the wrong option", "the incorrect one")
_LIKEWISE = _phrases("and so is", "and so are", "as is", "so is", "so does")
_OPENERS = ("but", "however", "yet", "this", "that", "i", "let", "it", "on", "oh", "now", "still")
_OBJECTIONS = ("but", "however", "yet", "though")
_DESCRIBES = ("is", "was", "has", "does", "shows", "would", "could", "contradicts")


def rivalled(row: Sequence[Token], claim: Claim, reader: Reader) -> bool:
    """Whether the rest of the sentence, or the next one, allows something else."""
    labels = reader.labels
    n_ended = 0
    seen: set[str] = set()
    rival = False
    same = True
    place = row[claim.end : claim.end + 2]
    if len(place) == 2 and place[0].low == "in" and place[1].low not in _IN:
        return True
    for i in range(claim.end, min(len(row), claim.end + REACH)):
        token = row[i]
        last = i + 1 == len(row) or row[i + 1].kind == "line" or row[i + 1].text in ENDS
        if n_ended == 0 and (n := _opened(row, i, _LIKEWISE)) and _label(row, i + n, labels):
            return True
        if token.low in _REASONS and "well" not in (row[i - 1].low, "" if last else row[i + 1].low):
            return False
        if token.kind == "line" or token.text in ENDS:
            same = False
            n_ended += i > claim.end + 1 or token.text in ENDS
            seen = set()
            rival = False
            if n_ended > 1:
                return False
            continue
        if n_ended == 0 and (token.low in _ASIDES or (same and _other_word(row, i, claim, reader))):
            return True
        if n_ended == 0 and any(_opens(row, i, phrase) for phrase in _WRONG_ONE):
            return True
        if token.low != "too" or last:
            seen.add(token.low)
        other = _label(row, i, labels)
        rival = rival or (other and token.text not in ("I", claim.value))
        if rival and seen & _RIVALS:
            return True
    return False


def retracted(row: Sequence[Token], claim: Claim, denied: Sequence[Claim]) -> bool:
    """Whether a later sentence takes the claim back."""
    if any(d.at >= claim.end and d.value == claim.value for d in denied):
        return True
    n_ended = 0
    for i in range(claim.end, min(len(row), claim.end + REACH)):
        n_ended += row[i].kind == "line" or row[i].text in ENDS
        if n_ended > 1:
            break
        after = {token.low for token in row[i : i + 9]}
        if any(_opens(row, i, turn) for turn in _DOUBTS) and after & _DOUBTED:
            return True
    n_ended = 0
    for i in range(claim.end, len(row)):
        ended = row[i].kind == "line" or row[i].text in ENDS
        before = row[i - 1]
        start = i == claim.end or before.kind == "line" or before.text in ENDS
        turns = _TURNS + _NEXT_TURNS if n_ended < 2 else _TURNS
        comma = before.text == "," and n_ended < 2
        if comma and _opened(row, i, _COMMA_TURNS):
            return True
        if start and not ended:
            n_ended += 1
            if n_ended < 3 and (_objects(row, i, claim) or _looks_again(row, i)):
                return True
            if _opened(row, i, turns):
                return True
    return False


def _looks_again(row: Sequence[Token], i: int) -> bool:
    """Whether the sentence that starts here finds a fault or starts over."""
    if row[i].low not in _OPENERS:
        return False
    for token in row[i : i + REACH]:
        if token.kind == "line" or token.text in ENDS:
            return False
        if token.low in _SECOND_LOOK:
            return True
    return False


def _objects(row: Sequence[Token], i: int, claim: Claim) -> bool:
    """Whether a sentence opens with "But B is ..." of the very option that was claimed."""
    k = i + 1
    if row[i].low not in _OBJECTIONS:
        return False
    while k < len(row) and row[k].low in (",", "option", "choice", "("):
        k += 1
    named = k + 1 < len(row) and row[k].text == claim.value
    return named and row[k + 1].low in _DESCRIBES


def _other_word(row: Sequence[Token], i: int, claim: Claim, reader: Reader) -> bool:
    """Whether the other one of yes and no stands here."""
    if not isinstance(reader, YesNo) or row[i - 1].low == "not":
        return False
    word = reader.word(row, i)
    alone = i + 1 == len(row) or row[i + 1].kind != "word" or row[i + 1].low in ("for", "in", "to")
    return word is not None and word.value != claim.value and alone


def _label(row: Sequence[Token], i: int, labels: str) -> bool:
    return i < len(row) and row[i].kind == "word" and row[i].text in tuple(labels)


def _opened(row: Sequence[Token], i: int, turns: Sequence[tuple[str, ...]]) -> int:
    """The length of the phrase that opens here, 0 for none."""
    return max((len(turn) for turn in turns if _opens(row, i, turn)), default=0)


def _opens(row: Sequence[Token], i: int, turn: tuple[str, ...]) -> bool:
    part = row[i : i + len(turn)]
    return tuple(t.low for t in part) == turn


__all__ = ["retracted", "rivalled"]
