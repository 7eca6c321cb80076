"""A whole small study made by hand: every cell of the design, scored by the real scorer."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache

from harness.results import cell_metrics
from harness.robustness.paired import MULTIVIEW_CONDITIONS
from harness.robustness.settings import CONTROLS, STRESS, TableSettings
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
    Score,
)
from harness.vision.views import named

N_WHOLE, N_DESIGN = 48, 20
SETTINGS = TableSettings(
    models=("base", "sft", "rl"),
    focus="rl",
    whole="mini-48",
    design="mini-20",
    held_out="mini-28",
    paper="paper",
    evidence="evidence_first",
    n_resamples=1000,
    token_budgets=(None, 90),
)
# What takes the time, left out: for tests of the other tables.
LEAN = replace(
    SETTINGS, repair_from=None, parsers=(), token_budgets=(None,), ranking_conditions=("clean",)
)
_SKILL = {"base": 40, "sft": 45, "rl": 55}
Text = Callable[[Example, int], str | None]


@cache
def examples(part: str = SETTINGS.whole) -> tuple[Example, ...]:
    """Four of five are multiple choice; the first 20 ids are the design part."""
    made = []
    for i in range(N_WHOLE):
        choices = ("red", "green", "blue", "tan") if i % 5 else ()
        made.append(
            Example(
                id=f"q{i:02}",
                kind="choice" if choices else "number",
                question="What is shown?",
                gold="ABCD"[i % 4] if choices else str(i + 2),
                choices=choices,
                group=("Biology", "Physics")[i % 3 == 0],
            )
        )
    if part == SETTINGS.design:
        return tuple(made[:N_DESIGN])
    return tuple(made[N_DESIGN:] if part == SETTINGS.held_out else made)


def said(*names: str) -> Text:
    """A model's answers: drawn by the hash of the names, so each view changes some of them."""
    skill = _SKILL[names[0]]

    def text(example: Example, replicate: int) -> str | None:
        key = "|".join((*names, example.id, str(replicate)))
        draw = int(hashlib.sha256(key.encode()).hexdigest(), 16)
        if draw % 100 < skill:
            return f"<answer>{example.gold}</answer>"
        if draw % 100 > 93:
            return "I cannot tell from this picture what it should be."
        wrong = "ABCD"[(draw >> 8) % 4] if example.choices else str((draw >> 8) % 3)
        return f"<answer>{wrong}</answer>"

    return text


def made(
    experiment: str,
    data: str,
    model: str,
    view: str,
    prompt: str,
    *,
    replicates: int = 1,
    text: Text | None = None,
    items: Sequence[Example] | None = None,
) -> CellResult:
    """One cell; a text of None is a response that ran out of memory."""
    text = text or said(model, view, prompt, "sampled" if replicates > 1 else "")
    long = experiment in ("reproduction", "held-out-gate")
    cell = Cell(
        experiment=experiment,
        data=data,
        model=ModelSpec(name=model, source={"kind": "hub", "id": f"some/{model}"}),
        view=named(view),
        prompt=Prompt(name=prompt, template="{question}"),
        decoding=Decoding(max_new_tokens=4096 if long else 2048),
        tier="full",
        base_seed=1,
        replicates=replicates,
    )
    rows = [(e, r) for e in (items or examples(data)) for r in range(replicates)]
    responses, scores = [], []
    for example, replicate in rows:
        given = text(example, replicate)
        response = Response(
            example_id=example.id,
            replicate=replicate,
            status="oom" if given is None else "ok",
            text=given,
            error="out of memory" if given is None else None,
            n_tokens=None if given is None else 40 + len(given) * 3,
        )
        responses.append(response)
        scores.append(_scored(example, response))
    return result(cell, [e for e, _ in rows], responses, scores)


def result(
    cell: Cell, items: Iterable[Example], responses: list[Response], scores: list[Score]
) -> CellResult:
    items = tuple(items)
    counts = Counter(s.outcome for s in scores)
    names = (cell.data, cell.model.name, cell.view.name, cell.prompt.name, cell.decoding)
    return CellResult(
        cell=cell,
        key=hashlib.sha256(f"{names}{cell.replicates}".encode()).hexdigest()[:32],
        identity={},
        examples=tuple(dict.fromkeys(items)),
        n_data=len(set(items)),
        responses=tuple(responses),
        scores=tuple(scores),
        counts={outcome: counts[outcome] for outcome in OUTCOMES},
        metrics=cell_metrics(items, scores),
        records_sha256="0" * 64,
    )


@cache
def _scored(example: Example, response: Response) -> Score:
    return score(example, response)


@cache
def study() -> tuple[CellResult, ...]:
    """All 94 cells; the five-view branch without a budget runs out of memory as published."""
    s, found = SETTINGS, []
    for model in s.models:
        found.append(made("reproduction", s.whole, model, "clean", s.paper))
        for view in STRESS:
            found.append(made("robustness", s.design, model, view, s.paper))
            found.append(made("gate-generalisation", s.design, model, view, s.evidence))
        found += [made("controls", s.design, model, view, s.paper) for view in CONTROLS]
    found.append(made("held-out-gate", s.whole, s.focus, "clean", s.evidence))
    for view in MULTIVIEW_CONDITIONS:
        found.append(made("self-consistency", s.design, s.focus, view, s.paper, replicates=8))
        for prompt in (s.paper, s.evidence):
            found.append(made("improvement", s.design, s.focus, view, prompt))
            for mode in ("global_budgeted", "global_plus_quadrants_budgeted"):
                found.append(made("multiview", s.design, s.focus, in_mode(view, mode), prompt))
            name = in_mode(view, "global_plus_quadrants")
            found.append(
                made(
                    "improvement", s.design, s.focus, name, prompt, text=failing(view, name, prompt)
                )
            )
    return tuple(found)


def failing(view: str, name: str, prompt: str) -> Text:
    """Every response to three distractors fails, and that to the first example otherwise."""
    usual = said("rl", name, prompt)

    def text(example: Example, replicate: int) -> str | None:
        if view == "distractor_3" or example.id == "q00":
            return None
        return usual(example, replicate)

    return text


def in_mode(view: str, mode: str) -> str:
    return mode if view == "clean" else f"{view}-{mode}"


def without(*fields: tuple[str, str]) -> list[CellResult]:
    """The study without the cells of which all the fields are as given."""

    def is_meant(r: CellResult) -> bool:
        known = {
            "experiment": r.cell.experiment,
            "model": r.cell.model.name,
            "view": r.cell.view.name,
            "prompt": r.cell.prompt.name,
        }
        return all(known[name] == value for name, value in fields)

    return [r for r in study() if not is_meant(r)]


def changed(experiment: str, view: str, model: str, **fields: object) -> list[CellResult]:
    """The study with one cell of the first prompt replaced."""
    return [
        replace(r, **fields)  # type: ignore[arg-type]
        if (r.cell.experiment, r.cell.view.name, r.cell.model.name) == (experiment, view, model)
        else r
        for r in study()
    ]
