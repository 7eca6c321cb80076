"""Announcements from the end: the same as a search of the whole text, sooner."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.scoring.statements.cues import CUE
from harness.scoring.statements.latest import announcements

WORDS = [
    "The answer is 5",
    "the final",
    "correct",
    "answer",
    "Answer: ",
    "option",
    "so we choose 3",
    "one",
    ". ",
    "\n",
    "答案是五",
    "and then it goes on and on ",
    "x" * 150,
]


@pytest.mark.unit
@given(st.lists(st.sampled_from(WORDS), max_size=60))
def test_all_cues_the_latest_first(words: list[str]) -> None:
    text = " ".join(words)
    places = [place for place in announcements(text) if place[1] >= 0]
    assert places == sorted(places, reverse=True)
    # A slice that begins within a cue may find the end of that cue once more, and no other.
    ends = {cue.end() for cue in CUE.finditer(text)}
    assert ends <= {end for end, _ in places}


@pytest.mark.unit
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("#### 18", [(5, -1)]),
        ("A: 18", [(3, -1)]),
        ("Final value: 3", [(13, -1)]),
        ("The answer is 5.\nA: 6", [(20, -1), (13, 4)]),
    ],
)
def test_places(text: str, expected: list[tuple[int, int]]) -> None:
    assert list(announcements(text)) == expected


@pytest.mark.unit
def test_the_last_of_a_long_text_is_found_at_once() -> None:
    text = "The one answer is not said. " * 40_000 + "The answer is 5."
    start = time.process_time()
    assert next(announcements(text)) == (len(text) - 3, len(text) - 12)
    assert time.process_time() - start < 20  # seconds of the processor: linear, not quick
