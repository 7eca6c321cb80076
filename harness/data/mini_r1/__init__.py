"""Mini-R1: a generated benchmark in the shape of R1-Onevision-Bench."""

from harness.data.mini_r1.benchmark import SPLITS, Item, items, mini_r1

__all__ = ["SPLITS", "Item", "items", "mini_r1"]
