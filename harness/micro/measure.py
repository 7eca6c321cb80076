"""How good a checkpoint is: accuracy through its processor and `generate`, and invariance."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.data.digits import digits
from harness.data.manifest import LETTERS
from harness.data.visual_shapes import visual_shapes
from harness.errors import ModelError
from harness.micro.dialogue import TEMPLATES, options_line

if TYPE_CHECKING:
    from PIL.Image import Image

    from harness.types import Dataset, Example

CONDITIONS = ("clean", "blank", "shifted")
N_NEW_TOKENS = 24
_BLOCK = re.compile(r"<answer>(.*?)</answer>", re.DOTALL)


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One line of the table: `accuracy` and `listed` are shares of `n` test examples.

    `listed` is the share of replies that are exactly one of the answers listed for the
    question (their letters, in the style `letter`); the others count as wrong.
    """

    data: str
    style: str
    condition: str
    n: int
    accuracy: float
    listed: float


def measure(directory: Path, styles: Sequence[str], split: str = "test") -> list[Row]:
    """Measure a checkpoint on visual shapes and digits.

    Replies are greedy, in float32, in left-padded batches of 16. Blank pictures are black
    ones of the same size; shifted pictures belong to the next example.

    Parameters
    ----------
    directory : a saved checkpoint.
    styles : some of "word", "evidence", "letter".
    split : "test" for the table; "val" for choosing a recipe.

    Raises
    ------
    ModelError
        When the directory holds no checkpoint.
    """
    model, processor = load(directory)
    rows = []
    for data in (visual_shapes(split), digits(split)):
        pictures = [data.open_image(e.media[0]) for e in data.examples]
        for style in styles:
            prompts = [prompt(e, style) for e in data.examples]
            for condition in CONDITIONS:
                shown = _shown(pictures, condition)
                replies = generate(model, processor, prompts, shown, batch_size=16)
                rows.append(_row(data, style, condition, replies))
    return rows


def changed_by_batching(directory: Path, styles: Sequence[str]) -> dict[str, int]:
    """Count test replies whose text depends on the batch size or on the number of threads.

    Returns
    -------
    dict
        Per comparison with batch size 1 at one thread, the number of replies that differ, over
        all test examples in each of the styles.
    """
    import torch

    model, processor = load(directory)
    threads = torch.get_num_threads()
    counts = {"batch 8": 0, "batch 8, 2 threads": 0}
    try:
        for data in (visual_shapes("test"), digits("test")):
            pictures = [data.open_image(e.media[0]) for e in data.examples] * len(styles)
            prompts = [prompt(e, style) for style in styles for e in data.examples]
            torch.set_num_threads(1)
            alone = generate(model, processor, prompts, pictures, batch_size=1)
            for name, n_threads in (("batch 8", 1), ("batch 8, 2 threads", 2)):
                torch.set_num_threads(n_threads)
                other = generate(model, processor, prompts, pictures, batch_size=8)
                counts[name] += sum(a != b for a, b in zip(alone, other, strict=True))
    finally:
        torch.set_num_threads(threads)
    return counts


def load(directory: Path) -> tuple[Any, Any]:
    """Open a checkpoint with the plain Auto classes: local files only, float32.

    Returns
    -------
    (model, processor)
    """
    if not (directory / "config.json").is_file():
        raise ModelError(f"{directory}: no config.json; expected a checkpoint directory")
    import torch
    import transformers

    auto: Any = transformers
    processor = auto.AutoProcessor.from_pretrained(directory, local_files_only=True)
    model = auto.AutoModelForImageTextToText.from_pretrained(
        directory, local_files_only=True, dtype=torch.float32
    )
    return model.eval(), processor


def prompt(example: Example, style: str) -> str:
    """The user's text for an example of kind `choice`."""
    return TEMPLATES[style].format(question=example.question, options=options_line(example.choices))


def generate(
    model: Any,
    processor: Any,
    prompts: Sequence[str],
    pictures: Sequence[Image],
    batch_size: int,
    n_new_tokens: int = N_NEW_TOKENS,
) -> list[str]:
    """Greedy replies of so many tokens at most, one picture each, in the given order."""
    import torch

    replies: list[str] = []
    for start in range(0, len(prompts), batch_size):
        chats = [
            processor.apply_chat_template(
                [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": text}]}],
                add_generation_prompt=True,
            )
            for text in prompts[start : start + batch_size]
        ]
        shown = [[p] for p in pictures[start : start + batch_size]]
        inputs = processor(
            text=chats, images=shown, padding=True, padding_side="left", return_tensors="pt"
        )
        with torch.inference_mode():
            out = model.generate(**inputs, max_new_tokens=n_new_tokens, do_sample=False)
        new = out[:, inputs["input_ids"].shape[1] :]
        replies += processor.batch_decode(new, skip_special_tokens=True)
    return replies


def read(reply: str, example: Example, style: str) -> str | None:
    """The letter that a reply stands for, or None where it is not a listed answer.

    Exact on purpose: this judges the training, it is not the harness's scorer.
    """
    text = reply.strip()
    if style == "letter":
        return text if text in tuple(LETTERS[: len(example.choices)]) else None
    if style == "evidence":
        blocks = _BLOCK.findall(text)
        text = blocks[-1].strip() if blocks else ""
    return LETTERS[example.choices.index(text)] if text in example.choices else None


def _shown(pictures: Sequence[Image], condition: str) -> list[Image]:
    import PIL.Image

    if condition == "blank":
        return [PIL.Image.new("RGB", p.size) for p in pictures]
    if condition == "shifted":
        return [*pictures[1:], pictures[0]]
    return list(pictures)


def _row(data: Dataset, style: str, condition: str, replies: Sequence[str]) -> Row:
    answers = [read(r, e, style) for r, e in zip(replies, data.examples, strict=True)]
    right = sum(a == e.gold for a, e in zip(answers, data.examples, strict=True))
    return Row(
        data=data.name,
        style=style,
        condition=condition,
        n=len(answers),
        accuracy=right / len(answers),
        listed=sum(a is not None for a in answers) / len(answers),
    )


__all__ = [
    "CONDITIONS",
    "Row",
    "changed_by_batching",
    "generate",
    "load",
    "measure",
    "prompt",
    "read",
]
