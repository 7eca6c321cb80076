"""Examples checked and fingerprinted before any model is loaded."""

from __future__ import annotations

import hashlib
import string
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from harness import ids
from harness.errors import DataError
from harness.scoring import gold_fault
from harness.types import Example

if TYPE_CHECKING:
    from PIL.Image import Image

LETTERS = string.ascii_uppercase
_YES_NO = ("yes", "no")


def fingerprint(examples: Sequence[Example]) -> str:
    """Hash all examples of a split, whatever their order.

    Parameters
    ----------
    examples : the whole split, media hashes included; ids must be unique (see `check`).

    Returns
    -------
    str
        64 hex digits; an empty sequence has a fingerprint too (that of an empty list).

    Examples
    --------
    >>> a = Example(id="a", kind="text", question="?", gold="x")
    >>> b = Example(id="b", kind="text", question="?", gold="y")
    >>> fingerprint([a, b]) == fingerprint([b, a])
    True
    """
    return ids.digest(sorted(examples, key=lambda e: e.id))


def pixel_digest(image: Image) -> str:
    """Hash a picture by its RGB pixels and its size, independent of any file format.

    Parameters
    ----------
    image : any mode; it is converted to RGB first, so the same picture as greyscale and as
        RGB has one digest.

    Returns
    -------
    str
        64 hex digits of SHA-256 over "WIDTHxHEIGHT:" and the row-major RGB bytes.
    """
    width, height = image.size
    payload = f"{width}x{height}:".encode("ascii") + image.convert("RGB").tobytes()
    return hashlib.sha256(payload).hexdigest()


def check(examples: Sequence[Example], where: str) -> None:
    """Raise one error that lists every fault of a split, sorted.

    Faults: no example at all; an id that occurs twice; a gold answer that is not the letter
    of one of the choices (kind `choice`) or not "yes" or "no" (kind `yesno`), or that would
    not be scored as right if a model gave it (other kinds but `retrieval`); a choice that
    occurs twice in one example; more choices than letters.

    Parameters
    ----------
    examples : the split as read.
    where : the data set and split, for the message.

    Raises
    ------
    DataError
        Naming `where`, each faulty example, what was expected and what was found.
    """
    faults = [] if examples else ["the split is empty: at least one example is expected"]
    for name, count in Counter(e.id for e in examples).items():
        if count > 1:
            faults.append(f"{name}: the id occurs {count} times, ids must be unique")
    for example in examples:
        faults += _faults(example)
    if faults:
        lines = "\n".join(f"  {fault}" for fault in sorted(faults))
        raise DataError(f"{where}: {len(faults)} fault(s); correct the data or its reader\n{lines}")


def _faults(example: Example) -> list[str]:
    faults = []
    for choice, count in Counter(example.choices).items():
        if count > 1:
            faults.append(f"{example.id}: choice {choice!r} occurs {count} times")
    if example.kind == "choice":
        if len(example.choices) > len(LETTERS):
            faults.append(f"{example.id}: {len(example.choices)} choices, at most {len(LETTERS)}")
        allowed: tuple[str, ...] = tuple(LETTERS[: len(example.choices)])
    elif example.kind == "yesno":
        allowed = _YES_NO
    else:
        fault = "" if example.kind == "retrieval" else gold_fault(example)
        return [*faults, f"{example.id}: {fault}"] if fault else faults
    if example.gold not in allowed:
        expected = ", ".join(allowed) or "a letter, but the example has no choices"
        faults.append(f"{example.id}: gold {example.gold!r}, expected one of: {expected}")
    return faults


__all__ = ["LETTERS", "check", "fingerprint", "pixel_digest"]
