"""What an embedder is: texts in, unit vectors out, and all that the vectors depend on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from harness.audit.tokens import fold
from harness.errors import DataError, StudyError
from harness.ids import digest

_LEAST_LENGTH = 1e-12
_CONTENT = re.compile("[A-Za-z0-9\x80-\U0010ffff]")


@dataclass(frozen=True)
class EmbedderIdentity:
    """All that a vector depends on beside its text.

    Parameters
    ----------
    name : short, for tables: `minilm`.
    model : what it is known by, such as `mixedbread-ai/mxbai-embed-large-v1`.
    revision : commit or version of it; of an endpoint what its operator states.
    weights : SHA-256 over the files of weights; None where there are none to be read.
    prompt : stands before each text; mostly empty.
    dtype : of the computation. Vectors are stored as float32.
    max_tokens : a text is cut there; None for no limit.
    dimensions : of the vectors.
    """

    name: str
    model: str
    revision: str
    weights: str | None
    prompt: str
    dtype: str
    max_tokens: int | None
    dimensions: int

    def fingerprint(self) -> str:
        """SHA-256 of all of it: vectors with different ones are never compared."""
        return digest(self)


@dataclass(frozen=True, eq=False)
class Embedded:
    """Vectors of some texts, in their order.

    Parameters
    ----------
    vectors : (n, d) float32, each of length 1.
    truncated : (n,) bool: the text is longer than the model reads, so its end has no part.
    estimated : (n,) bool: `truncated` was estimated from the text's length, since the tokens of
        an endpoint cannot be counted here.
    """

    vectors: NDArray[np.float32]
    truncated: NDArray[np.bool_]
    estimated: NDArray[np.bool_]


class Embedder(Protocol):
    """Anything that makes vectors of texts."""

    @property
    def identity(self) -> EmbedderIdentity:
        """All that its vectors depend on."""

    @property
    def threshold(self) -> float:
        """The cosine from which two texts are a candidate: of this very model."""

    def embed(self, texts: Sequence[str]) -> Embedded:
        """One vector for each text; raises DataError for a text of which `has_text` is false."""


def has_text(text: str) -> bool:
    """Whether there is anything to embed: a letter or a digit, as stage 1 counts them.

    Examples
    --------
    >>> has_text("v = 3"), has_text("<image> ?")
    (True, False)
    """
    # A list of tokens of a text of 50 MB would take a gigabyte.
    return _CONTENT.search(fold(text)) is not None


def unit(vectors: Any, what: str) -> NDArray[np.float32]:
    """Bring vectors to length 1, in float64.

    Parameters
    ----------
    vectors : (n, d) numbers.
    what : whose they are, for messages.

    Returns
    -------
    (n, d) float32

    Raises
    ------
    DataError
        For values that are not finite and for zeros, naming the place of the text.
    """
    double = np.asarray(vectors, np.float64)
    largest = np.abs(double).max(axis=1, initial=0.0)
    bad = ~np.isfinite(largest) | (largest < _LEAST_LENGTH)
    if bad.any():
        place = int(np.flatnonzero(bad)[0])
        raise DataError(
            f"{what}: text {place} of this call: expected a vector of finite numbers that are not "
            f"all 0, found {'zeros' if largest[place] == 0 else largest[place]}"
        )
    # Squares of large values would overflow.
    double = double / largest[:, None]
    lengths = np.sqrt((double * double).sum(axis=1))
    return np.asarray(double / lengths[:, None], np.float32)


def refuse_empty(texts: Sequence[str], what: str) -> None:
    """Refuse texts that have nothing to embed.

    Raises
    ------
    DataError
        Naming the place of the first.
    """
    for place, text in enumerate(texts):
        if not has_text(text):
            raise DataError(
                f"{what}: text {place} of this call: expected a letter or a digit, found "
                f"{text[:40]!r}; leave such texts out, they are near to nothing"
            )


def check_threshold(identity: EmbedderIdentity, threshold: float, of: str) -> float:
    """A threshold for this embedder, if it is stated to be this embedder's.

    Cosines of one model say nothing about those of another: paraphrases that one puts above
    0.85 another puts at 0.66.

    Parameters
    ----------
    identity : of the embedder in use.
    threshold : in (0, 1].
    of : the model that the threshold was chosen for: `identity.name`, `identity.model`, or the
        latter with ``@`` and the revision.

    Returns
    -------
    float
        The threshold.

    Raises
    ------
    StudyError
        For a threshold of another model, or of none, and one outside (0, 1].
    """
    mine = (identity.name, identity.model, f"{identity.model}@{identity.revision}")
    if of not in mine:
        raise StudyError(
            f"threshold {threshold:g} was stated for {of or 'no embedder'}, and this audit embeds "
            f"with {identity.name} ({identity.model}); expected a threshold of that model: leave "
            f"it out to take the embedder's own, or state threshold_of = {identity.name!r} once "
            "you have measured it"
        )
    if not 0 < threshold <= 1:
        raise StudyError(
            f"threshold of {identity.name}: expected a cosine in (0, 1], found {threshold:g}"
        )
    return threshold


__all__ = [
    *("Embedded", "Embedder", "EmbedderIdentity", "check_threshold", "has_text", "refuse_empty"),
    "unit",
]
