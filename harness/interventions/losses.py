"""What does not count, or counts as wrong, by reason: no row leaves the tables unnamed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from harness.interventions.counts import reasons
from harness.interventions.readings import FAILED, MISSING, VARIANTS, JudgeFactor, Reading
from harness.interventions.settings import POLICIES
from harness.table import Table, Value

LOSSES = (
    *("model", "factor", "order", "part", "reason", "n_rows", "n_of"),
    *("drop_unparsed", "wrong", "ids"),
)
DROPPED = ("policy", "model", "factor", "order", "triplet", "reasons")
_LEFT_OUT, _AS_WRONG = "left out", "counted as wrong"


def losses(frozen: Sequence[JudgeFactor], swapped: Sequence[JudgeFactor] = ()) -> Table:
    """Every row without a letter by judge, factor, part of the data and reason.

    `n_rows` of `n_of` rows have the reason; `drop_unparsed` and `wrong` say what each policy makes
    of them, and `ids` names all of them, space-separated (a missing variant by triplet:variant).
    A judge that loses nothing has no row.
    """
    rows = []
    for order, judges in (("frozen", frozen), ("swapped", swapped)):
        for judge in judges:
            for part, readings in _parts(judge):
                rows += _rows((judge.model, judge.factor, order, part), readings)
    note = (
        "A row without a letter: an answer that could not be read (unparsed, truncated, refused), "
        "scores that are equal (tied_margin) or no finite numbers (nan_margin, infinite_margin), a "
        "row that is no answer of the judge (resource_error, runtime_error), and a variant that "
        "the data lack. Under drop_unparsed one such row leaves out its whole triplet; under wrong "
        "only the last three kinds do."
    )
    return Table(name="losses", columns=LOSSES, rows=tuple(rows), note=note)


def dropped_triplets(frozen: Sequence[JudgeFactor], swapped: Sequence[JudgeFactor] = ()) -> Table:
    """Every triplet that a policy leaves out, by name, with the variants that are the reason."""
    rows: list[dict[str, Value]] = []
    for policy in POLICIES:
        for order, judges in (("frozen", frozen), ("swapped", swapped)):
            for judge in judges:
                for name, three in judge.triplets.items():
                    why = reasons(three, policy)
                    if why:
                        values = (policy, judge.model, judge.factor, order, name, " ".join(why))
                        rows.append(dict(zip(DROPPED, values, strict=True)))
    note = "Triplets that enter no metric under the policy. One that is not listed is counted."
    return Table(name="dropped_triplets", columns=DROPPED, rows=tuple(rows), note=note)


def _parts(judge: JudgeFactor) -> Iterable[tuple[str, list[tuple[str, Reading | None]]]]:
    for place, variant in enumerate(VARIANTS):
        yield variant, [(f"{t}:{variant}", three[place]) for t, three in judge.triplets.items()]
    yield "static", list(judge.static.items())
    for size, pools in judge.pools.items():
        yield f"pool-{size}", list(pools.items())


def _rows(
    names: tuple[str, str, str, str], readings: list[tuple[str, Reading | None]]
) -> list[dict[str, Value]]:
    by_reason: dict[str, list[str]] = {}
    for name, found in readings:
        reason = MISSING if found is None else found.reason
        if reason:
            by_reason.setdefault(reason, []).append(name if found is None else found.id)
    rows: list[dict[str, Value]] = []
    for reason in sorted(by_reason):
        ids = by_reason[reason]
        ours = _LEFT_OUT if reason in (MISSING, *FAILED) else _AS_WRONG
        values = (*names, reason, len(ids), len(readings), _LEFT_OUT, ours, " ".join(ids))
        rows.append(dict(zip(LOSSES, values, strict=True)))
    return rows


__all__ = ["DROPPED", "LOSSES", "dropped_triplets", "losses"]
