"""Mini-R1: 942 generated questions in the shape of R1-Onevision-Bench (claim level L0)."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.data import manifest
from harness.data.mini_r1.draws import Draws
from harness.data.mini_r1.problem import Problem
from harness.data.mini_r1.schedule import N_ROWS, SEED, Slot, slots
from harness.errors import DataError
from harness.types import Dataset, Example, Kind, Media

if TYPE_CHECKING:
    from PIL.Image import Image

SPLITS = ("train", "test")
_MAX_WORDS = 40


@dataclass(frozen=True, kw_only=True)
class Item:
    """One question with its picture.

    `answer` is the letter of the right choice, or the answer itself where `choices` is empty;
    `evidence` is a sentence that says what in the picture decides; `exact` is as in
    `harness.types.Example`; `picture` is RGB.
    """

    question: str
    choices: tuple[str, ...]
    answer: str
    evidence: str
    picture: Image
    category: str
    level: str
    family: str
    kind: Kind
    exact: bool


def items(split: str, n: int = N_ROWS) -> Iterator[Item]:
    """Make the first `n` questions of a split, one after the other.

    Row i is the same whatever `n` is, and depends on nothing but the split's name and i.
    Every 942 rows have the counts of the benchmark: 327 questions of mathematics, 278 of
    physics, 134 of biology, 105 of chemistry and 98 of deduction; 159 of them are free.

    Parameters
    ----------
    split : "test" or "train"; they are drawn apart.
    n : at least 0; at most 942 for "test", as many as wanted for "train".

    Yields
    ------
    Item
        In the order of the rows; a picture takes about 2 ms.

    Raises
    ------
    DataError
        For an unknown split, a negative `n`, or more than 942 rows of "test".

    Examples
    --------
    >>> item = next(items("test", 1))
    >>> item.category, item.family, item.picture.mode
    ('Physics', 'spring', 'RGB')
    """
    _check(split)
    if n < 0 or (split == "test" and n > N_ROWS):
        raise DataError(
            f"mini_r1/{split}: expected n of at least 0"
            + (f" and at most {N_ROWS}" if split == "test" else "")
            + f", found {n}"
        )
    return (_item(split, row) for row in range(n))


@functools.cache
def mini_r1(split: str) -> Dataset:
    """Build one split of the benchmark in memory.

    Questions need the picture: their texts repeat with different answers. Sizes, counts and
    the share of free response are those of R1-Onevision-Bench; the questions are not, and no
    figure reported on them says anything about that benchmark.

    Parameters
    ----------
    split : "test" (942 examples) or "train" (942 others; `items` makes more).

    Returns
    -------
    Dataset
        Ids "mini-r1-0001" ("mini-r1-train-0001") hold the row, counted from 1. Kind `choice`
        with four or five choices (783), or `number`, `expression` and `text` without (159).
        `group` is the category, `role` the level, `tags` are level, category and family. A
        tenth of the questions list their choices in the text too. The result is shared
        within the process; `open_image` draws a fresh picture.

    Raises
    ------
    DataError
        For an unknown split; from `open_image`, for a picture that is not of this split.

    Notes
    -----
    The counts are those of Y. Yang et al., R1-Onevision: Advancing Generalized Multimodal
    Reasoning through Cross-Modal Formalization, ICCV 2025. Pictures are drawn with the font
    that Pillow embeds. Pillow 11.0 and 13.0 draw them alike; a release that did not would
    change the fingerprint, and never an answer.
    """
    _check(split)
    prefix = "mini-r1" if split == "test" else f"mini-r1-{split}"
    names = [f"{prefix}-{row + 1:04d}" for row in range(N_ROWS)]
    examples = tuple(_example(name, item) for name, item in zip(names, items(split), strict=True))
    manifest.check(examples, f"mini_r1/{split}")
    row_of = {example.media[0].name: row for row, example in enumerate(examples)}

    def open_image(media: Media) -> Image:
        if media.name not in row_of:
            raise DataError(
                f"mini_r1/{split}: no picture {media.name!r}; expected a name like "
                f"{examples[0].media[0].name!r} from this split"
            )
        return _item(split, row_of[media.name]).picture

    return Dataset(
        name="mini_r1",
        split=split,
        examples=examples,
        fingerprint=manifest.fingerprint(examples),
        open_image=open_image,
        claim_level="L0",
    )


def _check(split: str) -> None:
    if split not in SPLITS:
        raise DataError(f"mini_r1: unknown split {split!r}; valid splits are {', '.join(SPLITS)}")


@functools.lru_cache(maxsize=8)
def _block(split: str, block: int) -> list[Slot]:
    return slots(split, block)


def _item(split: str, row: int) -> Item:
    slot = _block(split, row // N_ROWS)[row % N_ROWS]
    family = slot.family
    problem = family.make(Draws(SEED, split, row, family.name))
    question, choices = _asked(problem, slot, Draws(SEED, split, row, "choices"))
    return Item(
        question=question,
        choices=choices,
        answer=manifest.LETTERS[slot.place] if choices else problem.answer,
        evidence=problem.evidence,
        picture=problem.figure.image(),
        category=family.category,
        level=family.level,
        family=family.name,
        kind="choice" if choices or family.free is None else family.free,
        exact=family.exact and not choices,
    )


def _asked(problem: Problem, slot: Slot, draws: Draws) -> tuple[str, tuple[str, ...]]:
    """The question's text, and its choices with the right one in its place."""
    if not slot.n_choices:
        return problem.question, ()
    texts = draws.sample(problem.wrong, slot.n_choices - 1)
    texts.insert(slot.place, problem.answer)
    question = problem.question
    if slot.listed:
        form, gap = draws.pick((("{}. {}", "\n"), ("({}) {}", " ")))
        listing = gap.join(form.format(a, b) for a, b in zip(manifest.LETTERS, texts, strict=False))
        text = f"{question}\n{listing}"
        question = text if len(text.split()) <= _MAX_WORDS else question
    return question, tuple(texts)


def _example(name: str, item: Item) -> Example:
    sha256 = manifest.pixel_digest(item.picture)
    return Example(
        id=name,
        kind=item.kind,
        question=item.question,
        choices=item.choices,
        gold=item.answer,
        media=(Media(kind="image", name=f"{name}.png", sha256=sha256),),
        group=item.category,
        role=item.level,
        tags=(item.level, item.category, item.family),
        exact=item.exact,
    )


__all__ = ["SPLITS", "Item", "items", "mini_r1"]
