"""What a sample consists of, by hash: the file that a filled-in sheet is held against."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from harness import ids
from harness.errors import DataError
from harness.review.sheet import FIXED, shown
from harness.review.texts import canonical

SCHEMA = "assay.review/1"
NAME = "sample.json"


def cell_sha256(text: str) -> str:
    """SHA-256 of a cell of the sheet as `canonical` gives it, 64 hex digits."""
    return sha256(canonical(text).encode("utf-8")).hexdigest()


def row_hashes(row: Mapping[str, str]) -> dict[str, str]:
    """The hash of each fixed column of a row, before it is guarded."""
    return {name: cell_sha256(shown(row[name])) for name in FIXED if name != "id"}


def edited(row: Mapping[str, str], hashes: Mapping[str, str]) -> list[str]:
    """The fixed columns in which a row that was read back differs from the sample."""
    return [name for name, wanted in hashes.items() if cell_sha256(row[name]) != wanted]


def manifest_text(facts: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> str:
    """The manifest as JSON text, with a hash of itself.

    Parameters
    ----------
    facts : JSON values that describe the sample: seed, conditions …
    rows : per row its `id`, `condition`, `columns` (of `row_hashes`) and where it comes from.
    """
    whole = {"schema": SCHEMA, **facts, "rows": list(rows)}
    text = json.dumps({**whole, "sha256": ids.digest(whole)}, indent=1, sort_keys=True)
    return text + "\n"


def read_manifest(path: Path) -> dict[str, Any]:
    """Read the manifest of a sample.

    Raises
    ------
    DataError
        When it is not there, not of this schema, or was changed since it was written.
    """
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise DataError(
            f"{path.name}: expected the manifest that `review sample` wrote beside the sheet, "
            f"found none ({type(error).__name__}); name it with --sample"
        ) from None
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        schema = found.get("schema") if isinstance(found, dict) else type(found).__name__
        raise DataError(f"{path.name}: expected schema {SCHEMA}, found {schema!r}")
    stated = found.pop("sha256", None)
    if stated != ids.digest(found):
        raise DataError(
            f"{path.name}: expected the SHA-256 {stated} that it states, found "
            f"{ids.digest(found)}: it was changed; restore it, or draw the sample again"
        )
    return {**found, "sha256": stated}


__all__ = [
    "NAME",
    "SCHEMA",
    "cell_sha256",
    "edited",
    "manifest_text",
    "read_manifest",
    "row_hashes",
]
