"""What can be known before a model is loaded: every fault of data and models, all at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from harness.data.subsets import refuse_leak, refuse_other_parts
from harness.errors import AssayError, StudyError
from harness.models.fingerprint import model_fingerprint
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
        With all faults, sorted: missing or damaged data, a model that is not on this
        machine, a model or data set that is not pinned where the full tier asks for it (the
        message holds the fingerprint that was found); where the study names a design and a
        held-out part, an example that stands in both, and parts that are not those of the whole.
    """
    study = session.study
    faults: set[str] = set()
    for experiment in study.experiments.values():
        usable = []
        for name in experiment.data:
            try:
                found = dataset(name)
                usable.append(name)
            except AssayError as error:
                faults.add(f"data.{name}: {error}")
                continue
            if "full" in session.tiers and (reason := unstated(study.data[name], found)):
                faults.add(f"full tier: {reason}")
        for model in experiment.models:
            spec = study.models[model]
            reason = unpinned(spec)
            if "full" in session.tiers and reason is not None:
                faults.add(f"full tier: {reason}")
                continue
            if not usable and spec.source["kind"] in _ON_DISK:
                # Whether it is here can be told without data, and belongs in the same message.
                try:
                    model_fingerprint(spec, experiment.data[0])
                except AssayError as error:
                    faults.add(f"models.{model}: {error}")
            for name in usable:
                if spec.source["kind"] == "replay" and name not in spec.source["predictions"]:
                    continue
                try:
                    ready(spec, name)
                except AssayError as error:
                    faults.add(f"models.{model}: {error}")
    faults |= _leaks(study, dataset, full="full" in session.tiers)
    if faults:
        raise StudyError("\n".join(f"{study.path.name}: {fault}" for fault in sorted(faults)))


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


def _leaks(study: Study, dataset: Callable[[str], Dataset], *, full: bool) -> set[str]:
    """What is wrong with the parts that the study's tables name, used by an experiment or not."""
    if study.robustness is None:
        return set()
    faults: set[str] = set()
    found: dict[str, Dataset] = {}
    for role in _ROLES:
        name = study.robustness[role]
        try:
            found[role] = dataset(name)
        except AssayError as error:
            faults.add(f"data.{name}: {error}")
            continue
        if full and (reason := unstated(study.data[name], found[role])):
            faults.add(f"full tier: {reason}")
    if len(found) < len(_ROLES):
        return faults
    design, held_out = found["design"], found["held_out"]
    checks = {
        "held_out": partial(refuse_leak, design, held_out),
        "whole": partial(refuse_other_parts, found["whole"], (design, held_out)),
    }
    for key, refuse in checks.items():
        try:
            refuse()
        except AssayError as error:
            faults.add(f"robustness.{key}: {error}")
    return faults
