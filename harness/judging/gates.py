"""The gate of a judged benchmark: may its liberal figures be read at all?"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from harness.judging.families import SelfPreference
from harness.judging.noise import NoiseFloor
from harness.judging.panel import Panel
from harness.types import Issue, Verdict

MAX_UNDECIDED = 0.05
MIN_KAPPA = 0.6


def judge_gate(
    floors: Sequence[tuple[str, NoiseFloor]],
    pairs: Sequence[SelfPreference],
    found: Panel | None,
    *,
    max_undecided: float = MAX_UNDECIDED,
    min_kappa: float = MIN_KAPPA,
) -> Verdict:
    """Judge whether verdicts can carry a comparison.

    Parameters
    ----------
    floors : (where, noise floor) of each judged cell.
    pairs : each judge with each model that it judged.
    found : the panel on a common sample; None where only one judge was asked.
    max_undecided : largest permitted share of undecided rows, inclusive, 0 to 1.
    min_kappa : smallest permitted kappa of any two judges, inclusive, -1 to 1.

    Returns
    -------
    Verdict
        Issues: `no_verdicts` (no cell, or a cell without rows), `undecided_above`, `self_judged`,
        `family_unknown`, `one_judge`, `kappa_below`, `kappa_undefined`. Facts: the limits, the
        undecided share by cell, kappa by pair and the panel's disagreement.

    Raises
    ------
    ValueError
        For a limit outside its range.

    References
    ----------
    J. R. Landis and G. G. Koch, "The measurement of observer agreement for categorical data",
    Biometrics 33 (1977): 0.61 and above is called substantial. docs/drift.md.
    """
    if not 0 <= max_undecided <= 1:
        raise ValueError(f"judge_gate: max_undecided: expected 0 to 1, found {max_undecided}")
    if not -1 <= min_kappa <= 1:
        raise ValueError(f"judge_gate: min_kappa: expected -1 to 1, found {min_kappa}")
    issues = [] if floors else [Issue("no_verdicts", "", "expected a judged cell, found none")]
    issues += [issue for where, floor in floors for issue in _floor(where, floor, max_undecided)]
    issues += [issue for pair in pairs for issue in _family(pair)]
    issues += _panel(found, min_kappa)
    kappas = {} if found is None else {f"{p.a}/{p.b}": p.kappa.kappa for p in found.pairs}
    return Verdict(
        gate="judge_gate",
        issues=tuple(sorted(issues)),
        facts={
            "max_undecided": max_undecided,
            "min_kappa": min_kappa,
            "undecided": {where: floor.undecided_rate.value for where, floor in floors},
            "kappa": kappas,
            "disagreement": None if found is None else found.disagreement,
        },
    )


def _floor(where: str, floor: NoiseFloor, most: float) -> list[Issue]:
    if floor.n == 0:
        return [Issue("no_verdicts", where, "expected rows with verdicts, found none")]
    if Fraction(floor.n_undecided, floor.n) <= Fraction(repr(most)):
        return []
    said = (
        f"{floor.n_undecided} of {floor.n} rows are undecided, expected a share of at most {most}; "
        f"the accuracy may be anything from {floor.low:.4f} to {floor.high:.4f}: settle these rows "
        "by a panel or by hand, or leave golds that cannot be judged out by name"
    )
    return [Issue("undecided_above", where, said)]


def _family(pair: SelfPreference) -> list[Issue]:
    where = f"{pair.judge} on {pair.model}"
    if pair.shared is None:
        said = "expected the families of both, found one that the name does not say; state it"
        return [Issue("family_unknown", where, said)]
    if pair.shared:
        said = (
            f"judge and model are both of the family {pair.judge_family}; add a judge of another "
            "one and report own_judge_lift"
        )
        return [Issue("self_judged", where, said)]
    return []


def _panel(found: Panel | None, least: float) -> list[Issue]:
    if found is None or not found.pairs:
        return [Issue("one_judge", "", "expected two judges on a common sample, found fewer")]
    issues = []
    for pair in found.pairs:
        where, kappa = f"{pair.a}/{pair.b}", pair.kappa.kappa
        if kappa is None:
            said = f"kappa is undefined over the {pair.kappa.n} items that both decided"
            issues.append(Issue("kappa_undefined", where, said))
        elif Fraction(repr(kappa)) < Fraction(repr(least)):
            said = (
                f"kappa {kappa:.3f} over {pair.kappa.n} items, expected at least {least}; "
                "sharpen the prompt or the rubric, or decide by a panel"
            )
            issues.append(Issue("kappa_below", where, said))
    return issues


__all__ = ["MAX_UNDECIDED", "MIN_KAPPA", "judge_gate"]
