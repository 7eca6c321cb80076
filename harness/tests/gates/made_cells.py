"""Cells made by hand, scored by the real scorer."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from harness.results import cell_metrics
from harness.scoring import score
from harness.types import (
    OUTCOMES,
    Cell,
    CellResult,
    Decoding,
    Example,
    ModelSpec,
    Prompt,
    Response,
    Status,
)
from harness.vision.views import named

CELL = Cell(
    experiment="e",
    data="d",
    model=ModelSpec(name="m", source={"kind": "fake"}),
    view=named("clean"),
    prompt=Prompt(name="p", template="{question}"),
    decoding=Decoding(max_new_tokens=8),
    tier="canary",
    base_seed=0,
)


def examples(n: int) -> list[Example]:
    return [
        Example(id=f"q{i}", kind="yesno", question="?", gold="yes" if i % 2 == 0 else "no")
        for i in range(n)
    ]


def result(
    texts: Sequence[str | Status],
    *,
    cell: Cell = CELL,
    items: Sequence[Example] | None = None,
    identity: Mapping[str, Any] | None = None,
    n_data: int | None = None,
) -> CellResult:
    """A cell over yes/no questions whose golds alternate; a text may also be a failure."""
    items = examples(len(texts)) if items is None else items
    responses = [
        Response(example_id=e.id, status=t, error="x")  # type: ignore[arg-type]
        if t in ("oom", "error")
        else Response(example_id=e.id, status="ok", text=t)
        for e, t in zip(items, texts, strict=True)
    ]
    scores = [score(e, r) for e, r in zip(items, responses, strict=True)]
    counts = Counter(s.outcome for s in scores)
    base = {
        "data": {"name": cell.data, "split": "test", "fingerprint": "f" * 64},
        "view": cell.view.name,
        "variant": cell.variant,
        "model": cell.model.name,
    }
    return CellResult(
        cell=cell,
        key="k" * 32,
        identity={**base, **(identity or {})},
        examples=tuple(items),
        n_data=len(items) if n_data is None else n_data,
        responses=tuple(responses),
        scores=tuple(scores),
        counts={outcome: counts[outcome] for outcome in OUTCOMES},
        metrics=cell_metrics(items, scores),
        records_sha256="0" * 64,
    )


def with_view(name: str) -> Cell:
    return replace(CELL, view=named(name))


def at_batch(size: int) -> Cell:
    return replace(
        CELL, variant=f"batch-{size}", decoding=replace(CELL.decoding, batch_sizes=(size,))
    )
