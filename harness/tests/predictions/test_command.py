"""Stored responses exported, read back and scored, through the command."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.cells import grid
from harness.data.load import load_dataset
from harness.errors import DataError, StoreError
from harness.identity import cell_identity, cell_key
from harness.models.predictions import read_predictions
from harness.predictions.__main__ import main
from harness.predictions.asked import read_sidecar, sidecar_path
from harness.predictions.export import export
from harness.store import CellStore
from harness.study import Study
from harness.tests.rescore.made_runs import contents, questions
from harness.types import Response, Status

TEXTS = ["Yes.", "No.", "No.", "Yes, no doubt.", "A room.", "no"]
REVISION = "c" * 40


def put(
    runs: Path,
    study: Study,
    texts: Sequence[Sequence[str | None]] = (TEXTS,),
    *,
    seed: int = 1,
    view: str = "clean",
    truncated: bool = False,
) -> str:
    """Store a cell: the texts of each replicate; None failed. Gives its key."""
    spec = study.data["made"]
    dataset = load_dataset(
        spec.reader, name=spec.name, split=spec.split, path=spec.path, options=spec.options
    )
    (cell,) = grid(study.at("full", "made"), views=(view,))
    identity = cell_identity(replace(cell, base_seed=seed), dataset, {"behaviour": "gold"})
    kept = CellStore(runs, cell_key(identity), identity)
    usual: Status = "truncated" if truncated else "ok"
    responses = [
        Response(
            example_id=example.id, replicate=replicate, status="error" if text is None else usual,
            text=text, error="x" if text is None else None,
        )
        for replicate, said in enumerate(texts)
        for example, text in zip(dataset.examples, said, strict=True)
    ]  # fmt: skip
    with kept.generating(None):
        with kept.writing() as writer:
            made = [[r.example_id, r.replicate, r.attempt] for r in responses]
            writer.append(responses, {"run": "made", "made": made})
        kept.seal()
    return cell_key(identity)


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return questions(tmp_path / "study", len(TEXTS))


def score(study: Study, file: str, *more: str) -> int:
    return main(["score", file, "--study", str(study.path), "--data", "made", *more])


def test_a_cell_is_exported_continued_and_scored(
    tmp_path: Path, study: Study, capsys: pytest.CaptureFixture[str]
) -> None:
    runs, path = tmp_path / "runs", tmp_path / "p.jsonl"
    put(runs, study)
    before = contents(runs)
    command = ["export", str(runs), "--out", str(path), "--study", str(study.path)]
    assert main(command) == 0
    assert capsys.readouterr().out == "p.jsonl: 6 rows, 6 new\n"
    assert contents(runs) == before
    first = path.read_bytes()
    assert main(command) == 0 and path.read_bytes() == first
    path.write_bytes(b"".join(first.splitlines(keepends=True)[:4]))
    assert main(command) == 0 and path.read_bytes() == first
    assert capsys.readouterr().out.endswith("p.jsonl: 6 rows, 2 new\n")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert [row["prediction"] for row in rows] == ["yes", "no", "no", "yes", "__invalid__", "no"]
    assert [row["raw_prediction"] for row in rows] == TEXTS
    assert rows[0]["seed"] == 1 and rows[0]["model_revision"].startswith("sha256:")
    assert read_predictions(path, {})["4"] == "A room."

    assert score(study, str(path), "--json", str(tmp_path / "s.json")) == 0
    said = capsys.readouterr().out
    document = json.loads((tmp_path / "s.json").read_text())
    ours = document["scorers"]["default of raw_prediction"]["by_seed"][0]
    assert ours["accuracy"]["value"] == 0.5 and ours["f1"]["value"] == pytest.approx(0.4)
    assert document["formal_comparison"] is False and document["coverage"] == 1.0
    assert document["asked_is_known"] and document["data"]["claim_level"] == "L2"
    assert str(tmp_path) not in json.dumps(document) + sidecar_path(path).read_text()
    assert "made/random (L2)" in said and "no comparison over seeds" in said


def test_failures_get_no_row_and_cut_texts_no_prediction(
    tmp_path: Path, study: Study, capsys: pytest.CaptureFixture[str]
) -> None:
    runs, path = tmp_path / "runs", tmp_path / "p.jsonl"
    put(runs, study, [[None, *TEXTS[1:]]], truncated=True)
    command = ["export", str(runs), "--out", str(path), "--study", str(study.path)]
    command += ["--model-id", "org/m", "--model-revision", REVISION]
    assert main(command) == 1
    assert "without an answer of the model: 0" in capsys.readouterr().out
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(rows) == 5 and not any(row["prediction_valid"] for row in rows[:4])
    assert {(row["model_id"], row["model_revision"]) for row in rows} == {("org/m", REVISION)}
    sidecar = read_sidecar(path)
    assert sidecar is not None and sidecar["left_out"] == ["0"]
    assert sidecar["outcomes"]["runtime_error"] == 1 and sidecar["outcomes"]["truncated"] > 0
    assert score(study, str(path)) == 2
    assert "1 of 6 examples have no row: 0" in capsys.readouterr().err
    assert score(study, str(path), "--partial") == 0
    assert "Scored on 5 of 6 questions." in capsys.readouterr().out


def test_replicates_and_base_seeds_are_files_of_their_own(
    tmp_path: Path, study: Study, capsys: pytest.CaptureFixture[str]
) -> None:
    runs, out = tmp_path / "runs", str(tmp_path / "p-{seed}.jsonl")
    put(runs, study, [TEXTS, ["no"] * 6], seed=1)
    put(runs, study, [["yes"] * 6], seed=7)
    with pytest.raises(DataError, match=r"expected \{seed\} in the path.*3 seeds \(1, 2, 7\)"):
        export([runs], [study], str(tmp_path / "p.jsonl"))
    assert [file.path.name for file in export([runs], [study], out)] == [
        "p-1.jsonl", "p-2.jsonl", "p-7.jsonl",
    ]  # fmt: skip
    assert score(study, out, "--seeds", "1,2,7", "--json", str(tmp_path / "s.json")) == 0
    document = json.loads((tmp_path / "s.json").read_text())
    found = document["scorers"]["protocol of prediction"]["over_seeds"]["accuracy"]
    assert (found["mean"], found["sample_std"], found["n"]) == (0.5, 0.0, 3)
    assert document["formal_comparison"] and document["seeds"] == [1, 2, 7]
    assert "A mean over 3 seeds" in capsys.readouterr().out
    assert score(study, str(tmp_path / "p-1.jsonl"), "--seeds", "2") == 2
    assert "expected seed 2, found 1" in capsys.readouterr().err
    put(runs, study, [["yes"] * 6], seed=2)
    with pytest.raises(StoreError, match="found two for seed 2"):
        export([runs], [study], out)


def test_the_same_answers_under_three_seeds_are_no_comparison(tmp_path: Path, study: Study) -> None:
    put(tmp_path / "runs", study, [TEXTS] * 3)
    out = str(tmp_path / "p-{seed}.jsonl")
    export([tmp_path / "runs"], [study], out)
    assert score(study, out, "--seeds", "1,2,3", "--json", str(tmp_path / "s.json")) == 0
    document = json.loads((tmp_path / "s.json").read_text())
    assert document["formal_comparison"] is False
    assert document["claim_policy"].startswith("Every seed gave the same answers")


def test_one_file_is_of_one_cell(tmp_path: Path, study: Study) -> None:
    runs, path = tmp_path / "runs", str(tmp_path / "p.jsonl")
    put(runs, study)
    put(runs, study, [["no"] * 6], view="blank")
    with pytest.raises(StoreError, match=r"found 2: .* differ in view\.name.*--view"):
        export([runs], [study], path)
    with pytest.raises(StoreError, match="a cell of view noise, found none.*view blank, clean"):
        export([runs], [study], path, only={"view": "noise"})
    export([runs], [study], path, only={"view": "clean"})
    with pytest.raises(StoreError, match=r"view\.name: the file has 'clean', this run 'blank'"):
        export([runs], [study], path, only={"view": "blank"})
    other = tmp_path / "other"
    put(other, study, [["no"] * 6])
    with pytest.raises(StoreError, match=r"found 5 other\(s\), first \['0', '1'"):
        export([other], [study], path)


def test_a_changed_file_or_other_data_are_refused(
    tmp_path: Path, study: Study, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.jsonl"
    put(tmp_path / "runs", study)
    export([tmp_path / "runs"], [study], str(path))
    text = path.read_text()
    path.write_text(text.replace('"prediction":"yes"', '"prediction":"no"', 1))
    assert score(study, str(path)) == 2
    assert "expected the file that p.jsonl.metadata.json was closed with" in capsys.readouterr().err
    path.write_text(text)
    data = study.path.parent / "questions.json"
    data.write_text(data.read_text().replace("lamp", "lantern"))
    assert score(study, str(path)) == 2
    assert "expected predictions for data of fingerprint" in capsys.readouterr().err
    sidecar_path(path).unlink()
    assert score(study, str(path)) == 0
    assert "without metadata" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--seeds", "1,x"], "expected whole numbers"),
        (["--policy", "x"], "unknown scoring policy 'x'"),
        (["--seeds", "1,2"], "expected {seed} in the path"),
    ],
)
def test_what_score_refuses(
    study: Study, more: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert score(study, "p.jsonl", *more) == 2
    assert said in capsys.readouterr().err


def test_a_moving_revision_is_refused(
    tmp_path: Path, study: Study, capsys: pytest.CaptureFixture[str]
) -> None:
    command: list[Any] = ["export", str(tmp_path), "--out", "p", "--study", str(study.path)]
    assert main([*command, "--model-id", "org/m", "--model-revision", "main"]) == 2
    assert "expected 40 hex digits (an immutable commit), found 'main'" in capsys.readouterr().err
    assert main([*command, "--model-id", "org/m"]) == 2
    assert main(["score", "p", "--study", str(study.path), "--data", "x"]) == 2
    assert "--data: expected one of made, found 'x'" in capsys.readouterr().err
