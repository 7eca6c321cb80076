"""Reward models: one scalar for each candidate, from a vision-language model with a scalar head."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness.errors import ModelError
from harness.models.base import OutOfMemory
from harness.models.checkpoint import check_weights, from_folder, load_checkpoint
from harness.models.fingerprint import checkpoint_folder
from harness.models.hf import exact, free, memory_fault
from harness.models.turn import foreign_placeholder, shrink
from harness.scoring.letters.margin import scores_text
from harness.types import Decoding, ModelSpec, Reply, Request

VALUE_HEAD = "value_head.safetensors"
_N_CANDIDATES = 2
_PREFIXES = ("v_head.summary", "summary")


def open_reward(spec: ModelSpec, device: str, n_threads: int) -> RewardModel:
    """Load a reward model.

    Two forms are known. A vision-language checkpoint with `VALUE_HEAD` beside its weights: one
    linear layer over the last hidden state, `v_head.summary.weight` of shape (1, hidden) and
    `v_head.summary.bias` of shape (1), as TRL saves it (Skywork-VL-Reward has this form). A
    checkpoint whose architecture is for sequence classification with one label, of a model
    type that transformers has such a class for (Gemma 3 is one that sees pictures).

    Parameters
    ----------
    spec : a local or hub model of family `reward`.
    device : a torch device, such as "cpu" or "cuda:0".
    n_threads : CPU threads of torch while the model is open, at least 1.

    Raises
    ------
    ModelError
        For what `load_checkpoint` finds, a checkpoint of neither form, a head of another shape,
        or more than one label.
    """
    folder = checkpoint_folder(spec)
    if fault := head_fault(folder):
        raise ModelError(f"model {spec.name}: {fault}")
    head = None
    if (folder / VALUE_HEAD).is_file():
        model, processor = load_checkpoint(spec, device)
        head = _value_head(spec.name, folder / VALUE_HEAD, model)
    else:
        model, processor = _classifier(spec, folder, device)
    return RewardModel(
        model, processor, head, n_threads=n_threads, max_image_side_px=spec.max_image_side_px
    )


def head_fault(folder: Path) -> str | None:
    """Why a checkpoint folder has no scalar head of a known form; None where it has one.

    A `config.json` that cannot be read is a reason too, as far as it is needed.
    """
    if (folder / VALUE_HEAD).is_file():
        return None
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        named = [str(name) for name in config.get("architectures") or ()]
    except (OSError, ValueError, RecursionError, AttributeError, TypeError) as error:
        return (
            "expected a config.json that holds an object with a list of architectures, found a "
            f"fault: {type(error).__name__}: {error}".replace(f"{folder}/", "")
        )
    if any(name.endswith("ForSequenceClassification") for name in named):
        return None
    return (
        f"expected a scalar head, {VALUE_HEAD} or an architecture …ForSequenceClassification in "
        f"config.json, found {', '.join(named) or 'none'}; a model that answers with text is of "
        "family 'generative'"
    )


class RewardModel:
    """Scores the two candidates of each request, one sequence at a time.

    A sequence is a user turn (the pictures, then the prompt) and the candidate as the
    assistant's turn, by the checkpoint's own chat template; the score is the head's value at
    its last token (a classifier: the last one that is not padding). Since every sequence stands
    alone, the scores do not depend on the batch. Decoding plays no part, but the prompt does:
    for a reward model it is best `{question}` alone (`reward_prompt` of an intervention study).
    """

    def __init__(
        self,
        model: Any,
        processor: Any,
        head: Any,
        *,
        n_threads: int,
        max_image_side_px: int | None = None,
    ) -> None:
        import torch

        self._model = model
        self._processor = processor
        self._head = head
        self._max_side_px = max_image_side_px
        self._n_positions: int | None = getattr(
            model.config.get_text_config(), "max_position_embeddings", None
        )
        self._threads_before = torch.get_num_threads()
        torch.set_num_threads(n_threads)

    def generate(self, requests: Sequence[Request], decoding: Decoding) -> list[Reply]:
        """Score each request's candidates, in order.

        Returns
        -------
        list of Reply
            The text holds both scores (`harness.scoring.letters.margin.scores_text`), whatever
            they are: a tie or NaN is read as such, never as a letter. `error` with "candidates"
            for what is no preference between two (a pool), with "prompt_placeholder" for a text
            that holds the model's own image marker, and with "truncated_input" for a sequence
            beyond the model's positions. `n_tokens` is None: nothing is generated.

        Raises
        ------
        OutOfMemory
            For the batch as a whole; the memory that it held is free again.
        """
        import torch

        try:
            with torch.inference_mode(), exact(self._model):
                return [self._reply(request) for request in requests]
        except (RuntimeError, MemoryError) as error:
            message = memory_fault(error, len(requests))
            if message is None:
                raise
        # Raised outside the handler: a chained traceback would keep the batch's tensors alive.
        free(self._model.device)
        raise OutOfMemory(message)

    def close(self) -> None:
        """Drop the model, free its memory and restore the thread count; may be called twice."""
        import torch

        if self._model is None:
            return
        device = self._model.device
        self._model = self._processor = self._head = None
        torch.set_num_threads(self._threads_before)
        free(device)

    def _reply(self, request: Request) -> Reply:
        kind, candidates = request.example.kind, request.example.choices
        # Scores are read as an answer to a preference alone, whatever the number of candidates.
        if kind != "preference" or len(candidates) != _N_CANDIDATES:
            return _error(
                f"candidates: expected a preference between two, found a {kind} of "
                f"{len(candidates)}"
            )
        for text in (request.prompt, *candidates):
            token = foreign_placeholder(self._processor, text)
            if token is not None:
                return _error(f"prompt_placeholder: a text holds the model's own marker {token!r}")
        scores: list[float] = []
        for candidate in candidates:
            inputs = self._encoded(request, candidate)
            n_tokens = inputs["input_ids"].shape[1]
            if self._n_positions is not None and n_tokens > self._n_positions:
                return _error(
                    f"truncated_input: the sequence has {n_tokens} tokens, but the model has "
                    f"{self._n_positions} positions"
                )
            scores.append(self._score(inputs))
        return Reply(text=scores_text(*scores))

    def _encoded(self, request: Request, candidate: str) -> Any:
        processor = self._processor
        text = sequence(processor, request.prompt, candidate, len(request.images))
        images = [shrink(image, self._max_side_px) for image in request.images]
        start = processor.tokenizer.bos_token
        inputs = processor(
            text=[text],
            images=[images] if images else None,
            # A template that writes the start token itself must not get a second one.
            add_special_tokens=not (start and text.startswith(start)),
            truncation=False,
            return_tensors="pt",
        )
        return inputs.to(device=self._model.device, dtype=self._model.dtype)

    def _score(self, inputs: Any) -> float:
        if self._head is None:
            return float(self._model(**inputs).logits[0, 0].float())
        found = self._model(**inputs, output_hidden_states=True, use_cache=False)
        return float(self._head(found.hidden_states[-1][0, -1].float())[0])


def sequence(processor: Any, prompt: str, candidate: str, n_images: int) -> str:
    """The chat template's text of a user turn and the candidate as the assistant's turn.

    Parameters
    ----------
    processor : a transformers processor with a chat template.
    prompt, candidate : the whole texts of the two turns.
    n_images : pictures before the prompt; 0 gives a turn with text only.
    """
    content: list[dict[str, str]] = [{"type": "image"} for _ in range(n_images)]
    content.append({"type": "text", "text": prompt})
    answer = [{"type": "text", "text": candidate}]
    return str(
        processor.apply_chat_template(
            [{"role": "user", "content": content}, {"role": "assistant", "content": answer}],
            add_generation_prompt=False,
            tokenize=False,
        )
    )


def _error(text: str) -> Reply:
    return Reply(text=None, status="error", error=text)


def _value_head(name: str, path: Path, model: Any) -> Any:
    """The linear layer of a value head, in float32 on the model's device."""
    import torch
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        weights = load_file(path)
    except (OSError, ValueError, SafetensorError) as error:
        raise ModelError(f"model {name}: {path.name} cannot be read: {error}") from error
    n_hidden = model.config.get_text_config().hidden_size
    for prefix in _PREFIXES:
        if f"{prefix}.weight" not in weights or f"{prefix}.bias" not in weights:
            continue
        weight, bias = weights[f"{prefix}.weight"], weights[f"{prefix}.bias"]
        if (weight.shape, bias.shape) != ((1, n_hidden), (1,)):
            raise ModelError(
                f"model {name}: {path.name}: expected a weight of (1, {n_hidden}) and a bias of "
                f"(1,), found {tuple(weight.shape)} and {tuple(bias.shape)}"
            )
        if not (torch.isfinite(weight).all() and torch.isfinite(bias).all()):
            raise ModelError(f"model {name}: {path.name}: expected finite weights, found others")
        head = torch.nn.Linear(n_hidden, 1, device=model.device, dtype=torch.float32)
        head.load_state_dict({"weight": weight, "bias": bias})
        return head.eval()
    raise ModelError(
        f"model {name}: {path.name}: expected {_PREFIXES[0]}.weight and .bias, found "
        f"{', '.join(sorted(weights)[:5])}"
    )


def _classifier(spec: ModelSpec, folder: Path, device: str) -> tuple[Any, Any]:
    model, processor, facts = from_folder(
        spec, folder, device, "AutoModelForSequenceClassification"
    )
    if model.config.num_labels != 1:
        raise ModelError(
            f"model {spec.name}: expected a head with one label, found {model.config.num_labels}"
        )
    check_weights(spec.name, facts)
    return model, processor


__all__ = ["VALUE_HEAD", "RewardModel", "head_fault", "open_reward", "sequence"]
