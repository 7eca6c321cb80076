"""A tiny random Qwen2.5-VL, built on the spot, whose processor needs no torchvision."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from harness.models.hf import HFGenerator, open_hf
from harness.types import ModelSpec

SPECIAL = (
    "<|endoftext|>",
    "<|im_start|>",
    "<|im_end|>",
    "<|vision_start|>",
    "<|vision_end|>",
    "<|image_pad|>",
    "<|video_pad|>",
)
TEMPLATE = (
    "{% for message in messages %}"
    "{% if loop.first and message['role'] != 'system' %}"
    "<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n{% endif %}"
    "<|im_start|>{{ message['role'] }}\n"
    "{% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}<|vision_start|><|image_pad|><|vision_end|>"
    "{% elif part['type'] == 'text' %}{{ part['text'] }}{% endif %}"
    "{% endfor %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
HAS_TORCHVISION = importlib.util.find_spec("torchvision") is not None
# Sides are rounded to multiples of two patches of 14 px; each block of 28 x 28 px is one token.
BLOCK_PX = 28


class ImagesOnly(transformers.Qwen2_5_VLProcessor):  # type: ignore[misc]
    """Qwen's processor less its video part, which cannot be built without torchvision."""

    def __init__(
        self, image_processor: Any = None, tokenizer: Any = None, chat_template: Any = None
    ) -> None:
        self.image_token, self.video_token = "<|image_pad|>", "<|video_pad|>"
        self.image_token_id = tokenizer.convert_tokens_to_ids(self.image_token)
        self.video_token_id = tokenizer.convert_tokens_to_ids(self.video_token)
        transformers.ProcessorMixin.__init__(
            self, image_processor, tokenizer, chat_template=chat_template
        )


def processor() -> Any:
    """One token per byte and Qwen's special tokens; pictures of 1 to 16 tokens."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    core = Tokenizer(models.BPE(vocab={c: i for i, c in enumerate(alphabet)}, merges=[]))
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.decoder = decoders.ByteLevel()
    core.add_special_tokens(list(SPECIAL))
    names = transformers.PreTrainedTokenizerFast(
        tokenizer_object=core, eos_token="<|im_end|>", pad_token="<|endoftext|>"
    )
    images = transformers.Qwen2VLImageProcessorPil(
        min_pixels=BLOCK_PX**2, max_pixels=16 * BLOCK_PX**2
    )
    return ImagesOnly(image_processor=images, tokenizer=names, chat_template=TEMPLATE)


def save_qwen(folder: Path) -> Path:
    """A Qwen2.5-VL of 2 + 2 layers, hidden size 32, about 60,000 random parameters."""
    made = processor()
    names = made.tokenizer
    special = dict(zip(SPECIAL, names.convert_tokens_to_ids(list(SPECIAL)), strict=True))
    config = transformers.Qwen2_5_VLConfig(
        text_config={
            "vocab_size": len(names),
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
            "max_position_embeddings": 2048,
            "initializer_range": 0.3,
            "rope_parameters": {
                "rope_type": "default",
                "rope_theta": 10_000.0,
                "mrope_section": [1, 1, 2],
            },
            "pad_token_id": special["<|endoftext|>"],
            "eos_token_id": special["<|im_end|>"],
            "bos_token_id": None,
        },
        vision_config={
            "depth": 2,
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_heads": 2,
            "out_hidden_size": 32,
            "fullatt_block_indexes": [1],
            "window_size": 56,
            "initializer_range": 0.3,
        },
        image_token_id=special["<|image_pad|>"],
        video_token_id=special["<|video_pad|>"],
        vision_start_token_id=special["<|vision_start|>"],
        vision_end_token_id=special["<|vision_end|>"],
    )
    with torch.random.fork_rng():
        torch.manual_seed(9)
        model = transformers.Qwen2_5_VLForConditionalGeneration(config)
    # Many end tokens, so that rows of a batch end at different steps.
    model.generation_config.eos_token_id = [names.eos_token_id, *range(48)]
    model.generation_config.pad_token_id = names.pad_token_id
    model.eval().save_pretrained(folder)
    if HAS_TORCHVISION:
        made = transformers.Qwen2_5_VLProcessor(
            image_processor=made.image_processor,
            tokenizer=names,
            video_processor=transformers.Qwen2VLVideoProcessor(),
            chat_template=TEMPLATE,
        )
    made.save_pretrained(folder)
    for name in ("processor_config.json", "tokenizer_config.json"):
        text = (folder / name).read_text("utf-8")
        (folder / name).write_text(text.replace("ImagesOnly", "Qwen2_5_VLProcessor"), "utf-8")
    return folder


def opened(spec: ModelSpec) -> HFGenerator:
    """`open_hf` on one CPU thread; without torchvision, given the processor less its videos."""
    with pytest.MonkeyPatch.context() as patch:
        if not HAS_TORCHVISION:
            patch.setattr(
                transformers.AutoProcessor, "from_pretrained", lambda *_, **__: processor()
            )
        return open_hf(spec, "cpu", 1)


def spec(folder: Path) -> ModelSpec:
    return ModelSpec(name="qwen", source={"kind": "local", "path": str(folder)})
