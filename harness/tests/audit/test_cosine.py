"""Stage 2 against plain float64 on every pair, at the cut, with ties, bad vectors and parts."""

from __future__ import annotations

from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.audit import cosine
from harness.audit.cosine import NearParameters, eval_vectors, merge_near, near_block
from harness.audit.nearness import Nearness
from harness.audit.pairs import Near
from harness.errors import DataError
from harness.ids import seed


def drawn(name: str) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed(7, "cosine", name)))


def unit(values: Any, dtype: Any = np.float32) -> Any:
    double = np.asarray(values, np.float64)
    return (double / np.linalg.norm(double, axis=1, keepdims=True)).astype(dtype)


def lattice(rng: np.random.Generator, n: int, d: int) -> Any:
    """Small whole numbers, so that equal vectors and equal cosines are frequent."""
    values = rng.integers(-2, 3, (n, d))
    values[(values == 0).all(axis=1)] = 1
    return unit(values)


def at_angle(base: Any, other: Any, value: float) -> Any:
    """A vector with this cosine to `base`, to the precision of float32."""
    across = other - (other @ base) * base
    across /= np.linalg.norm(across)
    return (value * base + np.sqrt(1 - value**2) * across).astype(np.float32)


def by_loops(
    vectors: Any, sets: dict[str, Any], parameters: NearParameters, start: int
) -> list[Near]:
    """The definition, on every pair: the k nearest from the threshold, the nearest below it."""
    found = []
    for row, vector in enumerate(vectors.astype(np.float64)):
        for name in sorted(sets):
            items = sets[name].astype(np.float64)
            cosines = [
                (vector * item).sum() / np.sqrt((vector**2).sum() * (item**2).sum())
                for item in items
            ]
            order = sorted(range(len(items)), key=lambda i: (-cosines[i], i))
            ranked = [
                Near(row + start, name, item, rank, float(min(1.0, cosines[item])))
                for rank, item in enumerate(order, 1)
                if cosines[item] >= parameters.floor
            ]
            over = [one for one in ranked if one.cosine >= parameters.threshold]
            under = [one for one in ranked if one.cosine < parameters.threshold]
            found += over[: parameters.k] + under[:1]
    return found


@settings(max_examples=40, deadline=None)
@given(
    case=st.integers(0, 10**6),
    d=st.integers(2, 8),
    threshold=st.floats(0.3, 1.0),
    share=st.floats(0.4, 1.0),
    k=st.integers(1, 4),
)
def test_every_pair_is_as_defined(
    case: int, d: int, threshold: float, share: float, k: int
) -> None:
    rng = drawn(str(case))
    sets = {"b": lattice(rng, 9, d), "a": lattice(rng, 15, d)}
    vectors = lattice(rng, 12, d)
    parameters = NearParameters(threshold=threshold, floor=share * threshold, k=k)
    found = near_block(vectors, eval_vectors(sets), parameters, 5)
    assert list(found.near) == by_loops(vectors, sets, parameters, 5)


def test_blocks_tiles_and_pieces_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = drawn("blocks")
    sets = {"b": lattice(rng, 40, 4), "a": lattice(rng, 31, 4)}
    vectors = lattice(rng, 57, 4)
    parameters = NearParameters(threshold=0.9, floor=0.5, k=3)
    index = eval_vectors(sets)
    whole = near_block(vectors, index, parameters)
    assert list(whole.near) == by_loops(vectors, sets, parameters, 0)
    for rows, items, pairs, numbers in ((7, 5, 11, 9), (1, 1, 1, 1), (57, 64, 3, 1 << 20)):
        monkeypatch.setattr(cosine, "_ROWS", rows)
        monkeypatch.setattr(cosine, "_ITEMS", items)
        monkeypatch.setattr(cosine, "_PAIRS", pairs)
        monkeypatch.setattr(cosine, "_NUMBERS", numbers)
        assert near_block(vectors, index, parameters) == whole


def test_the_cut_is_decided_in_double_precision() -> None:
    """Pairs a few float32 steps from the threshold: the product alone gets some of them wrong."""
    rng = drawn("cut")
    base = unit(rng.normal(size=(1, 1024)))[0]
    others = rng.normal(size=(400, 1024))
    rows = np.stack([at_angle(base, o, 0.85 + (k - 200) * 2e-9) for k, o in enumerate(others)])
    double = rows.astype(np.float64)
    exact = (double * base.astype(np.float64)).sum(1)
    exact = exact / np.sqrt((double**2).sum(1) * (base.astype(np.float64) ** 2).sum())
    wrong = ((rows @ base) >= np.float32(0.85)) != (exact >= 0.85)
    assert wrong.sum() > 5
    index = eval_vectors({"e": base[None]})
    for number in np.flatnonzero(exact >= 0.85):
        strict = NearParameters(threshold=0.85, floor=0.85, border=0)
        assert near_block(rows[number : number + 1], index, strict).near, number
    parameters = NearParameters(threshold=0.85, floor=0.85)
    found = near_block(rows, index, parameters)
    assert [one.row for one in found.near] == np.flatnonzero(exact >= 0.85).tolist()
    assert [one.cosine for one in found.near] == pytest.approx(exact[exact >= 0.85].tolist())
    # Those below the floor are listed too, as they are at the cut.
    assert len(found.borderline) == found.spans[0].borderline == 400


def test_lengths_within_the_tolerance_do_not_count() -> None:
    """A cosine, not a product: here the product of a longer and a shorter pair would differ."""
    base = np.array([1.0, 0.0])
    row = np.array([0.8504, np.sqrt(1 - 0.8504**2)])
    for factor in (0.9992, 1.0008):
        index = eval_vectors({"e": (factor * base[None]).astype(np.float32)})
        rows = (factor * row[None]).astype(np.float32)
        (one,) = near_block(rows, index, NearParameters(threshold=0.8503, floor=0.8503)).near
        assert one.cosine == pytest.approx(0.8504, abs=1e-7)


def test_half_precision_stays_within_the_border() -> None:
    rng = drawn("half")
    base = unit(rng.normal(size=(1, 512)))[0]
    others = rng.normal(size=(300, 512))
    rows = np.stack([at_angle(base, o, 0.85 + (k - 150) * 1e-5) for k, o in enumerate(others)])
    parameters = NearParameters(threshold=0.85, floor=0.8)
    single = near_block(rows, eval_vectors({"e": base[None]}), parameters)
    half = near_block(
        rows.astype(np.float16), eval_vectors({"e": base[None].astype(np.float16)}), parameters
    )
    differing = {one.row for one in single.near if one.cosine >= 0.85} ^ {
        one.row for one in half.near if one.cosine >= 0.85
    }
    assert differing
    assert differing <= {one.row for one in half.borderline}


def test_equal_items_are_compared_once_and_the_lowest_wins() -> None:
    same = np.array([[1.0, 0.0]], np.float32)
    index = eval_vectors({"e": np.repeat(same, 3000, 0), "f": np.repeat(same, 5, 0)})
    assert len(index.vectors) == 2
    found = near_block(np.repeat(same, 400, 0), index, NearParameters(0.9, 0.5, k=2))
    assert len(found.near) == 400 * 4
    assert {(one.item, one.rank, one.cosine) for one in found.near} == {(0, 1, 1.0), (1, 2, 1.0)}


def test_ranks_of_the_band_count_every_item_above() -> None:
    """Beyond the k kept ones, sure and doubtful, in other tiles, with equal vectors."""
    angles = [0.2, 0.0, 0.0, 0.3, 1e-4, 0.75, 0.7]
    items = unit([[np.cos(a), np.sin(a)] for a in angles])
    parameters = NearParameters(threshold=float(np.cos(0.5)), floor=0.5, k=1)
    found = near_block(items[1:2], eval_vectors({"e": items}), parameters).near
    assert [(one.item, one.rank) for one in found] == [(1, 1), (6, 6)]


def test_rows_and_items_without_text_are_near_to_nothing() -> None:
    eye = np.eye(3, dtype=np.float32)
    index = eval_vectors({"e": eye[:2]}, {"e": [False, True, False, True]})
    assert (index.sizes, index.empty) == ((4,), (2,))
    found = near_block(
        eye[[1, 0]],
        index,
        NearParameters(0.9, 0.9),
        10,
        present=np.array([True, False, True, False]),
        truncated=1,
    )
    assert [(one.row, one.item) for one in found.near] == [(10, 3), (12, 1)]
    assert found.counts() == {"rows": 4, "truncated": 1, "empty": 2, "near": 2, "borderline": 0}
    none = near_block(eye[:0], index, NearParameters(0.9, 0.9), present=np.zeros(2, bool))
    assert (none.near, none.spans[0].empty) == ((), 2)
    assert near_block(eye[:0], index, NearParameters(0.9, 0.9)) == Nearness()


def test_parts_merge_in_any_order_and_once() -> None:
    rng = drawn("parts")
    vectors, index = lattice(rng, 40, 4), eval_vectors({"e": lattice(rng, 20, 4)})
    parameters = NearParameters(threshold=0.9, floor=0.5, k=2)
    whole = near_block(vectors, index, parameters)
    cuts = [0, 3, 20, 40]
    parts = [near_block(vectors[a:b], index, parameters, a) for a, b in pairwise(cuts)]
    for first, second, third in permutations(parts):
        assert merge_near(first, second, third) == whole
        assert merge_near(merge_near(first, second), third) == whole
        assert merge_near(first, merge_near(second, third)) == whole
    assert merge_near() == Nearness()
    with pytest.raises(DataError, match=r"rows 3 to 19 were compared twice"):
        merge_near(*parts, parts[1])
    other = near_block(vectors, eval_vectors({"f": lattice(rng, 20, 4)}), parameters)
    assert {one.eval_set for one in merge_near(whole, other).near} == {"e", "f"}
    again = near_block(vectors, eval_vectors({"e": lattice(rng, 21, 4)}), parameters)
    with pytest.raises(DataError, match=r"both have a set 'e'"):
        merge_near(whole, again)


def test_the_fingerprint_covers_what_decides() -> None:
    eye = np.eye(3, dtype=np.float32)
    made = [
        eval_vectors({"e": eye, "f": eye[:1]}),
        eval_vectors({"e": eye, "g": eye[:1]}),
        eval_vectors({"e": eye[::-1].copy(), "f": eye[:1]}),
        eval_vectors({"e": eye, "f": eye[:1]}, {"f": [True, False]}),
        eval_vectors({"e": eye, "f": eye[:1]}, embedder="x"),
    ]
    assert len({index.fingerprint for index in made}) == len(made)
    assert eval_vectors({"f": eye[:1], "e": eye}).fingerprint == made[0].fingerprint


def bad_vectors() -> list[tuple[str, Any, str]]:
    eye = np.eye(3, dtype=np.float32)

    def with_row(values: list[float]) -> Any:
        return np.concatenate([eye[:2], np.array([values], np.float32)])

    return [
        ("nan", with_row([np.nan, 0, 1]), r"vector of 12: .* not finite"),
        ("infinite", with_row([np.inf, 0, 1]), r"vector of 12: .* not finite"),
        ("huge", with_row([3e38, 0, 0]), r"vector of 12: .* length 3e\+38"),
        ("zero", with_row([0, 0, 0]), r"vector of 12: .* zeros"),
        ("short", with_row([0.99, 0, 0]), r"vector of 12: .* length 0\.99"),
        ("dimension", np.eye(4, dtype=np.float32), r"3 dimensions, found 4"),
        ("double", np.eye(3), r"float32 or float16, found float64"),
        ("flat", np.ones(3, np.float32), r"shape \(3,\)"),
    ]


@pytest.mark.parametrize("side", ["rows", "items"])
def test_vectors_that_cannot_be_used_are_refused(side: str) -> None:
    eye = np.eye(3, dtype=np.float32)
    for name, vectors, message in bad_vectors():
        with pytest.raises(DataError, match=message):
            if side == "rows":
                near_block(vectors, eval_vectors({"e": eye}), NearParameters(0.9, 0.9), 10)
            else:
                present = {"f": [False] * 10 + [True] * len(vectors)}
                eval_vectors({"e": eye, "f": vectors}, present)
            pytest.fail(name)


def test_sides_of_different_embedders_are_refused() -> None:
    eye = np.eye(2, dtype=np.float32)
    with pytest.raises(DataError, match=r"embedder aaaa .* found bbbb; embed both sides"):
        near_block(
            eye,
            eval_vectors({"e": eye}, embedder="aaaa"),
            NearParameters(0.9, 0.9),
            embedder="bbbb",
        )
    with pytest.raises(DataError, match="at least one evaluation set"):
        eval_vectors({})
    with pytest.raises(DataError, match="at least one item"):
        eval_vectors({"e": eye[:0]})
    with pytest.raises(DataError, match="true for 2 of them"):
        eval_vectors({"e": eye}, {"e": [True, False]})


@pytest.mark.parametrize(
    "values",
    [
        {"threshold": 0.8, "floor": 0.81},
        {"threshold": 1.1, "floor": 0.5},
        {"threshold": 0.8, "floor": 0.0},
        {"threshold": float("nan"), "floor": 0.5},
        {"threshold": 0.8, "floor": 0.5, "k": 0},
        {"threshold": 0.8, "floor": 0.5, "margin": -1e-9},
        {"threshold": 0.8, "floor": 0.5, "border": 1.0},
    ],
    ids=str,
)
def test_parameters_out_of_range_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(DataError, match="stage 2: expected"):
        NearParameters(**values)
