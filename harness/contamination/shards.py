"""Scans of parts of a training file, put together: in any order, in any groups."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from harness.audit.findings import merge
from harness.audit.nearness import merge_near
from harness.contamination.scan import Scan, VectorSighting
from harness.errors import DataError

_EQUAL = {
    "train": "training file",
    "evals": "evaluation sets",
    "embedder": "embedder",
    "near": "numbers of stage 2",
    "sightings": "planted rows",
}


def merge_scans(*scans: Scan) -> Scan:
    """Put scans of different rows together: associative, and their order does not matter.

    Parameters
    ----------
    scans : of one plan and the same files.

    Returns
    -------
    Scan
        `complete` when the parts are all there; else of the rows that they have.

    Raises
    ------
    DataError
        Without a scan, for scans of other plans or files, and for rows scanned twice.
    """
    if not scans:
        raise DataError("merge: expected at least one scan, found none")
    first = scans[0]
    for other in scans[1:]:
        if other.plan.fingerprint != first.plan.fingerprint:
            mine, theirs = first.plan.to_json(), other.plan.to_json()
            differ = sorted(key for key in mine if mine[key] != theirs[key])
            raise DataError(
                f"merge: expected scans of one plan, found two that differ in {', '.join(differ)}; "
                "scan all shards with the same"
            )
        for name, what in _EQUAL.items():
            if getattr(other, name) != getattr(first, name):
                raise DataError(
                    f"merge: expected scans of the same {what}, found two that differ; scan all "
                    "shards of the same files with the same installation"
                )
    ranges: list[tuple[int, int]] = []
    for start, stop in sorted(one for scan in scans for one in scan.ranges):
        if ranges and ranges[-1][1] > start:
            raise DataError(
                f"merge: rows {start} to {min(stop, ranges[-1][1]) - 1} were scanned twice; give "
                "each shard once"
            )
        if ranges and ranges[-1][1] == start:
            ranges[-1] = (ranges[-1][0], stop)
        else:
            ranges.append((start, stop))
    near = [scan.nearness for scan in scans if scan.nearness is not None]
    return replace(
        # Folders do not count for a plan, and of two the lesser makes the order not matter.
        min(scans, key=lambda scan: repr(scan.plan)),
        ranges=tuple(ranges),
        findings=merge(*(scan.findings for scan in scans)),
        nearness=None if first.near is None else merge_near(*near),
        rows=tuple(sorted(row for scan in scans for row in scan.rows)),
        items=tuple(sorted({item for scan in scans for item in scan.items})),
        faults=tuple(sorted(fault for scan in scans for fault in scan.faults)),
        pictures=tuple(sorted(one for scan in scans for one in scan.pictures)),
        vector_sightings=min((scan.vector_sightings for scan in scans), key=_worst),
        estimated=any(scan.estimated for scan in scans),
    )


def _worst(tried: tuple[VectorSighting, ...]) -> tuple[bool, str]:
    # The last bits of a cosine may differ from machine to machine.
    return all(one.ok is not False for one in tried), repr(tried)


def check_complete(scan: Scan) -> None:
    """Refuse to judge a scan that lacks rows.

    Raises
    ------
    DataError
        Naming the rows that are missing.
    """
    if scan.complete:
        return
    ends = [(0, 0), *scan.ranges, (scan.train.rows, scan.train.rows)]
    gaps = [f"{left[1]} to {right[0] - 1}" for left, right in pairwise(ends) if left[1] < right[0]]
    raise DataError(
        f"merge: expected all {scan.train.rows:,} rows of {scan.train.file}, found none of rows "
        f"{', '.join(gaps)}; scan the missing shards"
    )


__all__ = ["check_complete", "merge_scans"]
