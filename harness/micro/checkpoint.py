"""Checkpoints on disk: half-precision weights, processor and the record of the training."""

from __future__ import annotations

import importlib.metadata
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness import ids
from harness.errors import ModelError
from harness.micro import architecture

if TYPE_CHECKING:
    from _typeshed import DataclassInstance
    from transformers import PreTrainedTokenizerFast

PACKAGES = ("torch", "transformers", "tokenizers", "safetensors", "numpy", "pillow", "scikit-learn")
WEIGHTS = "model.safetensors"
RECORD = "training.json"


def save(
    directory: Path,
    model: Any,
    tokenizer: PreTrainedTokenizerFast,
    recipe: DataclassInstance,
    processor: Any = None,
    **more: Any,
) -> dict[str, Any]:
    """Write a checkpoint that `from_pretrained` opens without network or torchvision.

    Weights are stored in float16; the configuration says float32, so that a plain load
    computes in float32. The model itself is rounded to what was stored.

    Parameters
    ----------
    recipe : any of the rooms' recipes, a dataclass of JSON types.
    processor : of the model; None for that of `harness.micro.architecture`.
    more : further facts for the record.

    Returns
    -------
    dict
        What `training.json` holds: the recipe, the package versions, the number of
        parameters and the hash of the weights; nothing that varies between equal runs.
    """
    import torch

    directory.mkdir(parents=True, exist_ok=True)
    n_parameters = sum(p.numel() for p in model.parameters())
    model.to(torch.float16).save_pretrained(directory)
    model.to(torch.float32)
    (directory / WEIGHTS).chmod(0o644)
    config = directory / "config.json"
    settings = json.loads(config.read_text(encoding="utf-8"))
    _write(config, {**settings, "dtype": "float32"})
    (processor or architecture.processor(tokenizer)).save_pretrained(directory)
    written = {
        "recipe": ids.plain(recipe),
        "n_parameters": n_parameters,
        "stored_dtype": "float16",
        "packages": {name: importlib.metadata.version(name) for name in PACKAGES},
        "weights_sha256": ids.file_digest(directory / WEIGHTS),
        **more,
    }
    _write(directory / RECORD, written)
    return written


def record(directory: Path) -> dict[str, Any]:
    """Read a checkpoint's `training.json`.

    Raises
    ------
    ModelError
        When there is none.
    """
    path = directory / RECORD
    if not path.is_file():
        raise ModelError(f"{directory}: no {RECORD}; expected a directory written by `save`")
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def _write(path: Path, value: Mapping[str, Any]) -> None:
    text = json.dumps(value, indent=2, sort_keys=True, ensure_ascii=True)
    path.write_text(f"{text}\n", encoding="utf-8")


__all__ = ["PACKAGES", "RECORD", "WEIGHTS", "record", "save"]
