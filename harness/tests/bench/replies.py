"""Made replies of a chosen length in the forms that models use, for measuring speed."""

from __future__ import annotations

import itertools

CHOICES = ("a red cube", "the smaller sphere", "twelve centimetres", "none of these")
_PROSE = (
    "The picture shows several objects on a table, and the light comes from the left.",
    "Looking at the scale on the side, each mark stands for two units of length.",
    "We compare the two shapes by their height, which can be read from the grid.",
    "The first object is larger than the second, although both have the same colour.",
    "From the given values the total follows by adding the parts one after another.",
    "It helps to note that the shadow falls to the right of the box.",
)
_LETTERS = (
    ("", "\nThe answer is ({letter})."),
    ("", "\nTherefore, the correct option is {letter}."),
    ("The answer is {letter}. ", ""),
    ("", "\n**Answer: {letter}**"),
    ("", "\nSo we get \\boxed{{{letter}}}"),
    ("<think>", "</think>\n<answer>{letter}</answer>"),
    ("{letter}. {text}\n\nExplanation: ", ""),
    ("", ""),
)
_WORDS = (
    ("{word}, there is a dog in the picture. ", ""),
    ("{word}. ", ""),
    ("", "\nThe answer is {word}."),
    ("", "\n**Answer: {word}**"),
    ("<think>", "</think>\n<answer>{word}</answer>"),
    ("", "\nSo we get \\boxed{{\\text{{{word}}}}}"),
    ("", ""),
)


def letter_replies(n: int, length: int) -> list[str]:
    """`n` replies to a question with four choices, each of exactly `length` characters."""
    replies = []
    for i, form in zip(range(n), itertools.cycle(_LETTERS), strict=False):
        which = i // len(_LETTERS) % len(CHOICES)
        before, after = (part.format(letter="ABCD"[which], text=CHOICES[which]) for part in form)
        replies.append(_filled(i, length, before, after))
    return replies


def yesno_replies(n: int, length: int) -> list[str]:
    """`n` replies to a yes/no question, each of exactly `length` characters."""
    replies = []
    for i, form in zip(range(n), itertools.cycle(_WORDS), strict=False):
        before, after = (part.format(word=("Yes", "No")[i // len(_WORDS) % 2]) for part in form)
        replies.append(_filled(i, length, before, after))
    return replies


def _filled(i: int, length: int, before: str, after: str) -> str:
    room = length - len(before) - len(after)
    prose = ""
    for sentence in itertools.islice(itertools.cycle(_PROSE), i % len(_PROSE), None):
        if len(prose) >= room:
            break
        prose += sentence + " "
    return before + prose[: room - 1].ljust(room - 1) + "." + after


__all__ = ["CHOICES", "letter_replies", "yesno_replies"]
