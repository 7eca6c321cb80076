"""Planted embeddings: images, captions near them, and ties of every kind."""

from __future__ import annotations

from typing import Any

import numpy as np

from harness.ids import seed
from harness.retrieval.pairs import Pairs, Relevance, pairs


def generator(*parts: str | int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed(8, "retrieval", *parts)))


def unit(vectors: Any) -> Any:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def planted(n_images: int, n_texts: int, d: int, noise: float, name: str) -> tuple[Any, Any, Pairs]:
    """Image and text vectors of length 1, and pairs with at least one text an image."""
    rng = generator("planted", name)
    images = rng.standard_normal((n_images, d))
    owners = np.concatenate([np.arange(n_images), rng.integers(n_images, size=n_texts - n_images)])
    rng.shuffle(owners)
    texts = images[owners] + noise * rng.standard_normal((n_texts, d))
    joined = pairs(
        [f"i{k}" for k in range(n_images)],
        [f"t{k}" for k in range(n_texts)],
        {f"t{k}": f"i{owner}" for k, owner in enumerate(owners.tolist())},
    )
    return unit(images), unit(texts), joined


def with_ties(images: Any, texts: Any) -> tuple[Any, Any]:
    """The same with vectors that stand several times, far apart in their order."""
    images, texts = images.copy(), texts.copy()
    images[1::3] = images[0]
    texts[2::5] = texts[1]
    return images, texts


def brute_force(queries: Any, candidates: Any, relevant: Relevance, top: int) -> Any:
    """(greater, tied and irrelevant, tied and relevant, best places), in float64, pair by pair."""
    found = []
    right = candidates.astype(np.float64)
    for query, vector in enumerate(queries.astype(np.float64)):
        scores = (right * vector).sum(axis=1)
        places = relevant.of(query)
        target = scores[places].max()
        tied = int((scores == target).sum())
        own = int((scores[places] == target).sum())
        best = np.argsort(-scores, kind="stable")[:top]
        found.append((int((scores > target).sum()), tied - own, own, best.tolist()))
    return [list(column) for column in zip(*found, strict=True)]
