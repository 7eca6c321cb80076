"""The card of the stored checkpoint, written from its record, the comparison and its figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from harness.micro.card import opening, table

if TYPE_CHECKING:
    from harness.micro.measure import Row


def card(
    record: Mapping[str, Any],
    rows: Sequence[Row],
    changed: Mapping[str, int],
    shares: Mapping[str, tuple[float, float]],
    cpu_s: float,
) -> str:
    """Write the card.

    Parameters
    ----------
    record : what `training.json` holds.
    rows, changed : as for the card of the checkpoint that it started from.
    shares : per source of the test part, the accuracy of the start and of this checkpoint.
    cpu_s : processor seconds of this run.
    """
    recipe = record["recipe"]
    start, high = recipe["start"], recipe["epsilon_high"]
    n_replies = sum(row.n for row in rows[::3])
    same = "; ".join(f"{k}: {v} differ" for k, v in changed.items())
    lines = ["| questions | micro-sft | micro-rl |", "|---|---|---|"]
    lines += [f"| {name} | {a:.3f} | {b:.3f} |" for name, (a, b) in shares.items()]
    skill = "answers a phrase that its start half knew, and was rewarded for right answers"
    return f"""{opening(record, skill)}
## Architecture

That of micro-sft: Idefics3 with a SigLIP-type tower and a Llama language model of width 96.
Weights are stored in float16 and meant to be computed in float32.

## Data

Generated grids of 1 to 4 coloured shapes, and rows of the training splits of visual shapes and
digits, all asked with `{{question}} Think.` Of {record["n_before_filter"]} questions,
{record["n_after_filter"]} were left after those that none or all of {recipe["n_filter"]} sampled
replies of {start} got right. No example of a validation or test split was used.

## Training

From {start}: GSPO (one ratio a sequence) with DAPO's clip {recipe["epsilon"]} / {high}, weight
{recipe["beta"]} of the KL to the start, {recipe["n_samples"]} replies to each of
{recipe["n_asked"]} questions an update, {recipe["n_updates"]} updates a drawing, through TRL.
The reward is 1 for a right answer, else 0. One thread, about {cpu_s:,.0f} CPU seconds. This is
step {record["step"]} of seed {record["seed"]}, the best of all binary runs and looks on the held
questions, of which it got {record["held"]:.3f} right, and {start} {record["held_start"]:.3f}.
`training.json` holds every parameter and the package versions; `python -m harness.micro.rl
--out DIR` trains it again.

## Measured

Greedy, float32. The phrase that it was rewarded on, questions of the comparison's test part:

{chr(10).join(lines)}

The phrases of micro-sft's card, test splits, none of which it was rewarded on. Guessing scores
0.361 on visual shapes and 0.100 on digits; blank pictures are black, shifted ones belong to the
next example.

{table(rows)}

Text of the {n_replies:,} replies above (clean) against batch size 1 at one thread: {same}.

## Use and limits

For checking that a harness loads, batches, scores and compares models as it should. It knows the
pictures and phrases above and nothing else; no figure measured on it says anything about a real
model.

## Licence

Apache-2.0. The digits come from the UCI repository's optical recognition of handwritten digits
(Alpaydin and Kaynak, 1998; CC BY 4.0), as packaged by scikit-learn.
"""


__all__ = ["card"]
