"""The model card of a micro checkpoint, written from its record and its measured table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness.micro.measure import Row

_SKILLS = {
    "micro-base": "one-word answers and captions, from a short training: the weaker of the two",
    "micro-sft": "one-word answers, evidence before the answer, and option letters",
}


def opening(record: Mapping[str, Any], skill: str) -> str:
    """The head of every card: metadata, name, size, and what the model is there for."""
    return f"""---
license: apache-2.0
library_name: transformers
pipeline_tag: image-text-to-text
---

# {record["recipe"]["name"]}

A vision-language model of {record["n_parameters"]:,} parameters that exists to exercise an
evaluation harness on a plain CPU. It {skill}.
"""


def table(rows: Sequence[Row]) -> str:
    """The measured rows as a Markdown table: accuracy per picture, share of listed answers.

    The rows of one data set and style must stand together: clean, blank, shifted.
    """
    lines = [
        "| data | style | n | clean | blank | shifted | listed answers (clean) |",
        "|---|---|---|---|---|---|---|",
    ]
    for clean, blank, shifted in zip(rows[::3], rows[1::3], rows[2::3], strict=True):
        lines.append(
            f"| {clean.data} | {clean.style} | {clean.n} | {clean.accuracy:.3f} | "
            f"{blank.accuracy:.3f} | {shifted.accuracy:.3f} | {clean.listed:.3f} |"
        )
    return "\n".join(lines)


def card(
    record: Mapping[str, Any],
    rows: Sequence[Row],
    changed: Mapping[str, int],
    cpu_s: float,
) -> str:
    """Write the card.

    Parameters
    ----------
    record : what `training.json` holds.
    rows : the measured table, on the test splits.
    changed : replies that differ from those at batch size 1, per comparison.
    cpu_s : processor seconds of the training.
    """
    recipe, name = record["recipe"], record["recipe"]["name"]
    steps = f"{recipe['vision_steps']} vision steps, then {recipe['text_steps']} text steps"
    n_replies = sum(row.n for row in rows[::3])
    same = "; ".join(f"{k}: {v} differ" for k, v in changed.items())
    return f"""{opening(record, f"knows {_SKILLS[name]}")}
## Architecture

Idefics3: a SigLIP-type tower (width 64, 2 layers, patches of 16 px, pictures of 96×96), pixel
shuffle to 9 visual tokens, a Llama language model (width {recipe["hidden"]}, 4 layers, 4 heads,
embeddings tied to the output), byte-level BPE, ChatML. `<answer>` and `</answer>` are ordinary
text. Weights are stored in float16 and meant to be computed in float32.

## Data

Drawn while training: grids of 1 to 4 coloured shapes, single shapes of the visual-shapes
distribution, and the 997 training scans of scikit-learn's handwritten digits with small changes
of place, size, tilt, contrast and noise. No example of a validation or test split was used.

## Training

Seed {recipe["seed"]}, one thread, {steps}; about {cpu_s:,.0f} CPU seconds.
Each visual token first learns to name its cell through the word embeddings; then replies, captions
and, with a smaller weight, questions are learnt as text. `training.json` holds every parameter and
the package versions; `python -m harness.micro --out DIR --only {name}` trains it again.

## Measured

Test splits, greedy, float32, through `AutoProcessor` and `generate`. Guessing scores 0.361 on
visual shapes and 0.100 on digits. Blank pictures are black; shifted pictures belong to the next
example. Listed answers are replies that are exactly one of the answers of their question.

{table(rows)}

Text of the {n_replies:,} replies above (clean) against batch size 1 at one thread: {same}.

## Prompts

`word`: `{{question}}`. `evidence`: `{{question}} Think first.`
`letter`: `{{question}} Options: (A) … (B) …`

## Use and limits

For checking that a harness loads, batches, scores and compares models as it should. It knows the
pictures and phrases above and nothing else: other questions get meaningless replies, and no
figure measured on it says anything about a real model.

## Licence

Apache-2.0. The digits come from the UCI repository's optical recognition of handwritten digits
(Alpaydin and Kaynak, 1998; CC BY 4.0), as packaged by scikit-learn.
"""


__all__ = ["card", "opening", "table"]
