"""Fingerprints: files alone, content alone, everything that can change an output."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import huggingface_hub.constants
import pytest

from harness import ids
from harness.errors import ModelError
from harness.models.fingerprint import content_digests, model_fingerprint
from harness.types import ModelSpec

ROOT = Path(__file__).parents[3]
REVISION = "0123456789abcdef0123456789abcdef01234567"
CONFIG = {"model_type": "idefics3"}


def local(folder: Path, **extra: object) -> ModelSpec:
    return ModelSpec(name="m", source={"kind": "local", "path": str(folder), **extra})


def hub(revision: str = REVISION) -> ModelSpec:
    return ModelSpec(name="m", source={"kind": "hub", "id": "maker/model", "revision": revision})


def write_checkpoint(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in {
        "model.safetensors": "weights",
        "config.json": json.dumps(CONFIG),
        "tokenizer.json": "{}",
        "chat_template.jinja": "{{ messages }}",
        "processor_config.json": json.dumps(
            {"image_processor": {"image_processor_type": "Idefics3ImageProcessor"}}
        ),
        "README.md": "card",
        "training.json": "{}",
    }.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    return write_checkpoint(tmp_path / "checkpoint")


def test_an_equal_checkpoint_elsewhere_has_the_same_fingerprint(
    checkpoint: Path, tmp_path: Path
) -> None:
    found = model_fingerprint(local(checkpoint), "any")
    shutil.copytree(checkpoint, tmp_path / "elsewhere")
    assert model_fingerprint(local(tmp_path / "elsewhere"), "other") == found
    assert str(tmp_path) not in ids.canonical_json(found)
    assert found["processor"]["image_processor_type"] == "Idefics3ImageProcessor"
    assert set(found["processor"]) == {
        "image_processor_type", "backend", "torchvision", "transformers"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("model.safetensors", "weights_sha256"),
        ("model-2.safetensors", "weights_sha256"),
        ("config.json", "settings_sha256"),
        ("generation_config.json", "settings_sha256"),
        ("tokenizer.json", "settings_sha256"),
        ("merges.txt", "settings_sha256"),
        ("chat_template.jinja", "settings_sha256"),
        ("additional_chat_templates/tool.jinja", "settings_sha256"),
        ("processor_config.json", "settings_sha256"),
        ("README.md", None),
        ("training.json", None),
        (".cache", None),
    ],
)
def test_a_changed_file_shows_in_its_field(checkpoint: Path, name: str, field: str | None) -> None:
    before = model_fingerprint(local(checkpoint), "any")
    (checkpoint / name).parent.mkdir(exist_ok=True)
    (checkpoint / name).write_text('{"image_processor_type": "Idefics3ImageProcessor"}')
    after = model_fingerprint(local(checkpoint), "any")
    assert {k for k in before if before[k] != after[k]} == ({field} if field else set())


def test_weights_of_the_same_size_and_name_are_told_apart(checkpoint: Path) -> None:
    """The cache of file hashes goes by time of change too."""
    before = model_fingerprint(local(checkpoint), "any")
    (checkpoint / "model.safetensors").write_text("Weights")
    os.utime(checkpoint / "model.safetensors", ns=(1, 1))
    assert model_fingerprint(local(checkpoint), "any") != before


def test_swapped_shards_are_told_apart(checkpoint: Path) -> None:
    (checkpoint / "a.safetensors").write_text("1")
    (checkpoint / "b.safetensors").write_text("2")
    before = model_fingerprint(local(checkpoint), "any")
    (checkpoint / "a.safetensors").rename(checkpoint / "c")
    (checkpoint / "b.safetensors").rename(checkpoint / "a.safetensors")
    (checkpoint / "c").rename(checkpoint / "b.safetensors")
    assert model_fingerprint(local(checkpoint), "any") != before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: shutil.rmtree(f), "expected a checkpoint folder, found none named 'checkpoint'"),
        (lambda f: (f / "config.json").unlink(), "folder 'checkpoint' lacks config.json"),
        (lambda f: (f / "model.safetensors").unlink(), r"lacks \*\.safetensors"),
        (
            lambda f: (f / "model.safetensors").rename(f / "pytorch_model.bin"),
            r"found only pytorch_model\.bin; a pickle can run code",
        ),
        (
            lambda f: (f / "model.safetensors.index.json").write_text(
                '{"weight_map": {"a": "model.safetensors", "b": "model-2.safetensors"}}'
            ),
            r"lacks model-2\.safetensors",
        ),
        (
            lambda f: (f / "generation_config.json").write_text("{"),
            r"generation_config\.json is not valid JSON",
        ),
        (
            lambda f: (f / "processor_config.json").write_text("{"),
            r"processor_config\.json is not valid JSON",
        ),
    ],
)
def test_an_unusable_folder_is_refused(checkpoint: Path, change: object, message: str) -> None:
    change(checkpoint)  # type: ignore[operator]
    with pytest.raises(ModelError, match=f"model m: .*{message}"):
        model_fingerprint(local(checkpoint), "any")


def test_code_from_the_checkpoint_is_part_of_the_fingerprint(checkpoint: Path) -> None:
    trusting = local(checkpoint, trust_remote_code=True)
    assert model_fingerprint(trusting, "any")["trust_remote_code"] is True
    before = model_fingerprint(trusting, "any")
    (checkpoint / "modeling.py").write_text("")
    assert model_fingerprint(trusting, "any") != before


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub" / "models--maker--model" / "snapshots" / REVISION


def test_a_hub_model_is_its_id_and_commit(cache: Path) -> None:
    write_checkpoint(cache)
    found = model_fingerprint(hub(), "any")
    assert (found["kind"], found["id"], found["revision"]) == ("hub", "maker/model", REVISION)
    assert found["processor"]["image_processor_type"] == "Idefics3ImageProcessor"


def test_a_hub_model_that_is_not_here_comes_with_the_command_that_gets_it(cache: Path) -> None:
    command = f"hf download maker/model --revision {REVISION}"
    with pytest.raises(ModelError, match=f"not on this machine.*{command}"):
        model_fingerprint(hub(), "any")
    write_checkpoint(cache)
    (cache / "model.safetensors").unlink()
    with pytest.raises(ModelError, match=f"lacks .*safetensors.*repeat: {command}"):
        model_fingerprint(hub(), "any")


@pytest.mark.parametrize("revision", ["main", "v1.0", REVISION[:12], REVISION.upper(), ""])
def test_a_hub_model_must_be_pinned(revision: str) -> None:
    with pytest.raises(ModelError, match="a commit of 40 hex digits, found"):
        model_fingerprint(hub(revision), "any")


def test_a_branch_is_told_with_what_is_here_of_it(cache: Path, tmp_path: Path) -> None:
    """Absent: the command, and the one that prints the commit; present: the commit itself."""
    said = "expected source.revision to be a commit of 40 hex digits, found 'main', which can move"
    ref = cache.parents[1] / "refs/main"
    with pytest.raises(ModelError) as absent:
        model_fingerprint(hub("main"), "any")
    assert str(absent.value) == (
        "model m: maker/model is not on this machine; nothing is downloaded during a run, so get "
        f"it first with: hf download maker/model --revision main; and {said}: after the download, "
        f"this prints the commit to state there: cat {ref}"
    )
    write_checkpoint(cache)
    ref.parent.mkdir()
    ref.write_text(REVISION)
    with pytest.raises(ModelError) as present:
        model_fingerprint(hub("main"), "any")
    assert str(present.value) == (
        f"model m: maker/model: {said}; it is on this machine as commit {REVISION}: if this is the "
        f'one, state revision = "{REVISION}"'
    )


def test_one_checkpoint_has_one_content_however_it_is_named(cache: Path, tmp_path: Path) -> None:
    """In the hub's cache large files are links named by their hash, and are not read."""
    folder = write_checkpoint(tmp_path / "copy")
    write_checkpoint(cache)
    blob = cache.parents[1] / "blobs" / ids.file_digest(cache / "model.safetensors")
    blob.parent.mkdir()
    (cache / "model.safetensors").unlink()
    (cache / "model.safetensors").symlink_to(blob)
    blob.write_text("the name says what is in it")
    assert content_digests(hub()) == content_digests(local(folder))
    (folder / "config.json").write_text("{}")
    assert content_digests(hub()) != content_digests(local(folder))


def test_a_replay_is_the_content_of_its_file_for_that_data(tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text('{"id": "a", "prediction": "yes"}\n')
    source = {
        "kind": "replay",
        "predictions": {"pope": {"path": str(tmp_path / "p.jsonl"), "where": {"split": "random"}}},
    }
    spec = ModelSpec(name="m", source=source)
    before = model_fingerprint(spec, "pope")
    assert before["where"] == {"split": "random"}
    (tmp_path / "p.jsonl").write_text('{"id": "a", "prediction": "no"}\n')
    assert model_fingerprint(spec, "pope")["predictions_sha256"] != before["predictions_sha256"]
    with pytest.raises(ModelError, match=r"an entry for data set 'digits', found \['pope'\]"):
        model_fingerprint(spec, "digits")
    (tmp_path / "p.jsonl").unlink()
    with pytest.raises(ModelError, match=r"expected a prediction file .* none named 'p\.jsonl'"):
        model_fingerprint(spec, "pope")


def test_baselines_and_fakes_are_their_options() -> None:
    for source in (
        {"kind": "baseline", "name": "majority", "fit": "train"},
        {"kind": "fake", "behaviour": "gold", "accuracy": 0.5, "oom_on": ["a"]},
    ):
        assert model_fingerprint(ModelSpec(name="m", source=source), "any") == source


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ModelError, match="expected source.kind to be one of .* found 'cloud'"):
        model_fingerprint(ModelSpec(name="m", source={"kind": "cloud"}), "any")


def test_neither_importing_nor_fingerprinting_loads_torch(checkpoint: Path) -> None:
    """Collection and the checks before a run stay fast."""
    code = f"""
import importlib, pkgutil, sys
import harness.models
names = [m.name for m in pkgutil.iter_modules(harness.models.__path__, "harness.models.")]
assert "harness.models.hf" in names and len(names) > 8, names
for name in names:
    importlib.import_module(name)
from harness.models.fingerprint import model_fingerprint
from harness.types import ModelSpec
model_fingerprint(ModelSpec(name="m", source={{"kind": "local", "path": {str(checkpoint)!r}}}), "a")
print(sorted({{"torch", "transformers", "huggingface_hub", "numpy"}} & set(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr
