"""Equal pictures in the files of an audit: tables, pairs, cards, and what is listed apart."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from harness.audit.pairs import PictureMatch
from harness.contamination.display import displayed
from harness.contamination.html import page
from harness.contamination.listing import pair_lines
from harness.contamination.markdown import document
from harness.contamination.outcome import Outcome, outcome
from harness.contamination.scan import Scan
from harness.contamination.texts import TEXTS
from harness.contamination.triage import triage
from harness.tests.contamination.made_audits import hit, item, near, row, said, scan_of

SHORT, LONG = (
    "What is shown?",
    "a wooden block slides down a rough plane of thirty degrees and " * 2,
)


def example() -> Scan:
    """Row 1 repeats item 1, behind item 0; row 2 shows a blank page; row 3 asks something else."""
    rows = [row(1, SHORT, ("p", "q")), row(2, "Name it.", ("blank",)), row(3, LONG, ("p",))]
    items = [item(0, SHORT, ("z",)), item(1, SHORT, ("p", "q")), item(2, SHORT, ("blank",))]
    scan = scan_of(rows, items, hits=[hit(1, 0, 10)], found=[near(1, 0, 1.0)])
    plan = replace(
        scan.plan,
        train=replace(scan.plan.train, image_field="i"),
        evals=tuple((name, replace(one, image_field="i")) for name, one in scan.plan.evals),
    )
    matches = (
        PictureMatch(1, "mini", 1, 2, Fraction(1), 1.0, False),
        PictureMatch(2, "mini", 2, 1, Fraction(0), 0.2, True),
        PictureMatch(3, "mini", 1, 1, Fraction(0), None, False),
    )
    return replace(scan, plan=plan, pictures=matches)


def judged(scan: Scan) -> Outcome:
    return outcome(scan, [said(one, "duplicate") for one in triage(scan).asked])


def test_what_the_files_say() -> None:
    found = judged(example())
    assert found.removed == {1} and found.go
    assert [(one["key"], one["kind"]) for one in pair_lines(found)] == [
        *(("1/mini/1", "candidate"), ("1/mini/0", "short-generic"))
    ]
    first, generic = pair_lines(found)
    shown = ("pictures", "shared_pictures", "found_by_picture", "stages", "rank")
    assert [first[key] for key in shown] == ["equal", 2, True, [1, 2], None]
    assert [generic[key] for key in shown] == ["different", 0, False, [1, 2], 1]
    (line,) = (dict(one) for one in found.sets.rows)
    assert (line["same_picture_rows"], line["other_question_rows"]) == (3, 2)
    assert (line["common_picture_rows"], line["generic_rows"]) == (1, 1)
    steps = {one["step"]: (one["rows"], one["pairs"]) for one in found.stages.rows}
    assert steps["same_picture"] == (3, 3) and steps["other_question"] == (2, 2)
    counts = found.counts()
    assert counts["common_pictures"] == 1
    assert counts["other_questions"] == [
        {"row": 2, "eval_set": "mini", "item": 2, "jaccard": "0", "cosine": 0.2}
        | {"pictures": 1, "common": True},
        {"row": 3, "eval_set": "mini", "item": 1, "jaccard": "0", "cosine": None}
        | {"pictures": 1, "common": False},
    ]


def test_what_a_reader_sees() -> None:
    found = judged(example())
    for language, words in TEXTS.items():
        shown = page(found, language)
        listed = shown.index(words["other_questions_section"])
        assert shown.index(words["generic_section"]) < listed
        assert "<td>mini</td><td>2</td><td>0.000</td><td>0.2000</td>" in shown[listed:]
        assert words["pictures_several"].format(n=2) in shown
        for text in (shown, document(found, language)):
            for name in ("other_question_rows", "step_other_question", "common_picture_rows"):
                assert words[name] in text, (language, name)


def test_nothing_is_said_of_pictures_where_none_are_compared() -> None:
    scan = scan_of([row(1, LONG)], [item(0, LONG)], hits=[hit(1, 0)])
    found = judged(scan)
    heads, cells = displayed(found.sets, TEXTS["en"])
    assert len(heads) == len(cells[0])
    assert not any("picture" in head for head in heads)
    assert not any("question" in str(one["step"]) for one in found.stages.rows)
    assert TEXTS["en"]["other_questions_section"] not in page(found, "en")


def test_a_common_picture_needs_texts_that_are_alike() -> None:
    scan = example()
    for jaccard, cosine, common, candidate in (
        (Fraction(0), 0.2, True, False),
        (Fraction(0), 0.2, False, True),
        (Fraction(2, 5), 0.2, True, True),
        (Fraction(39, 100), 0.8499, True, False),
        (Fraction(0), 0.85, True, True),
    ):
        changed = replace(scan.pictures[1], jaccard=jaccard, cosine=cosine, common=common)
        matches = (scan.pictures[0], changed, scan.pictures[2])
        keys = [one.key for one in replace(scan, pictures=matches).candidates]
        assert ("2/mini/2" in keys) == candidate, changed
