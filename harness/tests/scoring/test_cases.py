"""The reference cases that lie beside the real data, and two published figures."""

import gzip
import json
import os
from pathlib import Path

import pytest

from harness.scoring import extract, grade

KINDS = {"mcq": "choice", "letter_or_text": "choice", "yesno": "yesno"}


def data() -> Path:
    folder = os.environ.get("HARNESS_DATA")
    assert folder, "HARNESS_DATA: expected the folder of real data, found it unset"
    return Path(folder)


@pytest.mark.reference
def test_scorer_cases() -> None:
    lines = (data().parent / "cases/scorer.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [case for case in map(json.loads, lines) if case["kind"] in KINDS]
    assert len(cases) > 100
    wrong = []
    for case in cases:
        value = extract(KINDS[case["kind"]], case["response"], tuple(case["choices"] or ())).value
        same = case["extracted_check"] == "skip" or value == case["expected_extracted"]
        if not same or (value == case["gold"]) != case["expected_correct"]:
            wrong.append((case["id"], value, case["expected_extracted"]))
    assert not wrong


@pytest.mark.reference
def test_extraction_cases() -> None:
    cases = json.loads((data().parent / "cases/extraction.json").read_text(encoding="utf-8"))
    wrong = [
        case["name"]
        for case in cases
        if extract("choice", case["response"], tuple(case["options"].values())).value
        != case["gold"]
    ]
    assert not wrong


@pytest.mark.reference
@pytest.mark.parametrize(
    ("name", "n_correct", "n_null"),
    [("llava-v1.5-13b", 3155, None), ("gpt3_qcm-ale", 3066, 243)],
)
def test_scienceqa(name: str, n_correct: int, n_null: int | None) -> None:
    folder = data() / "scienceqa"
    with gzip.open(folder / "problems_test.json.gz", "rt", encoding="utf-8") as handle:
        problems = json.load(handle)
    with gzip.open(folder / f"predictions_{name}.jsonl.gz", "rt", encoding="utf-8") as handle:
        rows = [json.loads(line) for line in handle]
    right = null = 0
    for row in rows:
        problem = problems[str(row["id"])]
        value = extract("choice", row["raw"], tuple(problem["choices"])).value
        null += value is None
        right += value is not None and "ABCDE".index(value) == problem["answer"]
    assert len(rows) == 4241
    assert right == n_correct
    if n_null is not None:
        assert null == n_null


@pytest.mark.reference
def test_every_handed_case_of_every_kind() -> None:
    lines = (data().parent / "cases/scorer.jsonl").read_text(encoding="utf-8").splitlines()
    kinds = KINDS | {"numeric": "number", "symbolic": "expression", "free": "text"}
    wrong = []
    for case in map(json.loads, lines):
        choices = tuple(case["choices"] or ())
        found = grade(kinds[case["kind"]], case["response"], choices, case["gold"])
        value, check = found.answer.value, case["extracted_check"]
        read = {
            "exact": value == case["expected_extracted"],
            "null": value is None,
            "span": value is not None,
            "skip": True,
        }
        if not read[check] or found.correct != case["expected_correct"]:
            wrong.append((case["id"], value, found.answer.rule, found.compared))
    assert len(lines) >= 290
    assert not wrong
