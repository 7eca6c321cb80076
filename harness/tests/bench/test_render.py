"""One picture of six objects, by CPU time in one process, at the sizes that sets use."""

from __future__ import annotations

from typing import Any

import pytest

from harness.scenes.idpass import id_pass
from harness.scenes.render import render
from harness.tests.bench.test_paired import cpu_seconds
from harness.tests.scenes.rendered_scenes import drawn

pytestmark = pytest.mark.bench


@pytest.mark.parametrize(
    ("width", "height", "aim"),
    [(96, 72, 0.04), (160, 120, 0.1), (320, 240, 0.39), (480, 320, 0.66)],
)
def test_render(width: int, height: int, aim: float, benchmark: Any, capsys: Any) -> None:
    """The aim: 0.39 s at 320x240 and 0.66 s at 480x320, id pass and influence included."""
    scene = drawn(5, 6)
    spent = cpu_seconds(lambda: render(scene, width=width, height=height), 5)
    ids = cpu_seconds(lambda: id_pass(scene, width, height), 5)
    benchmark.pedantic(render, (scene,), {"width": width, "height": height}, rounds=3)
    benchmark.extra_info |= {"cpu_ms": round(1e3 * spent, 1), "id_pass_ms": round(1e3 * ids, 1)}
    with capsys.disabled():
        print(
            f"\nrender {width}x{height}: {1e3 * spent:.1f} ms of CPU (aim: {1e3 * aim:.0f}), "
            f"id pass {1e3 * ids:.1f} ms"
        )
    assert spent < aim
