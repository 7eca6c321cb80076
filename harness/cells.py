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


def grid(
    study: Study,
    *,
    views: Sequence[str],
    data: Sequence[str] | None = None,
    models: Sequence[str] | None = None,
    prompts: Sequence[str] | None = None,
    decoding: str | None = None,
    replicates: int = 1,
) -> list[Cell]:
    """Every cell of the current experiment: its data × models × views × prompts.

    A baseline or replayed model does not look at a picture that we change, so it gets the
    `clean` view alone; a replayed model gets only the data that it has predictions for.

    Parameters
    ----------
    study : at a tier, as the plugin hands it to `cells(study)`.
    views : names of views; what they draw is drawn from the study's seed.
    data, models, prompts : some of the experiment's; None for all of them.
    decoding : a name under `[decodings]`; None for the study's `[decoding]`.
    replicates : responses per example, at least 1, each with its own seed.

    Raises
    ------
    StudyError
        For a name that the experiment or the study does not have, and when no cell is left.

    Examples
    --------
    def cells(study):
        return grid(study, views=("clean", "blank"))
    """
    if study.tier is None or not study.experiment:
        raise StudyError("grid() needs a study at a tier; the plugin calls cells(study) with one")
    scope = study.scope
    axes = {
        "data": _chosen(study, "data", scope.data, data),
        "models": _chosen(study, "models", scope.models, models),
        "prompts": _chosen(study, "prompts", scope.prompts, prompts),
    }
    if decoding is not None:
        _chosen(study, "decodings", tuple(study.decodings), (decoding,))
    cells = [
        Cell(
            experiment=study.experiment,
            data=name,
            model=study.models[model],
            view=named(view, seed=study.seed),
            prompt=study.prompts[prompt],
            decoding=study.decoding if decoding is None else study.decodings[decoding],
            tier=study.tier,
            base_seed=study.seed,
            n=study.data[name].n.get(study.tier, study.tiers[study.tier]),
            replicates=replicates,
        )
        for name, model, view, prompt in product(
            axes["data"], axes["models"], views, axes["prompts"]
        )
        if _applies(study.models[model], name, view)
    ]
    idle = [m for m in axes["models"] if all(cell.model.name != m for cell in cells)]
    if cells and idle:
        raise StudyError(
            f"experiment {study.experiment}: expected a cell for every model, found none for "
            f"{idle}: no predictions for {list(axes['data'])}, or no view among {list(views)}"
        )
    if not cells:
        raise StudyError(
            f"experiment {study.experiment}: expected at least one cell, found none for data "
            f"{list(axes['data'])}, models {list(axes['models'])}, views {list(views)}"
        )
    return cells


def _chosen(
    study: Study, axis: str, offered: tuple[str, ...], wanted: Sequence[str] | None
) -> tuple[str, ...]:
    foreign = [name for name in wanted or () if name not in offered]
    if foreign:
        raise StudyError(
            f"experiment {study.experiment}: expected {axis} among {list(offered)}, found {foreign}"
        )
    return offered if wanted is None else tuple(wanted)


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
