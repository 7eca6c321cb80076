"""The gate thresholds of a study as they were when it first ran, kept in the runs folder.

They are kept twice: under the study's name, and under each question that it asks (one model, one
data set, one prompt), so that another name does not make them new.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from harness import ids
from harness.errors import StoreError
from harness.plugin.questions import answered, question
from harness.study import Study
from harness.types import Dataset, ModelSpec


def asked(
    study: Study,
    dataset: Callable[[str], Dataset],
    fingerprint: Callable[[ModelSpec, str], Mapping[str, Any]],
) -> dict[str, dict[str, str]]:
    """What a study asks of whom: the names of model, data set and prompt, by a hash of contents.

    The hash knows no name. It leaves out view, decoding, dtype and size, so that none of these
    makes a question new; a model, a data set or a prompt of other content does.

    Parameters
    ----------
    dataset, fingerprint : open a data set, and tell a model's content, as `RunContext` has them.
    """
    found: dict[str, dict[str, str]] = {}
    for experiment in study.experiments.values():
        for data, model in _pairs(study, experiment.data, experiment.models):
            content = dataset(data).fingerprint, fingerprint(model, data)
            for prompt in experiment.prompts:
                key = question(*content, study.prompts[prompt].sha256)
                found.setdefault(key, {"model": model.name, "data": data, "prompt": prompt})
    return found


def freeze(study: Study, runs: Path, questions: Mapping[str, Mapping[str, str]]) -> None:
    """Record what may not change, for the study and for each question; the first stays.

    For the controller, before any response of the run; killed in between, the next run records
    the rest. A question that has responses already and no record never gets one: under which
    thresholds it was asked first is not known.

    Raises
    ------
    StoreError
        When the runs folder cannot be written, or a record cannot be read.
    """
    try:
        unknown = _unknown(runs, questions)
        _write_once(_file(study, runs), study.frozen)
        thresholds = _read(_file(study, runs))
        for key, names in questions.items():
            if key in unknown:
                continue
            record = {"study": study.name, **names, "thresholds": thresholds}
            _write_once(_question(key, runs), record)
    except OSError as error:
        raise StoreError(
            f"runs folder {runs.name}: expected to write it, found {error.strerror}; name another "
            "by --runs"
        ) from None


def first(
    study: Study, runs: Path, questions: Mapping[str, Mapping[str, str]]
) -> dict[str, Any] | None:
    """The thresholds that count as the study's first; None before the first run.

    Its own, where they are not those of now. Else those under which another study first asked
    one of the same questions, where these are not those of now: with `study`, its name (of
    several, the first in the alphabet). Else its own, which are those of now.

    With `unknown`, where there are such: the questions (model/data/prompt) that have responses
    in the runs folder and no record there.

    Raises
    ------
    StoreError
        When a record cannot be read.
    """
    found = _known(study, runs, questions)
    unknown = sorted("/".join(names.values()) for names in _unknown(runs, questions).values())
    return {**(study.frozen if found is None else found), "unknown": unknown} if unknown else found


def _known(
    study: Study, runs: Path, questions: Mapping[str, Mapping[str, str]]
) -> dict[str, Any] | None:
    own = _read(_file(study, runs))
    now = ids.canonical_json(study.frozen)
    if own is not None and ids.canonical_json(own) != now:
        return own
    records = [_asked(_question(key, runs)) for key in sorted(questions)]
    others = [
        {**thresholds, "study": name}
        for name, thresholds in sorted(filter(None, records), key=lambda record: record[0])
        if ids.canonical_json(thresholds) != now
    ]
    return others[0] if others else own


def _unknown(
    runs: Path, questions: Mapping[str, Mapping[str, str]]
) -> dict[str, Mapping[str, str]]:
    """Those questions that were answered before anything was recorded of them."""
    bare = {key: names for key, names in questions.items() if not _question(key, runs).exists()}
    if not bare:
        return {}
    kept = answered(runs)
    return {key: names for key, names in bare.items() if key in kept}


def _pairs(
    study: Study, data: tuple[str, ...], models: tuple[str, ...]
) -> Iterator[tuple[str, ModelSpec]]:
    for name in data:
        for model in (study.models[m] for m in models):
            # A replayed model answers those data sets alone that it has predictions for.
            if model.source["kind"] != "replay" or name in model.source["predictions"]:
                yield name, model


def _file(study: Study, runs: Path) -> Path:
    return runs / "thresholds" / f"{ids.slug(study.name)}.json"


def _question(key: str, runs: Path) -> Path:
    return runs / "thresholds" / "asked" / f"{key}.json"


def _write_once(path: Path, value: Any) -> None:
    """Write a whole file, unless there is one: of several writers, the first wins."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_suffix(f".{os.getpid()}.tmp")
    scratch.write_text(ids.canonical_json(value) + "\n", encoding="ascii")
    try:
        os.link(scratch, path)
    except FileExistsError:
        pass
    finally:
        scratch.unlink()


def _asked(path: Path) -> tuple[str, dict[str, Any]] | None:
    """Who first asked a question, and under which thresholds."""
    record = _read(path)
    if record is None:
        return None
    name, thresholds = record.get("study"), record.get("thresholds")
    if not isinstance(name, str) or not isinstance(thresholds, dict):
        raise _damaged(path, record)
    return name, thresholds


def _read(path: Path) -> dict[str, Any] | None:
    try:
        value = json.loads(path.read_text(encoding="ascii"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        value = f"{type(error).__name__}"
    if not isinstance(value, dict):
        raise _damaged(path, value)
    return value


def _damaged(path: Path, found: Any) -> StoreError:
    return StoreError(
        f"thresholds/{path.name}: expected a study's first thresholds as one JSON object, found "
        f"{found!r}; restore the file, or use another runs folder"
    )


__all__ = ["asked", "first", "freeze"]
