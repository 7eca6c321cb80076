"""Scans and judgements of a few rows, made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from harness.audit.canaries import Sighting
from harness.audit.cosine import NearParameters
from harness.audit.findings import Findings, Match, Span
from harness.audit.nearness import Nearness, NearSpan
from harness.audit.pairs import Candidate, Near, Opinion
from harness.contamination.judging import Judgement
from harness.contamination.plan import AuditPlan
from harness.contamination.scan import (
    EvalSet,
    Fault,
    ItemText,
    RowText,
    Scan,
    TrainFile,
    VectorSighting,
)
from harness.contamination.sources import Source
from harness.embedding.base import EmbedderIdentity

EMBEDDER = EmbedderIdentity("toy", "toy-model", "1", None, "", "float32", 128, 8)
SHA = "ab" * 32


def row(number: int, text: str, images: tuple[str, ...] = (), unreadable: int = 0) -> RowText:
    return RowText(number, number + 1, f"t{number}", text, images, unreadable)


def item(
    place: int, text: str, images: tuple[str, ...] = (), unreadable: int = 0, of: str = "mini"
) -> ItemText:
    return ItemText(of, place, place + 1, f"e{place}", text, images, unreadable)


def hit(number: int, place: int, shared: int = 9, of: str = "mini") -> Match:
    """With J = shared / 10."""
    return Match(number, of, place, shared, 10, shared, False)


def near(number: int, place: int, cosine: float, of: str = "mini", rank: int = 1) -> Near:
    return Near(number, of, place, rank, cosine)


def scan_of(
    rows: Sequence[RowText],
    items: Sequence[ItemText],
    *,
    hits: Sequence[Match] = (),
    found: Sequence[Near] | None = (),
    contained: Sequence[Match] = (),
    borderline: Sequence[Near] = (),
    faults: Sequence[Fault] = (),
    n_rows: int = 100,
    sightings: Sequence[Sighting] = (Sighting("exact", Fraction(1), Fraction(1), True),),
    train: str = "train.jsonl",
    sha256: str = SHA,
    **changed: Any,
) -> Scan:
    """A whole scan of `n_rows` rows; `found` = None leaves stage 2 out."""
    sets = sorted({one.eval_set for one in items} | {"mini"})
    settings: dict[str, Any] = {"sample": 5, **changed}
    plan = AuditPlan(
        Source(train, ("q",), id_field="id"),
        tuple((name, Source(f"{name}.jsonl", ("q",))) for name in sets),
        embedder=None if found is None else "hashing",
        **settings,
    )
    evals = tuple(
        EvalSet(name, f"{name}.jsonl", SHA, ("q",), max(50, len(items)), 2, 1, 0, 0, ())
        for name in sets
    )
    findings = Findings(
        tuple(sorted(hits)),
        tuple(sorted(contained)),
        (Span("x", 0, n_rows, 3, min(4, n_rows // 2) + len(faults), 20, 30),) if n_rows else (),
    )
    nearness = None
    if found is not None:
        spans = (NearSpan("x", 0, n_rows, 2, 4, len(borderline)),) if n_rows else ()
        nearness = Nearness(tuple(sorted(found)), tuple(borderline), spans)
    return Scan(
        plan=plan,
        train=TrainFile(train.rpartition("/")[2], sha256, ("q",), n_rows),
        evals=evals,
        ranges=((0, n_rows),) if n_rows else (),
        findings=findings,
        nearness=nearness,
        rows=tuple(rows),
        items=tuple(sorted(items)),
        faults=tuple(faults),
        sightings=tuple(sightings),
        vector_sightings=() if found is None else (VectorSighting("exact", 1.0, True),),
        embedder=None if found is None else EMBEDDER,
        near=None if found is None else NearParameters(0.85, 0.80),
        estimated=False,
    )


def said(candidate: Candidate, *labels: str | None, reason: str = "") -> Judgement:
    """Judges a, b, c say so; the majority decides."""
    opinions = tuple(
        Opinion(candidate.key, name, label, reason or ("" if label else "no answer"))  # type: ignore[arg-type]
        for name, label in zip("abc", labels, strict=False)
    )
    top = max(set(labels), key=labels.count) if labels else None
    label = top if 2 * labels.count(top) > len(labels) else None
    return Judgement(candidate, opinions, label)  # type: ignore[arg-type]


def with_plan(scan: Scan, **changed: Any) -> Scan:
    return replace(scan, plan=replace(scan.plan, **changed))
