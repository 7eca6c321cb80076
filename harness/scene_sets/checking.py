"""A made set verified again from its files, and rendered again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from harness.data.image import open_rgb
from harness.data.manifest import pixel_digest
from harness.errors import DataError
from harness.scene_sets import freezing, specimen
from harness.scene_sets.plan import Plan, read, size_px
from harness.scene_sets.workers import workers
from harness.scenes.render import Rendered, render
from harness.scenes.rows import picture_name, specimen_of
from harness.types import Issue


def check_set(folder: Path, *, n_processes: int) -> Iterator[tuple[str, list[Issue]]]:
    """Verify every frozen specimen by its pictures on disk, and that they are made again equal.

    What is read from pixels is read from the file; which object a pixel shows comes from
    rendering the record again, which has to give the very same pixels.

    Parameters
    ----------
    folder : of a set.
    n_processes : at least 1.

    Yields
    ------
    (id, issues)
        Of each specimen, in the manifest's order; no issues: it passes. The codes are those of
        `harness.scenes.findings.CODES`, and "bad_row", "no_picture", "other_picture" (its pixels
        are not those of the manifest), "not_repeated" (the record gives other pixels than those
        of the manifest) and "other_size".

    Raises
    ------
    DataError
        When there is no set, and when a worker dies.
    """
    plan = read(folder)
    rows = freezing.read_manifest(folder / freezing.MANIFEST)
    jobs = [(plan, row, folder) for row in rows]
    with workers(n_processes) as pool:
        found = pool.map(_check, jobs, chunksize=4)
        yield from zip((str(row.get("id", "?")) for row in rows), found, strict=True)


def _check(job: tuple[Plan, dict[str, Any], Path]) -> list[Issue]:
    plan, row, folder = job
    try:
        made, hashes = specimen_of(row)
    except DataError as error:
        return [Issue("bad_row", str(row.get("id", "")), str(error))]
    issues: list[Issue] = []
    rendered: dict[str, Rendered] = {}
    width, height = size_px(plan.sizes[0])
    for variant, scene in specimen.scenes_of(made).items():
        name = specimen.item_id(made, variant)
        again = render(scene, width=width, height=height)
        expected = hashes[variant].get(plan.sizes[0], "no hash")
        issues += _differs("not_repeated", name, expected, pixel_digest(specimen.picture(again)))
        try:
            image = open_rgb(folder / specimen.PICTURES / picture_name(name))
        except DataError as error:
            issues.append(Issue("no_picture", name, str(error)))
            continue
        issues += _differs("other_picture", name, expected, pixel_digest(image))
        if image.size == (width, height):
            rendered[variant] = replace(again, rgb=np.asarray(image))
        else:
            found = "{}x{}".format(*image.size)
            issues.append(Issue("other_size", name, f"expected {plan.sizes[0]}, found {found}"))
    if len(rendered) == len(specimen.scenes_of(made)):
        try:
            check = specimen.verify(plan, made, rendered)
        except DataError as error:
            return [*issues, Issue("bad_row", made.id, str(error))]
        issues += [Issue(f.code, f"{made.id} {f.where}", f.message) for f in check.findings]
    return issues


def _differs(code: str, name: str, expected: str, found: str) -> list[Issue]:
    if found == expected:
        return []
    return [Issue(code, name, f"expected pixels {expected[:16]}…, found {found[:16]}…")]


__all__ = ["check_set"]
