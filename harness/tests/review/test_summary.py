"""A filled-in sheet: every planted fault is caught by row, and the figures are right."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.errors import DataError
from harness.review.labels import judged
from harness.review.manifest import SCHEMA, manifest_text, read_manifest, row_hashes
from harness.review.sheet import FIXED, read_sheet, sheet_text
from harness.review.summary import figures, text
from harness.tests.review.made_sample import Rows, labelled, rows_of, save

FACTS = {
    "scorer": "3",
    "policy": "default",
    "conditions": [
        {"condition": "clean", "n_wrong": 30},
        {"condition": "blank", "n_wrong": 4},
    ],
}
RESPONSES = ("=1+1", "line\nbreak", "plain", "1/2", "-x", "a;=b()", "' quoted", "中文")
GOOD = ["PP", "PP", "RR", "PRR", "PFP", "FAU", "UUP", "pp"]


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """A folder with the sheet of eight rows, four of each condition, and its manifest."""
    rows = [
        {
            **dict.fromkeys(FIXED, "x"),
            "id": f"r00{number}_a",
            "condition": "clean" if number < 4 else "blank",
            "response": response,
        }
        for number, response in enumerate(RESPONSES)
    ]
    (tmp_path / "sheet.csv").write_bytes(sheet_text(rows).encode("utf-8-sig"))
    entries = [
        {"id": row["id"], "condition": row["condition"], "columns": row_hashes(row)} for row in rows
    ]
    (tmp_path / "sample.json").write_text(manifest_text(FACTS, entries), encoding="ascii")
    return tmp_path


def faults_of(sample: Path, *sheets: Path) -> list[str]:
    return judged(read_manifest(sample / "sample.json"), [read_sheet(s) for s in sheets])[1]


def test_the_columns_are_blank_by_design(sample: Path) -> None:
    rows = rows_of(sample / "sheet.csv")
    names = ("annotator_1", "annotator_2", "adjudicated", "notes")
    assert not any(row[name] for row in rows for name in names)
    assert len(faults_of(sample, sample / "sheet.csv")) == 16


def change(number: int, **cells: str) -> Callable[[Rows], None]:
    return lambda rows: rows[number].update(cells)


@pytest.mark.parametrize(
    ("plant", "fault"),
    [
        (
            change(0, annotator_1=""),
            "r000_a: annotator_1: expected one of P, F, R, A, U, found a b",
        ),
        (
            change(1, annotator_2="  "),
            "r001_a: annotator_2: expected one of P, F, R, A, U, found a",
        ),
        (
            change(1, annotator_2="X"),
            "r001_a: annotator_2: expected one of P, F, R, A, U, found 'X",
        ),
        (change(2, annotator_1="PF"), "r002_a: annotator_1: expected one of P, F, R, A, U, found "),
        (change(3, adjudicated=""), "r003_a: adjudicated: expected a label where the annotators d"),
        (
            change(0, adjudicated="?"),
            "r000_a: adjudicated: expected one of P, F, R, A, U, found '?",
        ),
        (lambda rows: rows.pop(2), "r002_a: expected one row of it, found none"),
        (lambda rows: rows.append(rows[2]), "r002_a: expected one row of it, found 2"),
        (
            change(4, response="-y"),
            "r004_a: expected labels alone to be filled in, found edited: r",
        ),
        (change(5, gold="y", rule="z"), "found edited: gold, rule"),
        (change(5, condition="clean"), "found edited: condition"),
    ],
)
def test_a_planted_fault_is_the_one_that_is_named(
    sample: Path, plant: Callable[[Rows], Any], fault: str
) -> None:
    rows = labelled(rows_of(sample / "sheet.csv"), GOOD)
    assert faults_of(sample, save(sample / "good.csv", rows)) == []
    plant(rows)
    found = faults_of(sample, save(sample / "bad.csv", rows))
    assert len(found) == 1
    assert fault in found[0]


def test_a_foreign_row_is_named(sample: Path) -> None:
    rows = labelled(rows_of(sample / "sheet.csv"), GOOD)
    rows.append({**rows[0], "id": "r999_z"})
    (fault,) = faults_of(sample, save(sample / "bad.csv", rows))
    assert fault == "'r999_z': expected ids of this sample alone, found one that is not in it"


def test_what_programs_do_to_a_sheet_is_no_fault(sample: Path) -> None:
    rows = labelled(rows_of(sample / "sheet.csv"), GOOD)
    path = sample / "saved.csv"
    for made in (
        save(path, rows[::-1], separator=";"),
        save(path, rows, separator="\t", encoding="utf-16"),
        save(path, rows, line_end="\n", encoding="utf-8"),
        save(path, rows, alter=lambda cell: cell.replace("\n", "\r\n")),
        save(path, rows, alter=lambda cell: cell.removeprefix("'")),
    ):
        assert faults_of(sample, made) == []


def test_two_annotators_with_a_copy_each(sample: Path) -> None:
    rows = labelled(rows_of(sample / "sheet.csv"), GOOD)
    one = save(sample / "1.csv", [{**row, "annotator_2": "", "adjudicated": ""} for row in rows])
    two = save(sample / "2.csv", [{**row, "annotator_1": ""} for row in rows])
    assert faults_of(sample, one, two) == []
    rows[0]["annotator_1"] = "F"
    (fault,) = faults_of(sample, one, save(sample / "3.csv", rows))
    assert fault == "r000_a: annotator_1: expected one label, found F and P in different sheets"


def test_the_figures(sample: Path) -> None:
    manifest = read_manifest(sample / "sample.json")
    sheet = save(sample / "good.csv", labelled(rows_of(sample / "sheet.csv"), GOOD))
    rows, _ = judged(manifest, [read_sheet(sheet)])
    found = figures(manifest, rows)
    # The annotators gave P 5 R 1 F 1 U 1 and P 3 R 2 F 1 A 1 U 1.
    chance = (5 * 3 + 1 * 2 + 1 * 1 + 1 * 1) / 64
    agreement = found["agreement"]
    assert agreement["observed"] == 5 / 8
    assert agreement["expected"] == chance
    assert agreement["kappa"] == pytest.approx((5 / 8 - chance) / (1 - chance), abs=1e-15)
    assert agreement["pairs"] == {"FA": 1, "PF": 1, "PP": 3, "PR": 1, "RR": 1, "UU": 1}
    assert found["adjudication"] == {
        "agreed": 4,
        "overruled": 1,
        "for_annotator_1": 1,
        "for_annotator_2": 1,
        "third": 1,
    }
    clean, blank = found["conditions"]
    assert {label: row["k"] for label, row in clean["labels"].items()} == {
        "P": 2,
        "F": 0,
        "R": 2,
        "A": 0,
        "U": 0,
    }
    assert (blank["labels"]["P"]["k"], blank["labels"]["U"]["k"], blank["n"]) == (3, 1, 4)
    share = clean["labels"]["F"]["share"]
    assert (share["value"], share["low"]) == (0.0, 0.0)
    assert share["high"] == pytest.approx(0.489891, abs=1e-6)
    assert found["all"]["labels"]["P"]["k"] == 5
    told = text(found)
    assert "Cohen's kappa 0.4667; observed agreement 0.6250" in told
    assert (
        "4 agreed, 3 differed (1 for annotator 1, 1 for annotator 2, 1 for a third label), 1"
        in told
    )
    assert "clean: 4 of 30 wrong answers" in told
    json.dumps(found, allow_nan=False)


def test_one_label_throughout_has_no_kappa(sample: Path) -> None:
    manifest = read_manifest(sample / "sample.json")
    sheet = save(sample / "good.csv", labelled(rows_of(sample / "sheet.csv"), ["PP"]))
    found = figures(manifest, judged(manifest, [read_sheet(sheet)])[0])
    assert found["agreement"]["kappa"] is None
    assert "Cohen's kappa –; observed agreement 1.0000" in text(found)


def test_a_manifest_that_was_changed_or_is_none(sample: Path) -> None:
    path = sample / "sample.json"
    whole = path.read_text(encoding="ascii")
    for changed, reason in (
        (whole.replace('"n_wrong": 30', '"n_wrong": 31'), "it was changed"),
        (whole.replace(SCHEMA, "assay.review/0"), "expected schema"),
        ("[]", "expected schema"),
        ("{", "found none"),
    ):
        assert changed != whole
        path.write_text(changed, encoding="ascii")
        with pytest.raises(DataError, match=reason):
            read_manifest(path)
    with pytest.raises(DataError, match="--sample"):
        read_manifest(sample / "none.json")
