"""Vision-language models by transformers: batches of requests become texts."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from harness.models.base import OutOfMemory
from harness.models.checkpoint import load_checkpoint
from harness.models.prefill import can_share, distinct, generate_shared
from harness.models.sampling import SeededDraws
from harness.models.turn import encode, foreign_placeholder
from harness.types import Decoding, ModelSpec, Reply, Request

_ALLOCATION = re.compile(r"tried to allocate ([\d.]+ \w+)", re.IGNORECASE)
_OUT_OF_MEMORY = ("out of memory", "can't allocate memory", "not enough memory")


def open_hf(spec: ModelSpec, device: str, n_threads: int) -> HFGenerator:
    """Load a local or hub model; see `load_checkpoint` for what is checked.

    Parameters
    ----------
    spec : the model.
    device : a torch device, such as "cpu" or "cuda:0".
    n_threads : CPU threads of torch while the model is open, at least 1.
    """
    model, processor = load_checkpoint(spec, device)
    return HFGenerator(
        model, processor, n_threads=n_threads, max_image_side_px=spec.max_image_side_px
    )


class HFGenerator:
    """A loaded model that answers requests; the text does not depend on the batch.

    In float32, that is: half precision can change an answer with the batch size. Sampled rows
    draw each with the seed of its request (`SeededDraws`), and those that show the same prompt
    and pictures share one pass over them where `can_share` says so: in float32 the texts are
    those without sharing. The process's random state, thread count and precision flags are left
    as found.
    """

    def __init__(
        self, model: Any, processor: Any, *, n_threads: int, max_image_side_px: int | None = None
    ) -> None:
        import torch

        self._model = model
        self._processor = processor
        self._max_side_px = max_image_side_px
        self._ends = frozenset(model.generation_config.eos_token_id)
        self._n_positions: int | None = getattr(
            model.config.get_text_config(), "max_position_embeddings", None
        )
        self._threads_before = torch.get_num_threads()
        torch.set_num_threads(n_threads)

    def generate(self, requests: Sequence[Request], decoding: Decoding) -> list[Reply]:
        """Answer each request, in order.

        Parameters
        ----------
        requests : may differ in length and in the number of images; empty gives [].
        decoding : governs this call alone; the checkpoint's own settings play no part.

        Returns
        -------
        list of Reply
            `truncated` when the budget ran out without an end token. `error` with
            "truncated_input" for a prompt that leaves no room for the budget (nothing is ever
            cut), and with "prompt_placeholder" for a text that holds the model's own image
            marker. `n_tokens` counts new tokens, the end token included.

        Raises
        ------
        OutOfMemory
            For the batch as a whole; the memory that it held is free again.
        """
        import torch

        watch_memory(self._model.device)
        try:
            with torch.inference_mode(), exact(self._model):
                return self._answer(requests, decoding)
        except (RuntimeError, MemoryError) as error:
            message = memory_fault(error, len(requests))
            if message is None:
                raise
        # Raised outside the handler: a chained traceback would keep the batch's tensors alive.
        free(self._model.device)
        raise OutOfMemory(message)

    @property
    def peak_memory_gib(self) -> float | None:
        """Highest device memory during the last call, weights included; None on a CPU."""
        return None if self._model is None else peak_memory_gib(self._model.device)

    def prompt_token_ids(self, request: Request) -> list[int]:
        """The token ids that the model is given for one request, image tokens included."""
        ids = encode(self._processor, [request], self._max_side_px)["input_ids"][0]
        return [int(i) for i in ids]

    def close(self) -> None:
        """Drop the model, free its memory and restore the thread count; may be called twice."""
        import torch

        if self._model is None:
            return
        device = self._model.device
        self._model = self._processor = None
        torch.set_num_threads(self._threads_before)
        free(device)

    def _answer(self, requests: Sequence[Request], decoding: Decoding) -> list[Reply]:
        replies: dict[int, Reply] = {}
        groups: dict[int, list[int]] = {}
        for i, request in enumerate(requests):
            token = foreign_placeholder(self._processor, request.prompt)
            if token is None:
                groups.setdefault(len(request.images), []).append(i)
            else:
                text = f"prompt_placeholder: the prompt holds the model's own marker {token!r}"
                replies[i] = Reply(text=None, status="error", error=text)
        for rows in groups.values():
            answers = self._answer_alike([requests[i] for i in rows], decoding)
            replies.update(zip(rows, answers, strict=True))
        return [replies[i] for i in range(len(requests))]

    def _answer_alike(self, requests: Sequence[Request], decoding: Decoding) -> list[Reply]:
        """Answer requests that all have the same number of images."""
        shown, places = list(requests), list(range(len(requests)))
        if can_share(self._model):
            shown, places = distinct(requests)
        inputs = encode(self._processor, shown, self._max_side_px)
        n_tokens = inputs["attention_mask"].sum(dim=1).tolist()
        lengths = [n_tokens[place] for place in places]
        room = None if self._n_positions is None else self._n_positions - decoding.max_new_tokens
        fitting = [i for i, n in enumerate(lengths) if room is None or n <= room]
        if len(fitting) == len(requests):
            return self._decode(inputs, places, requests, decoding)
        rest = [requests[i] for i in fitting]
        answers = dict(
            zip(fitting, self._answer_alike(rest, decoding) if rest else [], strict=True)
        )
        return [
            answers.get(i, self._too_long(n, decoding.max_new_tokens))
            for i, n in enumerate(lengths)
        ]

    def _too_long(self, n_tokens: int, n_new: int) -> Reply:
        text = (
            f"truncated_input: the prompt has {n_tokens} tokens, but the model's "
            f"{self._n_positions} positions less max_new_tokens {n_new} leave room for "
            f"{(self._n_positions or 0) - n_new}"
        )
        return Reply(text=None, status="error", error=text)

    def _decode(
        self, inputs: Any, places: Sequence[int], requests: Sequence[Request], decoding: Decoding
    ) -> list[Reply]:
        model = self._model
        inputs = inputs.to(device=model.device, dtype=model.dtype)
        draws = [] if decoding.greedy else [SeededDraws([r.seed for r in requests], decoding)]
        config = _generation_config(model, decoding)
        n_shown, n_tokens = inputs["input_ids"].shape
        if n_shown < len(requests):
            new = generate_shared(model, inputs, places, config, draws, self._ends)
        else:
            out = model.generate(**inputs, generation_config=config, logits_processor=draws)
            new = out[:, n_tokens:].tolist()
        return [self._reply(tokens) for tokens in new]

    def _reply(self, tokens: list[int]) -> Reply:
        end = next((i for i, token in enumerate(tokens) if token in self._ends), None)
        text = self._processor.tokenizer.decode(
            tokens[:end], skip_special_tokens=True, clean_up_tokenization_spaces=False
        )
        if end is None:
            return Reply(text=text, n_tokens=len(tokens), status="truncated")
        return Reply(text=text, n_tokens=end + 1)


def _generation_config(model: Any, decoding: Decoding) -> Any:
    import transformers

    library: Any = transformers
    return library.GenerationConfig(
        max_new_tokens=decoding.max_new_tokens,
        do_sample=False,
        num_beams=1,
        use_cache=True,
        repetition_penalty=decoding.repetition_penalty,
        eos_token_id=model.generation_config.eos_token_id,
        pad_token_id=model.generation_config.pad_token_id,
    )


@contextmanager
def exact(model: Any) -> Iterator[None]:
    """On CUDA keep float32 at float32: convolutions would use 10-bit mantissas by default."""
    import torch

    if model.device.type != "cuda" or model.dtype != torch.float32:
        yield
        return
    before = torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32
    torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = False
    try:
        yield
    finally:
        torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32 = before


def memory_fault(error: BaseException, n_requests: int) -> str | None:
    """What to report of an out-of-memory failure; None for any other failure.

    Only what is equal between equal runs is kept of the text: not the memory that was free.
    """
    import torch

    text = str(error)
    known = isinstance(error, torch.OutOfMemoryError | MemoryError)
    if not known and not any(sign in text.lower() for sign in _OUT_OF_MEMORY):
        return None
    size = _ALLOCATION.search(text)
    return f"out of memory in a batch of {n_requests}" + (
        f" (tried to allocate {size.group(1)})" if size else ""
    )


def watch_memory(device: Any) -> None:
    """Let `peak_memory_gib` count from here."""
    import torch

    if device.type == "cuda":
        torch.cuda.reset_peak_memory_stats(device)


def peak_memory_gib(device: Any) -> float | None:
    """The most memory that tensors held since `watch_memory`, GiB; None on a CPU."""
    import torch

    if device.type != "cuda":
        return None
    return round(torch.cuda.max_memory_allocated(device) / 2**30, 6)


def free(device: Any) -> None:
    """Give back the memory of what was dropped, on the device too."""
    import torch

    gc.collect()
    if device.type == "cuda":
        torch.cuda.empty_cache()


__all__ = [
    "HFGenerator",
    "exact",
    "free",
    "memory_fault",
    "open_hf",
    "peak_memory_gib",
    "watch_memory",
]
