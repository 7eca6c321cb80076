"""The byte-level BPE tokenizer of the micro models, trained on the world's own texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from harness import ids
from harness.micro import dialogue, world

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

VOCABULARY = 448
POSITIONS = 256
PAD, UNKNOWN, START, END = "<pad>", "<unk>", "<|im_start|>", "<|im_end|>"
IMAGE_TOKENS = ("<fake_token_around_image>", "<image>", "<end_of_utterance>", "<global-img>")
SPECIAL = (PAD, UNKNOWN, START, END, *IMAGE_TOKENS)
CHAT_TEMPLATE = (
    "{% for message in messages %}"
    "<|im_start|>{{ message['role'] }}\n"
    "{% if message['content'] is string %}{{ message['content'] }}"
    "{% else %}{% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}<image>"
    "{% elif part['type'] == 'text' %}{{ part['text'] }}{% endif %}"
    "{% endfor %}{% endif %}<|im_end|>\n"
    "{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def corpus(seed: int, n: int) -> list[str]:
    """Texts of `n` grid scenes and `n` single shapes, plus the fixed words of the dialogue."""
    rng = np.random.Generator(np.random.PCG64(ids.seed(seed, "tokenizer")))
    asks: list[dialogue.Ask] = []
    captions: list[str] = []
    for _ in range(n):
        for scene in (world.grid(rng), world.single(rng)):
            asks.append(dialogue.ask(scene, rng))
            captions += dialogue.caption(scene)
    scan = np.zeros((64, 64), dtype=np.uint8)
    asks += [dialogue.ask(world.digit(scan, d % 10, rng), rng) for d in range(n // 4)]
    chat = [f"{role}\n" for role in ("user", "assistant", "system")] * n
    drills = [text for _ in range(n // 4) for text in dialogue.drill(rng)]
    words = [*world.COLORS, *world.SHAPES, *world.ROWS, *world.COLUMNS, "empty", "digit"]
    return dialogue.texts(asks, captions) + chat + drills + words * n


def train(seed: int) -> PreTrainedTokenizerFast:
    """Train the tokenizer; equal seeds give equal vocabularies.

    `<answer>` and `</answer>` are ordinary text, so that decoding with
    `skip_special_tokens=True` keeps them.
    """
    return learnt(corpus(seed, 400), VOCABULARY, POSITIONS)


def learnt(
    texts: Iterable[str], vocabulary: int, positions: int, whole: Sequence[str] = ()
) -> PreTrainedTokenizerFast:
    """A byte-level BPE tokenizer with the special tokens of the micro models.

    Parameters
    ----------
    texts : to learn from; equal ones give equal vocabularies.
    vocabulary : number of tokens, special ones included.
    positions : the longest input, in tokens.
    whole : ordinary texts that become one token each, after the BPE's.
    """
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    core = Tokenizer(models.BPE())
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=list(SPECIAL),
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    core.train_from_iterator(texts, trainer)
    core.add_tokens([AddedToken(text, normalized=False, special=False) for text in whole])
    fast: Any = PreTrainedTokenizerFast
    trained: PreTrainedTokenizerFast = fast(
        tokenizer_object=core,
        pad_token=PAD,
        unk_token=UNKNOWN,
        eos_token=END,
        additional_special_tokens=[START, *IMAGE_TOKENS],
        padding_side="left",
        model_max_length=positions,
        clean_up_tokenization_spaces=False,
    )
    return trained


__all__ = [
    "CHAT_TEMPLATE",
    "END",
    "PAD",
    "POSITIONS",
    "SPECIAL",
    "START",
    "VOCABULARY",
    "corpus",
    "learnt",
    "train",
]
