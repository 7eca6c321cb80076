"""Twins: what a choice gives away, what has no twin, and the way from cells to scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.data import manifest
from harness.data.twin_problems import twin_problems
from harness.errors import DataError
from harness.saturation.cells import rung_of_cell, twin_scores
from harness.saturation.factorial import factorial
from harness.saturation.problems import TEMPLATES, planted, problem
from harness.saturation.twins import as_choice, as_open, twins
from harness.scoring import grade
from harness.tests.gates.made_cells import CELL, result
from harness.types import CellResult, Example

GOLDS = st.tuples(
    st.integers(-9_999, 9_999),
    st.integers(0, 3),
    st.sampled_from(("", " m", " m/s^2", "%", " kg*m^2", r" \times 10^{-3} J", "e5 Pa")),
)


def asked(gold: str, **fields: object) -> Example:
    return Example(id="q", kind="number", question="How much?", gold=gold, **fields)  # type: ignore[arg-type]


@settings(max_examples=50, deadline=None)
@given(GOLDS, st.integers(0, 9))
def test_one_choice_is_right_and_all_have_one_form(parts: tuple[int, int, str], seed: int) -> None:
    digits, decimals, unit = parts
    gold = f"{digits / 10**decimals:.{decimals}f}{unit}"
    try:
        made = as_choice(asked(gold), seed)
    except DataError as error:
        assert "distractors" in str(error)
        assert digits == 0 or abs(digits) < 3
        return
    right = [grade("number", f"<answer>{c}</answer>", (), gold).correct for c in made.choices]
    place = "ABCD".index(made.gold)
    assert [place] == [at for at, correct in enumerate(right) if correct]
    assert made.choices[place] == gold.strip()
    assert len(set(made.choices)) == 4
    numbers = [choice.removesuffix(unit) for choice in made.choices]
    assert {len(number.partition(".")[2]) for number in numbers} == {decimals}
    values = [float(number) for number in numbers]
    assert values == sorted(values)
    assert as_choice(asked(gold), seed) == made
    manifest.check([made], "made")


def test_neither_letter_nor_rank_gives_the_gold_away() -> None:
    rows, _ = planted(20261130, 400, 0.0)
    made = twins(rows, 1)
    assert not made.left_out
    places = Counter(e.gold for e in made.choice)
    # Chi-squared of 3 degrees of freedom: 16.3 is its upper thousandth.
    assert sum((places[x] - 100) ** 2 / 100 for x in "ABCD") < 16.3
    longest = [max(range(4), key=lambda i: len(e.choices[i])) for e in made.choice]
    hits = sum("ABCD"[at] == e.gold for at, e in zip(longest, made.choice, strict=True))
    assert hits / 400 < 0.35
    assert made != twins(rows, 2)
    assert [e.id for e in made.choice] == [e.id for e in made.open]


def test_what_has_no_twin_is_named() -> None:
    number = Example(id="a", kind="number", question="How much?", gold="0")
    pick = Example(id="b", kind="choice", question="How fast?", gold="B", choices=("1", "2 m/s"))
    rows = [
        number,
        pick,
        replace(pick, id="c", question="Which of the following is it?"),
        replace(pick, id="d", choices=("up", "down")),
        replace(pick, id="e", choices=("1", "none of these"), gold="B"),
        replace(number, id="f", kind="text", gold="Kepler"),
        replace(number, id="g", gold="x = 3"),
        replace(pick, id="h", question="All are forces except one. How many?"),
        replace(pick, id="i", choices=("1", r"\frac{1}{2} mv^2")),
    ]
    made = twins(rows, 1)
    assert [e.id for e in made.open] == ["a", "b", "i"]
    assert [(e.kind, e.gold, e.choices) for e in made.open[1:]] == [
        ("number", "2 m/s", ()),
        ("expression", r"\frac{1}{2} mv^2", ()),
    ]
    assert [key for key, _ in made.left_out] == list("cdefgh")
    assert "it says 'Which of the following'" in dict(made.left_out)["c"]
    assert made.choice[1] == replace(pick, role="choice")
    refused: list[tuple[str, Callable[[], object]]] = [
        ("each id once", lambda: twins([number, number], 1)),
        # A gold that is not scored as right itself: no choice would be.
        ("found no set", lambda: as_choice(replace(number, gold="5 or so"), 1)),
        ("2 to 6 choices", lambda: as_choice(number, 1, 7)),
        ("found kind number", lambda: as_open(number)),
        ("gold letter", lambda: as_open(replace(pick, gold="C"))),
    ]
    for message, call in refused:
        with pytest.raises(DataError, match=message):
            call()


def test_the_generated_set_is_the_same_on_every_machine() -> None:
    found = {side: twin_problems("t", split=side).fingerprint for side in ("choice", "open")}
    assert found == {
        "choice": "e70439ff86b684704ebb0a73e1571c92cd1a8a6d1a0abb727e9b5601a5dbe6eb",
        "open": "c2d72c1ad0d5b03e64fbc0b03bc31d6ea8e40cad07d22c0adc6ad9aff1503a48",
    }


def test_generated_problems() -> None:
    rows, ids = planted(7, 50, 0.3)
    assert len({row.id for row in rows}) == 50
    assert len(ids) == 15
    assert planted(7, 50, 0.3) == (rows, ids)
    assert Counter(row.tags[0] for row in rows) == {t.topic: 10 for t in TEMPLATES}
    manifest.check(rows, "generated")
    for number in range(5):
        first, second = problem(7, number), problem(7, number, wording=1)
        assert (first.gold, first.question != second.question) == (second.gold, True)
    with pytest.raises(ValueError, match="found 1.5"):
        planted(7, 5, 1.5)


def cells(
    answers: Callable[[Example, bool], str], seed: int = 7, n: int = 200
) -> tuple[CellResult, CellResult, frozenset[str]]:
    rows, ids = planted(seed, n, 0.3)
    made = twins(rows, 1)
    both = [
        result(
            [answers(e, e.id in ids) for e in side],
            cell=replace(CELL, data=name),
            items=side,
        )
        for name, side in (("choice", made.choice), ("open", made.open))
    ]
    return both[0], both[1], ids


def test_a_model_that_knows_the_planted_by_heart_shows_an_audit_effect() -> None:
    def memory(example: Example, known: bool) -> str:
        guess = "ABCD"[int(example.id.rpartition("-")[2]) % 4] if example.choices else "77"
        return f"<answer>{example.gold if known else guess}</answer>"

    choice, open_, ids = cells(memory)
    scores, dropped = twin_scores(choice, open_, ids)
    assert dropped == ()
    found = factorial(scores, 0.95, "above chance")
    audit = found.effect("audit | open").estimate
    assert audit.value == 1.0
    for name in ("format", "interaction"):
        low, high = found.effect(name).estimate.low, found.effect(name).estimate.high
        assert low is not None and high is not None
        assert low < 0.05 and high > -0.05
    rung = rung_of_cell(choice, 0.7)
    assert (rung.form, rung.n, rung.n_choices) == ("choice", 200, 4)
    assert rung_of_cell(open_, 0.7).right == 60


def test_cells_that_are_no_twins_are_refused() -> None:
    choice, open_, ids = cells(lambda e, _: "error" if e.id == "saturation-3" else "?", n=8)
    scores, dropped = twin_scores(choice, open_, ids)
    assert (len(scores), dropped) == (7, ("saturation-3",))
    other = replace(open_, cell=replace(open_.cell, base_seed=1, tier="full"))
    cases: list[tuple[str, Callable[[], object]]] = [
        ("expected the same tier", lambda: twin_scores(choice, other, ids)),
        ("one answer an example", lambda: twin_scores(choice, repeated(open_), ids)),
        ("one answer an example", lambda: twin_scores(repeated(choice), open_, ids)),
        ("both forms", lambda: twin_scores(short(choice), open_, ())),
        ("examples of choice", lambda: twin_scores(open_, open_, ids)),
        ("open form", lambda: twin_scores(choice, choice, ids)),
        ("flagged ids of this set", lambda: twin_scores(choice, open_, {"zz"})),
        ("both forms", lambda: twin_scores(*cells(lambda e, _: "?", n=8)[:1], short(open_), ())),
        ("one format", lambda: rung_of_cell(mixed(choice, open_), 0.0)),
    ]
    for message, call in cases:
        with pytest.raises(DataError, match=message):
            call()


def test_lost_rows_do_not_count_and_choices_are_those_of_the_item() -> None:
    choice, open_, ids = cells(lambda e, _: "error" if e.id == "saturation-3" else "?", n=8)
    assert (rung_of_cell(choice, 0.0).n, rung_of_cell(open_, 0.0).n) == (7, 7)
    items = tuple(replace(e, choices=(*e.choices, "another")) for e in choice.examples)
    scores, _ = twin_scores(replace(choice, examples=items), open_, ids)
    assert {score.n_choices for score in scores} == {5}


def repeated(found: CellResult) -> CellResult:
    return replace(found, cell=replace(found.cell, replicates=2))


def short(found: CellResult) -> CellResult:
    return replace(found, examples=found.examples[1:], scores=found.scores[1:])


def mixed(a: CellResult, b: CellResult) -> CellResult:
    return replace(a, examples=(*a.examples[:1], *b.examples[1:]))
