"""Audits as gates: what a study states, what is NO-GO, and what is kept between runs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from harness.contamination import gates
from harness.contamination.gates import contamination_gates
from harness.errors import StudyError
from harness.study import Study, load_study

_STUDY = """
[study]
name = "small"
seed = 1
[tiers.canary]
n = 6
[tiers.full]
[experiments.contamination]
data = ["shapes"]
prompts = ["word"]
[models.majority]
source = {{ kind = "baseline", name = "majority" }}
[data.shapes]
reader = "visual-shapes"
split = "test"
[data.shapes-train]
reader = "visual-shapes"
split = "train"
{audits}
[prompts]
word = "{{question}}"
[decoding]
max_new_tokens = 8
batch_sizes = [1]
[gates]
level = 0.95
min_parse_rate = 0.0
max_infrastructure_share = 0.0
batch_invariance_n = 2
batch_invariance_size = 2
"""
_FILES = """
[contamination.problems]
train_file = { path = "train.jsonl", fields = ["problem"], id_field = "id" }
expect = "EXPECT"
[contamination.problems.eval_files.physics]
path = "eval.jsonl"
fields = ["problem"]
[contamination.problems.settings]
embedder = "hashing"
sample = 0
"""
_BALL = "A ball of mass 5 kg falls from a tower 20 m high; how long does it fall, without drag?"
_CLEAN = [
    "Two charges repel each other in a vacuum chamber; derive the force between both of them.",
    "Which wavelength does the sodium lamp of a spectrometer show in the first order maximum?",
]


def _study(folder: Path, audits: str) -> Study:
    (folder / "study.toml").write_text(_STUDY.format(audits=audits), encoding="utf-8")
    return load_study(folder / "study.toml")


def _files(folder: Path, rows: list[str]) -> None:
    for name, texts in (("train", rows), ("eval", [_BALL, *_CLEAN[1:]])):
        lines = [json.dumps({"id": f"{name}-{k}", "problem": t}) for k, t in enumerate(texts)]
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _judged(study: Study, folder: Path) -> tuple[list[str], dict[str, object]]:
    ready = replace(study, runs=folder / "runs").at("canary", "contamination")
    (gate,) = contamination_gates(ready)
    verdict = gate.judge([])
    return [issue.code for issue in verdict.issues], dict(verdict.facts)


@pytest.mark.parametrize(
    ("rows", "expect", "codes", "n_duplicates"),
    [
        ([_CLEAN[0]], "clean", [], 0),
        ([_CLEAN[0], _BALL.replace("5 kg", "7 kg")], "clean", ["contaminated"], 1),
        ([_CLEAN[0], _BALL.replace("5 kg", "7 kg")], "report", [], 1),
    ],
)
def test_duplicates_are_no_go_where_clean_rows_are_expected(
    tmp_path: Path, rows: list[str], expect: str, codes: list[str], n_duplicates: int
) -> None:
    _files(tmp_path, rows)
    found, facts = _judged(_study(tmp_path, _FILES.replace("EXPECT", expect)), tmp_path)
    assert found == codes
    assert (facts["rows"], facts["duplicates"]) == (len(rows), n_duplicates)
    assert all(facts["canaries"]["words"].values())  # type: ignore[index]


def test_a_removed_row_stands_in_the_table_beside_its_item(tmp_path: Path) -> None:
    _files(tmp_path, [*_CLEAN[:1], _BALL])
    study = replace(_study(tmp_path, _FILES.replace("EXPECT", "clean")), runs=tmp_path / "runs")
    verdict = contamination_gates(study.at("full", "contamination"))[0].judge([])
    (row,) = next(
        table for table in verdict.tables if table.name == "problems_contaminated_rows"
    ).rows
    assert (row["row"], row["eval_set"], row["item"], row["jaccard"]) == (
        "train-1", "physics", "0", 1.0,
    )  # fmt: skip


def test_data_of_the_study_are_audited_as_the_tier_samples_them(tmp_path: Path) -> None:
    audits = """
[contamination.shapes]
train = "shapes-train"
evals = ["shapes"]
[contamination.shapes.settings]
embedder = "hashing"
"""
    codes, facts = _judged(_study(tmp_path, audits), tmp_path)
    assert codes == []
    assert facts["rows"] == 6
    # Equal questions to other pictures: seen, and no contamination.
    assert facts["short_generic"] > 0  # type: ignore[operator]
    assert (tmp_path / "runs" / "audits" / "canary-shapes" / "scan" / "blocks.jsonl").exists()


def test_an_audit_that_misses_a_canary_is_no_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _files(tmp_path, [_CLEAN[0]])
    study = _study(tmp_path, _FILES.replace("EXPECT", "clean"))
    whole = gates.scan_file

    def blind(*given: object, **options: object) -> object:
        scan = whole(*given, **options)  # type: ignore[arg-type]
        missed = replace(scan.sightings[0], ok=False, found=None)
        return replace(scan, sightings=(missed, *scan.sightings[1:]))

    monkeypatch.setattr(gates, "scan_file", blind)
    codes, _ = _judged(study, tmp_path)
    assert codes == ["missed_canary"]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('embedder = "hashing"', "k = 0", "k: expected 1 to 100"),
        ('embedder = "hashing"', "tau = 0.5", "unknown 'tau'"),
        ('train_file = {', 'train = "shapes"\ntrain_file = {', "train_file, and not both"),
        ("[contamination.problems]", '[contamination.problems]\nevals = ["nil"]', "found 'nil'"),
        ('expect = "EXPECT"', 'expect = "good"', "expect"),
    ],
)  # fmt: skip
def test_a_fault_is_told_before_anything_runs(
    tmp_path: Path, old: str, new: str, told: str
) -> None:
    audits = _FILES.replace(old, new).replace("EXPECT", "clean")
    with pytest.raises(StudyError) as raised:
        contamination_gates(_study(tmp_path, audits).at("canary", "contamination"))
    assert told in str(raised.value)


def test_what_an_audit_goes_by_is_frozen(tmp_path: Path) -> None:
    first = _study(tmp_path, _FILES.replace("EXPECT", "clean")).frozen
    other = _study(tmp_path, _FILES.replace("EXPECT", "clean") + "k = 3\n").frozen
    assert first != other
    assert str(tmp_path) not in json.dumps(first)


def test_what_is_frozen_says_nothing_of_folders_and_addresses(tmp_path: Path) -> None:
    audits = _FILES.replace("EXPECT", "clean").replace('"train.jsonl"', '"/home/me/train.jsonl"')
    audits += """
judges = ["rule", "labels:/home/me/labels.csv", '{"kind": "endpoint", "base_url": "http://h"}']
[contamination.problems.settings.embedder]
kind = "endpoint"
base_url = "http://host:8000/v1"
model = "m"
[contamination.problems.eval_files.chemistry]
path = "../me/chemistry.jsonl"
"""
    study = _study(tmp_path, audits.replace('embedder = "hashing"\n', ""))
    found = study.frozen["contamination"]["problems"]
    assert found["train_file"]["path"] == "train.jsonl"
    assert found["eval_files"]["chemistry"]["path"] == "chemistry.jsonl"
    assert found["settings"]["embedder"] == {"kind": "endpoint", "model": "m"}
    assert found["settings"]["judges"][:2] == ["rule", "labels:labels.csv"]
    text = json.dumps(study.frozen)
    assert not any(part in text for part in ("/home", "me/", "host", "http"))


def test_a_study_without_an_audit_is_told(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match=r"\[contamination.NAME\]"):
        contamination_gates(_study(tmp_path, "").at("canary", "contamination"))
