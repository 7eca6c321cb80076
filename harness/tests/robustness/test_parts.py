"""Cells sorted and counted: what is refused, and counts held against plain counting."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from harness.errors import DataError
from harness.robustness.archive import Place, archive, made_row
from harness.robustness.consistency import count_votes
from harness.robustness.counts import count_pairs
from harness.robustness.paired import contrast_pairs, model_pairs
from harness.robustness.repair import scorer_repair_summary
from harness.robustness.semantic import count_semantic
from harness.robustness.settings import BLANK, CONTROLS, SEMANTIC, STRESS, TableSettings
from harness.tests.robustness.made_study import LEAN, SETTINGS, examples, made, study
from harness.types import OUTCOMES, Answer, CellResult, Example, Response, Score


def other(result: CellResult, **fields: object) -> CellResult:
    return replace(result, cell=replace(result.cell, **fields))  # type: ignore[arg-type]


def test_what_no_table_could_be_made_from_is_refused() -> None:
    one = study()[0]
    twice = replace(
        one,
        examples=(one.examples[0], *one.examples),
        responses=(one.responses[0], *one.responses),
        scores=(one.scores[0], *one.scores),
    )
    model = replace(one.cell.model, name="gpt")
    held_out = made("held-out-gate", SETTINGS.held_out, "rl", "clean", SETTINGS.evidence)
    leaked = made(
        *("held-out-gate", SETTINGS.held_out, "rl", "clean", SETTINGS.evidence),
        items=examples(SETTINGS.held_out) + examples(SETTINGS.design)[3:5],
    )
    longer = replace(study()[1], key="another key")
    for results, message in (
        ([one, one], "expected each condition once"),
        ([one, replace(one, key="another key")], "expected each condition once"),
        ([study()[1], other(longer, experiment="improvement")], "two with other keys"),
        ([twice], "q00, replicate 0, again"),
        ([other(one, shard=(0, 2))], "a shard or a variant"),
        ([other(one, variant="batch-1")], "a shard or a variant"),
        ([other(one, data="pope")], "expected the data mini-48, mini-20, mini-28, found pope"),
        ([other(one, model=model)], "expected the model base, sft, rl, found gpt"),
        ([one, other(study()[1], tier="canary")], "one tier"),
        ([replace(one, scores=one.scores[::-1])], "beside its score"),
        ([replace(one, scores=one.scores[1:])], "48 and 47"),
        ([*study(), leaked], "found 2 (q03, q04)"),
    ):
        with pytest.raises(DataError) as caught:
            archive(results, SETTINGS)
        assert message in str(caught.value), message
    assert archive([*study(), held_out], SETTINGS).ids("held_out")


def test_settings_that_make_no_sense_are_refused() -> None:
    for fields, message in (
        ({"level": 1.0}, "level"),
        ({"alpha": 0.0}, "alpha"),
        ({"n_resamples": 999}, "1,000"),
        ({"uplift_seed": -1}, "seed"),
        ({"on_unpaired": "drop"}, "on_unpaired"),
        ({"n_replicates": 1}, "n_replicates"),
        ({"focus": "gpt"}, "focus"),
        ({"held_out": SETTINGS.whole}, "data entries"),
        ({"models": ("rl", "rl")}, "models"),
        ({"evidence": "paper"}, "prompts"),
        ({"parsers": ("default",)}, "parsers"),
        ({"token_budgets": ()}, "token_budgets"),
    ):
        with pytest.raises(ValueError, match=message):
            replace(SETTINGS, **fields)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="unknown scoring policy"):
        replace(SETTINGS, parsers=("strict",))
    published = TableSettings(
        models=("m",), focus="m", whole="a", design="b", held_out="c", paper="p", evidence="e"
    )
    seeds = (published.analysis_seed, published.repair_seed, published.uplift_seed)
    assert seeds == (20260724, 20260725, 20263724)
    assert (published.n_resamples, published.level, published.alpha) == (10_000, 0.95, 0.05)


def test_the_design_of_the_contrasts() -> None:
    assert len(contrast_pairs()) == len(set(contrast_pairs())) == 31
    assert {name for both in contrast_pairs() for name in both} == {
        *CONTROLS,
        "clean",
        "distractor_1",
    }
    assert (len(CONTROLS), len(STRESS), len(SEMANTIC), len(BLANK)) == (11, 5, 6, 2)
    assert model_pairs(["a"]) == ()
    assert model_pairs(["a", "b", "c", "d"])[:4] == (
        *(("a", "b"), ("b", "c"), ("c", "d")),
        ("a", "c"),
    )


def test_the_semantic_aggregate_by_plain_counting() -> None:
    cells = archive(study(), SETTINGS)
    by_view = {}
    for view in ("clean", *BLANK, *SEMANTIC):
        cell = cells.find(Place("design", "rl", view, SETTINGS.paper))
        assert cell is not None
        by_view[view] = cell.first
    found = count_semantic(by_view, "error")
    right = {v: sum(row.correct is True for row in rows.values()) for v, rows in by_view.items()}
    assert found.n == 20
    assert found.correct_clean == right["clean"]
    assert found.correct_blank == sum(right[v] for v in BLANK)
    assert found.correct_semantic == sum(right[v] for v in SEMANTIC)
    agreed = 0
    for view in SEMANTIC:
        blank = by_view["control_blank_1_left" if view.endswith("left") else BLANK[1]]
        agreed += sum(
            row.answer is not None and row.answer == blank[i].answer
            for i, row in by_view[view].items()
        )
    assert found.n_agree == agreed
    mean = sum(found.against_clean) / 20
    assert mean == pytest.approx((found.correct_semantic / 6 - found.correct_clean) / 20)
    mean = sum(found.against_blank) / 20
    assert mean == pytest.approx((found.correct_semantic / 6 - found.correct_blank / 2) / 20)
    short = {**by_view, SEMANTIC[0]: {i: r for i, r in by_view[SEMANTIC[0]].items() if i != "q01"}}
    with pytest.raises(ValueError, match="q01"):
        count_semantic(short, "error")
    assert count_semantic(short, "report").unpaired == ("q01",)
    failed = {i: replace(r, correct=None) if i == "q02" else r for i, r in by_view["clean"].items()}
    assert count_semantic({**by_view, "clean": failed}, "error").dropped == ("q02",)


def test_the_votes_by_plain_counting() -> None:
    cells = archive(study(), SETTINGS)
    cell = cells.find(Place("design", "rl", "clean", SETTINGS.paper, "global", True))
    assert cell is not None
    found = count_votes(cell, SETTINGS)
    accepted = right = 0
    for rows in cell.rows.values():
        votes = Counter(row.answer for row in rows if row.answer is not None).most_common()
        leads = len(votes) == 1 or (votes and votes[0][1] > votes[1][1])
        if leads and 8 * votes[0][1] >= 5 * sum(n for _, n in votes):
            accepted += 1
            right += next(row.correct is True for row in rows if row.answer == votes[0][0])
    at = found.votes[0.625].selection
    assert (at.n, at.n_accepted, at.n_accepted_correct) == (20, accepted, right)
    assert 0 < accepted < 20
    firsts = [rows[0].correct is True for rows in cell.rows.values()]
    assert found.single.selection.n_correct == sum(firsts)
    assert found.two.selection.n_correct == sum(firsts)
    less = [count_votes(cell, SETTINGS).votes[t].selection.n_accepted for t in SETTINGS.thresholds]
    assert less == sorted(less, reverse=True)


def test_the_repair_table_counts_each_cell_once() -> None:
    """Two phases share cells: the same responses are not counted twice."""
    cells = archive(study(), LEAN)
    found = scorer_repair_summary(cells, replace(LEAN, repair_from="r1"))
    rows = {str(r["dataset"]): r for r in found.rows}
    unique = {r.key: r for r in study()}
    assert rows["all"]["n"] == sum(len(r.scores) for r in unique.values())
    assert rows["all"]["new_correct"] == sum(r.n_correct for r in unique.values())
    assert rows["all"]["errors"] == 44
    for name in ("n", "old_correct", "new_correct", "errors", "false_to_true"):
        parts = (SETTINGS.whole, SETTINGS.design)
        assert sum(int(rows[part][name] or 0) for part in parts) == rows["all"][name]
    assert scorer_repair_summary(cells, LEAN).note.startswith("not computed")


def test_only_an_answer_that_was_read_is_compared_whatever_its_case() -> None:
    example = Example(id="q", kind="text", question="?", gold="Ohm")
    response = Response(example_id="q", status="ok", text="?")
    answer = Answer(value=" ohm ", rule="tag")
    rows = [
        made_row(
            example,
            response,
            Score(
                example_id="q",
                gold="Ohm",
                outcome=outcome,
                correct=outcome == "answered",
                counted=not outcome.endswith("error"),
                answer=answer,
            ),
        )
        for outcome in OUTCOMES
    ]
    assert [row.answer for row in rows] == ["OHM", None, None, None, None, None]
    assert [row.correct for row in rows] == [True, False, False, False, None, None]
    assert {row.item_type for row in rows} == {"free_response"}


def test_pairs_that_are_dropped_are_not_compared_either() -> None:
    cells = archive(study(), LEAN)
    places = [Place("design", "rl", view, SETTINGS.paper) for view in ("clean", "distractor_1")]
    left, right = (cells.find(place) for place in places)
    assert left is not None and right is not None
    failed = {"correct": None, "answer": None}
    gone = {i: replace(r, **failed) if i < "q10" else r for i, r in left.first.items()}  # type: ignore[arg-type]
    found = count_pairs(gone, right.first, "error")
    kept = [(gone[i].answer, right.first[i].answer) for i in gone if i >= "q10"]
    assert (found.n, len(found.dropped)) == (10, 10)
    assert found.n_agree == sum(a is not None and a == b for a, b in kept)
    assert found.n_unparsed == sum(None in both for both in kept)
