"""Counts of two languages, what they say, and the published 59 pairs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.drift.measure import DriftCounts, drift, drift_counts
from harness.drift.pairs import pairs_gate
from harness.drift.published import PUBLISHED, PUBLISHED_FIGURES, published_drift
from harness.drift.tables import DriftSettings
from harness.errors import DataError
from harness.stats.checks import StatisticsError
from harness.stats.paired import paired_difference
from harness.stats.power import paired_mde
from harness.types import Example, Media

COUNTS = st.tuples(*[st.integers(0, 12)] * 4)
VERDICTS = st.dictionaries(
    st.text("abcdef", min_size=1, max_size=2),
    st.tuples(*[st.sampled_from((True, False, None))] * 2),
)


def made(both: int, original: int, translated: int, neither: int) -> DriftCounts:
    n = both + original + translated + neither
    return DriftCounts(n=n, both=both, original_only=original, translated_only=translated)


@settings(max_examples=20, deadline=None)
@given(COUNTS)
def test_the_two_p_values_are_one_test(counts: tuple[int, int, int, int]) -> None:
    found = drift(made(*counts))
    gained, lost = counts[1], counts[2]
    n = gained + lost
    tail = sum(comb(n, k) for k in range(gained, n + 1)) / 2**n
    assert found.one_sided.p == pytest.approx(tail)
    assert found.mcnemar == found.two_sided.p
    other = drift(made(*counts), alternative="less")
    smaller = min(found.one_sided.p, other.one_sided.p)
    assert found.mcnemar == pytest.approx(min(1.0, 2 * smaller))


@settings(max_examples=20, deadline=None)
@given(COUNTS)
def test_turning_the_languages_turns_the_sign(counts: tuple[int, int, int, int]) -> None:
    both, original, translated, neither = counts
    found = drift(made(*counts))
    turned = drift(made(both, translated, original, neither), alternative="less")
    assert found.one_sided.p == turned.one_sided.p
    assert found.power == pytest.approx(turned.power)
    if found.difference.value is None:
        assert turned.difference.value is None
    else:
        assert found.difference.value == -(turned.difference.value or 0.0)
        assert found.counts.original_right == turned.counts.translated_right


@settings(max_examples=50, deadline=None)
@given(VERDICTS)
def test_undecided_verdicts_are_wrong_and_bounded(
    rows: dict[str, tuple[bool | None, bool | None]],
) -> None:
    first, second = ({key: row[side] for key, row in rows.items()} for side in (0, 1))
    found = drift_counts(first, second)
    assert found.original_right == sum(row[0] is True for row in rows.values())
    assert found.translated_right == sum(row[1] is True for row in rows.values())
    assert found.n == len(rows)
    assert found.spread is not None
    if rows:
        value = (found.original_only - found.translated_only) / found.n
        assert found.spread.low is not None and found.spread.high is not None
        assert found.spread.low <= value <= found.spread.high


def test_levels_and_powers_reach_every_figure() -> None:
    counts = made(5, 13, 3, 38)
    plain, other = drift(counts), drift(counts, level=0.8, power=0.5, interval="bca")
    assert {plain.original.level, plain.translated.level, plain.difference.level} == {0.95}
    assert {other.original.level, other.translated.level, other.difference.level} == {0.8}
    assert plain.mde == paired_mde(59, 16 / 59, 0.05, 0.8)
    assert other.mde == paired_mde(59, 16 / 59, 0.05, 0.5)
    assert other.difference == paired_difference(13, 3, 59, 0.8, "bca")
    assert plain.power == other.power and drift(counts, alpha=0.01).power < plain.power


def exact_test(gained: int, lost: int) -> Fraction:
    """Two-sided exact McNemar, from its definition."""
    n = gained + lost
    tail = Fraction(sum(comb(n, k) for k in range(min(gained, lost) + 1)), 2**n)
    return min(Fraction(1), 2 * tail)


def outcomes(n: int, gained: Fraction, lost: Fraction) -> Iterator[tuple[int, int, Fraction]]:
    """Every way that n pairs can come out, with its probability."""
    for b in range(n + 1):
        for c in range(n + 1 - b):
            ways = comb(n, b) * comb(n - b, c)
            yield b, c, ways * gained**b * lost**c * (1 - gained - lost) ** (n - b - c)


def test_the_published_figures_from_their_definitions() -> None:
    found = drift(PUBLISHED)
    gained, lost = Fraction(13, 59), Fraction(3, 59)
    share = {d: Fraction(0) for d in range(-59, 60)}
    power = Fraction(0)
    critical = {(b, c): exact_test(b, c) for b in range(60) for c in range(60 - b)}
    for b, c, probability in outcomes(59, gained, lost):
        share[b - c] += probability
        if critical[b, c] <= Fraction(1, 20):
            power += probability
    assert found.power == pytest.approx(float(power), abs=1e-12)
    assert round(100 * float(power), 1) == 66.3
    ends = []
    for tail in (Fraction(1, 40), Fraction(39, 40)):
        total = Fraction(0)
        for d in sorted(share):
            total += share[d]
            if total >= tail:
                ends.append(d)
                break
    assert ends == [3, 17]
    assert (found.difference.low, found.difference.high) == (3 / 59, 17 / 59)
    # Of all discordant counts that leave 18 and 8 right, McNemar's 0.021 fits one.
    fits = [c for c in range(9) if round(float(exact_test(c + 10, c)), 3) == 0.021]
    assert fits == [3]
    assert found.mcnemar == float(exact_test(13, 3)) == 2 * found.one_sided.p


def test_nothing_to_compare() -> None:
    found = drift(made(0, 0, 0, 0))
    assert found.difference.value is None and found.original.value is None
    assert (found.mcnemar, found.power, found.mde, found.pairs_needed) == (1.0, 0.0, None, None)
    alike = drift(made(3, 0, 0, 4))
    assert alike.difference.degenerate
    assert (alike.mcnemar, alike.pairs_needed) == (1.0, None)


def test_excluded_ids_leave_both_sides() -> None:
    found = drift_counts({"a": True, "b": True}, {"a": False, "b": False}, excluded={"b", "zz"})
    assert (found.n, found.excluded) == (1, ("b",))


def test_what_is_refused() -> None:
    with pytest.raises(DataError, match="always"):
        drift(made(1, 1, 1, 1), alternative="two-sided")
    with pytest.raises(StatisticsError, match="only in a"):
        drift_counts({"a": True}, {})
    with pytest.raises(StatisticsError, match="<= n"):
        DriftCounts(n=3, both=2, original_only=1, translated_only=1)


def test_the_published_figures_and_where_they_differ() -> None:
    table = published_drift()
    row = {key: value for key, value in table.rows[0].items() if isinstance(value, float)}
    assert round(row["original_pct"], 1) == PUBLISHED_FIGURES["original_pct"]
    assert round(row["translated_pct"], 1) == PUBLISHED_FIGURES["translated_pct"]
    assert round(row["low_pp"], 1) == PUBLISHED_FIGURES["low_pp"]
    assert round(row["p_one_sided"], 3) == PUBLISHED_FIGURES["p_sign"]
    assert round(row["p_mcnemar_exact"], 3) == PUBLISHED_FIGURES["p_mcnemar"]
    # Both published figures that do not come out are explained in the note.
    assert (round(row["high_pp"], 1), PUBLISHED_FIGURES["high_pp"]) == (28.8, 28.9)
    assert (round(row["power_pct"], 1), PUBLISHED_FIGURES["power_pct"]) == (66.3, 65.7)
    for said in ("one test", "two sidednesses", "0.0213 = 2 × 0.0106", "28.8", "66.3 %", "78"):
        assert said in table.note
    assert table.rows[0]["pairs_needed"] == 78
    assert PUBLISHED.neither == 38


def test_the_other_side_is_named() -> None:
    row = published_drift(DriftSettings(pairs=(), alternative="less")).rows[0]
    assert row["alternative"] == "less"
    assert row["p_one_sided"] == pytest.approx(1 - 0.0106353759765625 + comb(16, 3) / 2**16)


def question(key: str = "q1", text: str = "Mitu?", **other: object) -> Example:
    fields = {"kind": "number", "gold": "3", **other}
    return Example(id=key, question=text, **fields)  # type: ignore[arg-type]


def picture(sha256: str | None) -> tuple[Media, ...]:
    return (Media(kind="image", name="x", sha256=sha256),)


def test_pairs_that_are_no_translations_are_named() -> None:
    english = question(text="How many?")
    cases: list[tuple[list[Example], list[Example], list[str]]] = [
        ([question()], [english], []),
        ([question(media=picture("a"))], [question(text="?", media=picture(None))], []),
        ([], [], ["no_pairs"]),
        ([question()], [question("q2")], ["no_pairs", "unpaired", "unpaired"]),
        ([question()], [question(gold="4", text="?")], ["gold_differs"]),
        ([question()], [question(kind="text", text="?")], ["kind_differs"]),
        ([question()], [question(exact=True, text="?")], ["kind_differs"]),
        ([question()], [question(choices=("a",), text="?")], ["choices_differ"]),
        ([question()], [question(media=picture("a"), text="?")], ["pictures_differ"]),
        (
            [question(media=picture("a"))],
            [question(media=picture("b"), text="?")],
            ["pictures_differ"],
        ),
        ([question()], [question(text=" Mitu? ")], ["untranslated"]),
        ([question(), question()], [english], ["duplicate_id"]),
    ]
    for original, translated, codes in cases:
        verdict = pairs_gate(original, translated)
        assert [issue.code for issue in verdict.issues] == codes, verdict.issues
    assert pairs_gate([question()], [question()], max_untranslated=1.0).go
    with pytest.raises(ValueError, match=re.escape("expected 0 to 1, found 1.5")):
        pairs_gate([], [], max_untranslated=1.5)
