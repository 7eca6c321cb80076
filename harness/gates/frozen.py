"""Frozen thresholds: a gate's limits are set before the first response, not after."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness import ids
from harness.types import Issue, Verdict

_ABSENT = "not set"
_BESIDE = ("study", "unknown")


def frozen_thresholds(now: Mapping[str, Any], first: Mapping[str, Any]) -> Verdict:
    """Judge whether the thresholds are still those of the study's first response.

    Parameters
    ----------
    now, first : thresholds by name, today and at the first response; JSON values, nested
        mappings are compared entry by entry. Two entries of `first`, where they are there, are
        not compared: `study` is the name of another study that got the first response, `unknown`
        lists the questions whose first thresholds were not kept.

    Returns
    -------
    Verdict
        Issues: `changed` for each threshold that was changed, added or removed, with both
        values; `thresholds_unknown` for each question of `unknown`; `no_thresholds` when there
        is no threshold at all. Facts: both mappings, flat.
    """
    ours, theirs = _flat(now), _flat({k: v for k, v in first.items() if k not in _BESIDE})
    other = f" of study {first['study']!r} to the same questions" if "study" in first else ""
    issues = [
        Issue(
            "changed",
            name,
            f"expected {_shown(theirs, name)} as at the first response{other}, found "
            f"{_shown(ours, name)}; restore it, or use another runs folder",
        )
        for name in sorted({*ours, *theirs})
        if _shown(ours, name) != _shown(theirs, name)
    ]
    issues += [
        Issue(
            "thresholds_unknown",
            question,
            "expected the thresholds of its first response in the runs folder, found responses and "
            "no record of them; restore thresholds/, or ask again in another runs folder (--runs)",
        )
        for question in first.get("unknown", ())
    ]
    if not ours and not theirs:
        issues.append(Issue("no_thresholds", "", "expected at least one threshold, found none"))
    return Verdict(
        gate="frozen_thresholds", issues=tuple(issues), facts={"now": ours, "first": _flat(first)}
    )


def _flat(thresholds: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in thresholds.items():
        if isinstance(value, Mapping) and value:
            flat |= _flat(value, f"{prefix}{name}.")
        else:
            flat[prefix + name] = ids.plain(value)
    return flat


def _shown(thresholds: Mapping[str, Any], name: str) -> str:
    return ids.canonical_json(thresholds[name]) if name in thresholds else _ABSENT


__all__ = ["frozen_thresholds"]
