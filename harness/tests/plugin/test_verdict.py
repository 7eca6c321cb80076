"""GO and NO-GO: exit status, last lines, and what is named."""

import json

import pytest

from harness.tests.plugin.project import STUDY, Project


def last_lines(result: pytest.RunResult) -> str:
    """From the verdict on."""
    lines = [line for line in result.outlines if line.strip()]
    start = max(i for i, line in enumerate(lines) if line.startswith(("GO", "NO-GO")))
    return "\n".join(lines[start:])


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_good_model_is_go(project: Project, workers: str) -> None:
    result = project.run("-m", "canary", "-n", workers)
    assert result.ret == 0
    assert last_lines(result) == "GO"
    metrics = project.metrics()
    assert metrics["verdict"] == {"go": True, "reasons": []}
    assert {c["view"] for c in metrics["cells"]} == {"clean", "shuffled", "blank"}
    clean = next(c for c in metrics["cells"] if c["view"] == "clean")
    assert (clean["n"], clean["n_correct"]) == (24, 24)
    assert {g["gate"] for g in metrics["gates"]} == {
        "thresholds",
        "completeness",
        "scorer-integrity",
        "parseability",
        "comparability",
        "batch-invariance",
        "visual-dependency",
    }
    junit = (project.latest / "junit.xml").read_text()
    assert "assay.accuracy" in junit
    assert "hostname" not in junit
    for name in ("junit.xml", "metrics.json", "report.md", "report.zh.md"):
        assert str(project.path) not in (project.latest / name).read_text()
    assert len([p for p in (project.path / "reports").iterdir() if "canary" in p.name]) == 1


def test_a_model_that_ignores_the_picture_is_no_go(project: Project) -> None:
    project.model("ignore-image")
    result = project.run("-m", "canary")
    assert result.ret == 1
    assert "gate canary:visual-dependency/visual-shapes/visual-shapes/good/blank/word" in (
        last_lines(result)
    )
    assert not project.metrics()["verdict"]["go"]


def test_an_unparsable_model_is_no_go(project: Project) -> None:
    project.model("unparsable")
    result = project.run("-m", "canary")
    assert result.ret == 1
    assert "gate canary:parseability/visual-shapes" in last_lines(result)


def test_answers_that_depend_on_the_batch_are_no_go(project: Project) -> None:
    project.model("batch-sensitive")
    result = project.run("-m", "canary", "-k", "batch-invariance")
    assert result.ret == 1
    assert "gate canary:batch-invariance/visual-shapes" in last_lines(result)


def test_a_missing_row_is_no_go_and_named(project: Project) -> None:
    assert project.run("-m", "canary").ret == 0
    victim = None
    for path in sorted((project.path / "reports/runs").glob("*/responses/*.jsonl")):
        lines = path.read_text().splitlines(keepends=True)
        if len(lines) == 24:
            victim = json.loads(lines[3])["example_id"]
            path.write_text("".join(lines[:3] + lines[4:]))
            (path.parents[1] / "SEALED.json").unlink()
            break
    assert victim is not None
    result = project.run("-m", "canary", "--no-generate")
    assert result.ret == 1
    assert victim in last_lines(result)


def test_a_removed_row_under_a_seal_is_refused(project: Project) -> None:
    assert project.run("-m", "canary").ret == 0
    path = sorted((project.path / "reports/runs").glob("*/responses/*.jsonl"))[0]
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[1:]))
    result = project.run("-m", "canary", "--no-generate")
    assert result.ret == 1
    assert "seal" in last_lines(result).lower()


def test_a_threshold_changed_after_the_first_response_is_no_go(project: Project) -> None:
    assert project.run("-m", "canary").ret == 0
    project.study(STUDY.replace("min_parse_rate = 0.95", "min_parse_rate = 0.5"))
    result = project.run("-m", "canary")
    assert result.ret == 1
    said = last_lines(result)
    assert "gate canary:thresholds/visual-shapes" in said
    assert "min_parse_rate" in said and "0.95" in said and "0.5" in said
    assert project.metrics()["study"]["thresholds_first"]["min_parse_rate"] == 0.95


def test_rows_that_broke_are_no_go_with_their_errors(project: Project) -> None:
    project.model("error-on", ids=["visual-shapes-test-0005", "visual-shapes-test-0007"])
    project.study((project.path / "evals/studies/mini.toml").read_text().replace("n = 24", ""))
    result = project.run("-m", "canary")
    assert result.ret == 1
    said = last_lines(result)
    assert "gate canary:completeness/visual-shapes: [infrastructure]" in said
    assert "visual-shapes-test-0005: ValueError" in said


def test_an_item_that_passes_without_a_result_is_no_go(project: Project) -> None:
    path = project.path / "evals/test_visual_shapes.py"
    source = path.read_text()
    path.write_text(source.replace("    run(cell)", "    pass"))
    result = project.run("-m", "canary")
    assert result.ret == 1
    assert "clean/word: passed without a result" in last_lines(result)
    caught = "    try:\n        judge(gate)\n    except Exception:\n        pass"
    path.write_text(source.replace("    judge(gate)", caught))
    project.model("ignore-image")
    result = project.run("-m", "canary")
    assert result.ret == 1
    assert "passed without a result" in last_lines(result)


def test_a_go_over_a_part_says_what_was_left_out(project: Project) -> None:
    project.model("unparsable")
    result = project.run("-m", "canary", "-k", "comparability")
    assert result.ret == 0
    assert last_lines(result) == "GO, in part: -k comparability"
    assert project.metrics()["run"]["selection"] == ["-k comparability"]
    assert "Selection: -k comparability" in (project.latest / "report.md").read_text()


def test_an_experiment_without_a_file_is_no_go(project: Project) -> None:
    typo = '[experiments.visual-shape]\ndata = ["visual-shapes"]\nprompts = ["word"]\n[models.g'
    project.study(STUDY.replace("[models.g", typo))
    result = project.run("-m", "canary")
    assert result.ret == 1
    assert "experiment visual-shape: named by the study" in last_lines(result)
    assert "expected a file test_visual_shape.py" in last_lines(result)


def test_a_failed_preflight_freezes_nothing(project: Project) -> None:
    broken = STUDY.replace("0.95", "0.9").replace('split = "test"', 'split = "tset"')
    project.study(broken)
    assert project.run("-m", "canary").ret == 4
    project.study(STUDY)
    assert project.run("-m", "canary").ret == 0


def test_paths_are_taken_from_the_current_folder(project: Project) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(project.path / "evals")
        result = project.run("-m", "canary", "--study=studies/mini.toml", "--reports=here", "-n2")
    assert result.ret == 0
    assert (project.path / "evals/here/latest/metrics.json").exists()


def test_reports_that_cannot_be_written_are_no_go(project: Project) -> None:
    result = project.run("-m", "canary", "--reports=evals/test_visual_shapes.py", "--runs=runs")
    assert result.ret == 1
    assert "reports: " in last_lines(result)


def test_no_gate_means_no_go(project: Project) -> None:
    result = project.run("-m", "canary", "-k", "test_cell")
    assert result.ret == 1
    assert "no gate was judged" in last_lines(result)


def test_nothing_collected_is_no_go(project: Project) -> None:
    result = project.run("-m", "canary", "-k", "nothing_like_this")
    assert result.ret == 1
    assert "no gate was judged" in last_lines(result)


def test_a_skipped_item_is_no_go(project: Project) -> None:
    path = project.path / "evals/test_visual_shapes.py"
    skip = "    if cell.view.name == 'blank':\n        pytest.skip('not today')\n    run(cell)"
    path.write_text("import pytest\n" + path.read_text().replace("    run(cell)", skip))
    result = project.run("-m", "canary")
    assert result.ret == 1
    assert "never skipped" in last_lines(result)


def test_an_empty_grid_is_no_go(project: Project) -> None:
    path = project.path / "evals/test_visual_shapes.py"
    path.write_text(path.read_text().replace('("clean", "shuffled", "blank")', "()"))
    result = project.run("-m", "canary")
    assert result.ret == 1
    assert "expected at least one cell" in last_lines(result)


def test_no_cells_and_no_gates_at_all_is_no_go(project: Project) -> None:
    """An empty list of parameters alone would exit 0."""
    path = project.path / "evals/test_visual_shapes.py"
    source = path.read_text().replace("(study):\n", "(study):\n    return []\n")
    path.write_text(source)
    result = project.run("-m", "canary")
    assert result.ret == 1
    said = last_lines(result)
    assert "visual-shapes: expected cells(study) to give at least one value" in said


def test_responses_that_cannot_be_stored_are_no_go_and_the_next_run_makes_them(
    project: Project,
) -> None:
    """AT-105: a full disk fails the item, by name."""
    project.write(
        "full_disk.py",
        """
import errno
from harness import segments

write, n_writes = segments._write_all, 0

def full(descriptor, data):
    global n_writes
    n_writes += 1
    if n_writes > 3:
        raise OSError(errno.ENOSPC, "No space left on device")
    write(descriptor, data)

segments._write_all = full
""",
    )
    result = project.run("-m", "canary", "-p", "full_disk")
    assert result.ret == 1
    said = last_lines(result)
    assert "No space left on device" in said and "s000.jsonl" in said
    assert project.run("-m", "canary").ret == 0
    assert {c["n"] for c in project.metrics()["cells"]} == {24}


def test_a_tier_runs_alone_and_an_unnamed_experiment_is_left_out(project: Project) -> None:
    source = (project.path / "evals/test_visual_shapes.py").read_text()
    project.write("evals/test_other_thing.py", source)
    result = project.run("-m", "full", "--collect-only", "-q")
    assert result.ret == 0
    items = [line for line in result.outlines if "::" in line]
    assert items and all("[full:" in line and "other_thing" not in line for line in items)


def test_an_experiment_may_have_gates_alone(project: Project) -> None:
    text = """
from harness import Gate, Verdict

def gates(study):
    def judge(results):
        assert results == []
        return Verdict(gate="lone", issues=())
    return [Gate(name="lone", subject="SUBJECT", tier=study.tier, cells=(), judge=judge)]

def test_gate(gate, judge):
    judge(gate)
"""
    project.write("evals/test_visual_shapes.py", text.replace("SUBJECT", "visual-shapes/x"))
    assert project.run("-m", "canary").ret == 0
    project.write("evals/test_visual_shapes.py", text.replace("SUBJECT", "another/x"))
    result = project.run("-m", "canary")
    assert result.ret == 1
    assert "experiment visual-shapes: named by the study" in last_lines(result)
