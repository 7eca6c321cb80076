from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from harness.data import manifest
from harness.data.digits import digits, partition, picture
from harness.errors import DataError
from harness.types import Dataset

SIZES = {"train": 997, "val": 400, "test": 400}
PINNED = {"train": "abba57a1b8c4", "val": "31acbae6be89", "test": "7f7281f69a3a"}


@pytest.fixture(scope="module")
def splits() -> dict[str, Dataset]:
    return {split: digits(split) for split in SIZES}


def test_sizes_and_fingerprints(splits: dict[str, Dataset]) -> None:
    assert {s: len(d.examples) for s, d in splits.items()} == SIZES
    assert {s: d.fingerprint[:12] for s, d in splits.items()} == PINNED
    assert {d.claim_level for d in splits.values()} == {"L1"}


def test_splits_are_disjoint_and_cover_the_source(splits: dict[str, Dataset]) -> None:
    names = [e.media[0].name for d in splits.values() for e in d.examples]
    assert sorted(names) == [f"digits-row-{row:04d}.png" for row in range(1797)]


def test_classes_have_their_share(splits: dict[str, Dataset]) -> None:
    total = Counter(e.gold for d in splits.values() for e in d.examples)
    for split, data in splits.items():
        for gold, count in Counter(e.gold for e in data.examples).items():
            slack = 2 if split == "train" else 1
            assert abs(count - total[gold] * SIZES[split] / 1797) < slack, (split, gold)


def test_labels_are_the_sources(splits: dict[str, Dataset]) -> None:
    from sklearn.datasets import load_digits

    bunch = load_digits()
    for data in splits.values():
        for example in data.examples:
            row = int(example.media[0].name[11:15])
            assert example.choices[manifest.LETTERS.index(example.gold)] == str(bunch.target[row])


def test_pictures_are_enlarged_scans(splits: dict[str, Dataset]) -> None:
    data = splits["test"]
    for example in data.examples[:40]:
        image = data.open_image(example.media[0])
        assert image.mode == "RGB"
        assert image.size == (64, 64)
        assert manifest.pixel_digest(image) == example.media[0].sha256
    scan = np.zeros((8, 8))
    scan[:, 4:] = 16
    grey = np.asarray(picture(scan).convert("L"))
    assert grey[0, 0] == 0
    assert grey[0, 63] == 255
    assert 100 < grey[0, 31] < 155


def test_partition_is_exact_for_uneven_classes() -> None:
    labels = np.repeat(np.arange(3), [1000, 500, 297])
    rows = partition(labels)
    assert {s: len(r) for s, r in rows.items()} == SIZES
    assert sorted(r for part in rows.values() for r in part) == list(range(1797))


def test_unknown_split_and_foreign_picture(splits: dict[str, Dataset]) -> None:
    with pytest.raises(DataError, match="'dev'; valid splits are train, val, test"):
        digits("dev")
    foreign = splits["train"].examples[0].media[0]
    with pytest.raises(DataError, match="no picture 'digits-row-"):
        splits["test"].open_image(foreign)
