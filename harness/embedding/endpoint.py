"""Vectors from an OpenAI-compatible endpoint: /embeddings, with retries and no secret told."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from harness.embedding.base import Embedded, EmbedderIdentity, refuse_empty, unit
from harness.errors import DataError, ModelError, StudyError
from harness.models.client import Refused, Service, open_client

# Tokenizers of embedding models need no fewer bytes for a token, over a whole text.
_BYTES_PER_TOKEN = 3
_NEEDED = ("base_url", "model", "revision", "dimensions", "max_tokens", "threshold")
_OPTIONAL = {
    "label": "endpoint",
    "api_key_env": None,
    "prompt": "",
    "dtype": "unknown",
    "batch_size": 64,
    "timeout_s": 60.0,
    "n_attempts": 5,
    "backoff_s": 1.0,
    "send_dimensions": False,
}


def open_endpoint(spec: Mapping[str, Any]) -> EndpointEmbedder:
    """Make a client for a served embedder; nothing is sent yet.

    Parameters
    ----------
    spec : `base_url` ends before /embeddings; `model` is the served name and `revision` what its
        operator states of the weights; `dimensions` and `max_tokens` are the model's, and
        `threshold` the cosine that was measured for it. Optional: `label` names the service in
        reports, which never hold the address; `api_key_env` names the environment variable that
        holds the key (none for a server without one); `prompt` is put before each text;
        `dtype`; `batch_size` texts go in one request; `timeout_s` is of one request, `n_attempts`
        of them are made, and the waits between them start at `backoff_s` and double;
        `send_dimensions` asks for vectors that are shortened to `dimensions`.

    Raises
    ------
    StudyError
        For an entry that is missing, unknown or out of range.
    ModelError
        When the package openai is not installed, or the variable of the key is not set.
    """
    given = {key: value for key, value in spec.items() if key != "kind"}
    missing = [key for key in _NEEDED if key not in given]
    unknown = sorted(given.keys() - {*_NEEDED, *_OPTIONAL})
    if missing or unknown:
        raise StudyError(
            f"embedder endpoint: expected {', '.join(_NEEDED)}, and of the optional ones "
            f"{', '.join(_OPTIONAL)}; missing: {', '.join(missing) or 'none'}; unknown: "
            f"{', '.join(unknown) or 'none'}"
        )
    settings = {**_OPTIONAL, **given}
    for name in ("dimensions", "max_tokens", "batch_size", "n_attempts"):
        value = settings[name]
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise StudyError(
                f"embedder endpoint: {name}: expected a whole number from 1, found {value!r}"
            )
    for name in ("timeout_s", "backoff_s", "threshold"):
        value = settings[name]
        if type(value) not in (int, float) or not 0 <= value < math.inf:
            raise StudyError(
                f"embedder endpoint: {name}: expected a number of at least 0, found {value!r}"
            )
    if not 0 < settings["threshold"] <= 1:
        raise StudyError(
            "embedder endpoint: threshold: expected a cosine in (0, 1], found "
            f"{settings['threshold']!r}"
        )
    address, timeout_s = str(settings["base_url"]), float(settings["timeout_s"])
    client = open_client("embedder endpoint", address, settings["api_key_env"], timeout_s)
    attempts = int(settings["n_attempts"]), float(settings["backoff_s"])
    return EndpointEmbedder(Service(client, address, timeout_s, *attempts), settings)


class EndpointEmbedder:
    """A served embedder. Whether a text was cut there is estimated, never taken for no."""

    def __init__(self, service: Service, settings: Mapping[str, Any]) -> None:
        self._service = service
        self._settings = settings
        self.threshold = float(settings["threshold"])
        self.identity = EmbedderIdentity(
            name=str(settings["label"]),
            model=str(settings["model"]),
            revision=str(settings["revision"]),
            weights=None,
            prompt=str(settings["prompt"]),
            dtype=str(settings["dtype"]),
            max_tokens=settings["max_tokens"],
            dimensions=settings["dimensions"],
        )

    def embed(self, texts: Sequence[str]) -> Embedded:
        """One vector for each text, brought to length 1.

        `truncated` is an estimate, by three bytes for a token; `estimated` says so.

        Raises
        ------
        DataError
            For a text without a letter or digit, and for vectors of other dimensions, zeros and
            values that are not finite.
        ModelError
            Where the service refuses the key or the model, or gave no usable answer after every
            attempt. What a cache has stored before is kept.
        """
        refuse_empty(texts, f"embedder {self.identity.name}")
        size = int(self._settings["batch_size"])
        found = [np.zeros((0, self.identity.dimensions), np.float32)]
        for begin in range(0, len(texts), size):
            found.append(self._batch(texts[begin : begin + size], begin))
        n_bytes = np.array([len(t.encode("utf-8", "replace")) for t in texts], np.int64)
        cut = n_bytes > _BYTES_PER_TOKEN * int(self._settings["max_tokens"])
        return Embedded(np.concatenate(found), cut, np.ones(len(texts), bool))

    def close(self) -> None:
        """Close the connections; may be called twice."""
        self._service.close()

    def _batch(self, texts: Sequence[str], begin: int) -> Any:
        what = f"embedder {self.identity.name}"
        prompt = self.identity.prompt
        vectors = self._ask([prompt + t.encode("utf-8", "replace").decode() for t in texts], begin)
        sizes = {len(vector) for vector in vectors}
        if sizes != {self.identity.dimensions}:
            raise DataError(
                f"{what}: expected vectors of {self.identity.dimensions} dimensions, found "
                f"{', '.join(map(str, sorted(sizes)))}; state the model's own"
            )
        return unit(vectors, f"{what}, from text {begin}")

    def _ask(self, texts: list[str], begin: int) -> list[list[float]]:
        """The vectors of one request; retried where another try may help."""
        options: dict[str, Any] = {"model": self.identity.model, "encoding_format": "float"}
        if self._settings["send_dimensions"]:
            options["dimensions"] = self.identity.dimensions
        what = f"embedder {self.identity.name}"
        create = self._service.client.embeddings.create
        try:
            found = self._service.ask(
                lambda: create(input=texts, **options), lambda answer: _read(answer, len(texts))
            )
        except Refused as refused:
            if refused.forbidden:
                raise ModelError(
                    f"{what}: the endpoint refuses it ({refused}); check model, base_url and the "
                    "key's variable"
                ) from None
            raise ModelError(
                f"{what}: the endpoint refuses texts {begin} to {begin + len(texts) - 1} of this "
                f"call ({refused}); vectors made before are kept in the cache"
            ) from None
        if isinstance(found, str):
            raise ModelError(
                f"{what}: {found}; vectors made before are kept in the cache, so run again"
            )
        return found


def _read(found: Any, count: int) -> list[list[float]] | str:
    """The vectors of an answer, in the order of the texts, or what is wrong with it."""
    wrong = f"an answer without one vector of numbers for each of {count} texts"
    data = getattr(found, "data", None)
    if not isinstance(data, list) or len(data) != count:
        return wrong
    by_place = {getattr(one, "index", None): getattr(one, "embedding", None) for one in data}
    if by_place.keys() != set(range(count)):
        return wrong
    vectors = []
    for place in range(count):
        vector = by_place[place]
        if not isinstance(vector, list) or not all(type(x) in (int, float) for x in vector):
            return wrong
        vectors.append(vector)
    return vectors


__all__ = ["EndpointEmbedder", "open_endpoint"]
