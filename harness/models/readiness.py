from __future__ import annotations

from collections.abc import Callable, Sequence

from harness.models.load import open_model
from harness.types import Dataset, Example, ModelSpec


def check_ready(spec: ModelSpec, dataset: Dataset, fit: Callable[[], Sequence[Example]]) -> None:
    if spec.source["kind"] in ("replay", "baseline", "fake"):
        open_model(spec, dataset, "cpu", 1, fit).close()
