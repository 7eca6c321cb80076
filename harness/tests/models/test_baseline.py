"""Baselines: what the labels of another split, or chance, can do."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from harness.errors import ModelError
from harness.models.baseline import Majority, Uniform, gold_text, possible_answers
from harness.tests.models.asked import COLOURS, DECODING, choice, dataset, request, yesno
from harness.types import Example


def texts(model: Majority | Uniform, examples: list[Example]) -> list[str | None]:
    return [r.text for r in model.generate([request(e) for e in examples], DECODING)]


def fitted(gold: str, index: int, question: str = "Which color?") -> Example:
    return choice(100 + index, question=question, gold=gold)


def test_majority_goes_by_question_then_by_choices() -> None:
    fit = [
        fitted("A", 0), fitted("C", 1), fitted("C", 2),
        fitted("A", 3, "And this?"), fitted("A", 4, "And this?"), fitted("A", 5, "And this?"),
    ]  # fmt: skip
    asked = [choice(0), choice(1, question="And this?"), choice(2, question="Never seen?")]
    assert texts(Majority(fit, dataset(asked)), asked) == ["blue", "red", "red"]


def test_majority_is_a_text_not_a_letter() -> None:
    """The same answer at another place in the list is the same answer."""
    turned = replace(choice(101), choices=COLOURS[::-1], gold="A")
    asked = [choice(0)]
    assert texts(Majority([turned], dataset(asked)), asked) == ["blue"]


def test_yes_and_no_are_pooled_over_questions() -> None:
    fit = [yesno(100, "no"), yesno(101, "no"), yesno(102, "yes")]
    asked = [yesno(0), yesno(1)]
    assert texts(Majority(fit, dataset(asked)), asked) == ["no", "no"]


def test_equally_common_answers_fall_to_the_first_in_order() -> None:
    asked = [choice(0)]
    for fit in ([fitted("A", 0), fitted("C", 1)], [fitted("C", 1), fitted("A", 0)]):
        assert texts(Majority(fit, dataset(asked)), asked) == ["blue"]


def test_the_labels_of_the_evaluated_split_are_refused() -> None:
    with pytest.raises(ModelError, match=r"1 example\(s\) of toy/test are in the split .*: e0"):
        Majority([choice(0)], dataset([choice(0), choice(1)]))


def test_an_example_without_fitted_labels_is_named_before_anything_runs() -> None:
    with pytest.raises(ModelError, match="1 of 2 examples .* among the 1 fitted examples: y0"):
        Majority([fitted("A", 0)], dataset([choice(0), yesno(0)]))


def test_uniform_is_by_seed_and_uniform() -> None:
    requests = [request(choice(0), seed=i) for i in range(3000)]
    drawn = [r.text for r in Uniform().generate(requests, DECODING)]
    assert drawn == [r.text for r in Uniform().generate(requests, DECODING)]
    counts = Counter(drawn)
    assert set(counts) == set(COLOURS)
    # Six standard deviations of a binomial count.
    assert all(abs(n - 1000) < 6 * (3000 * 2 / 9) ** 0.5 for n in counts.values())


def test_answers() -> None:
    assert possible_answers(yesno(0)) == ("yes", "no")
    assert possible_answers(choice(0)) == COLOURS
    assert (gold_text(choice(0)), gold_text(yesno(0, "no"))) == ("green", "no")
    with pytest.raises(ModelError, match="example 'n': a baseline needs kind 'choice'"):
        possible_answers(Example(id="n", kind="number", question="?", gold="1"))
