"""What is known before a model is loaded: the plan, and every fault of study, data, models."""

import pytest

from harness.tests.plugin.project import _ROOT, _WITHOUT, STUDY, Project


def test_collect_only_prints_the_plan_and_imports_no_torch(project: Project) -> None:
    project.write(
        "evals/test_guard.py",
        "import sys\n\ndef test_it():\n    pass\n",
    )
    arguments = [*_WITHOUT, "-m", "canary", "--collect-only", "-q"]
    probe = (
        f"import sys, time, pytest; code = pytest.main({arguments});"
        "heavy = {'torch', 'transformers', 'pandas', 'sklearn'} & set(sys.modules);"
        "print('heavy:', sorted(heavy));"
        "print('seconds:', time.process_time());"
        "sys.exit(code)"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(_ROOT))
        result = project.pytester.runpython_c(probe)
    assert result.ret == 0
    # Processor time, which a busy machine does not stretch.
    assert float(result.outlines[-1].removeprefix("seconds: ")) < 2.0
    result.stdout.fnmatch_lines(["*assay: study tiny, 3 cells, *gates, 72 rows*", "heavy: [[][]]"])
    assert not (project.path / "reports").exists()


FAULTS = {
    "unknown key": (
        STUDY.replace("seed = 1", "seed = 1\nsped = 2"),
        "mini.toml: study.sped: expected no such key, found 2",
    ),
    "unknown model": (
        STUDY.replace('prompts = ["word"]', 'prompts = ["word"]\nmodels = ["best"]'),
        "mini.toml: experiments.visual-shapes.models: expected one of ['good'], found 'best'",
    ),
    "unset variable": (
        STUDY.replace('split = "test"', 'split = "test"\npath = "$NOT_SET_HERE/x"'),
        "data.visual-shapes.path: expected the environment to set NOT_SET_HERE",
    ),
    "branch as revision": (
        STUDY.replace(
            'kind = "fake"\nbehaviour = "gold"', 'kind = "hub"\nid = "a/b"\nrevision = "main"'
        ),
        "models.good: a/b is not on this machine*hf download a/b *40 hex digits, found 'main'",
    ),
    "missing directory": (
        STUDY.replace('kind = "fake"\nbehaviour = "gold"', 'kind = "local"\npath = "nowhere"'),
        "models.good*nowhere*",
    ),
    "missing directory beside missing data": (
        STUDY.replace(
            'kind = "fake"\nbehaviour = "gold"', 'kind = "local"\npath = "nowhere"'
        ).replace('split = "test"', 'split = "tset"'),
        "models.good*nowhere*",
    ),
    "study name with a path": (
        STUDY.replace('name = "tiny"', 'name = "../tiny"'),
        "mini.toml: study.name: expected a name of*found '../tiny'",
    ),
    "infinite threshold": (STUDY.replace("level = 0.95", "level = inf"), "gates.level: *"),
    "predictions for no data": (
        STUDY.replace(
            'kind = "fake"\nbehaviour = "gold"',
            'kind = "replay"\npredictions = { zz = { path = "x" } }',
        ),
        "models.good.source.predictions.zz: expected one of ['visual-shapes']",
    ),
    "unknown fake": (STUDY.replace('"gold"', '"golden"'), "models.good*golden*"),
    "no such device": (STUDY, "--device: expected auto, cpu, cuda or cuda:<i>, found 'gpu7'"),
    "unknown split": (STUDY.replace('split = "test"', 'split = "tset"'), "*tset*"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_told_before_any_model_loads(project: Project, fault: str) -> None:
    text, message = FAULTS[fault]
    project.study(text)
    device = ["--device=gpu7"] if "device" in fault else []
    result = project.run("-m", "full", *device)
    assert result.ret == 4
    result.stderr.fnmatch_lines([f"*{message.replace('[', '[[]')}*"])
    assert not list(project.path.glob("reports/runs/*/responses"))


_PART = """
[data.{name}]
reader = "visual-shapes"
split = "test"
subset = {{ kind = "stratified", n = 20, seed = {seed}, part = "{part}" }}
"""
_TABLES = """
[robustness]
models = ["good"]
focus = "good"
whole = "visual-shapes"
design = "drawn"
held_out = "rest"
paper = "word"
evidence = "word"
token_budgets = [8]
"""


def test_a_development_question_in_the_held_out_part_is_told_before_any_model_loads(
    project: Project,
) -> None:
    """No experiment uses the parts; the tables name them."""
    for seed in (2, 1):
        parts = [
            _PART.format(name="drawn", seed=1, part="selected"),
            _PART.format(name="rest", seed=seed, part="rest"),
        ]
        project.study("".join((STUDY, *parts, _TABLES)))
        result = project.run("-m", "canary")
        if seed == 1:
            assert result.ret == 0
        else:
            assert result.ret == 4
            result.stderr.fnmatch_lines(
                [
                    "*mini.toml: robustness.held_out: rest: * held-out example(s) were seen in *",
                    "*robustness.whole: visual-shapes: expected drawn and rest to be its parts, *",
                ]
            )
            assert not list(project.path.glob("reports/runs/*/responses"))


def test_without_a_tier_no_experiment_runs_and_the_header_says_so(project: Project) -> None:
    result = project.run()
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    result.stdout.fnmatch_lines(["assay: no tier named*-m canary or -m full*"])
    assert not (project.path / "reports").exists()


def test_a_test_beside_a_function_named_cells_is_not_taken_for_an_experiment(
    project: Project,
) -> None:
    project.write(
        "test_other.py", "def cells():\n    return 3\n\ndef test_it():\n    assert cells() == 4\n"
    )
    result = project.run("test_other.py")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*1 failed*"])
