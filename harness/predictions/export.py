"""Stored responses as prediction files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness import ids
from harness.errors import StoreError
from harness.identity import differing
from harness.models.predictions import Prediction
from harness.predictions.asked import Asked
from harness.predictions.file import continued
from harness.predictions.seeds import seed_paths
from harness.records import FAILED
from harness.review.naming import Naming
from harness.review.shelf import Shelf
from harness.review.stored import Rows, Skipped, StoredCell, read_rows, stored_cells
from harness.scoring import score
from harness.store import CellStore
from harness.study import Study
from harness.types import OUTCOMES, Example, Response

_AXES = ("data", "model", "view", "prompt", "decoding")
_COMPUTE = ("dtype", "attention", "max_image_side_px", "variant")
_MB_PER_GIB = 1024.0
_SHOWN = 5
Row = tuple[Example, Response]


@dataclass(frozen=True, kw_only=True, slots=True)
class Exported:
    """A file that was written; `left_out` are the ids without an answer of the model."""

    path: Path
    n_rows: int
    n_new: int
    left_out: tuple[str, ...]


def export(
    runs: Sequence[Path],
    studies: Sequence[Study],
    out: str,
    *,
    only: Mapping[str, str] | None = None,
    model: tuple[str, str] | None = None,
) -> list[Exported]:
    """Write the stored responses of one cell, one file for each of its seeds.

    Replicate r of a cell with base seed s is seed s + r; a cell in which nothing is drawn has
    base seed 0. Cells that differ in their base seed alone are the seeds of one run. A row's
    prediction is what this package's scorer reads in the text. A response that failed
    (out of memory, error) is no answer of the model and gets no row.

    Parameters
    ----------
    runs : runs folders, only read.
    studies : which name the cells and open their data set.
    out : the file, with `{seed}` for several seeds. One that exists is continued: rows that it
        has must be those of the responses.
    only : names by axis (data, model, view, prompt, decoding) that the cell has to have.
    model : public id and 40-hex commit, where the checkpoint was run from a folder; else the
        hub's, or the study's name and a digest of the content.

    Returns
    -------
    list of Exported
        By seed.

    Raises
    ------
    StoreError
        When no cell fits, or several that differ in more than their seed (with the fields);
        a stored cell or the present file is damaged or of another run.
    DataError
        For several seeds without `{seed}` in the path.
    """
    cells = _chosen(stored_cells(runs, Naming(studies)), only or {})
    shelf = Shelf(studies)
    files: dict[int, tuple[Rows, Asked, list[Row]]] = {}
    for cell in cells:
        found = read_rows(cell, shelf)
        if isinstance(found, Skipped):
            raise StoreError(f"{found.key}: {found.reason}")
        base = cell.identity.get("base_seed") or 0
        for replicate in sorted({response.replicate for _, response in found.rows}):
            seed = base + replicate
            if seed in files:
                raise StoreError(
                    f"expected one cell and replicate a seed, found two for seed {seed}: "
                    f"{files[seed][0].cell.key} and {cell.key}; export them apart"
                )
            rows = [row for row in found.rows if row[1].replicate == replicate]
            files[seed] = (found, _asked(cell, seed, model), rows)
    paths = seed_paths(out, sorted(files))
    return [_written(paths[seed], *files[seed]) for seed in sorted(files)]


def _chosen(listed: Sequence[StoredCell | Skipped], only: Mapping[str, str]) -> list[StoredCell]:
    """The cells that have the names, all of one run but for the seed."""
    cells = [c for c in listed if isinstance(c, StoredCell) and not c.names.variant]
    fit = [c for c in cells if all(name in c.names.of(axis) for axis, name in only.items())]
    if not fit:
        known = "; ".join(
            f"{axis} {', '.join(sorted({c.names.of(axis)[0] for c in cells}))}" for axis in _AXES
        )
        asked = ", ".join(f"{axis} {name}" for axis, name in only.items()) or "any"
        n_damaged = sum(isinstance(c, Skipped) for c in listed)
        raise StoreError(
            f"expected a cell of {asked}, found none; the cells have: {known}; {n_damaged} "
            "folder(s) cannot be read"
        )
    first = fit[0]
    for cell in fit[1:]:
        names = [n for n in differing(first.identity, cell.identity) if n != "base_seed"]
        if names:
            raise StoreError(
                f"expected one cell but for its seed, found {len(fit)}: {first.names.text} and "
                f"{cell.names.text} differ in {', '.join(names[:_SHOWN])}; name one by --data, "
                "--model, --view, --prompt or --decoding"
            )
    return fit


def _asked(cell: StoredCell, seed: int, model: tuple[str, str] | None) -> Asked:
    identity = cell.identity
    source = dict(identity["model"].get("source") or {})
    content = dict(identity["model"].get("fingerprint") or {})
    if model is None:
        model = (
            str(source.get("id") or cell.names.model[0]),
            str(source.get("revision") or f"sha256:{ids.digest(content)}"),
        )
    return Asked(
        model_id=model[0],
        model_revision=model[1],
        seed=seed,
        data=identity["data"],
        prompt=identity["prompt"],
        decoding=identity["decoding"],
        view=identity["view"],
        compute={name: identity.get(name) for name in _COMPUTE} | {"content": content},
    )


def _written(path: Path, found: Rows, asked: Asked, rows: Sequence[Row]) -> Exported:
    by_id = {example.id: (example, response) for example, response in rows}
    ordered = [by_id[e.id] for e in found.dataset.examples if e.id in by_id]
    scored = [(r, score(e, r)) for e, r in ordered]
    left_out = tuple(r.example_id for r, _ in scored if r.status in FAILED)
    outcomes = Counter(s.outcome for _, s in scored)
    answers = {
        r.example_id: (s.answer.value if s.outcome == "answered" else None, r.text)
        for r, s in scored
        if r.text is not None and r.status not in FAILED
    }
    about: dict[str, Any] = {
        "platform": None,
        **_spent(found.cell, rows),
        "source": dict(found.cell.identity["model"].get("source") or {}),
        "cell": found.cell.key,
        "claim_level": found.dataset.claim_level,
        "n_data": len(found.dataset.examples),
        "n_selected": len(ordered),
        "left_out": list(left_out),
        "outcomes": {outcome: outcomes[outcome] for outcome in OUTCOMES},
    }
    with continued(path, asked, about) as file:
        _refuse_strange(path, file.done, answers)
        for key, (read, text) in answers.items():
            if key not in file.done:
                file.append(key, read, text)
    return Exported(
        path=path, n_rows=len(file.done) + file.n_new, n_new=file.n_new, left_out=left_out
    )


def _refuse_strange(
    path: Path, done: Mapping[str, Prediction], answers: Mapping[str, tuple[str | None, str]]
) -> None:
    """Refuse to continue a file that has other rows than those of the responses."""
    strange = [
        key for key, row in done.items() if answers.get(key) != (row.prediction, row.raw_prediction)
    ]
    if strange:
        raise StoreError(
            f"{path.name}: expected rows of the stored responses alone, found {len(strange)} "
            f"other(s), first {strange[:_SHOWN]}; write to another file"
        )


def _spent(cell: StoredCell, rows: Sequence[Row]) -> dict[str, Any]:
    """Seconds and memory that the model took, where the cell lies in one folder that knows."""
    if len(cell.folders) != 1:
        return {}
    store = CellStore(cell.folders[0].parent, cell.key, cell.identity)
    spent = store.spent((e.id, r.replicate) for e, r in rows)
    if spent is None:
        return {}
    peak = spent.peak_memory_gib
    return {
        "seconds": spent.seconds,
        "peak_memory_mb": None if peak is None else peak * _MB_PER_GIB,
    }


__all__ = ["Exported", "export"]
