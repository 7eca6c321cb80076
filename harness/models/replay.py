"""Replayed predictions: a file of answers behaves like a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness.errors import ModelError
from harness.types import Dataset, Decoding, Reply, Request


class Replay:
    """Answers each example with its row of a prediction file, whatever the prompt.

    Parameters
    ----------
    predictions : text by example id.
    dataset : every id of it must have a row.
    allow_extra : accept rows whose id is not in the data set.

    Raises
    ------
    ModelError
        With the number and the first ids of the rows that are missing or foreign.
    """

    def __init__(
        self, predictions: Mapping[str, str], dataset: Dataset, *, allow_extra: bool = False
    ) -> None:
        wanted = [e.id for e in dataset.examples]
        missing = [i for i in wanted if i not in predictions]
        known = frozenset(wanted)
        foreign = [] if allow_extra else [i for i in predictions if i not in known]
        faults = []
        if missing:
            faults.append(f"{len(missing)} of {len(wanted)} examples have no row: {_some(missing)}")
        if foreign:
            faults.append(
                f"{len(foreign)} of {len(predictions)} rows belong to no example: {_some(foreign)} "
                "(narrow the file with `where`, or set allow_extra)"
            )
        if faults:
            raise ModelError(
                f"replayed predictions for {dataset.name}/{dataset.split}: " + "; ".join(faults)
            )
        self._predictions = dict(predictions)

    def generate(self, requests: Sequence[Request], decoding: Decoding) -> list[Reply]:
        """The stored text of each request's example.

        Raises
        ------
        ModelError
            For a replicate other than 0: the file has one answer per example.
        """
        repeated = [r for r in requests if r.replicate != 0]
        if repeated:
            raise ModelError(
                f"a replay has one answer per example, but replicate {repeated[0].replicate} of "
                f"example {repeated[0].example.id!r} was asked for"
            )
        return [Reply(text=self._predictions[r.example.id]) for r in requests]

    def close(self) -> None:
        """Nothing to free."""


def _some(ids: Sequence[str]) -> str:
    return ", ".join(ids[:5]) + (", …" if len(ids) > 5 else "")


__all__ = ["Replay"]
