"""How good a checkpoint of the study is: accuracy, parse rate, and whether pictures matter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.data.mini_r1 import Item, items
from harness.micro import measure as first
from harness.micro.loop import one_thread
from harness.micro.r1 import prompts
from harness.scoring import grade

if TYPE_CHECKING:
    from PIL.Image import Image

    from harness.types import Score

N_NEW_TOKENS = 64
N_TEST = 942
N_OTHERS = 240
BATCH_SIZE = 32


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One prompt's figures over the `n` questions; all but `n` are shares of them.

    `read` is the share of replies that an answer could be read from; `blank` is the accuracy
    on white pictures, and `moved` the share of answers that differ between them and the clean
    ones. `categories` and `families` hold the accuracy by name.
    """

    style: str
    n: int
    accuracy: float
    read: float
    blank: float
    moved: float
    categories: dict[str, float]
    families: dict[str, float]


def measure(
    directory: Path, styles: Sequence[str] = prompts.STYLES, split: str = "test", n: int = N_TEST
) -> list[Row]:
    """Measure a checkpoint on mini-r1: greedy, float32, left-padded batches of 32.

    Parameters
    ----------
    directory : a saved checkpoint.
    styles : names of prompts; those after the first are measured on 240 questions at most.
    split : "test" for the card; "train" for questions that few recipes use.
    n : number of questions, from the first.
    """
    model, processor = first.load(directory)
    asked = list(items(split, n))
    with one_thread():
        return [
            _row(model, processor, asked[: N_OTHERS if at else n], style)
            for at, style in enumerate(styles)
        ]


def _row(model: Any, processor: Any, asked: Sequence[Item], style: str) -> Row:
    import PIL.Image

    texts = [prompts.prompt(item, style) for item in asked]
    clean = [item.picture for item in asked]
    white = [PIL.Image.new("RGB", p.size, "white") for p in clean]
    seen = scores(asked, replies(model, processor, texts, clean))
    unseen = scores(asked, replies(model, processor, texts, white))
    moved = [a.answer.value != b.answer.value for a, b in zip(seen, unseen, strict=True)]
    return Row(
        style=style,
        n=len(asked),
        accuracy=_share([s.correct for s in seen]),
        read=_share([s.outcome == "answered" for s in seen]),
        blank=_share([s.correct for s in unseen]),
        moved=_share(moved),
        categories=_by([i.category for i in asked], seen),
        families=_by([i.family for i in asked], seen),
    )


def replies(
    model: Any, processor: Any, texts: Sequence[str], pictures: Sequence[Image]
) -> list[str]:
    """Greedy replies, one picture each, in the given order."""
    return first.generate(model, processor, texts, pictures, BATCH_SIZE, N_NEW_TOKENS)


def scores(asked: Sequence[Item], texts: Sequence[str]) -> list[Score]:
    """The harness's scores of replies."""
    return [
        grade(item.kind, text, item.choices, item.answer, exact=item.exact)
        for item, text in zip(asked, texts, strict=True)
    ]


def _share(values: Sequence[bool]) -> float:
    return sum(values) / len(values)


def _by(names: Sequence[str], seen: Sequence[Score]) -> dict[str, float]:
    return {
        name: _share([s.correct for n, s in zip(names, seen, strict=True) if n == name])
        for name in dict.fromkeys(names)
    }


__all__ = ["Row", "measure", "replies", "scores"]
