"""One answered question of another harness, as our examples, responses and prediction rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.bridge.faults import BridgeError
from harness.models.predictions import Prediction
from harness.scoring import extract
from harness.types import Example, Kind, Response, Status


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """What was asked, what came back, and what the other harness made of it.

    `id` is unique in its file. `theirs` is its own score, 1 for right and 0 for wrong, None
    where it gave none; fractions stay as they are. `text` is None where no answer was stored,
    with the reason in `error`.
    """

    id: str
    task: str
    question: str
    gold: str
    choices: tuple[str, ...] = ()
    text: str | None
    status: Status = "ok"
    error: str | None = None
    n_tokens: int | None = None
    theirs: float | None = None
    replicate: int = 0

    def example(self, kind: Kind) -> Example:
        """The question, to be scored as of a kind."""
        return Example(
            id=self.id,
            kind=kind,
            question=self.question,
            gold=self.gold,
            choices=self.choices if kind == "choice" else (),
            tags=(self.task,),
        )

    def response(self, seed: int = 0) -> Response:
        """The answer as a stored response."""
        return Response(
            example_id=self.id,
            replicate=self.replicate,
            status=self.status,
            text=self.text,
            error=self.error,
            n_tokens=self.n_tokens,
            seed=seed,
        )


def check_rows(rows: Sequence[Row], where: str) -> tuple[Row, ...]:
    """Give the rows back, or refuse none at all and ids that stand twice.

    Raises
    ------
    BridgeError
        With the first such ids.
    """
    if not rows:
        raise BridgeError(f"{where}: expected at least one answered question, found none")
    seen: set[tuple[str, int]] = set()
    twice = []
    for row in rows:
        slot = (row.id, row.replicate)
        if slot in seen:
            twice.append(row.id)
        seen.add(slot)
    if twice:
        shown = ", ".join(map(repr, twice[:5]))
        raise BridgeError(f"{where}: expected each id once, found {len(twice)} again: {shown}")
    return tuple(rows)


def predictions(
    rows: Sequence[Row], kind: Kind, *, model_id: str, model_revision: str, seed: int
) -> list[Prediction]:
    """The rows in the protocol's format, as `write_predictions` takes them.

    Parameters
    ----------
    rows : without replicates; those without a text are left out.
    kind : of the questions; it decides how the answer is read.
    model_id, model_revision, seed : as they are published.

    Raises
    ------
    DataError
        For a kind without a reader.
    """
    return [
        Prediction(
            id=row.id,
            prediction=extract(kind, row.text, row.choices if kind == "choice" else ()).value,
            raw_prediction=row.text,
            model_id=model_id,
            model_revision=model_revision,
            seed=seed,
        )
        for row in rows
        if row.text is not None
    ]


__all__ = ["Row", "check_rows", "predictions"]
