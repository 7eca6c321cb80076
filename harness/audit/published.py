"""The published audit of Physics-R1: its counts, and the arithmetic that holds them together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from harness.audit.buckets import counted_table
from harness.table import Table

# Duplicates and candidates; what is not printed follows from what is.
Counts = tuple[int, int]
DERIVED_BUCKET = "[0.9, 0.95)"
DERIVED_SET = "the other three"


def _of(**pairs: int) -> Mapping[str, int]:
    return pairs


@dataclass(frozen=True, kw_only=True)
class Published:
    """Counts as published, and derived ones where the publication leaves a gap.

    Parameters
    ----------
    buckets : duplicates and candidates of SciInstruct by cosine, edges 0.95, 0.90, 0.87, 0.85;
        the second bucket is derived.
    by_set : the same by evaluation set; the last entry is derived.
    total : duplicates and candidates together.
    pools : candidates and duplicates of the other training pools.
    before_audit, after_audit, after_second, pool_before, pool_after : rows of the corpus before
        the audit, after it, after the second one; of the RL pool before and after its own.
    dropped_first, dropped_second : rows that the two audits dropped; the first is derived.
    second_by_set : of the second; what is not printed is derived.
    inside_pool : rows dropped before the pool was counted, at `inside_cosine`: inside
        `pool_before`, not to be subtracted from it.
    dropped_mmmu, dropped_phyx, dropped_physuni : rows of the pool that its audit dropped.
    second_phase : the last two as printed, together.
    mmmu_hit, mmmu_items : items of MMMU-Pro Physics that were hit, and all.
    left : stage-2 hits that stay in the pool, of six evaluation sets.
    left_printed, left_croissant : their number in the text, and in the Croissant file.
    numeric, choice : answers of the pool that are a number, and a letter.
    holdout, holdout_parts : items of PHYSOLYM-A, and of its sources.
    """

    buckets: tuple[Counts, ...] = ((17, 17), (10, 127), (54, 1159), (53, 3543))
    by_set: tuple[Counts, ...] = ((36, 2687), (46, 703), (22, 1027), (30, 429))
    set_names: tuple[str, ...] = ("PhysReason", "PhyX-mini", "PhysUniBench-en", DERIVED_SET)
    total: Counts = (134, 4846)
    named_sets: Counts = (104, 4417)
    pools: Mapping[str, Counts] = field(
        default_factory=lambda: {"UGPhysics-Train": (0, 9), "MMK12": (0, 66)}
    )
    before_audit: int = 14_294
    dropped_first: int = 7_058
    after_audit: int = 7_236
    dropped_second: int = 804
    second_by_set: Mapping[str, int] = field(
        default_factory=lambda: _of(PhysReason=540, PhysUniBench=186, others=78)
    )
    after_second: int = 6_432
    inside_pool: int = 1
    inside_cosine: float = 0.984
    pool_before: int = 2_433
    dropped_mmmu: int = 87
    dropped_phyx: int = 69
    dropped_physuni: int = 9
    second_phase: int = 78
    pool_after: int = 2_268
    mmmu_hit: int = 52
    mmmu_items: int = 60
    left: tuple[int, ...] = (4, 0, 1, 3, 11, 0)
    left_printed: int = 19
    left_croissant: int = 18
    numeric: int = 1_599
    choice: int = 669
    holdout: int = 500
    holdout_parts: tuple[int, ...] = (200, 136, 85, 79)


PUBLISHED = Published()


def checks(found: Published = PUBLISHED) -> dict[str, tuple[object, object]]:
    """Every sum and difference that the published counts have to satisfy.

    Parameters
    ----------
    found : the counts; others than the published ones show which check a change breaks.

    Returns
    -------
    dict
        For each check what the parts give and what is stated: equal, all of them.

    References
    ----------
    Physics-R1 (2026). The Croissant file states 18 remaining hits where the six sets add up to
    19 (`left_croissant`): its check is that it is one short, and the text is right.

    Examples
    --------
    >>> [name for name, (parts, stated) in checks().items() if parts != stated]
    []
    """
    lineage = found.pool_before - found.dropped_mmmu
    return {
        "buckets add up": (_sum(found.buckets), found.total),
        "sets add up": (_sum(found.by_set), found.total),
        "named sets": (_sum(found.by_set[:-1]), found.named_sets),
        "first bucket is all duplicates": (found.buckets[0][0], found.buckets[0][1]),
        "other pools are clean": (
            {name: (part, whole) for name, (part, whole) in found.pools.items()},
            {"UGPhysics-Train": (0, 9), "MMK12": (0, 66)},
        ),
        "construction audit": (found.before_audit - found.dropped_first, found.after_audit),
        "second audit": (found.after_audit - found.dropped_second, found.after_second),
        "second audit by set": (sum(found.second_by_set.values()), found.dropped_second),
        "PhyX-mini and PhysUniBench": (
            found.dropped_phyx + found.dropped_physuni,
            found.second_phase,
        ),
        "pool, the one row inside": (lineage - found.second_phase, found.pool_after),
        "pool, the one row taken off again": (
            lineage - found.second_phase - found.inside_pool,
            found.pool_after - 1,
        ),
        "the one row is a near copy": (found.inside_cosine >= 0.95, True),
        "pool is no larger than its corpus": (found.pool_before < found.after_second, True),
        "answers of the pool": (found.numeric + found.choice, found.pool_after),
        "MMMU-Pro items hit": (f"{100 * found.mmmu_hit / found.mmmu_items:.1f} %", "86.7 %"),
        "remaining hits": (sum(found.left), found.left_printed),
        "remaining hits, Croissant": (sum(found.left) - 1, found.left_croissant),
        "holdout": (sum(found.holdout_parts), found.holdout),
    }


def published_buckets(found: Published = PUBLISHED, level: float = 0.95) -> Table:
    """The published bucket table with Wilson intervals and the bucket that it leaves out.

    Examples
    --------
    >>> row = published_buckets().rows[1]
    >>> row["bucket"], row["duplicates"], row["candidates"]
    ('[0.9, 0.95)', 10, 127)
    """
    table = counted_table(found.buckets, level=level)
    note = (
        f"{table.note} {DERIVED_BUCKET} is not printed; it is what {found.total[1]} candidates and "
        f"{found.total[0]} duplicates leave over."
    )
    rows = tuple({**row, "derived": row["bucket"] == DERIVED_BUCKET} for row in table.rows)
    return Table(
        name="published_buckets", columns=(*table.columns, "derived"), rows=rows, note=note
    )


def density(found: Published = PUBLISHED) -> dict[str, float]:
    """Duplicates per 0.01 of cosine below 0.95: they grow towards the threshold.

    Examples
    --------
    >>> {name: round(value, 1) for name, value in density().items()}
    {'[0.9, 0.95)': 2.0, '[0.87, 0.9)': 18.0, '[0.85, 0.87)': 26.5}
    """
    widths = {"[0.9, 0.95)": 5, "[0.87, 0.9)": 3, "[0.85, 0.87)": 2}
    counts = (duplicates for duplicates, _ in found.buckets[1:])
    return {
        name: count / width for (name, width), count in zip(widths.items(), counts, strict=True)
    }


def _sum(counts: tuple[Counts, ...]) -> Counts:
    return sum(part for part, _ in counts), sum(whole for _, whole in counts)


__all__ = [
    *("DERIVED_BUCKET", "DERIVED_SET", "PUBLISHED", "Published", "checks", "density"),
    "published_buckets",
]
