"""Prediction files scored: one document for all seeds, and its text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness import ids
from harness.errors import DataError, StoreError
from harness.identity import differing
from harness.predictions.asked import read_sidecar, sidecar_path
from harness.predictions.figures import Reading, covered, figures, readings, scores
from harness.predictions.rows import Rows, read_rows
from harness.predictions.seeds import claim_of, claim_policy, over_seeds
from harness.types import Dataset, Example

SCHEMA = "assay.predictions/1"
LEVEL = 0.95


@dataclass(frozen=True, kw_only=True)
class _File:
    """A file that fits the data set."""

    path: Path
    seed: int | None
    rows: Rows
    examples: tuple[Example, ...]
    sidecar: Mapping[str, Any] | None


def scored(
    paths: Mapping[int, Path] | Path,
    dataset: Dataset,
    *,
    policy: str = "default",
    partial: bool = False,
) -> dict[str, Any]:
    """Score the prediction files of one model over one data set.

    Parameters
    ----------
    paths : one file, of whichever seed; or the file of each seed.
    dataset : what was asked.
    policy : this package's scorer, beside the published rule.
    partial : let a file be of a subset of the data set.

    Returns
    -------
    dict
        JSON values: `data`, `model`, `files` (base names and digests), `seeds`, per scorer the
        metrics of each seed with intervals and over seeds, `formal_comparison` and
        `claim_policy`. Without host, path or time, so that equal files give equal documents.

    Raises
    ------
    DataError
        For a file that cannot be read, of other ids than the data set, or of another seed; files
        of different models, revisions or examples; examples of several kinds.
    StoreError
        When a sidecar says that the file was changed or never closed, was asked about other
        data, or that two seeds were asked otherwise.
    """
    given = {None: paths} if isinstance(paths, Path) else dict(paths)
    files = [_read(path, seed, dataset, partial=partial) for seed, path in given.items()]
    _refuse_mixed(files)
    kinds = sorted({example.kind for example in dataset.examples})
    first = files[0]
    if len(kinds) != 1:
        raise DataError(f"{dataset.name}: expected examples of one kind, found {', '.join(kinds)}")
    by_reading = {
        reading.name: _figures(files, reading)
        for reading in readings(list(first.rows.by_id.values()), kinds[0], policy)
    }
    texts = {ids.digest([(r.id, r.raw, r.prediction) for r in _ordered(file)]) for file in files}
    claim = claim_of(len(files), random=_is_random(files), identical=len(texts) == 1)
    return {
        "schema": SCHEMA,
        "data": {
            "name": dataset.name,
            "split": dataset.split,
            "fingerprint": dataset.fingerprint,
            "claim_level": dataset.claim_level,
            "n": len(dataset.examples),
        },
        "model": {"id": first.rows.model_id, "revision": first.rows.model_revision},
        "files": [{"name": f.path.name, "sha256": ids.file_digest(f.path)} for f in files],
        "asked_is_known": all(file.sidecar is not None for file in files),
        "seeds": [file.seed for file in files],
        "n_scored": len(first.examples),
        "coverage": len(first.examples) / len(dataset.examples),
        "level": LEVEL,
        "scorers": by_reading,
        "formal_comparison": claim == "seeds",
        "claim_policy": claim_policy(claim, len(files), len(first.examples), len(dataset.examples)),
    }


def text(document: Mapping[str, Any]) -> str:
    """The document for people: one line a metric."""
    data, model = document["data"], document["model"]
    lines = [
        f"{data['name']}/{data['split']} ({data['claim_level']}), model {model['id'] or 'unnamed'} "
        f"at {model['revision'] or 'no revision'}, {document['n_scored']} of {data['n']} questions"
    ]
    if not document["asked_is_known"]:
        lines.append("without metadata: prompt, decoding and data are not known")
    several = len(document["seeds"]) > 1
    for name, found in document["scorers"].items():
        lines.append(f"\n{name}")
        for metric, summary in found["over_seeds"].items():
            one = found["by_seed"][0][metric]
            spread = (
                f"± {_percent(summary['radius'])} (sd {_percent(summary['sample_std'])}, "
                f"{summary['n']} seeds)"
                if several
                else f"[{_percent(one['low'])}, {_percent(one['high'])}], n {one['n']}"
            )
            lines.append(f"  {metric:<28}{_percent(summary['mean']):>8}  {spread}")
    return "\n".join([*lines, "", document["claim_policy"]]) + "\n"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.2f}"


def _read(path: Path, seed: int | None, dataset: Dataset, *, partial: bool) -> _File:
    rows = read_rows(path, seed)
    sidecar = read_sidecar(path)
    if sidecar is not None:
        _refuse_changed(path, sidecar, dataset)
    return _File(
        path=path,
        seed=rows.seed if seed is None else seed,
        rows=rows,
        examples=tuple(covered(dataset.examples, rows.by_id, partial=partial, where=path.name)),
        sidecar=sidecar,
    )


def _refuse_changed(path: Path, sidecar: Mapping[str, Any], dataset: Dataset) -> None:
    name = sidecar_path(path).name
    if sidecar.get("closed") is not True or sidecar.get("sha256") != ids.file_digest(path):
        raise StoreError(
            f"{path.name}: expected the file that {name} was closed with, found another one or "
            "one still being written; continue it, or restore it"
        )
    stated = dict(sidecar["asked"].get("data") or {}).get("fingerprint")
    if stated is not None and stated != dataset.fingerprint:
        raise StoreError(
            f"{path.name}: expected predictions for data of fingerprint {dataset.fingerprint}, "
            f"found {stated} in {name}; name the data set that was asked"
        )


def _refuse_mixed(files: Sequence[_File]) -> None:
    first = files[0]
    for file in files[1:]:
        where = f"{first.path.name} and {file.path.name}"
        for field in ("model_id", "model_revision"):
            a, b = getattr(first.rows, field), getattr(file.rows, field)
            if a != b:
                raise DataError(f"{where}: expected one {field}, found {a!r} and {b!r}")
        if [e.id for e in first.examples] != [e.id for e in file.examples]:
            raise DataError(f"{where}: expected rows of the same examples, found others")
        if first.sidecar is not None and file.sidecar is not None:
            names = differing(first.sidecar["asked"], file.sidecar["asked"])
            names = [name for name in names if name != "seed"]
            if names:
                raise StoreError(
                    f"{where}: expected files that differ in their seed alone, found them asked "
                    f"otherwise in {', '.join(names)}"
                )


def _ordered(file: _File) -> list[Any]:
    return [file.rows.by_id[example.id] for example in file.examples]


def _is_random(files: Sequence[_File]) -> bool:
    sources = [dict(f.sidecar.get("source") or {}) if f.sidecar else {} for f in files]
    return any(s.get("kind") == "baseline" and s.get("name") == "random" for s in sources)


def _figures(files: Sequence[_File], reading: Reading) -> dict[str, Any]:
    by_seed = [figures(f.examples, scores(f.examples, f.rows.by_id, reading)) for f in files]
    return {
        "by_seed": [{name: ids.plain(e) for name, e in found.items()} for found in by_seed],
        "over_seeds": {
            name: ids.plain(over_seeds([found[name].value for found in by_seed]))
            for name in by_seed[0]
        },
    }


__all__ = ["LEVEL", "SCHEMA", "scored", "text"]
