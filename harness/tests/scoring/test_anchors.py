"""Every shortcut of the readers of letters and yes/no, held against the search it stands for."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from harness.scoring.letters import bare, by_text, yesno
from harness.scoring.letters.options import Options
from harness.scoring.statements import doubt, revisions
from harness.scoring.statements.anchors import (
    ALSO,
    BECAUSE,
    DENIED,
    DOUBTS,
    OUGHT,
    RETRACTED,
    REVISIONS,
    SOFT,
    STRONG,
    UNSURE,
    Gate,
    holds,
    index,
    words,
)
from harness.scoring.statements.cues import CUE, THEREFORE, VERDICT, found
from harness.scoring.statements.texts import squeeze

WORDS = sorted(
    words("""
answer Answer answers choice option options selection response guess pick match one letter
statement solution ans final correct right best closest nearest most likely appropriate true
chosen selected conclusion result select choose chose picked go going with went for opt vote
settle on say said I we let's let us I'd I'll am would will my in matches corresponds to respuesta
es Antwort ist svar jawaban adalah resposta é therefore Therefore thus hence consequently so So
but it it's that that's this must be has should is Is was are seems appears the The A B C D (A) [B]
"C" A. B) wait Wait, hold scratch strike never mind nevermind hmm hmmm oops Oopsie whoops edit:
correction after upon second thought thoughts reflection further furthermore closer another look
looking again thinking checking take back reconsider reconsidering double-check double-checking
misread misspoke mislabeled made a an mistake error wrong incorrect in-correct not changed change
corrected sorry actually swapped among of given choices fact no No nope nah or rather better mean
meant make instead which false true forget ignore above previous withdrawn retracted deleted retract
revoke cannot can't can not decide tell sure also equally just as likewise too well does fine valid
let me recheck re-examine contradicts doesn't seem off fast seems looks odd strange look right add
up conflicts with double-check fix start over could might may be fails trap least respectively
leaves us with which this is yet makes it none other than nothing without any doubt
maybe perhaps unsure unclear depends entirely yes Yes yep ja non absolutely definitely course
because since red cube small sphere answer_letter correct_answer "answer": _final_ 3 2.5 Yes.No
""")
)
PHRASES = (
    *(
        "B is",
        "is the best",
        "must be",
        "right answer",
        "is correct",
        "seems to be my",
        "the final",
    ),
    *("it should", "this must not be", "so is C", "So would be (B)", "is also", "is just as right"),
    *(
        "So are C",
        "let me",
        "this contradicts",
        "that doesn't look right",
        "or not.",
        "makes B the",
        "which is option",
        "closest to option C",
        "isn't A but",
        "I should redo",
        "but it might be",
        "so the wrong one",
        "I think yes",
        "Okay, no",
    ),
    *("as well", "is wrong", "is not the answer", "B was", "isn't the right", "answer can't be B"),
)
JOINTS = (
    " ",
    " ",
    " ",
    " ",
    ", ",
    ". ",
    ".",
    "; ",
    ": ",
    ":",
    "\n",
    "\n\n",
    "? ",
    "! ",
    "  ",
    " - ",
)


def texts(n: int) -> Iterator[str]:
    chance = random.Random(7)
    for _ in range(n):
        size = chance.randrange(1, 24)
        yield "".join(
            chance.choice(PHRASES if chance.random() < 0.3 else WORDS) + chance.choice(JOINTS)
            for _ in range(size)
        )


@pytest.mark.parametrize("pattern", [CUE, THEREFORE, VERDICT], ids=["cue", "therefore", "verdict"])
def test_all_that_a_search_of_the_whole_text_finds(pattern: re.Pattern[str]) -> None:
    n = 0
    for text in texts(6000):
        spans = [match.span() for match in pattern.finditer(text)]
        assert [match.span() for match in found(text, pattern)] == spans, text
        n += len(spans)
    assert n > 50


@pytest.mark.parametrize(
    "text",
    [
        "## Answer\nB",
        "\n\n\n# final answer:\n",
        "answer\n",
        "My   answer \n",
        "  \n \n> correct\nanswer.\n",
        "Answer" + " " * 80 + "\nanswer" + "\n" * 70 + "answer",
        "select B",
        "\n select B",
        "the most   plausible\nchoice",
    ],
)
def test_headings_and_openings_are_found(text: str) -> None:
    assert [m.span() for m in found(text)] == [m.span() for m in CUE.finditer(text)]


@pytest.mark.parametrize(
    ("gate", "pattern"),
    [
        (STRONG, revisions._STRONG),
        (SOFT, revisions._SOFT),
        (RETRACTED, revisions._RETRACTED),
        (OUGHT, revisions._OUGHT),
        (ALSO, revisions._ALSO),
        (UNSURE, yesno._UNSURE),
        (BECAUSE, by_text._TEXT_BECAUSE),
        (DOUBTS, doubt._DOUBT),
    ],
    ids=["strong", "soft", "retracted", "ought", "also", "unsure", "because", "doubts"],
)
def test_a_gate_is_open_wherever_its_pattern_matches(gate: Gate, pattern: re.Pattern[str]) -> None:
    n = 0
    for text in texts(6000):
        if pattern.search(text):
            n += 1
            assert holds(index(text), gate), text
            assert gate in (UNSURE, BECAUSE, DOUBTS) or holds(index(text), REVISIONS), text
    assert n > 50


def test_the_gate_of_denials_of_a_letter() -> None:
    denied = [text for text in texts(20_000) if revisions._denied(text, "B")]
    assert len(denied) > 5
    assert all(holds(index(text), DENIED) for text in denied)


def test_sentences_that_begin_with_yes_or_no() -> None:
    n = 0
    for text in texts(6000):
        ends = [match.end() for match in yesno._SENTENCE_START.finditer(text)]
        said = [reading for end in ends if (reading := yesno._at(text, end))]
        starts = yesno._sentence_starts(text)
        quick = [reading for match in starts if (reading := yesno._at(text, match.end()))]
        assert list(dict.fromkeys(quick)) == list(dict.fromkeys(said)), text
        n += bool(said)
    assert n > 50


def test_where_the_remarks_at_the_end_of_a_line_begin() -> None:
    for text in texts(6000):
        line = text.replace("\n", " ")
        comment = bare._COMMENT.search(line)
        expected = comment.start() if comment and comment.start() else len(line)
        assert bare._comment_start(line, 0, len(line)) == expected, line


def test_a_part_with_other_letters_than_every_choice_is_none_of_them() -> None:
    choices = ("A red cube", "small sphere", "the best match", "2.5 is right", "$x_{1}$, or so")
    options = Options(choices)
    for text in (*texts(6000), *choices, *(f'the "{choice}".' for choice in choices)):
        if not options._may_be_text(text):
            own = squeeze(text)
            assert own is not None
            options._squeezed, kept = {own}, options._squeezed
            assert options.text_only(text, 0, len(text)) is None, text
            options._squeezed = kept
