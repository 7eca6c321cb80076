"""What an audit comes to: removals, short questions, counts, and the reasons for NO-GO."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.audit.canaries import Sighting
from harness.contamination.listing import pair_json, pair_lines, removal_json
from harness.contamination.outcome import Outcome, outcome
from harness.contamination.scan import Fault, Scan, VectorSighting
from harness.contamination.tallies import SET_COLUMNS
from harness.contamination.triage import triage
from harness.errors import DataError
from harness.tests.contamination.made_audits import hit, item, near, row, said, scan_of

LONG = "a wooden block slides down a rough plane that makes an angle of thirty degrees"


def example(**changed: Any) -> Scan:
    """Row 1: both stages; 2: words alone; 3: vectors alone, in two sets; 4: below the threshold."""
    rows = [row(k, f"{LONG} number {k}") for k in range(1, 6)]
    items = [item(k, f"{LONG} item {k}") for k in range(3)] + [item(0, LONG, of="other")]
    found = [near(1, 0, 0.97), near(3, 1, 0.86), near(3, 0, 0.88, "other"), near(4, 2, 0.831)]
    # Row 2 is a candidate of the set already, so no second pair of it is drawn.
    found.append(near(2, 2, 0.832))
    return scan_of(
        rows,
        items,
        hits=[hit(1, 0), hit(2, 1, 5)],
        found=[*found, near(5, 2, 0.829)],
        contained=[hit(5, 2)],
        **changed,
    )


def judged(scan: Scan, labels: dict[str, Any]) -> Outcome:
    default = ("neighbour",) * max(map(len, labels.values()), default=3)
    return outcome(scan, [said(one, *labels.get(one.key, default)) for one in triage(scan).asked])


def test_rows_go_by_majority_and_stand_with_every_duplicate() -> None:
    scan = example(faults=[Fault(9, 10, "broken JSON")])
    assert [one.key for one in triage(scan).candidates] == [
        *("1/mini/0", "2/mini/1", "3/mini/1", "3/other/0")
    ]
    dup = ("duplicate",) * 3
    found = judged(
        scan,
        {
            "1/mini/0": ("duplicate", "duplicate", "neighbour"),
            "3/mini/1": dup,
            "3/other/0": dup,
            "4/mini/2": dup,
        },
    )
    assert found.go and not found.issues
    assert [one.row.number for one in found.removals] == [1, 3, 4] == sorted(found.removed)
    assert [one.candidate.key for one in found.removals[1].pairs] == ["3/other/0", "3/mini/1"]
    first, second, third = (removal_json(found, one) for one in found.removals)
    assert first["id"] == "t1" and first["line"] == 2
    assert first["duplicates"] == [
        {
            "eval_set": "mini",
            "item": 0,
            "item_id": "e0",
            "jaccard": "9/10",
            "cosine": 0.97,
            "label": "duplicate",
            "by": ["a", "b"],
            "kind": "candidate",
        }
    ]
    assert [one["jaccard"] for one in second["duplicates"]] == [None, None]
    assert [one["kind"] for one in third["duplicates"]] == ["sample"]
    steps = {line["step"]: (line["rows"], line["pairs"]) for line in found.stages.rows}
    assert steps["train"] == (100, None) and steps["kept"] == (97, None)
    assert steps["bad"] == (1, None) and steps["unauditable"] == (4, None)
    assert steps["stage_1"] == (2, 2) and steps["stage_2"] == (2, 3)
    assert steps["candidates"] == (3, 4) and steps["duplicate"] == (2, 3)
    assert steps["neighbour"] == (1, 1) and steps["undecided"] == (0, 0)
    assert steps["sampled"] == (2, 2) and steps["sampled_duplicate"] == (1, 1)
    mini, other = (dict(line) for line in found.sets.rows)
    assert tuple(mini) == SET_COLUMNS
    assert (mini["candidate_rows"], mini["duplicate_rows"], mini["items_hit"]) == (3, 2, 2)
    assert (other["candidate_rows"], other["duplicate_rows"], other["items_hit"]) == (1, 1, 1)
    assert mini["contained_rows"] == 1 and mini["stage_1_rows"] == mini["stage_2_rows"] == 2
    buckets = {
        line["bucket"]: (line["candidates"], line["duplicates"]) for line in found.buckets.rows
    }
    assert buckets["[0.95, 1]"] == (1, 1) and buckets["[0.85, 0.87)"] == (1, 1)
    assert buckets["[0.87, 0.9)"] == (1, 1) and buckets["stage 1 only"] == (1, 0)
    assert found.missed is not None
    assert (found.missed.value, found.missed.low, found.missed.high) == (1.0, 1, 1)
    # Row 1, and row 3 in two sets, above the threshold; row 4 below it.
    assert found.recall() == (0.75, 0.75, 0.75)
    assert found.counts()["recall_from_floor"] == [0.75, 0.75, 0.75]
    assert found.agreement is not None and found.agreement.disputed[0].candidate.key == "1/mini/0"


def test_short_questions_to_other_pictures_are_no_contamination() -> None:
    short, same = "What is shown?", LONG
    cases = [
        # text of both, pictures and unreadable ones of the row, of the item; set apart?
        (short, ("p",), 0, ("q",), 0, True),
        (short, ("p", "r"), 0, ("q", "s"), 0, True),
        (short, ("p",), 0, ("q", "p"), 0, False),
        (short, (), 0, (), 0, False),
        (short, ("p",), 0, (), 0, False),
        (short, (), 0, ("q",), 0, False),
        (short, ("p",), 1, ("q",), 0, False),
        (short, ("p",), 0, ("q",), 1, False),
        ("What is the value of x in the figure shown below here", ("p",), 0, ("q",), 0, True),
        ("What is the value of x in the figure shown down below here", ("p",), 0, ("q",), 0, False),
        ("图中显示的是什么？", ("p",), 0, ("q",), 0, True),
        (same, ("p",), 0, ("q",), 0, False),
        (same, ("p",), 0, ("p",), 0, False),
        ((short, same), ("p",), 0, ("q",), 0, False),
        ((same, short), ("p",), 0, ("q",), 0, False),
    ]
    for number, (text, mine, bad, theirs, worse, apart) in enumerate(cases):
        ours, other = text if isinstance(text, tuple) else (text, text)
        for hits, found in (([hit(7, 0)], []), ([], [near(7, 0, 0.9)])):
            scan = scan_of(
                [row(7, ours, mine, bad)], [item(0, other, theirs, worse)], hits=hits, found=found
            )
            chosen = triage(scan)
            assert (len(chosen.generic), len(chosen.candidates)) == (apart, not apart), number
            result = judged(scan, {"7/mini/0": ("duplicate",)})
            assert result.removed == (frozenset() if apart else {7}), number
            assert result.go
            kinds = [line["kind"] for line in pair_lines(result)]
            assert kinds == ["short-generic" if apart else "candidate"]
            assert dict(result.sets.rows[0])["generic_rows"] == apart


def test_short_questions_are_not_drawn_from_the_band() -> None:
    rows = [row(1, "What is shown?", ("p",)), row(2, "What is shown?", ("q",))]
    items = [item(0, "What is shown?", ("q",))]
    scan = scan_of(rows, items, found=[near(1, 0, 0.84), near(2, 0, 0.84)])
    chosen = triage(scan)
    assert [one.key for one in chosen.sample] == ["2/mini/0"]
    assert sum(one.population for one in chosen.strata) == 1


def test_a_pair_at_the_threshold_is_a_candidate_and_one_below_is_drawn() -> None:
    for cosine, found in ((0.85, (1, 0)), (0.85 - 1e-12, (0, 1))):
        chosen = triage(scan_of([row(1, LONG)], [item(0, LONG)], found=[near(1, 0, cosine)]))
        assert (len(chosen.candidates), len(chosen.sample)) == found


def test_what_the_sample_leaves_open_is_no_neighbour() -> None:
    near_ones = [near(k, 0, 0.845) for k in range(1, 5)]
    scan = scan_of([row(k, LONG) for k in range(1, 5)], [item(0, LONG)], found=near_ones)
    labels = {f"{k}/mini/0": ("duplicate",) if k < 3 else ("neighbour",) for k in range(1, 5)}
    decided, opened = (
        judged(scan, labels).missed,
        judged(scan, labels | {"4/mini/0": (None,)}).missed,
    )
    assert decided is not None and (decided.low, decided.high) == (2, 2)
    assert opened is not None and (opened.low, opened.high) == (2, 3)


def test_an_item_counts_as_unreadable_or_unauditable_not_as_both() -> None:
    scan = example()
    faults = tuple(Fault(k, k + 1, "broken JSON") for k in range(2))
    mini = replace(scan.evals[0], unauditable=3, faults=faults)
    line = dict(outcome(replace(scan, evals=(mini, scan.evals[1])), []).sets.rows[0])
    assert (line["unauditable"], line["unreadable"]) == (1, 2)


def test_every_reason_for_no_go() -> None:
    scan = example()
    fine = [said(one, "neighbour") for one in triage(scan).asked]
    missed = Sighting("above", Fraction(8, 19), None, False)
    apart = VectorSighting("exact", 0.4, False)
    bad = tuple(Fault(k, k + 1, "broken JSON") for k in range(2))
    without = replace(scan.evals[0], unauditable=50)
    spans = tuple(replace(one, unauditable=100) for one in scan.findings.spans)
    cases = {
        "missed_canary": replace(scan, sightings=(*scan.sightings, missed)),
        "missed_canary ": replace(scan, vector_sightings=(apart,)),
        "no_canary": replace(scan, sightings=()),
        "no_canary ": replace(scan, vector_sightings=()),
        "incomplete": replace(scan, ranges=((0, 40), (50, 100))),
        "bad_rows": replace(scan, faults=bad),
        "bad_rows ": replace(scan, evals=(replace(scan.evals[0], faults=bad), scan.evals[1])),
        "nothing_to_compare": replace(scan, evals=(without, scan.evals[1])),
        "nothing_to_compare ": replace(scan, findings=replace(scan.findings, spans=spans)),
    }
    assert outcome(scan, fine).go
    for code, changed in cases.items():
        found = outcome(changed, fine)
        assert [one.code for one in found.issues] == [code.strip()], code
        assert not found.go and found.counts()["issues"][0]["code"] == code.strip()
    large = replace(scan, train=replace(scan.train, rows=1_000), ranges=((0, 1_000),))
    one_bad = replace(scan.evals[0], faults=bad[:1])
    assert [
        one.code for one in outcome(replace(large, evals=(one_bad, scan.evals[1])), fine).issues
    ] == ["bad_rows"]
    reported = VectorSighting("paraphrase", 0.3, None)
    assert outcome(replace(scan, vector_sightings=(*scan.vector_sightings, reported)), fine).go


@pytest.mark.parametrize(
    "labels", [(None,), ("duplicate", "neighbour"), ("duplicate", None, None), ()]
)
def test_an_undecided_pair_keeps_its_row_and_is_no_go(labels: tuple[str | None, ...]) -> None:
    scan = example()
    found = judged(scan, {"1/mini/0": labels} | {"4/mini/2": labels})
    assert 1 not in found.removed and 4 not in found.removed
    assert [one.code for one in found.issues] == ["undecided"]
    assert "1/mini/0" in found.issues[0].message


def test_a_row_goes_when_one_of_its_pairs_is_a_duplicate_and_another_is_open() -> None:
    found = judged(example(), {"3/mini/1": (None,), "3/other/0": ("duplicate",)})
    assert 3 in found.removed and found.issues == ()


def test_no_judge_at_all() -> None:
    found = outcome(example(), [])
    assert found.agreement is None and not found.removals and not found.go
    assert found.recall() is None
    assert found.missed is not None and found.missed.judged == 0
    assert [line["opinions"] for line in pair_lines(found)] == [[]] * 4


def test_too_many_removals() -> None:
    dup = dict.fromkeys(("1/mini/0", "2/mini/1", "3/mini/1"), ("duplicate",))
    for limit, codes in ((0.03, []), (0.029, ["removed_share"])):
        scan = example(max_removed_share=limit)
        found = judged(scan, dup | {"3/other/0": ("duplicate",)})
        assert [one.code for one in found.issues] == codes and len(found.removals) == 3


def test_without_stage_2_and_without_rows() -> None:
    scan = scan_of([row(1, LONG)], [item(0, LONG)], hits=[hit(1, 0)], found=None)
    found = judged(scan, {"1/mini/0": ("duplicate",)})
    assert found.go and found.missed is None and found.removed == {1}
    assert "paraphrases were not looked for" in found.stages.note
    assert "stage_2" not in {line["step"] for line in found.stages.rows}
    nothing = outcome(scan_of([], [], n_rows=0), [])
    assert [one.code for one in nothing.issues] == ["nothing_to_compare"]


def test_judgements_that_do_not_belong() -> None:
    scan = example()
    asked = triage(scan).asked
    foreign = said(replace(asked[0], row=77), "duplicate")
    with pytest.raises(DataError, match="77/mini/0"):
        outcome(scan, [foreign])
    with pytest.raises(DataError, match="two of one pair"):
        outcome(scan, [said(asked[0], "duplicate")], [said(asked[0], "duplicate")])


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_nothing_is_lost_whatever_the_judges_say(data: st.DataObject) -> None:
    scan = example()
    votes = st.lists(st.sampled_from(["duplicate", "neighbour", None]), min_size=3, max_size=3)
    given_ = [said(one, *data.draw(votes)) for one in triage(scan).asked]
    found = outcome(scan, data.draw(st.permutations(given_)))
    assert found == outcome(scan, given_)
    duplicates = {one.candidate.row for one in given_ if one.label == "duplicate"}
    assert found.removed == duplicates
    assert len(list(pair_lines(found))) == len(given_)
    steps = {line["step"]: line for line in found.stages.rows}
    parts = [steps[name]["rows"] for name in ("duplicate", "neighbour", "undecided")]
    assert sum(parts) == steps["candidates"]["rows"]  # type: ignore[arg-type]
    n_candidates = sum(int(str(line["candidate_rows"])) for line in found.sets.rows)
    assert found.buckets.rows[-1]["candidates"] == n_candidates
    open_ = [one for one in found.judgements if one.label is None]
    assert found.go == all(one.candidate.row in found.removed for one in open_)


def test_a_pair_says_all_that_is_known() -> None:
    scan = example()
    found = judged(scan, {"1/mini/0": ("duplicate", None)})
    line = pair_json(found, found.judgements[0], "candidate")
    assert line["row"] == {"number": 1, "line": 2, "id": "t1", "text": f"{LONG} number 1"}
    assert line["item"]["eval_set"] == "mini" and line["item"]["text"] == f"{LONG} item 0"
    assert (line["jaccard"], line["cosine"], line["stages"]) == ("9/10", 0.97, [1, 2])
    assert line["label"] is None and line["pictures"] == "none"
    assert line["containment"] == "1" and line["borderline"] is False
    assert [one["label"] for one in line["opinions"]] == ["duplicate", None]
