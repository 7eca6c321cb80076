"""The stored responses of a runs folder, joined with the examples that they answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness import ids
from harness.data.load import load_dataset
from harness.errors import AssayError, DataError, StoreError
from harness.identity import cell_key
from harness.store import CellStore
from harness.study import Study
from harness.types import Dataset, Example, Response

Open = Callable[[Study, str], Dataset]


@dataclass(frozen=True, kw_only=True)
class StoredCell:
    """One cell folder: its effective responses with their examples, by id and replicate."""

    key: str
    name: str
    rows: tuple[tuple[Example, Response], ...]


@dataclass(frozen=True, kw_only=True)
class Skipped:
    """A cell folder that cannot be rescored, and why."""

    key: str
    reason: str


def stored_cells(runs: Path, studies: Sequence[Study]) -> Iterator[StoredCell | Skipped]:
    """Read every cell folder, by key; nothing is written.

    Parameters
    ----------
    runs : the folder of all cells.
    studies : where data sets are looked for, by the name and split in a cell's identity; the
        first whose content has the cell's fingerprint is taken.

    Yields
    ------
    StoredCell or Skipped
        Skipped, with the reason: a folder whose identity, records or seal are damaged, whose
        key is not its identity's, that holds no response, whose data set no study has, or has
        with other content.

    Raises
    ------
    StoreError
        When the folder is not there or holds no cell at all.
    """
    folders = sorted(
        path.parent
        for name in ("cell.json", "responses")
        for path in runs.glob(f"*/{name}")
        if name == "responses" or not (path.parent / "responses").exists()
    )
    if not folders:
        raise StoreError(f"{runs.name}: expected a folder of cells (KEY/cell.json), found none")
    opened: dict[tuple[Path, str], Dataset | str] = {}

    def open_once(study: Study, name: str) -> Dataset:
        key = (study.path.resolve(), name)
        if key not in opened:
            try:
                spec = study.data[name]
                opened[key] = load_dataset(
                    spec.reader,
                    name=spec.name,
                    split=spec.split,
                    path=spec.path,
                    options=spec.options,
                )
            except AssayError as error:
                opened[key] = str(error)
        found = opened[key]
        if isinstance(found, str):
            raise DataError(found)
        return found

    for folder in folders:
        try:
            yield _cell(folder, studies, open_once)
        except AssayError as error:
            yield Skipped(key=folder.name, reason=str(error))


def _cell(folder: Path, studies: Sequence[Study], open_once: Open) -> StoredCell:
    identity = _identity(folder)
    store = CellStore(folder.parent, folder.name, identity)
    dataset = _dataset(identity, studies, open_once)
    examples = {example.id: example for example in dataset.examples}
    store.refuse_foreign(examples)
    rows = []
    for slot in store.slots:
        response = store.effective(slot)
        if response is not None:
            rows.append((examples[slot[0]], response))
    if not rows:
        raise StoreError(f"{folder.name}: expected stored responses, found none")
    return StoredCell(key=folder.name, name=_name(identity, studies), rows=tuple(rows))


def _identity(folder: Path) -> dict[str, Any]:
    """The object in cell.json, of which the folder's name must be the key."""
    try:
        identity = json.loads((folder / "cell.json").read_bytes())
        for part in ("data", "model", "view", "prompt"):
            if not isinstance(identity[part], dict):
                raise TypeError(part)
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


def _dataset(identity: Mapping[str, Any], studies: Sequence[Study], open_once: Open) -> Dataset:
    data = identity["data"]
    name, split, wanted = (data.get(part) for part in ("name", "split", "fingerprint"))
    known = [s for s in studies if name in s.data and s.data[name].split == split]
    if not known:
        raise DataError(f"data set {name}/{split}: no given study has it; name one with --study")
    faults = []
    for study in known:
        try:
            dataset = open_once(study, name)
        except DataError as error:
            faults.append(str(error))
            continue
        if dataset.fingerprint == wanted:
            return dataset
        faults.append(f"{study.path.name} has content {dataset.fingerprint[:12]}")
    raise DataError(
        f"data set {name}/{split}: expected the content {str(wanted)[:12]} that was answered; "
        + "; ".join(faults)
    )


def _name(identity: Mapping[str, Any], studies: Sequence[Study]) -> str:
    """data/model/view/prompt as the studies call them, as far as the identity tells."""
    model, prompt = identity["model"], identity["prompt"]
    source = model.get("source", {})
    kind = str(source.get("kind"))
    named = [source[key] for key in ("id", "name", "behaviour") if key in source]
    who = str(named[0]) if named else f"{kind}-{ids.digest(model.get('fingerprint'))[:6]}"
    template = prompt.get("template")
    prompts = (
        p.name for study in studies for p in study.prompts.values() if p.template == template
    )
    asked = next(prompts, str(prompt.get("sha256"))[:8])
    variant = identity.get("variant")
    parts = [identity["data"].get("name"), who, identity["view"].get("name"), asked, variant]
    return "/".join(str(part) for part in parts if part)


__all__ = ["Skipped", "StoredCell", "stored_cells"]
