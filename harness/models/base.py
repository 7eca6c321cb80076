"""What a model is to the rest: replies for requests, and the two failures it may announce."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from harness.types import Decoding, Reply, Request


class OutOfMemory(Exception):
    """The batch as a whole did not fit; nothing of it was generated."""


class Hung(Exception):
    """No reply came within the time allowed for one batch."""


class Generator(Protocol):
    """A loaded model.

    `generate` returns one reply per request, in the order of the requests, whatever the
    size of the batch, and raises `OutOfMemory` for the batch as a whole. It leaves the
    environment and every global random generator as it found them. `close` frees the
    device; a closed model is not used again. A model may have `peak_memory_gib`, the highest
    device memory during its last call (None where not known).
    """

    def generate(self, requests: Sequence[Request], decoding: Decoding) -> list[Reply]: ...

    def close(self) -> None: ...


__all__ = ["Generator", "Hung", "OutOfMemory"]
