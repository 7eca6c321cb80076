"""What the comparison came to, as JSON and as a Markdown page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness import ids
from harness.micro.rl.compare import Figures, Pair, gain_over_seeds, over_seeds
from harness.micro.rl.difficulty import Difficulty

if TYPE_CHECKING:
    from harness.micro.rl.recipe import Recipe
    from harness.stats.estimate import PairedTest
    from harness.stats.seeds import SeedComparison

_NAMES = {
    "accuracy": "right",
    "tagged": "answer in tags",
    "listing": "two or more things listed",
    "wrong_form": "pay for form of wrong replies",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """All figures: `start` before training, `pairs` by seed, `by_source` accuracy at the end.

    `by_source` holds, for the start, binary and dense, the accuracy on each source of the test
    part, the mean over seeds for the last two. `cpu_s` are processor seconds of all runs.
    """

    recipe: Recipe
    counts: tuple[Difficulty, ...]
    start: Figures
    pairs: tuple[Pair, ...]
    by_source: dict[str, dict[str, float]]
    cpu_s: float

    def plain(self) -> dict[str, Any]:
        """For `comparison.json`: every count and interval."""
        return {
            "recipe": ids.plain(self.recipe),
            "filter": [ids.plain(c) for c in self.counts],
            "start": ids.plain(self.start),
            "pairs": [ids.plain(p) for p in self.pairs],
            "by_source": self.by_source,
            "cpu_s": round(self.cpu_s, 1),
            "binary_minus_dense": {
                name: ids.plain(over_seeds(self.pairs, name)) for name in _NAMES
            },
            "binary_minus_start": ids.plain(
                gain_over_seeds(self.pairs, self.start.accuracy, "binary")
            ),
            "dense_minus_start": ids.plain(
                gain_over_seeds(self.pairs, self.start.accuracy, "dense")
            ),
        }


def page(found: Comparison) -> str:
    """The Markdown page: filter, accuracy by seed, binary against dense, form."""
    blocks = [
        "# Binary against dense reward on the embedded model",
        _filter(found.counts, found.recipe.n_filter),
        "Right answers at the matched step, on questions that neither training nor stopping saw.",
        _seeds(found),
        "Over the seeds (t interval, level 0.95"
        + (
            f"; with {len(found.pairs)} seeds it is wide: t has {len(found.pairs) - 1} degrees of "
            "freedom):"
            if len(found.pairs) > 1
            else "; one seed has none):"
        ),
        _means(found),
        _sources(found.by_source),
    ]
    return "\n\n".join(blocks) + "\n"


def verdict(test: SeedComparison) -> str:
    """Whether the interval over the seeds leaves 0 out: "higher", "lower" or "not told apart".

    Fewer than three seeds are never told apart.
    """
    low, high = test.difference.low, test.difference.high
    if not test.formal or low is None or high is None:
        return "not told apart"
    return "higher" if low > 0 else "lower" if high < 0 else "not told apart"


def _filter(counts: Sequence[Difficulty], n_samples: int) -> str:
    total = Difficulty(
        source="all",
        n=sum(c.n for c in counts),
        never=sum(c.never for c in counts),
        always=sum(c.always for c in counts),
    )
    lines = [
        f"| questions | n | 0 of {n_samples} right | {n_samples} of {n_samples} | kept | dropped |",
        "|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {c.source} | {c.n} | {c.never} | {c.always} | {c.kept} | "
        f"{100 * (c.dropped_share or 0.0):.1f} % |"
        for c in (*counts, total)
    ]
    return "\n".join(lines)


def _seeds(found: Comparison) -> str:
    lines = [
        "| seed | step | start | binary | dense | binary − dense, pp | n01, n10 | p (McNemar) |"
        " MDE, pp | binary best at | dense best at |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for p in found.pairs:
        lines.append(
            f"| {p.seed} | {p.step} | {found.start.accuracy:.3f} | {p.binary.accuracy:.3f} | "
            f"{p.dense.accuracy:.3f} | {_interval(p.paired)} | {p.paired.n01}, {p.paired.n10} | "
            f"{_p(p.paired.p)} | {_mde(p.paired)} | {p.binary_best} | {p.dense_best} |"
        )
    return "\n".join(lines)


def _interval(test: PairedTest) -> str:
    d = test.difference
    if d.value is None or d.low is None or d.high is None:
        return "–"
    return f"{100 * d.value:+.1f} [{100 * d.low:+.1f}, {100 * d.high:+.1f}]"


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _mde(test: PairedTest) -> str:
    return "–" if test.mde is None else f"{100 * test.mde:.1f}"


def _means(found: Comparison) -> str:
    rows = [
        ("binary − start", "right", gain_over_seeds(found.pairs, found.start.accuracy, "binary")),
        ("dense − start", "right", gain_over_seeds(found.pairs, found.start.accuracy, "dense")),
    ]
    rows += [
        ("binary − dense", said, over_seeds(found.pairs, name)) for name, said in _NAMES.items()
    ]
    lines = ["| difference | of | mean | interval | binary is |", "|---|---|---|---|---|"]
    for what, said, test in rows:
        d = test.difference
        span = "–" if d.low is None or d.high is None else f"[{d.low:+.3f}, {d.high:+.3f}]"
        ends = verdict(test) if what == "binary − dense" else "–"
        lines.append(f"| {what} | {said} | {d.value or 0.0:+.3f} | {span} | {ends} |")
    return "\n".join(lines)


def _sources(by_source: dict[str, dict[str, float]]) -> str:
    names = list(next(iter(by_source.values())))
    lines = [f"| right | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    lines += [
        f"| {who} | {' | '.join(f'{shares[name]:.3f}' for name in names)} |"
        for who, shares in by_source.items()
    ]
    return "\n".join(lines)


__all__ = ["Comparison", "page", "verdict"]
