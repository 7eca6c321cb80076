"""The model of the study's checkpoints: Idefics3 for figures on white, with long prompts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.micro import architecture as first
from harness.micro import tokenizer as words
from harness.micro.r1.tokenizer import POSITIONS

if TYPE_CHECKING:
    from PIL.Image import Image
    from transformers import (
        Idefics3ForConditionalGeneration,
        Idefics3Processor,
        PreTrainedTokenizerFast,
    )

SIDE_PX = 96
FIRST_SIDE_PX = 192
# Figures are mostly white: about their usual mean and spread.
MEAN, SPREAD = 0.9, 0.25
PATCH_PX = 16
SHUFFLE = 2
HIDDEN = 96
VISION_HIDDEN = 64
VISION_LAYERS = 3
TEXT_LAYERS = 4
HEADS = 4
N_VISUAL_TOKENS = (SIDE_PX // PATCH_PX // SHUFFLE) ** 2


def build(tokenizer: PreTrainedTokenizerFast) -> Idefics3ForConditionalGeneration:
    """Make an untrained model; its weights come from torch's generator.

    A picture becomes 36 patches of 16 px and, by pixel shuffle, 9 visual tokens.
    """
    from transformers import Idefics3Config, Idefics3ForConditionalGeneration, LlamaConfig

    special: dict[str, Any] = {
        "pad_token_id": tokenizer.convert_tokens_to_ids(words.PAD),
        "bos_token_id": tokenizer.convert_tokens_to_ids(words.START),
        "eos_token_id": tokenizer.convert_tokens_to_ids(words.END),
    }
    text = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=HIDDEN,
        intermediate_size=2 * HIDDEN,
        num_hidden_layers=TEXT_LAYERS,
        num_attention_heads=HEADS,
        num_key_value_heads=HEADS,
        max_position_embeddings=POSITIONS,
        tie_word_embeddings=True,
        **special,
    )
    vision = {
        "hidden_size": VISION_HIDDEN,
        "intermediate_size": 2 * VISION_HIDDEN,
        "num_hidden_layers": VISION_LAYERS,
        "num_attention_heads": HEADS,
        "image_size": SIDE_PX,
        "patch_size": PATCH_PX,
    }
    image_token: Any = tokenizer.convert_tokens_to_ids("<image>")
    config = Idefics3Config(
        text_config=text.to_dict(),
        vision_config=vision,
        scale_factor=SHUFFLE,
        image_token_id=image_token,
        tie_word_embeddings=True,
        **special,
    )
    model: Any = Idefics3ForConditionalGeneration(config)
    model.generation_config.update(do_sample=False, **special)
    built: Idefics3ForConditionalGeneration = model
    return built


def processor(tokenizer: PreTrainedTokenizerFast) -> Idefics3Processor:
    """The processor that goes with the model; see `resized` for what it does to a picture."""
    made = first.processor(tokenizer)
    made.image_seq_len = N_VISUAL_TOKENS
    made.image_processor.size = {"longest_edge": FIRST_SIDE_PX}
    made.image_processor.max_image_size = {"longest_edge": SIDE_PX}
    made.image_processor.image_mean = [MEAN] * 3
    made.image_processor.image_std = [SPREAD] * 3
    return made


def resized(picture: Image) -> Image:
    """What the processor makes of a picture before scaling: 192 px at most, then 96×96.

    Both steps are Lanczos; the second one gives up the aspect. Half-way sides are even.
    """
    from PIL.Image import Resampling

    width, height = picture.size
    if width >= height:
        size = (FIRST_SIDE_PX, _even(int(FIRST_SIDE_PX / (width / height))))
    else:
        size = (_even(int(FIRST_SIDE_PX * (width / height))), FIRST_SIDE_PX)
    halfway = picture.resize(size, Resampling.LANCZOS)
    return halfway.resize((SIDE_PX, SIDE_PX), Resampling.LANCZOS)


def _even(side: int) -> int:
    return max(1, side + side % 2)


__all__ = [
    "HIDDEN",
    "MEAN",
    "N_VISUAL_TOKENS",
    "SIDE_PX",
    "SPREAD",
    "build",
    "processor",
    "resized",
]
