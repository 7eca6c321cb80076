"""Loaded models: a tiny BERT in the place of MiniLM, and a stand-in for sentence-transformers."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from harness import ids
from harness.embedding import minilm
from harness.embedding.load import open_embedder
from harness.embedding.minilm import MiniLM
from harness.errors import DataError, ModelError, StudyError

WORDS = "a ball of kg falls from rest train two find the speed".split()  # noqa: SIM905


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import BertConfig, BertModel

    made = tmp_path_factory.mktemp("bert")
    names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS]
    tokenizer = Tokenizer(models.WordLevel({w: k for k, w in enumerate(names)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    # As in the real files, which pad and cut at 128.
    tokenizer.enable_truncation(128)
    tokenizer.enable_padding(length=128)
    tokenizer.save(str(made / "tokenizer.json"))
    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=len(names), hidden_size=384, num_hidden_layers=1, num_attention_heads=4,
        intermediate_size=16, max_position_embeddings=256, initializer_range=0.5,
    )  # fmt: skip
    BertModel(config).save_pretrained(made)
    return made


@pytest.fixture
def tiny(folder: Path, monkeypatch: pytest.MonkeyPatch) -> MiniLM:
    monkeypatch.setattr(minilm, "WEIGHTS", ids.file_digest(folder / "model.safetensors"))
    return MiniLM(folder, batch_size=3)


def test_vectors_are_means_over_the_tokens(tiny: MiniLM) -> None:
    """Alone, beside longer ones, in any order: padding has no part in a vector."""
    import torch
    from transformers import BertModel

    texts = ["two", "a ball of two kg falls from rest", "find the speed of a train", "the ball"]
    made = tiny.embed(texts)
    threads = torch.get_num_threads()
    assert made.vectors.shape == (4, 384) and made.vectors.dtype == np.float32
    assert np.abs(tiny.embed(texts[::-1]).vectors[::-1] - made.vectors).max() < 1e-6
    model = BertModel.from_pretrained(tiny._folder, local_files_only=True).eval()
    for text, vector in zip(texts, made.vectors, strict=True):
        tokens = [2, *(4 + WORDS.index(word) for word in text.split()), 3]
        with torch.inference_mode():
            mean = model(torch.tensor([tokens])).last_hidden_state[0].double().mean(0)
        assert vector == pytest.approx((mean / mean.norm()).numpy(), abs=1e-6)
    assert torch.get_num_threads() == threads
    assert tiny.embed([]).vectors.shape == (0, 384)


def test_long_texts_are_cut_at_256_tokens_and_say_so(tiny: MiniLM) -> None:
    whole, long = " ".join(["ball"] * 254), " ".join(["ball"] * 255)
    other, huge = f"{whole} train", "ball " * 20_000
    made = tiny.embed([whole, long, "a ball", other, huge])
    assert made.truncated.tolist() == [False, True, False, True, True]
    # What lies beyond the limit has no part.
    assert np.abs(made.vectors[[1, 3, 4]] - made.vectors[0]).max() < 1e-6
    assert not made.estimated.any()


def test_odd_texts_have_vectors_and_empty_ones_do_not(tiny: MiniLM) -> None:
    made = tiny.embed(["\ud800 ball", "ball\x00", "ボール"])
    assert np.isfinite(made.vectors).all()
    with pytest.raises(DataError, match="minilm: text 1 of this call"):
        tiny.embed(["ball", "!"])


def test_a_package_that_is_not_what_it_should_be(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"SHA-256 53aa51172d14…, found .* those weights alone"):
        MiniLM(folder)
    with pytest.raises(ModelError, match=r"expected model\.safetensors, config\.json, tokenizer"):
        MiniLM(tmp_path)


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "PACKAGE", "no_such_package_here")
    with pytest.raises(ModelError, match=r"extra `embed`, or take the embedder hashing"):
        open_embedder("minilm")


class Served:
    """What is used of a SentenceTransformer; a token is a word."""

    max_seq_length = 4
    made: list[dict[str, Any]] = []

    def __init__(self, folder: str, **options: Any) -> None:
        self.made.append(options)

    def tokenizer(self, texts: list[str], **options: Any) -> dict[str, Any]:
        assert options == {"truncation": False, "padding": False, "verbose": False}
        return {"input_ids": [text.split() for text in texts]}

    def encode(self, texts: Any, prompt: str, show_progress_bar: bool, **options: Any) -> Any:
        assert prompt == "" and not show_progress_bar
        if isinstance(texts, str):
            return np.ones(2, np.float32)
        return np.array([[len(text), 1.0] for text in texts], np.float32)


def test_a_sentence_transformer_is_pinned_and_counts_what_it_cuts(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(
        sys.modules, "sentence_transformers", SimpleNamespace(SentenceTransformer=Served)
    )
    spec = {"kind": "sentence-transformers", "folder": str(folder), "threshold": 0.7}
    made = open_embedder({**spec, "prompt": "find: ", "model": "ours"})
    assert made.threshold == 0.7
    assert (made.identity.model, made.identity.dimensions) == ("ours", 2)
    assert (made.identity.max_tokens, made.identity.prompt) == (4, "find: ")
    assert made.identity.weights and made.identity.weights != open_embedder(spec).identity.prompt
    assert Served.made[0]["trust_remote_code"] is False
    assert Served.made[0]["model_kwargs"]["use_safetensors"] is True
    found = made.embed(["a b c", "a b c d"])
    assert found.truncated.tolist() == [False, True]
    assert found.vectors[0] == pytest.approx(np.array([11, 1]) / np.hypot(11, 1))
    assert made.embed([]).vectors.shape == (0, 2)


def test_what_a_sentence_transformer_needs(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    mxbai = {"kind": "sentence-transformers", "model": "mixedbread-ai/mxbai-embed-large-v1"}
    for spec, error, message in (
        ({**mxbai, "revision": "a" * 40}, ModelError, "is not on this machine; .*hf download"),
        ({**mxbai, "revision": "main"}, StudyError, "40 hex digits, found 'main'"),
        ({**mxbai, "threshold": 2.0}, StudyError, r"a cosine in \(0, 1\], found 2\.0"),
        ({**mxbai, "dtype": "int8"}, StudyError, "expected one of float32, float16, bfloat16"),
        ({"folder": str(folder)}, StudyError, "expected its own threshold"),
        ({"folder": str(folder), "threshold": 0.7}, ModelError, "extra `embed`"),
        ({"folder": str(tmp_path), "threshold": 0.7}, ModelError, "weights as .safetensors"),
        ({"folder": str(tmp_path / "x"), "threshold": 0.7}, ModelError, "a folder of that name"),
        ({"threshold": 0.7}, StudyError, "neither model nor folder"),
    ):
        with pytest.raises(error, match=message):
            open_embedder({"kind": "sentence-transformers", **spec})
