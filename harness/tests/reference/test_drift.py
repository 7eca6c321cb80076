"""Translation drift on MGSM and XCOPA, from HARNESS_DATA, with baselines and planted answers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness import ids
from harness.data.language_pairs import mgsm, xcopa
from harness.drift.pairs import pairs_gate
from harness.drift.tables import DriftSettings, drift_of_cells
from harness.models.baseline import Uniform
from harness.tests.gates.made_cells import CELL, result
from harness.tests.reference.published import data as real
from harness.types import CellResult, Dataset, Example, ModelSpec, Request

pytestmark = pytest.mark.reference

LANGUAGES = ("de", "es", "fr", "ru", "sw", "zh")


def language(name: str) -> Dataset:
    return mgsm(real(f"multilingual/mgsm_{name}.tsv"), f"mgsm-{name}", split=name)


def estonian(part: str) -> tuple[Dataset, Dataset]:
    made = f"multilingual/xcopa_et_{part}"
    return (
        xcopa(real(f"{made}.jsonl"), "xcopa-et", split="et", language="et"),
        xcopa(real(f"{made}_machine_translated_en.jsonl"), "xcopa-en", split="en", language="en"),
    )


def cell(data: Dataset, texts: list[str], model: str) -> CellResult:
    spec = ModelSpec(name=model, source={"kind": "fake"})
    return result(texts, cell=replace(CELL, data=data.name, model=spec), items=data.examples)


def drawn(data: Dataset) -> list[str]:
    """The answers of the random baseline, which draws by the example's id."""
    requests = [
        Request(example=e, replicate=0, prompt="", images=(), seed=ids.seed(1, e.id))
        for e in data.examples
    ]
    return [reply.text or "" for reply in Uniform().generate(requests, CELL.decoding)]


def knowing(example: Example, share: float, tag: str) -> str:
    """The gold for this share of examples, else another number."""
    lucky = ids.seed(7, tag, example.id) % 1000 < 1000 * share
    return f"<answer>{example.gold if lucky else 123456789}</answer>"


def test_every_pair_is_one_set_in_two_languages() -> None:
    english = language("en")
    for name in LANGUAGES:
        verdict = pairs_gate(english.examples, language(name).examples)
        assert verdict.go, (name, verdict.issues)
        assert verdict.facts == {"n_pairs": 250, "n_same_text": 0}
    for part, n in (("test", 500), ("val", 100)):
        first, second = estonian(part)
        verdict = pairs_gate(first.examples, second.examples)
        assert verdict.go, verdict.issues
        assert verdict.facts["n_pairs"] == n


def test_a_baseline_that_draws_by_id_has_no_drift() -> None:
    first, second = estonian("test")
    cells = [cell(data, drawn(data), "random") for data in (first, second)]
    (row,) = drift_of_cells(cells, DriftSettings(pairs=(("xcopa-et", "xcopa-en"),))).rows
    assert row["n"] == 500
    assert row["original_right"] == row["translated_right"]
    # Chance is a half; three standard errors of 500 are 6.7 points.
    assert abs(float(row["original_pct"] or 0) - 50) < 6.7
    assert (row["difference_pp"], row["p_mcnemar_exact"], row["better"]) == (
        0.0,
        1.0,
        "not told apart",
    )


def test_planted_drift_is_found_in_its_direction_and_none_where_none_is() -> None:
    english = language("en")
    cells, pairs = [], []
    for name in ("en", *LANGUAGES):
        data = language(name)
        share = {"sw": 0.5, "zh": 0.95}.get(name, 0.8)
        tag = name if name == "de" else ""
        cells.append(cell(data, [knowing(e, share, tag) for e in data.examples], "m"))
        if name != "en":
            pairs.append((english.name, data.name))
    table = drift_of_cells(cells, DriftSettings(pairs=tuple(pairs)))
    better = {str(row["translated"]): row["better"] for row in table.rows}
    assert better["mgsm-sw"] == "original"
    assert better["mgsm-zh"] == "translated"
    assert {better[f"mgsm-{name}"] for name in ("de", "es", "fr", "ru")} == {"not told apart"}
    by_name = {str(row["translated"]): row for row in table.rows}
    # Known by the same draw of id, Spanish is answered as English is; German by another draw.
    assert by_name["mgsm-es"]["degenerate"] is True
    assert by_name["mgsm-de"]["degenerate"] is False
    assert "6 strict" in table.note


def test_a_gold_that_translation_changed_is_named() -> None:
    first, second = estonian("val")
    flipped = [replace(e, gold="B" if e.gold == "A" else "A") for e in second.examples[:3]]
    verdict = pairs_gate(first.examples, [*flipped, *second.examples[3:]])
    assert [issue.code for issue in verdict.issues] == ["gold_differs"]
    assert "3: xcopa-" in str(verdict.issues[0])
