"""What workers can do to a run: crash, lose a report, disagree on the order."""

import json
import re
from types import SimpleNamespace
from typing import Any

import pytest

from harness.plugin.options import _check_distribution
from harness.tests.plugin.project import STUDY, Project
from harness.tests.plugin.test_verdict import last_lines


def test_every_item_gets_a_report_however_often_workers_die(project: Project) -> None:
    """AT-64, 70: a death costs its own item; xdist alone would give up and drop what is left.

    Gates pull the dying cells too, so workers die more often than there are such cells.
    """
    dies = 'kind = "fake"\nbehaviour = "die-on"\nids = ["visual-shapes-test-0005"]'
    project.study(
        STUDY.replace("n = 24", "n = 120").replace(
            'behaviour = "gold"', f'behaviour = "gold"\n[models.dies.source]\n{dies}'
        )
    )
    result = project.run("-m", "canary", "-n", "2")
    assert result.ret == 1
    said = last_lines(result)
    dead = [line for line in said.splitlines() if "crashed while running" in line]
    assert len([line for line in dead if "test_cell[" in line]) == 3
    assert len(dead) >= 9
    assert "no report came back" not in said
    cells = project.metrics()["cells"]
    assert len([cell for cell in cells if cell["model"] == "good"]) == 3


def test_a_lost_report_is_no_go(project: Project) -> None:
    """A session without one of its reports would otherwise exit 0."""
    project.write(
        "lose.py",
        """
import pytest

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    if "test_cell" in item.nodeid and "blank" in item.nodeid:
        return True
""",
    )
    result = project.run("-m", "canary", "-p", "lose", "-n", "2")
    assert result.ret == 1
    assert "collected, but no report came back" in last_lines(result)


def test_a_property_that_cannot_travel_does_not_hide_a_failure(project: Project) -> None:
    project.write(
        "evals/test_visual_shapes.py",
        """
import pathlib
import numpy
from harness import grid

VALUES = {"clean": pathlib.Path("x"), "shuffled": numpy.float64(1.5), "blank": {1, 2}}

def cells(study):
    return grid(study, views=tuple(VALUES))

def test_cell(cell, run, record_property):
    run(cell)
    record_property("thing", VALUES[cell.view.name])
    assert False, f"on purpose: {cell.view.name}"
""",
    )
    result = project.run("-m", "canary", "-n", "2")
    assert result.ret == 1
    said = last_lines(result)
    assert [said.count(f"on purpose: {view}") for view in ("clean", "shuffled", "blank")] == [1] * 3


def test_a_message_that_cannot_travel_does_not_hide_a_failure(project: Project) -> None:
    """AT-105: execnet refuses a lone surrogate, the report is lost, and pytest exits 0."""
    project.write("test_plain.py", 'def test_it():\n    raise ValueError("\\ud800")\n')
    result = project.run("-n", "2", "test_plain.py")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*1 failed*"])


def test_order_and_ids_do_not_depend_on_the_hash_seed(project: Project) -> None:
    """AT-69: a set of views would give each worker another order."""
    path = project.path / "evals/test_visual_shapes.py"
    path.write_text(
        path.read_text().replace('("clean", "shuffled", "blank")', '{"clean", "shuffled", "blank"}')
    )
    runs = [
        project.run("-m", "canary", "--collect-only", "-q", PYTHONHASHSEED=seed).outlines
        for seed in ("1", "2")  # which give the set two orders
    ]
    assert runs[0][:-2] == runs[1][:-2]
    assert project.run("-m", "canary", "-n", "2").ret == 0


def test_workers_shards_and_one_process_leave_the_same_records(project: Project) -> None:
    """AT-59, 60, 62, 63, 65, 67, 111: byte for byte, in one run folder, under equal ids."""
    found = []
    for args in (["-n", "0"], ["-n", "3"], ["-n", "2", "--shards", "3"]):
        assert project.run("-m", "full", *args).ret == 0
        metrics = project.metrics()
        found.append((project.records(), settled(metrics["cells"]), metrics["gates"]))
        assert len(list((project.path / "reports").glob("*-full-*"))) == 1
        project.pytester.run("rm", "-rf", "reports")
    assert found[0] == found[1] == found[2]
    assert len(found[0][1]) == 3


def settled(cells: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Cells without what says how the work was shared out, which no result depends on."""
    shared = ("batch_size", "busy_share", "device", "n_generated", "peak_memory_gib", "seconds")
    return [{name: value for name, value in c.items() if name not in shared} for c in cells]


def test_a_run_killed_with_its_workers_resumes_with_another_number(project: Project) -> None:
    """AT-31, 33, 38, 72: SIGKILL of the whole process group, then other worker counts."""
    assert project.run("-m", "full").ret == 0
    expected = project.records()
    project.pytester.run("rm", "-rf", "reports")
    text = STUDY.replace('behaviour = "gold"', 'behaviour = "gold"\nslow_s = 0.01')
    project.study(text)
    for n_records, workers in ((5, "0"), (61, "3"), (110, "2")):
        project.kill(n_records, "-m", "full", "-n", workers, "--shards", "2")
    assert project.run("-m", "full", "-n", "2").ret == 0
    found = project.records()
    assert sorted(map(plain_lines, found.values())) == sorted(map(plain_lines, expected.values()))


def plain_lines(lines: list[str]) -> list[str]:
    """Records without the seed, which follows the key and so the fake's own options."""
    return sorted(re.sub(r'"seed":\d+', '"seed":0', line) for line in lines)


@pytest.mark.parametrize("workers", [["-n", "2"], ["--tx", "2*popen", "--dist", "load"]])
def test_goldens_are_not_updated_by_workers(project: Project, workers: list[str]) -> None:
    """AT-110: refused by the controller, whichever way its workers are asked for."""
    result = project.run("-m", "canary", *workers, "--snapshot-update", timeout_s=30)
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*--snapshot-update with workers*"])


def test_a_mode_that_can_lose_items_is_refused(project: Project) -> None:
    """AT-70: after a crash this mode leaves items unrun and never ends."""
    result = project.run("-m", "canary", "-n", "2", "--dist", "loadgroup", timeout_s=30)
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*--dist loadgroup: expected one of no, load, worksteal*"])


@pytest.mark.parametrize("mode", ["each", "loadfile", "loadgroup", "loadscope"])
def test_only_modes_that_hand_out_single_items_are_taken(mode: str) -> None:
    for good in ("no", "load", "worksteal"):
        _check_distribution(config(dist=good))
    _check_distribution(config())  # without pytest-xdist
    with pytest.raises(pytest.UsageError, match=f"--dist {mode}: expected"):
        _check_distribution(config(dist=mode))


def config(**options: object) -> Any:
    return SimpleNamespace(option=SimpleNamespace(**options))


def test_a_golden_that_differs_fails_and_names_the_file(project: Project) -> None:
    project.study(STUDY.replace("seed = 1\n", "seed = 1\ngolden = true\n"))
    assert project.run("-m", "canary").ret == 1
    assert project.run("-m", "canary", "--snapshot-update").ret == 0
    assert project.run("-m", "canary", "-n", "2").ret == 0
    name = "golden/cells/tiny/canary/visual-shapes/visual-shapes/good/clean/word.json"
    path = project.path / name
    pinned = json.loads(path.read_text())
    pinned["n_correct"] -= 1
    path.write_text(json.dumps(pinned, indent=1, sort_keys=True) + "\n")
    result = project.run("-m", "canary")
    assert result.ret == 1
    assert name in last_lines(result)
