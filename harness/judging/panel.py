"""Several judges on the same answers: majority, disagreement, kappa of every two, a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from harness.errors import DataError
from harness.stats.proportion import wilson
from harness.stats.raters import Kappa, cohen_kappa, fleiss_kappa
from harness.table import Table, Value

Verdicts = Mapping[str, bool | None]
COLUMNS = (
    *("judge_a", "judge_b", "n", "n_both_decided", "agreement", "agreement_low"),
    *("agreement_high", "kappa", "only_a_right", "only_b_right", "same_family"),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class PairAgreement:
    """Two judges on `n` items: an undecided verdict agrees with nothing and stays in `agreement`.

    `kappa` is over the `kappa.n` items that both decided. `only_a` and `only_b` count the items
    that one judge alone calls right: a lenient judge has many of them.
    """

    a: str
    b: str
    n: int
    agreement: float | None
    kappa: Kappa
    only_a: int
    only_b: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Panel:
    """Judges in the order given, with the panel's verdict of every item.

    `majority` is None where no verdict has more than half of all judges, undecided ones counted
    as votes for nothing. `disputed` are ids with a right and a wrong, `open` those without a
    majority. `fleiss` is over the items that every judge decided.
    """

    judges: tuple[str, ...]
    majority: Mapping[str, bool | None]
    disputed: tuple[str, ...]
    open: tuple[str, ...]
    pairs: tuple[PairAgreement, ...]
    fleiss: Kappa

    @property
    def disagreement(self) -> float | None:
        """The share of items with a right and a wrong; None without items."""
        return len(self.disputed) / len(self.majority) if self.majority else None


def panel(judges: Mapping[str, Verdicts]) -> Panel:
    """Form a panel of judges over the same items.

    Parameters
    ----------
    judges : each judge's verdicts by item id, True (right), False, or None (undecided). Every
        judge holds the same ids; one judge alone is a panel without pairs.

    Returns
    -------
    Panel
        Items in the order of the first judge.

    Raises
    ------
    DataError
        Without a judge; for judges with different ids, naming the first few.

    References
    ----------
    P. Verga et al., "Replacing judges with juries", 2024; J. Cohen 1960; J. L. Fleiss 1971.

    Examples
    --------
    >>> found = panel({"a": {"x": True, "y": False}, "b": {"x": True, "y": True},
    ...                "c": {"x": None, "y": False}})
    >>> dict(found.majority), found.disputed, found.pairs[0].agreement
    ({'x': True, 'y': False}, ('y',), 0.5)
    """
    if not judges:
        raise DataError("panel: expected at least one judge, found none")
    names = tuple(judges)
    ids = tuple(judges[names[0]])
    for name in names[1:]:
        apart = sorted(set(ids) ^ set(judges[name]))
        if apart:
            raise DataError(
                f"panel: expected the items of judge {names[0]} for judge {name}, found "
                f"{len(apart)} that one alone has: {', '.join(apart[:5])}"
            )
    votes = {key: [judges[name][key] for name in names] for key in ids}
    majority = {key: _majority(row) for key, row in votes.items()}
    decided = [row for row in votes.values() if None not in row]
    return Panel(
        judges=names,
        majority=majority,
        disputed=tuple(key for key, row in votes.items() if True in row and False in row),
        open=tuple(key for key, verdict in majority.items() if verdict is None),
        pairs=tuple(_pair(a, b, judges[a], judges[b]) for a, b in combinations(names, 2)),
        fleiss=fleiss_kappa([[row.count(True), row.count(False)] for row in decided]),
    )


def agreement_table(
    found: Panel, level: float, families: Mapping[str, str | None] | None = None
) -> Table:
    """Write the agreement of every two judges of a panel as a table.

    Parameters
    ----------
    found : the panel.
    level : of the Wilson interval of the agreement.
    families : judge to family; two judges of one family are no independent check.

    Returns
    -------
    Table
        One row a pair; `same_family` None where a family is not known.

    Raises
    ------
    StatisticsError
        `invalid_level`.
    """
    kinds = families or {}
    rows = []
    for pair in found.pairs:
        agreed = round(pair.agreement * pair.n) if pair.agreement is not None else 0
        share = wilson(agreed, pair.n, level)
        a, b = kinds.get(pair.a), kinds.get(pair.b)
        values: tuple[Value, ...] = (
            *(pair.a, pair.b, pair.n, pair.kappa.n, pair.agreement, share.low, share.high),
            *(pair.kappa.kappa, pair.only_a, pair.only_b),
            None if a is None or b is None else a == b,
        )
        rows.append(dict(zip(COLUMNS, values, strict=True)))
    disagreement = found.disagreement
    share_said = "undefined" if disagreement is None else f"{100 * disagreement:.1f} %"
    note = (
        f"{len(found.judges)} judges on {len(found.majority)} items. An undecided verdict agrees "
        "with nothing and stays in the denominator of the agreement; kappa is over items that "
        f"both decided. {len(found.disputed)} items disputed ({share_said}), {len(found.open)} "
        "without a majority of all judges."
    )
    return Table(name="judge_agreement", columns=COLUMNS, rows=tuple(rows), note=note)


def _majority(votes: Sequence[bool | None]) -> bool | None:
    for verdict in (True, False):
        if 2 * sum(vote is verdict for vote in votes) > len(votes):
            return verdict
    return None


def _pair(a: str, b: str, first: Verdicts, second: Verdicts) -> PairAgreement:
    both = [(first[key], second[key]) for key in first]
    decided = [(x, y) for x, y in both if x is not None and y is not None]
    agreed = sum(x is y for x, y in decided)
    return PairAgreement(
        a=a,
        b=b,
        n=len(both),
        agreement=agreed / len(both) if both else None,
        kappa=cohen_kappa([x for x, _ in decided], [y for _, y in decided]),
        only_a=sum(x and not y for x, y in decided),
        only_b=sum(y and not x for x, y in decided),
    )


__all__ = ["COLUMNS", "PairAgreement", "Panel", "Verdicts", "agreement_table", "panel"]
