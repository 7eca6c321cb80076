"""Cells of judges made by hand: what was answered to each variant, scored by the real scorer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from harness.interventions.settings import SWAPPED, InterventionSettings
from harness.tests.gates.made_cells import CELL, result
from harness.types import CellResult, Example, Family, Media, ModelSpec, Prompt

VARIANTS = ("base", "relevant", "irrelevant")
OTHER = {"A": "B", "B": "A"}
UNREAD = "I cannot tell from this picture."
SETTINGS = InterventionSettings(
    models=("m1", "m2"), audit="audit", static="static", prompt="p", n_resamples=1000
)


def picture(name: str) -> tuple[Media, ...]:
    return (Media(kind="image", name=name, sha256=f"{name:0>64}"),)


def triplet(name: str, factor: str = "count", gold: str = "A") -> list[Example]:
    """Base, relevant and irrelevant; the relevant edit flips the gold."""
    return [
        Example(
            id=f"{name}:{role}",
            kind="preference",
            question=f"What of {name}?",
            gold=OTHER[gold] if role == "relevant" else gold,
            choices=("one", "two"),
            media=picture(f"{name}-{role}"),
            group=name,
            role=role,
            tags=(factor,),
        )
        for role in VARIANTS
    ]


def static(name: str, factor: str = "count", gold: str = "A") -> Example:
    return Example(
        id=name,
        kind="preference",
        question="What?",
        gold=gold,
        choices=("one", "two"),
        media=picture(name),
        tags=(factor,),
    )


def pool(name: str, size: int, factor: str) -> Example:
    return Example(
        id=f"{name}@{size}",
        kind="choice",
        question="Which?",
        gold="A",
        choices=tuple("abcdefgh"[:size]),
        group=name,
        role=f"pool-{size}",
        tags=(factor,),
    )


def said(example: Example, bit: str) -> str:
    """The reply for a bit: "1" right, "0" wrong, "u" unread, "e" lost, anything else itself."""
    known = {"1": example.gold, "0": OTHER[example.gold], "u": UNREAD, "e": "error"}
    return known.get(bit, bit)


def cell(
    model: str,
    data: str,
    items: Sequence[Example],
    bits: Sequence[str],
    *,
    swapped: bool = False,
    family: Family = "generative",
    kind: str = "fake",
    prompt: str = "p",
) -> CellResult:
    """One judge on one part; in the swapped order items are as shown and bits still say right."""
    shown = [replace(e, gold=OTHER[e.gold], choices=e.choices[::-1]) for e in items]
    made = replace(
        CELL,
        data=data,
        experiment="interventions",
        model=ModelSpec(name=model, family=family, source={"kind": kind}),
        prompt=Prompt(name=prompt, template="{question}"),
        variant=SWAPPED if swapped else "",
    )
    asked = shown if swapped else list(items)
    return result([said(e, b) for e, b in zip(asked, bits, strict=True)], cell=made, items=asked)


def audit(model: str, states: Sequence[str], factor: str = "count", **how: Any) -> CellResult:
    """A judge on triplets t0, t1, …, whose golds alternate; "101" has the relevant edit wrong."""
    items = [e for i in range(len(states)) for e in triplet(f"t{i}", factor, "AB"[i % 2])]
    return cell(model, "audit", items, [bit for state in states for bit in state], **how)


def statics(model: str, bits: Sequence[str], factor: str = "count", **how: bool) -> CellResult:
    items = [static(f"s{i}", factor, "AB"[i % 2]) for i in range(len(bits))]
    return cell(model, "static", items, bits, **how)


def from_states(counts: Mapping[str, int]) -> list[str]:
    """States by name, "n_101" or "101", as many as counted."""
    return [name.removeprefix("n_") for name, n in counts.items() for _ in range(n)]
