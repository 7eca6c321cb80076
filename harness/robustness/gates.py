"""The gate that accepts where two prompts agree: by split, model, view, type and category."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from harness.robustness.archive import PARTS, Archive, Place, Row
from harness.robustness.counts import GateCounts, count_gate, joined, left_out
from harness.robustness.gate_rows import (
    AGREEMENT,
    BY_GROUP,
    BY_TYPE,
    GATE,
    UPLIFT,
    gate_row,
    uplift_row,
)
from harness.robustness.settings import STRESS, TableSettings
from harness.stats.selective import Selection
from harness.table import Table, Value, lacking

ITEM_TYPES = ("multiple_choice", "free_response")
_TITLES = {"multiple_choice": "Multiple choice", "free_response": "Free response"}
_HOW = (
    "A question is accepted where both prompts' answers could be read and are equal; the answer "
    "under the first prompt is scored. Intervals redraw all questions and recount what is "
    "accepted (exact distribution, no seed). Random acceptance is the exact hypergeometric one."
)


class Answers(NamedTuple):
    """The rows of a set of questions under both prompts."""

    paper: Mapping[str, Row]
    evidence: Mapping[str, Row]

    def where(self, keep: Callable[[Row], bool]) -> Answers:
        """Those of the questions that fit."""
        paper, evidence = ({name: row for name, row in side.items() if keep(row)} for side in self)
        return Answers(paper, evidence)


def split_answers(cells: Archive, settings: TableSettings, split: str) -> Answers | list[str]:
    """The clean answers of the focus to the questions of a split, or what is missing.

    Cells of the long phases come first: the split's own, or its questions out of the cells over
    the whole (`held_out` being what is not in `design`), or, for the whole, its two parts. The
    design part may also come from its other phases, for both prompts alike.

    What is held out is known only where a cell holds all of the design part: with a sample of it
    alone there is no held-out answer, and nothing is taken out of a sample of the whole.
    """
    both = (settings.paper, settings.evidence)
    missing: list[str] = []
    for long in (True, False) if split == "design" else (True,):
        sides = [_split_rows(cells, settings, split, prompt, long) for prompt in both]
        rows = [side for side in sides if not isinstance(side, str)]
        if len(rows) == len(both):
            return Answers(*rows)
        missing = missing or list(dict.fromkeys(side for side in sides if isinstance(side, str)))
    return missing


def _split_rows(
    cells: Archive, settings: TableSettings, split: str, prompt: str, long: bool
) -> Mapping[str, Row] | str:
    """The rows under one prompt, or what is missing."""
    design = cells.entry("design")
    if split == "held_out" and design is None:
        return cells.lacks_entry("design")
    places = {p: Place(p, settings.focus, "clean", prompt, long=long) for p in PARTS}
    own = cells.find(places[split])
    if own is not None:
        return own.first
    if split == "whole":
        parts, missing = cells.take((places["design"], places["held_out"]))
        if missing or not all(cell.whole for cell in parts.values()):
            return cells.told(places[split])
        return joined([cell.first for cell in parts.values()])
    whole = cells.find(places["whole"])
    if whole is None:
        return cells.told(places[split])
    if not whole.whole:
        return f"{cells.told(places[split])}, or on all examples of {settings.whole}"
    if design is None:
        return cells.lacks_entry("design")
    inside = split == "design"
    return {name: row for name, row in whole.first.items() if (name in design) is inside}


def clean_heldout_gate(cells: Archive, settings: TableSettings) -> Table:
    """The gate on the clean pictures: what prompts were developed on, the rest, and all."""
    name = "clean_heldout_gate"
    counts: dict[str, GateCounts] = {}
    missing: list[str] = []
    for split, part in (("design", "design"), ("heldout", "held_out"), ("all", "whole")):
        answers = split_answers(cells, settings, part)
        if isinstance(answers, list):
            missing += answers
        else:
            counts[split] = count_gate(*answers, settings.on_unpaired)
    if missing:
        return lacking(name, GATE, list(dict.fromkeys(missing)))
    labels: dict[str, Value] = {
        "model": settings.focus,
        "condition": "clean",
        "method": AGREEMENT,
    }
    titles = {
        "design": f"design_subset_{counts['design'].selection.n}",
        "heldout": f"heldout_complement_{counts['heldout'].selection.n}",
        "all": f"all_{counts['all'].selection.n}",
    }
    rows = [
        gate_row({**labels, "split": titles[split]}, c, settings, GATE)
        for split, c in counts.items()
    ]
    held = "Held out from the development of the prompts, not from the training of the models."
    return _made(name, GATE, rows, counts, held)


def dual_prompt_gate_all_checkpoints(cells: Archive, settings: TableSettings) -> Table:
    """The gate for every model and view, on the design part."""
    name = "dual_prompt_gate_all_checkpoints"
    answers, missing = _stress_answers(cells, settings)
    if missing:
        return lacking(name, GATE, missing)
    counts = {key: count_gate(*both, settings.on_unpaired) for key, both in answers.items()}
    rows = []
    for (model, condition), c in counts.items():
        labels: dict[str, Value] = {
            "model": model,
            "condition": condition,
            "split": f"robustness_subset_{c.selection.n}",
            "method": AGREEMENT,
        }
        rows.append(gate_row(labels, c, settings, GATE))
    named = {"/".join(key): c for key, c in counts.items()}
    return _made(name, GATE, rows, named, "Exploratory: prompts were developed on this part.")


def dual_prompt_gate_by_item_type(cells: Archive, settings: TableSettings) -> Table:
    """The same by item type: free response where the example has no choices."""
    name = "dual_prompt_gate_by_item_type"
    answers, missing = _stress_answers(cells, settings)
    if missing:
        return lacking(name, BY_TYPE, missing)
    rows, named = [], {}
    for (model, condition), both in answers.items():
        n = count_gate(*both, settings.on_unpaired).selection.n
        for item_type in sorted(ITEM_TYPES):
            part = both.where(_is(_item_type, item_type))
            c = count_gate(*part, settings.on_unpaired)
            named[f"{model}/{condition}/{item_type}"] = c
            labels: dict[str, Value] = {
                "model": model,
                "condition": condition,
                "item_type": item_type,
                "split": f"robustness_subset_{n}",
            }
            rows.append(gate_row(labels, c, settings, BY_TYPE))
    return _made(name, BY_TYPE, rows, named, "Exploratory: prompts were developed on this part.")


def heldout_gate_by_group(cells: Archive, settings: TableSettings) -> Table:
    """The held-out gate by item type and by category."""
    name = "heldout_gate_by_group"
    answers = split_answers(cells, settings, "held_out")
    if isinstance(answers, list):
        return lacking(name, BY_GROUP, answers)
    parts = {_TITLES[kind]: answers.where(_is(_item_type, kind)) for kind in ITEM_TYPES}
    for category in sorted({row.category for side in answers for row in side.values()}):
        title = f"{category} (category)" if category in parts else category
        parts[title] = answers.where(_is(_category, category))
    counts = {group: count_gate(*part, settings.on_unpaired) for group, part in parts.items()}
    rows = [gate_row({"group": group}, c, settings, BY_GROUP) for group, c in counts.items()]
    return _made(name, BY_GROUP, rows, counts, "Two partitions of the same questions.")


def heldout_gate_uplift(cells: Archive, settings: TableSettings) -> Table:
    """The held-out gate against random acceptance: uniform, by type, by type and category."""
    name = "heldout_gate_uplift"
    answers = split_answers(cells, settings, "held_out")
    if isinstance(answers, list):
        return lacking(name, UPLIFT, answers)
    whole = count_gate(*answers, settings.on_unpaired)
    labels: dict[str, Value] = {
        "model": settings.focus,
        "condition": "clean",
        "split": f"heldout_complement_{whole.selection.n}",
        "method": AGREEMENT,
    }
    keys: dict[str, Callable[[Row], tuple[str, ...]]] = {
        "uniform_same_count": lambda row: (),
        "answer_type_matched_count": lambda row: (row.item_type,),
        "answer_type_and_domain_matched_count": lambda row: (row.item_type, row.category),
    }
    rows = []
    for comparison, key in keys.items():
        rows.append(uplift_row(comparison, _strata(answers, key, settings), labels, settings))
    how = (
        "uplift = selective accuracy minus that of accepting at random as many of each stratum; "
        f"bootstrap over questions, B = {settings.n_resamples}, seed {settings.uplift_seed}, "
        f"level {settings.level:g}."
    )
    return _made(name, UPLIFT, rows, {"held out": whole}, how)


def _item_type(row: Row) -> str:
    return row.item_type


def _category(row: Row) -> str:
    return row.category


def _is(key: Callable[[Row], object], wanted: object) -> Callable[[Row], bool]:
    return lambda row: key(row) == wanted


def _strata(
    answers: Answers, key: Callable[[Row], tuple[str, ...]], settings: TableSettings
) -> dict[str, Selection]:
    names = sorted({key(row) for side in answers for row in side.values()})
    return {
        "/".join(name) or "all": count_gate(
            *answers.where(_is(key, name)), settings.on_unpaired
        ).selection
        for name in names
    }


def _stress_answers(
    cells: Archive, settings: TableSettings
) -> tuple[dict[tuple[str, str], Answers], list[str]]:
    """The answers by (model, view) on the design part, or what is missing."""
    places = {
        (model, view): [
            Place("design", model, view, prompt) for prompt in (settings.paper, settings.evidence)
        ]
        for model in settings.models
        for view in STRESS
    }
    found, missing = cells.take(place for both in places.values() for place in both)
    if missing:
        return {}, missing
    return {
        key: Answers(found[paper].first, found[evidence].first)
        for key, (paper, evidence) in places.items()
    }, []


def _made(
    name: str,
    columns: tuple[str, ...],
    rows: list[dict[str, Value]],
    named: Mapping[str, GateCounts],
    more: str,
) -> Table:
    note = " ".join(text for text in (_HOW, more, left_out(named)) if text)
    return Table(name=name, columns=columns, rows=tuple(rows), note=note)


__all__ = [
    "ITEM_TYPES",
    "Answers",
    "clean_heldout_gate",
    "dual_prompt_gate_all_checkpoints",
    "dual_prompt_gate_by_item_type",
    "heldout_gate_by_group",
    "heldout_gate_uplift",
    "split_answers",
]
