"""Other engines: the job they get holds the whole scene, and what they return is checked."""

from __future__ import annotations

import ast
import json
from typing import Any

import numpy as np
import pytest

from harness.errors import DataError
from harness.scenes.blender_script import SCRIPT
from harness.scenes.engines import ENGINES, blender_engine, blender_job
from harness.scenes.render import render
from harness.tests.scenes.rendered_scenes import SCENES

SCENE = SCENES["jittered"]


def test_the_default_is_numpy() -> None:
    assert tuple(ENGINES) == ("numpy",)
    one, other = ENGINES["numpy"](SCENE, 32, 24), render(SCENE, width=32, height=24)
    assert np.array_equal(one.rgb, other.rgb)


def test_another_engine_gives_colours_and_numpy_the_ids() -> None:
    asked: list[dict[str, Any]] = []

    def run(script: str, job: dict[str, Any]) -> Any:
        assert script == SCRIPT
        asked.append(job)
        return np.full((24, 32, 3), 77, np.uint8)

    picture = blender_engine(run, samples=8)(SCENE, 32, 24)
    own = render(SCENE, width=32, height=24)
    assert (picture.rgb == 77).all()
    assert np.array_equal(picture.ids, own.ids)
    assert np.array_equal(picture.influence, own.influence)
    (job,) = asked
    assert json.loads(json.dumps(job)) == job
    assert [item["id"] for item in job["objects"]] == list(picture.object_ids)
    assert (job["width"], job["height"], job["samples"], job["seed"]) == (32, 24, 8, SCENE.seed)


@pytest.mark.parametrize(
    "wrong", [np.zeros((32, 24, 3), np.uint8), np.zeros((24, 32, 3)), np.zeros((24, 32), np.uint8)]
)
def test_a_picture_of_another_form_is_refused(wrong: Any) -> None:
    with pytest.raises(DataError, match=r"expected \(24, 32, 3\) uint8"):
        blender_engine(lambda script, job: wrong)(SCENE, 32, 24)


def test_no_samples_are_refused() -> None:
    with pytest.raises(DataError, match="at least 1 sample"):
        blender_job(SCENE, 32, 24, samples=0)


def test_the_script_reads_what_the_job_holds_and_nothing_else() -> None:
    tree = ast.parse(SCRIPT)
    keys: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(key))):
                keys.setdefault(name, set()).add(key)
    job = blender_job(SCENE, 32, 24)
    assert keys["job"] == set(job)
    assert keys["item"] == set(job["objects"][0])
    assert keys["light"] == set(job["lights"][0])
