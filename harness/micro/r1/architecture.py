"""The model of the study's checkpoints: Idefics3 for figures on white, with long prompts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.micro import architecture as first
from harness.micro import world
from harness.micro.r1.tokenizer import POSITIONS

if TYPE_CHECKING:
    from PIL.Image import Image
    from transformers import (
        Idefics3ForConditionalGeneration,
        Idefics3Processor,
        PreTrainedTokenizerFast,
    )

SIDE_PX = world.SIDE_PX
FIRST_SIDE_PX = 192
# Figures are mostly white: about their usual mean and spread.
MEAN, SPREAD = 0.9, 0.25
HIDDEN = 96
VISION_LAYERS = 3
N_VISUAL_TOKENS = first.N_VISUAL_TOKENS


def build(tokenizer: PreTrainedTokenizerFast) -> Idefics3ForConditionalGeneration:
    """Make an untrained model; its weights come from torch's generator.

    As `harness.micro.architecture.build`, with another tower and room for long prompts.
    """
    return first.build(tokenizer, HIDDEN, vision_layers=VISION_LAYERS, positions=POSITIONS)


def processor(tokenizer: PreTrainedTokenizerFast) -> Idefics3Processor:
    """The processor that goes with the model; see `resized` for what it does to a picture."""
    made = first.processor(tokenizer)
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
