"""Exact ranks beside the machine's own matrix product: share of its peak, memory, equality.

`ASSAY_BENCH_IMAGES` sets the images (5,000, as COCO's test set; the texts are 5.002 times as many).
"""

from __future__ import annotations

import os
import time
import tracemalloc
from functools import lru_cache
from typing import Any

import pytest

from harness.retrieval.pairs import Pairs
from harness.retrieval.ranks import both_ranks, exact_ranks
from harness.tests.bench.test_audit_cosine import peak_gflop_per_s
from harness.tests.retrieval.vectors import brute_force, planted

pytestmark = pytest.mark.bench

IMAGES = int(os.environ.get("ASSAY_BENCH_IMAGES", "5000"))
TEXTS, DIMENSIONS = IMAGES * 5002 // 1000, 512


@lru_cache(1)
def sides() -> tuple[Any, Any, Pairs]:
    return planted(IMAGES, TEXTS, DIMENSIONS, 2.5, "bench")


def test_beside_the_peak_of_the_machine(benchmark: Any, capsys: Any) -> None:
    """The aim at 5,000 × 25,010 × 512: 70 % of the peak for a direction, ten best included."""
    images, texts, joined = sides()
    n_flop = 2 * IMAGES * TEXTS * DIMENSIONS
    calls = {
        "image to text": (1, lambda: exact_ranks(images, texts, joined.i2t)),
        "text to image": (1, lambda: exact_ranks(texts, images, joined.t2i)),
        "both from one product": (2, lambda: both_ranks(images, texts, joined)),
    }
    for name, (n_directions, call) in calls.items():
        best = 0.0
        for _ in range(2):
            peak = peak_gflop_per_s()
            started = time.process_time()
            call()
            time_s = time.process_time() - started
            share = n_flop / time_s / 1e9 / peak
            best = max(best, share)
        with capsys.disabled():
            print(
                f"\n{IMAGES:,} × {TEXTS:,} × {DIMENSIONS}, {name}: {time_s:.2f} s of CPU, the "
                f"product alone at {100 * best:.0f} % of the peak of {peak:.0f} GFLOP/s; a "
                f"product a direction would be {100 * best * n_directions:.0f} %"
            )
        benchmark.extra_info |= {name: round(best, 3)}
    small = planted(500, 2501, DIMENSIONS, 2.5, "small")
    benchmark.pedantic(lambda: both_ranks(*small), rounds=3)


def test_memory_beyond_the_embeddings(capsys: Any) -> None:
    """The aim: less than 400 MB of arrays at any time, the product library's buffers apart."""
    images, texts, joined = sides()
    tracemalloc.start()
    try:
        both_ranks(images, texts, joined)
        mb = tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()
    with capsys.disabled():
        print(f"\npeak beyond the embeddings of both sides: {mb:.0f} MB")
    assert mb < 400


def test_equal_to_the_brute_force() -> None:
    """Every pair in float64, for a part of each side's queries."""
    images, texts, joined = sides()
    ranks = both_ranks(images, texts, joined)
    two = ((images, texts, joined.i2t), (texts, images, joined.t2i))
    for found, (queries, candidates, relevant) in zip(ranks, two, strict=True):
        chosen = slice(0, 40)
        expected = brute_force(queries[chosen], candidates, relevant, 10)
        columns = (found.n_above, found.n_tied, found.n_relevant, found.best)
        assert [column[chosen].tolist() for column in columns] == expected
