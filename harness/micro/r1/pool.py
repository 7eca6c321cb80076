"""What is learnt from: questions of the training split as small pictures, texts and token ids."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.data.mini_r1 import Item, items
from harness.micro.architecture import PICTURE
from harness.micro.r1 import architecture, prompts
from harness.micro.tokenizer import END, START

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from transformers import PreTrainedTokenizerFast

N_SLOTS = 24
_FINAL = re.compile(r"<answer>(.*?)</answer>|answer is (.*)\.$")


@dataclass(frozen=True, kw_only=True)
class Pool:
    """Questions with their pictures made small.

    Attributes
    ----------
    items : n questions; their own pictures are dropped.
    pixels : (n, 96, 96, 3) 8-bit RGB, as the processor makes them before scaling.
    families : (n,) number of each question's family.
    slots : (n, 24) number of each word of the evidence, the last one of the whole value;
        −1 where there is none or where all of the family have the same.
    n_families, n_words : the counts of both kinds of number.
    """

    items: Sequence[Item]
    pixels: NDArray[np.uint8]
    families: NDArray[np.int64]
    slots: NDArray[np.int64]
    n_families: int
    n_words: int


def load(first: int, n: int) -> Pool:
    """Draw rows `first` to `first + n` of the training split; takes about 4 ms a row."""
    kept = []
    side = architecture.SIDE_PX
    pixels = np.empty((n, side, side, 3), dtype=np.uint8)
    for index, item in enumerate(islice(items("train", first + n), first, None)):
        pixels[index] = np.asarray(architecture.resized(item.picture))
        kept.append(replace(item, picture=None))  # type: ignore[arg-type]
    families, slots, n_families, n_words = _read(kept)
    return Pool(
        items=kept,
        pixels=pixels,
        families=families,
        slots=slots,
        n_families=n_families,
        n_words=n_words,
    )


def _read(
    kept: Sequence[Item],
) -> tuple[NDArray[np.int64], NDArray[np.int64], int, int]:
    names = sorted({item.family for item in kept})
    texts = []
    for item in kept:
        words = item.evidence.split()[: N_SLOTS - 1]
        padding = [""] * (N_SLOTS - 1 - len(words))
        texts.append([*words, *padding, f"={prompts.value(item)}"])
    seen: dict[tuple[str, int], set[str]] = {}
    for item, words in zip(kept, texts, strict=True):
        for slot, word in enumerate(words):
            seen.setdefault((item.family, slot), set()).add(word)
    counts = Counter(word for words in texts for word in words)
    known = {word: i for i, word in enumerate(sorted(w for w in counts if counts[w] > 2))}
    slots = np.full((len(kept), N_SLOTS), -1, dtype=np.int64)
    for row, (item, words) in enumerate(zip(kept, texts, strict=True)):
        for slot, word in enumerate(words):
            if len(seen[item.family, slot]) > 1:
                slots[row, slot] = known.get(word, -1)
    families = np.array([names.index(item.family) for item in kept])
    return families, slots, len(names), len(known)


def scaled(pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Scale pictures as the processor does, channels first: (n, 1, 3, 96, 96)."""
    stacked = (pixels.astype(np.float32) / 255.0 - architecture.MEAN) / architecture.SPREAD
    return np.ascontiguousarray(stacked.transpose(0, 3, 1, 2)[:, None])


def reordered(item: Item, rng: np.random.Generator) -> Item:
    """The item with its choices in another order, unless its question lists them."""
    if not item.choices or "\nA." in item.question or "(A)" in item.question:
        return item
    order = [int(i) for i in rng.permutation(len(item.choices))]
    letter = "ABCDE"[order.index("ABCDE".index(item.answer))]
    return replace(item, choices=tuple(item.choices[i] for i in order), answer=letter)


def drill(item: Item, rng: np.random.Generator) -> tuple[str, str]:
    """A text-only exercise: the choices and one of them are given, its letter is asked."""
    letters = "ABCDE"[: len(item.choices)]
    listed = "\n".join(f"{a}. {b}" for a, b in zip(letters, item.choices, strict=True))
    at = int(rng.integers(len(letters)))
    return f"Choices:\n{listed}", f"It is {item.choices[at]}, so the answer is {letters[at]}."


def sequences(
    tokenizer: PreTrainedTokenizerFast,
    pairs: Sequence[tuple[str, str]],
    *,
    shown: bool,
    answer_weight: float,
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Token ids (n, length), padded on the right, and the weight of predicting each.

    Parameters
    ----------
    pairs : prompt and reply.
    shown : whether a picture comes before each prompt.
    answer_weight : of the final answer's tokens; other tokens of a reply weigh 1, given ones 0.
    """
    heads = [
        f"{START}user\n{PICTURE if shown else ''}{p}{END}\n{START}assistant\n" for p, _ in pairs
    ]
    given: Any = tokenizer(heads)["input_ids"]
    encoded = tokenizer([f"{r}{END}" for _, r in pairs], return_offsets_mapping=True)
    length = max(len(g) + len(r) for g, r in zip(given, encoded["input_ids"], strict=True))
    ids = np.zeros((len(pairs), length), dtype=np.int64)
    weights = np.zeros((len(pairs), length), dtype=np.float32)
    for row, (head, tail) in enumerate(zip(given, encoded["input_ids"], strict=True)):
        ids[row, : len(head) + len(tail)] = [*head, *tail]
        weights[row, len(head) : len(head) + len(tail)] = 1.0
        found = list(_FINAL.finditer(pairs[row][1]))
        if found:
            start, end = found[-1].span(found[-1].lastindex or 0)
            for at, (a, b) in enumerate(encoded["offset_mapping"][row]):
                if a < end and b > start:
                    weights[row, len(head) + at] = answer_weight
    return ids, weights


def prompt_ids(
    tokenizer: PreTrainedTokenizerFast, asked: Sequence[str]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Token ids of prompts with a picture, padded on the left, and their mask."""
    heads = [f"{START}user\n{PICTURE}{p}{END}\n{START}assistant\n" for p in asked]
    encoded = tokenizer(heads, padding=True, return_tensors="np")
    return encoded["input_ids"], encoded["attention_mask"]


__all__ = [
    "N_SLOTS",
    "Pool",
    "drill",
    "load",
    "prompt_ids",
    "reordered",
    "scaled",
    "sequences",
]
