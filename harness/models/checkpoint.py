"""A checkpoint folder becomes a model and a processor, pinned to what the study says."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from harness.errors import ModelError
from harness.models.fingerprint import checkpoint_folder
from harness.models.turn import render_turn
from harness.types import ModelSpec

_DTYPES = ("float32", "bfloat16", "float16")
LOAD_FAULTS = (ImportError, OSError, ValueError, KeyError, TypeError, AttributeError, RuntimeError)
_PROBE = "Is the probe 7315 visible?"


def load_checkpoint(spec: ModelSpec, device: str) -> tuple[Any, Any]:
    """Load a local or hub model with its processor, without using the network.

    The weights are computed in `spec.dtype` whatever they are stored in. The checkpoint's own
    generation settings are dropped but for the end and padding tokens. Code from the
    checkpoint runs only where the source says `trust_remote_code`.

    Parameters
    ----------
    spec : a model whose source kind is `local` or `hub`.
    device : a torch device, such as "cpu" or "cuda:0".

    Returns
    -------
    (model, processor)
        The model in evaluation mode on `device`; the processor pads on the left.

    Raises
    ------
    ModelError
        When the checkpoint is missing, incomplete or unreadable, when weights would be left
        random, or when it has no end token or no chat template that shows text and image.
    """
    folder = checkpoint_folder(spec)
    if spec.dtype not in _DTYPES:
        raise ModelError(f"model {spec.name}: expected a dtype of {_DTYPES}, found {spec.dtype!r}")
    model, processor, facts = from_folder(spec, folder, device, "AutoModelForImageTextToText")
    _check_processor(spec.name, processor)
    check_weights(spec.name, facts)
    _check_template(spec.name, processor)
    _set_tokens(spec.name, model, processor)
    return model, processor


def from_folder(spec: ModelSpec, folder: Path, device: str, kind: str) -> tuple[Any, Any, Any]:
    """A model of a transformers class, its processor, and what the library says of its weights.

    Raises
    ------
    ModelError
        When either cannot be loaded; a missing package is named with the extra that brings it.
    """
    import torch
    import transformers
    from safetensors import SafetensorError

    library: Any = transformers  # its own annotations are incomplete
    options: dict[str, Any] = {
        "local_files_only": True,
        "trust_remote_code": bool(spec.source.get("trust_remote_code", False)),
    }
    try:
        processor = library.AutoProcessor.from_pretrained(folder, **options)
        model, facts = getattr(library, kind).from_pretrained(
            folder,
            dtype=getattr(torch, spec.dtype),
            attn_implementation=spec.attention,
            use_safetensors=True,
            output_loading_info=True,
            **options,
        )
        model = model.to(device).eval()
    except (*LOAD_FAULTS, SafetensorError) as error:
        message = str(error).strip().replace(str(folder), folder.name)
        if _lacks_package(error, message):
            raise ModelError(
                f"model {spec.name}: its processor needs a package that is not installed; install "
                "this project with its extra `vision`, which brings torchvision and num2words "
                f"(transformers says: {message.partition(chr(10))[0]:.200})"
            ) from error
        raise ModelError(
            f"model {spec.name}: {type(error).__name__} while loading {folder.name!r} on {device}: "
            f"{message}"
        ) from error
    return model, processor, facts


def _lacks_package(error: BaseException, message: str) -> bool:
    """Without torchvision, transformers calls some video and image processors not found."""
    if isinstance(error, ImportError):
        return True
    signs = ("torchvision", "video processor")
    absent = importlib.util.find_spec("torchvision") is None
    return absent and any(sign in message.lower() for sign in signs)


def _check_processor(name: str, processor: Any) -> None:
    """AutoProcessor gives a bare tokenizer where it finds no processor that it knows."""
    parts = ("tokenizer", "image_processor")
    missing = [part for part in parts if getattr(processor, part, None) is None]
    if missing:
        raise ModelError(
            f"model {name}: expected a processor with a tokenizer and an image processor, found "
            f"{type(processor).__name__} without {' and '.join(missing)}; look at "
            "processor_config.json (or preprocessor_config.json) of the checkpoint"
        )


def check_weights(name: str, facts: dict[str, Any]) -> None:
    """Refuse a model with weights that its checkpoint left random, by its loading facts."""
    left = sorted(str(k) for k in (*facts["missing_keys"], *facts["mismatched_keys"]))
    if left:
        raise ModelError(
            f"model {name}: {len(left)} weight(s) of the architecture are missing or of another "
            f"shape in the checkpoint and would stay random: {', '.join(left[:5])}"
        )


def _check_template(name: str, processor: Any) -> None:
    import jinja2

    try:
        shown, unseen = render_turn(processor, _PROBE, 1), render_turn(processor, _PROBE, 0)
    except (ValueError, jinja2.TemplateError) as error:
        raise ModelError(f"model {name}: expected a usable chat template: {error}") from error
    if shown.count(_PROBE) != 1 or shown == unseen:
        raise ModelError(
            f"model {name}: the chat template drops or repeats the text, or ignores the image of a "
            f"user turn; it gave {shown!r:.200}"
        )


def _set_tokens(name: str, model: Any, processor: Any) -> None:
    import transformers

    library: Any = transformers
    tokenizer = processor.tokenizer
    stated = model.generation_config.eos_token_id
    ends = {stated} if isinstance(stated, int) else set(stated or ())
    if tokenizer.eos_token_id is not None:
        ends.add(tokenizer.eos_token_id)
    if not ends:
        raise ModelError(f"model {name}: expected an end token in the checkpoint, found none")
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.convert_ids_to_tokens(min(ends))
    tokenizer.padding_side = "left"
    # generate() fills whatever a call leaves open from here, so nothing else may stay in it.
    model.generation_config = library.GenerationConfig(
        eos_token_id=sorted(ends), pad_token_id=tokenizer.pad_token_id
    )


__all__ = ["check_weights", "from_folder", "load_checkpoint"]
