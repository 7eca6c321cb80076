"""What an object can be: colours, shapes, materials and sizes of CLEVR (Johnson et al. 2017)."""

from __future__ import annotations

COLORS: dict[str, tuple[int, int, int]] = {
    "gray": (87, 87, 87),
    "red": (173, 35, 35),
    "blue": (42, 75, 215),
    "green": (29, 105, 20),
    "brown": (129, 74, 25),
    "purple": (129, 38, 192),
    "cyan": (41, 208, 208),
    "yellow": (255, 238, 51),
}
SHAPES = ("cube", "sphere", "cylinder")
MATERIALS = ("rubber", "metal")
SIZES = {"large": 0.7, "small": 0.35}

# Closest as rendered; never the two candidates of one question.
CONFUSABLE = (
    frozenset({"blue", "purple"}),
    frozenset({"brown", "gray"}),
    frozenset({"brown", "red"}),
    frozenset({"gray", "green"}),
)

__all__ = ["COLORS", "CONFUSABLE", "MATERIALS", "SHAPES", "SIZES"]
