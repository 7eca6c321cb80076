"""A hand-made triplet for each factor, small enough to render in a test, and its pictures."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from harness.scenes.render import Rendered, render
from harness.scenes.scene import Scene, SceneObject
from harness.scenes.triplet import FACTORS, FREE_FACTORS, VARIANTS, Query, Triplet

WIDTH, HEIGHT = 160, 120


def thing(name: str, shape: str, color: str, x: float, y: float, **more: str) -> SceneObject:
    return SceneObject(
        id=name,
        shape=shape,
        color=color,
        material=more.get("material", "rubber"),
        size=more.get("size", "large"),
        x=x,
        y=y,
        turn_deg=20.0,
    )


def triplet(factor: str) -> Triplet:
    left = thing("o1", "sphere", "red", -2.0, -2.0)
    front = thing("o2", "cube", "blue", 1.8, -1.4)
    back = thing("o3", "cylinder", "cyan", 2.2, 1.9)
    far = thing("o4", "sphere", "yellow", -2.2, 1.6)
    objects = (left, front, back, far)
    queried: dict[str, tuple[str, ...]]
    if factor == "count":
        query, question = Query(factor="count", color="red"), "How many red objects are there?"
        scenes = (objects[:3], (*objects[:3], replace(far, color="red")), objects)
        edited = {"relevant": ("o4",), "irrelevant": ("o4",)}
        candidates, gold = ("1", "2"), {"base": "A", "relevant": "B", "irrelevant": "A"}
        queried = {"base": ("o1",), "relevant": ("o1", "o4"), "irrelevant": ("o1",)}
    elif factor == "attribute":
        query, question = Query(factor="attribute", shape="cube"), "What color is the cube?"
        front = replace(front, color="red")
        objects = (left, front, back, replace(far, color="yellow"))
        scenes = (
            objects,
            tuple(replace(o, color="cyan") if o.id == "o2" else o for o in objects),
            tuple(replace(o, color="cyan") if o.id == "o1" else o for o in objects),
        )
        queried = dict.fromkeys(VARIANTS, ("o2",))
        edited = {"relevant": ("o2",), "irrelevant": ("o1",)}
        candidates, gold = ("red", "cyan"), {"base": "A", "relevant": "B", "irrelevant": "A"}
    elif factor == "presence":
        query = Query(factor="presence", color="yellow", shape="sphere")
        question = "Is there a yellow sphere?"
        objects = (left, front, replace(back, x=-0.6, y=3.2), far)
        scenes = (objects, objects[:3], (*objects[:2], objects[3]))
        queried = {"base": ("o4",), "relevant": (), "irrelevant": ("o4",)}
        edited = {"relevant": ("o4",), "irrelevant": ("o3",)}
        candidates, gold = ("no", "yes"), {"base": "B", "relevant": "A", "irrelevant": "B"}
    elif factor == "size":
        query = Query(factor="size", color="red", shape="sphere")
        question = "What size is the red sphere?"
        back = replace(back, shape="sphere")
        scenes = (
            (left, front, back),
            (replace(left, size="small"), front, back),
            (left, front, replace(back, size="small")),
        )
        queried = dict.fromkeys(VARIANTS, ("o1",))
        edited = {"relevant": ("o1",), "irrelevant": ("o3",)}
        candidates, gold = ("large", "small"), {"base": "A", "relevant": "B", "irrelevant": "A"}
    elif factor == "material":
        query = Query(factor="material", color="blue", shape="cube")
        question = "What material is the blue cube?"
        scenes = (
            objects,
            tuple(replace(o, material="metal") if o.id == "o2" else o for o in objects),
            tuple(replace(o, material="metal") if o.id == "o3" else o for o in objects),
        )
        queried = dict.fromkeys(VARIANTS, ("o2",))
        edited = {"relevant": ("o2",), "irrelevant": ("o3",)}
        candidates, gold = ("metal", "rubber"), {"base": "B", "relevant": "A", "irrelevant": "B"}
    elif factor == "occlusion":
        query = Query(factor="occlusion", first=("red", "sphere"), second=("yellow", "sphere"))
        question = "In the image, which is in front, the red sphere or the yellow sphere?"
        # One pair on the left and one on the right, each along the camera's view.
        a, b = replace(left, x=-1.2, y=-1.6), replace(far, x=-2.6, y=-0.5)
        c = replace(front, shape="sphere", x=1.9, y=0.5)
        d = replace(back, shape="sphere", x=0.5, y=1.6)
        scenes = (
            (a, b, c, d),
            (replace(a, x=b.x, y=b.y), replace(b, x=a.x, y=a.y), c, d),
            (a, b, replace(c, x=d.x, y=d.y), replace(d, x=c.x, y=c.y)),
        )
        queried = dict.fromkeys(VARIANTS, ("o1", "o4"))
        edited = {"relevant": ("o1", "o4"), "irrelevant": ("o2", "o3")}
        candidates = ("yellow sphere", "red sphere")
        gold = {"base": "B", "relevant": "A", "irrelevant": "B"}
    else:
        query = Query(factor="spatial", first=("red", "sphere"), second=("cyan", "cylinder"))
        question = "Is the red sphere left of the cyan cylinder?"
        left, back = replace(left, x=-1.8, y=-1.9), replace(back, x=1.75, y=-1.66)
        front = replace(front, shape="sphere", x=-2.94, y=0.98)
        scenes = (
            (left, front, back),
            (replace(left, x=1.8, y=1.9), front, back),
            (left, replace(front, x=-1.15, y=2.88), back),
        )
        queried = dict.fromkeys(VARIANTS, ("o1", "o3"))
        edited = {"relevant": ("o1",), "irrelevant": ("o2",)}
        candidates, gold = ("yes", "no"), {"base": "A", "relevant": "B", "irrelevant": "A"}
    return Triplet(
        id=f"{factor}_000000",
        query=query,
        question=question,
        candidates=candidates,
        gold=gold,
        scenes={v: Scene(objects=o) for v, o in zip(VARIANTS, scenes, strict=True)},
        queried=queried,
        edited=edited,
        design={},
    )


@cache
def pictures(factor: str) -> dict[str, Rendered]:
    scenes = triplet(factor).scenes
    return {v: render(scenes[v], width=WIDTH, height=HEIGHT) for v in VARIANTS}


__all__ = ["FACTORS", "FREE_FACTORS", "HEIGHT", "WIDTH", "pictures", "thing", "triplet"]
