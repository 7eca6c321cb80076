"""What can be known before a model is loaded: every fault of data and models, all at once."""

from __future__ import annotations

from collections.abc import Callable

from harness.errors import AssayError, StudyError
from harness.plugin.options import Session
from harness.study import unpinned
from harness.types import Dataset, ModelSpec


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
        machine, a source that is not pinned where the full tier asks for it.
    """
    study = session.study
    faults: set[str] = set()
    for experiment in study.experiments.values():
        usable = []
        for name in experiment.data:
            try:
                dataset(name)
                usable.append(name)
            except AssayError as error:
                faults.add(f"data.{name}: {error}")
        for model in experiment.models:
            spec = study.models[model]
            reason = unpinned(spec)
            if "full" in session.tiers and reason is not None:
                faults.add(f"full tier: {reason}")
                continue
            for name in usable:
                if spec.source["kind"] == "replay" and name not in spec.source["predictions"]:
                    continue
                try:
                    ready(spec, name)
                except AssayError as error:
                    faults.add(f"models.{model}: {error}")
    if faults:
        raise StudyError("\n".join(f"{study.path.name}: {fault}" for fault in sorted(faults)))
