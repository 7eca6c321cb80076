"""Dual encoders from a folder: a caption has one vector, whatever stands beside it in a batch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from PIL import Image
from tokenizers.processors import TemplateProcessing

from harness.encoders.dual import DualEncoder, device_product, load_dual
from harness.errors import ModelError
from harness.retrieval.ranks import both_ranks
from harness.tests.models.tiny import tokenizer
from harness.tests.retrieval.vectors import generator, planted
from harness.types import ModelSpec

LENGTH = 24
SIDE_PX = 16
CAPTIONS = ["a cat", "two red kites", "a dog on a road"]
TEXT = {
    "hidden_size": 16,
    "intermediate_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "max_position_embeddings": LENGTH,
}
VISION = {
    "hidden_size": 16,
    "intermediate_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "patch_size": 8,
}


def lowered() -> Any:
    """SigLIP2's own tokenizer, one token a byte; its class pads on the left unless told."""
    special = ["<pad>", "<eos>", "<bos>", "<unk>", "<mask>"]
    pieces = special + [f"<0x{byte:02X}>" for byte in range(256)]
    return transformers.Siglip2Tokenizer(vocab={piece: at for at, piece in enumerate(pieces)})


def build(family: str, folder: Path) -> ModelSpec:
    """A tiny random checkpoint of the real classes."""
    library: Any = transformers
    names = lowered() if family == "siglip2" else tokenizer()
    end = names.eos_token
    names.backend_tokenizer.post_processor = TemplateProcessing(
        single=f"$A {end}", special_tokens=[(end, names.eos_token_id)]
    )
    name = {"clip": "CLIP", "siglip": "Siglip", "siglip2": "Siglip2"}[family]
    text = TEXT | {"vocab_size": len(names), "pad_token_id": names.pad_token_id}
    text |= {"eos_token_id": names.eos_token_id, "bos_token_id": names.eos_token_id}
    vision = VISION | ({"num_patches": 4} if family == "siglip2" else {"image_size": SIDE_PX})
    if family == "clip":
        text |= {"projection_dim": 16}
        vision |= {"projection_dim": 16}
    shapes = {"projection_dim": 16} if family == "clip" else {}
    config = getattr(library, f"{name}Config")(text_config=text, vision_config=vision, **shapes)
    torch.manual_seed(5)
    model = getattr(library, f"{name}Model")(config)
    size: dict[str, Any] = {"size": {"height": SIDE_PX, "width": SIDE_PX}}
    if family == "siglip2":
        size = {"patch_size": 8, "max_num_patches": 4}
    if family == "clip":
        size |= {"crop_size": {"height": SIDE_PX, "width": SIDE_PX}}
    pictures = getattr(library, f"{name}ImageProcessorPil")(**size)
    model.save_pretrained(folder)
    getattr(library, f"{name}Processor")(pictures, names).save_pretrained(folder)
    return ModelSpec(name=family, source={"kind": "local", "path": str(folder)})


@pytest.fixture(scope="module", params=["clip", "siglip", "siglip2"])
def encoder(request: pytest.FixtureRequest, tmp_path_factory: Any) -> DualEncoder:
    return load_dual(build(request.param, tmp_path_factory.mktemp(request.param)), "cpu")


def pictures() -> list[Image.Image]:
    rng = generator("pictures")
    return [
        Image.fromarray(rng.integers(0, 256, (20 + k, 24, 3), dtype=np.uint8)) for k in range(3)
    ]


def test_a_caption_has_one_vector_whatever_stands_beside_it(encoder: DualEncoder) -> None:
    together = encoder.texts(CAPTIONS, 3)
    alone = encoder.texts(CAPTIONS, 1)
    assert np.abs(together - alone).max() < 2e-6
    assert encoder.text_inputs(CAPTIONS[:1])["input_ids"].shape == (1, LENGTH)
    ids = encoder.text_inputs(CAPTIONS[:1])["input_ids"][0].tolist()
    assert ids[-1] == encoder._processor.tokenizer.pad_token_id != ids[0]
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-6)
    assert np.abs(together[0] - together[1]).max() > 1e-3


def test_under_dynamic_padding_siglip_has_other_vectors(encoder: DualEncoder) -> None:
    """The trap: padded to the longest of a batch, a caption moves with its neighbours."""
    names, model = encoder._processor.tokenizer, encoder._model

    def dynamic(texts: list[str]) -> Any:
        found = names(texts, padding=True, padding_side="right", return_tensors="pt")
        kept = {name: found[name] for name in encoder.text_inputs(texts)}
        with torch.inference_mode():
            vectors = model.get_text_features(**kept).pooler_output.numpy()
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    right = encoder.texts(CAPTIONS[:1], 1)[0]
    moved = np.abs(dynamic(CAPTIONS)[0] - dynamic(CAPTIONS[:1])[0]).max()
    wrong = np.abs(dynamic(CAPTIONS[:1])[0] - right).max()
    if encoder.family == "clip":
        assert max(moved, wrong) < 2e-6
    else:
        assert moved > 0.01
        assert wrong > 0.01


def test_a_picture_has_one_vector_whatever_stands_beside_it(encoder: DualEncoder) -> None:
    together = encoder.images(pictures(), 3)
    assert np.abs(together - encoder.images(pictures(), 1)).max() < 2e-6
    assert together.dtype == np.float32
    assert together.shape == (3, encoder.texts(CAPTIONS, 2).shape[1])


def test_texts_that_are_cut_are_named(encoder: DualEncoder) -> None:
    assert encoder.long_texts(["short", "x" * LENGTH, "x" * (LENGTH - 1)]) == [1]
    assert encoder.texts([], 4).shape[0] == 0


def test_a_product_on_a_device_gives_the_same_ranks() -> None:
    images, texts, joined = planted(30, 90, 16, 2.0, "device")
    product = device_product(images, texts, "cpu")
    for one, other in zip(
        both_ranks(images, texts, joined, product=product),
        both_ranks(images, texts, joined),
        strict=True,
    ):
        assert one.n_above.tolist() == other.n_above.tolist()
        assert one.best.tolist() == other.best.tolist()


def test_a_batch_of_none_is_refused(encoder: DualEncoder) -> None:
    with pytest.raises(ModelError, match="batch of 1 or more"):
        encoder.texts(CAPTIONS, 0)


def test_a_model_that_is_no_dual_encoder_is_refused(tmp_path: Path) -> None:
    spec = build("siglip", tmp_path)
    config = transformers.SiglipConfig.from_pretrained(tmp_path)
    transformers.SiglipVisionModel(config.vision_config).save_pretrained(tmp_path)
    with pytest.raises(ModelError, match="of clip, siglip, siglip2, found 'siglip_vision_model'"):
        load_dual(spec, "cpu")
