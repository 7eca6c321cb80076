"""The stored responses of a runs folder, joined with the examples that they answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from harness.review import stored
from harness.review.naming import Naming
from harness.review.shelf import Shelf
from harness.review.stored import Skipped
from harness.study import Study
from harness.types import Example, Response


@dataclass(frozen=True, kw_only=True)
class StoredCell:
    """One cell folder: its effective responses with their examples, by id and replicate."""

    key: str
    name: str
    rows: tuple[tuple[Example, Response], ...]


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
    shelf = Shelf(studies)
    # A rescoring lists models by their own names, for which no checkpoint need be looked at.
    naming = Naming([replace(study, models={}) for study in studies])
    for cell in stored.stored_cells([runs], naming):
        read = cell if isinstance(cell, Skipped) else stored.read_rows(cell, shelf)
        if isinstance(read, Skipped):
            yield read
        else:
            yield StoredCell(key=read.cell.key, name=read.cell.names.text, rows=read.rows)


__all__ = ["Skipped", "StoredCell", "stored_cells"]
