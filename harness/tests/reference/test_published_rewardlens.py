"""RewardLens' published tables, computed again from their own counts."""

from __future__ import annotations

from functools import partial

import pytest

from harness.stats.estimate import Estimate
from harness.stats.matching import Judge, matched_comparisons
from harness.stats.ratios import ratio_interval
from harness.stats.triplets import EightStates, triplet_metrics
from harness.tests.reference.published import ends_fit, some_table, table

pytestmark = pytest.mark.reference

STATES = [f"n_{base}{rel}{irr}" for base in (0, 1) for rel in (0, 1) for irr in (0, 1)]
METRICS = {
    "RA": "relevant_adaptation",
    "II": "irrelevant_invariance",
    "PFC": "pfc",
    "PSC": "psc",
    "flip_relevant": "flip_relevant",
    "flip_irrelevant": "flip_irrelevant",
}
PRINTED = 0.006


def cells() -> dict[tuple[str, str], dict[str, str]]:
    rows = table("rewardlens/audit_states_and_metrics", 32)
    found = {(row["model"], row["factor"]): row for row in rows}
    assert len(found) == 32
    return found


def states(row: dict[str, str]) -> EightStates:
    return EightStates(**{name: int(row[name]) for name in STATES})


def judges() -> list[Judge]:
    return [
        Judge(
            name=model,
            factor=factor,
            static_correct=int(row["static_correct"]),
            static_n=int(row["static_n"]),
            n_adapted=int(row["n_110"]) + int(row["n_111"]),
            n_base_correct=int(row["n_base_correct"]),
        )
        for (model, factor), row in cells().items()
    ]


def test_every_cell_follows_from_its_eight_states() -> None:
    for where, row in cells().items():
        found = triplet_metrics(states(row))
        assert found.n_triplets == 200
        assert found.n_base_correct == int(row["n_base_correct"])
        for column, name in METRICS.items():
            value = getattr(found, name)
            assert abs(value - float(row[column])) <= 5e-7, (where, column)
        assert (
            abs(int(row["static_correct"]) / int(row["static_n"]) - float(row["static_accuracy"]))
            < 5e-7
        )


def test_the_identities_hold_in_every_cell() -> None:
    """The products, the flips by the states that keep the letter, and Fréchet's bounds."""
    for where, row in cells().items():
        found = triplet_metrics(states(row))
        n = {name: int(row[name]) for name in STATES}
        assert found.base_accuracy is not None and found.relevant_adaptation is not None
        assert found.irrelevant_invariance is not None and found.joint is not None
        assert found.pfc == pytest.approx(
            found.base_accuracy * found.relevant_adaptation, abs=1e-15
        )
        assert found.psc == pytest.approx(
            found.base_accuracy * found.irrelevant_invariance, abs=1e-15
        )
        kept = n["n_010"] + n["n_011"] + n["n_100"] + n["n_101"]
        moved = n["n_001"] + n["n_011"] + n["n_100"] + n["n_110"]
        assert found.flip_relevant == pytest.approx(1 - kept / 200, abs=1e-15), where
        assert found.flip_irrelevant == pytest.approx(moved / 200, abs=1e-15), where
        low = max(0.0, found.relevant_adaptation + found.irrelevant_invariance - 1)
        high = min(found.relevant_adaptation, found.irrelevant_invariance)
        assert low - 1e-15 <= found.joint <= high + 1e-15, where


def test_seven_pairs_are_matched_and_their_median_is_15_05() -> None:
    given = judges()
    assert len(given) == 32
    found = matched_comparisons(given, 1)
    gaps = sorted(100 * pair.gap for pair in found.pairs if pair.gap is not None)
    assert found.n_candidates == 112
    assert [round(gap, 3) for gap in gaps] == [0, 1.373, 2, 15.054, 25.628, 25.628, 38.604]
    assert found.median_gap == pytest.approx(28 / 186, abs=1e-15)
    published = table("rewardlens/matched_pairs_1pp_bootstrap", 7)
    names = {(p.factor, p.first, p.second) for p in found.pairs}
    assert names == {(r["factor"], r["model_1"], r["model_2"]) for r in published}


def test_three_pairs_lie_on_the_threshold_where_floats_fail() -> None:
    given = judges()
    pairs = [(a, b) for i, a in enumerate(given) for b in given[i + 1 :] if a.factor == b.factor]
    assert len(pairs) == 112
    near = [
        (a, b)
        for a, b in pairs
        if abs(a.static_correct / a.static_n - b.static_correct / b.static_n) <= 0.01
    ]
    assert len(near) == 4
    gaps = sorted(
        abs(a.n_adapted / a.n_base_correct - b.n_adapted / b.n_base_correct) for a, b in near
    )
    assert round(50 * (gaps[1] + gaps[2]), 2) == 25.63
    edge = [
        (a, b)
        for a, b in pairs
        if 100 * abs(a.static_correct * b.static_n - b.static_correct * a.static_n)
        == a.static_n * b.static_n
    ]
    assert len(edge) == 3 and not set(map(id, sum(edge, ()))) <= set(map(id, sum(near, ())))
    failing = sum(abs((k + 2) / 200 - k / 200) > 0.01 for k in range(199))
    assert failing == 161


def ratio(hits: int, whole: int, level: float) -> Estimate:
    return ratio_interval(hits, whole, 200, level)


def test_the_intervals_of_the_matched_pairs() -> None:
    """Exact where one judge is always right: then the other's counts alone decide.

    Where both err the published margins leave the joint counts open; a share of all triplets
    must then have the ends that some joint table has.
    """
    at = cells()
    exact = joint = 0
    for row in table("rewardlens/matched_pairs_1pp_bootstrap", 7):
        first, second = (at[row[m], row["factor"]] for m in ("model_1", "model_2"))
        for column, key in (("RA", 1), ("II", 2), ("PFC", 1), ("PSC", 2)):
            sides = []
            for cell in (first, second):
                n = {name: int(cell[name]) for name in STATES}
                hits = n["n_111"] + (n["n_110"] if key == 1 else n["n_101"])
                whole = int(cell["n_base_correct"]) if column in ("RA", "II") else 200
                sides.append((hits, whole))
            (k1, n1), (k2, n2) = sides
            delta, low, high = (
                float(row[name]) for name in (f"delta_{column}_pp", f"{column}_lo", f"{column}_hi")
            )
            assert abs(100 * (k1 / n1 - k2 / n2) - delta) <= 0.0006, (row, column)
            if k2 == n2:
                ends = low / 100 + 1, high / 100 + 1
                assert ends_fit(partial(ratio, k1, n1), *ends, PRINTED / 100), (row, column)
                exact += 1
            elif k1 == n1:
                ends = 1 - high / 100, 1 - low / 100
                assert ends_fit(partial(ratio, k2, n2), *ends, PRINTED / 100), (row, column)
                exact += 1
            elif column in ("PFC", "PSC"):
                assert some_table(k2, k1, 200, 2 * low, 2 * high), (row, column)
                joint += 1
        n = int(row["n_static"])
        steps = round(float(row["delta_static_pp"]) * n / 100)
        k1 = int(first["static_correct"])
        k2 = k1 - steps
        ends = (float(row[name]) * n / 100 for name in ("static_lo", "static_hi"))
        assert some_table(k2, k1, n, *ends), row
        joint += 1
    assert (exact, joint) == (19, 12)


def test_the_headline_rows() -> None:
    at = cells()
    spatial = {
        model: 100 * int(cell["n_111"] or 0) + 100 * int(cell["n_110"] or 0)
        for (model, factor), cell in at.items()
        if factor == "spatial" and cell["n_base_correct"] == "200"
    }
    assert {m: v / 200 for m, v in spatial.items()} == {
        "Qwen": 98.5, "Skywork": 86.0, "Idefics3": 55.0, "LLaVA": 87.0, "InternVL": 91.5,
    }  # fmt: skip
    found = {m: triplet_metrics(states(at[m, "count"])) for m in ("Qwen", "Skywork")}
    gap = found["Skywork"].relevant_adaptation - found["Qwen"].relevant_adaptation  # type: ignore[operator]
    assert round(100 * gap, 2) == 45.81
    assert [at[m, "attribute"]["static_correct"] for m in ("Phi", "LLaVA")] == ["161", "161"]


def test_the_static_gap_of_skywork_and_phi_depends_on_what_was_read() -> None:
    """Two static answers of Phi were unreadable: 0.348 points by margins, 0.505 by the 198 left."""
    skywork, phi = (cells()[m, "spatial"] for m in ("Skywork", "Phi"))
    margins = int(skywork["static_correct"]) / 200 - int(phi["static_correct"]) / 198
    row = next(
        r for r in table("rewardlens/matched_pairs_1pp_bootstrap", 7) if r["factor"] == "spatial"
    )
    assert round(100 * margins, 3) == -0.348
    assert round(100 * -1 / 198, 3) == float(row["delta_static_pp"]) == -0.505


def test_the_edits_differ_less_where_more_triplets_are_alike() -> None:
    rows = table("rewardlens/edit_magnitude", 4)
    gaps = {
        r["factor"]: abs(float(r["pixel_change_relevant"]) - float(r["pixel_change_irrelevant"]))
        for r in rows
    }
    alike = {r["factor"]: int(r["n_within_0.05"]) for r in rows}
    assert [alike[f] for f in ("count", "attribute", "presence", "spatial")] == [191, 109, 103, 56]
    assert min(gaps, key=gaps.__getitem__) == "count"
    assert max(gaps, key=gaps.__getitem__) == "spatial"
