"""The embedder that a plan names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.embedding.base import Embedder
from harness.embedding.endpoint import open_endpoint
from harness.embedding.hashing import Hashing
from harness.embedding.minilm import open_minilm
from harness.embedding.sentence import open_sentence
from harness.errors import StudyError

_KINDS = ("minilm", "hashing", "sentence-transformers", "endpoint")


def open_embedder(spec: str | Mapping[str, Any]) -> Embedder:
    """Make the embedder that a plan names; a MiniLM is loaded when the first text comes.

    Parameters
    ----------
    spec : ``"minilm"``, ``"hashing"``, ``"sentence-transformers:NAME@REVISION"``, or a mapping
        with `kind` (one of those, or `endpoint`) and the entries of that kind: `batch_size` and
        `threads` of minilm; see `open_sentence` and `open_endpoint` for the others.

    Raises
    ------
    StudyError
        For anything else.
    ModelError
        Where a package, the model or a key is not there.

    Examples
    --------
    >>> embedder = open_embedder("hashing")
    >>> embedder.identity.dimensions, embedder.embed(["A ball falls."]).vectors.shape
    (2048, (1, 2048))
    """
    options = _options(spec)
    match options.get("kind"):
        case "hashing":
            _refuse(options, ())
            return Hashing()
        case "minilm":
            _refuse(options, ("batch_size", "threads"))
            return open_minilm(**{k: v for k, v in options.items() if k != "kind"})
        case "sentence-transformers":
            return open_sentence(options)
        case "endpoint":
            return open_endpoint(options)
    raise StudyError(
        f"embedder: expected one of {', '.join(_KINDS)}, found {options.get('kind')!r}"
    )


def _options(spec: str | Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(spec, str):
        return dict(spec)
    kind, _, rest = spec.partition(":")
    if not rest:
        return {"kind": kind}
    model, _, revision = rest.partition("@")
    return {"kind": kind, "model": model, "revision": revision}


def _refuse(options: Mapping[str, Any], known: tuple[str, ...]) -> None:
    unknown = sorted(options.keys() - {"kind", *known})
    if unknown:
        raise StudyError(
            f"embedder {options['kind']}: expected no entries but {', '.join(known) or 'kind'}, "
            f"found {', '.join(unknown)}"
        )


__all__ = ["open_embedder"]
