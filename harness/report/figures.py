"""How figures are written: percentages, intervals, and the facts of a gate in one cell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from harness.report.escape import inline

_MAX_FACTS = 12
_MAX_CHARACTERS = 120
_MAX_ENTRIES = 4
_CENTRES = ("value", "difference", "accuracy")
_DIGEST = re.compile(r"[0-9a-f]{32,64}")


def percent(value: float) -> str:
    """A share in per cent with one decimal; it says 100 or 0 only where that is exact.

    >>> percent(0.9996), percent(1.0), percent(0.0004)
    ('>99.9 %', '100.0 %', '<0.1 %')
    """
    shown = f"{100 * value:.1f}"
    if shown == "100.0" and value < 1:
        return ">99.9 %"
    if shown == "0.0" and value > 0:
        return "<0.1 %"
    return f"{shown} %"


def accuracy(estimate: Mapping[str, Any], undefined: str) -> str:
    """``93.3 % (n = 60) [84.1, 97.4]``; the word for undefined, with n, at n = 0."""
    if estimate["value"] is None:
        return f"{undefined} (n = {estimate['n']})"
    low, high = (f"{100 * estimate[bound]:.1f}" for bound in ("low", "high"))
    return f"{percent(estimate['value'])} (n = {estimate['n']}) [{low}, {high}]"


def facts(tree: Mapping[str, Any], more: str) -> str:
    """The first facts of a gate, flat and escaped; what is left out is counted."""
    flat = list(_flat(tree, ""))
    shown = [f"{inline(name)} = {inline(_clip(text))}" for name, text in flat[:_MAX_FACTS]]
    if len(flat) > _MAX_FACTS:
        shown.append(inline(more.format(n=len(flat) - _MAX_FACTS)))
    return "<br>".join(shown)


def _flat(tree: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    """Facts by dotted name: an interval stands with its centre; what is empty is left out."""
    centre = next((name for name in _CENTRES if {name, "low", "high"} <= tree.keys()), None)
    for name, value in tree.items():
        path = prefix.rstrip(".") if name == "value" and centre == name else f"{prefix}{name}"
        if name == centre:
            yield path, _interval(value, tree)
        elif centre and name in ("low", "high", "unit"):
            continue
        elif isinstance(value, Mapping):
            yield from _flat(value, f"{path}.")
        elif value not in (None, "", []):
            yield path, _brief(value)


def _interval(value: Any, tree: Mapping[str, Any]) -> str:
    text = f"{plain(value)} [{plain(tree['low'])}, {plain(tree['high'])}]"
    return text + (f" {tree['unit']}" if tree.get("unit") else "")


def _brief(value: Any) -> str:
    if isinstance(value, list) and (
        len(value) > _MAX_ENTRIES or any(isinstance(entry, Mapping | list) for entry in value)
    ):
        return f"({len(value)})"
    if isinstance(value, str) and _DIGEST.fullmatch(value):
        return value[:12]
    return plain(value)


def plain(value: Any) -> str:
    """A JSON value for people: 4 significant digits, lists joined, null as a dash."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} = {plain(inner)}" for name, inner in value.items()) or "–"
    if isinstance(value, list | tuple):
        return ", ".join(plain(entry) for entry in value) or "–"
    return str(value)


def _clip(text: str) -> str:
    return text if len(text) <= _MAX_CHARACTERS else text[: _MAX_CHARACTERS - 1] + "…"


__all__ = ["accuracy", "facts", "percent", "plain"]
