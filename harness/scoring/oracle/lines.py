"""Whether a line of a reply stands for itself, or goes on with the line before it."""

from __future__ import annotations

from harness.scoring.oracle.sentence import NEGATIVE
from harness.scoring.oracle.text import Token

_CUES = {
    *("answer", "choice", "option", "selection", "solution", "conclusion", "therefore", "hence"),
    *("thus", "so", "result", "response", "pick", "decision", "verdict", "final", "assistant"),
    *("summary", "short", "model", "output", "prediction", "ans"),
}
_LINKS = _CUES | {"the", "my", "correct", "best", "in", "is", "final", "and", "finally", "right"}
_PARTING = {
    *("best", "kind", "regards", "sincerely", "yours", "thanks", "thank", "you", "cheers", "warm"),
    *("love", "wishes", "many"),
}


def set_off(lines: list[list[Token]], n: int) -> bool:
    """Whether line `n` starts anew: behind a finished sentence, a list of options or a cue."""
    if n == 0:
        return True
    before = lines[n - 1]
    words = {token.low for token in before if token.kind == "word"}
    if words and words <= _PARTING:
        return False
    last = before[-1]
    if last.text == ":":
        return bool(words & _CUES) and not words & (NEGATIVE | {"excluded", "rejected", "example"})
    if last.kind == "mark" and last.text not in ",-/(":
        return True
    listed = len(before) > 1 and (len(before[0].text) == 1 and before[1].text in ".):]")
    listed = listed or (len(before) > 2 and before[0].text in "(-*")
    return (
        listed or last.kind == "box" or (bool(words) and words <= _LINKS and before[0].low != "is")
    )


def is_one_word(line: list[Token]) -> bool:
    """Whether a line is one word or number, signs aside."""
    return sum(token.kind != "mark" for token in line) == 1


__all__ = ["is_one_word", "set_off"]
