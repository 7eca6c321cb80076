"""A client of an OpenAI-compatible service: opened, asked patiently, and no secret told."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

from harness.errors import ModelError

MAX_WAIT_S = 60.0
_TRY_AGAIN = (408, 409, 429)
_SERVER = 500
_NOT_ALLOWED = (401, 403, 404)
_NO_ACCESS = (401, 403)
_FILTERED = "content_filter"
_URL = re.compile(r"\b[A-Za-z][A-Za-z0-9+.-]*://\S+")
_MAX_CHARS = 200
# What is no longer is no secret, but "none" or a word.
_SHORTEST_HIDDEN = 4

_T = TypeVar("_T")


class Refused(Exception):
    """No further try can help; the message is the HTTP status, perhaps with what was said.

    Attributes
    ----------
    forbidden : the service does not know the key or the model (401, 403, 404).
    filtered : it will not answer this content.
    """

    def __init__(self, reason: str, *, forbidden: bool, filtered: bool) -> None:
        super().__init__(reason)
        self.forbidden = forbidden
        self.filtered = filtered


def open_client(what: str, base_url: str, api_key_env: str | None, timeout_s: float) -> Any:
    """Open a client of the package `openai`; nothing is sent yet.

    Parameters
    ----------
    what : is named in messages, such as "model judge".
    base_url : of the service.
    api_key_env : environment variable that holds the key; None or "" for a service without one.
    timeout_s : of one request.

    Raises
    ------
    ModelError
        When the package is not installed (the extra `judge` brings it), or the variable is not
        set.
    """
    try:
        import openai
    except ImportError as error:
        raise ModelError(
            f"{what}: an endpoint needs the package openai; install this project with its extra "
            "`judge`"
        ) from error
    key = os.environ.get(api_key_env, "") if api_key_env else "none"
    if not key:
        raise ModelError(
            f"{what}: expected the environment variable {api_key_env} to hold the endpoint's key, "
            "found it unset or empty"
        )
    # Its own waits draw from the global generator.
    return openai.OpenAI(base_url=base_url, api_key=key, timeout=timeout_s, max_retries=0)


@dataclass(frozen=True)
class Service:
    """A client, and how patiently it is asked.

    Parameters
    ----------
    client : of `open_client`, or anything with its methods.
    base_url : told to nobody, as the key is.
    timeout_s : of one request, for messages.
    n_attempts : tries of one request, at least 1.
    backoff_s : wait before the second; it doubles up to 60 s, and is never below what the
        service asks for.
    """

    client: Any
    base_url: str
    timeout_s: float
    n_attempts: int
    backoff_s: float

    def ask(self, send: Callable[[], Any], read: Callable[[Any], _T | str]) -> _T | str:
        """Send a request until its answer can be read.

        Parameters
        ----------
        send : sends it once.
        read : what an answer says, or a text on what is wrong with it.

        Returns
        -------
        What `read` gives, or a text: why no attempt gave anything, the last one's reason.

        Raises
        ------
        Refused
            Where another try would not help.
        """
        import openai

        reason, wait_s = "", self.backoff_s
        for attempt in range(self.n_attempts):
            if attempt:
                time.sleep(min(wait_s, MAX_WAIT_S))
                wait_s *= 2
            try:
                found = send()
            except openai.APITimeoutError:
                reason = f"no answer within {self.timeout_s:g} s"
            except openai.APIConnectionError:
                reason = "no connection"
            except openai.APIStatusError as error:
                reason = self._told(error)
                if _is_final(error):
                    forbidden = error.status_code in _NOT_ALLOWED
                    filtered = error.code == _FILTERED
                    # The cause repeats what the service says, key and all.
                    raise Refused(reason, forbidden=forbidden, filtered=filtered) from None
                wait_s = max(wait_s, _retry_after_s(error))
            # The client raises what its parser raises for an answer that is no JSON.
            except (openai.OpenAIError, ValueError, TypeError):
                reason = "an answer that is no JSON"
            else:
                value = read(found)
                if not isinstance(value, str):
                    return value
                reason = value
        return f"{reason} ({self.n_attempts} attempts)"

    def close(self) -> None:
        """Close the connections; may be called twice."""
        self.client.close()

    def _told(self, error: Any) -> str:
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
        address = urlsplit(self.base_url)
        key = str(getattr(self.client, "api_key", "") or "")
        for part in (key, address.netloc, address.hostname or ""):
            if len(part) > _SHORTEST_HIDDEN:
                said = said.replace(part, "<hidden>")
        return f"{text}: {said[:_MAX_CHARS]}"


def _is_final(error: Any) -> bool:
    if error.status_code in _NOT_ALLOWED or error.code == _FILTERED:
        return True
    return error.status_code not in _TRY_AGAIN and bool(error.status_code < _SERVER)


def _retry_after_s(error: Any) -> float:
    value = error.response.headers.get("retry-after", "")
    return float(value) if value.isdecimal() else 0.0


__all__ = ["MAX_WAIT_S", "Refused", "Service", "open_client"]
