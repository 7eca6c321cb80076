"""One specimen of each kind of plan: drawn, verified by the plan's own thresholds, read back."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.scene_sets.plan import Plan
from harness.scene_sets.specimen import drawn, limits_of, make
from harness.scenes.limits import limits_for
from harness.scenes.rows import specimen_of

_TRIES = 16


def plan(kind: str, direction: str, factor: str) -> Plan:
    return Plan(
        kind=kind,
        factors=(factor,),
        n=4,
        seed=None,
        direction=direction,
        sizes=("160x120", "64x48"),
    )


@pytest.mark.parametrize(
    ("kind", "direction", "factor", "n_pictures"),
    [
        ("audit", "published", "presence", 3),
        ("static", "balanced", "count", 1),
        ("free", "balanced", "material", 3),
    ],
)
def test_a_specimen_passes_and_reads_back(
    kind: str, direction: str, factor: str, n_pictures: int, tmp_path: Path
) -> None:
    chosen = plan(kind, direction, factor)
    for index in range(_TRIES):
        row = make(chosen, factor, index, tmp_path)
        if row["verdict"] == "PASS":
            break
    assert row["verdict"] == "PASS"
    specimen, images = specimen_of(row)
    assert specimen == drawn(chosen, factor, row["index"])
    assert len(images) == n_pictures
    assert all(set(sizes) == {"160x120", "64x48"} for sizes in images.values())
    assert len(list((tmp_path / "images").iterdir())) == n_pictures


def test_thresholds_are_those_of_the_plan() -> None:
    ours, free = limits_for(320, 240), limits_of(plan("free", "balanced", "count"), 320, 240)
    assert limits_of(plan("audit", "balanced", "count"), 320, 240) == ours
    published = limits_of(plan("audit", "published", "count"), 320, 240)
    assert published == limits_for(320, 240, "published") != ours
    assert (free.visible, free.visible_other) == (ours.visible, 0.5)
    assert free.border_px == ours.border_px
