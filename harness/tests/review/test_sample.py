"""Which wrong answers are drawn: by hash, whatever the order of files, folders and rows."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from harness.errors import AssayError, StoreError
from harness.review.sample import Plan, drawn, sheet_rows
from harness.review.sampling import Stratum, draw, place
from harness.review.stored import Skipped
from harness.study import Study
from harness.tests.review.made_sample import examples, made_study, right, store, wrong

PLAN = Plan(per_condition=5, seed=20260724)


def names(stratum: Stratum) -> list[tuple[str, str, str]]:
    return [row.name for row in stratum.drawn]


def fill(runs: Path, study: Study, *, backwards: bool = False, n_wrong: int = 30) -> None:
    """Two conditions: the first `n_wrong` of 40 answers wrong, then one not read, one failed."""
    asked = examples(study)
    texts = [wrong(e) if i < n_wrong else right(e) for i, e in enumerate(asked[:40])]
    views = ["clean", "blank"]
    for view in views[::-1] if backwards else views:
        store(runs, study, view, [*texts, "no letter", None], backwards=backwards)


def test_the_draw_does_not_depend_on_the_order_of_files(tmp_path: Path) -> None:
    study = made_study(tmp_path)
    fill(tmp_path / "a", study)
    fill(tmp_path / "b", study, backwards=True)
    one, _ = drawn([tmp_path / "a"], [study], PLAN)
    two, _ = drawn([tmp_path / "b"], [study], PLAN)
    both, _ = drawn([tmp_path / "b", tmp_path / "a"], [study], PLAN)
    assert [names(s) for s in one] == [names(s) for s in two] == [names(s) for s in both]
    assert [s.condition for s in one] == ["clean", "blank"]
    assert [(s.offset, s.seed) for s in one] == [(0, 20260724), (1, 20260725)]
    # The failed request is neither wrong nor counted; the one that could not be read is wrong.
    assert [(s.n_counted, s.n_wrong, len(s.drawn)) for s in one] == [(41, 31, 5)] * 2
    assert all(row.score.counted and not row.score.correct for s in one for row in s.drawn)
    for stratum in one:
        places = [place(stratum.seed, *name) for name in names(stratum)]
        assert places == sorted(places), "each condition by its own seed"


def test_a_fixed_seed_draws_fixed_rows(tmp_path: Path) -> None:
    study = made_study(tmp_path)
    fill(tmp_path / "runs", study)
    (clean, _), _ = drawn([tmp_path / "runs"], [study], PLAN)
    rows = list(clean.drawn)
    more, _ = drawn([tmp_path / "runs"], [study], Plan(per_condition=9, seed=20260724))
    assert names(more[0])[:5] == names(clean), "a larger draw contains the smaller one"
    assert draw(rows[::-1], 3, 20260724) == tuple(rows[:3])
    assert draw(rows, 3, 1) != tuple(rows[:3])
    other, _ = drawn([tmp_path / "runs"], [study], Plan(per_condition=5, seed=1))
    assert names(other[0]) != names(clean)


def test_views_in_the_order_asked_for_and_cells_by_name(tmp_path: Path) -> None:
    study = made_study(tmp_path)
    fill(tmp_path / "runs", study)
    asked = Plan(per_condition=5, seed=7, views=("blank", "clean"), cells=("shapes/gold/*",))
    strata, _ = drawn([tmp_path / "runs"], [study], asked)
    assert [(s.condition, s.seed) for s in strata] == [("blank", 7), ("clean", 8)]
    for plan in (
        Plan(per_condition=5, seed=7, views=("fog",)),
        Plan(per_condition=5, seed=7, cells=("other/*",)),
    ):
        with pytest.raises(AssayError, match="found none among the cells[^|]*cell: shapes/gold"):
            drawn([tmp_path / "runs"], [study], plan)


def test_fewer_wrong_answers_than_asked_for(tmp_path: Path) -> None:
    study = made_study(tmp_path)
    fill(tmp_path / "runs", study, n_wrong=2)
    strata, _ = drawn([tmp_path / "runs"], [study], PLAN)
    assert [len(s.drawn) for s in strata] == [3, 3]
    store(tmp_path / "right", study, "clean", [right(e) for e in examples(study)[:3]])
    with pytest.raises(AssayError, match="expected wrong answers, found none"):
        drawn([tmp_path / "right"], [study], PLAN)


def test_cells_of_several_folders(tmp_path: Path) -> None:
    study = made_study(tmp_path)
    asked = examples(study)
    texts = [wrong(e) for e in asked[:4]]
    store(tmp_path / "a", study, "clean", [texts[0], None])
    store(tmp_path / "b", study, "clean", texts[1:], start=1)
    (merged,), skipped = drawn([tmp_path / "a", tmp_path / "b"], [study], PLAN)
    assert (merged.n_wrong, skipped) == (4, []), "an answer stands for a failure of another folder"
    key = store(tmp_path / "c", study, "clean", ["something else"])
    store(tmp_path / "c", study, "blank", texts)
    _, skipped = drawn([tmp_path / "a", tmp_path / "c"], [study], PLAN)
    assert [s.key for s in skipped] == [key]
    assert "two different ones" in skipped[0].reason


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    study = made_study(tmp_path)
    fill(tmp_path / "runs", study)
    store(tmp_path / "runs", study, "shuffled", ["x"])
    (blank,) = (s.cells[0] for s in drawn([tmp_path / "runs"], [study], PLAN)[0][1:2])
    shutil.move(tmp_path / "runs" / blank, tmp_path / "runs" / ("0" * 32))
    (tmp_path / "runs/other").mkdir()
    (tmp_path / "runs/other/cell.json").write_bytes(b"\xff")
    strata, skipped = drawn([tmp_path / "runs"], [study], PLAN)
    assert len(strata) == 2
    assert [s.key for s in skipped] == ["0" * 32, "other"]
    assert "folder's name was changed" in skipped[0].reason
    assert isinstance(skipped[1], Skipped)
    with pytest.raises(AssayError, match="no given study has it"):
        drawn([tmp_path / "runs"], [], PLAN)
    with pytest.raises(StoreError, match="expected a folder of cells"):
        drawn([tmp_path / "none"], [study], PLAN)


def test_ids_are_safe_and_columns_are_texts(tmp_path: Path) -> None:
    study = made_study(tmp_path)
    fill(tmp_path / "runs", study)
    strata, _ = drawn([tmp_path / "runs"], [study], PLAN)
    rows = [row for row, _ in sheet_rows(strata)]
    assert len({row["id"] for row in rows}) == 10
    assert all(row["id"].replace("_", "").isalnum() and row["id"][0] == "r" for row in rows)
    assert rows[0]["choices"].startswith("A. ")
    assert rows[0]["cell"] == "shapes/gold/clean/question"
    assert rows[9]["condition"] == "blank"
