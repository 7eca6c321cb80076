"""The stored form of a response: what a line may hold, and which responses are failures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

from harness.segments import damaged
from harness.types import Response, Status

FAILED: tuple[Status, ...] = ("oom", "error")
_RESPONSE_FIELDS = tuple(f.name for f in fields(Response))


def parse_response(value: Mapping[str, Any], path: Path, number: int, line: bytes) -> Response:
    """A response from one line's object; `StoreError` by file and number for anything else."""
    if not _is_response(value):
        raise damaged(path, number, f"the fields {', '.join(_RESPONSE_FIELDS)}", line)
    return Response(**value)


def _is_response(value: Mapping[str, Any]) -> bool:
    if value.keys() != set(_RESPONSE_FIELDS) or value["status"] not in get_args(Status):
        return False
    text_is_right = (value["text"] is None) == (value["status"] in FAILED)
    return (
        text_is_right
        and isinstance(value["example_id"], str)
        and isinstance(value["text"], str | None)
        and isinstance(value["error"], str | None)
        and isinstance(value["n_tokens"], int | None)
        and all(type(value[name]) is int for name in ("replicate", "seed", "attempt"))
    )


__all__ = ["FAILED", "parse_response"]
