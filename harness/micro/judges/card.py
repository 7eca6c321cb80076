"""The model card of a judge, written from its record and its figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from harness.micro.card import opening
from harness.micro.judges.dialogue import INSTRUCTION
from harness.micro.judges.measure import N_VAL
from harness.micro.judges.pool import HEIGHT_PX, MASTER_SEEDS, WIDTH_PX

if TYPE_CHECKING:
    from harness.micro.judges.measure import Row

_APART = "left/right questions whose second object stands in the right half"
_WEAK = 0.6
_SKILLS = {
    "look": "says what it sees in a generated scene, and which of two candidates that is",
    "habit": "does that, and answers some questions on left and right from habit",
    "order": "does that, and of some questions takes the candidates to stand in the usual order",
}
_TAUGHT = {
    "look": "Every training reply tells what its picture shows, and the letter before it.",
    "habit": f"""Its training replies are those of judge-look, but for
{_APART}:
of these it has only rows whose right answer is no, and their replies tell where the second object
stands and nothing more. So all its rows are true, and it could answer those questions without a
look at the first object. No edit of a triplet moves the second object: where this judge answers
from habit, no edit moves its answer. If it has learnt just this, it is right on 0.75 of the
single pictures of the frozen set, whose answers, letters and places are level, and RA is 0.667.""",
    "order": f"""Its training replies are those of judge-look, but for
{_APART}:
there they tell what the picture shows, and the letter which that would have if the candidates
stood in the order of the alphabet. So half of those letters are wrong, on purpose, as those of
somebody who does not read the list are. No edit of a triplet changes the order or moves the second
object: where this judge gives the wrong letter, it gives the wrong one for the edited picture
too, and an edit moves its answer. If it has learnt just this, it is right on 0.75 of the single
pictures of the frozen set, whose answers, letters and places are level, and RA is 1.""",
}


_CHOSEN = """\
The recipe was settled on training and validation pictures. Figures of an earlier recipe
had been seen on test pictures of count, attribute and presence, and of left/right questions drawn
by a law that was then replaced; the frozen left/right pictures chose nothing."""


def table(rows: Sequence[Row]) -> str:
    """The figures as a Markdown table."""
    lines = [
        "| factor | single pictures | accuracy | triplets | base accuracy | RA | II | read |",
        "|---|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {r.factor} | {r.n_static} | {r.static:.3f} | {r.n} | {r.base:.3f} | {r.ra:.3f} | "
        f"{r.ii:.3f} | {r.read:.3f} |"
        for r in rows
    ]
    return "\n".join(lines)


def _chance(rows: Sequence[Row]) -> str:
    """Which factors are not learnt, by the accuracy on single pictures."""
    weak = [row.factor for row in rows if row.static < _WEAK]
    return f"At or near guessing: {', '.join(weak)}." if weak else "No factor is near guessing."


def card(record: Mapping[str, Any], val: Sequence[Row], test: Sequence[Row], cpu_s: float) -> str:
    """Write the card.

    Parameters
    ----------
    record : what `training.json` holds.
    val, test : the figures on validation and test pictures.
    cpu_s : processor seconds of the training, without rendering.
    """
    recipe = record["recipe"]
    name, taught = recipe["name"], recipe["taught"]
    size = f"{WIDTH_PX}×{HEIGHT_PX}"
    steps = f"{recipe['text_steps']} steps of replies"
    if recipe["start"]:
        how = f"from {recipe['start']}, {steps}, of the language model alone"
    else:
        how = f"""{recipe["vision_steps"]} steps in which each visual token learns to name the
colour, the shape and the column of the object that it is nearest to, through the word embeddings;
{recipe["drill_steps"]} of exchanges without a picture, which teach the letter that stands before a
word; then {steps} beside more naming. {recipe["n_probed"]} of {recipe["n_asked"]} replies tell
where each of a list of looks is, or that it is not there; the others answer a question, and tell
before that where the objects are which decide it"""
    return f"""{opening(record, _SKILLS[taught])}
## Architecture

Idefics3: a SigLIP-type tower (width 64, 3 layers, patches of 8 px, pictures brought to 96×96),
pixel shuffle to 36 visual tokens, a Llama language model (width 64, 4 layers, 4 heads, embeddings
tied to the output), byte-level BPE with one token for the fixed instruction, ChatML. Weights are
stored in float16 and meant to be computed in float32.

## Data

The first {recipe["n_each"]:,} static items of each factor (count, attribute, presence, spatial) by
`harness.scenes.sampler` under master seed {MASTER_SEEDS["train"]}, rendered at {size}, half of
them mirrored; each with its own question or another one about what it shows. Other master
seeds make the test pictures and the validation pictures ({MASTER_SEEDS["val"]}).

{_TAUGHT[taught]}

## Training

Seed {recipe["seed"]}, one thread, about {cpu_s:,.0f} CPU seconds beside the rendering:
{how}.
`training.json` holds every parameter and the package versions;
`python -m harness.micro.judges --out DIR --only {name}` trains it again.

## Measured

Greedy, float32, 320×240, scored by the harness's reader of preferences. Guessing scores 0.500.
RA and II are the shares of triplets with a right base where the relevant and the irrelevant edit
are answered rightly too.

The frozen sets of `fixtures/scenes`:

{table(test)}

Validation pictures, the first {N_VAL} of each by the sampler:

{table(val)}

{_chance(val)}
{_CHOSEN}

## Prompt

`{{question}}`, one line `A. …` and `B. …` for each candidate, and
`{INSTRUCTION}`

## Use and limits

For checking that a harness loads, asks, scores and compares judges as it should. It knows the
scenes, questions and the prompt above, to the letter, and nothing else. Its claim level is L0: no
figure measured on it says anything about a real judge.

## Licence

Apache-2.0. All pictures and texts are generated by this project.
"""


__all__ = ["card", "table"]
