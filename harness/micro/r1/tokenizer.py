"""The tokenizer of the study's checkpoints: byte-level BPE, one token for a prompt's sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from harness.micro import tokenizer as words
from harness.micro.r1 import prompts

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

    from harness.data.mini_r1 import Item

VOCABULARY = 900
POSITIONS = 1024


def train(items: Sequence[Item]) -> PreTrainedTokenizerFast:
    """Train on the texts of some items; equal items give equal vocabularies.

    The tags of a reply and the fixed sentences of the three prompts become one token each,
    after the BPE's, so that a long instruction costs little; any other text is spelt out as
    usual. None of them is special: decoding keeps them.
    """
    whole = (*prompts.TAGS, *prompts.phrases())
    return words.learnt(corpus(items), VOCABULARY, POSITIONS, whole)


def corpus(items: Sequence[Item]) -> list[str]:
    """The texts to learn from: each item's exchange in each style, less the fixed sentences."""
    fixed = prompts.phrases()
    texts = [f"{role}\n" for role in ("user", "assistant", "system")] * len(items)
    for item in items:
        for style in prompts.STYLES:
            asked = prompts.prompt(item, style)
            for phrase in fixed:
                asked = asked.replace(phrase, "")
            texts += [asked, prompts.trained_reply(item, style)]
    return texts


__all__ = ["POSITIONS", "VOCABULARY", "corpus", "train"]
