"""The frozen part of a set: its manifest and pictures, and the rows of all that was tried."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from harness import ids
from harness.errors import DataError
from harness.scene_sets.plan import Plan, size_px
from harness.scene_sets.specimen import PICTURES, item_id, picture, save, scenes_of
from harness.scenes.balance import first, freeze
from harness.scenes.render import render
from harness.scenes.rows import picture_name, specimen_of
from harness.scenes.triplet import Item, Triplet

MANIFEST = "manifest.jsonl"
TRIED = "tried.jsonl"
_JUDGED = ("index", "verdict", "findings")


def write(plan: Plan, folder: Path, rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Freeze the first specimens that pass and balance; every row stays in `TRIED`.

    Returns
    -------
    list of dict
        The frozen rows, sorted by id within factor. The folder of pictures then holds theirs
        alone: others are removed, and lost ones are rendered again.
    """
    frozen: list[dict[str, Any]] = []
    for factor in plan.factors:
        of_factor = [row for row in rows if row["factor"] == factor]
        kept = set(chosen(plan, of_factor))
        frozen += [
            {key: value for key, value in row.items() if key not in _JUDGED}
            for row in sorted(of_factor, key=lambda row: str(row["id"]))
            if row["id"] in kept
        ]
    _tidy(plan, folder / PICTURES, frozen)
    _replace(folder / TRIED, _lines(rows))
    _replace(folder / MANIFEST, _lines(frozen))
    return frozen


def export(folder: Path, path: Path) -> None:
    """Write a set's manifest as gzip; equal manifests, equal bytes (with one zlib)."""
    read_manifest(folder / MANIFEST)
    raw = (folder / MANIFEST).read_bytes()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(raw, compresslevel=9, mtime=0))


def chosen(plan: Plan, rows: Sequence[dict[str, Any]]) -> tuple[str, ...]:
    """The ids of one factor's frozen specimens, sorted.

    Raises
    ------
    DataError
        Where too few pass, in all or in a stratum of the balance.
    """
    return picked(plan, [specimen_of(row)[0] for row in rows if row["verdict"] == "PASS"])


def picked(plan: Plan, passed: Sequence[Triplet | Item]) -> tuple[str, ...]:
    """As `chosen`, of specimens that passed, at least one."""
    pick = freeze if plan.exact else first
    return pick(passed, plan.n)[passed[0].query.factor]


def read_manifest(path: Path) -> list[dict[str, Any]]:
    """The rows of a manifest, plain or gzip.

    Raises
    ------
    DataError
        When it cannot be read.
    """
    try:
        raw = path.read_bytes()
        text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("ascii")
        return [json.loads(line) for line in text.splitlines()]
    except (OSError, EOFError, ValueError) as error:
        raise DataError(
            f"{path}: expected a manifest, found {type(error).__name__}; make it with `python -m "
            "harness scenes make`"
        ) from error


def _lines(rows: Iterable[dict[str, Any]]) -> str:
    return "".join(ids.canonical_json(row) + "\n" for row in rows)


def _replace(path: Path, text: str) -> None:
    scratch = path.with_suffix(".tmp")
    scratch.write_text(text, encoding="ascii")
    os.replace(scratch, path)


def _tidy(plan: Plan, folder: Path, frozen: Sequence[dict[str, Any]]) -> None:
    """The folder holds the frozen pictures and no other file, whatever was made ahead or lost."""
    width, height = size_px(plan.sizes[0])
    wanted = {}
    for row in frozen:
        made = specimen_of(row)[0]
        for variant, scene in scenes_of(made).items():
            wanted[picture_name(item_id(made, variant))] = scene
    for path in folder.iterdir():
        if path.name not in wanted:
            path.unlink()
    for name, scene in wanted.items():
        if not (folder / name).exists():
            save(picture(render(scene, width=width, height=height)), folder / name)


__all__ = ["MANIFEST", "TRIED", "chosen", "export", "picked", "read_manifest", "write"]
