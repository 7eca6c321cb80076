"""The annotation sheet: a CSV file that spreadsheet programs open, fill in and save."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from harness.errors import DataError
from harness.review.texts import canonical, guarded, shortened, visible

FIXED = (
    *("id", "condition", "cell", "example", "question", "choices", "gold", "response"),
    *("read_answer", "rule", "outcome"),
)
ANNOTATORS = ("annotator_1", "annotator_2")
FILLED_IN = (*ANNOTATORS, "adjudicated", "notes")
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_SEPARATORS = (",", ";", "\t")


def sheet_text(rows: Iterable[Mapping[str, str]]) -> str:
    """The sheet of a sample, with the columns for people left blank.

    Parameters
    ----------
    rows : a text for each column of `FIXED`. The id must be safe as it is: it is not guarded.

    Returns
    -------
    str
        RFC 4180: every cell quoted, lines end in CR LF; to be stored as UTF-8 with a byte
        order mark, by which spreadsheet programs know it. Texts are as
        `harness.review.texts.guarded` gives them.
    """
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow((*FIXED, *FILLED_IN))
    for row in rows:
        texts = [guarded(shown(row[name])) for name in FIXED[1:]]
        writer.writerow((row["id"], *texts, *("" for _ in FILLED_IN)))
    return out.getvalue()


def shown(text: str) -> str:
    """A text as sheet and page show it: visible, and no longer than a cell can be."""
    return shortened(visible(text))


def read_sheet(path: Path) -> list[dict[str, str]]:
    """Read a sheet back, as a spreadsheet program saved it.

    Parameters
    ----------
    path : UTF-8 with or without a byte order mark, or UTF-16 with one; cells separated by
        commas, semicolons or tabs; any line ends. Further columns are left alone.

    Returns
    -------
    list of dict
        `FIXED` and `FILLED_IN` of every row, each as `canonical` makes it; a cell that is not
        there is empty. Wholly empty rows are left out.

    Raises
    ------
    DataError
        For a file that is not there, not in these encodings, or no CSV; for columns that are
        missing or there twice.
    """
    text = _decoded(path)
    head = text.replace("\r", "\n").partition("\n")[0]
    separator = max(_SEPARATORS, key=head.count)
    try:
        lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
    except csv.Error as error:
        raise DataError(
            f"{path.name}: expected a CSV file, found one that cannot be read ({error}); save the "
            "sheet as CSV again"
        ) from None
    names = [canonical(name) for name in lines[0]] if lines else []
    counts = Counter(names)
    wrong = [name for name in (*FIXED, *FILLED_IN) if counts[name] != 1]
    if wrong:
        raise DataError(
            f"{path.name}: expected each of the columns {', '.join((*FIXED, *FILLED_IN))} once, "
            f"found {', '.join(f'{name} {counts[name]} times' for name in wrong)}; restore the "
            "first row of the sheet"
        )
    places = {name: names.index(name) for name in (*FIXED, *FILLED_IN)}
    return [
        {name: canonical(line[at]) if at < len(line) else "" for name, at in places.items()}
        for line in lines[1:]
        if any(cell.strip() for cell in line)
    ]


def _decoded(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise DataError(
            f"{path.name}: expected a sheet, found no readable file ({type(error).__name__})"
        ) from None
    encoding = "utf-16" if raw[:2] in _UTF_16 else "utf-8-sig"
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        raise DataError(
            f"{path.name}: expected UTF-8, found a byte at {error.start} that is none; save the "
            "sheet as 'CSV UTF-8'"
        ) from None


__all__ = ["ANNOTATORS", "FILLED_IN", "FIXED", "read_sheet", "sheet_text", "shown"]
