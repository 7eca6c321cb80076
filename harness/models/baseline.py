"""Baselines that never look at a picture: what a score has to beat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

from harness import ids
from harness.data.manifest import LETTERS
from harness.errors import ModelError
from harness.types import Dataset, Decoding, Example, Reply, Request


def possible_answers(example: Example) -> tuple[str, ...]:
    """The answers that can be right: the choices' texts, yes and no, A and B.

    Raises
    ------
    ModelError
        For an example without a closed list of answers.
    """
    if example.kind == "yesno":
        return ("yes", "no")
    if example.kind == "preference":
        return ("A", "B")
    if example.kind == "choice" and example.choices:
        return example.choices
    raise ModelError(
        f"example {example.id!r}: a baseline needs kind 'choice' with choices, 'yesno' or "
        f"'preference', found kind {example.kind!r} with {len(example.choices)} choices"
    )


def gold_text(example: Example) -> str:
    """The right answer as text: the choice that the gold letter names, yes or no, A or B."""
    answers = possible_answers(example)
    return answers[LETTERS.index(example.gold)] if example.kind == "choice" else example.gold


class Majority:
    """Answers with the most common right answer of another split.

    Taken over the fitted examples with the same question; where there are none, over those
    with the same choices. Of equally common answers the first in code-point order is taken.

    Parameters
    ----------
    fit : labelled examples of another split.
    dataset : what will be asked, so that a question without fitted examples is found at once.

    Raises
    ------
    ModelError
        When an example of `fit` is also in `dataset`, or when examples of `dataset` have
        neither a fitted question nor fitted choices.
    """

    def __init__(self, fit: Sequence[Example], dataset: Dataset) -> None:
        shared = sorted({e.id for e in fit} & {e.id for e in dataset.examples})
        if shared:
            raise ModelError(
                f"majority baseline: {len(shared)} example(s) of {dataset.name}/{dataset.split} "
                f"are in the split it is fitted on: {', '.join(shared[:5])}"
            )
        counts: dict[Hashable, Counter[str]] = {}
        for example in fit:
            for key in _keys(example):
                counts.setdefault(key, Counter())[gold_text(example)] += 1
        self._answers = {
            key: min(count, key=lambda text: (-count[text], text)) for key, count in counts.items()
        }
        unfitted = [e.id for e in dataset.examples if self._answer(e) is None]
        if unfitted:
            raise ModelError(
                f"majority baseline: {len(unfitted)} of {len(dataset.examples)} examples of "
                f"{dataset.name}/{dataset.split} have neither a question nor choices among the "
                f"{len(fit)} fitted examples: {', '.join(unfitted[:5])}"
            )

    def generate(self, requests: Sequence[Request], decoding: Decoding) -> list[Reply]:
        """The majority answer of each request's example; the prompt plays no part."""
        return [Reply(text=self._answer(r.example)) for r in requests]

    def close(self) -> None:
        """Nothing to free."""

    def _answer(self, example: Example) -> str | None:
        found = (self._answers.get(key) for key in _keys(example))
        return next((answer for answer in found if answer is not None), None)


class Uniform:
    """Answers with one of the possible answers, each with the same chance, by `request.seed`."""

    def generate(self, requests: Sequence[Request], decoding: Decoding) -> list[Reply]:
        """One answer per request; the same seed and choices give the same answer."""
        return [Reply(text=_drawn(r.seed, possible_answers(r.example))) for r in requests]

    def close(self) -> None:
        """Nothing to free."""


def _keys(example: Example) -> tuple[Hashable, Hashable]:
    return (example.kind, "question", example.question), (example.kind, example.choices)


def _drawn(seed: int, answers: Sequence[str]) -> str:
    # The seed itself is 63 bits: the remainder favours no answer by more than 1e-17.
    return answers[ids.seed(seed, "random baseline") % len(answers)]


__all__ = ["Majority", "Uniform", "gold_text", "possible_answers"]
