"""A prompt template becomes the text that a model is asked."""

from __future__ import annotations

import re
import string
from collections.abc import Sequence

from harness.errors import DataError, StudyError
from harness.types import Example, Prompt, View

VIEWS_NOTE = (
    "Note on the pictures: the first shows the whole figure, the others are overlapping parts of "
    "it seen closer. They are one figure, not several."
)
_FIELDS = ("question", "choices", "options", "views")
_PLACEHOLDER = re.compile(r"\{(question|choices|options|views(?::([^{}]*))?)\}")
# A brace straight after a letter belongs to a command such as \boxed{answer}.
_LIKE_ONE = re.compile(r"(?<![A-Za-z])\{([a-z_]+)\}")
_CHOICES_LINE = re.compile(
    r"(?:^[ \t]*(?:[Cc]hoices|[Oo]ptions):[ \t]*\n)?^[ \t]*\{(?:choices|options)\}[ \t]*(?:\n|\Z)",
    re.MULTILINE,
)
_VIEWS_LINE = re.compile(r"^[ \t]*\{views(?::[^{}]*)?\}[ \t]*(?:\n|\Z)", re.MULTILINE)
_SPACE = re.compile(r"\s+")
# Operations of harness.vision.views that give a whole picture and parts of it.
_MULTIPLE = ("quadrants",)


def render(prompt: Prompt, example: Example, view: View | None = None) -> str:
    """The prompt's text for one example.

    `{question}` is the question as it is, `{choices}` one line "A. text" per choice,
    `{options}` the same in one line: "A. text B. text". Both are left out where the example has
    no choices or its question lists them already (see `lists_choices`). `{views}` is
    `VIEWS_NOTE`, and `{views: TEXT}` is TEXT, where the view gives a whole picture and parts of
    it; with any other view, none, or an example without pictures it is left out. A line that
    holds nothing but what is left out goes with it, and so does a heading "Choices:" or
    "Options:" straight above. The text put in is never read as a template again.

    Parameters
    ----------
    prompt : the template.
    example : its choices are at most the 26 letters.
    view : the view under which the pictures are shown; None for a single picture.

    Raises
    ------
    StudyError
        For a placeholder with another name, or a template without `{question}`.
    DataError
        For more choices than the 26 letters.

    Examples
    --------
    >>> example = Example(id="1", kind="choice", question="Hue?", gold="A", choices=("red", "tan"))
    >>> render(Prompt(name="p", template="{question}\\nChoices:\\n{choices}"), example)
    'Hue?\\nChoices:\\nA. red\\nB. tan'
    >>> plain = Example(id="2", kind="text", question="Hue?", gold="red")
    >>> render(Prompt(name="p", template="{question}\\nChoices:\\n{choices}\\nAnswer."), plain)
    'Hue?\\nAnswer.'
    """
    _check(prompt)
    if len(example.choices) > len(string.ascii_uppercase):
        raise DataError(
            f"example {example.id!r}: expected at most 26 choices, found {len(example.choices)}"
        )
    letters = string.ascii_uppercase
    labelled: list[str] = []
    if not lists_choices(example.question, example.choices):
        labelled = [f"{letters[i]}. {text}" for i, text in enumerate(example.choices)]
    noted = bool(example.media) and view is not None and shows_parts(view)
    values = {
        "question": example.question,
        "choices": "\n".join(labelled),
        "options": " ".join(labelled),
        "views": VIEWS_NOTE if noted else "",
    }
    template = prompt.template if labelled else _CHOICES_LINE.sub("", prompt.template)
    template = template if noted else _VIEWS_LINE.sub("", template)

    def filled(match: re.Match[str]) -> str:
        if match[2] is not None:
            return match[2].strip() if noted else ""
        return values[match[1]]

    return _PLACEHOLDER.sub(filled, template)


def lists_choices(question: str, choices: Sequence[str]) -> bool:
    """Whether a question lists all of its choices in its own text.

    It does where each choice stands in it behind its letter, in the order of the letters: the
    letter as "A.", "A)", "(A)", "[A]" or "A:", not touching a letter or digit before it, then
    the whole text of the choice, which no letter, digit or decimal follows. White space
    counts as one space wherever it stands; upper and lower case differ.

    Parameters
    ----------
    question : the question's text.
    choices : the texts, without letters, at most 26; without any, nothing is listed.

    Examples
    --------
    >>> lists_choices("Which? (A) 12 (B) 13", ["12", "13"])
    True
    >>> lists_choices("Which? (A) 12 (B) 13.5", ["12", "13"])
    False
    """
    text = _SPACE.sub(" ", question)
    start = 0
    for letter, choice in zip(string.ascii_uppercase, choices, strict=False):
        wanted = re.escape(_SPACE.sub(" ", choice.strip()))
        end = r"(?![A-Za-z0-9]|[.,]\d)" if re.search(r"\w\Z", choice.strip()) else ""
        label = rf"(?<![A-Za-z0-9])(?:\({letter}\)|\[{letter}\]|{letter}[.):：、．])"
        found = re.compile(rf"{label} ?{wanted}{end}").search(text, start)
        if found is None:
            return False
        start = found.end()
    return bool(choices)


def shows_parts(view: View) -> bool:
    """Whether a view gives a picture of the whole and, after it, pictures of its parts.

    Examples
    --------
    >>> shows_parts(View(name="v", steps=(("quadrants", (("overlap", 0.12),)),)))
    True
    """
    return any(operation in _MULTIPLE for operation, _ in view.steps)


def _check(prompt: Prompt) -> None:
    unknown = sorted(set(_LIKE_ONE.findall(prompt.template)).difference(_FIELDS))
    if unknown:
        raise StudyError(
            f"prompt {prompt.name}: expected placeholders among {list(_FIELDS)}, found {unknown}"
        )
    if "{question}" not in prompt.template:
        raise StudyError(f"prompt {prompt.name}: expected {{question}} in the template, found none")


__all__ = ["VIEWS_NOTE", "lists_choices", "render", "shows_parts"]
