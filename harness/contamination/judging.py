"""Stage 3: every candidate pair before every judge, their votes, and how far they agree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.audit.pairs import Candidate, Judge, Label, Opinion, Pair
from harness.errors import DataError, ModelError
from harness.ids import canonical_json
from harness.judging.panel import Panel, Verdicts, agreement_table, panel
from harness.segments import write_atomically
from harness.table import Table

LEVEL = 0.95
_LABELS: dict[bool, Label] = {True: "duplicate", False: "neighbour"}


@dataclass(frozen=True)
class Judgement:
    """A candidate pair with what every judge says of it.

    Parameters
    ----------
    candidate : of one stage or both.
    opinions : one of each judge, in the order of the judges.
    label : what more than half of all judges say, undecided ones counted as votes for neither;
        None without such a majority.
    """

    candidate: Candidate
    opinions: tuple[Opinion, ...]
    label: Label | None

    @property
    def disputed(self) -> bool:
        """Whether one judge says duplicate and another neighbour."""
        return len({one.label for one in self.opinions} - {None}) == 2


@dataclass(frozen=True)
class Agreement:
    """How far the judges agree.

    Parameters
    ----------
    panel : of `harness.judging.panel`; True is a duplicate.
    table : one row for every two judges, with kappa over what both decided.
    undecided : pairs that each judge left open.
    disputed : with a duplicate and a neighbour, in order.
    """

    panel: Panel
    table: Table
    undecided: Mapping[str, int]
    disputed: tuple[Judgement, ...]


def judged(
    candidates: Sequence[Candidate],
    texts: Callable[[Candidate], Pair],
    judges: Sequence[Judge],
    store: Path | None = None,
) -> list[Judgement]:
    """Show every candidate pair to every judge.

    Parameters
    ----------
    candidates : of `harness.audit.pairs.candidates`, and of the sample below the threshold;
        each pair once. With k neighbours a set, each of them is a pair of its own.
    texts : the texts of a candidate, under its key.
    judges : at least one, with distinct names; an odd number leaves fewer ties.
    store : folder that gets `opinions.jsonl`, one opinion a line; None writes nothing. What a
        judge was asked and replied, it keeps itself.

    Returns
    -------
    list of Judgement
        In the order of the candidates.

    Raises
    ------
    DataError
        Without a judge, for two of one name, a pair given twice, or texts under another key.
    ModelError
        For a judge that gives not one opinion for each pair in order; whatever a judge raises
        passes through, and what it has stored stays.

    Examples
    --------
    >>> from harness.contamination.judges.rule import RuleJudge
    >>> pair = Pair("0/mini/0", "Sam has 5 apples. Sum?", "Sam has 7 apples. Sum?")
    >>> found = judged([Candidate(0, "mini", 0, cosine=0.97)], lambda _: pair, [RuleJudge()])
    >>> found[0].label
    'duplicate'
    """
    names = [judge.name for judge in judges]
    if not names or len(set(names)) < len(names):
        raise DataError(
            f"judges: expected at least one, each with a name of its own, found {names}; name "
            "each in its own way"
        )
    keys = [candidate.key for candidate in candidates]
    if len(set(keys)) < len(keys):
        twice = next(key for key in keys if keys.count(key) > 1)
        raise DataError(f"candidates: expected each pair once, found {twice} more than once")
    pairs = [texts(candidate) for candidate in candidates]
    for key, pair in zip(keys, pairs, strict=True):
        if pair.key != key:
            raise DataError(f"candidate {key}: expected its texts, found those of {pair.key}")
    said = {judge.name: _opinions(judge, pairs, keys) for judge in judges}
    majority = panel({name: _verdicts(found) for name, found in said.items()}).majority
    if store is not None:
        store.mkdir(parents=True, exist_ok=True)
        lines = [canonical_json(one) for place in zip(*said.values(), strict=True) for one in place]
        write_atomically(store / "opinions.jsonl", "".join(f"{line}\n" for line in lines))
    return [
        Judgement(
            candidate,
            tuple(said[name][place] for name in names),
            _label(majority[candidate.key]),
        )
        for place, candidate in enumerate(candidates)
    ]


def agreement(judgements: Sequence[Judgement], level: float = LEVEL) -> Agreement:
    """Measure how far the judges agree: kappa of every two, and what they disagree on.

    Parameters
    ----------
    judgements : of the same judges.
    level : of the Wilson intervals of the shares agreed on.

    Returns
    -------
    Agreement
        One judge alone gives a table without rows; kappa is None where a pair of judges gave
        all pairs one and the same label.

    Raises
    ------
    DataError
        Without a judgement, and for judgements of different judges.

    References
    ----------
    J. Cohen 1960; PostTrainBench's judge over-flags, which a second judge shows.

    Examples
    --------
    >>> def vote(n, *labels):
    ...     found = [Opinion(f"{n}/mini/0", name, label) for name, label in zip("ab", labels)]
    ...     return Judgement(Candidate(n, "mini", 0), tuple(found), None)
    >>> found = agreement([vote(0, "duplicate", "duplicate"), vote(1, "neighbour", "duplicate")])
    >>> found.table.rows[0]["kappa"], [one.candidate.row for one in found.disputed]
    (0.0, [1])
    """
    if not judgements:
        raise DataError("agreement: expected at least one judged pair, found none")
    names = [opinion.judge for opinion in judgements[0].opinions]
    for one in judgements:
        found = [opinion.judge for opinion in one.opinions]
        if found != names:
            raise DataError(
                f"agreement: expected the judges {names} for {one.candidate.key}, found {found}"
            )
    formed = panel(
        {
            name: _verdicts([one.opinions[place] for one in judgements])
            for place, name in enumerate(names)
        }
    )
    undecided = {
        name: sum(one.opinions[place].label is None for one in judgements)
        for place, name in enumerate(names)
    }
    disputed = tuple(one for one in judgements if one.disputed)
    return Agreement(formed, agreement_table(formed, level), undecided, disputed)


def row_labels(judgements: Iterable[Judgement]) -> dict[int, Label | None]:
    """What becomes of each training row: a duplicate as soon as any of its pairs is one.

    Returns
    -------
    dict of int to label
        By row number, ascending. None where no pair is a duplicate and at least one is
        undecided: the row stays, and the audit is not finished.

    Examples
    --------
    >>> row_labels([Judgement(Candidate(7, "mini", 0), (), None),
    ...             Judgement(Candidate(7, "mini", 1), (), "duplicate")])
    {7: 'duplicate'}
    """
    labels: dict[int, set[Label | None]] = {}
    for one in judgements:
        labels.setdefault(one.candidate.row, set()).add(one.label)
    return {
        row: "duplicate" if "duplicate" in found else None if None in found else "neighbour"
        for row, found in sorted(labels.items())
    }


def _opinions(judge: Judge, pairs: Sequence[Pair], keys: Sequence[str]) -> list[Opinion]:
    found = judge.judge(pairs)
    if [one.key for one in found] != list(keys):
        raise ModelError(
            f"judge {judge.name}: expected one opinion for each of {len(keys)} pairs in order, "
            f"found {len(found)}"
        )
    return found


def _verdicts(opinions: Iterable[Opinion]) -> Verdicts:
    return {one.key: None if one.label is None else one.label == "duplicate" for one in opinions}


def _label(verdict: bool | None) -> Label | None:
    return None if verdict is None else _LABELS[verdict]


__all__ = ["LEVEL", "Agreement", "Judgement", "agreement", "judged", "row_labels"]
