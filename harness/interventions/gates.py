"""Gates of an intervention study: whole triplets, disjoint pictures, and judges that answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from harness.interventions.readings import FAILED, VARIANTS, first_scores, pool_size, reading
from harness.types import CellResult, Example, Issue, Verdict

MIN_PARSE_RATE = 0.8
LOW, HIGH = 0.05, 0.95
_SHOWN = 5


def signal_gate(
    results: Sequence[CellResult],
    *,
    min_parse_rate: float = MIN_PARSE_RATE,
    low: float = LOW,
    high: float = HIGH,
) -> Verdict:
    """Judge whether the judges answer at all, and not all of them by one letter.

    Parameters
    ----------
    results : cells in the frozen order; a judge's cells are counted together. Rows of pools of
        several candidates and rows that are no answer of the judge do not count.
    min_parse_rate : smallest permitted share of answers with a letter, inclusive, 0 to 1.
    low, high : a judge whose share of "A" is at most `low` or at least `high` gives no signal.

    Returns
    -------
    Verdict
        Issues: `parse_rate_below` and `no_answers` by judge, `constant_letter` when no judge gives
        a signal, `no_judges`. One constant judge among others is no issue but a fact. Facts by
        judge: n, n_read, parse_rate, a_rate (None over nothing) and constant. Limits are compared
        as the decimals that they are written in. It says that a run worked, not that a judge is
        good.

    Raises
    ------
    ValueError
        For a limit outside 0 to 1, or `low` above `high`.

    References
    ----------
    The protocol's signal gate: parse rate of at least 0.80, not every A-rate ≤ .05 or ≥ .95.
    """
    for name, limit in (("min_parse_rate", min_parse_rate), ("low", low), ("high", high)):
        if not 0 <= limit <= 1:
            raise ValueError(f"signal_gate: {name}: expected 0 to 1, found {limit}")
    if low > high:
        raise ValueError(f"signal_gate: expected low at most high, found {low} and {high}")
    issues, facts = [], {}
    for model in dict.fromkeys(r.cell.model.name for r in results):
        rows = [
            reading(example, score)
            for result in results
            if result.cell.model.name == model
            for example, score in first_scores(result)
            if pool_size(example.role) is None
        ]
        rows = [row for row in rows if row.reason not in FAILED]
        letters = [row.letter for row in rows if row.letter is not None]
        n_a = letters.count("A")
        constant = bool(letters) and (
            Fraction(n_a, len(letters)) <= _exact(low)
            or Fraction(n_a, len(letters)) >= _exact(high)
        )
        facts[model] = {
            "n": len(rows),
            "n_read": len(letters),
            "parse_rate": len(letters) / len(rows) if rows else None,
            "a_rate": n_a / len(letters) if letters else None,
            "constant": constant if letters else None,
        }
        if not letters:
            issues.append(
                Issue("no_answers", model, f"expected letters, found none in {len(rows)} answers")
            )
        if rows and Fraction(len(letters), len(rows)) < _exact(min_parse_rate):
            issues.append(
                Issue(
                    "parse_rate_below",
                    model,
                    f"{len(letters)} of {len(rows)} answers have a letter, expected at least "
                    f"{min_parse_rate}; see the table losses for why",
                )
            )
    if not facts:
        issues.append(Issue("no_judges", "", "expected at least one judge, found none"))
    elif all(fact["constant"] is not False for fact in facts.values()):
        shares = ", ".join(f"{name} {fact['a_rate']}" for name, fact in facts.items())
        issues.append(
            Issue(
                "constant_letter",
                "",
                f"expected a judge whose share of A is above {low} and below {high}, found "
                f"{shares}; check the prompt and the reader before any result",
            )
        )
    return Verdict(
        gate="signal_gate",
        issues=tuple(sorted(issues)),
        facts={"min_parse_rate": min_parse_rate, "low": low, "high": high, "judges": facts},
    )


def triplets_complete(examples: Sequence[Example]) -> Verdict:
    """Judge whether every triplet has its three variants, once, and asks one question.

    Parameters
    ----------
    examples : of a set of triplets; `group` is the triplet, `role` the variant, and the first tag
        the factor. A static item has neither, and a pool neither needs nor breaks a triplet.

    Returns
    -------
    Verdict
        Issues by triplet: `missing_variant`, `duplicate_variant`, `unknown_role`, `no_group`;
        `question_changed`, `candidates_changed` and `factor_changed` where the variants differ;
        `label_kept` where the relevant edit leaves the gold as it is, `label_flipped` where the
        irrelevant one does not; `same_picture` where an edited picture has the base's hash;
        `no_triplets`. Facts: triplets by factor, how many are whole, and static items.

    References
    ----------
    The protocol's definition of a triplet (docs/interventions.md).
    """
    groups: dict[str, list[Example]] = {}
    issues = []
    n_static = 0
    for example in examples:
        if example.role in VARIANTS and example.group:
            groups.setdefault(example.group, []).append(example)
        elif example.role in VARIANTS:
            issues.append(Issue("no_group", example.id, "expected the triplet's id, found none"))
        elif example.role == "":
            n_static += 1
        elif pool_size(example.role) is None:
            issues.append(
                Issue(
                    "unknown_role",
                    example.id,
                    f"expected {', '.join(VARIANTS)} or none, found {example.role!r}",
                )
            )
    by_factor: dict[str, int] = {}
    n_whole = 0
    for name, members in groups.items():
        found = _triplet_issues(name, members)
        issues += found
        n_whole += not found
        factor = members[0].tags[0] if members[0].tags else ""
        by_factor[factor] = by_factor.get(factor, 0) + 1
    if not groups:
        issues.append(Issue("no_triplets", "", "expected at least one triplet, found none"))
    facts = {
        "n_triplets": len(groups),
        "n_whole": n_whole,
        "n_static": n_static,
        "triplets_by_factor": by_factor,
    }
    return Verdict(gate="triplets_complete", issues=tuple(sorted(issues)), facts=facts)


def disjoint_images(parts: Sequence[tuple[str, Sequence[Example]]]) -> Verdict:
    """Judge whether no picture of one part of a study is also in another.

    Parameters
    ----------
    parts : (name, examples), such as the triplets, the static items and the pools.

    Returns
    -------
    Verdict
        Issues: `shared_image` for each two parts that share a hash, with their number and the
        first few examples; `unhashed_image` by part where a picture has no hash, which proves
        nothing. Facts: examples and different hashes by part.

    References
    ----------
    The protocol's identity of pictures by SHA-256 (docs/interventions.md).
    """
    issues: list[Issue] = []
    facts: dict[str, dict[str, int]] = {}
    known: list[tuple[str, dict[str, str]]] = []
    for name, examples in parts:
        hashes: dict[str, str] = {}
        unhashed = []
        for example in examples:
            for media in example.media:
                if media.sha256 is None:
                    unhashed.append(example.id)
                else:
                    hashes.setdefault(media.sha256, example.id)
        facts[name] = {"n_examples": len(examples), "n_hashes": len(hashes)}
        if unhashed:
            issues.append(
                Issue(
                    "unhashed_image",
                    name,
                    f"expected a hash of every picture, found none for {_listed(unhashed)}",
                )
            )
        for other, theirs in known:
            shared = [f"{theirs[h]} = {hashes[h]}" for h in hashes if h in theirs]
            if shared:
                issues.append(
                    Issue(
                        "shared_image",
                        f"{other} and {name}",
                        f"expected no picture in both, found {_listed(shared)}",
                    )
                )
        known.append((name, hashes))
    return Verdict(gate="disjoint_images", issues=tuple(sorted(issues)), facts={"parts": facts})


def _triplet_issues(name: str, members: Sequence[Example]) -> list[Issue]:
    roles = [example.role for example in members]
    issues = []
    missing = [variant for variant in VARIANTS if variant not in roles]
    if missing:
        issues.append(Issue("missing_variant", name, f"lacks {', '.join(missing)}"))
    for variant in VARIANTS:
        twice = [example.id for example in members if example.role == variant]
        if len(twice) > 1:
            issues.append(Issue("duplicate_variant", name, f"{variant} stands in {_listed(twice)}"))
    fields: dict[str, list[Any]] = {
        "question_changed": [example.question for example in members],
        "candidates_changed": [example.choices for example in members],
        "factor_changed": [example.tags[:1] for example in members],
    }
    for code, values in fields.items():
        if any(value != values[0] for value in values):
            found = _listed([repr(value) for value in values])
            issues.append(Issue(code, name, f"expected one for all variants, found {found}"))
    by_role = {example.role: example for example in members}
    base = by_role.get("base")
    if base is None:
        return issues
    for role, code, keeps in (("relevant", "label_kept", 0), ("irrelevant", "label_flipped", 1)):
        edited = by_role.get(role)
        if edited is None:
            continue
        if (edited.gold == base.gold) != bool(keeps):
            message = f"base {base.gold}, {role} {edited.gold}"
            issues.append(Issue(code, name, message))
        hashes = [media.sha256 for media in edited.media]
        if hashes and None not in hashes and hashes == [media.sha256 for media in base.media]:
            issues.append(Issue("same_picture", name, f"{role} has the base's picture"))
    return issues


def _exact(limit: float) -> Fraction:
    return Fraction(repr(float(limit)))


def _listed(names: Iterable[str]) -> str:
    every = list(names)
    tail = f" … ({len(every)} in all)" if len(every) > _SHOWN else ""
    return ", ".join(every[:_SHOWN]) + tail


__all__ = ["MIN_PARSE_RATE", "disjoint_images", "signal_gate", "triplets_complete"]
