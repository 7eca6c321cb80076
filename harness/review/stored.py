"""Stored cells and the responses in them, from any number of runs folders; only read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.errors import AssayError, StoreError
from harness.identity import cell_key
from harness.records import FAILED
from harness.review.naming import Names, Naming
from harness.review.shelf import Shelf
from harness.sample import SWAPPED, swapped
from harness.store import CellStore, Slot
from harness.types import Dataset, Example, Response, View

_PARTS = ("data", "model", "view", "prompt")
Responses = dict[Slot, Response]


@dataclass(frozen=True, kw_only=True)
class StoredCell:
    """A cell that lies in some folders; `names` are the studies' for what is in its identity."""

    key: str
    names: Names
    identity: Mapping[str, Any] = field(repr=False)
    folders: tuple[Path, ...] = field(repr=False)

    @property
    def view(self) -> View:
        """What was shown; `StoreError` where the identity has no view with name, steps, seed."""
        return _view(self.identity["view"])


@dataclass(frozen=True, kw_only=True)
class Skipped:
    """A cell folder that cannot be read, and why."""

    key: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Rows:
    """The effective responses of one cell with their examples, by id and replicate."""

    cell: StoredCell
    dataset: Dataset
    rows: tuple[tuple[Example, Response], ...]


def stored_cells(folders: Sequence[Path], naming: Naming) -> list[StoredCell | Skipped]:
    """List every cell of some runs folders, by key, without reading its responses.

    Parameters
    ----------
    folders : runs folders. A cell that lies in several is listed once.
    naming : what the cells are called.

    Returns
    -------
    list of StoredCell or Skipped
        Skipped, with the reason: a cell whose identity is damaged, or whose folder's name is
        not its identity's key.

    Raises
    ------
    StoreError
        When a folder is not there or holds no cell at all.
    """
    found: dict[str, list[Path]] = {}
    for runs in folders:
        cells = {
            path.parent for name in ("cell.json", "responses") for path in runs.glob(f"*/{name}")
        }
        if not cells:
            raise StoreError(f"{runs.name}: expected a folder of cells (KEY/cell.json), found none")
        for folder in cells:
            found.setdefault(folder.name, []).append(folder)
    listed: list[StoredCell | Skipped] = []
    for key, places in sorted(found.items()):
        try:
            # Equal, since each has the key.
            identity, *_ = [_identity(folder) for folder in places]
        except AssayError as error:
            listed.append(Skipped(key=key, reason=str(error)))
        else:
            names = naming.of(identity)
            listed.append(
                StoredCell(key=key, names=names, identity=identity, folders=tuple(places))
            )
    return listed


def read_rows(cell: StoredCell, shelf: Shelf) -> Rows | Skipped:
    """Read the responses of a cell, from all of its folders together.

    Parameters
    ----------
    cell : of `stored_cells`.
    shelf : where its data set is looked for.

    Returns
    -------
    Rows or Skipped
        Skipped, with the reason: a cell whose records or seal are damaged, that holds no
        response, whose data set no study has, or that two folders have different answers of.
    """
    try:
        return _rows(cell, shelf)
    except AssayError as error:
        return Skipped(key=cell.key, reason=str(error))


def _rows(cell: StoredCell, shelf: Shelf) -> Rows:
    dataset = shelf.dataset(cell.identity)
    examples = {example.id: example for example in dataset.examples}
    if cell.identity.get("variant") == SWAPPED:
        examples = {key: swapped(example) for key, example in examples.items()}
    answers: Responses = {}
    for folder in cell.folders:
        store = CellStore(folder.parent, cell.key, cell.identity)
        store.refuse_foreign(examples)
        for slot in store.slots:
            if (response := store.effective(slot)) is not None:
                _add(answers, slot, response, cell.key)
    if not answers:
        raise StoreError(f"{cell.key}: expected stored responses, found none")
    rows = tuple((examples[slot[0]], answers[slot]) for slot in sorted(answers))
    return Rows(cell=cell, dataset=dataset, rows=rows)


def _add(answers: Responses, slot: Slot, response: Response, key: str) -> None:
    """Keep an answer rather than a failure; two different answers to one question are refused."""
    known = answers.get(slot)
    if known is None or known.status in FAILED:
        answers[slot] = response
    elif response.status not in FAILED and known.text != response.text:
        raise StoreError(
            f"{key}: expected one answer to {slot[0]!r}, replicate {slot[1]}, found two different "
            "ones in the given folders; name only one of the folders"
        )


def _identity(folder: Path) -> dict[str, Any]:
    """The object in cell.json, of which the folder's name must be the key."""
    try:
        identity = json.loads((folder / "cell.json").read_bytes())
        if not all(isinstance(identity[part], dict) for part in _PARTS):
            raise TypeError
        key = cell_key(identity)
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise StoreError(
            f"{folder.name}/cell.json: expected a cell's identity, found none "
            f"({type(error).__name__})"
        ) from None
    if key != folder.name:
        raise StoreError(
            f"{folder.name}/cell.json: expected the identity of this folder's key, found that of "
            f"{key}: the file or the folder's name was changed"
        )
    return dict(identity)


def _view(view: Mapping[str, Any]) -> View:
    try:
        steps = tuple(
            (str(operation), tuple((str(name), value) for name, value in parameters))
            for operation, parameters in view["steps"]
        )
        return View(name=str(view["name"]), steps=steps, seed=int(view["seed"]))
    except (KeyError, TypeError, ValueError):
        raise StoreError(
            f"cell.json: expected a view with name, steps, seed; found {view}"
        ) from None


__all__ = ["Rows", "Skipped", "StoredCell", "read_rows", "stored_cells"]
