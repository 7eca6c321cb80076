"""Tables as text, the curve as a picture, sentences from rows."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from functools import cache
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.errors import DataError
from harness.robustness.archive import archive
from harness.robustness.counts import PairedCounts
from harness.robustness.curve import specification_curve_svg
from harness.robustness.gate_rows import uplift_row
from harness.robustness.interpretation import permitted_interpretation
from harness.robustness.paired_rows import (
    contrast_rows,
    delta_rows,
    multiview_rows,
    robustness_rows,
)
from harness.robustness.semantic import SemanticCounts, semantic_rows
from harness.robustness.stability import CURVE, FACTORS, ranking_tables
from harness.stats.power import paired_mde
from harness.stats.selective import Selection
from harness.table import Table, Value
from harness.tests.robustness.made_study import LEAN, SETTINGS, made, said, study

_SVG = "{http://www.w3.org/2000/svg}"
_VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**12), 10**12),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=20).filter(lambda t: "\x00" not in t),
)


@settings(max_examples=50, deadline=None)
@given(rows=st.lists(st.tuples(_VALUES, _VALUES), max_size=6))
def test_any_table_reads_back(rows: list[tuple[Value, Value]]) -> None:
    table = Table(name="t", columns=("a", "b"), rows=tuple({"a": a, "b": b} for a, b in rows))
    lines = list(csv.reader(io.StringIO(table.to_csv(), newline="")))[1:]
    assert len(lines) == len(rows)
    for line, row in zip(lines, rows, strict=True):
        for cell, value in zip(line, row, strict=True):
            if isinstance(value, str):
                assert cell in (value, f"'{value}")
                assert not cell.startswith(("=", "+", "-", "@", "\t", "\r"))
            elif isinstance(value, bool):
                assert cell == str(value).lower()
            elif value is None:
                assert cell == ""
            else:
                assert float(cell) == value
    assert json.loads(table.to_json())["rows"] == [{"a": a, "b": b} for a, b in rows]


def test_formulas_are_texts_and_negative_numbers_are_numbers() -> None:
    row = {"a": '=HYPERLINK("x")', "b": -1.5}
    assert Table(name="t", columns=("a", "b"), rows=(row,)).to_csv() == (
        'a,b\n"\'=HYPERLINK(""x"")",-1.5\n'
    )


def test_rows_that_are_no_rows_of_the_table_are_refused() -> None:
    for value, message in ((float("nan"), "finite"), (np.float64(1), "plain"), ([1], "plain")):
        with pytest.raises(DataError, match=message):
            Table(name="t", columns=("a",), rows=({"a": value},))  # type: ignore[dict-item]
    with pytest.raises(DataError, match="columns"):
        Table(name="t", columns=("a", "b"), rows=({"b": 1, "a": 2},))


@cache
def ranked() -> tuple[Table, Table, Table]:
    return ranking_tables(archive(study(), SETTINGS), SETTINGS)


def test_the_curve_tells_every_row() -> None:
    curve, rankings, effects = ranked()
    assert curve.columns == CURVE
    assert len(rankings.rows) == 2 * 5 * 2 * 2
    assert [r["factor"] for r in effects.rows] == list(FACTORS)
    assert [r["n_pairs"] for r in effects.rows] == [20, 80, 20, 20]
    for place, row in enumerate(rankings.rows):
        three = curve.rows[3 * place : 3 * place + 3]
        assert all(r[f] == row[f] for r in three for f in FACTORS)
        best = max(three, key=lambda r: float(r["accuracy_pct"] or 0))
        assert best["rank"] == 1
        assert str(best["model"]) in str(row["ranking"]).split(" > ")[0]
    shares = [float(r["p_ranking"] or 0) for r in rankings.rows]
    assert 0 < min(shares) < max(shares) <= 1
    for place, row in enumerate(rankings.rows):
        three = curve.rows[3 * place : 3 * place + 3]
        alone = sum(float(r["p_best"] or 0) for r in three)
        assert alone <= 1 + 1e-12
        if row["ranking"] and " > " in str(row["ranking"]):
            first = next(r for r in three if r["rank"] == 1)
            best = float(first["p_best"] or 0) + float(first["p_shared_best"] or 0)
            assert float(row["p_ranking"] or 0) <= best + 1e-12
    (baseline,) = (r for r in rankings.rows if r["baseline"])
    assert [baseline[f] for f in FACTORS] == ["default", "clean", "paper", "as generated"]
    assert baseline["tau_to_baseline"] == 1


def test_a_smaller_budget_is_never_better() -> None:
    rows = {(*(r[f] for f in FACTORS), r["model"]): r["correct"] for r in ranked()[0].rows}
    cut = [key for key in rows if key[3] == "90"]
    pairs = [(rows[key], rows[(*key[:3], "as generated", key[4])]) for key in cut]
    assert all(int(few or 0) <= int(all_ or 0) for few, all_ in pairs)
    assert any(few != all_ for few, all_ in pairs)


def test_responses_without_tokens_have_no_budgets() -> None:
    blind = [replace(r, responses=tuple(replace(x, n_tokens=None) for x in r.responses))
             for r in study()]  # fmt: skip
    _, rankings, _ = ranking_tables(archive(blind, LEAN), replace(LEAN, token_budgets=(None, 9)))
    assert {r["token_budget"] for r in rankings.rows} == {"as generated"}
    assert "No token budgets" in rankings.note


def test_a_row_that_failed_for_one_model_counts_for_none() -> None:
    failed = made(
        *("robustness", SETTINGS.design, "sft", "clean", SETTINGS.paper),
        text=lambda e, k: None if e.id < "q05" else said("sft")(e, k),
    )
    cells = [r for r in study() if (r.cell.experiment, r.cell.model.name, r.cell.view.name)
             != ("robustness", "sft", "clean")]  # fmt: skip
    curve, _, _ = ranking_tables(archive([*cells, failed], LEAN), LEAN)
    n = {r["n"] for r in curve.rows if r["prompt_mode"] == "paper"}
    assert n == {15}


def test_the_picture_is_complete_and_safe() -> None:
    curve = ranked()[0]
    hostile = '<script>&"' + chr(0) + chr(0xD800)
    rows = tuple({**r, "model": hostile} if r["model"] == "sft" else r for r in curve.rows)
    text = specification_curve_svg(replace(curve, rows=rows), f"title {hostile}")
    root = ElementTree.fromstring(text)
    marks = root.findall(f"{_SVG}g")
    assert len(marks) == len(curve.rows)
    assert all(m.find(f"{_SVG}circle") is not None for m in marks)
    levels = sum(len({r[f] for r in curve.rows}) for f in FACTORS)
    boxes = [r for r in root.findall(f"{_SVG}rect") if r.get("class") in ("on", "off")]
    assert len(boxes) == levels * 40
    assert sum(r.get("class") == "on" for r in boxes) == len(FACTORS) * 40
    assert "prefers-color-scheme:dark" in text
    assert "<script" not in text and "href" not in text
    assert "".join(root.itertext()).count("<script>&") > 1
    assert text.encode("utf-8")
    width, height = (float(root.get(side) or 0) for side in ("width", "height"))
    for element in root.iter():
        for name, most in (("x", width), ("cx", width), ("y", height), ("cy", height)):
            assert 0 <= float(element.get(name) or 0) <= most


def test_a_curve_without_rows_says_why() -> None:
    empty = Table(name="c", columns=CURVE, note="not computed: lacks 1 cell(s)")
    texts = ElementTree.fromstring(specification_curve_svg(empty, "t")).itertext()
    assert "not computed: lacks 1 cell(s)" in list(texts)


def interpreted(**tables: Any) -> dict[str, str]:
    made_of = {
        name: Table(name=name, columns=tuple(rows[0]), rows=tuple(rows))
        for name, rows in tables.items()
    }
    found = permitted_interpretation(made_of, LEAN)
    return {str(r["table"]): str(r["permitted_interpretation"]) for r in found.rows}


def pairs(n01: int, n10: int, n: int = 300) -> PairedCounts:
    return PairedCounts(n=n, both_correct=50, left_only=n10, right_only=n01, n_agree=100)


def test_a_difference_is_claimed_only_where_there_is_one() -> None:
    rows = delta_rows({("a", "b"): pairs(60, 20), ("a", "c"): pairs(41, 39)}, LEAN)
    # An interval without 0, but p = 0.061.
    near = delta_rows({("a", "b"): pairs(20, 9)}, LEAN)
    assert float(near[0]["delta_ci_low"] or 0) > 0
    text = interpreted(reproduction_paired_deltas=near)["reproduction_paired_deltas"]
    assert "no difference may be claimed" in text
    text = interpreted(reproduction_paired_deltas=rows)["reproduction_paired_deltas"]
    first, second = text.split("; c minus a")
    assert "b minus a: a difference of +13.33" in first
    assert "no difference may be claimed (+0.67" in second
    views = {("rl", "clean", "paper"): pairs(60, 20), ("rl", "clean", "e"): pairs(3, 4)}
    text = interpreted(multiview_budgeted_paired=multiview_rows(views, LEAN))
    assert "exploratory: clean/paper (+13.33)." in text["multiview_budgeted_paired"]
    none = interpreted(reproduction_paired_deltas=rows)
    assert none["robustness_paired"] == "None: the table was not computed."
    assert contrast_rows({("m", "l", "r"): pairs(0, 0)}, LEAN)[0]["ci_low_pp"] == 0


def test_a_family_must_see_more() -> None:
    """The smallest effect of a family of twelve is at a twelfth of alpha."""
    family = {("m", "clean", str(i)): pairs(30, 20 + i) for i in range(12)}
    rows = robustness_rows(family, LEAN)
    for i, row in enumerate(rows):
        assert row["minimum_detectable_effect"] == paired_mde(300, (50 + i) / 300, 0.05 / 12, 0.8)
        alone = delta_rows({("a", "b"): pairs(30, 20 + i)}, LEAN)[0]
        assert alone["minimum_detectable_effect"] == paired_mde(300, (50 + i) / 300, 0.05, 0.8)
        assert (row["alpha"], row["family_size"]) == (0.05, 12)


def semantic(model: str, clean: list[float], blank: list[float]) -> list[dict[str, Value]]:
    n = len(clean)
    counts = SemanticCounts(
        n=n,
        correct_clean=round(0.6 * n - sum(clean)),
        correct_blank=round(2 * (0.6 * n - sum(blank))),
        correct_semantic=round(3.6 * n),
        n_agree=3 * n,
        against_clean=clean,
        against_blank=blank,
    )
    return semantic_rows(model, counts, LEAN)


def test_layout_is_not_called_content() -> None:
    def text(clean: list[float], blank: list[float]) -> str:
        rows = semantic("m", clean, blank)
        return interpreted(semantic_seed_aggregate=rows)["semantic_seed_aggregate"]

    none, loss = [0.5, -0.5] * 50, [-0.5, -0.3] * 50
    assert "of its content not" in text(loss, none)
    assert "an effect of the content may be claimed (" in text(loss, loss)
    assert "though none against clean" in text(none, loss)
    assert "no effect may be claimed (" in text(none, none)


def test_one_interval_of_six_without_0_is_no_claim() -> None:
    """A content effect at p = 0.03 alone may be claimed only where it is the one that was asked."""
    none = [0.5, -0.5] * 50
    weak = [0.5] * 39 + [-0.5] * 61
    rows = semantic("a", none, weak) + semantic("b", none, none) + semantic("c", none, none)
    text = interpreted(semantic_seed_aggregate=rows)["semantic_seed_aggregate"]
    assert float(rows[1]["ci_high_pp"] or 0) < 0
    assert text.startswith(
        "a: no effect may be claimed; uncorrected, exploratory: against blank (+0.00 against "
        "clean, -11.00 against blank); b: no effect may be claimed ("
    )
    assert "Holm's correction over 6 at 0.05, p from the normal approximation." in text
    same = semantic("a", none, [-0.5] * 100)
    assert same[1]["minimum_detectable_effect_pp"] is None
    text = interpreted(semantic_seed_aggregate=same)["semantic_seed_aggregate"]
    assert "no effect may be claimed; uncorrected" in text


def test_a_difference_is_corrected_for_the_others() -> None:
    """p = 0.0195 alone is claimed; beside two without a difference it is not."""
    one = {("a", "b"): pairs(40, 21)}
    alone = delta_rows(one, LEAN)
    assert 0.05 / 3 < float(alone[0]["mcnemar_exact_p"] or 0) < 0.05
    name = "reproduction_paired_deltas"
    assert "of +6.33" in interpreted(reproduction_paired_deltas=alone)[name]
    family = delta_rows({**one, ("b", "c"): pairs(9, 9), ("a", "c"): pairs(9, 9)}, LEAN)
    text = interpreted(reproduction_paired_deltas=family)[name]
    assert "may be claimed" in text and "a difference of" not in text


def test_every_claim_ends_with_its_level() -> None:
    rows = delta_rows({("a", "b"): pairs(60, 20)}, LEAN)
    found = interpreted(reproduction_paired_deltas=rows)
    level = "At the claim level of its data: on generated data (L0) a mechanism check only."
    assert [name for name, text in found.items() if text.endswith(level)] == [
        "reproduction_paired_deltas"
    ]


def test_a_gate_worse_than_chance_gains_nothing() -> None:
    labels = {"model": "m", "condition": "clean", "split": "s", "method": "gate"}
    for hits, said_so in ((90, "by +"), (30, "No gain"), (50, "No gain")):
        whole = Selection(n=300, n_correct=150, n_accepted=100, n_accepted_correct=hits)
        rows = [uplift_row("uniform", {"all": whole}, labels, LEAN)]
        text = interpreted(heldout_gate_uplift=rows)["heldout_gate_uplift"]
        assert said_so in text
        assert ("no failure detector: coverage is 33.3 %" in text) == (hits == 90)
