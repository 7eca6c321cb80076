"""PHYSOLYM-A: open olympiad problems with their native difficulty, language and licence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.data.problem_sets import Draft, problem_rows, problem_set, tag, text_of
from harness.data.r1bench import free_kind
from harness.errors import DataError
from harness.scoring.reward import extract_boxed
from harness.types import Dataset, Example

LANGUAGES = ("en", "et", "en-et")
UNJUDGEABLE = ("refuse", "drop")
_MOST_GOLD = 200


def physolym(
    path: Path,
    name: str,
    *,
    split: str,
    image_root: Path | None = None,
    exclude: Sequence[str] = (),
    language: str | None = None,
    unjudgeable: str = "refuse",
) -> Dataset:
    r"""Read PHYSOLYM-A, or another set of its layout.

    Fields: `source`; `messages`, whose user turns are the question, as text or as a list of parts
    of type text and image; `solution`; `images`; `metadata` with `difficulty` (1 to 10 as the
    organisers give it), `language` ("en", "et" or "en-et") and `licence` (or `license`); an id in
    `id` or in the metadata's `id` or `problem_id`, else "SOURCE-NUMBER" by the row.

    Parameters
    ----------
    path : JSON, JSONL, parquet or TSV.
    name, split : how the study names the data set and what it reads.
    image_root, exclude : as for `harness.data.problem_sets.problem_set`.
    language : only problems in this language; a problem "en-et" is in both. None: all.
    unjudgeable : "refuse" or "drop" rows whose solution states no answer: no box, and not a text of
        at most 200 characters. Marking schemes and figures alone are such; 13.9 % of the
        published set could not be judged, so say how many were dropped.

    Returns
    -------
    Dataset
        `group` = source; gold = the last box of the solution or the short solution, with kind by
        its form; tags "difficulty:…", "language:…", "licence:…".

    Raises
    ------
    DataError
        For another `language` or `unjudgeable`; listing rows without question, an unknown
        language, a difficulty outside 1 to 10; and as `problem_set`.

    References
    ----------
    Physics-R1 (2026), PHYSOLYM-A.
    """
    if language is not None and language not in LANGUAGES:
        raise DataError(f"{name}: language: expected one of {LANGUAGES}, found {language!r}")
    if unjudgeable not in UNJUDGEABLE:
        raise DataError(f"{name}: unjudgeable: expected one of {UNJUDGEABLE}, found {unjudgeable}")
    drafts, faults = [], []
    for place, row in enumerate(problem_rows(path), start=1):
        about = row.get("metadata")
        about = about if isinstance(about, Mapping) else {}
        source = text_of(row, "source") or text_of(about, "source")
        key = text_of(row, "id") or text_of(about, "id", "problem_id") or f"{source}-{place}"
        said = text_of(about, "language")
        if language is not None and language != said and not (said == "en-et" and language in said):
            continue
        question, pictures = _question(row.get("messages"))
        difficulty = text_of(about, "difficulty", "native_difficulty")
        wrong = _faults(question, said, difficulty)
        gold = _gold(text_of(row, "solution"))
        if not gold and not wrong and unjudgeable == "drop":
            continue
        if not gold:
            wrong.append("a solution that states an answer: a box, or a short text")
        if wrong:
            faults.append(f"{key}: expected {'; '.join(wrong)}")
            continue
        images = row.get("images")
        pictures += list(images) if isinstance(images, list) else []
        drafts.append(
            Draft(
                example=Example(
                    id=key,
                    kind=free_kind(gold),
                    question=question,
                    gold=gold,
                    group=source,
                    tags=(
                        *tag("difficulty", difficulty),
                        *tag("language", said),
                        *tag("licence", text_of(about, "licence", "license")),
                    ),
                ),
                pictures=tuple(pictures),
            )
        )
    return problem_set(
        name, split, drafts, faults, where=path.name, image_root=image_root, exclude=exclude
    )


def _question(messages: Any) -> tuple[str, list[Any]]:
    texts: list[str] = []
    pictures: list[Any] = []
    for message in messages if isinstance(messages, list) else []:
        if not isinstance(message, Mapping) or message.get("role") != "user":
            continue
        content = message.get("content")
        for part in [content] if isinstance(content, str) else content or []:
            if isinstance(part, str):
                texts.append(part)
            elif isinstance(part, Mapping) and isinstance(part.get("text"), str):
                texts.append(part["text"])
            elif isinstance(part, Mapping) and (found := part.get("image") or part.get("path")):
                pictures.append(found)
    return "\n".join(text.strip() for text in texts if text.strip()), pictures


def _gold(solution: str) -> str:
    boxed = extract_boxed(solution)
    if boxed:
        return boxed
    return solution if len(solution) <= _MOST_GOLD and "\n\n" not in solution else ""


def _faults(question: str, language: str, difficulty: str) -> list[str]:
    found = [] if question else ["a user message with text"]
    if language not in LANGUAGES:
        found.append(f"a language of {', '.join(LANGUAGES)}, found {language!r}")
    try:
        graded = not difficulty or 1 <= float(difficulty) <= 10
    except ValueError:
        graded = False
    if not graded:
        found.append(f"a difficulty from 1 to 10, found {difficulty!r}")
    return found


__all__ = ["LANGUAGES", "UNJUDGEABLE", "physolym"]
