"""The figures of a completed manual error analysis, as JSON values and as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from harness import ids
from harness.review.labels import Judged
from harness.review.taxonomy import KINDS, LABELS
from harness.stats.proportion import wilson
from harness.stats.raters import cohen_kappa

SCHEMA = "assay.review-summary/1"
LEVEL = 0.95


def figures(manifest: Mapping[str, Any], rows: Sequence[Judged]) -> dict[str, Any]:
    """Agreement, adjudication and label counts of a sample without faults.

    Parameters
    ----------
    manifest : of the sample.
    rows : of `harness.review.labels.judged`, every row of the sample.

    Returns
    -------
    dict
        JSON values. `agreement`: Cohen's kappa of the two annotators (None where both gave one
        and the same label throughout), observed and expected agreement, and how often each pair
        of labels was given. `adjudication`: `agreed` (same label, which stands), `overruled`
        (same label, another adjudicated), `for_annotator_1`, `for_annotator_2` and `third`
        (they differed). `conditions`: per condition n, n_wrong of which it is a sample, and per
        label the count k and its share with the 95 % Wilson interval. `all` is the same over
        all drawn rows; conditions weigh in it by what was drawn, not by how often they fail.
    """
    kappa = cohen_kappa([r.annotator_1 for r in rows], [r.annotator_2 for r in rows])
    pairs = Counter(f"{row.annotator_1}{row.annotator_2}" for row in rows)
    decided = Counter(_decision(row) for row in rows)
    return {
        "schema": SCHEMA,
        "sample_sha256": manifest["sha256"],
        "scorer": manifest["scorer"],
        "policy": manifest["policy"],
        "level": LEVEL,
        "n": len(rows),
        "agreement": {
            "kappa": kappa.kappa,
            "observed": kappa.observed_agreement,
            "expected": kappa.expected_agreement,
            "n": kappa.n,
            "pairs": dict(sorted(pairs.items())),
        },
        "adjudication": {name: decided[name] for name in _DECISIONS},
        "conditions": [
            {
                "condition": stratum["condition"],
                "n_wrong": stratum["n_wrong"],
                **_counted([row for row in rows if row.condition == stratum["condition"]]),
            }
            for stratum in manifest["conditions"]
        ],
        "all": _counted(rows),
    }


_DECISIONS = ("agreed", "overruled", "for_annotator_1", "for_annotator_2", "third")


def _decision(row: Judged) -> str:
    if row.agreed:
        return "agreed" if row.final == row.annotator_1 else "overruled"
    if row.final == row.annotator_1:
        return "for_annotator_1"
    return "for_annotator_2" if row.final == row.annotator_2 else "third"


def _counted(rows: Sequence[Judged]) -> dict[str, Any]:
    counts = Counter(row.final for row in rows)
    shares = {label: ids.plain(wilson(counts[label], len(rows), LEVEL)) for label in LABELS}
    labels = {label: {"k": counts[label], "share": shares[label]} for label in LABELS}
    return {"n": len(rows), "labels": labels}


def text(found: Mapping[str, Any]) -> str:
    """The figures as lines for a terminal."""
    agreement, decided = found["agreement"], found["adjudication"]
    lines = [
        f"{found['n']} wrong answers labelled by two annotators; sample "
        f"{found['sample_sha256'][:12]}, scorer {found['scorer']}, policy {found['policy']}",
        f"Cohen's kappa {_number(agreement['kappa'])}; observed agreement "
        f"{_number(agreement['observed'])}, expected by chance {_number(agreement['expected'])}",
        f"adjudication: {decided['agreed']} agreed, "
        f"{found['n'] - decided['agreed'] - decided['overruled']} differed "
        f"({decided['for_annotator_1']} for annotator 1, {decided['for_annotator_2']} for "
        f"annotator 2, {decided['third']} for a third label), {decided['overruled']} agreed and "
        "overruled",
        "",
        f"final labels, share [{found['level']:.0%} Wilson interval]:",
    ]
    for row in found["conditions"]:
        lines.append(f"{row['condition']}: {row['n']} of {row['n_wrong']} wrong answers")
        lines += _shares(row["labels"])
    lines.append(f"all conditions, by what was drawn: {found['all']['n']}")
    lines += _shares(found["all"]["labels"])
    return "\n".join(lines)


def _shares(labels: Mapping[str, Any]) -> list[str]:
    lines = []
    for label, kind in KINDS.items():
        share = labels[label]["share"]
        low, high = _number(share["low"]), _number(share["high"])
        counted = f"{labels[label]['k']:>4}  {_number(share['value'])} [{low}, {high}]"
        lines.append(f"  {label} {kind.name:<13} {counted}")
    return lines


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


__all__ = ["LEVEL", "SCHEMA", "figures", "text"]
