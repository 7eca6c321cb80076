"""Any sentence-transformers model that is on this machine at a pinned revision."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from harness import ids
from harness.embedding.base import Embedded, EmbedderIdentity, refuse_empty, unit
from harness.errors import ModelError, StudyError

_REVISION = re.compile(r"[0-9a-f]{40}")
_OPTIONS = ("model", "revision", "folder", "threshold", "prompt", "dtype", "device", "batch_size")
_DTYPES = ("float32", "float16", "bfloat16")


@dataclass(frozen=True)
class Known:
    """What is published of a model: the threshold that was used with it, and its prompt."""

    threshold: float
    prompt: str = ""


# The model and the threshold of the published audit; both sides are embedded alike, without the
# prompt that the model has for search queries.
KNOWN: Mapping[str, Known] = {"mixedbread-ai/mxbai-embed-large-v1": Known(threshold=0.85)}


class SentenceTransformer:
    """A loaded model and the threshold that belongs to it."""

    def __init__(
        self, model: Any, identity: EmbedderIdentity, threshold: float, batch_size: int
    ) -> None:
        self._model = model
        self._batch_size = batch_size
        self.identity = identity
        self.threshold = threshold

    def embed(self, texts: Sequence[str]) -> Embedded:
        """One vector for each text, and whether the model's limit cut it.

        Raises
        ------
        DataError
            For a text without a letter or digit, and for vectors that are not finite.
        """
        what = f"embedder {self.identity.name}"
        refuse_empty(texts, what)
        clean = [text.encode("utf-8", "replace").decode() for text in texts]
        whole = [self.identity.prompt + text for text in clean]
        if not whole:
            return Embedded(
                np.zeros((0, self.identity.dimensions), np.float32), *(np.zeros(0, bool),) * 2
            )
        limit = self.identity.max_tokens
        coded = self._model.tokenizer(whole, truncation=False, padding=False, verbose=False)
        lengths = np.array([len(one) for one in coded["input_ids"]], np.int64)
        vectors = self._model.encode(
            whole,
            prompt="",
            batch_size=self._batch_size,
            convert_to_numpy=True,
            normalize_embeddings=False,
            show_progress_bar=False,
        )
        cut = lengths > limit if limit is not None else np.zeros(len(texts), bool)
        return Embedded(unit(vectors, what), cut, np.zeros(len(texts), bool))


def open_sentence(spec: Mapping[str, Any]) -> SentenceTransformer:
    """Load a model from the local cache or a folder; nothing is downloaded, no pickle is read.

    Parameters
    ----------
    spec : `model`, a repository, with `revision`, 40 hex digits of a commit; or `folder`, a local
        one, which `model` may name. `threshold` is needed for a model whose threshold is not
        known here. Optional: `prompt`, `dtype` (float32, float16, bfloat16), `device` (cpu),
        `batch_size` (32).

    Raises
    ------
    StudyError
        For an unknown entry, a revision that can move, no threshold, or another dtype.
    ModelError
        When sentence-transformers is not installed, or the model is not on this machine.
    """
    unknown = sorted(spec.keys() - {*_OPTIONS, "kind"})
    name = str(spec.get("model") or Path(str(spec.get("folder", ""))).name)
    if unknown or not name:
        raise StudyError(
            f"embedder sentence-transformers: expected model (or folder) and of {_OPTIONS}, found "
            f"{', '.join(unknown) or 'neither model nor folder'}"
        )
    what = f"embedder {name}"
    known = KNOWN.get(name)
    threshold = spec.get("threshold", known.threshold if known else None)
    if not isinstance(threshold, float) or not 0 < threshold <= 1:
        raise StudyError(
            f"{what}: expected its own threshold, a cosine in (0, 1], found {threshold!r}; measure "
            "it on pairs that are known, as docs/embedding.md does"
        )
    dtype = str(spec.get("dtype", "float32"))
    if dtype not in _DTYPES:
        raise StudyError(f"{what}: dtype: expected one of {', '.join(_DTYPES)}, found {dtype!r}")
    folder, revision = _found(spec, name)
    weights = sorted(folder.rglob("*.safetensors"))
    if not weights:
        raise ModelError(
            f"{what}: expected weights as .safetensors, found none; a pickle can run code, so it "
            "is not read"
        )
    try:
        import sentence_transformers
        import torch
    except ImportError as error:
        raise ModelError(
            f"{what}: expected the package sentence-transformers, found none; install this "
            "project with its extra `embed`"
        ) from error
    library: Any = sentence_transformers
    model = library.SentenceTransformer(
        str(folder),
        device=str(spec.get("device", "cpu")),
        local_files_only=True,
        trust_remote_code=False,
        model_kwargs={"use_safetensors": True, "dtype": getattr(torch, dtype)},
    )
    identity = EmbedderIdentity(
        name=name.rpartition("/")[2],
        model=name,
        revision=revision,
        weights=ids.digest([(str(p.relative_to(folder)), ids.file_digest(p)) for p in weights]),
        prompt=str(spec.get("prompt", known.prompt if known else "")),
        dtype=dtype,
        max_tokens=model.max_seq_length,
        dimensions=len(model.encode("a", prompt="", show_progress_bar=False)),
    )
    return SentenceTransformer(model, identity, threshold, int(spec.get("batch_size", 32)))


def _found(spec: Mapping[str, Any], name: str) -> tuple[Path, str]:
    if spec.get("folder"):
        folder = Path(str(spec["folder"]))
        if not folder.is_dir():
            raise ModelError(f"embedder {name}: expected a folder of that name, found none")
        return folder, "folder"
    revision = str(spec.get("revision", ""))
    if not _REVISION.fullmatch(revision):
        raise StudyError(
            f"embedder {name}: revision: expected a commit of 40 hex digits, found {revision!r}; "
            "anything else can move under the threshold"
        )
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(name, revision=revision, local_files_only=True)), revision
    except (OSError, ValueError) as error:
        raise ModelError(
            f"embedder {name}: revision {revision} is not on this machine; nothing is downloaded "
            f"during a run: hf download {name} --revision {revision}"
        ) from error


__all__ = ["KNOWN", "Known", "SentenceTransformer", "open_sentence"]
