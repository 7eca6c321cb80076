"""The golden corpus: its cases, what a scorer makes of them, and what a new one would change."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from harness.scoring import grade
from harness.scoring.readers import KINDS
from harness.types import OUTCOMES, Score

REQUIRED = {"id": str, "kind": str, "response": str, "gold": str, "correct": bool, "why": str}
OPTIONAL = {
    "choices": list,
    "answer": str | None,
    "parsed": bool,
    "exact": bool,
    "outcome": str,
    "accept_null": bool,
    "undecided_ok": bool,
    "tag": str,
}
_SEPARATOR = " | "
_LONGEST = 120
_SHOWN = 100
_GRAVITY = ("verdict", "outcome", "answer", "rule")


def cases(folder: Path) -> list[dict[str, Any]]:
    """Every case of every file, by file name and line."""
    return [
        json.loads(line)
        for path in sorted(folder.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").split("\n")
        if line.strip()
    ]


def faults(found: Iterable[Mapping[str, Any]]) -> list[str]:
    """What is wrong with the cases themselves: keys, kinds, ids that occur twice, no reason."""
    known = REQUIRED | OPTIONAL
    seen: Counter[str] = Counter()
    wrong = []
    for case in found:
        where = str(case.get("id"))
        seen[where] += 1
        wrong += [f"{where}: {key}: missing" for key in REQUIRED if key not in case]
        for key, value in case.items():
            if key not in known:
                wrong.append(f"{where}: {key}: no such key")
            elif not isinstance(value, known[key]):
                wrong.append(f"{where}: {key}: found {value!r}")
        if case.get("kind") not in KINDS:
            wrong.append(f"{where}: kind: expected one of {', '.join(KINDS)}")
        if not str(case.get("why", "")).strip():
            wrong.append(f"{where}: why: a case has a reason")
        if "answer" not in case and "parsed" not in case:
            wrong.append(f"{where}: expected answer or parsed")
        if case.get("outcome", "answered") not in OUTCOMES:
            wrong.append(f"{where}: outcome: expected one of {', '.join(OUTCOMES)}")
    return wrong + [f"{where}: occurs {n} times" for where, n in seen.items() if n > 1]


def graded(case: Mapping[str, Any]) -> Score:
    return grade(
        case["kind"],
        case["response"],
        tuple(case.get("choices", ())),
        case["gold"],
        exact=case.get("exact", False),
    )


def unexpected(case: Mapping[str, Any], score: Score) -> str | None:
    """How a score is not the expected one; None where it is.

    `accept_null` also takes a reply that was left unread, `undecided_ok` also a comparison
    that was left undecided: both go to review and are never right.
    """
    value = score.answer.value
    if case.get("accept_null") and value is None and not score.correct:
        return None
    undecided = case.get("undecided_ok") and score.outcome == "review" and not score.correct
    wrong = []
    if "answer" in case and value != case["answer"]:
        wrong.append(f"answer {case['answer']!r}")
    if "parsed" in case and (value is not None) != case["parsed"] and not undecided:
        wrong.append("an answer" if case["parsed"] else "no answer")
    if score.correct != case["correct"] and not undecided:
        wrong.append(_verdict(case["correct"]))
    if "outcome" in case and score.outcome != case["outcome"]:
        wrong.append(f"outcome {case['outcome']}")
    if not wrong:
        return None
    compared = f" ({score.compared})" if score.compared else ""
    return f"{case['id']}: expected {', '.join(wrong)}; found {pinned(score)}{compared}"


def pinned(score: Score) -> str:
    """A score in one line: outcome and verdict, rule, and the answer where there is one.

    >>> from harness.scoring import grade
    >>> pinned(grade("yesno", "", (), "yes")).startswith("review wrong | ")
    True
    """
    value = score.answer.value
    parts = [f"{score.outcome} {_verdict(score.correct)}", score.answer.rule]
    if value is not None and len(value) > _LONGEST:
        sha256 = hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()
        value = f"{value[:_LONGEST]}… ({len(value)} characters, {sha256[:12]})"
    return _SEPARATOR.join(parts if value is None else [*parts, value])


def differences(old: Mapping[str, str], new: Mapping[str, str]) -> list[str]:
    """A readable table of the cases in both that changed: verdicts first, then answers, rules."""
    changed = sorted(
        (_GRAVITY.index(_change(old[name], new[name])), name)
        for name in old.keys() & new.keys()
        if old[name] != new[name]
    )
    if not changed:
        return []
    names = [name for _, name in changed]
    counts = Counter(_GRAVITY[gravity] for gravity, _ in changed)
    width = max(map(len, ["example", *names]))
    lines = [", ".join(f"{counts[kind]} {kind}" for kind in _GRAVITY if counts[kind])]
    lines.append(f"{'example':{width}} | old answer (rule) → new answer (rule)")
    for _, name in changed[:_SHOWN]:
        lines.append(f"{name:{width}} | {_words(old[name])} → {_words(new[name])}")
    if len(changed) > _SHOWN:
        lines.append(f"… and {len(changed) - _SHOWN} more")
    return lines


def pin(
    version: str,
    new: Mapping[str, str],
    folder: Path,
    compare: Callable[[str, Any], None],
    *,
    update: bool,
) -> None:
    """Hold scores against `golden/scores/<version>.json`, or with `update` write it.

    Parameters
    ----------
    version : of the scorer.
    new : the pinned line of every case by its id.
    folder : `golden/scores`.
    compare : the fixture `golden`, which also writes.
    update : whether --snapshot-update was given. It adds cases to the version's file, or makes
        the file of a new version; it never changes nor drops a case of a version.
    """
    path = folder / f"{version}.json"
    if path.exists():
        old = _read(path)
        table = differences(old, new)
        gone = sorted(old.keys() - new.keys())
        if table or gone:
            lines = [f"the scorer changed, and VERSION is still {version}:", *table]
            lines += [f"no longer there: {', '.join(gone[:_SHOWN])}"] * bool(gone)
            lines.append("change harness.scoring.VERSION and accept with --snapshot-update")
            pytest.fail("\n".join(lines), pytrace=False)
        added = sorted(new.keys() - old.keys())
        if added and not update:
            pytest.fail(
                f"{len(added)} case(s) are not in golden/scores/{path.name}: "
                f"{', '.join(added[:_SHOWN])}; accept them with --snapshot-update",
                pytrace=False,
            )
    elif not update:
        lines = [f"golden/scores/{path.name} is not there"]
        former = _former(folder)
        if former is not None:
            lines += [f"against {former.name}:", *differences(_read(former), new)]
        lines.append("review the change, then accept it with --snapshot-update")
        pytest.fail("\n".join(lines), pytrace=False)
    compare(f"scores/{version}", dict(new))


def _former(folder: Path) -> Path | None:
    """The file of the latest other version."""

    def place(path: Path) -> list[tuple[int, str]]:
        return [(int(p), "") if p.isdecimal() else (-1, p) for p in path.stem.split(".")]

    return max(folder.glob("*.json"), key=place, default=None)


def _read(path: Path) -> dict[str, str]:
    value = json.loads(path.read_text(encoding="utf-8"))
    assert isinstance(value, dict)
    return value


def _change(old: str, new: str) -> str:
    before, after = _parts(old), _parts(new)
    if before[0].split()[1] != after[0].split()[1]:
        return "verdict"
    if before[0] != after[0]:
        return "outcome"
    return "rule" if before[2] == after[2] else "answer"


def _parts(line: str) -> tuple[str, str, str | None]:
    first, rule, *rest = line.split(_SEPARATOR, 2)
    return first, rule, rest[0] if rest else None


def _words(line: str) -> str:
    first, rule, answer = _parts(line)
    return f"{'nothing' if answer is None else ascii(answer)} ({rule}) {first}"


def _verdict(correct: bool) -> str:
    return "right" if correct else "wrong"
