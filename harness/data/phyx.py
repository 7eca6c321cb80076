"""PhyX, multiple choice: physics questions that show a picture and offer four answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from harness.data.choice_lists import choices_of, lettered, listed
from harness.data.manifest import LETTERS
from harness.data.problem_sets import Draft, problem_rows, problem_set, tag, text_of
from harness.errors import DataError
from harness.types import Dataset, Example

_QUESTIONS = ("question", "question_simply")


def phyx(
    path: Path,
    name: str,
    *,
    split: str,
    image_root: Path | None = None,
    exclude: Sequence[str] = (),
    text: str = "question",
) -> Dataset:
    """Read PhyX in its layout of choice.

    Fields: `index` (or `id`, or `question_id`), `question`, `question_simply`, `description`;
    `options` (or `choices`, or columns A, B, C …, or a list in the question); `answer`, a letter
    or the text of a choice; `category`, `subfield`, `reasoning_type`; `image` (base64, bytes, a
    record, or a path) or `image_path`.

    Parameters
    ----------
    path : parquet, TSV, JSON or JSONL (see `harness.data.problem_sets.problem_rows`).
    name, split : how the study names the data set and what it reads.
    image_root, exclude : as for `harness.data.problem_sets.problem_set`.
    text : the field that is asked: "question", or "question_simply", which leaves to the
        picture what it shows; `description`, where there is one, stands before the latter.

    Returns
    -------
    Dataset
        Kind `choice`, in the file's order; `group` = category, tags "subject:…" (subfield) and
        "reasoning:…".

    Raises
    ------
    DataError
        For another `text`; listing rows without id, question, choices or a readable answer; and
        as `problem_set`.

    References
    ----------
    H. Shen et al., PhyX, 2025; data set Cloudriver/PhyX (MIT).
    """
    if text not in _QUESTIONS:
        raise DataError(f"{name}: text: expected one of {_QUESTIONS}, found {text!r}")
    drafts, faults = [], []
    for place, row in enumerate(problem_rows(path), start=1):
        key = text_of(row, "index", "id", "question_id") or f"row {place}"
        question = text_of(row, text)
        if text == "question_simply":
            question = "\n".join(part for part in (text_of(row, "description"), question) if part)
        try:
            choices = choices_of(row.get("options", row.get("choices"))) or lettered(row)
            choices = choices or listed(question)
        except ValueError as error:
            faults.append(f"{key}: {error}")
            continue
        gold = _letter(text_of(row, "answer"), choices)
        if not question or not choices or gold is None or key.startswith("row "):
            faults.append(
                f"{key}: expected an id, {text}, choices and an answer among them, found "
                f"{len(choices)} choices and the answer {row.get('answer')!r:.40}"
            )
            continue
        kinds = row.get("reasoning_type") or ()
        kinds = (kinds,) if isinstance(kinds, str) else tuple(map(str, kinds))
        pictures = row.get("image") or row.get("image_path")
        drafts.append(
            Draft(
                example=Example(
                    id=key,
                    kind="choice",
                    question=question,
                    gold=gold,
                    choices=choices,
                    group=text_of(row, "category"),
                    tags=(
                        *tag("subject", text_of(row, "subfield")),
                        *(made for kind in kinds for made in tag("reasoning", kind)),
                    ),
                ),
                pictures=tuple(pictures) if isinstance(pictures, list) else _one(pictures),
            )
        )
    return problem_set(
        name, split, drafts, faults, where=path.name, image_root=image_root, exclude=exclude
    )


def _one(value: object) -> tuple[object, ...]:
    return () if value is None or value == "" else (value,)


def _letter(answer: str, choices: Sequence[str]) -> str | None:
    letters = LETTERS[: len(choices)]
    bare = answer.strip("().: ")
    if len(bare) == 1 and bare.upper() in letters:
        return bare.upper()
    places = [place for place, choice in enumerate(choices) if choice == answer]
    return letters[places[0]] if len(places) == 1 else None


__all__ = ["phyx"]
