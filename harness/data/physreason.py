"""PhysReason: problems of several sub-questions, each an example; right when all of them are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.data.problem_sets import Draft, problem_rows, problem_set, tag, text_of
from harness.data.r1bench import free_kind
from harness.data.records import read_records
from harness.types import Dataset, Example

_FILE = "problem.json"
_SUFFIXES = (".gif", ".jpeg", ".jpg", ".png", ".webp")


def physreason(
    path: Path,
    name: str,
    *,
    split: str,
    image_root: Path | None = None,
    exclude: Sequence[str] = (),
) -> Dataset:
    """Read PhysReason, a folder of problems or one file of records.

    Fields of a problem: `question_structure` with `context` and `sub_question_1`, `sub_question_2`
    …; `answer`, a list of as many; `difficulty`. In a folder each problem is a folder with
    `problem.json` and perhaps `images/`, and is named by it; a record has `problem_id` and names
    its pictures in `image_list`.

    Parameters
    ----------
    path : the folder of problems, or a JSON or JSONL file.
    name, split : how the study names the data set and what it reads.
    image_root : folder of the pictures; of a folder of problems it is that folder itself.
    exclude : ids of sub-questions to leave out. Their problem then has fewer parts: to leave a
        problem out, name all of them.

    Returns
    -------
    Dataset
        One example a sub-question: id "PROBLEM/1", `group` the problem, `role` "part-1", tags
        "difficulty:…" and "parts:N". Its text is the context, then the sub-questions up to and
        with its own, since later ones refer to earlier ones. Kind by the form of the answer. Score
        problems with `harness.judging.noise.by_problem` and `part_counts`.

    Raises
    ------
    DataError
        Listing problems without a name, sub-questions in a row from 1, or as many answers; and
        as `problem_set`.

    References
    ----------
    X. Zhang et al., PhysReason, ACL 2025; data set zhibei1204/PhysReason.
    """
    drafts, faults = [], []
    if path.is_dir():
        problems = list(_folders(path))
        image_root = path
    else:
        problems = [(text_of(row, "problem_id", "id"), row) for row in problem_rows(path)]
    for place, (key, row) in enumerate(problems, start=1):
        structure = row.get("question_structure")
        parts = _parts(structure if isinstance(structure, Mapping) else {})
        answers = row.get("answer")
        answers = answers if isinstance(answers, list) else [] if answers is None else [answers]
        golds = [str(answer).strip() for answer in answers if answer is not None]
        if not key or not parts or len(parts) != len(golds) or not all(golds):
            faults.append(
                f"{key or f'record {place}'}: expected a name, sub-questions numbered from 1 and "
                f"as many answers, found {len(parts)} and {len(golds)}"
            )
            continue
        context = text_of(structure, "context") if isinstance(structure, Mapping) else ""
        images = row.get("image_list") or []
        for number, gold in enumerate(golds, start=1):
            asked = [context] if context else []
            asked += [f"({n}) {part}" for n, part in enumerate(parts[:number], start=1)]
            if number > 1:
                asked.append(f"Answer ({number}).")
            drafts.append(
                Draft(
                    example=Example(
                        id=f"{key}/{number}",
                        kind=free_kind(gold),
                        question="\n".join(asked),
                        gold=gold,
                        group=key,
                        role=f"part-{number}",
                        tags=(
                            *tag("difficulty", text_of(row, "difficulty")),
                            f"parts:{len(golds)}",
                        ),
                    ),
                    pictures=tuple(map(str, images))
                    if isinstance(images, list)
                    else (str(images),),
                )
            )
    return problem_set(
        name, split, drafts, faults, where=path.name, image_root=image_root, exclude=exclude
    )


def _folders(path: Path) -> list[tuple[str, dict[str, Any]]]:
    found = []
    for folder in sorted(p for p in path.iterdir() if (p / _FILE).is_file()):
        rows = read_records(folder / _FILE, {})
        row = dict(rows[0]) if len(rows) == 1 else {}
        pictures = folder / "images"
        row["image_list"] = (
            [
                f"{folder.name}/images/{file.name}"
                for file in sorted(pictures.iterdir())
                if file.suffix.lower() in _SUFFIXES
            ]
            if pictures.is_dir()
            else []
        )
        found.append((folder.name, row))
    return found


def _parts(structure: Mapping[str, Any]) -> list[str]:
    """The sub-questions from 1 on; none where one of them is missing or blank."""
    n = sum(key.startswith("sub_question_") for key in structure)
    parts = [text_of(structure, f"sub_question_{number}") for number in range(1, n + 1)]
    return parts if all(parts) else []


__all__ = ["physreason"]
