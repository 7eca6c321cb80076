"""A triplet: one question over a base scene, a relevant edit of it, and an irrelevant one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from harness.scenes.scene import Scene

FACTORS = ("count", "attribute", "presence", "spatial")
FREE_FACTORS = (*FACTORS, "material", "size", "occlusion")
VARIANTS = ("base", "relevant", "irrelevant")
PREFIXES = {"count": "count", "attribute": "attr", "presence": "pres", "spatial": "spat"}
FREE_PREFIXES = {**PREFIXES, "material": "mate", "size": "size", "occlusion": "occl"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Query:
    """What is asked, in terms that can be read off pixels; None where the factor does not use it.

    count: `color`. attribute: `shape`. presence: `color` and `shape`. spatial: is `first` left of
    `second`, each a (colour, shape). Of the free sampler, material and size: of the object of
    `color` and `shape`; occlusion: which of `first` and `second`, which overlap, is in front.
    """

    factor: str
    color: str | None = None
    shape: str | None = None
    first: tuple[str, str] | None = None
    second: tuple[str, str] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """One picture with its question (a static item, or one variant of a triplet).

    `candidates` are the texts of A and B; `gold` is "A" or "B"; `queried` are the ids of the
    objects that the question is about (present ones). `design` are the facts that were balanced.
    """

    id: str
    query: Query
    question: str
    candidates: tuple[str, str]
    gold: str
    scene: Scene
    queried: tuple[str, ...]
    design: Mapping[str, str | int | float] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Triplet:
    """Base, relevant and irrelevant variant under one question and one order of candidates.

    `edited` names the objects that an edit touches, by "relevant" and "irrelevant": their ids in
    whichever of the two scenes holds them. `design` are the facts that were balanced.
    """

    id: str
    query: Query
    question: str
    candidates: tuple[str, str]
    gold: Mapping[str, str]
    scenes: Mapping[str, Scene]
    queried: Mapping[str, tuple[str, ...]]
    edited: Mapping[str, tuple[str, ...]]
    design: Mapping[str, str | int | float]

    def item(self, variant: str) -> Item:
        """One variant as a picture with a question; its id is triplet:variant."""
        return Item(
            id=f"{self.id}:{variant}",
            query=self.query,
            question=self.question,
            candidates=self.candidates,
            gold=self.gold[variant],
            scene=self.scenes[variant],
            queried=self.queried[variant],
            design=self.design,
        )


__all__ = [
    "FACTORS",
    "FREE_FACTORS",
    "FREE_PREFIXES",
    "PREFIXES",
    "VARIANTS",
    "Item",
    "Query",
    "Triplet",
]
