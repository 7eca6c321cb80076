"""Stored cells with the questions that they answer, from any number of runs folders."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness import ids
from harness.data.load import load_dataset
from harness.errors import AssayError, DataError, StoreError
from harness.identity import cell_key
from harness.records import FAILED
from harness.store import CellStore, Slot
from harness.study import DataSpec, Study
from harness.types import Dataset, Example, Response, View

_PARTS = ("data", "model", "view", "prompt")
Responses = dict[Slot, Response]


@dataclass(frozen=True, kw_only=True)
class StoredCell:
    """A cell: what was shown of which data set; `name` is data/model/view/prompt."""

    key: str
    name: str
    view: View
    dataset: Dataset


@dataclass(frozen=True, kw_only=True)
class Skipped:
    """A cell folder that cannot be read, and why."""

    key: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Rows:
    """The effective responses of one cell, with their examples, by id and replicate."""

    cell: StoredCell
    rows: tuple[tuple[Example, Response], ...]


class Shelf:
    """The data sets of some studies, each opened once.

    Parameters
    ----------
    studies : where a data set is looked for, by the name and split in a cell's identity; the
        first whose content has the cell's fingerprint is taken.
    """

    def __init__(self, studies: Sequence[Study]) -> None:
        self.studies = tuple(studies)
        self._opened: dict[tuple[Path, str], Dataset | str] = {}

    def dataset(self, identity: Mapping[str, Any]) -> Dataset:
        """The data set that a cell answered; `DataError` where no study has it."""
        data = identity["data"]
        name, split, wanted = (data.get(part) for part in ("name", "split", "fingerprint"))
        faults = []
        for study in self.studies:
            if name not in study.data or study.data[name].split != split:
                continue
            found = self._open(study, study.data[name])
            if isinstance(found, Dataset) and found.fingerprint == wanted:
                return found
            faults.append(
                found
                if isinstance(found, str)
                else f"{study.path.name} has content {found.fingerprint[:12]}"
            )
        if not faults:
            raise DataError(f"data set {name}/{split}: no given study has it; name one by --study")
        raise DataError(
            f"data set {name}/{split}: expected the content {str(wanted)[:12]} that was answered; "
            + "; ".join(faults)
        )

    def _open(self, study: Study, spec: DataSpec) -> Dataset | str:
        key = (study.path.resolve(), spec.name)
        if key not in self._opened:
            try:
                self._opened[key] = load_dataset(
                    spec.reader,
                    name=spec.name,
                    split=spec.split,
                    path=spec.path,
                    options=spec.options,
                )
            except AssayError as error:
                self._opened[key] = str(error)
        return self._opened[key]


def stored_rows(folders: Sequence[Path], studies: Sequence[Study]) -> Iterator[Rows | Skipped]:
    """Read every cell of some runs folders, by key; nothing is written.

    Parameters
    ----------
    folders : runs folders. A cell that lies in several is read once, from all of them together.
    studies : see `Shelf`.

    Yields
    ------
    Rows or Skipped
        Skipped, with the reason: a cell whose identity, records or seal are damaged, whose
        folder's name is not its identity's key, that holds no response, whose data set no study
        has, or that two folders have different answers of.

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
    shelf = Shelf(studies)
    for key, places in sorted(found.items()):
        try:
            yield _rows(key, places, shelf)
        except AssayError as error:
            yield Skipped(key=key, reason=str(error))


def _rows(key: str, folders: Sequence[Path], shelf: Shelf) -> Rows:
    identity = _identity(folders[0])
    dataset = shelf.dataset(identity)
    examples = {example.id: example for example in dataset.examples}
    answers: Responses = {}
    for folder in folders:
        store = CellStore(folder.parent, key, _identity(folder))
        store.refuse_foreign(examples)
        for slot in store.slots:
            if (response := store.effective(slot)) is not None:
                _add(answers, slot, response, key)
    if not answers:
        raise StoreError(f"{key}: expected stored responses, found none")
    cell = StoredCell(
        key=key, name=_name(identity, shelf.studies), view=_view(identity), dataset=dataset
    )
    rows = tuple((examples[slot[0]], answers[slot]) for slot in sorted(answers))
    return Rows(cell=cell, rows=rows)


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


def _view(identity: Mapping[str, Any]) -> View:
    view = identity["view"]
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


def _name(identity: Mapping[str, Any], studies: Sequence[Study]) -> str:
    """data/model/view/prompt as the studies call them, as far as the identity tells."""
    source = dict(identity["model"].get("source", {}))
    named = [source[part] for part in ("id", "name", "behaviour") if part in source]
    short = f"{source.get('kind')}-{ids.digest(identity['model'].get('fingerprint'))[:6]}"
    template = identity["prompt"].get("template")
    prompts = (p.name for s in studies for p in s.prompts.values() if p.template == template)
    parts = [
        identity["data"].get("name"),
        named[0] if named else short,
        identity["view"].get("name"),
        next(prompts, str(identity["prompt"].get("sha256"))[:8]),
        identity.get("variant"),
    ]
    return "/".join(str(part) for part in parts if part)


__all__ = ["Rows", "Shelf", "Skipped", "StoredCell", "stored_rows"]
