"""Which wrong answers are drawn: by hash, whatever the order of files, folders and rows."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from harness.errors import AssayError, StoreError
from harness.review.choice import Choice
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
    one = drawn([tmp_path / "a"], [study], PLAN).strata
    two = drawn([tmp_path / "b"], [study], PLAN).strata
    both = drawn([tmp_path / "b", tmp_path / "a"], [study], PLAN).strata
    assert [names(s) for s in one] == [names(s) for s in two] == [names(s) for s in both]
    assert [s.condition for s in one] == ["clean", "blank"]
    assert [(s.offset, s.seed) for s in one] == [(0, 20260724), (1, 20260725)]
    # The failed request is neither wrong nor counted; the one that could not be read is wrong.
    assert [(s.n_counted, s.n_wrong, len(s.drawn)) for s in one] == [(41, 31, 5)] * 2
    assert all(row.score.counted and not row.score.correct for s in one for row in s.drawn)
    for stratum in one:
        places = [place(stratum.seed, *name[:2]) for name in names(stratum)]
        assert places == sorted(places), "each condition by its own seed"


def test_a_fixed_seed_draws_fixed_rows(tmp_path: Path) -> None:
    study = made_study(tmp_path)
    fill(tmp_path / "runs", study)
    clean, _ = drawn([tmp_path / "runs"], [study], PLAN).strata
    rows = list(clean.drawn)
    more = drawn([tmp_path / "runs"], [study], Plan(per_condition=9, seed=20260724)).strata
    assert names(more[0])[:5] == names(clean), "a larger draw contains the smaller one"
    assert draw(rows[::-1], 3, 20260724) == tuple(rows[:3])
    assert draw(rows, 3, 1) != tuple(rows[:3])
    other = drawn([tmp_path / "runs"], [study], Plan(per_condition=5, seed=1)).strata
    assert names(other[0]) != names(clean)


def test_no_question_stands_twice_in_a_condition(tmp_path: Path) -> None:
    """Eight samples of four questions: the first two wrong each time, the third once."""
    study = made_study(tmp_path)
    asked = examples(study)[:4]
    for replicate in range(8):
        texts = [
            wrong(e) if i < 2 or (i, replicate) == (2, 5) else right(e) for i, e in enumerate(asked)
        ]
        store(tmp_path / "runs", study, "clean", texts, replicate=replicate)
    (stratum,) = drawn([tmp_path / "runs"], [study], PLAN).strata
    assert (stratum.n_counted, stratum.n_wrong, stratum.n_questions) == (32, 17, 3)
    assert sorted(name[1] for name in names(stratum)) == sorted(e.id for e in asked[:3])
    assert {name[2] for name in names(stratum) if name[1] == asked[2].id} == {"5"}
    # The question is drawn, not the answer: many wrong samples make none likelier.
    firsts = [
        names(drawn([tmp_path / "runs"], [study], Plan(per_condition=1, seed=s)).strata[0])[0][1]
        for s in range(16)
    ]
    assert 3 <= firsts.count(asked[2].id) <= 9


def test_views_in_the_order_asked_for(tmp_path: Path) -> None:
    study = made_study(tmp_path)
    fill(tmp_path / "runs", study)
    choice = Choice(data="shapes", model="maker", views=("blank", "clean"))
    sample = drawn([tmp_path / "runs"], [study], Plan(per_condition=5, seed=7, choice=choice))
    assert [(s.condition, s.seed) for s in sample.strata] == [("blank", 7), ("clean", 8)]


def test_fewer_wrong_answers_than_asked_for(tmp_path: Path) -> None:
    study = made_study(tmp_path)
    fill(tmp_path / "runs", study, n_wrong=2)
    strata = drawn([tmp_path / "runs"], [study], PLAN).strata
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
    merged = drawn([tmp_path / "a", tmp_path / "b"], [study], PLAN)
    assert merged.strata[0].n_wrong == 4, "an answer stands for a failure of another folder"
    assert merged.skipped == ()
    key = store(tmp_path / "c", study, "clean", ["something else"])
    store(tmp_path / "c", study, "blank", texts)
    (skipped,) = drawn([tmp_path / "a", tmp_path / "c"], [study], PLAN).skipped
    assert skipped.key == key
    assert "two different ones" in skipped.reason


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    study = made_study(tmp_path)
    fill(tmp_path / "runs", study)
    store(tmp_path / "runs", study, "shuffled", ["x"])
    blank = drawn([tmp_path / "runs"], [study], PLAN).strata[1].cell
    shutil.move(tmp_path / "runs" / blank, tmp_path / "runs" / ("0" * 32))
    (tmp_path / "runs/other").mkdir()
    (tmp_path / "runs/other/cell.json").write_bytes(b"\xff")
    sample = drawn([tmp_path / "runs"], [study], PLAN)
    skipped = sample.skipped
    assert len(sample.strata) == 2
    assert [s.key for s in skipped] == ["0" * 32, "other"]
    assert "folder's name was changed" in skipped[0].reason
    assert isinstance(skipped[1], Skipped)
    asked = Plan(per_condition=5, seed=1, choice=Choice(views=("clean", "blank")))
    with pytest.raises(AssayError, match="view blank: expected a stored cell[^|]*left out: 000"):
        drawn([tmp_path / "runs"], [study], asked)
    with pytest.raises(AssayError, match="no given study has it"):
        drawn([tmp_path / "runs"], [], PLAN)
    with pytest.raises(StoreError, match="expected a folder of cells"):
        drawn([tmp_path / "none"], [study], PLAN)


def test_ids_are_safe_and_columns_are_texts(tmp_path: Path) -> None:
    study = made_study(tmp_path)
    fill(tmp_path / "runs", study)
    strata = drawn([tmp_path / "runs"], [study], PLAN).strata
    rows = [row for row, _ in sheet_rows(strata, PLAN.seed)]
    assert len({row["id"] for row in rows}) == 10
    assert all(row["id"].replace("_", "").isalnum() and row["id"][0] == "r" for row in rows)
    assert rows[0]["choices"].startswith("A. ")
    assert {row["cell"].replace("blank", "clean") for row in rows} == {
        "shapes/maker/clean/question"
    }
    seen = [row["condition"] for row in rows]
    assert sorted(seen) == ["blank"] * 5 + ["clean"] * 5
    assert seen not in (sorted(seen), sorted(seen, reverse=True)), "conditions are mixed"
