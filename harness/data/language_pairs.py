"""MGSM and XCOPA: one set of questions in several languages, paired by id."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness.data.problem_sets import Draft, problem_set, text_of
from harness.data.records import read_records
from harness.errors import DataError
from harness.types import Dataset, Example

# How XCOPA's two relations are asked for, in the language of the premise.
ASKED: Mapping[str, tuple[str, str]] = {
    "en": ("What was the cause of this?", "What happened as a result?"),
    "et": ("Mis oli selle põhjus?", "Mis selle tagajärjel juhtus?"),
}
_LABELS = ("A", "B")


def mgsm(path: Path, name: str, *, split: str) -> Dataset:
    """Read one language of MGSM: lines of question, tab, answer, without a head line.

    Parameters
    ----------
    path : such as `mgsm_sw.tsv`.
    name, split : how the study names the data set and what it reads.

    Returns
    -------
    Dataset
        Kind `number`, exact, in the file's order; id "mgsm-N" with the line's number from 1, the
        same problem in every language. No pictures.

    Raises
    ------
    DataError
        Naming each line that is not a question and an answer; and as `problem_set`.

    References
    ----------
    F. Shi et al., "Language models are multilingual chain-of-thought reasoners", ICLR 2023.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(
            f"{path.name}: cannot be read ({type(error).__name__}); fetch the data first"
        ) from error
    drafts, faults = [], []
    for number, line in enumerate(text.rstrip("\n").split("\n"), start=1):
        question, _, answer = line.rstrip("\r").rpartition("\t")
        if not question.strip() or not answer.strip():
            faults.append(f"line {number}: expected a question, a tab and an answer")
            continue
        drafts.append(
            Draft(
                example=Example(
                    id=f"mgsm-{number}",
                    kind="number",
                    question=question.strip(),
                    gold=answer.strip(),
                    exact=True,
                )
            )
        )
    return problem_set(name, split, drafts, faults, where=path.name, image_root=None, exclude=())


def xcopa(path: Path, name: str, *, split: str, language: str) -> Dataset:
    """Read one language of XCOPA, or its translation into English.

    Fields: `idx`, `premise`, `choice1`, `choice2`, `question` ("cause" or "effect"), `label` (0 or
    1).

    Parameters
    ----------
    path : JSONL.
    name, split : how the study names the data set and what it reads.
    language : of the premises: one of `ASKED`, whose words ask for cause or effect. Asking in
        another language than the premise's would be a difference beside the translation.

    Returns
    -------
    Dataset
        Kind `choice` with two choices; id "xcopa-IDX", the same item in every language. No
        pictures.

    Raises
    ------
    DataError
        For another language; listing rows that lack a field; and as `problem_set`.

    References
    ----------
    E. M. Ponti et al., "XCOPA: a multilingual dataset for causal commonsense reasoning", EMNLP
    2020.
    """
    if language not in ASKED:
        raise DataError(
            f"{name}: language: expected one of {', '.join(ASKED)}, found {language!r}; add its "
            "two questions to ASKED"
        )
    drafts, faults = [], []
    for place, row in enumerate(read_records(path, {}), start=1):
        key = text_of(row, "idx")
        asked = {"cause": ASKED[language][0], "effect": ASKED[language][1]}.get(
            text_of(row, "question")
        )
        choices = text_of(row, "choice1"), text_of(row, "choice2")
        if not key or asked is None or not text_of(row, "premise") or not all(choices):
            faults.append(f"record {place}: expected idx, premise, two choices, cause or effect")
            continue
        if not _is_label(row.get("label")):
            faults.append(f"record {place}: expected label 0 or 1, found {row.get('label')!r}")
            continue
        drafts.append(
            Draft(
                example=Example(
                    id=f"xcopa-{key}",
                    kind="choice",
                    question=f"{text_of(row, 'premise')} {asked}",
                    gold=_LABELS[row["label"]],
                    choices=choices,
                    tags=(text_of(row, "question"),),
                )
            )
        )
    return problem_set(name, split, drafts, faults, where=path.name, image_root=None, exclude=())


def _is_label(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value in (0, 1)


__all__ = ["ASKED", "mgsm", "xcopa"]
