"""The gates of a rewards experiment: groups that can teach, and the tables."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from harness.errors import StudyError
from harness.rewards.rollouts import Rollout
from harness.rewards.tables import PAIRS, VARIANCE, RewardSettings, reward_tables
from harness.scoring.policy import Item
from harness.study import Study
from harness.types import Cell, CellResult, Gate, Issue, Verdict


def reward_gates(study: Study, cells: Sequence[Cell], eps: float = 0.0) -> list[Gate]:
    """The gates that leave the tables of rewards in the report.

    Parameters
    ----------
    study : at a tier.
    cells : of the experiment, each with at least two sampled responses an example.
    eps : ε of the advantages.

    Returns
    -------
    list of Gate
        One, "rewards", with the tables `reward_pairs`, `reward_format`, `reward_variance` and
        `reward_portability`. NO-GO where a cell has no text of the model, or no group that is
        mixed under one of the two readings, so that there is nothing to compare. It judges no
        result otherwise.

    Raises
    ------
    StudyError
        Without a tier; for a cell that draws nothing or has fewer than two responses an example.
    """
    if study.tier is None:
        raise StudyError("reward_gates() needs a study at a tier")
    for cell in cells:
        if cell.replicates < 2 or cell.decoding.greedy:
            raise StudyError(
                f"{cell.id}: expected at least two sampled responses an example, found "
                f"{cell.replicates} with temperature {cell.decoding.temperature}; give grid() a "
                "sampled decoding and replicates"
            )
    settings = RewardSettings(level=float(study.thresholds["level"]), seed=study.seed, eps=eps)
    return [
        Gate(
            name="rewards",
            subject=study.experiment,
            tier=study.tier,
            cells=tuple(cells),
            judge=partial(_tabled, settings=settings),
        )
    ]


def rollouts_of_cell(result: CellResult) -> tuple[Rollout, ...]:
    """The responses of a cell as rollouts, a group an example.

    Responses that are no output of the model (out of memory, an error) are left out. A refusal
    without a text is an empty response; a text that the token budget cut off is rewarded as it
    stands.
    """
    asked = {
        e.id: Item(kind=e.kind, gold=e.gold, choices=e.choices, exact=e.exact)
        for e in result.examples
    }
    return tuple(
        Rollout(group=r.example_id, item=asked[r.example_id], text=r.text or "")
        for r in result.responses
        if r.status not in ("oom", "error")
    )


def _tabled(results: Sequence[CellResult], *, settings: RewardSettings) -> Verdict:
    sources = {_name(result.cell, results): rollouts_of_cell(result) for result in results}
    empty = [name for name, rollouts in sources.items() if not rollouts]
    if empty:
        said = "no text of the model to reward"
        return Verdict(
            gate="rewards", issues=tuple(Issue("no-responses", name, said) for name in empty)
        )
    tables = reward_tables(sources, settings)
    found: dict[str, dict[str, float | None]] = {}
    issues: list[Issue] = []
    for row in (*tables[PAIRS].rows, *tables[VARIANCE].rows):
        where = f"{row['source']}, {row['reading']}"
        value = row["value"]
        assert value is None or isinstance(value, float)
        found.setdefault(where, {})[str(row["measure"])] = value
    for source in sources:
        alone = "dense: alignment with binary in mixed groups"
        if all(v[alone] is None for w, v in found.items() if w.startswith(f"{source}, ")):
            said = "no group has right and wrong answers; raise n, or ask what the model can do"
            issues.append(Issue("no-mixed-group", source, said))
    kept = ("pairs changed", "changed pairs that are in all-wrong groups")
    facts = {where: {name: values[name] for name in kept} for where, values in found.items()}
    return Verdict(gate="rewards", issues=tuple(issues), facts=facts, tables=tuple(tables.values()))


def _name(cell: Cell, results: Sequence[CellResult]) -> str:
    """The model's name, with the other axes where a model has several cells."""
    others = [r.cell for r in results if r.cell.model.name == cell.model.name]
    if len(others) == 1:
        return cell.model.name
    return "/".join(
        (cell.model.name, cell.data, cell.view.name, cell.prompt.name, cell.decoding.name)
    )


__all__ = ["reward_gates", "rollouts_of_cell"]
