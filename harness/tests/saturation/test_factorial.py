"""The gradient and the 2 × 2 design, against arithmetic by hand and against the cell formula."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from scipy.stats import ttest_1samp, ttest_ind

from harness.saturation.factorial import EFFECTS, TwinScore, factorial, factorial_table
from harness.saturation.gradient import PUBLISHED, Rung, gradient, independent_difference, step
from harness.stats.checks import StatisticsError
from harness.stats.contrasts import factorial_2x2

NAMES = (*EFFECTS, "audit", "interaction")


def drawn(seed: int, n: int = 60) -> list[TwinScore]:
    draws = np.random.Generator(np.random.PCG64(seed))
    bits = draws.random((n, 3)) < (0.7, 0.4, 0.3)
    return [
        TwinScore(id=str(i), choice=bool(c), open=bool(o), flagged=bool(f) or i < 2)
        for i, (c, o, f) in enumerate(bits)
    ] + [TwinScore(id=f"x{i}", choice=i == 0, open=False, flagged=False) for i in range(2)]


def test_estimates_are_those_of_the_four_cells_and_of_t_tests() -> None:
    for seed in range(4):
        items = drawn(seed)
        found = factorial(items, 0.9)
        rows = {flag: [i for i in items if i.flagged is flag] for flag in (False, True)}
        cells = {
            f"{int(choice)}{int(flag)}": (
                sum((i.choice if choice else i.open) for i in rows[flag]),
                len(rows[flag]),
            )
            for choice in (False, True)
            for flag in (False, True)
        }
        plain = factorial_2x2(cells)
        value = {name: found.effect(name).estimate.value for name in NAMES}
        assert value["format"] == pytest.approx(plain.main_a)
        assert value["audit"] == pytest.approx(plain.main_b)
        assert value["interaction"] == pytest.approx(plain.interaction)
        gaps = {flag: [int(i.choice) - int(i.open) for i in rows[flag]] for flag in rows}
        within = ttest_1samp(gaps[True], 0.0)
        assert found.effect("format | flagged").p == pytest.approx(within.pvalue)
        between = ttest_ind(gaps[True], gaps[False], equal_var=False)
        effect = found.effect("interaction")
        assert (effect.p, effect.df) == pytest.approx((between.pvalue, between.df))
        interval = between.confidence_interval(0.9)
        assert effect.estimate.low == pytest.approx(interval.low)
        assert effect.estimate.high == pytest.approx(interval.high)
        share = len(rows[True]) / len(items)
        whole = sum(i.open for i in items) / len(items)
        clean = sum(i.open for i in rows[False]) / len(rows[False])
        assert dict(found.inflation)["open"] == pytest.approx(whole - clean)
        assert share * (value["audit | open"] or 0) == pytest.approx(whole - clean)


def test_pairing_within_an_item_narrows_the_format_effect() -> None:
    items = [
        TwinScore(id=str(i), choice=i % 4 < 3, open=i % 4 < 2, flagged=i % 2 == 0)
        for i in range(80)
    ]
    effect = factorial(items, 0.95).effect("format").estimate
    assert effect.low is not None and effect.high is not None
    plain = factorial_2x2({"00": (20, 40), "01": (20, 40), "10": (20, 40), "11": (40, 40)})
    assert effect.high - effect.low < 2 * 1.96 * (plain.stderr_main or 0)


def test_guessing_alone_is_a_format_effect_that_the_other_scale_takes_away() -> None:
    """Of 400 unknown items a guesser gets 100 right among four choices, none in open form."""
    items = [
        TwinScore(id=str(i), choice=i % 4 == 0, open=False, flagged=i % 8 < 4) for i in range(400)
    ]
    raw, above = (factorial(items, 0.95, scale) for scale in ("raw", "above chance"))
    assert raw.effect("format").estimate.value == 0.25
    assert above.effect("format").estimate.value == pytest.approx(0.0, abs=1e-12)
    # Flagged items known by heart: the raw interaction is -25 points of guessing, the other 0.
    known = [
        TwinScore(**{**fields(i), "choice": True, "open": True}) if i.flagged else i for i in items
    ]
    raw, above = (factorial(known, 0.95, scale) for scale in ("raw", "above chance"))
    assert raw.effect("interaction").estimate.value == -0.25
    assert above.effect("interaction").estimate.value == pytest.approx(0.0, abs=1e-12)
    assert dict(raw.inflation) == {"choice": pytest.approx(0.375), "open": 0.5}


def fields(item: TwinScore) -> dict[str, object]:
    names = ("id", "choice", "open", "flagged", "n_choices")
    return {name: getattr(item, name) for name in names}


def test_where_nothing_varies_and_what_is_refused() -> None:
    flat = [TwinScore(id=str(i), choice=True, open=False, flagged=i < 2) for i in range(4)]
    found = factorial(flat, 0.95)
    effect = found.effect("format")
    assert (effect.estimate.low, effect.estimate.high, effect.p, effect.df) == (
        1.0,
        1.0,
        None,
        None,
    )
    assert effect.estimate.degenerate
    table = factorial_table([found])
    assert [row["effect"] for row in table.rows] == list(NAMES)
    assert "raw, choice: +0.0 points" in table.note
    refused = {
        "at least two flagged": flat[1:],
        "one of": None,
        "each id once": [*flat, flat[0]],
        "at least 2, found 1": [TwinScore(**{**fields(i), "n_choices": 1}) for i in flat],
    }
    for message, items in refused.items():
        with pytest.raises(StatisticsError, match=message):
            factorial(flat if items is None else items, 0.95, "log" if items is None else "raw")  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        found.effect("subject")


def test_the_published_gradient() -> None:
    table = gradient(PUBLISHED, 0.95)
    rows = table.rows
    assert [round(float(row["accuracy_pct"] or 0), 1) for row in rows] == [79.7, 50.4, 33.4]
    total = float(rows[0]["accuracy_pct"] or 0) - float(rows[2]["accuracy_pct"] or 0)
    assert round(total, 1) == 46.3
    assert [row["step"] for row in rows] == ["start", "format", "novelty"]
    assert [rows[1][f"step_{end}_pp"] for end in ("low", "high")] == [None, None]
    assert rows[1]["low_pct"] is None and rows[2]["low_pct"] is not None
    assert round(float(rows[0]["above_chance_pct"] or 0), 1) == 72.9
    # No count over the 237 items of OlympiadBench's physics gives 50.4 %.
    assert "50.4" not in {f"{100 * k / 237:.1f}" for k in range(238)}
    ends = gradient([PUBLISHED[0], PUBLISHED[2]], 0.95).rows[1]
    assert ends["step"] == "format and novelty"
    assert round(float(ends["step_pp"] or 0), 1) == -46.3
    assert float(ends["step_low_pp"] or 0) < -46.3 < float(ends["step_high_pp"] or 0) < 0


def test_newcombes_interval() -> None:
    # Newcombe 1998, table II: 56/70 - 48/80 and 9/10 - 3/10, method 10.
    for counts, low, high in (((56, 70, 48, 80), 0.0524, 0.3339), ((9, 10, 3, 10), 0.1705, 0.8090)):
        found = independent_difference(*counts, 0.95)
        assert (round(found.low or 0, 4), round(found.high or 0, 4)) == (low, high)
        turned = independent_difference(*counts[2:], *counts[:2], 0.95)
        assert turned.low == pytest.approx(-(found.high or 0))
    assert independent_difference(0, 0, 1, 2, 0.95).value is None
    full = independent_difference(10, 10, 0, 10, 0.95)
    assert full.high == 1.0
    assert full.low == pytest.approx(1 - sqrt(2) * 0.277533, abs=1e-5)


def test_rungs_that_are_refused() -> None:
    good = {"name": "a", "form": "open", "novel": 0.5, "right": 1, "n": 2}
    for change, message in (
        ({"form": "mixed"}, "expected one of"),
        ({"novel": 1.5}, "0 to 1"),
        ({"n": None}, "right and n, or accuracy alone"),
        ({"accuracy": 0.5}, "right and n, or accuracy alone"),
        ({"right": None, "n": None, "accuracy": 50.4}, "0 to 1, found 50.4"),
        ({"right": 3}, "3 > 2"),
        ({"n_choices": 4}, "0 for open ones"),
        ({"form": "choice"}, "two choices or more"),
    ):
        with pytest.raises(StatisticsError, match=message):
            Rung(**{**good, **change})  # type: ignore[arg-type]
    rung = Rung(**good)  # type: ignore[arg-type]
    assert step(rung, rung) == "neither"
    with pytest.raises(StatisticsError, match="each set once"):
        gradient([rung, rung], 0.95)
    empty = gradient([Rung(name="e", form="open", novel=0, right=0, n=0), rung], 0.95).rows
    assert empty[0]["accuracy_pct"] is None and empty[1]["step_pp"] is None
