"""One user turn: what a model is shown, as text with image placeholders, then as tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from harness.types import Request

if TYPE_CHECKING:
    from PIL.Image import Image

_PLACEHOLDERS = ("image_token", "boi_token", "video_token", "audio_token")


def render_turn(processor: Any, prompt: str, n_images: int) -> str:
    """The chat template's text of one user turn: its images first, then the prompt.

    Parameters
    ----------
    processor : a transformers processor with a chat template.
    prompt : the whole text of the turn.
    n_images : 0 gives a turn with text only, not one with an empty image.
    """
    content: list[dict[str, str]] = [{"type": "image"} for _ in range(n_images)]
    content.append({"type": "text", "text": prompt})
    return str(
        processor.apply_chat_template(
            [{"role": "user", "content": content}], add_generation_prompt=True, tokenize=False
        )
    )


def foreign_placeholder(processor: Any, prompt: str) -> str | None:
    """The processor's own media placeholder that stands in the prompt's text; None if none does.

    Such a text would be taken for one more image, and shift every later image of the batch.
    """
    for attribute in _PLACEHOLDERS:
        token = getattr(processor, attribute, None)
        if isinstance(token, str) and token and token in prompt:
            return token
    return None


def shrink(image: Image, max_side_px: int | None) -> Image:
    """The image with its longer side at most `max_side_px`: Lanczos, aspect kept, never enlarged.

    Sides are rounded to the nearest pixel, at least 1. None leaves every image as it is.

    Examples
    --------
    >>> from PIL import Image
    >>> shrink(Image.new("RGB", (400, 100)), 200).size
    (200, 50)
    """
    from PIL.Image import Resampling

    longest = max(image.size)
    if max_side_px is None or longest <= max_side_px:
        return image
    width, height = (max(1, round(side * max_side_px / longest)) for side in image.size)
    return image.resize((width, height), Resampling.LANCZOS)


def encode(processor: Any, requests: Sequence[Request], max_side_px: int | None) -> Any:
    """Tensors of a batch, padded on the left, never cut.

    Parameters
    ----------
    requests : at least one; all with the same number of images.
    max_side_px : see `shrink`.

    Returns
    -------
    BatchFeature
        `input_ids` and `attention_mask` of shape (n_requests, n_tokens), with the image tensors
        of the processor where there are images.
    """
    n_images = len(requests[0].images)
    texts = [render_turn(processor, r.prompt, n_images) for r in requests]
    images = [[shrink(image, max_side_px) for image in r.images] for r in requests]
    start = processor.tokenizer.bos_token
    return processor(
        text=texts,
        images=images if n_images else None,
        # A template that writes the start token itself must not get a second one.
        add_special_tokens=not (start and texts[0].startswith(start)),
        padding=True,
        padding_side="left",
        truncation=False,
        return_tensors="pt",
    )


__all__ = ["encode", "foreign_placeholder", "render_turn", "shrink"]
