"""CLAP as two encoders, of clips and of texts, and the zero-shot similarity of a data set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from harness import ids
from harness.data.esc50 import open_clip
from harness.data.label_cache import Binding, load_embeddings, save_embeddings
from harness.errors import DataError, ModelError
from harness.models.checkpoint import check_weights, from_folder
from harness.models.fingerprint import checkpoint_folder, content_digests
from harness.models.hf import exact
from harness.retrieval.zero_shot import TEMPLATE, label_prompts
from harness.types import Dataset, ModelSpec

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PARTS = ("tokenizer", "feature_extractor")
_METHODS = ("get_audio_features", "get_text_features")


class Clap:
    """A loaded model; `name` and `revision` are what its texts' embeddings are bound to.

    `rate_hz` is the sampling rate that it takes, `max_samples` the longest clip.
    """

    def __init__(self, model: Any, processor: Any, name: str, revision: str) -> None:
        self._model = model
        self._processor = processor
        self.name = name
        self.revision = revision
        self.rate_hz = int(processor.feature_extractor.sampling_rate)
        self.max_samples = int(processor.feature_extractor.nb_max_samples)

    def texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed texts, all in one batch: rows of length 1, shape (texts, dimensions).

        Raises
        ------
        DataError
            For no texts, or an embedding that is not finite.
        """
        if not texts:
            raise DataError(f"model {self.name}: expected texts, found none")
        made = self._processor.tokenizer(list(texts), padding=True, return_tensors="pt")
        return self._features("get_text_features", dict(made))

    def clips(self, clips: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
        """Embed clips of one channel at `rate_hz`: rows of length 1, shape (clips, dimensions).

        Raises
        ------
        DataError
            For no clips; one longer than `max_samples`, which the library would cut at a random
            place; an embedding that is not finite.
        """
        longest = max((len(clip) for clip in clips), default=0)
        if not 0 < longest <= self.max_samples:
            raise DataError(
                f"model {self.name}: expected clips of 1 to {self.max_samples} samples at "
                f"{self.rate_hz} Hz, found {longest}; cut longer clips at a stated place first"
            )
        made = self._processor.feature_extractor(
            list(clips), sampling_rate=self.rate_hz, return_tensors="pt"
        )
        return self._features("get_audio_features", dict(made))

    def _features(self, method: str, inputs: dict[str, Any]) -> NDArray[np.float32]:
        import torch

        placed = {key: value.to(self._model.device) for key, value in inputs.items()}
        for key, value in placed.items():
            if value.is_floating_point():
                placed[key] = value.to(self._model.dtype)
        with torch.inference_mode(), exact(self._model):
            found: Any = getattr(self._model, method)(**placed)
            # Older releases return the projection itself.
            found = getattr(found, "pooler_output", found)
            rows = found.float().cpu().numpy().astype(np.float64)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        if not np.isfinite(rows).all() or not lengths.all():
            raise DataError(f"model {self.name}: an embedding is not finite, or has no length")
        unit: NDArray[np.float32] = (rows / lengths).astype(np.float32)
        return unit


def open_clap(spec: ModelSpec, device: str) -> Clap:
    """Load CLAP from a local folder or the cache of the hub, without using the network.

    Parameters
    ----------
    spec : a model whose source kind is `local` or `hub`; CLAP has the attention "eager" alone.
    device : a torch device, such as "cpu" or "cuda:0".

    Returns
    -------
    Clap
        Its revision is the hub's commit, or 64 hex digits over a local folder's files.

    Raises
    ------
    ModelError
        When the checkpoint is missing, incomplete or unreadable, when weights would be left
        random, or when it is no model of clips and texts.
    """
    folder = checkpoint_folder(spec)
    model, processor, facts = from_folder(spec, folder, device, "AutoModel")
    lacking = [part for part in _PARTS if getattr(processor, part, None) is None]
    lacking += [method for method in _METHODS if not hasattr(model, method)]
    if lacking:
        raise ModelError(
            f"model {spec.name}: expected CLAP, found {type(model).__name__} with "
            f"{type(processor).__name__}, which lack {', '.join(lacking)}"
        )
    check_weights(spec.name, facts)
    hub = spec.source["kind"] == "hub"
    return Clap(
        model,
        processor,
        name=str(spec.source["id"]) if hub else spec.name,
        revision=str(spec.source["revision"]) if hub else ids.digest(content_digests(spec)),
    )


def similarities(
    clap: Clap,
    dataset: Dataset,
    audio_root: Path,
    *,
    cache: Path | None = None,
    template: str = TEMPLATE,
    batch_size: int = 8,
    tick: Callable[[int], None] = lambda done: None,
) -> NDArray[np.float32]:
    """Compare every clip of a data set with the text of every class.

    Parameters
    ----------
    clap : the model.
    dataset : as `harness.data.esc50.esc50` reads it; its examples have one clip and all classes.
    audio_root : the folder of the clips.
    cache : a folder for the texts' embeddings (see `harness.data.label_cache`), or None.
    template : a text with {label}.
    batch_size : clips at once, at least 1.
    tick : told after each batch how many clips are done.

    Returns
    -------
    array of float32, shape (examples, labels)
        Cosines, rows in the order of the examples, columns in that of their choices.

    Raises
    ------
    DataError
        For examples without one clip or with different choices, a batch size below 1, embeddings
        in `cache` of something else, and as `open_clip` and the model do.
    """
    labels = {example.choices for example in dataset.examples}
    if len(labels) != 1 or any(len(e.media) != 1 for e in dataset.examples) or batch_size < 1:
        raise DataError(
            f"{dataset.name}/{dataset.split}: expected examples of one clip and the same choices, "
            f"and batches of at least 1, found {len(labels)} sets of choices, batches of "
            f"{batch_size}"
        )
    texts = _texts(clap, labels.pop(), template, cache)
    rows = []
    for start in range(0, len(dataset.examples), batch_size):
        part = dataset.examples[start : start + batch_size]
        opened = [open_clip(e.media[0], audio_root, clap.rate_hz) for e in part]
        rows.append(clap.clips(opened) @ texts.T)
        tick(start + len(part))
    return np.concatenate(rows)


def _texts(
    clap: Clap, labels: tuple[str, ...], template: str, cache: Path | None
) -> NDArray[np.float32]:
    prompts = label_prompts(labels, template)
    if cache is None:
        return clap.texts(prompts)
    binding = Binding(model=clap.name, revision=clap.revision, template=template, labels=labels)
    found = load_embeddings(cache, binding)
    if found is None:
        found = clap.texts(prompts)
        save_embeddings(cache, binding, found)
    return found


__all__ = ["Clap", "open_clap", "similarities"]
