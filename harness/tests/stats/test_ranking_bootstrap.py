from itertools import product
from math import comb

import numpy as np
import pytest

from harness.stats.checks import StatisticsError
from harness.stats.multiverse import ModelOutcomes, model_outcomes
from harness.stats.ranking import kendall_tau, rank_counts, ranking_stability
from harness.stats.ranking_bootstrap import RankingBootstrap, bootstrap_rankings

FACTORS = [{"p": 0}, {"p": 1}]
CORRECT = [
    [[1, 1, 1, 0, 0], [1, 0, 0, 1, 0], [0, 0, 1, 0, 0]],
    [[0, 1, 1, 0, 0], [1, 0, 1, 1, 0], [0, 0, 1, 0, 1]],
]
MODELS = ["a", "b", "c"]


def made(correct: object = CORRECT, excluded: object = None) -> ModelOutcomes:
    return model_outcomes(correct, excluded=excluded, models=MODELS, specifications=FACTORS)  # type: ignore[arg-type]


def run(outcomes: ModelOutcomes, n_resamples: int = 20_000, seed: int = 11) -> RankingBootstrap:
    return bootstrap_rankings(outcomes, FACTORS[0], 0.9, n_resamples, seed)


def test_probabilities_equal_the_enumeration_of_all_resamples() -> None:
    found, correct = run(made()), np.array(CORRECT)
    exact: dict[tuple[int, tuple[int, ...]], float] = {}
    same_ranking = same_winner = 0
    draws = list(product(range(5), repeat=5))
    for draw in draws:
        ranks = [rank_counts(row) for row in correct[:, :, draw].sum(axis=2).tolist()]
        for place, ranking in enumerate(ranks):
            exact[place, ranking] = exact.get((place, ranking), 0.0) + 1 / len(draws)
        same_ranking += ranks[0] == ranks[1]
        winners = [[m for m, r in enumerate(ranking) if r == 1] for ranking in ranks]
        same_winner += winners[0] == winners[1] and len(winners[0]) == 1
    error = 4 * 0.5 / 20_000**0.5
    for place, specification in enumerate(found.specifications):
        drawn = {r.ranks: r.probability for r in specification.rankings}
        for ranking in {r for i, r in exact if i == place} | set(drawn):
            assert drawn.get(ranking, 0.0) == pytest.approx(
                exact.get((place, ranking), 0.0), abs=error
            )
        for i in range(3):
            alone = sum(
                p for (s, r), p in exact.items() if s == place and r[i] == 1 and r.count(1) == 1
            )
            assert specification.p_best[i] == pytest.approx(alone, abs=error)
        order = specification.orders[0]
        ahead = sum(p for (s, r), p in exact.items() if s == place and r[0] < r[1])
        assert (order.first, order.second) == ("a", "b")
        assert order.p_first == pytest.approx(ahead, abs=error)
    assert found.p_same_ranking == pytest.approx(same_ranking / len(draws), abs=error)
    assert found.p_same_winner == pytest.approx(same_winner / len(draws), abs=error)
    redraw = [
        (kendall_tau((1, 2, 3), r), p)
        for (s, r), p in exact.items()
        if s == 0 and kendall_tau((1, 2, 3), r) is not None
    ]
    expected = sum(t * p for t, p in redraw if t is not None) / sum(p for _, p in redraw)
    assert found.redraw_tau == pytest.approx(expected, abs=2 * error)


def test_two_models_follow_the_multinomial() -> None:
    correct = [[[1] * 7 + [0] * 13, [0] * 7 + [1] * 5 + [0] * 8]]
    outcomes = model_outcomes(correct, excluded=None, models=["a", "b"], specifications=[{}])
    found = bootstrap_rankings(outcomes, {}, 0.9, 20_000, 3).specifications[0]
    level = sum(
        comb(20, i) * comb(20 - i, i) * (7 / 20) ** i * (5 / 20) ** i * (8 / 20) ** (20 - 2 * i)
        for i in range(11)
    )
    (order,) = found.orders
    first = sum(
        comb(20, i) * comb(20 - i, j) * 7**i * 5**j * 8 ** (20 - i - j) / 20**20
        for i in range(21)
        for j in range(min(i, 21 - i))
    )
    assert order.p_level == pytest.approx(level, abs=0.015)
    assert order.p_first == pytest.approx(first, abs=0.015)
    assert order.p_first + order.p_level + order.p_second == pytest.approx(1.0)
    assert found.p_shared_best == (order.p_level, order.p_level)


def test_sums_and_point_values_agree_with_the_data() -> None:
    outcomes, found = made(), run(made())
    observed = ranking_stability(outcomes, FACTORS[0])
    for place, specification in enumerate(found.specifications):
        assert sum(r.n_draws for r in specification.rankings) == found.n_resamples
        assert specification.tau.value == observed.tau_to_baseline[place]
        counts = [r.n_draws for r in specification.rankings]
        assert counts == sorted(counts, reverse=True)
    assert found.specifications[0].tau.degenerate
    assert found.mean_tau["p"].value == observed.factors[0].mean_tau
    assert found.mean_tau["p"].low == found.specifications[1].tau.low
    assert found.top1_stability.value == observed.top1_stability == 0.0
    assert (found.top1_stability.low, found.top1_stability.high) == (0.0, 1.0)


def test_order_of_examples_and_size_of_blocks_change_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = run(made(), n_resamples=500)
    assert run(made(np.array(CORRECT)[:, :, ::-1]), n_resamples=500) == first
    monkeypatch.setattr("harness.stats.ranking_draws._CELLS_AT_ONCE", 1000)
    assert run(made(), n_resamples=500) == first
    assert run(made(), n_resamples=500, seed=12) != first


def test_one_example_is_always_drawn() -> None:
    found = run(made([[[1], [0], [0]], [[1], [1], [0]]]), n_resamples=50)
    assert [r.ranks for r in found.specifications[0].rankings] == [(1, 2, 2)]
    assert found.specifications[1].tau.degenerate
    assert found.specifications[1].p_shared_best == (1.0, 1.0, 0.0)
    assert found.p_same_ranking == 0.0
    assert found.redraw_tau == 1.0


def test_all_ties_have_no_tau_and_no_winner() -> None:
    found = run(made(np.ones((2, 3, 4), int)), n_resamples=50)
    tau = found.specifications[1].tau
    assert (tau.value, tau.low, tau.high, tau.degenerate) == (None, None, None, False)
    assert "50 of 50 draws undefined" in tau.method
    assert found.top1_stability.value is None
    assert (found.p_same_ranking, found.p_same_winner) == (1.0, 0.0)
    assert found.redraw_tau is None


def test_draws_that_keep_no_example_are_counted_apart() -> None:
    excluded = np.zeros((2, 3, 5), bool)
    excluded[1, 0, 1:] = True  # the second specification keeps one example of five
    found = run(made(excluded=excluded)).specifications[1]
    assert found.n_unranked / 20_000 == pytest.approx(0.8**5, abs=0.015)
    assert sum(r.n_draws for r in found.rankings) + found.n_unranked == 20_000
    assert all(0 not in r.ranks for r in found.rankings)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (({"p": 7}, 0.9, 10, 1), "unknown_specification"),
        (({"p": 0}, 1.0, 10, 1), "invalid_level"),
        (({"p": 0}, 0.9, 0, 1), "invalid_count"),
        (({"p": 0}, 0.9, 10.0, 1), "invalid_count"),
        (({"p": 0}, 0.9, 10, -1), "invalid_count"),
        (({"p": 0}, 0.9, 10, None), "invalid_count"),
        (({"p": 0}, 0.9, 10**8, 1), "too_large"),
        (({"p": 0}, 0.9, 10**7, 1), "too_large"),
    ],
)
def test_bad_input_is_refused_by_name(arguments: tuple[object, ...], reason: str) -> None:
    with pytest.raises(StatisticsError, match="expected") as caught:
        bootstrap_rankings(made(), *arguments)  # type: ignore[arg-type]
    assert caught.value.reason == reason


def test_no_examples_cannot_be_redrawn() -> None:
    with pytest.raises(StatisticsError, match="at least one example") as caught:
        run(made(np.zeros((2, 3, 0), int)))
    assert caught.value.reason == "no_examples"
