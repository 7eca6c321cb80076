"""The data sets that stored cells answered, each opened once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.data.load import load_dataset
from harness.errors import AssayError, DataError
from harness.study import DataSpec, Study
from harness.types import Dataset


class Shelf:
    """The data sets of some studies.

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


__all__ = ["Shelf"]
