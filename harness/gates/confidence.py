"""Where a confidence comes from: votes, agreement with other conditions, or words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness.gates.signals import SignalCell, SignalRow
from harness.scoring.statements.text import normalise, unmarked
from harness.scoring.statements.thinking import spoken
from harness.stats.agreement import agree, is_parsed
from harness.stats.voting import Replicates, self_consistency
from harness.types import CellResult, Score

_INFRASTRUCTURE = ("resource_error", "runtime_error")
_LONGEST = 1_000_000
_TAG = re.compile(r"<confidence>([^<]{0,200})</confidence>", re.IGNORECASE)
_SAID = re.compile(
    r"\bconfidence(?:[ \t]{1,3}(?:level|score|rating))?[ \t]{0,3}(?:is|[:=])"
    r"[ \t]{0,3}(?=([^\n<]{0,80}))"
    r"|(?<![0-9.])([0-9]{1,3}(?:\.[0-9]{1,6})?[ \t]?%)[ \t]{1,3}(?:confident|certain|sure)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\s{0,9}(?P<value>[0-9]{1,3}(?:\.[0-9]{1,6})?)"
    r"(?:[ \t]?(?P<percent>%|percent\b)|[ \t]?/[ \t]?(?P<of>100?)\b)?"
    r"(?![ \t]{0,2}(?:[%/–—-]|(?:to|or)\b)|[0-9A-Za-z]|\.[0-9])",
    re.IGNORECASE,
)
# What stands before "… % confident" and makes it a range, negative, a bound, or denied.
_BEFORE = 60
_UNSAID = re.compile(
    r"[0-9][ \t]?%?[ \t]{0,3}(?:[–—/±-]|(?:to|or|and)\b)[ \t]{0,3}$|(?:[±<>≤≥][ \t]?|-)$"
    r"|\b(?:(?:less|more|fewer|lower|higher|better)[ \t]{1,3}than|at[ \t]{1,3}(?:least|most)"
    r"|up[ \t]{1,3}to|over|under|above|below)[ \t]{1,3}$"
    r"|(?:\b(?:not|never|cannot|nor|neither|hardly|barely)|n't)\b"
    r"(?:(?!\b(?:but|so|and|because|though)\b)[^.,;:!?\n]){0,60}$",
    re.IGNORECASE,
)


def verbal_confidence(text: str) -> float | None:
    """Read the confidence that a response states in figures.

    Read are `<confidence>…</confidence>` (the last closed one decides), "confidence: …" and
    "… % confident", with 85 %, 85/100, 8/10 or 0.85; thinking is not read. A number above 10
    without a unit is a percentage.

    Parameters
    ----------
    text : the raw response.

    Returns
    -------
    float or None
        From 0 to 1. None where nothing is stated, in words alone, out of range, as a range or a
        bound ("90-95 %", "at least 90 %"), denied ("not 90 % confident"), with two values that
        differ, or as a number above 1 and up to 10 without a unit, or a bare 1: of one, of ten
        or of a hundred.

    Examples
    --------
    >>> verbal_confidence("<answer>B</answer> Confidence: 85%"), verbal_confidence("0.9")
    (0.85, None)
    """
    if len(text) > _LONGEST:
        return None
    said = spoken(unmarked(normalise(text)))[0].text
    tags = _TAG.findall(said)
    if tags:
        return _value(tags[-1])
    values = {_stated(said, found) for found in _SAID.finditer(said)}
    return values.pop() if len(values) == 1 else None


def verbal(result: CellResult) -> SignalCell:
    """The confidence that each response of a cell states of itself; lost rows are dropped."""
    texts = {(r.example_id, r.replicate): r.text for r in result.responses}
    kept = [s for s in result.scores if s.outcome not in _INFRASTRUCTURE]
    rows = [
        SignalRow(
            example_id=s.example_id,
            confidence=verbal_confidence(texts.get((s.example_id, s.replicate)) or ""),
            correct=s.correct,
        )
        for s in kept
    ]
    return SignalCell(
        cell=result.cell.id,
        signal="verbal",
        rows=tuple(rows),
        n_dropped=len(result.scores) - len(kept),
    )


def vote_share(result: CellResult) -> SignalCell:
    """The share of a question's readable answers that the leading one has.

    Right is a question whose leading answer is right; one that ties or has no readable answer is
    wrong, and the latter has no confidence. Questions with a lost, missing or repeated replicate
    are dropped; which ones, `record_audit` says.
    """
    by_id: dict[str, list[Score]] = {}
    for score in sorted(result.scores, key=lambda s: s.replicate):
        by_id.setdefault(score.example_id, []).append(score)
    whole = {
        name: scores
        for name, scores in by_id.items()
        if [s.replicate for s in scores] == list(range(result.cell.replicates))
        and not any(s.outcome in _INFRASTRUCTURE for s in scores)
    }
    table = [
        Replicates(id=name, answers=[_read(s) for s in scores], correct=[s.correct for s in scores])
        for name, scores in whole.items()
    ]
    found = self_consistency(table, [], result.cell.replicates)
    rows = [
        SignalRow(example_id=name, confidence=vote.confidence, correct=bool(correct))
        for name, vote, correct in zip(whole, found.votes, found.correct, strict=True)
    ]
    return SignalCell(
        cell=result.cell.id,
        signal="vote_share",
        rows=tuple(rows),
        n_dropped=len(by_id) - len(whole),
    )


def agreement(first: CellResult, others: Sequence[CellResult]) -> SignalCell:
    """The share of other conditions that give a question the same answer as the first.

    Right is a question that the first cell answers rightly; without a readable answer there it
    has no confidence. An unreadable answer of another cell does not agree. Questions that a
    cell lost to the machine, or does not have, are dropped.

    Raises
    ------
    ValueError
        Without another cell, and for cells with several replicates.
    """
    cells = (first, *others)
    if not others or any(result.cell.replicates != 1 for result in cells):
        raise ValueError(
            f"agreement: {first.cell.id}: expected another cell, all with one replicate, found "
            f"{[(r.cell.id, r.cell.replicates) for r in others]}"
        )
    kept = [{s.example_id: s for s in r.scores if s.outcome not in _INFRASTRUCTURE} for r in cells]
    whole = [name for name in kept[0] if all(name in scores for scores in kept[1:])]
    rows = []
    for name in whole:
        answer = _read(kept[0][name])
        n_same = sum(agree(answer, _read(scores[name])) for scores in kept[1:])
        confidence = n_same / len(others) if is_parsed(answer) else None
        rows.append(
            SignalRow(example_id=name, confidence=confidence, correct=kept[0][name].correct)
        )
    return SignalCell(
        cell=first.cell.id,
        signal="agreement",
        rows=tuple(rows),
        n_dropped=len({s.example_id for s in first.scores}) - len(whole),
    )


def _read(score: Score) -> str | None:
    return score.answer.value if score.outcome == "answered" else None


def _stated(said: str, found: re.Match[str]) -> float | None:
    """The value of one statement; "… % confident" counts by what stands before it too."""
    if found[1] is not None:
        return _value(found[1])
    before = said[max(0, found.start() - _BEFORE) : found.start()]
    return None if _UNSAID.search(before) else _value(found[2])


def _value(text: str) -> float | None:
    found = _NUMBER.match(text)
    if found is None:
        return None
    number = float(found["value"])
    if found["percent"]:
        value = number / 100
    elif found["of"]:
        value = number / int(found["of"])
    elif found["value"] == "1" or 1 < number <= 10:
        return None
    else:
        value = number if number <= 1 else number / 100
    return value if value <= 1 else None


__all__ = ["agreement", "verbal", "verbal_confidence", "vote_share"]
