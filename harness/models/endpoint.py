"""Models behind an OpenAI-compatible endpoint: chat completions with pictures as data URLs."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from harness.errors import ModelError
from harness.models.client import Refused, Service, open_client
from harness.models.turn import shrink
from harness.types import Decoding, ModelSpec, Reply, Request, Status

if TYPE_CHECKING:
    from PIL.Image import Image

_MAX_PARALLEL = 16
_STATUS: Mapping[str, Status] = {"stop": "ok", "length": "truncated", "content_filter": "refused"}


class EndpointFailure(Exception):
    """No request of a batch was answered; the message names the last reason."""


def open_endpoint(spec: ModelSpec) -> Endpoint:
    """Make a client for a served model; nothing is sent yet.

    Parameters
    ----------
    spec : of `source.kind` endpoint. `base_url` ends before /chat/completions; `label` names
        the service in records and keys, which never hold the address; `model` is the served
        name and `revision` what its operator states of the weights; `api_key_env` names the
        environment variable that holds the key (None for a server without one); `token_field`
        is how the service calls its token budget; `timeout_s` is of one request, `n_attempts`
        of them are made and the waits between them start at `backoff_s` and double.

    Raises
    ------
    ModelError
        When the package openai is not installed (the extra `judge` brings it), or the variable
        of the key is not set.
    """
    variable = spec.source.get("api_key_env")
    address = spec.source["base_url"]
    client = open_client(f"model {spec.name}", address, variable, _timeout_s(spec))
    return Endpoint(client, spec)


class Endpoint:
    """A served model that answers requests, a batch at a time in parallel, at most 16.

    Greedy decoding is sent as temperature 0; the request's seed is sent too, for services
    that use it. Whether equal requests get equal answers is the service's affair: a stored
    answer is kept, never asked for again.
    """

    def __init__(self, client: Any, spec: ModelSpec) -> None:
        self._spec = spec
        self._source = spec.source
        self._service = Service(
            client,
            str(spec.source["base_url"]),
            _timeout_s(spec),
            int(spec.source.get("n_attempts", 5)),
            float(spec.source.get("backoff_s", 1.0)),
        )

    def generate(self, requests: Sequence[Request], decoding: Decoding) -> list[Reply]:
        """Answer each request, in order.

        Returns
        -------
        list of Reply
            `truncated` where the budget ran out, `refused` where the service or the model
            declined, `error` where no usable answer came, with the HTTP status or what was
            wrong with the answer; an error is never an answer.

        Raises
        ------
        ModelError
            For decoding that the protocol has no field for (top_k, a repetition penalty), and
            where the service does not know the key or the model (401, 403, 404).
        EndpointFailure
            When every request of the batch failed for reasons that lie with the service.
        """
        if not requests:
            return []
        options = self._options(decoding)
        pool = ThreadPoolExecutor(min(len(requests), _MAX_PARALLEL), thread_name_prefix="assay-ask")
        try:
            found = list(pool.map(lambda request: self._ask(request, options), requests))
        finally:
            # A batch that took too long is left: its requests end by their own time limit.
            pool.shutdown(wait=False, cancel_futures=True)
        if all(isinstance(reply, str) for reply in found):
            raise EndpointFailure(str(found[-1]))
        return [
            Reply(text=None, status="error", error=reply) if isinstance(reply, str) else reply
            for reply in found
        ]

    def close(self) -> None:
        """Close the connections; may be called twice."""
        self._service.close()

    def _options(self, decoding: Decoding) -> dict[str, Any]:
        sampled = not decoding.greedy
        foreign = ["repetition_penalty"] if decoding.repetition_penalty != 1.0 else []
        foreign += ["top_k"] if sampled and decoding.top_k is not None else []
        if foreign:
            raise ModelError(
                f"model {self._spec.name}: chat completions have no field for "
                f"{' and '.join(foreign)}; leave it out of the decoding of this model"
            )
        field = self._source.get("token_field", "max_tokens")
        options: dict[str, Any] = {
            "model": self._source["model"],
            field: decoding.max_new_tokens,
            "temperature": decoding.temperature if sampled else 0.0,
        }
        if sampled and decoding.top_p is not None:
            options["top_p"] = decoding.top_p
        return options

    def _ask(self, request: Request, options: Mapping[str, Any]) -> Reply | str:
        """A reply, or why the service gave none after every attempt."""
        pictures = [shrink(image, self._spec.max_image_side_px) for image in request.images]
        content: list[dict[str, Any]] = [
            {"type": "image_url", "image_url": {"url": data_url(image)}} for image in pictures
        ]
        content.append({"type": "text", "text": request.prompt})
        said = {"messages": [{"role": "user", "content": content}], "seed": request.seed}
        create = self._service.client.chat.completions.create
        try:
            found = self._service.ask(lambda: create(**options, **said), _read)
        except Refused as refused:
            if refused.forbidden:
                raise ModelError(
                    f"model {self._spec.name}: the endpoint refuses it ({refused}); check "
                    "source.model, source.base_url and the key's variable"
                ) from None
            if refused.filtered:
                return Reply(text="", status="refused")
            return Reply(text=None, status="error", error=f"endpoint: {refused}")
        return f"endpoint: {found}" if isinstance(found, str) else found


def data_url(image: Image) -> str:
    """A picture as a PNG data URL; no pixel is lost.

    Examples
    --------
    >>> from PIL import Image
    >>> data_url(Image.new("RGB", (1, 1)))[:22]
    'data:image/png;base64,'
    """
    buffer = io.BytesIO()
    image.save(buffer, format="PNG")
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode("ascii")


def _read(found: Any) -> Reply | str:
    """The reply of one completion, or what is wrong with it."""
    choices = getattr(found, "choices", None)
    if not isinstance(choices, list) or not choices:
        return "an answer without choices"
    message, reason = (getattr(choices[0], name, None) for name in ("message", "finish_reason"))
    text, refusal = getattr(message, "content", None), getattr(message, "refusal", None)
    n_tokens = getattr(getattr(found, "usage", None), "completion_tokens", None)
    if isinstance(refusal, str) and refusal:
        return Reply(text=refusal, status="refused", n_tokens=_count(n_tokens))
    status = _STATUS.get(str(reason))
    if status == "refused":
        return Reply(text=text if isinstance(text, str) else "", status="refused")
    if status is None or not isinstance(text, str):
        return f"an answer without text (finish_reason {reason!s:.40})"
    return Reply(text=text, status=status, n_tokens=_count(n_tokens))


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _timeout_s(spec: ModelSpec) -> float:
    return float(spec.source.get("timeout_s", 60.0))


__all__ = ["Endpoint", "EndpointFailure", "data_url", "open_endpoint"]
