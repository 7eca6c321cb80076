"""Cells sorted into what one judge said of one factor: triplets, static items and pools."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from harness.errors import DataError
from harness.interventions.settings import SWAPPED, InterventionSettings
from harness.types import CellResult, Example, Score

VARIANTS = ("base", "relevant", "irrelevant")
MISSING = "missing_variant"
FAILED = ("resource_error", "runtime_error")
NO_FACTOR = "all"
BASELINE = "baseline"
_UNREAD = {
    "tie": "tied_margin",
    "nan": "nan_margin",
    "infinite": "infinite_margin",
    "review": "unparsed",
}
_POOL = re.compile(r"pool-([1-9][0-9]*)")
_OTHER = {"A": "B", "B": "A"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """What was read of one picture with its question.

    `letter` is the candidate in the frozen order, "A" or "B", None where none was read; `gold`
    likewise. `reason` is "" for a letter that was read; else `tied_margin`, `nan_margin`,
    `unparsed`, `truncated` or `refused` for an answer without one, and `resource_error` or
    `runtime_error` for a row that is no answer of the judge.
    """

    id: str
    gold: str
    letter: str | None
    correct: bool
    reason: str

    @property
    def counted(self) -> bool:
        """Whether the row is an answer of the judge."""
        return self.reason not in FAILED


Triple = tuple[Reading | None, Reading | None, Reading | None]


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgeFactor:
    """One judge on one factor, in one order of the candidates.

    `triplets` maps a triplet's id to its base, relevant and irrelevant reading, None where the
    data have none; `static` an item's id to its reading; `pools` a size to whether each pool's
    best candidate was picked. All are in the order of the data. `kind` is the model's family
    (generative, reward, …), or "baseline" for one that does not look, which no comparison takes.
    """

    model: str
    factor: str
    kind: str = "generative"
    triplets: Mapping[str, Triple] = field(default_factory=dict)
    static: Mapping[str, Reading] = field(default_factory=dict)
    pools: Mapping[int, Mapping[str, Reading]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Readings:
    """All judges on all factors, in the order of the settings and of the data's first mention.

    `swapped` holds those with the candidates in the other order; `missing` names the cells that
    the settings ask for and that are not there.
    """

    frozen: tuple[JudgeFactor, ...]
    swapped: tuple[JudgeFactor, ...]
    missing: tuple[str, ...]

    @property
    def factors(self) -> tuple[str, ...]:
        """The factors, in the order in which the data name them."""
        return tuple(dict.fromkeys(found.factor for found in self.frozen))


def readings(results: Sequence[CellResult], settings: InterventionSettings) -> Readings:
    """Sort the cells of an intervention study by judge and factor.

    Parameters
    ----------
    results : whole cells of one tier; cells of other data, prompts, views than `clean` and
        variants than the swapped order are left alone. Of several replicates the first counts.
    settings : names of data, prompt and judges.

    Returns
    -------
    Readings
        Letters of swapped cells are turned back to the frozen order.

    Raises
    ------
    DataError
        For two cells of the same judge, data and order; for a variant, a static item or a pool
        that stands twice; and for a role that is none of theirs. What the data are to hold is
        judged by the gate `triplets`.
    """
    wanted = [name for name in (settings.audit, settings.static, settings.pools) if name]
    found: dict[tuple[str, str, str], CellResult] = {}
    for result in results:
        cell = result.cell
        asked = cell.data in wanted and cell.model.name in settings.models
        plain = cell.prompt.name == settings.prompt_of(cell.model) and cell.view.name == "clean"
        if not (asked and plain and cell.variant in ("", SWAPPED)):
            continue
        key = (cell.model.name, cell.variant, cell.data)
        if key in found:
            raise DataError(
                f"interventions: expected one cell for {cell.model.name}, {cell.data} in the "
                f"{cell.variant or 'frozen'} order, found {found[key].cell.id} and {cell.id}"
            )
        found[key] = result
    sides: dict[str, tuple[JudgeFactor, ...]] = {}
    for variant in ("", SWAPPED):
        made: list[JudgeFactor] = []
        for model in settings.models:
            keys = [(model, variant, name) for name in wanted]
            made += _by_factor(model, [found[key] for key in keys if key in found])
        sides[variant] = tuple(made)
    missing = [
        f"{model}/{name}"
        for model in settings.models
        for name in wanted
        if (model, "", name) not in found
    ]
    return Readings(frozen=sides[""], swapped=sides[SWAPPED], missing=tuple(missing))


def factor_of(example: Example) -> str:
    """The factor of an example: its first tag, "all" without one."""
    return example.tags[0] if example.tags else NO_FACTOR


def pool_size(role: str) -> int | None:
    """The number of candidates of a pool by its role, "pool-4"; None for another role."""
    match = _POOL.fullmatch(role)
    return int(match[1]) if match else None


def reading(example: Example, score: Score, *, swapped: bool = False) -> Reading:
    """Reduce one scored row to a letter of the frozen order, or to why there is none."""
    letter = score.answer.value if score.outcome == "answered" else None
    if score.outcome == "answered":
        reason = ""
    elif score.outcome == "review":
        reason = _UNREAD.get(score.answer.rule, _UNREAD["review"])
    else:
        reason = score.outcome
    return Reading(
        id=example.id,
        gold=_OTHER.get(score.gold, score.gold) if swapped else score.gold,
        letter=_OTHER.get(letter, letter) if swapped and letter else letter,
        correct=score.correct,
        reason=reason,
    )


def _by_factor(model: str, results: Iterable[CellResult]) -> list[JudgeFactor]:
    kind = ""
    triplets: dict[str, dict[str, list[Reading | None]]] = {}
    static: dict[str, dict[str, Reading]] = {}
    pools: dict[str, dict[int, dict[str, Reading]]] = {}
    for result in results:
        swapped = result.cell.variant == SWAPPED
        spec = result.cell.model
        kind = BASELINE if spec.source["kind"] == "baseline" else spec.family
        for example, score in first_scores(result):
            factor, row = factor_of(example), reading(example, score, swapped=swapped)
            for part in (triplets, static, pools):
                part.setdefault(factor, {})
            size = pool_size(example.role)
            if example.role in VARIANTS:
                three = triplets[factor].setdefault(example.group, [None, None, None])
                place = VARIANTS.index(example.role)
                if three[place] is not None:
                    raise _twice(f"triplet {example.group}", example.role, three[place], row)
                three[place] = row
            elif size is not None:
                pools[factor].setdefault(size, {})[example.group or example.id] = row
            elif example.role == "":
                static[factor][example.id] = row
            else:
                raise DataError(
                    f"interventions: {example.id}: expected the role base, relevant, irrelevant, "
                    f"pool-N or none (a static item), found {example.role!r}"
                )
    return [
        JudgeFactor(
            model=model,
            factor=factor,
            kind=kind,
            triplets={name: (b, r, i) for name, (b, r, i) in triplets[factor].items()},
            static=static[factor],
            pools={size: pools[factor][size] for size in sorted(pools[factor])},
        )
        for factor in triplets
    ]


def first_scores(result: CellResult) -> list[tuple[Example, Score]]:
    """Each example of a cell with the score of its first replicate."""
    by_id = {s.example_id: s for s in result.scores if s.replicate == 0}
    return [(e, by_id[e.id]) for e in result.examples if e.id in by_id]


def _twice(where: str, role: str, first: Reading | None, second: Reading) -> DataError:
    known = first.id if first is not None else ""
    return DataError(
        f"interventions: {where}: expected one {role} variant, found {known} and {second.id}"
    )


__all__ = [
    "BASELINE",
    "FAILED",
    "MISSING",
    "VARIANTS",
    "JudgeFactor",
    "Reading",
    "Readings",
    "Triple",
    "factor_of",
    "first_scores",
    "pool_size",
    "reading",
    "readings",
]
