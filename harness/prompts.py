"""A prompt template becomes the text that a model is asked."""

from __future__ import annotations

import re
import string

from harness.errors import DataError, StudyError
from harness.types import Example, Prompt

_FIELDS = ("question", "choices", "options")
_PLACEHOLDER = re.compile(r"\{(question|choices|options)\}")
# A brace straight after a letter belongs to a command such as \boxed{answer}.
_LIKE_ONE = re.compile(r"(?<![A-Za-z])\{([a-z_]+)\}")
_EMPTY_LINE = re.compile(r"^[ \t]*\{(?:choices|options)\}[ \t]*(?:\n|\Z)", re.MULTILINE)


def render(prompt: Prompt, example: Example) -> str:
    """The prompt's text for one example.

    `{question}` is the question as it is, `{choices}` one line "A. text" per choice,
    `{options}` the same in one line: "A. text B. text". The text put in is never read as a
    template again. For an example without choices, a line that holds nothing but
    `{choices}` or `{options}` is left out.

    Raises
    ------
    StudyError
        For a placeholder with another name, or a template without `{question}`.
    DataError
        For more choices than the 26 letters.

    Examples
    --------
    >>> example = Example(id="1", kind="choice", question="Hue?", gold="A", choices=("red", "tan"))
    >>> render(Prompt(name="p", template="{question}\\n{choices}"), example)
    'Hue?\\nA. red\\nB. tan'
    """
    _check(prompt)
    if len(example.choices) > len(string.ascii_uppercase):
        raise DataError(
            f"example {example.id!r}: expected at most 26 choices, found {len(example.choices)}"
        )
    letters = string.ascii_uppercase
    labelled = [f"{letters[i]}. {text}" for i, text in enumerate(example.choices)]
    values = {
        "question": example.question,
        "choices": "\n".join(labelled),
        "options": " ".join(labelled),
    }
    template = prompt.template if labelled else _EMPTY_LINE.sub("", prompt.template)
    return _PLACEHOLDER.sub(lambda match: values[match[1]], template)


def _check(prompt: Prompt) -> None:
    unknown = sorted(set(_LIKE_ONE.findall(prompt.template)).difference(_FIELDS))
    if unknown:
        raise StudyError(
            f"prompt {prompt.name}: expected placeholders among {list(_FIELDS)}, found {unknown}"
        )
    if "{question}" not in prompt.template:
        raise StudyError(f"prompt {prompt.name}: expected {{question}} in the template, found none")


__all__ = ["render"]
