"""Seeds, donors and places: the published rules, recomputed another way."""

from __future__ import annotations

import hashlib
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.tests.vision.made_split import EVERY_VIEW, ROWS
from harness.types import Example, Media
from harness.vision import draws
from harness.vision.metadata import drawn
from harness.vision.views import named

IDS = st.lists(st.text(min_size=1, max_size=4), min_size=8, max_size=20, unique=True)
SEEDS = st.integers(0, 2**64 - 1)


def seed_of(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest()[:16], 16)


def shuffled(values: list[str], seed: int) -> list[str]:
    """The whole of Fisher and Yates's shuffle on a list, by swaps."""
    values = list(values)
    for i in range(len(values)):
        j = i + seed_of(f"{seed}::{i}") % (len(values) - i)
        values[i], values[j] = values[j], values[i]
    return values


def test_donors_and_places_by_another_way() -> None:
    for base, row in ((20260723, "r4"), (0, "r0"), (1, "r8")):
        others = [i for i in ROWS if i != row]
        for n in (1, 2):
            order = shuffled(others, seed_of(f"{base}::{row}::distractor_{n}::donors"))
            found = [draws.donors(base, row, ROWS, n, k) for k in range(3)]
            assert found == [tuple(order[n * k : n * k + n]) for k in range(3)]
        for n in (1, 3):
            places = shuffled(
                [str(i) for i in range(n + 1)], seed_of(f"{base}::{row}::distractor_{n}::position")
            )
            assert [str(i) for i in draws.placement(base, row, n, "drawn")] == places


@settings(max_examples=50, deadline=None)
@given(SEEDS, st.integers(0, 40), st.data())
def test_a_sample_is_without_replacement_and_nested(
    seed: int, n_all: int, data: st.DataObject
) -> None:
    n = data.draw(st.integers(0, n_all))
    whole = draws.sample(seed, n_all, n_all)
    assert sorted(whole) == list(range(n_all))
    assert draws.sample(seed, n_all, n) == whole[:n]


@settings(max_examples=50, deadline=None)
@given(SEEDS, IDS, st.randoms(use_true_random=False))
def test_variants_are_disjoint_and_never_the_target_in_any_order_of_rows(
    base: int, rows: list[str], rng: random.Random
) -> None:
    target = rows[0]
    found = [draws.donors(base, target, rows, 1, k) for k in range(3)]
    found.append(draws.donors(base, target, rows, 3, 0))
    assert len({*found[0], *found[1], *found[2]}) == 3
    assert len(set(found[3])) == 3
    assert target not in {one for some in found for one in some} <= set(rows)
    rng.shuffle(rows)
    again = [draws.donors(base, target, rows, 1, k) for k in range(3)]
    assert again == found[:3]
    assert draws.donors(base, target, [r for r in rows if r != target], 1, 0) == found[0]


@pytest.mark.parametrize(("n", "n_all"), [(-1, 3), (4, 3)])
def test_a_sample_out_of_range_is_an_error(n: int, n_all: int) -> None:
    with pytest.raises(ValueError, match=f"sample of 0 to {n_all}, found {n}"):
        draws.sample(1, n_all, n)


def test_draws_are_near_uniform() -> None:
    """1,500 rows: donors and places at the expected shares, within 4 standard errors."""
    rows = [f"d{i}" for i in range(5)]
    for variant in (0, 2):
        counts = Counter(draws.donors(1, f"x{i}", rows, 1, variant) for i in range(1500))
        assert len(counts) == 5
        assert all(abs(n - 300) < 4 * (1500 * 0.2 * 0.8) ** 0.5 for n in counts.values())
    left = sum(draws.placement(1, f"x{i}", 1, "drawn")[0] == 0 for i in range(1500))
    assert abs(left - 750) < 4 * 1500**0.5 / 2


def test_the_place_depends_on_neither_donors_nor_control() -> None:
    for row in ROWS:
        told = drawn(named("distractor_1", seed=9), row, ROWS)
        few = drawn(named("distractor_1", seed=9), row, ROWS[:3])
        assert few["target_panel_index"] == told["target_panel_index"]
        variants = [drawn(named(f"distractor_1_seed{k}_left", seed=9), row, ROWS) for k in range(3)]
        right = drawn(named("distractor_1_seed0_right", seed=9), row, ROWS)
        assert variants[0]["distractor_ids"] == right["distractor_ids"] == told["distractor_ids"]
        assert len({v["distractor_ids"][0] for v in variants}) == 3
    both = {drawn(named("distractor_1", seed=9), row, ROWS)["target_panel_index"] for row in ROWS}
    assert both == {0, 1}


def test_an_image_mode_changes_no_draw() -> None:
    for row in ROWS:
        alone = drawn(named("distractor_3", seed=2), row, ROWS)
        shown = drawn(named("distractor_3-global_budgeted", seed=2), row, ROWS)
        same = ("distractor_ids", "target_panel_index", "distractor_seed_variant")
        assert [alone[k] for k in same] == [shown[k] for k in same]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("clean", {"n_views": 1}),
        ("shuffled", {"n_views": 1}),
        ("downsample_25", {"ratio": 0.25, "n_views": 1}),
        (
            "control_target_rescaled",
            {"target_panel_index": 0, "matched_condition": "clean", "n_views": 1},
        ),
        (
            "control_blank_1_right",
            {
                "fixed_target_position": "right",
                "target_panel_index": 1,
                "control_panel": "blank",
                "matched_condition": "distractor_1_seed0_right",
                "n_views": 1,
            },
        ),
        ("global_plus_quadrants", {"n_views": 5}),
        (
            "global_budgeted",
            {"n_views": 1, "view_budget": 864, "nominal_pixel_budget": 746_496},
        ),
        (
            "downsample_50-global_plus_quadrants_budgeted",
            {"ratio": 0.5, "n_views": 5, "view_budget": 384, "nominal_pixel_budget": 737_280},
        ),
    ],
)
def test_what_is_told_of_a_view(name: str, told: dict[str, object]) -> None:
    found = drawn(named(name), "r0", ROWS)
    assert {k: v for k, v in found.items() if v is not None} == told


def test_every_view_is_told_under_the_same_keys() -> None:
    assert len({tuple(drawn(named(name), "r0", ROWS)) for name in EVERY_VIEW}) == 1
    with pytest.raises(ValueError, match="expected at least 3 other examples"):
        drawn(named("distractor_3"), "r0", ROWS[:3])


def example(name: str, *pictures: str, kind: str = "image") -> Example:
    media = tuple(Media(kind=kind, name=p, sha256=p.rstrip("'")) for p in pictures)  # type: ignore[arg-type]
    return Example(id=name, kind="text", question="?", gold="x", media=media)


def test_who_can_lend_a_picture() -> None:
    rows = [
        example("z", "a"),
        example("y", "b", "a"),
        example("x"),
        example("w", "c"),
        example("v", "c'"),
        example("u", "film", kind="video"),
        example("t", "d"),
    ]
    assert draws.donor_ids(rows, rows[0]) == ("t", "v", "y", "z")
    assert draws.donor_ids(rows[::-1], rows[0]) == ("t", "v", "y", "z")
    assert draws.donor_ids(rows, rows[1]) == ("t", "v", "y")
    assert draws.donor_ids(rows, rows[3]) == ("t", "w", "y", "z")
    assert draws.donor_ids(rows, rows[2]) == ("t", "v", "x", "y", "z")


def test_noise_is_uniform_and_the_examples_own() -> None:
    raw = draws.noise_bytes(1, "a", 512 * 512 * 3)
    counts = Counter(raw)
    assert len(counts) == 256
    chi2 = sum((n - len(raw) / 256) ** 2 for n in counts.values()) / (len(raw) / 256)
    assert 170 < chi2 < 350
    assert raw != draws.noise_bytes(1, "b", len(raw)) != draws.noise_bytes(2, "b", len(raw))
    seed = seed_of("1::a::distractor_1::noise").to_bytes(8, "big")
    assert raw == hashlib.shake_256(seed).digest(len(raw))
