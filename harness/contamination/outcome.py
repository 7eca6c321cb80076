"""What an audit comes to: which rows go, what was found, and whether it may be relied on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from harness.audit.buckets import EDGES, bucket_table, scaled_edges, units
from harness.audit.missed import Counted, Missed, Stratum, estimate
from harness.audit.pairs import Candidate, Near
from harness.contamination.judging import Agreement, Judgement, agreement
from harness.contamination.scan import RowText, Scan
from harness.contamination.tallies import set_table, stage_table
from harness.contamination.triage import triage
from harness.errors import DataError
from harness.table import Table
from harness.types import Issue


@dataclass(frozen=True)
class Removal:
    """A row that goes, with every pair that is a duplicate, the nearest first."""

    row: RowText
    pairs: tuple[Judgement, ...]


@dataclass(frozen=True)
class Outcome:
    """What an audit comes to.

    Parameters
    ----------
    scan : stages 1 and 2.
    judgements : one for each candidate, in order; without an opinion where no judge was asked.
    sampled : the same of the sample below the threshold.
    generic : short questions to other pictures.
    removals : by row, ascending. A duplicate in the sample goes too: it is known now.
    buckets, missed : precision by cosine; duplicates estimated below the threshold, None
        without stage 2 or sample.
    agreement : of the judges; None where nothing was judged.
    stages, sets : counts, step by step and by evaluation set.
    issues : reasons against relying on it; none is GO.
    """

    scan: Scan
    judgements: tuple[Judgement, ...]
    sampled: tuple[Judgement, ...]
    generic: tuple[Candidate, ...]
    removals: tuple[Removal, ...]
    buckets: Table
    missed: Missed | None
    agreement: Agreement | None
    stages: Table
    sets: Table
    issues: tuple[Issue, ...]

    @property
    def go(self) -> bool:
        """Whether nothing speaks against relying on it."""
        return not self.issues

    @property
    def tables(self) -> tuple[Table, ...]:
        """All tables, in the order of the report."""
        made = [self.stages, self.sets, self.buckets]
        made += [self.missed.table] if self.missed is not None else []
        made += [self.agreement.table] if self.agreement is not None else []
        return tuple(made)

    @cached_property
    def removed(self) -> frozenset[int]:
        """Numbers of the rows that go."""
        return frozenset(one.row.number for one in self.removals)

    @cached_property
    def contained(self) -> dict[tuple[int, str, int], Fraction]:
        """Share of the item's shingles that the row holds, of pairs of stage 1 where known."""
        found = self.scan.findings
        return {
            (one.row, one.eval_set, one.item): one.containment
            for one in (*found.hits, *found.contained)
        }

    @cached_property
    def at_threshold(self) -> frozenset[tuple[int, str, int]]:
        """Pairs of `borderline`, by row, set and item."""
        return frozenset((one.row, one.eval_set, one.item) for one in self.borderline)

    def recall(self) -> tuple[float | None, float, float] | None:
        """Share of the duplicates from the floor on that lie above the threshold, with limits.

        None where there was no sample; a value of None where the sample decides nothing.
        """
        if self.missed is None or not self.missed.judged:
            return None
        found = units((one.candidate, one.label) for one in self.judgements)
        return self.missed.recall(sum(one.duplicate is True for one in found))

    @property
    def borderline(self) -> tuple[Near, ...]:
        """Pairs at the threshold, which another rounding may decide otherwise."""
        return () if self.scan.nearness is None else self.scan.nearness.borderline

    def counts(self) -> dict[str, Any]:
        """All figures as JSON types, for `counts.json`."""
        made: dict[str, Any] = {
            "go": self.go,
            "issues": [
                {"code": one.code, "where": one.where, "message": one.message}
                for one in self.issues
            ],
        }
        for table in self.tables:
            made[table.name] = [dict(row) for row in table.rows]
        recall = self.recall()
        made["recall_from_floor"] = None if recall is None else list(recall)
        made["disputed"] = [] if self.agreement is None else _keys(self.agreement.disputed)
        made["borderline"] = [
            {"row": one.row, "eval_set": one.eval_set, "item": one.item, "cosine": one.cosine}
            for one in self.borderline
        ]
        made["other_questions"] = [
            {
                "row": one.row,
                "eval_set": one.eval_set,
                "item": one.item,
                "jaccard": str(one.jaccard),
            }
            | {"cosine": one.cosine, "pictures": one.n_shared_pictures, "common": one.common}
            for one in self.scan.other_questions
        ]
        made["common_pictures"] = sum(one.common for one in self.scan.pictures)
        made["canaries"] = {one.name: one.ok for one in self.scan.sightings}
        made["vector_canaries"] = {one.name: one.ok for one in self.scan.vector_sightings}
        return made


def outcome(
    scan: Scan, judgements: Sequence[Judgement], sample: Sequence[Judgement] = ()
) -> Outcome:
    """Bring scan and judgements together.

    Parameters
    ----------
    scan : of the whole training file, merged if it was sharded.
    judgements, sample : of what `triage(scan)` asks about, in any order and either of the two;
        a candidate that is missing counts as undecided, a drawn pair that is missing as not
        judged.

    Returns
    -------
    Outcome
        GO when every canary came out as it has to, every candidate is decided, all rows were
        scanned, and the shares of removed and of unreadable rows keep their limits.

    Raises
    ------
    DataError
        For a judgement of a pair that is not asked about, and two of one pair.
    """
    chosen = triage(scan)
    given = {one.candidate.key: one for one in [*judgements, *sample]}
    if len(given) < len(judgements) + len(sample):
        raise DataError("outcome: expected one judgement for each pair, found two of one pair")
    foreign = sorted(given.keys() - {one.key for one in chosen.asked})
    if foreign:
        raise DataError(
            f"outcome: {len(foreign)} judgement(s) of pairs that this scan does not ask about, "
            f"the first {foreign[0]}; judge the pairs of `triage` for this very scan"
        )
    judged = tuple(given.get(one.key, Judgement(one, (), None)) for one in chosen.candidates)
    sampled = tuple(given[one.key] for one in chosen.sample if one.key in given)
    removals = _removals(scan, [*judged, *sampled])
    threshold = scan.near.threshold if scan.near is not None else EDGES[-1]
    edges = EDGES if threshold == EDGES[-1] else scaled_edges(min(threshold, 0.999))
    labelled = units((one.candidate, one.label) for one in judged)
    spoken = [one for one in (*judged, *sampled) if one.opinions]
    return Outcome(
        scan=scan,
        judgements=judged,
        sampled=sampled,
        generic=chosen.generic,
        removals=removals,
        buckets=bucket_table([(one.cosine, one.duplicate) for one in labelled], edges),
        missed=_missed(chosen.strata, sampled),
        agreement=agreement(spoken) if spoken else None,
        stages=stage_table(scan, judged, sampled, chosen.generic, len(removals)),
        sets=set_table(scan, judged, chosen.generic),
        issues=_issues(scan, judged, {one.row.number for one in removals}),
    )


def _removals(scan: Scan, judged: Sequence[Judgement]) -> tuple[Removal, ...]:
    pairs: dict[int, list[Judgement]] = {}
    for one in judged:
        if one.label == "duplicate":
            pairs.setdefault(one.candidate.row, []).append(one)
    return tuple(
        Removal(scan.row_of[row], tuple(sorted(found, key=_nearest_first)))
        for row, found in sorted(pairs.items())
    )


def _nearest_first(one: Judgement) -> tuple[Any, ...]:
    pair = one.candidate
    return (-(pair.jaccard or 0), -(pair.cosine or 0.0), pair.eval_set, pair.item)


def _missed(strata: Sequence[Stratum], sampled: Sequence[Judgement]) -> Missed | None:
    if not strata:
        return None
    labels = {one.candidate.key: one.label for one in sampled}
    counted = []
    for stratum in strata:
        keys = [f"{one.row}/{one.eval_set}/{one.item}" for one in stratum.drawn]
        said = [labels[key] for key in keys if key in labels]
        counted.append(
            Counted(
                *(stratum.low, stratum.high, stratum.population, len(said)),
                *(said.count("duplicate"), said.count(None)),
            )
        )
    return estimate(counted)


def _issues(scan: Scan, judged: Sequence[Judgement], removed: Set[int]) -> tuple[Issue, ...]:
    issues = []
    for one in scan.sightings:
        if not one.ok:
            came = "nothing" if one.found is None else f"J = {one.found}"
            issues.append(
                Issue(
                    "missed_canary",
                    f"stage 1, {one.name}",
                    f"planted with J = {one.expected}, found {came}: this run proves nothing",
                )
            )
    for seen in scan.vector_sightings:
        if seen.ok is False:
            message = f"planted, came out at cosine {seen.cosine:.4f}: this run proves nothing"
            issues.append(Issue("missed_canary", f"stage 2, {seen.name}", message))
    if not scan.sightings or (scan.near is not None and not scan.vector_sightings):
        issues.append(Issue("no_canary", "", "no planted row was looked for in this run"))
    if not scan.complete:
        said = ", ".join(f"{first} to {last - 1}" for first, last in scan.ranges) or "none"
        message = f"expected all {scan.train.rows} rows scanned, found {said}; merge all shards"
        issues.append(Issue("incomplete", scan.train.file, message))
    # A row that goes for another pair has no open question left.
    undecided = [one for one in judged if one.label is None and one.candidate.row not in removed]
    if undecided:
        why_not = Counter(one.reason for j in undecided for one in j.opinions if one.label is None)
        why = f", most often for {why_not.most_common(1)[0][0]!r}" if why_not else ""
        message = (
            f"{len(undecided)} pair(s) without a majority of the judges{why}, the first "
            f"{undecided[0].candidate.key}; their rows stay until a judge or a file of labels "
            "decides"
        )
        issues.append(Issue("undecided", "stage 3", message))
    issues += _limits(scan, len(removed))
    return tuple(sorted(issues, key=lambda one: (one.code, one.where, one.message)))


def _limits(scan: Scan, removed: int) -> list[Issue]:
    plan, rows = scan.plan, scan.train.rows
    issues = []
    if removed > plan.max_removed_share * rows:
        message = (
            f"{removed} of {rows} rows would go, more than {plan.max_removed_share:.1%}; look at "
            "the pairs before raising max_removed_share"
        )
        issues.append(Issue("removed_share", scan.train.file, message))
    sides = [(scan.train.file, rows, len(scan.faults))]
    sides += [(one.name, one.items, len(one.faults)) for one in scan.evals]
    for where, whole, bad in sides:
        if bad > plan.max_bad_share * whole:
            message = f"{bad} of {whole} cannot be read, more than {plan.max_bad_share:.1%}"
            issues.append(Issue("bad_rows", where, message))
    unauditable = scan.findings.counts()["unauditable"]
    sides = [(scan.train.file, rows, unauditable)]
    sides += [(one.name, one.items, one.unauditable) for one in scan.evals]
    for where, whole, without in sides:
        if without >= whole:
            message = f"none of {whole} has a token to compare, so that nothing can be found"
            issues.append(Issue("nothing_to_compare", where, message))
    return issues


def _keys(judgements: Sequence[Judgement]) -> list[str]:
    return [one.candidate.key for one in judgements]


__all__ = ["Outcome", "Removal", "outcome"]
