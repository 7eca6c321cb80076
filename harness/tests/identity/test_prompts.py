"""What a template becomes for an example, and which templates are refused."""

from __future__ import annotations

import pytest

from harness.errors import DataError, StudyError
from harness.prompts import render
from harness.types import Example, Prompt

CHOICE = Example(id="c", kind="choice", question="Hue?", gold="A", choices=("red", "dark tan"))
OPEN = Example(id="o", kind="yesno", question="Is it?", gold="yes")


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
