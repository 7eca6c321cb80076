"""Study files: what is accepted, and every fault with its file, key and expectation."""

from pathlib import Path

import pytest

from harness.errors import StudyError
from harness.gates.frozen import frozen_thresholds
from harness.study import load_study, unpinned
from harness.types import ModelSpec

STUDIES = Path(__file__).parents[3] / "evals/studies"
MINI = (STUDIES / "mini.toml").read_text(encoding="utf-8")


def load(tmp_path: Path, text: str) -> None:
    path = tmp_path / "s.toml"
    path.write_text(text, encoding="utf-8")
    load_study(path)


def test_every_study_of_the_repository_is_valid(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARNESS_DATA", "/data")
    paths = sorted(STUDIES.glob("*.toml"))
    assert len(paths) >= 2
    for path in paths:
        assert load_study(path).name == path.stem


def test_the_default_study_says_what_its_file_says() -> None:
    study = load_study(STUDIES / "mini.toml")
    assert study.tiers == {"canary": 60, "full": None}
    assert study.experiments["digits-qa"].data == ("digits",)
    assert study.decoding.greedy and study.decoding.batch_sizes == (16, 8, 4, 1)
    assert Path(study.models["micro-sft"].source["path"]).name == "micro-sft"
    assert study.thresholds["min_parse_rate"] == 0.95


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("level = 0.95\n", "", r"s.toml: gates.level: expected a value, found none"),
        ("level = 0.95\n", "level = 95\n", r"gates.level: .*less than 1, found 95"),
        ("seed = 20261130", "seed = '1'", r"study.seed: .*integer, found '1'"),
        ("n = 60", "n = 0.1", r"tiers.canary.n: .*integer, found 0.1"),
        ("[tiers.canary]", "[tiers.smoke]", r"tiers.smoke.*'canary' or 'full'"),
        ('split = "test"\n\n[data.d', 'split = "test"\nslpit = 1\n[data.d', r"slpit: expected no"),
        ('kind = "baseline", name = "random"', 'kind = "best"', r"models.random.source"),
        ('reader = "digits"', 'reader = "digit"', r"data.digits.reader: .*found 'digit'"),
        ('word = "{question}"', 'word = "Answer."', r"prompts.word: expected \{question\}"),
        ('word = "{question}"', 'word = "{question} {hint}"', r"prompts.word"),
        ("[16, 8, 4, 1]", "[8, 16]", r"decoding.batch_sizes: expected a strictly falling"),
        ("[16, 8, 4, 1]", "[]", r"decoding.batch_sizes: expected a strictly falling"),
        ("max_new_tokens = 8", "max_new_tokens = 8\ntop_k = 1", r"expected temperature beside"),
        ('data = ["digits"]', 'data = ["digits", "digits"]', r"a name stands twice"),
        ('data = ["digits"]', "data = []", r"expected at least one name"),
        (
            "[experiments.controls]",
            "[experiments.controls]\nafter = ['x']",
            r"controls.after: .*'x'",
        ),
        (
            "[experiments.controls]",
            "[experiments.controls]\nafter = ['controls']",
            r"`after` to end .* found controls after controls",
        ),
        ("[models.micro-sft]", '[models."micro sft"]', r"models.micro sft: expected a name"),
        ("[study]", "[study", r"not valid TOML"),
    ],
)
def test_a_fault_names_its_key(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in MINI
    with pytest.raises(StudyError, match=message):
        load(tmp_path, MINI.replace(old, new))


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    text = MINI.replace("level = 0.95\n", "").replace("seed = 20261130", "seed = -1")
    with pytest.raises(StudyError) as error:
        load(tmp_path, text)
    assert "gates.level" in str(error.value) and "study.seed" in str(error.value)


def test_a_missing_file_and_an_unset_variable_are_told(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match=r"none.toml: expected a study file, found none"):
        load_study(tmp_path / "none.toml")
    with pytest.raises(StudyError, match="expected the environment to set NOWHERE_SET"):
        reader = 'reader = "digits"'
        load(tmp_path, MINI.replace(reader, reader + '\npath = "$NOWHERE_SET"'))


@pytest.mark.parametrize("revision", ["main", "v1", "a" * 39, "A" * 40, "a" * 41])
def test_only_forty_hex_digits_pin_a_hub_model(revision: str) -> None:
    def spec(text: str) -> ModelSpec:
        return ModelSpec(name="m", source={"kind": "hub", "id": "a/b", "revision": text})

    reason = unpinned(spec(revision))
    assert reason is not None and repr(revision) in reason
    assert unpinned(spec("0123456789" * 4)) is None


def sourced(name: str, **given: str) -> str:
    """A data entry that says where its file can be got."""
    source = {"repo": "a/b", "revision": "0123456789" * 4, "file": "b.tsv", **given}
    pairs = ", ".join(f'{key} = "{value}"' for key, value in source.items())
    return (
        f'[data.{name}]\nreader = "r1-onevision-bench"\nsplit = "train"\n'
        f'path = "x/b.tsv"\nsource = {{ {pairs} }}\n'
    )


def test_a_source_of_data_is_checked_and_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    path.write_text(MINI + sourced("x") + sourced("y"), encoding="utf-8")
    study = load_study(path)
    assert study.data["x"].source == {
        "repo": "a/b",
        "revision": "0123456789" * 4,
        "file": "b.tsv",
    }
    assert dict(study.data["x"].options) == {}
    assert study.frozen == load_study(STUDIES / "mini.toml").frozen
    load(tmp_path, MINI + sourced("x", file="x/b.tsv"))
    for entries, message in [
        (sourced("x", repo="b"), "data.x.source.repo: .*found 'b'"),
        (sourced("x", repo="a/b c"), "data.x.source.repo: .*found 'a/b c'"),
        (sourced("x", revision="main"), "data.x.source.revision: .*found 'main'"),
        (sourced("x", file="/b.tsv"), "data.x.source.file: .*found '/b.tsv'"),
        (sourced("x", folder="x"), "data.x.source.folder: expected no such key"),
        (sourced("x", file="c.tsv"), "data.x.source.file: expected the end of data.x.path"),
        (sourced("x") + sourced("y", repo="a/c"), "data.y.source: expected one source of x/b.tsv"),
    ]:
        with pytest.raises(StudyError, match=message):
            load(tmp_path, MINI + entries)


def test_data_that_nothing_names_freezes_nothing(tmp_path: Path) -> None:
    """An entry that is added after the first run, for later, is no change of what was judged."""
    path = tmp_path / "s.toml"
    subset = 'subset = { kind = "stratified", n = 20, seed = 1 }\nn = { canary = 5 }\n'
    entry = f'[data.later]\nreader = "digits"\nsplit = "test"\n{subset}'
    first = load_study(STUDIES / "mini.toml").frozen
    path.write_text(MINI + entry, encoding="utf-8")
    assert frozen_thresholds(load_study(path).frozen, first).go
    for named in (
        (MINI + entry).replace('data = ["digits"]', 'data = ["digits", "later"]', 1),
        (MINI + entry).replace('held_out = "mini-r1-642"', 'held_out = "later"', 1),
        (MINI + entry).replace('audit = "scenes-audit"', 'audit = "later"', 1),
    ):
        path.write_text(named, encoding="utf-8")
        found = load_study(path).frozen
        assert "later" in found["data_n"] and "later" in found["data_subset"]


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("seed = 20261130", "seed = 1", "seed"),
        ("n = 60", "n = 61", "tiers"),
        ("level = 0.95", "level = 0.9", "level"),
    ],
)
def test_what_chooses_the_sample_is_frozen_with_the_thresholds(
    tmp_path: Path, old: str, new: str, name: str
) -> None:
    """A re-rolled sample is as good as a moved threshold, so the gate names it too."""
    path = tmp_path / "s.toml"
    path.write_text(MINI.replace(old, new, 1), encoding="utf-8")
    first = load_study(STUDIES / "mini.toml").frozen
    verdict = frozen_thresholds(load_study(path).frozen, first)
    assert not verdict.go
    assert all(name in str(issue) for issue in verdict.issues)
    assert frozen_thresholds(first, first).go


def test_what_locks_and_what_names_the_tables_is_frozen(tmp_path: Path) -> None:
    study = load_study(STUDIES / "mini.toml")
    path = tmp_path / "mini.toml"
    edits = [
        ("token_budgets = [32]", "token_budgets = [16]", ["robustness.token_budgets"]),
        ('design = "mini-r1-300"', 'design = "mini-r1"', ["robustness.design"]),
        (
            "[experiments.held-out-gate]\n",
            '[experiments.held-out-gate]\nafter = ["signal-pilot"]\n',
            ["after.held-out-gate"],
        ),
    ]
    for old, new, changed in edits:
        assert MINI.count(old) == 1
        path.write_text(MINI.replace(old, new), encoding="utf-8")
        edited = load_study(path)
        for now, first in ((edited, study), (study, edited)):
            verdict = frozen_thresholds(now.frozen, first.frozen)
            assert [issue.where for issue in verdict.issues] == changed
    assert edited.experiments["held-out-gate"].after == ("signal-pilot",)
