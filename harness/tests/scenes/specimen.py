"""A triplet with its pictures, to be spoilt in its records or in its pixels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from harness.scenes.findings import Check
from harness.scenes.limits import Limits, limits_for
from harness.scenes.render import Rendered, render
from harness.scenes.scene import Scene
from harness.scenes.triplet import VARIANTS, Triplet
from harness.scenes.verify import verify_triplet
from harness.tests.scenes import made


@dataclass
class Specimen:
    """A triplet with its pictures, to be spoilt."""

    triplet: Triplet
    pictures: dict[str, Rendered]
    limits: Limits

    @classmethod
    def of(cls, factor: str) -> Specimen:
        limits = limits_for(made.WIDTH, made.HEIGHT)
        return cls(made.triplet(factor), dict(made.pictures(factor)), limits)

    def record(self, **changes: Any) -> None:
        self.triplet = replace(self.triplet, **changes)

    def gold(self, **letters: str) -> None:
        self.record(gold={**self.triplet.gold, **letters})

    def arrays(self, variant: str, **changes: Any) -> None:
        self.pictures[variant] = replace(self.pictures[variant], **changes)

    def limit(self, **values: float) -> None:
        self.limits = replace(self.limits, **values)

    def rebuild(self, name: str, *variants: str, drawn: bool = True, **changes: Any) -> None:
        """Change an object in the records, and in the pictures too if `drawn`."""
        scenes = dict(self.triplet.scenes)
        for variant in variants or VARIANTS:
            objects = tuple(
                replace(o, **changes) if o.id == name else o for o in scenes[variant].objects
            )
            scenes[variant] = replace(scenes[variant], objects=objects)
            if drawn:
                self.pictures[variant] = picture(scenes[variant])
        self.record(scenes=scenes)

    def redraw(self, name: str, variant: str, **changes: Any) -> None:
        """Change an object in one picture and leave the records as they are."""
        scene = self.triplet.scenes[variant]
        objects = tuple(replace(o, **changes) if o.id == name else o for o in scene.objects)
        self.pictures[variant] = picture(replace(scene, objects=objects))

    def paint(self, variant: str, name: str, brush: Callable[[Any], Any], core: int = 1) -> None:
        seen = self.pictures[variant]
        mask = seen.coverage[seen.object_ids.index(name)] >= core
        rgb = seen.rgb.copy()
        rgb[mask] = brush(rgb[mask].astype(float)).clip(0, 255).astype(np.uint8)
        self.arrays(variant, rgb=rgb)

    def check(self) -> Check:
        return verify_triplet(self.triplet, self.pictures, limits=self.limits)


@cache
def picture(scene: Scene) -> Rendered:
    return render(scene, width=made.WIDTH, height=made.HEIGHT)
