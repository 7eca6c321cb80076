"""The fields of an endpoint judge, checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from harness.contamination.judges.prompt import MOST_CHARS, VERSION
from harness.errors import DataError


@dataclass(frozen=True, kw_only=True)
class EndpointSpec:
    """What an endpoint judge is opened with.

    Parameters
    ----------
    base_url : ends before /chat/completions; stored nowhere.
    model, revision : the served name, and what its operator states of the weights.
    name : in tables; the model's if empty.
    label : names the service in records.
    api_key_env : environment variable that holds the key; empty for a server without one.
    token_field : what the service calls its token budget.
    timeout_s, n_attempts, backoff_s : of one request; attempts for a pair; first wait between
        them, which doubles up to 60 s and is never below the service's Retry-After.
    max_tokens, temperature : of a reply; None is temperature 0.
    concurrency : requests on their way at once, 1 to 64.
    max_requests, max_tokens_total : what may be spent, attempts and earlier runs of the same
        store included; None for no limit.
    max_failures : so many pairs in a row without any answer stop the run.
    max_chars : a pair with a longer text is not asked and left undecided.
    """

    base_url: str
    model: str
    revision: str | None = None
    name: str = ""
    label: str = "endpoint"
    api_key_env: str = ""
    token_field: str = "max_tokens"
    timeout_s: float = 60.0
    n_attempts: int = 5
    backoff_s: float = 1.0
    max_tokens: int = 512
    temperature: float | None = None
    concurrency: int = 8
    max_requests: int | None = None
    max_tokens_total: int | None = None
    max_failures: int = 10
    max_chars: int = MOST_CHARS

    def __post_init__(self) -> None:
        for field in ("base_url", "model", "label", "token_field"):
            value = getattr(self, field)
            if not isinstance(value, str) or not value.strip():
                raise DataError(f"judge: {field}: expected a text, found {value!r}")
        for field, low, high in (
            *(("n_attempts", 1, 100), ("max_tokens", 1, 10**6), ("concurrency", 1, 64)),
            *(("max_requests", 0, 2**53), ("max_tokens_total", 0, 2**53)),
            *(("max_failures", 1, 2**53), ("max_chars", 1, 10**9)),
        ):
            value = getattr(self, field)
            if value is None and field in ("max_requests", "max_tokens_total"):
                continue
            if type(value) is not int or not low <= value <= high:
                raise DataError(f"judge: {field}: expected {low} to {high}, found {value!r}")
        for field in ("timeout_s", "backoff_s", "temperature"):
            value = getattr(self, field)
            if value is None and field == "temperature":
                continue
            if type(value) not in (int, float) or not 0 <= value <= 3600:
                raise DataError(f"judge: {field}: expected 0 to 3600, found {value!r}")

    @property
    def identity(self) -> dict[str, Any]:
        """All that decides what is asked of a pair; part of every stored key."""
        return {
            "kind": "endpoint",
            "label": self.label,
            "model": self.model,
            "revision": self.revision,
            "prompt": VERSION,
            "max_tokens": self.max_tokens,
            "temperature": float(self.temperature or 0),
        }


__all__ = ["EndpointSpec"]
