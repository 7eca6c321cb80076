"""Can a set be answered without looking? Its balance, side cues, and judges that may not see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from harness.data.image import open_rgb
from harness.scene_sets.freezing import MANIFEST, read_manifest
from harness.scene_sets.plan import Plan, read, size_px
from harness.scene_sets.specimen import PICTURES
from harness.scenes.balance import balance_table, side_cues
from harness.scenes.blind import BlindReport, blind_report
from harness.scenes.blind_rows import item_rows, triplet_rows
from harness.scenes.render import id_pass
from harness.scenes.rows import picture_name, specimen_of
from harness.scenes.triplet import VARIANTS, Item, Triplet

_SEED = 20261130


def report(folder: Path) -> tuple[list[str], int]:
    """The balance and the shortcuts of a made set, as lines of text.

    Blind judges see counts and places of objects without colours, the words of the question, and
    of the pictures mean colour, size of the file, number of objects and their share of the
    pixels.

    Returns
    -------
    (lines, n_issues)
        Side cues and leaks are the issues.

    Raises
    ------
    DataError
        When there is no set, a picture is missing, and for a set too small for five folds.
    """
    plan = read(folder)
    specimens = [specimen_of(row)[0] for row in read_manifest(folder / MANIFEST)]
    lines = list(_balance(specimens)) if plan.kind != "free" else []
    issues = list(side_cues(specimens)) if plan.exact else []
    lines.append(f"side cues: {len(issues)} issue(s)")
    blind = _blind(plan, folder, specimens)
    lines += _table(blind)
    issues += blind.issues
    lines += [str(issue) for issue in issues]
    return lines, len(issues)


def _balance(specimens: Sequence[Triplet | Item]) -> Iterator[str]:
    found: dict[tuple[str, str], list[str]] = {}
    for row in balance_table(specimens):
        found.setdefault((row.factor, row.fact), []).append(f"{row.value} {row.n}")
    for (factor, fact), values in found.items():
        yield f"{factor:<10} {fact:<15} {', '.join(values)}"


def _blind(plan: Plan, folder: Path, specimens: Sequence[Triplet | Item]) -> BlindReport:
    triplets = [one for one in specimens if isinstance(one, Triplet)]
    items = [one for one in specimens if isinstance(one, Item)]
    width, height = size_px(plan.sizes[0])
    statistics = {}
    for item in [*items, *(t.item(variant) for t in triplets for variant in VARIANTS)]:
        path = folder / PICTURES / picture_name(item.id)
        red, green, blue = np.asarray(open_rgb(path)).mean(axis=(0, 1))
        ids = id_pass(item.scene, width=width, height=height).ids
        statistics[item.id] = {
            "red": float(red),
            "green": float(green),
            "blue": float(blue),
            "file_bytes": float(path.stat().st_size),
            "objects": float(len(np.unique(ids[ids >= 0]))),
            "object_share": float((ids >= 0).mean()),
        }
    rows = (*triplet_rows(triplets, statistics), *item_rows(items, statistics))
    return blind_report(rows, seed=_SEED)


def _table(blind: BlindReport) -> Iterator[str]:
    yield f"{'factor':<10} {'target':<7} {'sees':<8} {'judge':<9} right  chance*   p adjusted"
    for one in blind.results:
        yield (
            f"{one.factor:<10} {one.target:<7} {one.family:<8} {one.classifier:<9} "
            f"{one.accuracy:.3f}  {one.null_high:.3f}  {one.adjusted_p:.3f}"
        )
    yield f"* 97.5 % point of {blind.n_shuffles} rearrangements of the labels"


__all__ = ["report"]
