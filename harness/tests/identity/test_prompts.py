"""What a template becomes for an example, and which templates are refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness import ids
from harness.errors import DataError, StudyError
from harness.prompts import VIEWS_NOTE, lists_choices, render, shows_parts
from harness.types import Example, Media, Prompt
from harness.vision.views import CONDITIONS, MODES, named

CHOICE = Example(id="c", kind="choice", question="Hue?", gold="A", choices=("red", "dark tan"))
OPEN = Example(id="o", kind="yesno", question="Is it?", gold="yes")
SEEN = replace(CHOICE, media=(Media(kind="image", name="p.png", sha256="0" * 64),))


def text(template: str, example: Example = CHOICE) -> str:
    return render(Prompt(name="p", template=template), example)


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{question}", "Hue?"),
        ("Q:{question}\n{choices}\nAnswer.", "Q:Hue?\nA. red\nB. dark tan\nAnswer."),
        ("{question} ({options})", "Hue? (A. red B. dark tan)"),
        ("问题{question}", "问题Hue?"),
        (r"{question} Put it in \boxed{answer}.", r"Hue? Put it in \boxed{answer}."),
        ('{question} {"answer": "{X}"}', 'Hue? {"answer": "{X}"}'),
    ],
)
def test_placeholders_are_filled_and_other_braces_stay(template: str, expected: str) -> None:
    assert text(template) == expected


def test_a_line_of_choices_is_left_out_where_there_are_none() -> None:
    assert text("{question}\n{choices}\nYes or no?", OPEN) == "Is it?\nYes or no?"
    assert text("{question}\n{choices}", OPEN) == "Is it?\n"
    assert text("{question} [{options}]", OPEN) == "Is it? []"


def test_the_heading_goes_with_the_choices() -> None:
    template = "{question}\nChoices:\n{choices}\nSay which."
    assert text(template) == "Hue?\nChoices:\nA. red\nB. dark tan\nSay which."
    assert text(template, OPEN) == "Is it?\nSay which."
    assert text("{question}\n Options:\n{options}", OPEN) == "Is it?\n"
    assert text("{question}\nHints:\n{choices}\nSay.", OPEN) == "Is it?\nHints:\nSay."
    listed = replace(CHOICE, question="Hue? (A) red (B) dark\n tan")
    assert text(template, listed) == f"{listed.question}\nSay which."


LISTED = [
    ("Hue?\nA. red\nB. dark tan", True),
    ("Hue?\nChoices:\n(A) red\n(B) dark  tan", True),
    ("Hue? A) red, B) dark tan.", True),
    ("Hue? [A] red [B] dark tan", True),
    ("Hue? A: red; B:dark tan!", True),
    ("选A. red或B. dark tan", True),
    ("Hue?", False),
    ("", False),
    ("red or dark tan?", False),
    ("A or B: red, dark tan?", False),
    ("A. red", False),
    ("A. red B. dark tang", False),
    ("A. red B. dark tan2", False),
    ("A. Red B. dark tan", False),
    ("A. dark tan B. red", False),
    ("B. dark tan A. red", False),
    ("A. red C. dark tan", False),
    ("ABA. red B. dark tan", False),
]


@pytest.mark.parametrize("listed", [True, False])
def test_a_question_lists_its_choices_or_does_not(listed: bool) -> None:
    for question, expected in LISTED:
        if expected is listed:
            assert lists_choices(question, ("red", "dark tan")) is listed, question
    assert lists_choices("A. 1 B. 12 C. 12.5", ("1", "12", "12.5"))
    assert not lists_choices("A. 12 B. 1.5", ("1", "1.5"))
    assert not lists_choices("A. 1,000 B. 2", ("1", "2"))
    assert lists_choices("A. x^2 (B) $\\frac{1}{2}$", ("x^2", "$\\frac{1}{2}$"))
    assert lists_choices("Which picture? (A) (B)", ("", ""))
    assert not lists_choices("Which?", ())


def test_the_note_on_views_stands_only_where_parts_are_shown() -> None:
    prompt = Prompt(name="p", template="{question}\n{views}\nAnswer.")
    own = Prompt(name="p", template="{question}\n{views: First all, then parts: look. }\nAnswer.")
    inline = Prompt(name="p", template="{question} {views}!")
    names = [*CONDITIONS, *MODES, "distractor_3-global_plus_quadrants_budgeted"]
    with_parts = {name for name in names if "quadrants" in name}
    assert len(with_parts) == 3
    for name in names:
        view = named(name)
        assert shows_parts(view) is (name in with_parts)
        note, stated = ("", "")
        if name in with_parts:
            note, stated = f"{VIEWS_NOTE}\n", "First all, then parts: look.\n"
        assert render(prompt, SEEN, view) == f"Hue?\n{note}Answer."
        assert render(own, SEEN, view) == f"Hue?\n{stated}Answer."
        assert render(prompt, CHOICE, view) == "Hue?\nAnswer."
    assert render(prompt, SEEN) == "Hue?\nAnswer."
    assert render(inline, SEEN) == "Hue? !"
    assert render(inline, SEEN, named(MODES[0])) == f"Hue? {VIEWS_NOTE}!"


def test_the_note_is_as_it_was_when_answers_were_stored() -> None:
    # No key holds this text: to change it, state another in the template.
    assert ids.digest(VIEWS_NOTE)[:12] == "76c2e4abe309"


def test_text_put_in_is_not_a_template() -> None:
    sly = Example(id="s", kind="choice", question="{choices}", gold="A", choices=("{question}",))
    assert text("{question}|{options}", sly) == "{choices}|A. {question}"


@pytest.mark.parametrize(
    ("template", "message"),
    [("{quesion}", r"found \['quesion'\]"), ("Say yes.", "expected {question}")],
)
def test_wrong_templates_are_refused(template: str, message: str) -> None:
    with pytest.raises(StudyError, match=message):
        text(template)


def test_more_choices_than_letters_are_refused() -> None:
    many = Example(
        id="m", kind="choice", question="?", gold="A", choices=tuple(str(i) for i in range(27))
    )
    with pytest.raises(DataError, match="example 'm'.*found 27"):
        text("{question}", many)
