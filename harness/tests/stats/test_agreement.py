import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.stats.agreement import agree, agreement_from_counts, answer_agreement
from harness.stats.checks import StatisticsError
from harness.stats.voting import vote

ANSWER = st.one_of(st.none(), st.sampled_from("ABCD"))
PAIRS = st.lists(st.tuples(ANSWER, ANSWER), max_size=20)


@settings(max_examples=50, deadline=None)
@given(PAIRS, st.randoms(use_true_random=False))
def test_counts_symmetry_and_order(pairs: list[tuple[str | None, str | None]], random) -> None:
    a, b = [x for x, _ in pairs], [y for _, y in pairs]
    found = answer_agreement(a, b)
    assert found == answer_agreement(b, a)
    random.shuffle(pairs)
    assert found == answer_agreement([x for x, _ in pairs], [y for _, y in pairs])
    assert found.n_agree + found.n_unparsed <= found.n == len(pairs)
    if pairs:
        assert found.agreement == found.n_agree / found.n
        assert found.turnover == (found.n - found.n_agree) / found.n
        by_counts = agreement_from_counts(found.n_agree, found.n)
        assert (by_counts.agreement, by_counts.turnover) == (found.agreement, found.turnover)
    else:
        assert found.agreement is found.turnover is None


def test_unparsed_answers_never_agree_and_stay_in_the_denominator() -> None:
    found = answer_agreement([None, None, "A", "B"], [None, "A", None, "B"])
    assert (found.n, found.n_agree, found.n_unparsed) == (4, 1, 3)
    assert (found.agreement, found.turnover) == (0.25, 0.75)
    assert answer_agreement([None], [None]).agreement == 0.0


@pytest.mark.parametrize(("a", "b", "n_agree"), [("x", "x ", 0), ("x", "x", 1), ("a", "A", 0)])
def test_answers_are_compared_verbatim(a: str, b: str, n_agree: int) -> None:
    assert answer_agreement([a], [b]).n_agree == n_agree


@pytest.mark.parametrize("blank", ["", " ", "\n", None])
def test_blank_text_is_no_answer(blank: str | None) -> None:
    found = answer_agreement([blank, "A"], [blank, "A"])
    assert (found.n, found.n_agree, found.n_unparsed) == (2, 1, 1)
    assert not agree(blank, blank) and vote([blank]).answer is None


def test_published_counts() -> None:
    assert round(100 * agreement_from_counts(113, 300).agreement, 1) == 37.7
    assert round(100 * agreement_from_counts(169, 300).agreement, 1) == 56.3
    assert agreement_from_counts(0, 0).agreement is None
    assert agreement_from_counts(1, 1).n_unparsed is None


def test_refusals() -> None:
    with pytest.raises(StatisticsError, match="a 2, b 1") as refused:
        answer_agreement(["A", "B"], ["A"])
    assert refused.value.reason == "length_mismatch"


@pytest.mark.parametrize(("k", "n"), [(3, 2), (-1, 2), (1.0, 2), (True, 2), (1, 2.0), (None, 2)])
def test_bad_counts(k: int, n: int) -> None:
    with pytest.raises(StatisticsError) as refused:
        agreement_from_counts(k, n)
    assert refused.value.reason == "invalid_count"
