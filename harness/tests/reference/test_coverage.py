"""docs/coverage.md holds what the intervals do, and says plainly which fall short."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from harness.tests.reference import coverage_counts, coverage_draws, coverage_looks
from harness.tests.reference.coverage import DOCUMENT, line
from harness.tests.reference.coverage_rows import LEVELS, Row

pytestmark = pytest.mark.reference


def committed() -> dict[tuple[str, str], tuple[list[float | None], str]]:
    """Figures and origin by interval and setting, as the document holds them."""
    found = {}
    for text in DOCUMENT.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in text.strip("|").split(" | ")]
        if text.startswith("| ") and len(cells) == 6 and cells[0] != "interval":
            figures = [None if c == "–" else float(c.strip("*")) / 100 for c in cells[2:5]]
            found[cells[0], cells[1]] = (figures, cells[5])
    return found


DOCUMENTED = committed()


def figures(interval: str, setting: str = "") -> list[list[float | None]]:
    rows = [
        row for (i, s), (row, _) in DOCUMENTED.items() if i.startswith(interval) and setting in s
    ]
    assert rows, f"docs/coverage.md: expected a row of {interval} {setting}"
    return rows


@pytest.mark.parametrize(
    "rows",
    [
        coverage_counts.proportions((5, 20, 300)),
        coverage_counts.paired((10, 30, 100)),
        coverage_counts.ratios((20,)),
        coverage_looks.rates(),
        coverage_looks.finite_rates(),
        coverage_looks.finite_differences(),
        coverage_looks.gates(),
        coverage_looks.naive_rates(),
    ],
    ids=lambda rows: rows.__name__,
)
def test_exact_figures_are_those_of_the_document(rows: Iterable[Row]) -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    for row in rows:
        assert line(row) in text


@pytest.mark.parametrize(
    "rows",
    [
        coverage_draws.seeds(),
        coverage_draws.clusters(),
        coverage_draws.scores(),
        coverage_draws.other_statistics(),
    ],
    ids=lambda rows: rows.__name__,
)
def test_simulated_figures_are_those_of_the_document(rows: Iterable[Row]) -> None:
    for row in rows:
        for found, held in zip(row.coverage, DOCUMENTED[row.interval, row.setting][0], strict=True):
            # Another build of numpy may round one draw in a thousand to the other side.
            assert found == held or abs(found - held) <= 0.0025  # type: ignore[operator]


@pytest.mark.parametrize(
    "interval", ["Clopper–Pearson", "rate_sequence", "difference_sequence", "SequentialGate"]
)
def test_these_never_fall_short(interval: str) -> None:
    for row in figures(interval):
        for found, level in zip(row, LEVELS, strict=True):
            assert found is not None and found >= level - 0.0005  # as rounded in the document


@pytest.mark.parametrize(
    "interval", ["aggregate_seeds, t", "compare_seeds", "cluster_interval, CR1"]
)
def test_these_hold_their_level_within_the_error_of_the_simulation(interval: str) -> None:
    for row in figures(interval):
        for found, level in zip(row, LEVELS, strict=True):
            error = (level * (1 - level) / coverage_draws.N_DRAWS) ** 0.5
            assert found is not None and abs(found - level) <= 3 * error + 0.0005


def test_what_falls_short_is_said_in_figures() -> None:
    at95 = LEVELS.index(0.95)

    def lowest(interval: str, setting: str = "") -> float:
        return min(row[at95] or 0.0 for row in figures(interval, setting))

    assert lowest("paired_difference, percentile", "n = 10,") < 0.90
    for both_ways in ("p01 = 0.02, p10 = 0.02", "p01 = 0.05", "p01 = 0.15", "p01 = 0.2"):
        assert lowest("paired_difference, percentile", f"n = 100, {both_ways}") > 0.95
    assert lowest("paired_difference, bca", "n = 100, p01 = 0.02, p10 = 0.02") < 0.91

    def one_way(interval: str, n: int) -> float:
        setting = f"n = {n}, p01 = 0.02, p10 = 0.0"
        return DOCUMENTED[f"paired_difference, {interval}", setting][0][at95] or 0.0

    assert one_way("percentile", 10) < 0.20 and one_way("bca", 10) < 0.20
    assert one_way("percentile", 300) < 0.94 and one_way("bca", 300) > 0.97
    assert lowest("ratio_interval", "n = 20, accepted 0.45, accuracy 0.9") < 0.65
    assert lowest("bootstrap_interval, percentile", "n = 10, exponential") < 0.90
    assert lowest("clusters ignored") < 0.85
    assert lowest("aggregate_seeds, protocol_1.96", "3 seeds") == pytest.approx(0.808, abs=0.03)
    assert lowest("bootstrap_statistic, percentile: ECE") == 0.0
    assert lowest("Wilson after every example") < 0.60


@pytest.mark.parametrize("name", ["AURC", "F1", "AUROC", "Brier"])
def test_these_statistics_hold_their_level_as_far_as_500_data_sets_tell(name: str) -> None:
    (row,) = figures(f"bootstrap_statistic, percentile: {name}")
    for found, level in zip(row, LEVELS, strict=True):
        error = (level * (1 - level) / 500) ** 0.5
        assert found is not None and abs(found - level) <= 3 * error + 0.0005


def test_the_radius_of_1_96_covers_what_student_says() -> None:
    from scipy.stats import t

    for n in (2, 3, 5, 10):
        (row,) = figures("aggregate_seeds, protocol_1.96", f"{n} seeds,")
        assert row[1] == pytest.approx(2 * t.cdf(1.96, n - 1) - 1, abs=0.03)
        assert row[0] is row[2] is None


def test_every_figure_that_falls_short_is_bold() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    for row in [*coverage_counts.proportions((5, 20)), *coverage_counts.paired((10,))]:
        for found, level in zip(row.coverage, LEVELS, strict=True):
            assert found is not None
            if found < level - 0.01:
                assert f"**{100 * found:.1f}**" in line(row)
                assert line(row) in text
