"""Leakage: nothing that was used for development stands in a held-out analysis."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import partial

from harness import ids
from harness.study import Study
from harness.types import Cell, CellResult, Example, Gate, Issue, Verdict

_SHOWN = 5


def leaked(development: Iterable[Example], held_out: Iterable[Example]) -> list[tuple[str, str]]:
    """Find the held-out examples that development has seen.

    An example was seen where its id was, or where its question stood beside the same pictures
    under another id. Questions are compared without regard to white space and case, pictures by
    their hashes as a set; pictures without a hash are compared by name.

    Parameters
    ----------
    development, held_out : in any order.

    Returns
    -------
    list of (str, str)
        The id in held_out and the id in development, sorted; empty where nothing leaked.

    Examples
    --------
    >>> a = Example(id="a", kind="text", question="Which?", gold="x")
    >>> b = Example(id="b", kind="text", question=" which? ", gold="x")
    >>> leaked([a], [b]), leaked([a], [a]), leaked([a], [])
    ([('b', 'a')], [('a', 'a')], [])
    """
    seen: dict[object, str] = {}
    for example in sorted(development, key=lambda e: e.id):
        seen.setdefault(example.id, example.id)
        seen.setdefault(_content(example), example.id)
    found = {
        (example.id, seen[key])
        for example in held_out
        for key in (example.id, _content(example))
        if key in seen and (key == example.id or example.id not in seen)
    }
    return sorted(found)


def leakage(
    results: Sequence[CellResult], *, development: Collection[str], held_out: Collection[str]
) -> Verdict:
    """Judge whether held-out cells are free of what was used for development.

    Parameters
    ----------
    results : the cells; those of data sets that are named in neither list are not looked at.
    development, held_out : names of the study's data sets, at least one each, none in both.

    Returns
    -------
    Verdict
        Issues: `leak` per held-out data set, naming the ids; `no_cells` where a list has no
        cell among the results. Facts: per data set the number of its examples in these cells.

    Raises
    ------
    ValueError
        For an empty list or a data set in both.
    """
    both = sorted(set(development) & set(held_out))
    if not development or not held_out or both:
        raise ValueError(
            "leakage: expected two lists of data sets, none empty and none in both, found "
            f"{sorted(development)} and {sorted(held_out)}"
        )
    examples: dict[str, dict[str, Example]] = {}
    for result in results:
        examples.setdefault(result.cell.data, {}).update((e.id, e) for e in result.examples)
    issues = [
        Issue("no_cells", ", ".join(sorted(names)), f"expected cells of {role} data, found none")
        for role, names in (("development", development), ("held-out", held_out))
        if not set(names) & set(examples)
    ]
    used = [e for name in development for e in examples.get(name, {}).values()]
    for name in sorted(set(held_out) & set(examples)):
        pairs = leaked(used, examples[name].values())
        if pairs:
            issues.append(Issue("leak", name, describe(pairs)))
    facts = {
        role: {name: len(examples.get(name, {})) for name in sorted(names)}
        for role, names in (("development", development), ("held_out", held_out))
    }
    return Verdict(gate="leakage", issues=tuple(sorted(issues)), facts=facts)


def leakage_gate(
    study: Study, cells: Sequence[Cell], *, development: Collection[str], held_out: Collection[str]
) -> Gate:
    """Make the gate `leakage` of an experiment over its cells on these data sets.

    Parameters
    ----------
    study : at a tier. At the canary tier only the examples of its samples are compared.
    cells : of the experiment; a data set without cells among them is an issue of the verdict.
    development, held_out : see `leakage`.

    Raises
    ------
    ValueError
        For a study without a tier.
    """
    if study.tier is None:
        raise ValueError("leakage_gate() needs a study at a tier")
    names = {*development, *held_out}
    return Gate(
        name="leakage",
        subject=ids.slug(study.experiment),
        tier=study.tier,
        cells=tuple(cell for cell in cells if cell.data in names),
        judge=partial(leakage, development=tuple(development), held_out=tuple(held_out)),
    )


def describe(pairs: Sequence[tuple[str, str]]) -> str:
    """Say in words what `leaked` found.

    Examples
    --------
    >>> describe([("b", "a"), ("c", "c")])
    '2 held-out example(s) were seen in development: b (there a), c'
    """
    shown = [held if held == seen else f"{held} (there {seen})" for held, seen in pairs[:_SHOWN]]
    more = " …" if len(pairs) > _SHOWN else ""
    return f"{len(pairs)} held-out example(s) were seen in development: {', '.join(shown)}{more}"


def _content(example: Example) -> tuple[str, tuple[str, ...]]:
    question = " ".join(example.question.split()).casefold()
    return question, tuple(sorted({media.sha256 or media.name for media in example.media}))


__all__ = ["describe", "leakage", "leakage_gate", "leaked"]
