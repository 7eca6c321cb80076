from dataclasses import replace

import pytest

from harness.gates.leakage import leakage, leakage_gate, leaked
from harness.study import load_study
from harness.tests.gates.made_cells import CELL, result
from harness.types import CellResult, Example, Media

DEVELOPMENT, HELD_OUT = replace(CELL, data="b-300"), replace(CELL, data="b-642")
LISTS = {"development": ["b-300"], "held_out": ["b-642"]}


def example(name: str, question: str = "", picture: str = "") -> Example:
    media = (Media(kind="image", name=f"{picture}.png", sha256=picture * 64),) if picture else ()
    return Example(id=name, kind="yesno", question=question or name, gold="yes", media=media)


def cells(development: list[Example], held_out: list[Example]) -> list[CellResult]:
    return [
        result(["yes"] * len(items), cell=cell, items=items)
        for cell, items in ((DEVELOPMENT, development), (HELD_OUT, held_out))
    ]


def test_what_counts_as_seen() -> None:
    seen = [example("a", "Which one?", "1"), example("b", "Which one?", "2")]
    for held_out, expected in [
        ([], []),
        ([example("c", "Which one?", "3")], []),
        ([example("c", "Which two?", "1")], []),
        ([example("a", "Other?", "9")], [("a", "a")]),
        ([example("c", " which  ONE? ", "2")], [("c", "b")]),
        ([example("b", "Which one?", "1")], [("b", "b")]),
        ([example("c", "Which one?", "1"), example("a")], [("a", "a"), ("c", "a")]),
    ]:
        assert leaked(seen, held_out) == expected
        assert leaked(reversed(seen), reversed(held_out)) == expected


def test_a_planted_development_id_is_no_go_and_names_it() -> None:
    development, held_out = [example("a"), example("b")], [example("c"), example("d")]
    facts = leakage(cells(development, held_out), **LISTS).require().facts
    assert facts == {"development": {"b-300": 2}, "held_out": {"b-642": 2}}
    (issue,) = leakage(cells(development, [*held_out, example("b")]), **LISTS).issues
    assert (issue.code, issue.where) == ("leak", "b-642")
    assert "1 held-out example(s) were seen in development: b" in issue.message
    many = [example(f"q{i}") for i in range(9)]
    (issue,) = leakage(cells(many, many), **LISTS).issues
    assert "9 held-out" in issue.message and "q4 …" in issue.message and "q5" not in issue.message


def test_all_cells_of_a_data_set_count_and_others_do_not() -> None:
    both = cells([example("a")], [example("c")])
    later = result(["yes"], cell=replace(DEVELOPMENT, variant="x"), items=[example("c")])
    assert leakage(both, **LISTS).go
    assert not leakage([*both, later], **LISTS).go
    foreign = result(["yes"], cell=replace(CELL, data="b-942"), items=[example("c")])
    assert leakage([*both, foreign], **LISTS).go


def test_a_side_without_cells_is_no_go_and_a_bad_call_an_error() -> None:
    (issue,) = leakage(cells([example("a")], [example("c")])[:1], **LISTS).issues
    assert (issue.code, issue.where) == ("no_cells", "b-642")
    assert len(leakage([], **LISTS).issues) == 2
    for lists in (
        {"development": [], "held_out": ["b"]},
        {"development": ["b"], "held_out": []},
        {"development": ["b"], "held_out": ["b", "c"]},
    ):
        with pytest.raises(ValueError, match="expected two lists of data sets"):
            leakage([], **lists)


def test_an_experiment_gets_the_gate_over_its_cells(pytestconfig: pytest.Config) -> None:
    study = load_study(pytestconfig.rootpath / "evals/studies/mini.toml")
    with pytest.raises(ValueError, match="needs a study at a tier"):
        leakage_gate(study, [], **LISTS)
    made = leakage_gate(study.at("full", "digits-qa"), [CELL, DEVELOPMENT, HELD_OUT], **LISTS)
    assert (made.id, made.cells) == ("full:leakage/digits-qa", (DEVELOPMENT, HELD_OUT))
    assert made.judge(cells([example("a")], [example("c")])).go
    assert not made.judge(cells([example("a")], [example("a")])).go
