"""Axes become cells, and cells become shards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from harness.errors import StudyError
from harness.types import Cell, ModelSpec
from harness.vision.views import named

if TYPE_CHECKING:
    from harness.study import Study

_REFERENCE_KINDS = ("baseline", "replay")


def grid(study: Study, *, views: Sequence[str]) -> list[Cell]:
    """Every cell of the current experiment: its data × models × views × prompts.

    A baseline or replayed model does not look at a picture that we change, so it gets the
    `clean` view alone; a replayed model gets only the data that it has predictions for.

    Raises
    ------
    StudyError
        When no cell is left.

    Examples
    --------
    def cells(study):
        return grid(study, views=("clean", "blank"))
    """
    if study.tier is None or not study.experiment:
        raise StudyError("grid() needs a study at a tier; the plugin calls cells(study) with one")
    scope = study.scope
    cells = [
        Cell(
            experiment=study.experiment,
            data=data,
            model=study.models[model],
            view=named(view),
            prompt=study.prompts[prompt],
            decoding=study.decoding,
            tier=study.tier,
            base_seed=study.seed,
            n=study.data[data].n.get(study.tier, study.tiers[study.tier]),
        )
        for data, model, view, prompt in product(scope.data, scope.models, views, scope.prompts)
        if _applies(study.models[model], data, view)
    ]
    idle = [m for m in scope.models if all(cell.model.name != m for cell in cells)]
    if cells and idle:
        raise StudyError(
            f"experiment {study.experiment}: expected a cell for every model, found none for "
            f"{idle}: no predictions for {list(scope.data)}, or no view among {list(views)}"
        )
    if not cells:
        raise StudyError(
            f"experiment {study.experiment}: expected at least one cell, found none for data "
            f"{list(scope.data)}, models {list(scope.models)}, views {list(views)}"
        )
    return cells


def looks(model: ModelSpec) -> bool:
    """Whether the model answers from pictures that this run shows it."""
    return model.source["kind"] not in _REFERENCE_KINDS


def _applies(model: ModelSpec, data: str, view: str) -> bool:
    if model.source["kind"] == "replay" and data not in model.source["predictions"]:
        return False
    return looks(model) or view == "clean"


def shards(cells: Iterable[Cell], count: int) -> list[Cell]:
    """Each cell as `count` items that generate disjoint parts of it; 1 returns them whole."""
    if count < 1:
        raise ValueError(f"expected a shard count of at least 1, found {count}")
    if count == 1:
        return []
    return [replace(cell, shard=(i, count)) for cell in cells for i in range(count)]
