"""Models behind an OpenAI-compatible endpoint: chat completions with pictures as data URLs."""

from __future__ import annotations

import base64
import io
import os
import re
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from harness.errors import ModelError
from harness.models.turn import shrink
from harness.types import Decoding, ModelSpec, Reply, Request, Status

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_WAIT_S = 60.0
_TRY_AGAIN = (408, 409, 429)
_SERVER = 500
_NOT_ALLOWED = (401, 403, 404)
_NO_ACCESS = (401, 403)
_URL = re.compile(r"\b[A-Za-z][A-Za-z0-9+.-]*://\S+")
_MAX_CHARS = 200
# What is no longer is no secret, but "none" or a word.
_SHORTEST_HIDDEN = 4
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
    try:
        import openai
    except ImportError as error:
        raise ModelError(
            f"model {spec.name}: an endpoint needs the package openai; install this project with "
            "its extra `judge`"
        ) from error
    variable = spec.source.get("api_key_env")
    key = os.environ.get(variable, "") if variable else "none"
    if not key:
        raise ModelError(
            f"model {spec.name}: expected the environment variable {variable} to hold the "
            "endpoint's key, found it unset or empty"
        )
    client = openai.OpenAI(
        base_url=spec.source["base_url"],
        api_key=key,
        timeout=float(spec.source.get("timeout_s", 60.0)),
        max_retries=0,  # its own waits draw from the global generator
    )
    return Endpoint(client, spec)


class Endpoint:
    """A served model that answers requests, a batch at a time in parallel, at most 16.

    Greedy decoding is sent as temperature 0; the request's seed is sent too, for services
    that use it. Whether equal requests get equal answers is the service's affair: a stored
    answer is kept, never asked for again.
    """

    def __init__(self, client: Any, spec: ModelSpec) -> None:
        self._client = client
        self._spec = spec
        self._source = spec.source
        address = urlsplit(str(spec.source["base_url"]))
        known = (str(getattr(client, "api_key", "") or ""), address.netloc, address.hostname or "")
        self._hidden = tuple(text for text in known if len(text) > _SHORTEST_HIDDEN)

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
        self._client.close()

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
        import openai

        pictures = [shrink(image, self._spec.max_image_side_px) for image in request.images]
        content: list[dict[str, Any]] = [
            {"type": "image_url", "image_url": {"url": data_url(image)}} for image in pictures
        ]
        content.append({"type": "text", "text": request.prompt})
        n_attempts = int(self._source.get("n_attempts", 5))
        reason, wait_s = "", float(self._source.get("backoff_s", 1.0))
        for attempt in range(n_attempts):
            if attempt:
                time.sleep(min(wait_s, MAX_WAIT_S))
                wait_s *= 2
            try:
                found = self._client.chat.completions.create(
                    **options, messages=[{"role": "user", "content": content}], seed=request.seed
                )
            except openai.APITimeoutError:
                reason = f"no answer within {self._source.get('timeout_s', 60.0):g} s"
            except openai.APIConnectionError:
                reason = "no connection"
            except openai.APIStatusError as error:
                reason = _told(error, self._hidden)
                if error.status_code in _NOT_ALLOWED:
                    raise ModelError(
                        f"model {self._spec.name}: the endpoint refuses it ({reason}); check "
                        "source.model, source.base_url and the key's variable"
                    ) from None  # the cause repeats what the service says, key and all
                if error.code == "content_filter":
                    return Reply(text="", status="refused")
                if error.status_code not in _TRY_AGAIN and error.status_code < _SERVER:
                    return Reply(text=None, status="error", error=f"endpoint: {reason}")
                wait_s = max(wait_s, _retry_after_s(error))
            # The client raises what its parser raises for an answer that is no JSON.
            except (openai.OpenAIError, ValueError, TypeError):
                reason = "an answer that is no JSON"
            else:
                reply = _read(found)
                if isinstance(reply, Reply):
                    return reply
                reason = reply
        return f"endpoint: {reason} ({n_attempts} attempts)"


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


def _told(error: Any, hidden: Sequence[str]) -> str:
    """The HTTP status, and for a fault of the request what the service says of it.

    Services repeat the key (in whole or in part) where they refuse it, and their own address.
    """
    body = error.body if isinstance(error.body, Mapping) else {}
    # What it says of its own state differs from one time to the next.
    steady = error.status_code < _SERVER and error.status_code not in (*_TRY_AGAIN, *_NO_ACCESS)
    said = body.get("message") if steady else None
    text = f"HTTP {error.status_code}"
    if not isinstance(said, str) or not said:
        return text
    said = _URL.sub("<address>", said)
    for part in hidden:
        said = said.replace(part, "<hidden>")
    return f"{text}: {said[:_MAX_CHARS]}"


def _retry_after_s(error: Any) -> float:
    value = error.response.headers.get("retry-after", "")
    return float(value) if value.isdecimal() else 0.0


__all__ = ["MAX_WAIT_S", "Endpoint", "EndpointFailure", "data_url", "open_endpoint"]
