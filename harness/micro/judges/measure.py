"""How good a judge is: accuracy on single pictures, and what edits do to its answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.data.records import read_records
from harness.micro import measure as first
from harness.micro.judges.dialogue import TEMPLATE
from harness.micro.judges.pool import MASTER_SEEDS
from harness.micro.loop import one_thread
from harness.prompts import render as rendered
from harness.scenes.render import render
from harness.scenes.rows import specimen_of
from harness.scenes.sampler import static_item, triplet
from harness.scenes.triplet import FACTORS, VARIANTS, Item, Triplet
from harness.scoring import grade
from harness.types import Example, Prompt

if TYPE_CHECKING:
    from PIL.Image import Image

FROZEN = Path(__file__).parents[3] / "fixtures" / "scenes"
N_VAL = 96
N_NEW_TOKENS = 16
BATCH_SIZE = 32
SIZE_PX = (320, 240)

Shown = Sequence[tuple[Item, "Image"]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One factor's figures: shares of single pictures (`n_static`) and of triplets (`n`).

    `ra` and `ii` are the shares of the triplets with a right base in which the relevant and
    the irrelevant variant are right too. `read` is the share of replies with a letter.
    """

    factor: str
    n_static: int
    static: float
    n: int
    base: float
    ra: float
    ii: float
    read: float


def measure(directories: Sequence[Path], split: str = "test") -> list[list[Row]]:
    """Measure checkpoints on the same pictures: greedy, float32, 320×240.

    Parameters
    ----------
    directories : saved checkpoints.
    split : "test" for the frozen sets; "val" for what judges are chosen by.

    Returns
    -------
    list of list of Row
        By checkpoint, then by factor.
    """
    loaded = [first.load(directory) for directory in directories]
    found: list[list[Row]] = [[] for _ in loaded]
    for factor in FACTORS:
        single, edited = pictures(factor, split)
        for rows, (model, processor) in zip(found, loaded, strict=True):
            rows.append(row(model, processor, factor, single, edited))
    return found


def pictures(factor: str, split: str) -> tuple[Shown, Shown]:
    """Single items, and the variants of triplets one after the other, with their pictures.

    Those of "test" are the frozen sets in `fixtures/scenes`; those of "val" the sampler's first
    `N_VAL` of each under a master seed that nothing else uses, none left out.
    """
    if split == "test":
        items, found = (_frozen(name, factor) for name in ("static", "audit"))
    else:
        seed = MASTER_SEEDS[split]
        items = [static_item(factor, index, master_seed=seed) for index in range(N_VAL)]
        found = [triplet(factor, index, master_seed=seed) for index in range(N_VAL)]
    single = [item for item in items if isinstance(item, Item)]
    edited = [t.item(v) for t in found if isinstance(t, Triplet) for v in VARIANTS]
    return shown(single), shown(edited)


def _frozen(name: str, factor: str) -> Sequence[Item | Triplet]:
    records = read_records(FROZEN / f"{name}.jsonl.gz", {"factor": factor})
    return [specimen_of(record)[0] for record in records]


def shown(items: Sequence[Item], size: tuple[int, int] = SIZE_PX) -> Shown:
    """Items with their pictures."""
    from PIL import Image

    width, height = size
    return [
        (item, Image.fromarray(render(item.scene, width=width, height=height).rgb))
        for item in items
    ]


def row(model: Any, processor: Any, factor: str, single: Shown, edited: Shown) -> Row:
    """The figures of one factor."""
    static, read_static = right(model, processor, single)
    each, read_each = right(model, processor, edited)
    base, relevant, irrelevant = each[::3], each[1::3], each[2::3]
    n_base = max(1, sum(base))
    return Row(
        factor=factor,
        n_static=len(static),
        static=sum(static) / len(static),
        n=len(base),
        base=sum(base) / len(base),
        ra=sum(b and r for b, r in zip(base, relevant, strict=True)) / n_base,
        ii=sum(b and i for b, i in zip(base, irrelevant, strict=True)) / n_base,
        read=(read_static + read_each) / (len(static) + len(each)),
    )


def right(model: Any, processor: Any, asked: Shown) -> tuple[list[bool], int]:
    """Whether each reply is right, and how many could be read, by the harness's own reader."""
    with one_thread():
        texts = first.generate(
            model,
            processor,
            [question(item) for item, _ in asked],
            [picture for _, picture in asked],
            BATCH_SIZE,
            N_NEW_TOKENS,
        )
    scores = [
        grade("preference", text, item.candidates, item.gold)
        for text, (item, _) in zip(texts, asked, strict=True)
    ]
    return [s.correct for s in scores], sum(s.outcome == "answered" for s in scores)


def question(item: Item) -> str:
    """The user's text for an item."""
    example = Example(
        id=item.id,
        kind="preference",
        question=item.question,
        choices=item.candidates,
        gold=item.gold,
    )
    return rendered(Prompt(name="judge", template=TEMPLATE), example)


__all__ = ["Row", "measure", "pictures", "question", "right", "row", "shown"]
