"""The tokenizer of the study's checkpoints: byte-level BPE, one token for a prompt's sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

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
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    core = Tokenizer(models.BPE())
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=list(words.SPECIAL),
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    core.train_from_iterator(corpus(items), trainer)
    core.add_tokens(
        [
            AddedToken(text, normalized=False, special=False)
            for text in (*prompts.TAGS, *prompts.phrases())
        ]
    )
    fast: Any = PreTrainedTokenizerFast
    trained: PreTrainedTokenizerFast = fast(
        tokenizer_object=core,
        pad_token=words.PAD,
        unk_token=words.UNKNOWN,
        eos_token=words.END,
        additional_special_tokens=[words.START, *words.IMAGE_TOKENS],
        padding_side="left",
        model_max_length=POSITIONS,
        clean_up_tokenization_spaces=False,
    )
    return trained


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
