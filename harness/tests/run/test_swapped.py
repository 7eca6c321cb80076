"""The order-swapped replicate of a cell: shown, stored and scored in the order that was shown."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from harness import ids
from harness.errors import DataError
from harness.models.fake import Fake
from harness.run import run_cell
from harness.sample import SWAPPED, shown
from harness.tests.run.stand_ins import Bench, Stub, cell, dataset
from harness.types import Dataset, Example, ModelSpec, Prompt, Request

PROMPT = Prompt(name="ab", template="{question}\n{choices}\nReply with A or B.")
CELL = cell(prompt=PROMPT)
EXAMPLES = tuple(
    Example(
        id=f"t{i}:base",
        kind="preference",
        question=f"What color is cube {i}?",
        gold="AB"[i % 2],
        choices=("blue", "red"),
        group=f"t{i}",
        role="base",
    )
    for i in range(4)
)
DATA: Dataset = replace(dataset(), examples=EXAMPLES, fingerprint=ids.digest(EXAMPLES))


def test_the_candidates_are_shown_and_scored_in_the_other_order(tmp_path: Path) -> None:
    asked: list[str] = []

    def first(request: Request) -> str:
        asked.append(request.prompt)
        return "A"

    bench = Bench(tmp_path, DATA, Stub(answer=first))
    plain = run_cell(CELL, bench.context())
    other = run_cell(replace(CELL, variant=SWAPPED), bench.context())
    assert asked[0] == "What color is cube 0?\nA. blue\nB. red\nReply with A or B."
    assert asked[4] == "What color is cube 0?\nA. red\nB. blue\nReply with A or B."
    assert [s.correct for s in plain.scores] == [True, False, True, False]
    assert [s.correct for s in other.scores] == [False, True, False, True]
    assert [s.gold for s in other.scores] == ["B", "A", "B", "A"]
    assert {r.text for r in other.responses} == {"A"}
    assert other.examples[0].choices == ("red", "blue")
    assert plain.example_ids == other.example_ids
    assert plain.identity["data"] == other.identity["data"]
    assert plain.key != other.key
    again = run_cell(replace(CELL, variant=SWAPPED), bench.context(allow_generate=False))
    assert again.scores == other.scores


@pytest.mark.parametrize("behaviour", ["gold", "blind"])
def test_a_judge_that_goes_by_the_texts_prefers_the_same_text(
    tmp_path: Path, behaviour: str
) -> None:
    model = Fake({"behaviour": behaviour}, DATA)
    bench = Bench(tmp_path, DATA)
    results = [
        run_cell(replace(CELL, variant=v), bench.context(model=lambda spec, name: model))
        for v in ("", SWAPPED)
    ]
    chosen = [
        [
            e.choices["AB".index(str(s.answer.value))]
            for e, s in zip(r.examples, r.scores, strict=True)
        ]
        for r in results
    ]
    assert chosen[0] == chosen[1]
    letters = [[s.answer.value for s in r.scores] for r in results]
    assert all(a != b for a, b in zip(*letters, strict=True))


def test_what_cannot_be_swapped_is_refused() -> None:
    swapped = replace(CELL, variant=SWAPPED)
    one = EXAMPLES[0]
    listed = replace(one, question="Is it (A) blue or (B) red?")
    hidden = replace(swapped, prompt=Prompt(name="q", template="{question}"))
    replay = ModelSpec(name="r", source={"kind": "replay", "predictions": {}})
    for of, example, message in (
        (swapped, replace(one, choices=("a", "b", "c")), "expected two candidates to swap"),
        (swapped, replace(one, kind="yesno", gold="yes"), "found kind yesno"),
        (swapped, replace(one, gold="C"), "expected gold A or B, found 'C'"),
        (swapped, listed, "the question lists its candidates itself"),
        (hidden, one, "prompt q shows no candidates"),
        (replace(swapped, model=replay), one, "leave model r out of the swapped cells"),
    ):
        with pytest.raises(DataError, match=message):
            shown(of, example)
    reward = replace(hidden, model=replace(CELL.model, family="reward"))
    assert shown(reward, one).choices == ("red", "blue")
    assert shown(replace(CELL, variant="batch-2"), one) is one
