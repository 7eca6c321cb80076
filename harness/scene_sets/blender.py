"""A second engine: a set's scenes by Blender, in an interpreter of its own, against the labels."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.data.image import open_rgb
from harness.errors import AssayError
from harness.scene_sets.plan import Plan, size_px
from harness.scene_sets.specimen import limits_of, picture, save, scenes_of
from harness.scenes.engines import Run, blender_engine
from harness.scenes.limits import Limits
from harness.scenes.render import Rendered
from harness.scenes.rows import picture_name, specimen_of
from harness.scenes.triplet import Item
from harness.scenes.verify import verify_item

PICTURES = "blender"
_LABEL = {"answer", "queried", "referent"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Again:
    """One picture by the second engine.

    Attributes
    ----------
    id : of the picture's item.
    label : whether the answer read from it is the gold one.
    n_objects, n_colors : objects, and those whose colour class is that of the record.
    messages : what differs, in words.
    """

    id: str
    label: bool
    n_objects: int
    n_colors: int
    messages: tuple[str, ...]


def blender_run(python: Path, timeout_s: float) -> Run:
    """Run a script of `harness.scenes.engines` in an interpreter that has `bpy`.

    Parameters
    ----------
    python : that interpreter.
    timeout_s : for one picture.

    Raises
    ------
    AssayError
        From the run: when the interpreter does not start, ends with an error or writes no
        picture (with the end of what it said), and when the time is over.
    """

    def run(script: str, job: dict[str, Any]) -> npt.NDArray[np.uint8]:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            (folder / "scene.py").write_text(script, encoding="utf-8")
            (folder / "job.json").write_text(json.dumps(job), encoding="ascii")
            picture = folder / "picture.png"
            command = [str(python), *(str(folder / name) for name in ("scene.py", "job.json"))]
            # Its own environment: this one's packages are not for another interpreter.
            environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
            try:
                done = subprocess.run(
                    [*command, str(picture)],
                    capture_output=True,
                    text=True,
                    errors="replace",
                    timeout=timeout_s,
                    env=environment,
                    cwd=folder,
                )
            except subprocess.TimeoutExpired as error:
                raise AssayError(
                    f"{python}: expected a picture within {timeout_s:g} s, found none; give more "
                    "time, fewer samples or a smaller size"
                ) from error
            except OSError as error:
                raise AssayError(
                    f"{python}: expected an interpreter with bpy, found {error.strerror}"
                ) from error
            if done.returncode or not picture.exists():
                said = (done.stderr or done.stdout).strip()[-600:]
                raise AssayError(
                    f"{python}: expected a picture, found exit {done.returncode}; is bpy "
                    f"installed there? It said: {said}"
                )
            return np.asarray(open_rgb(picture))

    return run


def render_again(
    plan: Plan, rows: Sequence[dict[str, Any]], folder: Path, python: Path, samples: int
) -> Iterator[Again]:
    """Render specimens by Blender, save them and read their labels.

    Which object a pixel shows is still known from the analytic renderer, so shape, place and
    hidden parts are not tested anew; colours, and with them the answer, are read from Blender's
    pixels, by colour classes that were calibrated on the analytic renderer. Path tracing is
    noisy and not local, so limits of margin, chroma and locality do not apply.

    Parameters
    ----------
    rows : of the manifest.
    folder : the pictures go into its `PICTURES`.
    python : an interpreter that has `bpy`.
    samples : paths per pixel.

    Raises
    ------
    AssayError
        As `blender_run`.
    """
    width, height = size_px(plan.sizes[0])
    timeout_s = 60 + 2e-5 * samples * width * height
    engine = blender_engine(blender_run(python, timeout_s), samples)
    limits = limits_of(plan, width, height)
    for row in rows:
        specimen = specimen_of(row)[0]
        for variant in scenes_of(specimen):
            item = specimen if isinstance(specimen, Item) else specimen.item(variant)
            yield _again(item, engine(item.scene, width, height), folder / PICTURES, limits)


def _again(item: Item, rendered: Rendered, folder: Path, limits: Limits) -> Again:
    save(picture(rendered), folder / picture_name(item.id))
    findings = verify_item(item, rendered, limits=limits)
    named = [finding for finding in findings if finding.code in {"color", *_LABEL}]
    return Again(
        id=item.id,
        label=not any(finding.code in _LABEL for finding in named),
        n_objects=len(item.scene.objects),
        n_colors=len(item.scene.objects) - sum(f.code == "color" for f in named),
        messages=tuple(map(str, named)),
    )


__all__ = ["PICTURES", "Again", "blender_run", "render_again"]
