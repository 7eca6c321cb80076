"""The option that a short text is as a whole, to the oracle."""

from __future__ import annotations

from collections.abc import Sequence

from harness.scoring.oracle.read import VOID, Options
from harness.scoring.oracle.text import Token
from harness.scoring.oracle.yesno import YesNo

Reader = Options | YesNo
GOOD = {
    *("the", "my", "our", "final", "correct", "best", "right", "most", "likely", "appropriate"),
    *("suitable", "accurate", "closest", "only", "single", "is", "correctly", "plausible", "a"),
    *("precise", "logical", "sensible", "valid", "fitting", "nearest", "reasonable", "proper"),
    *("probable", "ultimate", "definitive", "answer", "option", "choice"),
}


def whole(row: Sequence[Token], reader: Reader) -> str | None:
    """The option that a short text is, from its first token to its last; VOID, or None."""
    tokens = [t for t in row if t.kind != "line"]
    at = 0
    while at < len(tokens) and tokens[at].text in ("-", ":", "."):
        if at + 1 < len(tokens) and tokens[at].text == "-" and tokens[at + 1].glued:
            break
        at += 1
    tokens = tokens[at:]
    cue = next((k for k, t in enumerate(tokens[:5]) if t.low == "answer"), None)
    if cue is not None and all(t.low in GOOD for t in tokens[:cue]):
        at = cue + 1
        while at < len(tokens) and tokens[at].low in ("is", ":"):
            at += 1
        tokens = tokens[at:]
    if sum(token.text == "'" for token in tokens) % 2:
        return None
    reading = reader.at(tokens, 0)
    if reading is None:
        return None
    rest = [t for t in tokens[reading.end :] if t.text not in set(".,!;:)]\"'")]
    if tokens[-1].text == ":" and tokens[-1].glued and len(tokens) < 4:
        return None
    if reading.value == VOID:
        return VOID if len(tokens) < 8 else None
    if len(rest) == 1 and rest[0].low in ("option", "choice", "is"):
        rest = []
    return None if rest else reading.value


__all__ = ["GOOD", "Reader", "whole"]
