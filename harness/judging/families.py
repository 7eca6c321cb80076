"""Whether a judge judges its own family, and by how much it then favours it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from harness.errors import DataError
from harness.judging.panel import Verdicts
from harness.stats.estimate import PairedTest
from harness.stats.paired import paired_test

# Whole words of a model's name, as its maker writes them.
FAMILIES: Mapping[str, tuple[str, ...]] = {
    "claude": ("claude", "haiku", "opus", "sonnet"),
    "deepseek": ("deepseek", "janus"),
    "gemini": ("gemini", "gemma", "paligemma"),
    "glm": ("chatglm", "cogvlm", "glm"),
    "gpt": ("chatgpt", "gpt", "o1", "o3", "o4"),
    "grok": ("grok",),
    "internvl": ("internlm", "internvl"),
    "llama": ("llama",),
    "mistral": ("magistral", "ministral", "mistral", "mixtral", "pixtral"),
    "phi": ("phi",),
    "qwen": ("qvq", "qwen", "qwq"),
    "smolvlm": ("smollm", "smolvlm"),
}
_WORD = re.compile(r"[a-z]+(?:(?<=\bo)\d)?")


@dataclass(frozen=True, kw_only=True, slots=True)
class SelfPreference:
    """A judge and a model, with their families; `shared` is None where one is not known."""

    judge: str
    model: str
    judge_family: str | None
    model_family: str | None
    shared: bool | None


def family(name: str, known: Mapping[str, str] | None = None) -> str | None:
    """Give the family of a model by its name.

    Parameters
    ----------
    name : as a hub or an endpoint writes it, such as "Qwen/Qwen3-VL-8B-Thinking".
    known : name to family for models that do not say so, such as a checkpoint trained from
        another model: its family is that of the base.

    Returns
    -------
    str or None
        A key of `FAMILIES` or a value of `known`. None where no word of the name, or words of
        several families, say it: unknown, never "another one".

    Examples
    --------
    >>> family("claude-sonnet-4.5"), family("Qwen/Qwen3-VL-8B"), family("physics-r1")
    ('claude', 'qwen', None)
    >>> family("physics-r1", {"physics-r1": "qwen"}), family("deepseek-r1-distill-qwen-32b")
    ('qwen', None)
    """
    if known and name in known:
        return known[name]
    words = set(_WORD.findall(name.casefold().replace("_", " ")))
    found = [kind for kind, members in FAMILIES.items() if not words.isdisjoint(members)]
    return found[0] if len(found) == 1 else None


def self_preference(
    judge: str, model: str, known: Mapping[str, str] | None = None
) -> SelfPreference:
    """Flag a judge that shares its family with the model it judges.

    Parameters
    ----------
    judge, model : names.
    known : as for `family`.

    Returns
    -------
    SelfPreference
        `shared` True, False, or None where a family is not known, which is no clearance.

    References
    ----------
    A. Panickssery, S. R. Bowman, S. Feng, "LLM evaluators recognize and favor their own
    generations", NeurIPS 2024.

    Examples
    --------
    >>> self_preference("claude-sonnet-4.5", "claude-haiku-4.5").shared
    True
    >>> self_preference("gpt-4o", "my-model").shared is None
    True
    """
    own, other = family(judge, known), family(model, known)
    return SelfPreference(
        judge=judge,
        model=model,
        judge_family=own,
        model_family=other,
        shared=None if own is None or other is None else own == other,
    )


def own_judge_lift(
    own: Verdicts, other: Verdicts, *, level: float, alpha: float, power: float
) -> PairedTest:
    """Measure how much more often a model's own family calls its answers right.

    Parameters
    ----------
    own, other : verdicts on one model's answers by the judge of its family and by another.
    level, alpha, power : as in `harness.stats.paired.paired_test`.

    Returns
    -------
    PairedTest
        Own minus other over the items that both decided, with exact McNemar: `n01` are items
        that the own judge alone calls right. A lenient judge shows the same: compare the lift on
        a model of a third family before calling it self-preference.

    Raises
    ------
    DataError
        For judges with different items.
    StatisticsError
        `invalid_level`.

    References
    ----------
    Those of `self_preference` and `paired_test`.

    Examples
    --------
    >>> own, other = {"a": True, "b": True, "c": None}, {"a": True, "b": False, "c": True}
    >>> own_judge_lift(own, other, level=0.95, alpha=0.05, power=0.8).difference.value
    0.5
    """
    apart = sorted(set(own) ^ set(other))
    if apart:
        raise DataError(
            f"own_judge_lift: expected the same items of both judges, found {len(apart)} that one "
            f"alone has: {', '.join(apart[:5])}"
        )
    both = [(own[key], other[key]) for key in own]
    both = [(x, y) for x, y in both if x is not None and y is not None]
    return paired_test(
        sum(x is True and y is False for x, y in both),
        sum(x is False and y is True for x, y in both),
        len(both),
        level=level,
        interval="percentile",
        variant="exact",
        alpha=alpha,
        power=power,
    )


__all__ = ["FAMILIES", "SelfPreference", "family", "own_judge_lift", "self_preference"]
