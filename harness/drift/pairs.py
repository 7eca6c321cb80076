"""Whether two data sets are one in two languages: same ids, golds, kinds, choices and pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from harness.types import Example, Issue, Verdict

_SHOWN = 5


def pairs_gate(
    original: Sequence[Example],
    translated: Sequence[Example],
    *,
    max_untranslated: float = 0.1,
) -> Verdict:
    """Judge whether two data sets can show translation drift.

    Parameters
    ----------
    original, translated : examples in either language, paired by id.
    max_untranslated : largest permitted share of pairs whose question is the same text in both,
        inclusive, 0 to 1.

    Returns
    -------
    Verdict
        Issues: `no_pairs`; `duplicate_id`; `unpaired` (ids that one side lacks); `gold_differs`,
        `kind_differs`, `choices_differ` (their number), `pictures_differ` (number or a known
        hash), each with how many and the first ids; `untranslated`. Facts: pairs, and how many
        have the same text. It does not say that the translations are good.

    Raises
    ------
    ValueError
        For a limit outside 0 to 1.

    References
    ----------
    Physics-R1 (2026), finding 2: same weights, same gold and same judge. docs/drift.md.

    Examples
    --------
    >>> et = Example(id="q1", kind="number", question="Mitu?", gold="3")
    >>> en = Example(id="q1", kind="number", question="How many?", gold="4")
    >>> [issue.code for issue in pairs_gate([et], [en]).issues]
    ['gold_differs']
    """
    if not 0 <= max_untranslated <= 1:
        raise ValueError(f"pairs_gate: max_untranslated: expected 0 to 1, found {max_untranslated}")
    issues = []
    for side, examples in (("original", original), ("translated", translated)):
        again = [key for key, n in Counter(e.id for e in examples).items() if n > 1]
        if again:
            issues.append(_issue("duplicate_id", side, again, "expected each id once, found again"))
    first, second = {e.id: e for e in original}, {e.id: e for e in translated}
    for side, apart in (
        ("original", [key for key in first if key not in second]),
        ("translated", [key for key in second if key not in first]),
    ):
        if apart:
            issues.append(_issue("unpaired", side, apart, "expected a partner, found none for"))
    both = [(first[key], second[key]) for key in first if key in second]
    for code, differs in _DIFFERENCES.items():
        found = [a.id for a, b in both if differs(a, b)]
        if found:
            issues.append(_issue(code, "", found, "expected both sides alike, found otherwise in"))
    same = [a.id for a, b in both if a.question.split() == b.question.split()]
    if not both:
        issues.append(Issue("no_pairs", "", "expected pairs with one id, found none"))
    elif Fraction(len(same), len(both)) > Fraction(repr(max_untranslated)):
        said = f"expected at most {max_untranslated} of {len(both)} questions the same, found"
        issues.append(_issue("untranslated", "", same, said))
    return Verdict(
        gate="language_pairs",
        issues=tuple(sorted(issues)),
        facts={"n_pairs": len(both), "n_same_text": len(same)},
    )


def _pictures_differ(a: Example, b: Example) -> bool:
    if len(a.media) != len(b.media):
        return True
    both = zip(a.media, b.media, strict=True)
    return any(x.sha256 and y.sha256 and x.sha256 != y.sha256 for x, y in both)


_DIFFERENCES = {
    "gold_differs": lambda a, b: a.gold != b.gold,
    "kind_differs": lambda a, b: (a.kind, a.exact) != (b.kind, b.exact),
    "choices_differ": lambda a, b: len(a.choices) != len(b.choices),
    "pictures_differ": _pictures_differ,
}


def _issue(code: str, where: str, ids: Sequence[str], said: str) -> Issue:
    shown = ", ".join(ids[:_SHOWN]) + (", …" if len(ids) > _SHOWN else "")
    return Issue(code, where, f"{said} {len(ids)}: {shown}")


__all__ = ["pairs_gate"]
