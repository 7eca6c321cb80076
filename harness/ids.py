"""Canonical JSON, content hashes, seeds and slugs: how things are named and identified."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from dataclasses import fields, is_dataclass
from pathlib import PurePath
from typing import Any

_SEPARATOR = "\x1f"


def plain(value: Any) -> Any:
    """Reduce records, tuples and mappings to JSON types; anything else is a TypeError."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            raise ValueError("NaN and infinities have no canonical JSON form")
        return value
    if is_dataclass(value) and not isinstance(value, type):
        kept = [(f, getattr(value, f.name)) for f in fields(value)]
        # A field that came later leaves the hashes of all records without it as they were.
        return {
            f.name: plain(v) for f, v in kept if not (f.metadata.get("later") and v == f.default)
        }
    if isinstance(value, dict):
        if not all(isinstance(k, str) for k in value):
            raise TypeError("canonical JSON needs string keys")
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    raise TypeError(f"{type(value).__name__} has no canonical JSON form")


def canonical_json(value: Any) -> str:
    """One text per value: sorted keys, no spaces, ASCII only (so lone surrogates survive).

    >>> canonical_json({"b": 1, "a": (True, None)})
    '{"a":[true,null],"b":1}'
    """
    return json.dumps(
        plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    )


def digest(value: Any) -> str:
    """SHA-256 of the canonical JSON, 64 hex digits."""
    return hashlib.sha256(canonical_json(value).encode("ascii")).hexdigest()


def file_digest(path: str | PurePath) -> str:
    """SHA-256 of a file's bytes, 64 hex digits, read in blocks."""
    with open(path, "rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def seed(base: int, *parts: str | int) -> int:
    """A seed in [0, 2**63 - 1) from a base seed and the parts that name its use.

    First 8 bytes, big-endian, of SHA-256 over base and parts joined by U+001F, modulo
    2**63 - 1 (the published rule of the R1-Onevision robustness study).
    """
    text = _SEPARATOR.join(str(p) for p in (base, *parts))
    raw = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8]
    return int.from_bytes(raw, "big") % (2**63 - 1)


def slug(text: str) -> str:
    """A file- and test-id-safe name: lower-case ASCII letters, digits, '.', '_' and '-'.

    A text that has to be changed gets 6 hex digits of its hash, so that two different
    names never share a slug.
    """
    folded = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    safe = re.sub(r"[^a-z0-9._-]+", "-", folded.lower()).strip("-.") or "x"
    if safe == text:
        return safe
    return f"{safe}-{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:6]}"
