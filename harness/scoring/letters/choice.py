"""The answer to a multiple-choice question: a letter, or nothing that can be relied on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from harness.errors import DataError
from harness.scoring.letters.letters import letter
from harness.scoring.letters.options import Options
from harness.scoring.letters.yesno import yesno
from harness.types import Answer


def choice(text: str, choices: Sequence[str]) -> Answer:
    """Read the letter that a response chooses.

    The order: the last closed answer block and nothing else once there is one; the latest
    explicit statement or box, a box on a tie; a bare or leading label; the text of exactly
    one choice. Anything less certain, or more than one answer, is left for review; so is an
    answer that the response takes back without naming another.

    Parameters
    ----------
    text : the raw response.
    choices : the texts of the choices, A first; at least one, at most 26.

    Returns
    -------
    Answer
        `value` is the letter, or None; `rule` says where it was read or why it was not;
        `span` lies in the raw text.

    Raises
    ------
    DataError
        When there is no choice, or more than there are letters.

    Examples
    --------
    >>> choice("It is not A, so the answer is (B).", ["red", "blue"])
    Answer(value='B', rule='final_phrase', span=(31, 32))
    """
    if not 1 <= len(choices) <= 26:
        raise DataError(f"a choice example has {len(choices)} choices; expected 1 to 26")
    options = _options(tuple(choices))
    answer = letter(text, options)
    if answer.value is None and answer.rule == "none" and {"yes", "no"} <= set(options.texts):
        said = yesno(text)
        if said.value and said.rule == "leading" and options.texts.count(said.value) == 1:
            value = options.letters[options.texts.index(said.value)]
            return Answer(value=value, rule="choice_text", span=said.span)
    return answer


@lru_cache(maxsize=1024)
def _options(choices: tuple[str, ...]) -> Options:
    return Options(choices)


__all__ = ["choice"]
