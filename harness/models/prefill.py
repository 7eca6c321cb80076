"""One pass over the prompt for all rows of a batch that share prompt and pictures."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from harness.data.manifest import pixel_digest

if TYPE_CHECKING:
    from torch import Tensor

    from harness.models.sampling import SeededDraws
    from harness.types import Request

# Model types of transformers whose texts were found equal with and without sharing, in float32
# (harness/tests/models/test_prefill.py). Others may keep state of the prompt outside the cache.
SHARING = ("idefics3", "llava", "qwen2_5_vl")


def can_share(model: Any) -> bool:
    """Whether `generate_shared` works for this model: its type is one of `SHARING`."""
    return model.config.model_type in SHARING


def distinct(requests: Sequence[Request]) -> tuple[list[Request], list[int]]:
    """The requests that differ in what the model is shown, and where each request stands in them.

    Parameters
    ----------
    requests : may be empty. Prompt and pixels are compared; example, replicate and seed are not.

    Returns
    -------
    (shown, places)
        `requests[i]` shows what `shown[places[i]]` shows; `shown` keeps the order of first
        appearance.

    Examples
    --------
    >>> from harness.types import Example, Request
    >>> question = Example(id="q", kind="text", question="Why?", gold="x")
    >>> asked = [
    ...     Request(example=question, replicate=i, prompt=prompt, images=(), seed=i)
    ...     for i, prompt in enumerate(["Why?", "How?", "Why?"])
    ... ]
    >>> distinct(asked)[1]
    [0, 1, 0]
    """
    shown: list[Request] = []
    place_of: dict[object, int] = {}
    places = []
    counts: dict[str, int] = {}
    for request in requests:
        counts[request.prompt] = counts.get(request.prompt, 0) + 1
    for i, request in enumerate(requests):
        alone = counts[request.prompt] == 1
        key = i if alone else (request.prompt, *(pixel_digest(x) for x in request.images))
        if key not in place_of:
            place_of[key] = len(shown)
            shown.append(request)
        places.append(place_of[key])
    return shown, places


def generate_shared(
    model: Any,
    inputs: Any,
    places: Sequence[int],
    config: Any,
    draws: Sequence[SeededDraws],
    ends: Collection[int],
) -> list[list[int]]:
    """New tokens of rows of which several continue the same prompt, read once.

    The first call of the library reads each prompt and leaves its cache and the scores of the
    next token. Every row draws its first token from the scores of its prompt, and goes on from
    a copy of that cache; a row whose first token ends it is not continued. The library's own
    `num_return_sequences` repeats the inputs before it reads them, so it saves nothing.

    Parameters
    ----------
    model : of a type in `SHARING`, on its device.
    inputs : the encoded prompts, each once, padded on the left: `input_ids`, `attention_mask` and
        what belongs to the pictures; row r of `input_ids` is prompt r.
    places : row of `inputs` that each row of the result continues; not empty.
    config : a GenerationConfig without sampling or beams, with `max_new_tokens` of at least 1.
    draws : logits processors of the rows of the result; none for greedy decoding.
    ends : the ids of the end tokens.

    Returns
    -------
    list of list of int
        Per row 1 to `max_new_tokens` ids; what follows the first end token has no meaning.
    """
    import torch

    cache_name = _cache_name(model)
    read = model.generate(
        **inputs,
        generation_config=_changed(
            config, max_new_tokens=1, return_dict_in_generate=True, output_scores=True
        ),
    )
    rows = torch.tensor(places, device=inputs["input_ids"].device)
    ids = inputs["input_ids"][rows]
    scores: Tensor = read.scores[0][rows]
    for draw in draws:
        scores = draw(ids, scores)
    first = scores.argmax(dim=-1, keepdim=True)
    tokens: list[list[int]] = first.tolist()
    going_on = [i for i, (token,) in enumerate(tokens) if token not in ends]
    if config.max_new_tokens == 1 or not going_on:
        return tokens
    for draw in draws:
        draw.keep(going_on)
    rows = rows[going_on]
    read[cache_name].batch_select_indices(rows)
    _select_offsets(model, rows)
    ids = torch.cat([ids, first], dim=1)[going_on]
    mask = inputs["attention_mask"][rows]
    out = model.generate(
        input_ids=ids,
        attention_mask=torch.cat([mask, torch.ones_like(mask[:, :1])], dim=1),
        generation_config=_changed(config, max_new_tokens=config.max_new_tokens - 1),
        logits_processor=list(draws),
        **{cache_name: read[cache_name]},
    )
    for i, rest in zip(going_on, out[:, ids.shape[1] :].tolist(), strict=True):
        tokens[i] += rest
    return tokens


def _changed(config: Any, **changes: Any) -> Any:
    changed = copy.deepcopy(config)
    changed.update(**changes)
    return changed


def _cache_name(model: Any) -> str:
    """What this version of transformers calls the cache."""
    names = inspect.signature(model.forward).parameters
    return "cache" if "cache" in names else "past_key_values"


def _select_offsets(model: Any, rows: Tensor) -> None:
    """Qwen's models keep, per row, how far positions lag behind the tokens of the pictures."""
    offsets = getattr(model.model, "rope_deltas", None)
    if offsets is not None:
        model.model.rope_deltas = offsets[rows.to(offsets.device)]


__all__ = ["SHARING", "can_share", "distinct", "generate_shared"]
