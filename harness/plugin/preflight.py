"""What can be known before a model is loaded: every fault of data and models, all at once."""

from __future__ import annotations

import os
import shlex
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import PurePosixPath

from harness.data.subsets import refuse_leak, refuse_other_parts
from harness.errors import AssayError, StudyError
from harness.models.readiness import check_files
from harness.plugin.options import Session
from harness.study import DataSpec, Study, unpinned
from harness.types import Dataset, ModelSpec

_ON_DISK = ("hub", "local")
_ROLES = ("whole", "design", "held_out")


def check(
    session: Session,
    dataset: Callable[[str], Dataset],
    ready: Callable[[ModelSpec, str], None],
) -> None:
    """Open every data set and find every model that the study's experiments use.

    Raises
    ------
    StudyError
        With all faults, sorted, what several entries share told once: missing or damaged data, a
        model that is not on this machine (both with the command that gets them, where the study
        says from where), a model or data set that is not pinned where the full tier asks for it
        (the message holds the fingerprint that was found); where the study names a design and a
        held-out part, an example that stands in both, and parts that are not those of the whole.
    """
    study, full = session.study, "full" in session.tiers
    faults = _Faults()
    opened = partial(_opened, study, dataset, faults, full=full)
    for experiment in study.experiments.values():
        usable = [name for name in experiment.data if opened(name) is not None]
        for model in experiment.models:
            spec = study.models[model]
            kind = spec.source["kind"]
            reason = unpinned(spec)
            if full and reason is not None and kind not in _ON_DISK:
                faults.add("full tier", reason)
                continue
            asked = [n for n in usable if kind != "replay" or n in spec.source["predictions"]]
            checks = [partial(ready, spec, name) for name in asked]
            if not usable and kind in _ON_DISK:
                # Whether it is here can be told without data, and belongs in the same message.
                checks = [partial(check_files, spec)]
            for run in checks:
                try:
                    run()
                except AssayError as error:
                    faults.add(f"models.{model}", str(error).removeprefix(f"model {model}: "))
    _find_leaks(study, opened, faults)
    if lines := faults.lines():
        raise StudyError("\n".join(f"{study.path.name}: {line}" for line in lines))


def unstated(spec: DataSpec, found: Dataset) -> str | None:
    """Why a data set is not pinned; None when it is.

    Data from a file have to be those that the study states; data that the package makes itself
    are as immutable as the package.
    """
    if spec.path is None or "fingerprint" in spec.options:
        return None
    return (
        f"data.{spec.name}.fingerprint: expected the 64 hex digits of the data that this study is "
        f"for, found none; {spec.path.name} holds {len(found.examples)} examples: if these are "
        f'they, state fingerprint = "{found.fingerprint}"'
    )


class _Faults:
    """Faults by their text, so that what several entries share is told once."""

    def __init__(self) -> None:
        self._places: dict[str, set[str]] = defaultdict(set)

    def add(self, place: str, text: str) -> None:
        self._places[text].add(place)

    def lines(self) -> list[str]:
        return sorted(f"{', '.join(sorted(p))}: {text}" for text, p in self._places.items())


def _opened(
    study: Study, dataset: Callable[[str], Dataset], faults: _Faults, name: str, *, full: bool
) -> Dataset | None:
    spec = study.data[name]
    if spec.path is not None and not spec.path.exists():
        faults.add(f"data.{name}", _absent(study, spec))
        return None
    try:
        found = dataset(name)
    except AssayError as error:
        faults.add(f"data.{name}", str(error))
        return None
    if full and (reason := unstated(spec, found)):
        faults.add("full tier", reason)
    return found


def _absent(study: Study, spec: DataSpec) -> str:
    """That a file is not here, and the command that gets it, from where pytest was started."""
    assert spec.path is not None
    shown = os.path.relpath(spec.path)
    # One entry may state the source for all that read the same file.
    sources = [d.source for d in study.data.values() if d.path == spec.path and d.source]
    if not sources:
        return f"{shown}: no such file; check the path in the study or fetch the data first"
    source = sources[0]
    depth = len(PurePosixPath(source["file"]).parts)
    folder = os.path.relpath(spec.path.parents[depth - 1])
    return (
        f"{shown} is not on this machine; nothing is downloaded during a run, so get it first "
        f"with: hf download --repo-type dataset {source['repo']} {source['file']} --revision "
        f"{source['revision']} --local-dir {shlex.quote(folder)}"
    )


def _find_leaks(study: Study, opened: Callable[[str], Dataset | None], faults: _Faults) -> None:
    """What is wrong with the parts that the study's tables name, used by an experiment or not."""
    if study.robustness is None:
        return
    whole, design, held_out = (opened(study.robustness[role]) for role in _ROLES)
    if whole is None or design is None or held_out is None:
        return
    checks = {
        "held_out": partial(refuse_leak, design, held_out),
        "whole": partial(refuse_other_parts, whole, (design, held_out)),
    }
    for key, refuse in checks.items():
        try:
            refuse()
        except AssayError as error:
            faults.add(f"robustness.{key}", str(error))
