"""R1-Onevision-Bench: questions with pictures, choices or free answers, in parquet or TSV."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from harness.data import manifest
from harness.data.choice_lists import choices_of, lettered, listed
from harness.data.image import open_rgb
from harness.data.picture_cells import file_bytes, picture_bytes
from harness.data.tables import table_files, table_rows
from harness.errors import DataError
from harness.types import Dataset, Example, Kind, Media

if TYPE_CHECKING:
    from PIL.Image import Image

_SHOWN = 20
_MAX_CHARS = 100_000
# A cell this short that is the index of another row stands for the picture of that row.
_REFERENCE_CHARS = 64
_NUMBER = re.compile(
    r"\$?[-+−]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)(?:\s*/\s*\d+|\s*[×x*]\s*10\^?\{?[-−]?\d+\}?|e-?\d+)?"
    r"\s*(?:[%°℃Ω]|(?![xyznabk](?![A-Za-z]))[A-Za-zμΩ°][A-Za-zμΩ°/·^²³0-9-]{0,15})?\$?"
)
_MATHEMATICAL = re.compile(
    r"[\\^=√π<>≤≥²³]|\d[xyznabk](?![A-Za-z])|\d\s*[-+*/×]\s*\w|\w\s*[-+*/]\s*\d|[(\[]\s*-?\d.*,.*[)\]]"
)
_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{4,}|->|→")

# The bytes of pictures, a short text that may be the index of another row, or what was wrong.
_Cell = tuple[bytes, ...] | str | ValueError
_Content = tuple[tuple[Example, ...], Mapping[str, bytes]]


def r1bench(
    path: Path,
    name: str,
    *,
    split: str,
    image_root: Path | None = None,
    exclude: Sequence[str] = (),
) -> Dataset:
    """Read R1-Onevision-Bench, or another benchmark of its layout.

    Columns: `index` (or `id`; without it the row's number from 0), `question`, `answer`,
    `category`; `level`; `choices` (or `options`, or columns A, B, C …: see
    `harness.data.choice_lists`); `image` (base64, bytes, or a record of bytes and path; a short
    text that is the index of another row stands for that row's picture; a list is several
    pictures) or `image_path`. Other columns are not looked at.

    A row is multiple choice where it has choices, in a column or listed in its question, and
    its answer is one letter or the whole text of one choice. It is a free response where it
    has none: of kind `number` for a number with or without a unit, `expression` for a formula,
    `text` otherwise, also for a lone letter whose choices stand in the picture only.

    Parameters
    ----------
    path : a `.parquet` or `.tsv` file, or a folder of either. Parquet needs the package pyarrow.
    name, split : how the study names the data set and what it reads; the file holds one split.
    image_root : the folder of pictures that the table names by path. Nothing outside it is read.
    exclude : ids of rows that are left out before any check, each of them in the table.

    Returns
    -------
    Dataset
        In the table's order: id = the index, `group` = category, `role` = level, `tags` = both;
        the media carry the SHA-256 of their bytes. A picture that cannot be decoded raises when
        it is opened. The bytes of all pictures stay in memory, once for all splits of one file.
        Claim level L2.

    Raises
    ------
    DataError
        As in `harness.data.tables.table_rows`; and, listing faults by id: an id that stands
        twice, an empty or overlong question or answer, a category or picture that is missing,
        choices that cannot be read, an answer that is not among them or is one by its letter
        and another by its text, and what `manifest.check` finds.

    References
    ----------
    Yang et al., R1-Onevision, ICCV 2025; data set Fancy-MLLM/R1-Onevision-Bench.
    """
    stamps = tuple((f.name, f.stat().st_size, f.stat().st_mtime_ns) for f in table_files(path))
    examples, pictures = _content(path, stamps, image_root, tuple(exclude))

    def open_image(media: Media) -> Image:
        if media.name not in pictures:
            raise DataError(f"{name}/{split}: no picture {media.name!r} in this split")
        return open_rgb(pictures[media.name], media.name)

    return Dataset(
        name=name,
        split=split,
        examples=examples,
        fingerprint=manifest.fingerprint(examples),
        open_image=open_image,
        claim_level="L2",
    )


def free_kind(answer: str) -> Kind:
    """The kind of a free answer, by its form.

    Examples
    --------
    >>> [free_kind(a) for a in ("12.5 cm", "2\\\\sqrt{3}", "to the left", "x > 3")]
    ['number', 'expression', 'text', 'expression']
    """
    if _NUMBER.fullmatch(answer):
        return "number"
    if _MATHEMATICAL.search(answer) and not _WORD.search(answer):
        return "expression"
    return "text"


@lru_cache(maxsize=2)
def _content(
    path: Path,
    stamps: tuple[tuple[str, int, int], ...],
    image_root: Path | None,
    exclude: tuple[str, ...],
) -> _Content:
    rows: dict[str, dict[str, Any]] = {}
    cells: dict[str, _Cell] = {}
    faults = []
    for number, row in enumerate(table_rows(path)):
        key = _id(row, number)
        if key in rows:
            faults.append(f"row {number}: the id {key!r} stands twice")
        cells[key] = _cell(row, image_root)
        rows[key] = {column: value for column, value in row.items() if column != "image"}
    unknown = sorted(set(exclude) - set(rows))
    faults += [f"exclude: expected ids of the table, found {key!r}" for key in unknown]
    examples = []
    pictures: dict[str, bytes] = {}
    for key, row in rows.items():
        if key in exclude:
            continue
        found: dict[str, bytes] = {}
        try:
            found = _pictures(key, cells)
        except ValueError as error:
            faults.append(f"{key}: {error}")
        try:
            examples.append(_example(key, row, found))
        except ValueError as error:
            faults.append(f"{key}: {error}")
        pictures |= found
    if faults:
        more = [f"  … and {len(faults) - _SHOWN} more"] if len(faults) > _SHOWN else []
        lines = "\n".join([f"  {fault}" for fault in faults[:_SHOWN]] + more)
        raise DataError(
            f"{path.name}: {len(faults)} fault(s); correct the data, or name the rows under "
            f"`exclude` in the study\n{lines}"
        )
    manifest.check(examples, path.name)
    return tuple(examples), MappingProxyType(pictures)


def _example(key: str, row: Mapping[str, Any], pictures: Mapping[str, bytes]) -> Example:
    question, answer = (_text(row, field, required=True) for field in ("question", "answer"))
    category, level = _text(row, "category", required=True), _text(row, "level", required=False)
    choices = choices_of(row.get("choices", row.get("options"))) or lettered(row)
    letter = answer.upper() if len(answer) == 1 and answer.isascii() and answer.isalpha() else ""
    if not choices and letter:
        choices = listed(question)
    kind: Kind = "choice" if choices else free_kind(answer)
    return Example(
        id=key,
        kind=kind,
        question=question,
        gold=_letter(answer, letter, choices) if choices else answer,
        choices=choices,
        media=tuple(
            Media(kind="image", name=name, sha256=hashlib.sha256(raw).hexdigest())
            for name, raw in pictures.items()
        ),
        group=category,
        role=level,
        tags=tuple(dict.fromkeys(tag for tag in (category, level) if tag)),
    )


def _letter(answer: str, letter: str, choices: tuple[str, ...]) -> str:
    letters = manifest.LETTERS[: len(choices)]
    by_text = [letters[i] for i, text in enumerate(choices) if text == answer]
    if letter and letter in letters:
        if by_text and by_text != [letter]:
            raise ValueError(
                f"expected one answer, found {answer!r}, the letter of one choice and the text of "
                f"another ({', '.join(by_text)})"
            )
        return letter
    if len(by_text) == 1:
        return by_text[0]
    raise ValueError(
        f"expected the answer among the choices A to {letters[-1]}, by letter or whole text, found "
        f"{answer!r:.80}"
    )


def _cell(row: Mapping[str, Any], root: Path | None) -> _Cell:
    """A row's pictures, decoded at once so that no table of long texts stays in memory."""
    cell = row.get("image")
    if isinstance(cell, str):
        cell = cell.strip()
        if 0 < len(cell) <= _REFERENCE_CHARS:
            return cell
    try:
        if cell is None or cell == "":
            path = _text(row, "image_path", required=False)
            if not path:
                raise ValueError("expected a picture under image or image_path, found none")
            return (file_bytes(path, root),)
        several = cell if isinstance(cell, list) else [cell]
        if not several:
            raise ValueError("expected a picture under image, found an empty list")
        return tuple(picture_bytes(one, root) for one in several)
    except ValueError as error:
        return error


def _pictures(key: str, cells: Mapping[str, _Cell]) -> dict[str, bytes]:
    cell = cells[key]
    if isinstance(cell, str) and cell != key:
        cell = cells.get(cell, cell)
    if isinstance(cell, ValueError):
        raise cell
    raws = (picture_bytes(cell, None),) if isinstance(cell, str) else cell
    names = [key] if len(raws) == 1 else [f"{key}#{n}" for n in range(1, len(raws) + 1)]
    return dict(zip(names, raws, strict=True))


def _id(row: Mapping[str, Any], number: int) -> str:
    value = row.get("index", row.get("id"))
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(number) if value is None or str(value).strip() == "" else str(value).strip()


def _text(row: Mapping[str, Any], field: str, *, required: bool) -> str:
    value = row.get(field)
    text = "" if value is None else str(value).strip()
    if required and not text:
        raise ValueError(f"expected {field} as text, found {value!r}")
    if len(text) > _MAX_CHARS:
        raise ValueError(f"expected {field} of at most {_MAX_CHARS} characters, found {len(text)}")
    return text


__all__ = ["free_kind", "r1bench"]
