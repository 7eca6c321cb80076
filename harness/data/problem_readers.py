"""Readers of problem sets by name, as a study file asks for them: the split says which part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.data.language_pairs import mgsm, xcopa
from harness.data.olympiadbench import olympiadbench
from harness.data.physolym import LANGUAGES, physolym
from harness.data.physreason import physreason
from harness.data.phyx import phyx
from harness.data.twin_problems import twin_problems
from harness.errors import DataError
from harness.types import Dataset

PROBLEM_READERS = (
    *("mgsm", "olympiadbench", "physolym", "physreason", "phyx", "twin-problems", "xcopa"),
)
WITH_PATH = tuple(name for name in PROBLEM_READERS if name != "twin-problems")


def open_problems(
    reader: str, *, name: str, split: str, path: Path | None, options: Mapping[str, Any]
) -> Dataset:
    """Open a problem set by its reader's name.

    Parameters
    ----------
    reader : one of `PROBLEM_READERS`.
    name : how the study names the data set.
    split : `xcopa`: the language of the premises. `physolym`: a language or "all", and with
        "-judgeable" behind it, rows whose solution states no answer are dropped. `phyx`: any
        name; one that ends in "simple" asks `question_simply`. `olympiadbench`: the subject, or
        "all". `twin-problems`: "choice" or "open". The others: any name.
    path : of the file or folder; None for `twin-problems`, which makes its own.
    options : `image_root` and `exclude`, as in `harness.data.load.load_dataset`.

    Returns
    -------
    Dataset
        As its reader returns it.

    Raises
    ------
    DataError
        For an unknown reader, a path that is missing or not wanted, and as the reader does.
    """
    if reader not in PROBLEM_READERS:
        known = ", ".join(PROBLEM_READERS)
        raise DataError(f"{name}: unknown reader {reader!r}; expected one of: {known}")
    if (path is None) == (reader in WITH_PATH):
        wanted = "the path of its file" if path is None else "no path, it makes its own data"
        raise DataError(f"{name}: reader {reader!r} expects {wanted}")
    if path is None:
        return twin_problems(name, split=split)
    root = options.get("image_root")
    image_root = None if root is None else Path(root)
    exclude: Sequence[str] = tuple(options.get("exclude", ()))
    match reader:
        case "mgsm":
            return mgsm(path, name, split=split)
        case "xcopa":
            return xcopa(path, name, split=split, language=split)
        case "olympiadbench":
            subject = None if split == "all" else split
            return olympiadbench(
                path, name, split=split, image_root=image_root, exclude=exclude, subject=subject
            )
        case "physreason":
            return physreason(path, name, split=split, image_root=image_root, exclude=exclude)
        case "phyx":
            asked = "question_simply" if split.endswith("simple") else "question"
            return phyx(path, name, split=split, image_root=image_root, exclude=exclude, text=asked)
    language = split.removesuffix("-judgeable")
    if language not in (*LANGUAGES, "all"):
        raise DataError(
            f"{name}: split: expected all, {', '.join(LANGUAGES)}, or one of them with -judgeable, "
            f"found {split!r}"
        )
    return physolym(
        path,
        name,
        split=split,
        image_root=image_root,
        exclude=exclude,
        language=None if language == "all" else language,
        unjudgeable="drop" if language != split else "refuse",
    )


__all__ = ["PROBLEM_READERS", "WITH_PATH", "open_problems"]
