"""The micro model: the Idefics3 architecture at a third to half a million parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.micro import tokenizer as words
from harness.micro import world

if TYPE_CHECKING:
    from transformers import (
        Idefics3ForConditionalGeneration,
        Idefics3Processor,
        PreTrainedTokenizerFast,
    )

PATCH_PX = 16
SHUFFLE = 2
VISION_HIDDEN = 64
VISION_LAYERS = 2
TEXT_LAYERS = 4
HEADS = 4
N_VISUAL_TOKENS = (world.SIDE_PX // PATCH_PX // SHUFFLE) ** 2
# What the processor writes for a picture.
PICTURE = (
    "<fake_token_around_image><global-img>"
    + "<image>" * N_VISUAL_TOKENS
    + "<fake_token_around_image>"
)


def build(
    tokenizer: PreTrainedTokenizerFast,
    hidden: int,
    *,
    vision_layers: int = VISION_LAYERS,
    positions: int = words.POSITIONS,
) -> Idefics3ForConditionalGeneration:
    """Make an untrained model; its weights come from torch's generator.

    A 96×96 picture becomes 36 patches of 16 px and, by pixel shuffle, 9 visual tokens: one for
    each cell of the world's 3×3 grid. Word embeddings are tied to the output.

    Parameters
    ----------
    tokenizer : fixes the size of the vocabulary and the special ids.
    hidden : width of the language model, a multiple of 4 · 2.
    vision_layers : of the tower.
    positions : tokens that a prompt and its reply may have.
    """
    from transformers import Idefics3Config, Idefics3ForConditionalGeneration, LlamaConfig

    image_token: Any = tokenizer.convert_tokens_to_ids("<image>")
    special: dict[str, Any] = {
        "pad_token_id": tokenizer.convert_tokens_to_ids(words.PAD),
        "bos_token_id": tokenizer.convert_tokens_to_ids(words.START),
        "eos_token_id": tokenizer.convert_tokens_to_ids(words.END),
    }
    text = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=hidden,
        intermediate_size=2 * hidden,
        num_hidden_layers=TEXT_LAYERS,
        num_attention_heads=HEADS,
        num_key_value_heads=HEADS,
        max_position_embeddings=positions,
        tie_word_embeddings=True,
        **special,
    )
    vision = {
        "hidden_size": VISION_HIDDEN,
        "intermediate_size": 2 * VISION_HIDDEN,
        "num_hidden_layers": vision_layers,
        "num_attention_heads": HEADS,
        "image_size": world.SIDE_PX,
        "patch_size": PATCH_PX,
    }
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
    """The processor that goes with the model: PIL resizing, no splitting, mean = sd = 0.5."""
    from transformers import Idefics3Processor
    from transformers.models.idefics3.image_processing_pil_idefics3 import (
        Idefics3ImageProcessorPil,
    )

    images = Idefics3ImageProcessorPil(
        do_image_splitting=False,
        size={"longest_edge": world.SIDE_PX},
        max_image_size={"longest_edge": world.SIDE_PX},
        image_mean=[0.5, 0.5, 0.5],
        image_std=[0.5, 0.5, 0.5],
    )
    return Idefics3Processor(
        image_processor=images,
        tokenizer=tokenizer,
        image_seq_len=N_VISUAL_TOKENS,
        chat_template=words.CHAT_TEMPLATE,
    )


__all__ = ["N_VISUAL_TOKENS", "PICTURE", "build", "processor"]
