"""OlympiadBench: open olympiad problems with answers by type and unit; its physics by default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.data.problem_sets import Draft, problem_rows, problem_set, tag, text_of
from harness.data.r1bench import free_kind
from harness.types import Dataset, Example, Kind

_IMAGES = tuple(f"image_{place}" for place in range(1, 10))


def olympiadbench(
    path: Path,
    name: str,
    *,
    split: str,
    image_root: Path | None = None,
    exclude: Sequence[str] = (),
    subject: str | None = "Physics",
) -> Dataset:
    """Read OlympiadBench, or another set of its layout.

    Fields: `id`, `context`, `question`, `final_answer` (a list), `is_multiple_answer`, `unit`,
    `answer_type`, `error` (the tolerance), `subject`, `subfield`, `language`, `difficulty`;
    pictures in `images` or `image_1` to `image_9`.

    Parameters
    ----------
    path : parquet, TSV, JSON or JSONL.
    name, split : how the study names the data set and what it reads.
    image_root, exclude : as for `harness.data.problem_sets.problem_set`.
    subject : only rows of this subject, in any case; rows that name none are kept. None: all.

    Returns
    -------
    Dataset
        The context stands before the question. The unit follows a gold that is one number and
        does not carry it. Several answers become one gold, separated by commas. Kind `number` for
        a number with or without a unit, `expression` for the other types. `group` = subfield,
        tags "difficulty:…", "language:…", "answer:…" (type) and "tolerance:…", which the scorer
        does not follow: its own 1 % holds.

    Raises
    ------
    DataError
        Listing rows without id, question or final answer (proofs have none: they are no part of
        the scored sets); and as `problem_set`.

    References
    ----------
    C. He et al., OlympiadBench, ACL 2024; data set Hothan/OlympiadBench (Apache-2.0).
    """
    drafts, faults = [], []
    for place, row in enumerate(problem_rows(path), start=1):
        about = text_of(row, "subject")
        if subject is not None and about and about.casefold() != subject.casefold():
            continue
        key = text_of(row, "id", "question_id")
        question = "\n".join(
            part for part in (text_of(row, "context"), text_of(row, "question")) if part
        )
        answers = _answers(row.get("final_answer"))
        if not key or not text_of(row, "question") or not answers:
            faults.append(
                f"{key or f'row {place}'}: expected id, question and final_answer, found "
                f"{len(answers)} answers and a question of {len(question)} characters"
            )
            continue
        gold, kind = _gold(answers, text_of(row, "unit"), text_of(row, "answer_type"))
        drafts.append(
            Draft(
                example=Example(
                    id=key,
                    kind=kind,
                    question=question,
                    gold=gold,
                    group=text_of(row, "subfield"),
                    tags=(
                        *tag("difficulty", text_of(row, "difficulty")),
                        *tag("language", text_of(row, "language")),
                        *tag("answer", text_of(row, "answer_type")),
                        *tag("tolerance", text_of(row, "error")),
                    ),
                ),
                pictures=_pictures(row),
            )
        )
    return problem_set(
        name, split, drafts, faults, where=path.name, image_root=image_root, exclude=exclude
    )


def _answers(value: Any) -> list[str]:
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        value = [value]
    if not isinstance(value, list | tuple):
        return []
    return [str(item).strip() for item in value if item is not None and str(item).strip()]


def _gold(answers: Sequence[str], unit: str, answer_type: str) -> tuple[str, Kind]:
    bare = [_undressed(answer) for answer in answers]
    if len(bare) == 1 and free_kind(bare[0]) == "number":
        carries = not unit or any(c.isalpha() or c in "%°Ω" for c in bare[0])
        return (bare[0] if carries else f"{bare[0]} {_undressed(unit)}"), "number"
    kind = free_kind(bare[0]) if len(bare) == 1 and not answer_type else "expression"
    return ", ".join(bare), kind


def _undressed(text: str) -> str:
    """Without one pair of dollar signs around the whole."""
    inner = text[1:-1] if len(text) > 2 and text[0] == text[-1] == "$" else text
    return text if "$" in inner else inner.strip()


def _pictures(row: Mapping[str, Any]) -> tuple[Any, ...]:
    several = row.get("images")
    values = several if isinstance(several, list) else [row.get(name) for name in _IMAGES]
    return tuple(value for value in values if value)


__all__ = ["olympiadbench"]
