"""The tokenizer of the judges: byte-level BPE, one token for each word they know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.micro import tokenizer as words
from harness.micro.judges import dialogue
from harness.micro.judges.pool import COLUMNS
from harness.scenes.palette import COLORS, SHAPES

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

VOCABULARY = 480


def train() -> PreTrainedTokenizerFast:
    """Learn the fixed phrases of prompt and reply; always the same vocabulary."""
    known = [*COLORS, *SHAPES, *COLUMNS, *"123456", "yes", "no", "none", "empty"]
    texts = [f" {word}" for word in known] + [
        "How many red objects are there?",
        "What color is the cube?",
        "Is there a red cube?",
        "In the image, is the red cube left of the blue sphere?",
        "Is the red cube left of the blue sphere?",
        "Seen: red",
        "Seen: red cube six, usually no",
        "user\nsystem\nassistant\n",
        "A. yes\nB. no\n",
    ]
    # A candidate with its letter is one token, so that one look at the list tells the letter.
    listed = [f"{letter}. {word}" for word in dialogue.WORDS for letter in "AB"]
    whole = (dialogue.INSTRUCTION, ". Answer: A", ". Answer: B", *listed)
    return words.learnt(texts * 40, VOCABULARY, words.POSITIONS, whole)


__all__ = ["VOCABULARY", "train"]
