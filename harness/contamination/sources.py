"""Where rows come from: a file, its format, and the fields that matter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from harness.errors import DataError

FORMATS = ("jsonl", "csv", "tsv", "parquet")
_ENDINGS = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
}


@dataclass(frozen=True, order=True)
class Source:
    """A file of rows.

    Parameters
    ----------
    path : the file.
    fields : fields whose texts, joined by a newline, are audited; a dot goes into a nested
        record. Empty: the one field of `harness.contamination.records.GUESSED` that there is.
    id_field : names a row in reports; None: its number.
    image_field : holds one picture or a list of them; None: pictures are not looked at.
    image_root : folder that relative names of pictures start from, and may not leave; None: the
        folder of the file.
    format : `jsonl`, `csv`, `tsv` or `parquet`; empty: by the ending of the name.
    """

    path: str
    fields: tuple[str, ...] = ()
    id_field: str | None = None
    image_field: str | None = None
    image_root: str | None = None
    format: str = ""

    @property
    def name(self) -> str:
        """The file's name without its folder, for reports."""
        return Path(self.path).name

    @property
    def packed(self) -> bool:
        """The file is compressed by gzip."""
        return Path(self.path).suffix.lower() == ".gz"

    @property
    def kind(self) -> str:
        """The format, from the ending where none is given.

        Raises
        ------
        DataError
            For an unknown one.
        """
        name = Path(self.path)
        ending = (name.with_suffix("") if self.packed else name).suffix.lower()
        kind = self.format or _ENDINGS.get(ending, "")
        if kind not in FORMATS or (kind == "parquet" and self.packed):
            raise DataError(
                f"{self.name}: expected .jsonl, .csv, .tsv (each also .gz) or .parquet, found "
                f"{kind or ending or 'no ending'!r}; convert the file or name its format"
            )
        return kind

    @property
    def root(self) -> Path:
        """The folder of the pictures."""
        return Path(self.image_root) if self.image_root is not None else Path(self.path).parent


def source_from(given: Any, where: str) -> Source:
    """Read a table with the fields of `Source`; `fields` may be one text.

    Raises
    ------
    DataError
        For anything else than a table, an unknown key and a value of another type.
    """
    if not isinstance(given, Mapping):
        raise DataError(f"{where}: expected a table, found {given!r}")
    known = {f.name for f in fields(Source)}
    values = dict(given)
    unknown = sorted(set(values) - known)
    if unknown:
        raise DataError(f"{where}: unknown {unknown[0]!r}; known: {', '.join(sorted(known))}")
    listed = values.get("fields", ())
    if not isinstance(listed, str | list | tuple):
        raise DataError(f"{where}: fields: expected a text or a list of texts, found {listed!r}")
    values["fields"] = (listed,) if isinstance(listed, str) else tuple(listed)
    texts = [v for k, v in values.items() if k != "fields" and v is not None]
    if not all(isinstance(v, str) for v in [*texts, *values["fields"]]) or "path" not in values:
        raise DataError(f"{where}: expected texts, path among them, found {dict(given)!r}")
    return Source(**values)


__all__ = ["FORMATS", "Source", "source_from"]
