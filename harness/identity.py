"""What determines a cell's raw output, and the key under which that output is stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness import ids
from harness.errors import ModelError
from harness.prompts import VIEWS_NOTE
from harness.types import Cell, Dataset

SCHEMA = "assay.cell/1"
# What the operations of harness.vision do to pixels: a change of any of them is a new number.
GEOMETRY = 1
# How sampled tokens are drawn: another way gives other texts from the same seeds.
SAMPLER = "inverse-cdf/1"
_KEY_DIGITS = 32
# Where the files lie is not what they are: the fingerprint hashes their content instead. Where a
# served model is reached, and how often it is asked again, is not what it answers.
_LOCATIONS = (
    *("path", "predictions"),
    *("base_url", "api_key_env", "timeout_s", "n_attempts", "backoff_s"),
)
# These draw from the request's seed even where decoding is greedy.
_SEEDED_KINDS = ("baseline", "fake")


def cell_identity(
    cell: Cell, dataset: Dataset, model_fingerprint: Mapping[str, Any]
) -> dict[str, Any]:
    """Everything that determines the raw output of a cell, as JSON values.

    Parameters
    ----------
    cell : experiment, tier, `n`, `replicates`, shard and batch ladder are left out, and so
        are the names under which the study knows the model and the prompt.
    dataset : its name, split and fingerprint go in.
    model_fingerprint : content hashes or pinned revision of the model's files; not empty.

    Returns
    -------
    dict
        schema, model, data, view, prompt, decoding, dtype, attention, max_image_side_px,
        variant, and base_seed: None where no random number is drawn.

    Raises
    ------
    ModelError
        When the fingerprint is empty, since any model would then pass for any other.
    """
    if not model_fingerprint:
        raise ModelError(
            f"model {cell.model.name}: expected a fingerprint of its content, found an empty one"
        )
    source = {k: v for k, v in cell.model.source.items() if k not in _LOCATIONS}
    decoding = ids.plain(cell.decoding)
    del decoding["batch_sizes"], decoding["name"]
    if not cell.decoding.greedy:
        decoding["sampler"] = SAMPLER
    seeded = not cell.decoding.greedy or cell.model.source.get("kind") in _SEEDED_KINDS
    identity = {
        "schema": SCHEMA,
        "model": {
            "family": cell.model.family,
            "source": source,
            "fingerprint": dict(model_fingerprint),
        },
        "data": {
            "name": dataset.name,
            "split": dataset.split,
            "fingerprint": dataset.fingerprint,
        },
        "view": {
            **ids.plain(cell.view),
            "order": _order(cell, dataset),
            **({"geometry": GEOMETRY} if _is_drawn_anew(cell) else {}),
        },
        "prompt": {
            "template": cell.prompt.template,
            "sha256": cell.prompt.sha256,
            **({"views_note": VIEWS_NOTE} if "{views}" in cell.prompt.template else {}),
        },
        "decoding": decoding,
        "dtype": cell.model.dtype,
        "attention": cell.model.attention,
        "max_image_side_px": cell.model.max_image_side_px,
        "base_seed": cell.base_seed if seeded else None,
        "variant": cell.variant,
    }
    plain: dict[str, Any] = ids.plain(identity)
    return plain


def _is_drawn_anew(cell: Cell) -> bool:
    return any(operation not in ("blank", "partner") for operation, _ in cell.view.steps)


def _order(cell: Cell, dataset: Dataset) -> str | None:
    """A digest of what a view knows of the other examples; None where it shows none of them.

    A neighbour depends on the order of the split; donors are drawn from its ids, in any order.
    """
    operations = {operation for operation, _ in cell.view.steps}
    order = [example.id for example in dataset.examples]
    if "partner" in operations:
        return ids.digest(order)
    return ids.digest(sorted(order)) if "distractors" in operations else None


def cell_key(identity: Mapping[str, Any]) -> str:
    """The first 32 hex digits of the SHA-256 of the identity's canonical JSON.

    >>> cell_key({"a": 1}) == cell_key({"a": 1}) != cell_key({"a": 2})
    True
    """
    return ids.digest(dict(identity))[:_KEY_DIGITS]


def response_seed(identity: Mapping[str, Any], key: str, example_id: str, replicate: int) -> int:
    """The seed of one response, in [0, 2**63 - 1): a function of the identity alone.

    Where nothing is drawn at random the base is 0, so that two studies that share a cell
    store the same records whatever their base seeds are.
    """
    base = identity["base_seed"]
    return ids.seed(0 if base is None else base, key, example_id, replicate)


def differing(a: Mapping[str, Any], b: Mapping[str, Any]) -> list[str]:
    """Dotted names of the fields in which two identities differ, sorted.

    >>> differing({"view": {"name": "clean"}, "n": 1}, {"view": {"name": "blank"}, "n": 1})
    ['view.name']
    """
    found: list[str] = []
    for name in sorted({*a, *b}):
        if name not in a or name not in b:
            found.append(name)
        elif isinstance(a[name], Mapping) and isinstance(b[name], Mapping):
            found += [f"{name}.{inner}" for inner in differing(a[name], b[name])]
        elif ids.canonical_json(a[name]) != ids.canonical_json(b[name]):
            found.append(name)
    return found


__all__ = ["SCHEMA", "cell_identity", "cell_key", "differing", "response_seed"]
