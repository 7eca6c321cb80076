"""Dual encoders, CLIP, SigLIP and SigLIP2: images and texts become vectors of length 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.errors import ModelError
from harness.models.base import OutOfMemory
from harness.models.checkpoint import check_weights, from_folder
from harness.models.fingerprint import checkpoint_folder
from harness.models.hf import exact, free, memory_fault
from harness.retrieval.ranks import Product
from harness.types import ModelSpec

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image

    Vectors = NDArray[np.float32]

# What each was trained to be given beside the token ids.
_TEXT_INPUTS = {"clip": ("attention_mask",), "siglip": (), "siglip2": ()}


class DualEncoder:
    """Encodes texts and images; `text_length` is the number of tokens that each text is padded to.

    SigLIP reads a text's vector at its last position, which under padding to the longest text of
    a batch is another one in every batch: the same caption then has another vector beside longer
    ones. Every text is therefore padded to the checkpoint's full length, in every family, and on
    the right, as all three were trained; some tokenizers pad on the left unless told.
    """

    def __init__(self, name: str, model: Any, processor: Any) -> None:
        self.name = name
        self.family = str(model.config.model_type)
        self.text_length = int(model.config.text_config.max_position_embeddings)
        self._model, self._processor = model, processor

    def long_texts(self, texts: Sequence[str]) -> list[int]:
        """Places of the texts of more tokens than `text_length`, the rest of which is not read."""
        lengths = [len(ids) for ids in self._processor.tokenizer(list(texts))["input_ids"]]
        return [place for place, n in enumerate(lengths) if n > self.text_length]

    def text_inputs(self, texts: Sequence[str]) -> dict[str, Any]:
        """Token ids of shape (texts, text_length), with the mask where the family is given one."""
        found = self._processor.tokenizer(
            list(texts),
            padding="max_length",
            padding_side="right",
            max_length=self.text_length,
            truncation=True,
            return_tensors="pt",
        )
        kept = ("input_ids", *_TEXT_INPUTS[self.family])
        return {name: found[name].to(self._model.device) for name in kept}

    def texts(self, texts: Sequence[str], batch_size: int) -> Vectors:
        """Encode texts.

        Parameters
        ----------
        texts : in the order wanted.
        batch_size : how many at a time, at least 1; does not change a vector beyond rounding.

        Returns
        -------
        array of float32, shape (texts, d)
            Of length 1.

        Raises
        ------
        OutOfMemory
            For the batch that did not fit; its memory is free again.
        """

        def encoded(some: Sequence[str]) -> Any:
            return self._model.get_text_features(**self.text_inputs(some))

        return self._in_batches(texts, batch_size, encoded)

    def images(self, images: Sequence[Image], batch_size: int) -> Vectors:
        """Encode RGB images, as `texts` encodes texts."""

        def encoded(some: Sequence[Image]) -> Any:
            inputs = self._processor.image_processor(images=list(some), return_tensors="pt")
            inputs = {name: value.to(self._model.device) for name, value in inputs.items()}
            inputs["pixel_values"] = inputs["pixel_values"].to(self._model.dtype)
            return self._model.get_image_features(**inputs)

        return self._in_batches(images, batch_size, encoded)

    def close(self) -> None:
        """Drop the model and free its memory; may be called twice."""
        if self._model is not None:
            device = self._model.device
            self._model = self._processor = None
            free(device)

    def _in_batches(self, given: Sequence[Any], batch_size: int, encoded: Any) -> Vectors:
        if batch_size < 1:
            raise ModelError(f"model {self.name}: expected a batch of 1 or more, got {batch_size}")
        parts = [
            self._batch(given[start : start + batch_size], encoded)
            for start in range(0, len(given), batch_size)
        ]
        return np.concatenate(parts) if parts else np.empty((0, 0), np.float32)

    def _batch(self, some: Sequence[Any], encoded: Any) -> Vectors:
        import torch

        try:
            with torch.inference_mode(), exact(self._model):
                found = encoded(some)
                vectors = getattr(found, "pooler_output", found).float()
                vectors = vectors / vectors.norm(dim=-1, keepdim=True)
                return np.asarray(vectors.cpu().numpy(), np.float32)
        except (RuntimeError, MemoryError) as error:
            message = memory_fault(error, len(some))
            if message is None:
                raise
        # Raised outside the handler: a chained traceback would keep the batch's tensors alive.
        free(self._model.device)
        raise OutOfMemory(message)


def load_dual(spec: ModelSpec, device: str) -> DualEncoder:
    """Load a dual encoder from a local folder or the hub's cache, without using the network.

    Parameters
    ----------
    spec : a model whose source kind is `local` or `hub`.
    device : a torch device, such as "cpu" or "cuda:0".

    Returns
    -------
    DualEncoder
        In evaluation mode on `device`.

    Raises
    ------
    ModelError
        When the checkpoint is missing, incomplete or unreadable, when weights would be left
        random, or when it is no CLIP, SigLIP or SigLIP2 with a tokenizer that can pad.
    """
    folder = checkpoint_folder(spec)
    model, processor, facts = from_folder(spec, folder, device, "AutoModel")
    check_weights(spec.name, facts)
    family = model.config.model_type
    if family not in _TEXT_INPUTS:
        raise ModelError(
            f"model {spec.name}: expected a dual encoder of {', '.join(_TEXT_INPUTS)}, found "
            f"{family!r}"
        )
    tokenizer = getattr(processor, "tokenizer", None)
    if tokenizer is None or getattr(processor, "image_processor", None) is None:
        raise ModelError(
            f"model {spec.name}: expected a processor with a tokenizer and an image processor, "
            f"found {type(processor).__name__}; look at the checkpoint's processor files"
        )
    if tokenizer.pad_token_id is None:
        raise ModelError(
            f"model {spec.name}: expected a tokenizer with a padding token, found none"
        )
    return DualEncoder(spec.name, model, processor)


def device_product(images: Vectors, texts: Vectors, device: str) -> Product:
    """The product of two sides on a device, for `both_ranks`: both are copied there once.

    Parameters
    ----------
    images, texts : float32 vectors, shapes (n, d) and (m, d).
    device : a torch device.

    Returns
    -------
    Product
        Gives a block of scores in float32, without reduced mantissas.
    """
    import torch

    left, right = (torch.from_numpy(side).to(device) for side in (images, texts))

    def product(rows: slice, columns: slice) -> Any:
        before = torch.backends.cuda.matmul.allow_tf32
        torch.backends.cuda.matmul.allow_tf32 = False
        try:
            return (left[rows] @ right[columns].T).cpu().numpy()
        finally:
            torch.backends.cuda.matmul.allow_tf32 = before

    return product


__all__ = ["DualEncoder", "device_product", "load_dual"]
