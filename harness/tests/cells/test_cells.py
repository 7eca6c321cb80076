"""Axes to cells, tiers to nested samples, cells to shards."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.cells import grid, shards
from harness.errors import StudyError
from harness.sample import select
from harness.study import Study, load_study
from harness.types import Example

MINI = Path(__file__).parents[3] / "evals/studies/mini.toml"


@pytest.fixture(scope="module")
def study() -> Study:
    return load_study(MINI).at("canary", "visual-shapes")


def examples(n: int) -> tuple[Example, ...]:
    return tuple(Example(id=f"e{i}", kind="yesno", question="?", gold="yes") for i in range(n))


def test_grid_is_the_product_and_baselines_get_the_clean_view_alone(study: Study) -> None:
    cells = grid(study, views=("clean", "shuffled", "blank"))
    assert [c.id for c in cells if c.model.name == "majority"] == [
        "canary:visual-shapes/visual-shapes/majority/clean/word"
    ]
    assert sum(c.model.name == "micro-sft" for c in cells) == 3
    assert len({c.id for c in cells}) == len(cells) == 11
    assert {c.n for c in cells} == {60}


def test_an_empty_grid_is_an_error(study: Study) -> None:
    with pytest.raises(StudyError, match="visual-shapes: expected at least one cell"):
        grid(study, views=())


def test_a_study_without_a_tier_is_an_error() -> None:
    with pytest.raises(StudyError, match="at a tier"):
        grid(load_study(MINI), views=("clean",))


@given(st.integers(1, 60), st.integers(0, 5), st.permutations(list(range(40))))
def test_samples_are_nested_and_independent_of_the_order(
    n: int, seed: int, order: list[int]
) -> None:
    """AT-37, AT-75: a count is a count for any data set, and never another choice."""
    pool = examples(40)
    small, large = select(pool, n, seed), select(pool, n + 7, seed)
    assert len(small) == min(n, 40)
    assert {e.id for e in small} <= {e.id for e in large}
    shuffled = select([pool[i] for i in order], n, seed)
    assert {e.id for e in shuffled} == {e.id for e in small}
    assert list(small) == [e for e in pool if e in small]


@given(st.integers(1, 50), st.integers(0, 5), st.permutations(list(range(40))))
def test_triplets_are_taken_whole(n: int, seed: int, order: list[int]) -> None:
    roles = ("base", "relevant", "irrelevant")
    triplets = [
        Example(id=f"t{i // 3}:{i % 3}", kind="yesno", question="?", gold="yes", group=f"t{i // 3}")
        for i in range(30)
    ]
    pool = [replace(e, role=roles[i % 3]) for i, e in enumerate(triplets)] + list(examples(10))
    small, large = select(pool, n, seed), select(pool, n + 7, seed)
    assert min(n, 40) <= len(small) <= n + 2
    assert {e.id for e in small} <= {e.id for e in large}
    assert set(Counter(e.group for e in small if e.group).values()) <= {3}
    assert set(select([pool[i] for i in order], n, seed)) == set(small)
    # Another use of group and role, such as a subject and a level, keeps nothing together.
    levels = [replace(e, role="easy") for e in triplets]
    assert len(select(levels, 4, seed)) == 4


def test_another_seed_is_another_sample() -> None:
    pool = examples(1000)
    assert select(pool, 100, 1) != select(pool, 100, 2)
    assert select(pool, None, 1) == pool


def test_shards_name_their_part_and_one_shard_is_the_cell_itself(study: Study) -> None:
    cells = grid(study, views=("clean",))
    assert shards(cells, 1) == []
    parts = shards(cells[:1], 3)
    assert [p.shard for p in parts] == [(0, 3), (1, 3), (2, 3)]
    assert len({p.id for p in parts}) == 3
    with pytest.raises(ValueError, match="at least 1"):
        shards(cells, 0)


def test_the_parts_of_a_problem_stay_together() -> None:
    made = [
        Example(id=f"{g}/{k}", kind="text", question="?", gold="1", group=g, role=f"part-{k}")
        for g in "abcdef"
        for k in range(1, 4)
    ]
    for n in range(1, 19):
        chosen = select(made, n, 7)
        assert n <= len(chosen) < n + 3
        assert all(len([e for e in chosen if e.group == one.group]) == 3 for one in chosen)
