"""Real clips of ESC-50 through a tiny CLAP of random weights, and the official table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from harness.data.esc50 import esc50, open_clip
from harness.data.wav import read_wav
from harness.encoders.clap import Clap, open_clap, similarities
from harness.errors import DataError, ModelError
from harness.retrieval.zero_shot import zero_shot
from harness.tests.reference.published import data
from harness.types import Dataset, ModelSpec

pytestmark = pytest.mark.reference

TEN = (
    *("chainsaw", "clock tick", "crackling fire", "crying baby", "dog", "helicopter", "rain"),
    *("rooster", "sea waves", "sneezing"),
)


def test_the_official_table() -> None:
    path = data("esc50/esc50.csv")
    whole = esc50(path, "esc50", split="esc50")
    assert (len(whole.examples), len(whole.examples[0].choices)) == (2000, 50)
    sizes = [len(esc50(path, "e", split=f"esc50-fold{fold}").examples) for fold in range(1, 6)]
    assert sizes == [400] * 5
    ten = esc50(path, "esc10", split="esc10")
    assert (len(ten.examples), ten.examples[0].choices) == (400, TEN)
    assert len({example.group for example in whole.examples}) == 1524
    gold, labels = [e.gold for e in whole.examples], whole.examples[0].choices
    shares = zero_shot(np.zeros((2000, 50)), gold, labels, level=0.95).hits
    assert [(hits.chance, hits.majority) for hits in shares] == [(0.02, 0.02), (0.1, 0.1)]


@pytest.fixture(scope="module")
def sounds() -> Dataset:
    path, root = data("esc50/esc10_sample.csv"), data("esc50/audio")
    return esc50(path, "esc10", split="esc10", audio_root=root)


def test_ten_clips_decode_as_scipy_does(sounds: Dataset) -> None:
    from scipy.io import wavfile

    root = data("esc50/audio")
    assert sorted(e.gold for e in sounds.examples) == list(TEN)
    for example in sounds.examples:
        clip = read_wav(root / example.id)
        rate, values = wavfile.read(root / example.id)
        assert (clip.rate_hz, clip.n_channels, clip.bits, clip.duration_s) == (rate, 1, 16, 5.0)
        assert (clip.samples == values.astype(np.float32) / 32768).all()
        assert open_clip(example.media[0], root, 48000).shape == (240_000,)


@pytest.fixture(scope="module")
def clap(tmp_path_factory: pytest.TempPathFactory) -> ModelSpec:
    """A CLAP of 90,000 random weights, in a folder as checkpoints are kept."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import (
        ClapConfig,
        ClapFeatureExtractor,
        ClapModel,
        ClapProcessor,
        PreTrainedTokenizerFast,
    )

    folder = tmp_path_factory.mktemp("clap")
    words = ["<s>", "<pad>", "</s>", "<unk>", *("this", "is", "a", "sound", "of", ".")]
    words += sorted({word for label in TEN for word in label.split()})
    made = Tokenizer(models.WordLevel({w: i for i, w in enumerate(words)}, unk_token="<unk>"))
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=made, pad_token="<pad>", unk_token="<unk>", model_max_length=64
    )
    text = {
        "vocab_size": len(words), "hidden_size": 16, "num_hidden_layers": 1,
        "num_attention_heads": 2, "intermediate_size": 32, "max_position_embeddings": 70,
        "pad_token_id": 1,
    }  # fmt: skip
    audio = {
        "patch_embeds_hidden_size": 8, "hidden_size": 64, "depths": [1, 1, 1, 1],
        "num_attention_heads": [1, 1, 1, 1], "num_hidden_layers": 4,
    }  # fmt: skip
    torch.manual_seed(0)
    model = ClapModel(ClapConfig(text_config=text, audio_config=audio, projection_dim=8))
    model.save_pretrained(folder)
    extractor = ClapFeatureExtractor(truncation="rand_trunc", padding="repeatpad")
    ClapProcessor(feature_extractor=extractor, tokenizer=tokenizer).save_pretrained(folder)
    source = {"kind": "local", "path": str(folder)}
    return ModelSpec(name="tiny-clap", family="audio", source=source, attention="eager")


@pytest.fixture(scope="module")
def opened(clap: ModelSpec) -> Clap:
    return open_clap(clap, "cpu")


def test_ten_clips_pass_through_clap(sounds: Dataset, opened: Clap, tmp_path: Path) -> None:
    root, cache = data("esc50/audio"), tmp_path / "texts"
    done: list[int] = []
    one = similarities(opened, sounds, root, batch_size=1, cache=cache, tick=done.append)
    assert done == list(range(1, 11))
    assert one.shape == (10, 10)
    assert (np.abs(one) <= 1 + 1e-6).all()
    several = similarities(opened, sounds, root, batch_size=8, cache=cache)
    np.testing.assert_allclose(one, several, rtol=0, atol=1e-5)
    assert len(np.unique(one.round(4), axis=0)) == 10
    gold = [example.gold for example in sounds.examples]
    clusters = [example.group for example in sounds.examples]
    found = zero_shot(one, gold, sounds.examples[0].choices, level=0.95, clusters=clusters)
    assert found.ranks == zero_shot(several, gold, sounds.examples[0].choices, level=0.95).ranks
    top1, top5 = (hits.accuracy.value for hits in found.hits)
    assert top1 is not None
    assert top5 is not None
    assert 0 <= top1 <= top5 <= 1
    with pytest.raises(DataError, match="made from something else; template"):
        similarities(opened, sounds, root, cache=cache, template="{label}")
    fewer = replace(sounds, examples=tuple(replace(e, choices=TEN[:9]) for e in sounds.examples))
    with pytest.raises(DataError, match="made from something else; labels"):
        similarities(opened, fewer, root, cache=cache)
    (cache / "text-embeddings.json").unlink()
    with pytest.raises(DataError, match="found text-embeddings.npy alone"):
        similarities(opened, sounds, root, cache=cache)


def test_a_text_means_the_same_beside_longer_ones(opened: Clap) -> None:
    alone = opened.texts(["This is a sound of dog."])
    beside = opened.texts(["This is a sound of dog.", "This is a sound of crackling fire ."])
    np.testing.assert_allclose(alone[0], beside[0], rtol=0, atol=1e-5)


def test_what_clap_does_not_take(opened: Clap, clap: ModelSpec, tmp_path: Path) -> None:
    assert (opened.rate_hz, opened.max_samples) == (48_000, 480_000)
    with pytest.raises(DataError, match="found 480001; cut longer clips at a stated place"):
        opened.clips([np.zeros(480_001, np.float32)])
    with pytest.raises(DataError, match="found 0"):
        opened.clips([])
    with pytest.raises(DataError, match="expected texts, found none"):
        opened.texts([])
    absent = replace(clap, source={"kind": "local", "path": str(tmp_path / "none")})
    with pytest.raises(ModelError, match="expected a checkpoint folder"):
        open_clap(absent, "cpu")
