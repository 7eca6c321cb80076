"""From cells in two languages to the table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.drift.measure import DriftCounts
from harness.drift.tables import (
    COLUMNS,
    OPEN,
    ORIGINAL,
    TRANSLATED,
    Comparison,
    DriftSettings,
    JudgedCell,
    drift_of_cells,
    drift_table,
)
from harness.errors import DataError
from harness.tests.gates.made_cells import CELL, result
from harness.types import CellResult, Decoding, Example, ModelSpec, Prompt
from harness.vision.views import named

SETTINGS = DriftSettings(pairs=(("et", "en"),))


def cell(data: str, bits: str, *, model: str = "m", gold: str = "3") -> CellResult:
    """One reply a bit: "1" right, "0" wrong, "u" unread, "e" lost."""
    items = [
        Example(id=f"q{n}", kind="number", question=f"{data} {n}?", gold=gold)
        for n in range(len(bits))
    ]
    said = {"1": f"<answer>{gold}</answer>", "0": "<answer>77</answer>", "u": "?", "e": "error"}
    spec = ModelSpec(name=model, source={"kind": "fake"})
    return result(
        [said[bit] for bit in bits], cell=replace(CELL, data=data, model=spec), items=items
    )


def test_strict_rows_are_the_cells_own_scores() -> None:
    table = drift_of_cells([cell("en", "0010u1"), cell("et", "1110e1")], SETTINGS)
    assert table.columns == COLUMNS
    (row,) = table.rows
    expected = {
        "model": "m",
        "original": "et",
        "translated": "en",
        "scoring": "strict",
        "n": 5,
        "original_right": 4,
        "translated_right": 2,
        "both": 2,
        "original_only": 2,
        "translated_only": 0,
        "neither": 1,
        "excluded": 1,
        "difference_pp": 40.0,
        "p_one_sided": 0.25,
        "p_two_sided": 0.5,
        "p_mcnemar_exact": 0.5,
        "better": OPEN,
    }
    assert {key: row[key] for key in expected} == expected
    # The lost row leaves both sides, the unread one stays as wrong: here it is the same question.
    assert "1 strict (m: et - en, strict)" in table.note


def test_liberal_rows_and_their_range() -> None:
    judged = {
        ("et", "m"): JudgedCell(judge="j", verdicts={"q0": True, "q1": None, "q2": True}),
        ("en", "m"): JudgedCell(judge="j", verdicts={"q0": True, "q1": False, "q2": False}),
    }
    table = drift_of_cells([cell("et", "100"), cell("en", "100")], SETTINGS, judged)
    assert [row["scoring"] for row in table.rows] == ["strict", "liberal"]
    row = table.rows[1]
    assert (row["n"], row["original_right"], row["undecided_pairs"]) == (3, 2, 1)
    assert [round(float(row[f"range_{end}_pp"] or 0), 1) for end in ("low", "high")] == [33.3, 66.7]
    assert row["settled"] is True
    other = {**judged, ("en", "m"): replace(judged["en", "m"], judge="k")}
    with pytest.raises(DataError, match="expected one judge, found j and k"):
        drift_of_cells([cell("et", "100"), cell("en", "100")], SETTINGS, other)
    with pytest.raises(DataError, match="verdicts on m, en, found none"):
        drift_of_cells(
            [cell("et", "100"), cell("en", "100")], SETTINGS, {("et", "m"): judged["et", "m"]}
        )
    short = {**judged, ("en", "m"): JudgedCell(judge="j", verdicts={"q0": True})}
    with pytest.raises(DataError, match="2 missing: q1, q2"):
        drift_of_cells([cell("et", "100"), cell("en", "100")], SETTINGS, short)


def test_cells_that_cannot_be_compared_are_refused() -> None:
    first, second = cell("et", "10"), cell("en", "10")
    prompt = Prompt(name="other", template="{question}")
    cases = {
        "cell of m on en, found none": [first],
        "cells of et and en, found none": [cell("fr", "1")],
        "expected one cell": [first, first, second],
        "the same view": [first, replace(second, cell=replace(second.cell, view=named("blank")))],
        "the same decoding": [
            first,
            replace(second, cell=replace(second.cell, decoding=Decoding(max_new_tokens=9))),
        ],
        "the same prompt": [first, replace(second, cell=replace(second.cell, prompt=prompt))],
        "gold_differs": [first, cell("en", "10", gold="4")],
        "unpaired": [first, cell("en", "100")],
        "one answer an example": [
            replace(side, cell=replace(side.cell, replicates=2)) for side in (first, second)
        ],
    }
    for message, results in cases.items():
        with pytest.raises(DataError, match=message):
            drift_of_cells(results, SETTINGS)


def test_cells_of_other_data_may_stand_twice() -> None:
    other = cell("fr", "11")
    table = drift_of_cells([cell("et", "10"), cell("en", "10"), other, other], SETTINGS)
    assert len(table.rows) == 1


def test_holm_counts_the_rows_of_one_scoring() -> None:
    counts = DriftCounts(n=59, both=5, original_only=13, translated_only=3)
    names = {"model": "m", "original": "et", "translated": "en"}
    rows = [Comparison(**names, scoring=s, counts=counts) for s in ("strict", "liberal")]
    table = drift_table(rows, SETTINGS)
    assert [row["p_holm"] for row in table.rows] == [row["p_mcnemar_exact"] for row in table.rows]
    assert "1 strict (m: et - en, strict); 1 liberal" in table.note


def test_the_sign_may_turn_from_model_to_model_and_holm_counts_all_rows() -> None:
    def row(model: str, original_only: int, translated_only: int) -> Comparison:
        counts = DriftCounts(
            n=59, both=5, original_only=original_only, translated_only=translated_only
        )
        return Comparison(model=model, original="et", translated="en", scoring="s", counts=counts)

    alone = drift_table([row("a", 13, 3)], SETTINGS).rows[0]
    assert (alone["better"], alone["p_holm"]) == (ORIGINAL, alone["p_mcnemar_exact"])
    several = drift_table([row("a", 13, 3), row("b", 2, 20), row("c", 5, 6)], SETTINGS)
    assert [made["better"] for made in several.rows] == [ORIGINAL, TRANSLATED, OPEN]
    many = drift_table([row("a", 13, 3), *(row(f"m{n}", 5, 6) for n in range(3))], SETTINGS)
    assert many.rows[0]["better"] == OPEN
    assert many.rows[0]["p_holm"] == pytest.approx(4 * 0.021270751953125)
    assert many.rows[0]["undecided_pairs"] is None
    assert drift_table([], SETTINGS).rows == ()


def test_the_table_does_not_depend_on_the_order_of_cells() -> None:
    cells = [
        cell(data, bits, model=m) for m in "ab" for data, bits in (("et", "110"), ("en", "0" * 3))
    ]
    assert drift_of_cells(cells, SETTINGS) == drift_of_cells(cells[::-1], SETTINGS)
