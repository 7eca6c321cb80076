"""From a study's model to a generator, and the pool that keeps at most one loaded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from harness.errors import ModelError
from harness.models.base import Generator
from harness.models.fingerprint import replay_entry
from harness.types import Dataset, Example, ModelSpec

Fit = Callable[[], Sequence[Example]]
KINDS = {
    "generative": ("hub", "local", "replay", "baseline", "fake", "endpoint"),
    "reward": ("hub", "local", "replay", "fake"),
}


def open_model(
    spec: ModelSpec, dataset: Dataset, device: str, n_threads: int, fit: Fit | None = None
) -> Generator:
    """Open a model for one data set.

    Parameters
    ----------
    spec : a generative or a reward model; `spec.source["kind"]` says how it is opened.
    dataset : the whole split that the requests will come from.
    device : a torch device, such as "cpu" or "cuda:0"; only checkpoints use it.
    n_threads : CPU threads of torch while the model is open, at least 1.
    fit : gives the labelled examples of the split that `spec.source["fit"]` names; needed by
        the majority baseline alone.

    Raises
    ------
    ModelError
        When the model cannot be opened; the message says what is missing and what to do.
    DataError
        When a prediction file cannot be read.
    """
    kinds = KINDS.get(spec.family)
    if kinds is None:
        raise ModelError(
            f"model {spec.name}: expected family {' or '.join(KINDS)}, found {spec.family!r}; "
            "only models that answer with text or score candidates can be asked"
        )
    if spec.source.get("kind") not in kinds:
        raise ModelError(
            f"model {spec.name}: expected source.kind of a {spec.family} model to be one of "
            f"{', '.join(kinds)}; found {spec.source.get('kind')!r}"
        )
    match spec.source["kind"]:
        case "local" | "hub" if spec.family == "reward":
            from harness.models.reward import open_reward

            return open_reward(spec, device, n_threads)
        case "local" | "hub":
            from harness.models.hf import open_hf

            return open_hf(spec, device, n_threads)
        case "replay":
            return _open_replay(spec, dataset)
        case "baseline":
            return _open_baseline(spec, dataset, fit)
        case "endpoint":
            from harness.models.endpoint import open_endpoint

            return open_endpoint(spec)
    from harness.models.fake import Fake

    return Fake(spec.source, dataset)


def _open_replay(spec: ModelSpec, dataset: Dataset) -> Generator:
    from harness.models.predictions import read_predictions
    from harness.models.replay import Replay

    entry = replay_entry(spec, dataset.name)
    predictions = read_predictions(Path(entry["path"]), entry.get("where", {}))
    return Replay(predictions, dataset, allow_extra=bool(spec.source.get("allow_extra", False)))


def _open_baseline(spec: ModelSpec, dataset: Dataset, fit: Fit | None) -> Generator:
    from harness.models.baseline import Majority, Uniform

    match spec.source.get("name"):
        case "random":
            return Uniform()
        case "majority":
            split = spec.source.get("fit")
            if split == dataset.split:
                raise ModelError(
                    f"model {spec.name}: source.fit is {split!r}, the split that is evaluated; a "
                    "baseline fitted on it would know the answers"
                )
            if fit is None:
                raise ModelError(
                    f"model {spec.name}: the majority baseline needs the examples of split "
                    f"{split!r} of data set {dataset.name!r}, and none were given"
                )
            return Majority(fit(), dataset)
        case name:
            raise ModelError(
                f"model {spec.name}: expected source.name to be majority or random, found {name!r}"
            )


class ModelPool:
    """Holds at most one open model, since two may not fit on the device.

    Use it as a context manager, or call `close`.
    """

    def __init__(self) -> None:
        self._open: Generator | None = None
        self._key: tuple[ModelSpec, tuple[str, str, str], str, int] | None = None

    def get(
        self, spec: ModelSpec, dataset: Dataset, device: str, n_threads: int, fit: Fit | None = None
    ) -> Generator:
        """The open model when it is the one asked for; else the old is closed, this one opened.

        Parameters and errors as for `open_model`. A checkpoint or endpoint stays open from one
        data set to the next; the other kinds belong to one data set.
        """
        data = (dataset.name, dataset.split, dataset.fingerprint)
        if spec.source.get("kind") in ("local", "hub", "endpoint"):
            data = ("", "", "")
        key = (spec, data, device, n_threads)
        if self._open is None or self._key != key:
            self.close()
            self._open = open_model(spec, dataset, device, n_threads, fit)
            self._key = key
        return self._open

    def close(self) -> None:
        """Close the open model, if any, and free its memory."""
        last, self._open, self._key = self._open, None, None
        if last is not None:
            last.close()

    def __enter__(self) -> ModelPool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def device_kind(device: str) -> str:
    """The kind of a torch device: "cpu", or the card's name."""
    if device == "cpu":
        return device
    import torch

    return torch.cuda.get_device_name(device)


def count_cuda() -> int:
    """How many CUDA devices this process may use; 0 where torch has none."""
    import torch

    return torch.cuda.device_count()


__all__ = ["KINDS", "Fit", "ModelPool", "count_cuda", "device_kind", "open_model"]
