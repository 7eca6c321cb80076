"""Loading: what the study says is what runs, and nothing is left to chance."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from harness.errors import ModelError
from harness.models.checkpoint import load_checkpoint
from harness.models.hf import open_hf
from harness.tests.models.tiny import GREEDY, request
from harness.types import ModelSpec, Reply


def replies(spec: ModelSpec) -> list[Reply]:
    with closing(open_hf(spec, "cpu", 1)) as model:
        return model.generate([request(i) for i in range(6)], GREEDY)


def first_ids(spec: ModelSpec) -> list[int]:
    with closing(open_hf(spec, "cpu", 1)) as model:
        return model.prompt_token_ids(request(0))


@pytest.fixture
def folder(idefics3: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(idefics3, tmp_path / "checkpoint"))


@pytest.fixture
def copied(folder: Path) -> ModelSpec:
    return ModelSpec(name="tiny", source={"kind": "local", "path": str(folder)})


def edit_json(path: Path, change: Callable[[dict], object]) -> None:
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


def edit_weights(path: Path, change: Callable[[dict], object]) -> None:
    tensors = load_file(path)
    change(tensors)
    save_file(tensors, path, metadata={"format": "pt"})


def test_the_checkpoints_own_generation_settings_play_no_part(
    spec: ModelSpec, copied: ModelSpec, folder: Path
) -> None:
    expected = replies(spec)
    edit_json(
        folder / "generation_config.json",
        lambda c: c.update(
            do_sample=True,
            temperature=7.0,
            repetition_penalty=9.0,
            no_repeat_ngram_size=1,
            min_new_tokens=9,
            max_new_tokens=3,
            suppress_tokens=list(range(64, 200)),
        ),
    )
    assert replies(copied) == expected


@pytest.mark.parametrize(("stored", "computed"), [("float16", "float32"), ("float32", "bfloat16")])
def test_the_studys_dtype_counts_not_the_stored_one(
    copied: ModelSpec, folder: Path, stored: str, computed: str
) -> None:
    dtype = getattr(torch, stored)
    edit_weights(
        folder / "model.safetensors",
        lambda t: t.update({k: v.to(dtype) for k, v in t.items()}),
    )
    edit_json(folder / "config.json", lambda c: c.update(dtype=stored))
    model, _ = load_checkpoint(replace(copied, dtype=computed), "cpu")
    assert {p.dtype for p in model.parameters()} == {getattr(torch, computed)}
    assert not model.training


@pytest.mark.parametrize("attention", ["sdpa", "eager"])
def test_the_studys_attention_counts(spec: ModelSpec, attention: str) -> None:
    model, _ = load_checkpoint(replace(spec, attention=attention), "cpu")
    assert model.config.get_text_config()._attn_implementation == attention


def test_missing_weights_are_refused_rather_than_left_random(
    copied: ModelSpec, folder: Path
) -> None:
    name = "lm_head.weight"
    edit_weights(folder / "model.safetensors", lambda t: t.pop(name))
    with pytest.raises(ModelError, match=r"1 weight\(s\) .* would stay random: lm_head\.weight"):
        load_checkpoint(copied, "cpu")


def test_pickled_weights_are_refused(copied: ModelSpec, folder: Path) -> None:
    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    load_checkpoint(copied, "cpu")
    (folder / "model.safetensors").unlink()
    with pytest.raises(ModelError, match=r"found only pytorch_model\.bin; a pickle can run code"):
        load_checkpoint(copied, "cpu")


@pytest.mark.parametrize(
    "name", ["model.safetensors", "processor_config.json", "chat_template.jinja"]
)
def test_a_damaged_file_is_an_error_without_a_path(
    copied: ModelSpec, folder: Path, name: str
) -> None:
    (folder / name).write_bytes(b"{" * 64)
    with pytest.raises(ModelError, match="model tiny: ") as caught:
        load_checkpoint(copied, "cpu")
    assert str(folder.parent) not in str(caught.value)


def test_a_checkpoint_without_a_chat_template_is_refused(copied: ModelSpec, folder: Path) -> None:
    (folder / "chat_template.jinja").unlink()
    with pytest.raises(
        ModelError, match="expected a usable chat template: .*does not have a chat template"
    ):
        load_checkpoint(copied, "cpu")


@pytest.mark.parametrize(
    "template",
    [
        "{% for m in messages %}{{ m['content'][-1]['text'] }}{% endfor %}",
        "{% for m in messages %}{% for p in m['content'] %}<image>{% endfor %}{% endfor %}",
    ],
    ids=["no image", "no text"],
)
def test_a_template_that_loses_the_image_or_the_text_is_refused(
    copied: ModelSpec, folder: Path, template: str
) -> None:
    (folder / "chat_template.jinja").write_text(template)
    with pytest.raises(ModelError, match="drops or repeats the text, or ignores the image"):
        load_checkpoint(copied, "cpu")


def test_a_template_that_writes_the_start_token_gets_no_second_one(
    copied: ModelSpec, folder: Path
) -> None:
    """AT-98."""
    edit_json(folder / "tokenizer_config.json", lambda c: c.update(bos_token="<|endoftext|>"))
    edit_json(
        folder / "tokenizer.json",
        lambda c: c.update(
            post_processor={
                "type": "TemplateProcessing",
                "single": [
                    {"SpecialToken": {"id": "<|endoftext|>", "type_id": 0}},
                    {"Sequence": {"id": "A", "type_id": 0}},
                ],
                "pair": [{"Sequence": {"id": "A", "type_id": 0}}],
                "special_tokens": {
                    "<|endoftext|>": {
                        "id": "<|endoftext|>",
                        "ids": [256],
                        "tokens": ["<|endoftext|>"],
                    }
                },
            }
        ),
    )
    without = first_ids(copied)
    template = folder / "chat_template.jinja"
    template.write_text("{{ bos_token }}" + template.read_text())
    written = first_ids(copied)
    assert without == written
    assert written[:2] == [256, 257] and written.count(256) == 1


def test_a_checkpoint_without_an_end_token_is_refused(copied: ModelSpec, folder: Path) -> None:
    edit_json(folder / "generation_config.json", lambda c: c.pop("eos_token_id"))
    edit_json(folder / "tokenizer_config.json", lambda c: c.pop("eos_token"))
    edit_json(folder / "config.json", lambda c: c["text_config"].update(eos_token_id=None))
    with pytest.raises(ModelError, match="expected an end token"):
        load_checkpoint(copied, "cpu")


def test_an_unknown_dtype_is_refused(spec: ModelSpec) -> None:
    with pytest.raises(ModelError, match="expected a dtype of .* found 'int8'"):
        load_checkpoint(replace(spec, dtype="int8"), "cpu")
