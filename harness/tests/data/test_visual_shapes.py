from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from harness.data import manifest
from harness.data.visual_shapes import (
    CENTRES_PX,
    CHOICES,
    COLORS,
    NOISE_SD,
    SIDE_PX,
    picture,
    visual_shapes,
)
from harness.errors import DataError
from harness.types import Example, Media

SIZES = {"train": 480, "val": 120, "test": 120}
PINNED = {
    "train": "3261257151c9",
    "val": "a77dda332dd4",
    "test": "7929fd866e5a",
}


def truth_from_pixels(pixels: np.ndarray) -> dict[str, str]:
    """Read colour, shape and position off a picture without the generator."""
    values = pixels.astype(float)
    lit = values.max(axis=2) > 100
    rows, columns = np.nonzero(lit)
    side = f"{'top' if rows.mean() < 16 else 'bottom'} {'left' if columns.mean() < 16 else 'right'}"
    hue = ("red", "green", "blue")[int(values[lit].mean(axis=0).argmax())]
    return {
        "color": hue,
        "shape": {64: "square", 80: "cross"}[int(lit.sum())],
        "position": side,
    }


@pytest.mark.parametrize("split", SIZES)
def test_size_balance_and_fingerprint(split: str) -> None:
    data = visual_shapes(split)
    assert len(data.examples) == SIZES[split]
    assert Counter(e.tags for e in data.examples) == {
        (a,): SIZES[split] // 3 for a in ("color", "shape", "position")
    }
    assert data.fingerprint[:12] == PINNED[split]
    assert data.fingerprint == visual_shapes(split).fingerprint
    assert data.claim_level == "L0"


def test_every_gold_is_true_of_its_picture() -> None:
    data = visual_shapes("test")
    for example in data.examples:
        image = data.open_image(example.media[0])
        assert image.mode == "RGB"
        assert image.size == (SIDE_PX, SIDE_PX)
        assert manifest.pixel_digest(image) == example.media[0].sha256
        truth = truth_from_pixels(np.asarray(image))[example.tags[0]]
        assert example.choices[manifest.LETTERS.index(example.gold)] == truth


def test_nine_answers_and_stable_ids() -> None:
    examples = visual_shapes("test").examples
    answers = {choice for example in examples for choice in example.choices}
    assert answers == {c for choices in CHOICES.values() for c in choices}
    assert len(answers) == 9
    assert examples[7].id == "visual-shapes-test-0007"


def test_splits_share_no_picture() -> None:
    digests = [e.media[0].sha256 for s in SIZES for e in visual_shapes(s).examples]
    assert len(set(digests)) == sum(SIZES.values())


def test_noise_has_the_stated_size() -> None:
    image = picture("red", "square", "top left", np.zeros((SIDE_PX, SIDE_PX, 3)))
    clean = np.asarray(image).astype(float)
    assert (clean[4:12, 4:12] == np.rint(np.array(COLORS["red"]) * 255)).all()
    assert clean.sum() == clean[4:12, 4:12].sum()
    data = visual_shapes("train")
    deviations = []
    for example in data.examples[:60]:
        pixels = np.asarray(data.open_image(example.media[0])).astype(float)
        x, y = CENTRES_PX[truth_from_pixels(pixels)["position"]]
        core = pixels[y - 2 : y + 2, x - 2 : x + 2]
        deviations.append((core - core.mean(axis=(0, 1))) / 255.0)
    assert np.std(deviations) == pytest.approx(NOISE_SD, rel=0.08)


def test_images_are_fresh() -> None:
    data = visual_shapes("val")
    media = data.examples[0].media[0]
    data.open_image(media).putpixel((0, 0), (255, 255, 255))
    assert manifest.pixel_digest(data.open_image(media)) == media.sha256


def test_unknown_split_and_foreign_picture() -> None:
    with pytest.raises(DataError, match=r"'dev'; valid splits are train, val, test"):
        visual_shapes("dev")
    foreign: Example = visual_shapes("val").examples[0]
    with pytest.raises(DataError, match=r"no picture 'visual-shapes-val-0000\.png'"):
        visual_shapes("test").open_image(foreign.media[0])
    with pytest.raises(DataError, match="no picture 'x'"):
        visual_shapes("test").open_image(Media(kind="image", name="x", sha256=None))
