"""A second reader of letters and of yes and no: slow, explicit, the judge of the compact one.

It follows the conventions anew, by tokens and sentences: what is said aloud, the last answer
block, then every claim of every sentence with its place, and the latest claim that was not
taken back; then a bare or leading option. Where it is not sure it answers None.
"""

from __future__ import annotations

from collections.abc import Sequence

from harness.scoring.oracle.bare import bare_answer
from harness.scoring.oracle.claims import claims
from harness.scoring.oracle.doubt import retracted, rivalled
from harness.scoring.oracle.entire import Reader, whole
from harness.scoring.oracle.read import VOID, Options
from harness.scoring.oracle.several import contradicted, several
from harness.scoring.oracle.text import Token, block, clean, first_turn, spoken, tokens
from harness.scoring.oracle.yesno import YesNo

_LONGEST = 1_000_000


def oracle_answer(kind: str, text: str, choices: tuple[str, ...]) -> str | None:
    """Read a reply as a careful person would.

    Parameters
    ----------
    kind : "choice" or "yesno".
    text : the raw reply, of any content.
    choices : the texts of the options, A first (kind `choice` only).

    Returns
    -------
    str or None
        A letter of the choices, or "yes" or "no"; None where no answer, more than one, or none
        with confidence can be read, for texts beyond 1,000,000 characters, and for other kinds.

    Examples
    --------
    >>> oracle_answer("choice", "It is not A. The answer is B.", ("red", "blue"))
    'B'
    """
    if kind not in ("choice", "yesno") or len(text) > _LONGEST:
        return None
    reader: Reader = Options(choices) if kind == "choice" else YesNo()
    said = spoken(clean(text))
    ahead = first_turn(said)
    if ahead is not None and block(said) == (None, None):
        before = _read(tokens(ahead), reader)
        if before is not None:
            return before
    closed, opened = block(said)
    if closed is None and opened is None:
        return _read(tokens(said), reader)
    first = None if closed is None else _read(tokens(closed), reader)
    if opened is None:
        return first
    row = [token for token in tokens(opened) if token.kind != "line"]
    alone = sum(token.kind != "mark" for token in row) == 1
    last = (whole(row, reader) or None) if alone else None
    return last if closed is None or first == last else first if last is None else None


def _read(row: Sequence[Token], reader: Reader) -> str | None:
    row = row[: max((k + 1 for k, token in enumerate(row) if token.kind != "line"), default=0)]
    lines = _lines(row)
    stated, denied = claims(row, reader)
    last = whole(lines[-1], reader) if lines else None
    if not stated:
        if not lines or _any_void(lines, reader):
            return None
        return bare_answer(lines, reader, {claim.value for claim in denied})
    final = max(stated, key=lambda claim: (claim.end, claim.at))
    taken_back = retracted(row, final, denied) or rivalled(row, final, reader)
    if several(row, stated, final, reader) or contradicted(row, lines, final, denied, reader):
        return None
    if final.value == VOID or taken_back:
        late = len(row) - len(lines[-1]) >= final.end
        return last if taken_back and late and last else None
    return final.value


def _lines(row: Sequence[Token]) -> list[list[Token]]:
    lines: list[list[Token]] = [[]]
    for token in row:
        if token.kind == "line":
            lines.append([])
        else:
            lines[-1].append(token)
    return [line for line in lines if line]


def _any_void(lines: list[list[Token]], reader: Reader) -> bool:
    return whole(lines[-1], reader) == VOID


__all__ = ["oracle_answer"]
