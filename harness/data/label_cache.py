"""Text embeddings of class labels, kept on disk and bound to all that they were made from."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from harness import ids
from harness.errors import DataError
from harness.retrieval.zero_shot import check_labels, check_template

if TYPE_CHECKING:
    from numpy.typing import NDArray

SCHEMA = 1
_VECTORS, _BINDING = "text-embeddings.npy", "text-embeddings.json"
_PINNED = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_FIELDS = ("model", "revision", "template", "labels")
_UNIT = 1e-3


@dataclass(frozen=True, kw_only=True, slots=True)
class Binding:
    """What text embeddings depend on: the model at one revision, the template, the labels.

    `revision` is a commit of 40 hex digits or a local fingerprint of 64; `labels` are in the
    order of the rows. A `DataError` says where that does not hold.
    """

    model: str
    revision: str
    template: str
    labels: tuple[str, ...]

    def __post_init__(self) -> None:
        check_labels(self.labels)
        check_template(self.template)
        if not self.model or not _PINNED.fullmatch(self.revision):
            raise DataError(
                "text embeddings: expected a model and its revision as 40 hex digits (or a "
                f"local fingerprint of 64), found {self.model!r} at {self.revision!r}; names such "
                "as main move"
            )

    @property
    def fingerprint(self) -> str:
        """64 hex digits over all four."""
        return ids.digest({field: getattr(self, field) for field in _FIELDS})


def load_embeddings(folder: Path, binding: Binding) -> NDArray[np.float32] | None:
    """Read the text embeddings of a folder, if they are those that are asked for.

    Parameters
    ----------
    folder : where `save_embeddings` put them.
    binding : what they must have been made from.

    Returns
    -------
    array of float32, shape (labels, dimensions), or None
        Rows of length 1; None where the folder holds neither file.

    Raises
    ------
    DataError
        For one file without the other, a file that cannot be read or was changed, and
        embeddings of another model, revision, template or labels, naming the fields that differ.
    """
    vectors, about = folder / _VECTORS, folder / _BINDING
    there = [path.name for path in (vectors, about) if path.exists()]
    if not there:
        return None
    if len(there) == 1:
        raise DataError(
            f"{folder.name}: expected {_VECTORS} and {_BINDING}, found {there[0]} alone; remove it "
            "and make both again"
        )
    try:
        stated = json.loads(about.read_text(encoding="utf-8"))
        raw = vectors.read_bytes()
    except (OSError, ValueError) as error:
        raise DataError(
            f"{folder.name}: the text embeddings cannot be read ({type(error).__name__}); remove "
            f"{_VECTORS} and {_BINDING} and make both again"
        ) from error
    _check_binding(folder, stated, binding)
    if hashlib.sha256(raw).hexdigest() != stated.get("sha256"):
        raise DataError(
            f"{folder.name}: {_VECTORS} is not what {_BINDING} was written for; remove both files "
            "and make them again"
        )
    return _checked(np.load(io.BytesIO(raw), allow_pickle=False), binding)


def save_embeddings(folder: Path, binding: Binding, vectors: NDArray[np.float32]) -> None:
    """Keep the text embeddings of a model; nothing that is there already is replaced.

    Parameters
    ----------
    folder : made if need be; it holds the embeddings of one binding.
    binding : what they were made from.
    vectors : shape (labels, dimensions), finite, rows of length 1 within 0.001; kept as float32.

    Raises
    ------
    DataError
        For other vectors, a folder that holds embeddings already, or one that cannot be written.
    """
    checked = _checked(vectors, binding)
    made = io.BytesIO()
    np.save(made, checked, allow_pickle=False)
    about = {field: getattr(binding, field) for field in _FIELDS} | {
        "schema": SCHEMA,
        "fingerprint": binding.fingerprint,
        "shape": list(checked.shape),
        "sha256": hashlib.sha256(made.getvalue()).hexdigest(),
    }
    text = json.dumps(about, indent=1, sort_keys=True) + "\n"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in ((_VECTORS, made.getvalue()), (_BINDING, text.encode("ascii"))):
            _place(folder / name, content)
    except FileExistsError as error:
        raise DataError(
            f"{folder.name}: text embeddings are there already; load them, or remove {_VECTORS} "
            f"and {_BINDING} first"
        ) from error
    except OSError as error:
        raise DataError(f"{folder.name}: cannot be written ({type(error).__name__})") from error


def _place(path: Path, content: bytes) -> None:
    """Put a whole file in place, unless one is there."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    try:
        draft.write_bytes(content)
        os.link(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def _check_binding(folder: Path, stated: Any, binding: Binding) -> None:
    if not isinstance(stated, Mapping) or stated.get("schema") != SCHEMA:
        raise DataError(f"{folder.name}: expected schema {SCHEMA} in {_BINDING}, found another")
    wanted: dict[str, Any] = {field: getattr(binding, field) for field in _FIELDS}
    wanted["labels"] = list(binding.labels)
    differing = [
        f"{field}: wanted {_short(wanted[field])}, found {_short(stated.get(field))}"
        for field in _FIELDS
        if stated.get(field) != wanted[field]
    ]
    if differing or stated.get("fingerprint") != binding.fingerprint:
        raise DataError(
            f"{folder.name}: the text embeddings were made from something else; "
            f"{'; '.join(differing) or 'their fingerprint differs'}; use another folder"
        )


def _short(value: Any) -> str:
    if isinstance(value, list):
        return f"{len(value)} labels ({', '.join(map(str, value[:3]))} …)"
    return f"{value!r:.80}"


def _checked(vectors: NDArray[Any], binding: Binding) -> NDArray[np.float32]:
    values = np.asarray(vectors, dtype=np.float32)
    n = len(binding.labels)
    if values.ndim != 2 or values.shape[0] != n or not values.shape[1]:
        raise DataError(f"expected {n} rows of text embeddings, found shape {values.shape}")
    lengths = np.linalg.norm(values.astype(np.float64), axis=1)
    if not np.isfinite(lengths).all() or np.abs(lengths - 1).max() > _UNIT:
        raise DataError("expected text embeddings of length 1, found others; divide by the length")
    return values


__all__ = ["SCHEMA", "Binding", "load_embeddings", "save_embeddings"]
