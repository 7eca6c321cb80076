"""The model of the judges: Idefics3 that looks at a scene through 36 visual tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.micro import tokenizer as words

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image
    from transformers import (
        Idefics3ForConditionalGeneration,
        Idefics3Processor,
        PreTrainedTokenizerFast,
    )

SIDE_PX = 96
FIRST_SIDE_PX = 320
PATCH_PX = 8
SHUFFLE = 2
GRID = SIDE_PX // PATCH_PX // SHUFFLE
N_VISUAL_TOKENS = GRID**2
HIDDEN = 64
VISION_LAYERS = 3
TEXT_LAYERS = 4
HEADS = 4
# The usual 0.02 leaves so narrow a model on a plateau for a thousand steps.
INIT = 0.1
MEAN, SPREAD = 0.45, 0.2
PICTURE = (
    "<fake_token_around_image><global-img>"
    + "<image>" * N_VISUAL_TOKENS
    + "<fake_token_around_image>"
)


def build(tokenizer: PreTrainedTokenizerFast) -> Idefics3ForConditionalGeneration:
    """Make an untrained model; its weights come from torch's generator.

    A picture, brought to 96×96, becomes 144 patches of 8 px and, by pixel shuffle, 36 visual
    tokens: one for each cell of a 6×6 grid. Word embeddings are tied to the output.

    Parameters
    ----------
    tokenizer : fixes the size of the vocabulary and the special ids.
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
        initializer_range=INIT,
        max_position_embeddings=words.POSITIONS,
        tie_word_embeddings=True,
        **special,
    )
    image_token: Any = tokenizer.convert_tokens_to_ids("<image>")
    config = Idefics3Config(
        text_config=text.to_dict(),
        vision_config={
            "hidden_size": HIDDEN,
            "intermediate_size": 2 * HIDDEN,
            "num_hidden_layers": VISION_LAYERS,
            "num_attention_heads": HEADS,
            "image_size": SIDE_PX,
            "patch_size": PATCH_PX,
        },
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
    """The processor of the model: pictures to 320 px on the longer side, then to 96×96.

    Both steps are Lanczos; the second one gives up the aspect.
    """
    from transformers import Idefics3Processor
    from transformers.models.idefics3.image_processing_pil_idefics3 import (
        Idefics3ImageProcessorPil,
    )

    images = Idefics3ImageProcessorPil(
        do_image_splitting=False,
        size={"longest_edge": FIRST_SIDE_PX},
        max_image_size={"longest_edge": SIDE_PX},
        image_mean=[MEAN] * 3,
        image_std=[SPREAD] * 3,
    )
    return Idefics3Processor(
        image_processor=images,
        tokenizer=tokenizer,
        image_seq_len=N_VISUAL_TOKENS,
        chat_template=words.CHAT_TEMPLATE,
    )


def resized(picture: Image) -> Image:
    """A picture brought to 96×96 by Lanczos, as the model sees it, nearly."""
    from PIL.Image import Resampling

    return picture.resize((SIDE_PX, SIDE_PX), Resampling.LANCZOS)


def scaled(pixels: NDArray[Any]) -> NDArray[Any]:
    """Pictures (n, 96, 96, 3) in 8 bits as the model wants them: (n, 1, 3, 96, 96) float32."""
    import numpy as np

    values = (pixels.astype(np.float32) / 255.0 - MEAN) / SPREAD
    return np.ascontiguousarray(values.transpose(0, 3, 1, 2)[:, None], dtype=np.float32)


__all__ = [
    "GRID",
    "HIDDEN",
    "N_VISUAL_TOKENS",
    "PICTURE",
    "SIDE_PX",
    "build",
    "processor",
    "resized",
    "scaled",
]
