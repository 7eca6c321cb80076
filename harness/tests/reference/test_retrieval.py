"""COCO's Karpathy test set and ECCV Caption's positives, with generated embeddings."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.data.karpathy import karpathy
from harness.errors import DataError
from harness.retrieval.all_ranks import all_ranks
from harness.retrieval.metrics import retrieval_estimates
from harness.retrieval.pairs import relevance
from harness.retrieval.ranks import both_ranks, exact_ranks
from harness.retrieval.rows import found_ranks, rank_rows
from harness.stats.multi_positive import multi_positive_recall
from harness.tests.retrieval.vectors import brute_force, generator, unit

pytestmark = pytest.mark.reference

DIMENSIONS = 32


def data() -> Path:
    folder = os.environ.get("HARNESS_DATA")
    assert folder, (
        "HARNESS_DATA: expected the folder of real data, found it unset; the reference tier is "
        "for machines that have it"
    )
    return Path(folder, "coco")


def test_the_test_set_of_five_thousand_images() -> None:
    found = karpathy(data() / "coco_karpathy_test_captions.json.gz", "coco", split="test")
    # The file at hand has one caption less than the official 25,010.
    assert (len(found.images), len(found.captions)) == (5000, 25009)
    assert found.images[0].id == "391895"
    stated = json.loads(
        gzip.decompress((data() / "eccv/original_image_to_caption.json.gz").read_bytes())
    )
    assert {image.id for image in found.images} == set(stated)
    joined = found.pairs()
    rng = generator("coco")
    images = unit(rng.standard_normal((5000, DIMENSIONS)))
    place = {image: at for at, image in enumerate(joined.images)}
    owners = [place[image] for image in joined.image_of_text]
    texts = unit(images[owners] + 0.35 * rng.standard_normal((25009, DIMENSIONS)))
    i2t, t2i = both_ranks(images, texts, joined)
    for ranks, queries, candidates, relevant in (
        (i2t, images[:150], texts, joined.i2t),
        (t2i, texts[:150], images, joined.t2i),
    ):
        columns = (ranks.n_above, ranks.n_tied, ranks.n_relevant, ranks.best)
        assert [c[:150].tolist() for c in columns] == brute_force(queries, candidates, relevant, 10)
    rows = list(rank_rows(i2t, t2i, joined, "optimistic"))
    read = found_ranks(rows[::-1], joined)
    assert len(rows) == 30009
    assert (read.n_unlike, read.n_missing) == (0, 0)
    estimates = retrieval_estimates(read.i2t, read.t2i, joined, 0.95, 200, 1)
    assert 0.2 < estimates.mean_recall.value < 0.99  # type: ignore[operator]
    assert estimates.t2i.n == 25009


@pytest.mark.parametrize(
    ("direction", "n_queries", "n_candidates", "n_positives", "absent"),
    [
        ("image_to_caption", 1261, 25000, 22548, ("144675", "467259")),
        ("caption_to_image", 1332, 5000, 11279, ()),
    ],
)
def test_eccv_positives_beyond_the_one_pair(
    direction: str, n_queries: int, n_candidates: int, n_positives: int, absent: tuple[str, ...]
) -> None:
    def read(kind: str, which: str) -> dict[str, list[str]]:
        raw = json.loads(gzip.decompress((data() / f"eccv/{kind}_{which}.json.gz").read_bytes()))
        return {query: [str(one) for one in some] for query, some in raw.items()}

    other = "caption_to_image" if direction == "image_to_caption" else "image_to_caption"
    wanted, candidates = read("eccv", direction), list(read("original", other))
    if absent:
        # Captions beyond the five an image that the set was built on: the join says so.
        with pytest.raises(DataError, match=f"2 of the relevant ids .*{absent[0]}.*{absent[1]}"):
            relevance(list(wanted), candidates, wanted)
        wanted = {q: [one for one in some if one not in absent] for q, some in wanted.items()}
    relevant = relevance(list(wanted), candidates, wanted)
    assert (len(wanted), len(candidates), len(relevant.places)) == (
        n_queries,
        n_candidates,
        n_positives,
    )
    rng = generator("eccv", direction)
    queries = unit(rng.standard_normal((n_queries, DIMENSIONS)))
    vectors: Any = 0.5 * rng.standard_normal((n_candidates, DIMENSIONS))
    np.add.at(vectors, relevant.places, np.repeat(queries, np.diff(relevant.starts), axis=0))
    first = exact_ranks(queries, unit(vectors), relevant).first("pessimistic")
    every = list(all_ranks(queries, unit(vectors), relevant, "pessimistic"))
    assert [row[0] for row in every] == first.tolist()
    found = multi_positive_recall(every, [1, 10])
    assert found.n == n_queries
    assert found.any_hit[10] == np.mean(first <= 10)
    assert 0 < found.recalls[10] < found.any_hit[10] <= 1  # type: ignore[operator]
