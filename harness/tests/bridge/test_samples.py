"""lmms-eval's samples as rows: ids, replies, scores, and every line that is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.bridge.faults import BridgeError
from harness.bridge.rows import predictions
from harness.bridge.samples import read_samples, samples_files, scores_in


def line(doc_id: int = 0, **changes: Any) -> dict[str, Any]:
    made = {
        "doc_id": doc_id,
        "target": "red",
        "filtered_resps": "It is red.",
        "token_counts": [{"output_tokens": 3}],
        "doc_hash": "the same for all",
        "exact_match": 1.0,
        "input": "Which colour?",
        **changes,
    }
    return {key: value for key, value in made.items() if value != "absent"}


def written(folder: Path, *lines: object) -> Path:
    path = folder / "20260102_030405_samples_t.jsonl"
    path.write_text("".join(json.dumps(given) + "\n" for given in lines))
    return path


def test_ids_hold_task_place_and_content(tmp_path: Path) -> None:
    rows = read_samples(written(tmp_path, line(0), line(1), line(2, target="blue")), "t")
    assert [row.id.split(":")[:2] for row in rows] == [["t", "0"], ["t", "1"], ["t", "2"]]
    hashes = [row.id.rpartition(":")[2] for row in rows]
    assert hashes[0] == hashes[1] != hashes[2]
    assert rows[0].text == "It is red."
    assert rows[0].theirs == 1.0
    assert rows[0].n_tokens == 3


def test_another_document_at_the_same_place_has_another_id(tmp_path: Path) -> None:
    first = read_samples(written(tmp_path, line()), "t")[0].id
    second = read_samples(written(tmp_path, line(input="Which shape?")), "t")[0].id
    assert first != second


def test_raw_replies_go_before_filtered_ones_and_repeats_are_replicates(tmp_path: Path) -> None:
    given = line(resps=[["a", "b"]], token_counts=[[{"output_tokens": 1}, {"output_tokens": 2}]])
    rows = read_samples(written(tmp_path, given), "t")
    assert [(r.text, r.replicate, r.n_tokens) for r in rows] == [("a", 0, 1), ("b", 1, 2)]


def test_a_reply_that_is_missing_is_an_error_of_the_run(tmp_path: Path) -> None:
    row = read_samples(written(tmp_path, line(filtered_resps=[None])), "t")[0]
    assert (row.status, row.text) == ("error", None)
    assert row.response().error == "lmms-eval stored no text"


def test_the_score_is_the_only_one_or_the_named_one(tmp_path: Path) -> None:
    path = written(tmp_path, line(f1=0.25, pope={"score": 1}))
    assert scores_in(path) == ("exact_match", "f1")
    assert read_samples(path, "t")[0].theirs is None
    assert read_samples(path, "t", score="f1")[0].theirs == 0.25
    with pytest.raises(BridgeError, match="expected the metric 'acc', found exact_match, f1"):
        read_samples(path, "t", score="acc")


def test_no_number_is_no_score(tmp_path: Path) -> None:
    assert read_samples(written(tmp_path, line(exact_match=float("nan"))), "t")[0].theirs is None


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([], "at least one answered question"),
        ([["a"]], r"jsonl:1: expected one JSON object"),
        ([line(), line(doc_id=True)], r"jsonl:2: expected a number or text as doc_id"),
        ([line(target="absent")], "expected a target"),
        ([line(filtered_resps="absent")], "expected a reply"),
        ([line(filtered_resps=[])], "expected a reply"),
        ([line(filtered_resps=[[-1.5, False]])], "a task of likelihoods"),
        ([line(3), line(4), line(3)], r"jsonl:3: document 3 stands already in line 1"),
    ],
)
def test_what_is_refused(lines: list[object], says: str, tmp_path: Path) -> None:
    with pytest.raises(BridgeError, match=says):
        read_samples(written(tmp_path, *lines), "t")


def test_a_torn_line_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, line())
    path.write_text(path.read_text() + '{"doc_id": 1, "tar')
    with pytest.raises(BridgeError, match=r"jsonl:2: expected one JSON object"):
        read_samples(path, "t")


def test_samples_belong_to_the_results_of_their_stamp(tmp_path: Path) -> None:
    results = tmp_path / "20260102_030405_results.json"
    mine, other = written(tmp_path), tmp_path / "20250101_000000_samples_u.jsonl"
    other.write_text("")
    assert samples_files(results) == {"t": mine}


def test_rows_become_predictions(tmp_path: Path) -> None:
    rows = read_samples(written(tmp_path, line(), line(1, filtered_resps=[None])), "t")
    made = predictions(rows, "text", model_id="o/m", model_revision="1" * 40, seed=7)
    assert [(p.id, p.raw_prediction, p.seed) for p in made] == [(rows[0].id, "It is red.", 7)]
