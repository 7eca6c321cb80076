"""What a set is made of: every choice that shapes it, kept beside it."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from harness import ids
from harness.errors import DataError
from harness.scenes.sampler import DIRECTIONS
from harness.scenes.triplet import FACTORS, FREE_FACTORS

NAME = "set.json"
KINDS = ("audit", "static", "free")
_SIZE = re.compile(r"([1-9]\d{1,3})x([1-9]\d{1,3})")


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """One set.

    Attributes
    ----------
    kind : "audit" (triplets), "static" (single items) or "free" (triplets of the free sampler).
    factors : of `FACTORS`; of `FREE_FACTORS` where the kind is "free". Each once.
    n : frozen specimens per factor, at least 1; a multiple of 4 where the design is balanced.
    seed : master seed of the scenes; None for each factor's own (`MASTER_SEEDS`).
    direction : "balanced", or "published" (one-way edits, as RewardLens made them; audit only).
    sizes : of the pictures, such as "320x240"; the first is verified and saved, the others are
        only hashed.
    """

    kind: str
    factors: tuple[str, ...]
    n: int
    seed: int | None
    direction: str
    sizes: tuple[str, ...]

    def __post_init__(self) -> None:
        known = FREE_FACTORS if self.kind == "free" else FACTORS
        faults = [f"kind {self.kind!r}"] if self.kind not in KINDS else []
        faults += [f"factor {name!r}" for name in self.factors if name not in known]
        faults += [f"direction {self.direction!r}"] if self.direction not in DIRECTIONS else []
        if self.kind != "audit" and self.direction == "published":
            faults.append(f"direction 'published' for a set of kind {self.kind}")
        faults += [f"size {size!r}" for size in self.sizes if _SIZE.fullmatch(size) is None]
        for name, found in (("factors", self.factors), ("sizes", self.sizes)):
            if not found or len(set(found)) < len(found):
                faults.append(f"{name} {list(found)}")
        if self.n < 1 or (self.exact and self.n % 4):
            faults.append(f"n {self.n}")
        if faults:
            raise DataError(
                f"a set needs a kind of {', '.join(KINDS)}, different factors of "
                f"{', '.join(known)}, a direction of {', '.join(DIRECTIONS)} (published: audit "
                "only), different sizes like 320x240, and n of at least 1 (balanced: a multiple "
                f"of 4); found {', '.join(faults)}"
            )

    @property
    def exact(self) -> bool:
        """Whether letter, value and place are balanced exactly over the frozen specimens."""
        return self.kind != "free" and self.direction == "balanced"


def size_px(size: str) -> tuple[int, int]:
    """Width and height of "320x240"."""
    width, height = size.split("x")
    return int(width), int(height)


def settle(plan: Plan, folder: Path) -> None:
    """Write the plan into a new folder, or see that the folder holds the same one.

    Raises
    ------
    DataError
        When the folder holds another plan, or something else.
    """
    path = folder / NAME
    folder.mkdir(parents=True, exist_ok=True)
    if path.exists():
        found = read(folder)
        if found != plan:
            raise DataError(
                f"{path}: expected the plan {_text(plan)}, found {_text(found)}; name another "
                "folder, or the same choices to go on"
            )
    elif any(folder.iterdir()):
        raise DataError(f"{folder}: expected an empty folder or one with {NAME}, found other files")
    else:
        path.write_text(_text(plan) + "\n", encoding="ascii")


def read(folder: Path) -> Plan:
    """The plan of a set.

    Raises
    ------
    DataError
        When there is none, or it is not one.
    """
    try:
        value: Any = json.loads((folder / NAME).read_text(encoding="ascii"))
        fields: Any = {k: tuple(v) if isinstance(v, list) else v for k, v in value.items()}
        return Plan(**fields)
    except (AttributeError, OSError, TypeError, ValueError) as error:
        raise DataError(
            f"{folder / NAME}: expected the plan of a set, found {type(error).__name__}; make it "
            "with `python -m harness scenes make`"
        ) from error


def _text(plan: Plan) -> str:
    return ids.canonical_json(asdict(plan))


__all__ = ["KINDS", "NAME", "Plan", "read", "settle", "size_px"]
