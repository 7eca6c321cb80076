"""A tier is a sample of examples: the same in every process, nested in every larger one."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from harness.types import Example


def select(examples: Sequence[Example], n: int | None, base_seed: int) -> tuple[Example, ...]:
    """The tier's examples, in the order of the data set.

    The `n` first by SHA-256 of seed and id: a smaller sample is contained in a larger one,
    and the choice depends on neither the order of the file nor the process. `n` of None or
    beyond the size takes all.
    """
    if n is None or n >= len(examples):
        return tuple(examples)
    order = sorted(
        examples,
        key=lambda e: sha256(f"{base_seed}\x1f{e.id}".encode("utf-8", "surrogatepass")).digest(),
    )
    chosen = {e.id for e in order[:n]}
    return tuple(e for e in examples if e.id in chosen)
