"""The difficulty filter: questions that a group never or always answers teach nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Difficulty:
    """What the filter made of one source: `n` questions, of which `never` and `always` went."""

    source: str
    n: int
    never: int
    always: int

    @property
    def kept(self) -> int:
        """Questions that some replies answer and others do not."""
        return self.n - self.never - self.always

    @property
    def dropped_share(self) -> float | None:
        """Share of the questions that went; None without a question."""
        return (self.never + self.always) / self.n if self.n else None


def mixed(n_right: Sequence[int], n_samples: int) -> list[int]:
    """Places of the questions that are kept: at least one right reply, and one that is not.

    Parameters
    ----------
    n_right : right replies to each question, 0 to `n_samples`.
    n_samples : replies drawn to each question, at least 1.

    Raises
    ------
    ValueError
        For a count outside 0..`n_samples`, or fewer than one sample.

    References
    ----------
    DAPO's dynamic sampling (Q. Yu et al., 2025), here once before training, as in Physics-R1.

    Examples
    --------
    >>> mixed([0, 3, 16, 15], 16)
    [1, 3]
    """
    if n_samples < 1:
        raise ValueError(f"mixed: expected at least 1 sample, found {n_samples}")
    for place, count in enumerate(n_right):
        if not 0 <= count <= n_samples:
            raise ValueError(f"mixed: question {place}: expected 0 to {n_samples}, found {count}")
    return [place for place, count in enumerate(n_right) if 0 < count < n_samples]


def by_source(
    sources: Sequence[str], n_right: Sequence[int], n_samples: int
) -> tuple[Difficulty, ...]:
    """Count what the filter drops, source by source in the order of their first question.

    Parameters
    ----------
    sources, n_right : one of each for a question.
    n_samples : as in `mixed`.

    Examples
    --------
    >>> [(d.source, d.never, d.always, d.kept) for d in by_source(["a", "a", "b"], [0, 2, 4], 4)]
    [('a', 1, 0, 1), ('b', 0, 1, 0)]
    """
    mixed(n_right, n_samples)
    rows = list(zip(sources, n_right, strict=True))
    return tuple(
        Difficulty(
            source=name,
            n=sum(s == name for s, _ in rows),
            never=sum(s == name and not c for s, c in rows),
            always=sum(s == name and c == n_samples for s, c in rows),
        )
        for name in dict.fromkeys(sources)
    )


__all__ = ["Difficulty", "by_source", "mixed"]
