"""A tiny random Gemma 3 with a scalar head: a sequence classifier that sees pictures."""

from __future__ import annotations

from pathlib import Path

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

SPECIAL = (
    *("<pad>", "<eos>", "<bos>", "<start_of_image>", "<end_of_image>", "<image_soft_token>"),
    *("<turn>", "<end_of_turn>"),
)
TEMPLATE = (
    "{% for m in messages %}<turn>{{ m['role'] }}\n{% for part in m['content'] %}"
    "{% if part['type'] == 'image' %}<start_of_image>{% else %}{{ part['text'] }}{% endif %}"
    "{% endfor %}<end_of_turn>\n{% endfor %}"
    "{% if add_generation_prompt %}<turn>model\n{% endif %}"
)
SIDE_PX = 32
N_IMAGE_TOKENS = 4


def save_gemma3(folder: Path, n_labels: int = 1) -> Path:
    """A classifier of about 50,000 random parameters; one token per byte."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    core = Tokenizer(models.BPE(vocab={c: i for i, c in enumerate(alphabet)}, merges=[]))
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.decoder = decoders.ByteLevel()
    core.add_special_tokens(list(SPECIAL))
    marks = {
        "boi_token": "<start_of_image>",
        "eoi_token": "<end_of_image>",
        "image_token": "<image_soft_token>",
    }
    names = transformers.PreTrainedTokenizerFast(
        tokenizer_object=core, eos_token="<eos>", pad_token="<pad>", extra_special_tokens=marks
    )
    processor = transformers.Gemma3Processor(
        image_processor=transformers.Gemma3ImageProcessorPil(
            size={"height": SIDE_PX, "width": SIDE_PX}
        ),
        tokenizer=names,
        chat_template=TEMPLATE,
        image_seq_length=N_IMAGE_TOKENS,
    )
    sizes = {
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
    }
    text = {
        "vocab_size": len(names),
        "num_key_value_heads": 2,
        "head_dim": 8,
        "max_position_embeddings": 256,
        "sliding_window": 64,
        "initializer_range": 0.3,
        "pad_token_id": names.pad_token_id,
        "eos_token_id": names.eos_token_id,
        "bos_token_id": None,
    }
    config = transformers.Gemma3Config(
        text_config=sizes | text,
        vision_config=sizes | {"image_size": SIDE_PX, "patch_size": 8},
        mm_tokens_per_image=N_IMAGE_TOKENS,
        image_token_index=names.convert_tokens_to_ids(marks["image_token"]),
        boi_token_index=names.convert_tokens_to_ids(marks["boi_token"]),
        eoi_token_index=names.convert_tokens_to_ids(marks["eoi_token"]),
        num_labels=n_labels,
    )
    with torch.random.fork_rng():
        torch.manual_seed(9)
        model = transformers.Gemma3ForSequenceClassification(config)
        # It starts at zero, which would hide every picture.
        torch.nn.init.normal_(model.model.multi_modal_projector.mm_input_projection_weight)
    model.eval().save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder
