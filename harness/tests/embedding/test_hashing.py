"""The embedder without a model, and what holds of any embedder."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.embedding.base import check_threshold, has_text, unit
from harness.embedding.hashing import Hashing
from harness.embedding.load import open_embedder
from harness.errors import DataError, StudyError

TEXTS = [
    "A block slides down a rough incline of 30 degrees; find its acceleration.",
    "A block is sliding down an inclined plane, rough, at 30°. What is the acceleration?",
    "Janet sells eggs at the market every day.",
    "质量恒定的铜制滑块沿粗糙斜面向下匀速运动",
    "铜制滑块沿着粗糙的斜面向下匀速运动，质量恒定",
    "Москва",
]

PLACES = [[14, 15, 16], [14, 16, 25], [32, 61, 62], [39, 43, 44], [39, 43, 44], [62, 382, 549]]
SUMS = [0.16916309, -0.42234378, -0.16536394, -0.74722514, -0.53300437, -0.18257418]


def test_vectors_are_the_same_everywhere() -> None:
    """Sums of a few coordinates, as other machines and versions have to give them."""
    vectors = Hashing().embed(TEXTS).vectors
    places = [np.flatnonzero(vector)[:3].tolist() for vector in vectors]
    assert places == PLACES
    assert vectors[:, ::7].astype(np.float64).sum(axis=1).tolist() == pytest.approx(SUMS, abs=1e-7)


def test_paraphrases_are_nearer_than_others() -> None:
    vectors = Hashing().embed(TEXTS).vectors
    cosines = vectors @ vectors.T
    for first, second in ((0, 1), (3, 4)):
        assert cosines[first, second] > Hashing.threshold
        others = np.delete(cosines[first], [first, second])
        assert others.max() < 0.2


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(max_size=60).filter(has_text), max_size=5))
def test_any_text_has_a_vector_of_its_own(texts: list[str]) -> None:
    made = Hashing().embed(texts)
    assert made.vectors.shape == (len(texts), 2048)
    assert made.vectors.dtype == np.float32
    assert not made.truncated.any() and not made.estimated.any()
    for place, text in enumerate(texts):
        assert (Hashing().embed([text]).vectors[0] == made.vectors[place]).all()
        assert np.linalg.norm(made.vectors[place]) == pytest.approx(1, abs=1e-6)


def test_a_book_is_cut_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.embedding.hashing._MAX_TOKENS", 20)
    monkeypatch.setattr("harness.embedding.hashing._MAX_CHARS", 1000)
    picture = f"<img src='{'A1' * 600}'>"
    assert not has_text(picture)
    made = Hashing().embed(
        ["ball " * 20, "ball " * 20 + "train", " " * 1000 + "ball", picture + "ball"]
    )
    assert made.truncated.tolist() == [False, True, True, True]
    assert made.vectors[1:3] @ Hashing().embed(["ball"]).vectors[0] == pytest.approx(1)


def test_texts_without_content_are_refused_by_place() -> None:
    for text in ("", "  ", "<image> ?", "\ud800", "\u200b"):
        assert not has_text(text)
        with pytest.raises(DataError, match="text 1 of this call: expected a letter or a digit"):
            Hashing().embed(["fine", text])


def test_vectors_are_brought_to_length_one_or_refused() -> None:
    rows = [[3.0, 4.0], [1e-300 * 1e290, 0], [3e200, 4e200]]
    made = unit(np.array(rows), "x")
    assert made.tolist() == np.array([[0.6, 0.8], [1, 0], [0.6, 0.8]], np.float32).tolist()
    for bad, found in (([0, 0], "zeros"), ([np.nan, 1], "nan"), ([-np.inf, 1], "inf")):
        with pytest.raises(DataError, match=f"x: text 1 .* found {found}"):
            unit(np.array([[1.0, 0.0], bad]), "x")
    assert unit(np.zeros((0, 3)), "x").shape == (0, 3)


def test_a_threshold_of_another_model_is_refused() -> None:
    mine = Hashing.identity
    for of in ("hashing", mine.model, f"{mine.model}@{mine.revision}"):
        assert check_threshold(mine, 0.5, of) == 0.5
    for of in ("mixedbread-ai/mxbai-embed-large-v1", "", "hashing@other"):
        with pytest.raises(StudyError, match=r"threshold 0\.85 was stated for .* embeds with hash"):
            check_threshold(mine, 0.85, of)
    for value in (0.0, 1.01, float("nan")):
        with pytest.raises(StudyError, match=r"a cosine in \(0, 1\]"):
            check_threshold(mine, value, "hashing")


def test_every_part_of_an_identity_counts() -> None:
    base = Hashing.identity
    changed = [
        replace(base, name="a"),
        replace(base, model="a"),
        replace(base, revision="a"),
        replace(base, weights="a"),
        replace(base, prompt="a"),
        replace(base, dtype="a"),
        replace(base, max_tokens=3),
        replace(base, dimensions=3),
    ]
    assert len({one.fingerprint() for one in [base, *changed]}) == 9


def test_embedders_that_a_plan_may_not_name() -> None:
    assert open_embedder({"kind": "hashing"}).identity == Hashing.identity
    for spec, message in (
        ("mxbai", "expected one of minilm, hashing, sentence-transformers, endpoint"),
        ({}, "found None"),
        ({"kind": "hashing", "threshold": 0.9}, "found threshold"),
        ({"kind": "minilm", "model": "x"}, "found model"),
        ("sentence-transformers:a/b", r"a/b: expected its own threshold"),
        ("sentence-transformers:mixedbread-ai/mxbai-embed-large-v1@main", "40 hex digits"),
        ({"kind": "sentence-transformers", "modle": "x"}, "found modle"),
        ({"kind": "endpoint", "url": "x"}, "missing: base_url, .*unknown: url"),
    ):
        with pytest.raises(StudyError, match=message):
            open_embedder(spec)
