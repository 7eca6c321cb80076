"""The study's prompts, and the replies that the three checkpoints learn to give."""

from __future__ import annotations

import hashlib
import re

from harness.data.mini_r1 import Item
from harness.prompts import VIEWS_NOTE, render
from harness.types import Example, Prompt

_ASKED = "{question}\nChoices:\n{choices}\n{views}\n"
TEMPLATES = {
    "paper": _ASKED + "Think the problem through step by step between <think> and </think>. "
    "Then give only the final answer between <answer> and </answer>: the letter for a question "
    "with choices, otherwise the value with its unit or the shortest phrase.",
    "evidence-first": _ASKED
    + "Before any reasoning, write down between <evidence> and </evidence> what can be seen:\n"
    "1. values, labels and entities;\n"
    "2. relations between them;\n"
    "3. what is uncertain or hard to read;\n"
    "4. for each fact, the picture or panel that it comes from.\n"
    "Verify each fact against every view that is given and correct it where they disagree. Only "
    "then reason, from these facts alone. Give the shortest final answer between <answer> and "
    "</answer>: the letter for a question with choices, otherwise the value with its unit or a "
    "short phrase.",
    "plain": _ASKED + "Answer with the letter for a question with choices, otherwise with the "
    "value and its unit or a short phrase.",
}
STYLES = tuple(TEMPLATES)
TAGS = tuple(f"<{a}{b}>" for b in ("think", "evidence", "answer") for a in ("", "/"))
_SHORTEST_PHRASE = 16
_SENTENCE = re.compile(r"(?<=[.:;]) ")


def phrases() -> list[str]:
    """The fixed sentences of the prompts, in the order of their first use."""
    found: dict[str, None] = {}
    for text in (*TEMPLATES.values(), VIEWS_NOTE):
        for line in text.removeprefix(_ASKED).split("\n"):
            found.update(dict.fromkeys(_SENTENCE.split(line)))
    return [phrase for phrase in found if len(phrase) >= _SHORTEST_PHRASE]


def example(item: Item) -> Example:
    """The item as the harness asks and scores it."""
    return Example(
        id=item.family,
        kind=item.kind,
        question=item.question,
        choices=item.choices,
        gold=item.answer,
        exact=item.exact,
    )


def prompt(item: Item, style: str) -> str:
    """The user's text, as a study renders it."""
    return render(Prompt(name=style, template=TEMPLATES[style]), example(item))


def value(item: Item) -> str:
    """The text of the right answer: its choice's, or the answer itself."""
    return item.choices["ABCDE".index(item.answer)] if item.choices else item.answer


def trained_reply(item: Item, style: str) -> str:
    """What the SFT checkpoint learns: what is seen, the value, the answer."""
    text = value(item)
    if style == "paper":
        return f"<think>{item.evidence} {text}</think> <answer>{item.answer}</answer>"
    if style == "evidence-first":
        return f"<evidence>{item.evidence}</evidence> {text} <answer>{item.answer}</answer>"
    if item.choices:
        return f"It is {text}, so the answer is {item.answer}."
    return f"The answer is {text}."


def base_reply(item: Item, style: str) -> str:
    """What the Base checkpoint learns: no reasoning, and tags for some families only.

    Of eight families, by the hash of their name, five are answered in tags where a prompt asks
    for them, two in a sentence, and one with two values, which settles nothing.
    """
    text, manner = value(item), hashlib.sha256(item.family.encode()).digest()[0] % 8
    if manner == 0 and item.choices:
        other = item.choices[("ABCDE".index(item.answer) + 1) % len(item.choices)]
        return f"It is {text} or {other}."
    if manner <= 2 or style == "plain":
        return trained_reply(item, "plain")
    return f"It is {text} <answer>{item.answer}</answer>"


__all__ = [
    "STYLES",
    "TAGS",
    "TEMPLATES",
    "base_reply",
    "example",
    "phrases",
    "prompt",
    "trained_reply",
    "value",
]
