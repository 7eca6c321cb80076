from harness.gates.batch_invariance import batch_invariance
from harness.tests.gates.made_cells import at_batch, examples, result
from harness.types import Verdict

TEXTS = ["yes", "no, none", "yes", "no"]


def codes(verdict: Verdict) -> list[str]:
    return [issue.code for issue in verdict.issues]


def test_identical_texts_are_go() -> None:
    one = result(TEXTS, cell=at_batch(1))
    many = result(TEXTS[::-1], items=examples(4)[::-1], cell=at_batch(4))
    facts = batch_invariance(one, many).require().facts
    assert (facts["n"], facts["agreement"], facts["batch_sizes"]) == (4, 1.0, [1, 4])


def test_one_changed_text_is_no_go_even_with_the_same_answer() -> None:
    changed = ["yes", "no, no", "yes", "no"]
    verdict = batch_invariance(result(TEXTS, cell=at_batch(1)), result(changed, cell=at_batch(4)))
    assert codes(verdict) == ["differs", "n_differ"]
    assert verdict.issues[0].where == "q1"
    assert "'no, none'" in verdict.issues[0].message
    assert verdict.facts["agreement"] == 0.75


def test_at_most_ten_rows_are_named() -> None:
    verdict = batch_invariance(
        result(["yes"] * 30, cell=at_batch(1)), result(["no"] * 30, cell=at_batch(4))
    )
    assert codes(verdict) == ["differs"] * 10 + ["n_differ"]
    assert "30 of 30" in verdict.issues[-1].message


def test_a_row_that_fails_at_one_size_is_not_measured_and_no_changed_answer() -> None:
    verdict = batch_invariance(
        result(TEXTS, cell=at_batch(1)), result(["oom", *TEXTS[1:]], cell=at_batch(4))
    )
    assert codes(verdict) == ["not_measured"]
    assert "3 of 4 rows" in verdict.issues[0].message


def test_less_than_a_whole_batch_proves_nothing() -> None:
    one, many = result(TEXTS[:3], cell=at_batch(1)), result(TEXTS[:3], cell=at_batch(4))
    assert codes(batch_invariance(one, many)) == ["not_measured"]
    empty = batch_invariance(result([], cell=at_batch(1)), result([], cell=at_batch(4)))
    assert codes(empty) == ["not_measured"]


def test_cells_that_are_no_pair_are_no_go() -> None:
    one, many = result(TEXTS, cell=at_batch(1)), result(TEXTS[:3], cell=at_batch(4))
    assert "unpaired" in codes(batch_invariance(one, many))
    assert "same_batch_size" in codes(batch_invariance(one, one))
    other = result(TEXTS, cell=at_batch(4), identity={"model": "another"})
    assert codes(batch_invariance(one, other)) == ["not_a_pair"]
