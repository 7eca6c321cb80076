"""Tiny random checkpoints, built on the spot: the real classes without the real sizes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
import transformers
from PIL import Image
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from harness.types import Decoding, Example, Media, Request

SPECIAL = (
    "<|endoftext|>",
    "<|im_start|>",
    "<|im_end|>",
    "<fake_token_around_image>",
    "<global-img>",
    "<image>",
    "<end_of_utterance>",
)
TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n"
    "{% for part in m['content'] %}"
    "{% if part['type'] == 'image' %}<image>{% else %}{{ part['text'] }}{% endif %}"
    "{% endfor %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
N_POSITIONS = 256
SIDE_PX = 32
GREEDY = Decoding(max_new_tokens=12)
SAMPLED = Decoding(max_new_tokens=12, temperature=1.0, top_p=0.95, top_k=50)


def tokenizer() -> Any:
    """One token per byte, and the special tokens."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    core = Tokenizer(models.BPE(vocab={c: i for i, c in enumerate(alphabet)}, merges=[]))
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.decoder = decoders.ByteLevel()
    core.add_special_tokens(list(SPECIAL))
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=core, eos_token="<|im_end|>", pad_token="<|endoftext|>"
    )


def _text_config(n_vocab: int, names: Any) -> dict[str, Any]:
    return {
        "model_type": "llama",
        "vocab_size": n_vocab,
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": N_POSITIONS,
        "initializer_range": 0.3,
        "pad_token_id": names.pad_token_id,
        "eos_token_id": names.eos_token_id,
        "bos_token_id": None,
    }


_VISION = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "image_size": SIDE_PX,
    "patch_size": 8,
    "initializer_range": 0.3,
}


def _save(model: Any, processor: Any, folder: Path) -> Path:
    names = processor.tokenizer
    # Many end tokens, so that rows of a batch end at different steps.
    model.generation_config.eos_token_id = [names.eos_token_id, *range(64)]
    model.generation_config.pad_token_id = names.pad_token_id
    model.eval().save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder


def save_idefics3(folder: Path) -> Path:
    """An Idefics3 of about 50,000 random parameters; 4 tokens for an image."""
    names = tokenizer()
    config = transformers.Idefics3Config(
        text_config=_text_config(len(names), names),
        vision_config=_VISION,
        scale_factor=2,
        image_token_id=names.convert_tokens_to_ids("<image>"),
    )
    with torch.random.fork_rng():
        torch.manual_seed(7)
        model = transformers.Idefics3ForConditionalGeneration(config)
    processor = transformers.Idefics3Processor(
        image_processor=transformers.Idefics3ImageProcessorPil(
            size={"longest_edge": SIDE_PX},
            max_image_size={"longest_edge": SIDE_PX},
            do_image_splitting=False,
        ),
        tokenizer=names,
        image_seq_len=4,
        chat_template=TEMPLATE,
    )
    return _save(model, processor, folder)


def save_llava(folder: Path) -> Path:
    """A LLaVA with a CLIP tower; 16 tokens for an image."""
    names = tokenizer()
    config = transformers.LlavaConfig(
        text_config=_text_config(len(names), names),
        vision_config={"model_type": "clip_vision_model", "projection_dim": 32, **_VISION},
        image_token_index=names.convert_tokens_to_ids("<image>"),
        vision_feature_layer=-1,
        vision_feature_select_strategy="default",
        image_seq_length=16,
    )
    with torch.random.fork_rng():
        torch.manual_seed(8)
        model = transformers.LlavaForConditionalGeneration(config)
    processor = transformers.LlavaProcessor(
        image_processor=transformers.CLIPImageProcessorPil(
            size={"shortest_edge": SIDE_PX}, crop_size={"height": SIDE_PX, "width": SIDE_PX}
        ),
        tokenizer=names,
        patch_size=8,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        chat_template=TEMPLATE,
    )
    return _save(model, processor, folder)


def picture(index: int, size: tuple[int, int] = (SIDE_PX, SIDE_PX)) -> Image.Image:
    """A picture that differs from every other index: a gradient in a colour of its own."""
    red, green, blue = 37 * index % 256, 91 * index % 256, 53 * index % 256
    base = Image.linear_gradient("L").resize(size)
    if index % 2:
        base = base.transpose(Image.Transpose.ROTATE_90).resize(size)
    return Image.merge(
        "RGB", [base.point(lambda v, c=c: (v + c) % 256) for c in (red, green, blue)]
    )


def request(index: int, *, n_images: int = 1, words: int | None = None) -> Request:
    """A request whose prompt has 1 to about 30 words."""
    count = 1 + 7 * index % 31 if words is None else words
    prompt = " ".join(f"w{index}{i}" for i in range(count))
    media = tuple(Media(kind="image", name=f"{index}-{i}", sha256=None) for i in range(n_images))
    return Request(
        example=Example(id=f"e{index}", kind="text", question=prompt, gold="x", media=media),
        replicate=0,
        prompt=prompt,
        images=tuple(picture(10 * index + i) for i in range(n_images)),
        seed=1000 + index,
    )
