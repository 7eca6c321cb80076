import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.stats.checks import StatisticsError
from harness.stats.multiverse import ModelOutcomes, model_outcomes, specification_curve
from harness.stats.ranking import kendall_tau, rank_counts, ranking_stability


def outcomes(counts: list[list[int]], n: int, factors: list[dict[str, object]]) -> ModelOutcomes:
    """Models that are right on their first `count` examples."""
    correct = [[[int(i < count) for i in range(n)] for count in row] for row in counts]
    models = [f"m{i}" for i in range(len(counts[0]))]
    return model_outcomes(correct, excluded=None, models=models, specifications=factors)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), max_size=6))
def test_tau_equals_scipy_and_is_symmetric(pairs: list[tuple[int, int]]) -> None:
    from scipy.stats import kendalltau

    a, b = [x for x, _ in pairs], [y for _, y in pairs]
    tau = kendall_tau(a, b)
    assert tau == kendall_tau(b, a)
    if len(set(a)) < 2 or len(set(b)) < 2:
        assert tau is None  # scipy says NaN
    else:
        assert tau == pytest.approx(float(kendalltau(a, b).statistic), abs=1e-12)
        assert kendall_tau(a, [-y for y in b]) == -tau  # type: ignore[operator]
        assert kendall_tau(a, a) == 1.0


def test_scipy_answers_nan_where_a_ranking_is_constant() -> None:
    from scipy.stats import kendalltau

    assert math.isnan(float(kendalltau([1, 1, 1], [1, 2, 3]).statistic))
    assert kendall_tau([1, 1, 1], [1, 2, 3]) is None


@pytest.mark.parametrize("n", [0, 1])
def test_fewer_than_two_things_have_no_tau(n: int) -> None:
    assert kendall_tau([1] * n, [1] * n) is None


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 5), max_size=6), st.randoms(use_true_random=False))
def test_ranks_follow_the_counts_whatever_the_order(counts: list[int], random: object) -> None:
    ranks = rank_counts(counts)
    for (i, a), (j, b) in product(enumerate(counts), repeat=2):
        assert (ranks[i] < ranks[j]) == (a > b)
    assert not ranks or min(ranks) == 1
    order = list(range(len(counts)))
    random.shuffle(order)  # type: ignore[attr-defined]
    assert rank_counts([counts[i] for i in order]) == tuple(ranks[i] for i in order)


def test_stability_counts_every_kind_of_specification() -> None:
    factors: list[dict[str, object]] = [{"parser": p} for p in "abcd"]
    found = ranking_stability(
        outcomes([[5, 3, 1], [5, 2, 3], [4, 4, 0], [1, 5, 2]], 6, factors), {"parser": "a"}
    )
    assert found.rankings == ((1, 2, 3), (1, 3, 2), (1, 1, 3), (3, 1, 2))
    assert found.baseline_winners == ("m0",)
    assert (found.n_same_winner, found.n_shared_winner, found.n_other_winner) == (1, 1, 1)
    assert (found.n_unranked, found.top1_stability) == (0, 1 / 3)
    assert found.tau_to_baseline == (1.0, 1 / 3, 2 / math.sqrt(6), -1 / 3)
    assert found.tau[2][3] == found.tau[3][2]
    (parser,) = found.factors
    assert (parser.n_pairs, parser.n_undefined, parser.n_winner_changes) == (6, 0, 5)
    assert parser.min_tau == -1.0
    assert parser.tau_drop == 1 - parser.mean_tau  # type: ignore[operator]


def test_a_factor_is_judged_by_the_pairs_that_change_it_alone() -> None:
    factors = [{"parser": p, "budget": b} for p in ("x", "y") for b in (8, 64)]
    # The parser turns the ranking round, the budget leaves it alone.
    found = ranking_stability(
        outcomes([[3, 2, 1], [6, 5, 4], [1, 2, 3], [4, 5, 6]], 6, factors),
        {"budget": 8, "parser": "x"},
    )
    effects = {effect.factor: effect for effect in found.factors}
    assert (effects["parser"].n_pairs, effects["budget"].n_pairs) == (2, 2)
    assert (effects["parser"].mean_tau, effects["parser"].tau_drop) == (-1.0, 2.0)
    assert (effects["budget"].mean_tau, effects["budget"].tau_drop) == (1.0, 0.0)
    assert effects["budget"].n_winner_changes == 0


def test_all_ties_rank_nothing() -> None:
    found = ranking_stability(outcomes([[2, 2], [3, 1]], 4, [{"p": 0}, {"p": 1}]), {"p": 0})
    assert found.rankings[0] == (1, 1)
    assert found.baseline_winners == ("m0", "m1")
    assert found.tau == ((None, None), (None, 1.0))
    assert found.top1_stability is None  # no sole winner to look for
    assert found.factors[0].n_undefined == 1
    assert (found.factors[0].mean_tau, found.factors[0].tau_drop) == (None, None)


def test_one_specification_and_one_model_have_nothing_to_compare() -> None:
    found = ranking_stability(outcomes([[1]], 2, [{}]), {})
    assert (found.rankings, found.tau, found.top1_stability) == (((1,),), ((None,),), None)
    assert found.factors == ()


def test_no_examples_rank_nothing() -> None:
    found = ranking_stability(outcomes([[0, 0], [0, 0]], 0, [{"p": 0}, {"p": 1}]), {"p": 0})
    assert found.rankings == (None, None)
    assert (found.n_unranked, found.baseline_winners, found.top1_stability) == (1, (), None)


def test_an_example_excluded_for_one_model_counts_for_none() -> None:
    correct = [[[1, 1, 0], [0, 1, 0]], [[1, 0, 0], [0, 0, 1]]]
    excluded = [[[0, 0, 0], [1, 0, 0]], [[0, 0, 0], [0, 0, 0]]]
    made = model_outcomes(
        correct, excluded=excluded, models=["a", "b"], specifications=[{"p": 0}, {"p": 1}]
    )
    found = ranking_stability(made, {"p": 1})
    assert found.n_kept == (2, 3)
    assert found.rankings == ((1, 1), (1, 1))
    curve = specification_curve(made, 0.95)
    assert [[(e.value, e.n) for e in row] for row in curve] == [
        [(0.5, 2), (0.5, 2)],
        [(1 / 3, 3), (1 / 3, 3)],
    ]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**16 - 1), st.permutations(range(4)))
def test_the_order_of_the_examples_does_not_matter(bits: int, order: list[int]) -> None:
    correct = np.array([bits >> i & 1 for i in range(16)]).reshape(2, 2, 4)
    factors = [{"p": 0}, {"p": 1}]

    def stability(values: np.ndarray) -> object:
        made = model_outcomes(values, excluded=None, models=["a", "b"], specifications=factors)
        return ranking_stability(made, {"p": 0})

    assert stability(correct) == stability(correct[:, :, order])


def test_counts_beyond_the_digits_of_a_float_are_told_apart() -> None:
    assert rank_counts([33 * 10**15, 33 * 10**15 + 1]) == (2, 1)


GOOD = {
    "correct": [[[1, 0], [0, 1]]],
    "excluded": None,
    "models": ["a", "b"],
    "specifications": [{"p": 0}],
}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"correct": [[[1, 0], [0]]]}, "length_mismatch"),
        ({"correct": [[1, 0], [0, 1]]}, "length_mismatch"),
        ({"correct": [[[1, 0], [0, 2]]]}, "not_binary"),
        ({"correct": [[[1, 0], [0, 0.5]]]}, "not_binary"),
        ({"correct": [[["1", "0"], ["0", "1"]]]}, "not_binary"),
        ({"correct": [[[1, 0], [0, math.nan]]]}, "nan_value"),
        ({"correct": [[[1, 0], [0, None]]]}, "nan_value"),
        ({"excluded": [[[0, 0, 0], [0, 0, 0]]]}, "length_mismatch"),
        ({"excluded": [[[0, 2], [0, 0]]]}, "not_binary"),
        ({"models": ["a"]}, "length_mismatch"),
        ({"models": ["a", "a"]}, "duplicate_id"),
        ({"specifications": []}, "length_mismatch"),
        (
            {"correct": GOOD["correct"] * 2, "specifications": [{"p": 0}, {"p": 0}]},
            "duplicate_id",
        ),
        (
            {"correct": GOOD["correct"] * 2, "specifications": [{"p": 0}, {"q": 0}]},
            "missing_factor",
        ),
    ],
)
def test_bad_input_is_refused_by_name(change: dict[str, object], reason: str) -> None:
    with pytest.raises(StatisticsError, match="expected") as caught:
        model_outcomes(**(GOOD | change))  # type: ignore[arg-type]
    assert caught.value.reason == reason


def test_an_unknown_baseline_and_unequal_rankings_are_refused() -> None:
    with pytest.raises(StatisticsError, match="'p': 1") as caught:
        ranking_stability(model_outcomes(**GOOD), {"p": 1})  # type: ignore[arg-type]
    assert caught.value.reason == "unknown_specification"
    with pytest.raises(StatisticsError) as caught:
        kendall_tau([1, 2], [1])
    assert caught.value.reason == "length_mismatch"
    with pytest.raises(StatisticsError) as caught:
        kendall_tau([1, math.nan], [1, 2])
    assert caught.value.reason == "nan_value"
