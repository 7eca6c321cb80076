"""Equal pictures: which item beside them is the nearest, against every pair."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from harness.audit.cosine import NearParameters, near_block
from harness.audit.findings import Match
from harness.audit.pairs import Near, PictureMatch, candidates
from harness.audit.shingles import Parameters, jaccard, shingles
from harness.audit.vectors import eval_vectors
from harness.contamination import blocks, shared_pictures
from harness.contamination.blocks import cut
from harness.contamination.rows import Row
from harness.contamination.shared_pictures import COMMON, PictureIndex, Shown, picture_matches
from harness.embedding.base import has_text
from harness.embedding.hashing import Hashing
from harness.ids import seed

SHORT = "What is shown?"
LONG = "A wooden block slides down a rough plane that makes an angle of thirty degrees; find v."
OTHER = "Light of one colour passes two narrow slits; how far apart are the fringes on the screen?"
# Of OTHER they share one 5-gram and four.
FEW = (
    "Are the fringes on the wall, or do they stand apart from it and from all others there?",
    "How far apart are the fringes on an old wall that nobody has painted for many long years?",
)
WORDS = Parameters()


def test_against_every_pair() -> None:
    rng = np.random.Generator(np.random.PCG64(seed(7, "shared pictures")))
    texts = [
        SHORT,
        "What is shown here?",
        "? !",
        "",
        LONG,
        f"{LONG} Why?",
        f"So {LONG}",
        OTHER,
        *FEW,
    ]

    def some(n: int) -> list[Shown]:
        return [
            Shown(
                k,
                texts[int(rng.integers(len(texts)))],
                tuple("abcdefgh"[int(j)] for j in rng.integers(0, 8, int(rng.integers(0, 4)))),
            )
            for k in range(n)
        ]

    sets, rows = {"one": some(25), "two": some(9)}, some(60)
    vector = {text: Hashing().embed([text]).vectors[0] for text in texts if has_text(text)}
    present = {name: [has_text(one.text) for one in items] for name, items in sets.items()}
    side = eval_vectors(
        {
            k: np.stack([vector[one.text] for one in v if has_text(one.text)])
            for k, v in sets.items()
        },
        present,
    )
    for embedder in (None, Hashing()):
        index = PictureIndex(sets, WORDS, side if embedder else None)
        found = picture_matches(rows, index, embedder.embed if embedder else None)
        expected = []
        for row in rows:
            for name, items in sets.items():
                best: list[Any] = []
                for one in items:
                    shared = len(set(row.images) & set(one.images))
                    if not shared:
                        continue
                    j = jaccard(shingles(row.text), shingles(one.text))
                    cosine = None
                    if embedder and has_text(row.text) and has_text(one.text):
                        ours, theirs = (vector[x.text].astype(np.float64) for x in (row, one))
                        product = (ours * theirs).sum()
                        cosine = product / np.sqrt((ours**2).sum() * (theirs**2).sum())
                    hit = j if j >= Fraction(2, 5) else 0
                    angle = -2 if cosine is None else round(cosine, 9)
                    key = hit, angle, j, shared, -one.number
                    best.append((key, (row.number, name, one.number, shared, j), cosine))
                if best:
                    expected.append(max(best)[1:])
        got = [
            (one.row, one.eval_set, one.item, one.n_shared_pictures, one.jaccard) for one in found
        ]
        assert got == [place for place, _ in expected] and len(got) > 60
        for one, (_, cosine) in zip(found, expected, strict=True):
            assert one.cosine == pytest.approx(cosine, abs=1e-12) and not one.common
        assert all(one.cosine is None for one in found) == (embedder is None)


def test_a_cosine_is_that_of_stage_2_to_the_last_bit() -> None:
    items = [Shown(k, f"{LONG} {k} {OTHER[:k]}", ("p",)) for k in range(20)]
    made = Hashing().embed([one.text for one in items]).vectors
    side = eval_vectors({"mini": made})
    index = PictureIndex({"mini": items}, WORDS, side)
    row = Hashing().embed([OTHER]).vectors
    near = near_block(row, side, NearParameters(0.5, 0.001, k=100)).near
    ours = index.cosines(row[0], "mini", range(20))
    assert near and {one.item: one.cosine for one in near} == {
        k: ours[k] for k in (one.item for one in near)
    }
    known = [Near(5, "mini", 3, 1, 0.75)]
    (match,) = picture_matches([Shown(5, OTHER, ("p",))], index, Hashing().embed, known)
    assert (match.item, match.cosine) == (3, 0.75)


def test_a_few_words_in_common_do_not_hide_a_paraphrase() -> None:
    items = [Shown(k, text, ("p",)) for k, text in enumerate((f"{OTHER} {LONG}", OTHER, SHORT))]
    side = eval_vectors({"mini": Hashing().embed([one.text for one in items]).vectors})
    index = PictureIndex({"mini": items}, WORDS, side)
    known = [Near(7, "mini", 2, 1, 0.9), Near(7, "mini", 0, 2, 0.8), Near(7, "mini", 1, 3, 0.5)]
    assert 0 < jaccard(shingles(FEW[1]), shingles(OTHER)) < Fraction(2, 5)
    assert jaccard(shingles(OTHER), shingles(items[0].text)) >= Fraction(2, 5)
    for text, item in ((FEW[1], 2), (LONG, 0), (OTHER, 1)):
        (match,) = picture_matches([Shown(7, text, ("p",))], index, Hashing().embed, known)
        assert match.item == item, text


def test_a_picture_of_very_many_items_is_common() -> None:
    for n, common in ((COMMON, False), (COMMON + 1, True)):
        items = [Shown(k, f"Question {k}?", ("blank", "blank")) for k in range(n - 1)]
        items.append(Shown(n - 1, SHORT, ("own", "blank")))
        index = PictureIndex({"mini": items, "few": items[:2]}, WORDS)
        rows = [Shown(0, "Name it.", ("blank",)), Shown(1, SHORT, ("blank", "own"))]
        assert [(one.row, one.eval_set, one.common) for one in picture_matches(rows, index)] == [
            *((0, "few", False), (0, "mini", common), (1, "few", False), (1, "mini", False))
        ]


def test_a_logo_does_not_hide_the_picture_beside_it() -> None:
    n = COMMON + 10
    items = [Shown(k, SHORT, ("logo", f"own {k}")) for k in range(n)]
    items.append(Shown(n, "Name it.", ("logo", "own 5")))
    side = eval_vectors({"mini": Hashing().embed([one.text for one in items]).vectors})
    for vectors, embed in ((None, None), (side, Hashing().embed)):
        index = PictureIndex({"mini": items}, WORDS, vectors)
        for images, item, n_shared, common in (
            (("logo", "own 70"), 70, 2, False),
            (("logo", "own 70", "own 71"), 70, 2, False),
            (("own 71", "own 70"), 70, 1, False),
            (("logo",), 0, 1, True),
            (("logo", "another"), 0, 1, True),
            (("logo", "own 5"), 5, 2, False),
        ):
            (match,) = picture_matches([Shown(0, SHORT, images)], index, embed)
            found = match.item, match.n_shared_pictures, match.common
            assert found == (item, n_shared, common), images
        # The item with the same words shares the logo alone.
        (match,) = picture_matches([Shown(0, "Name it.", ("logo", "own 70"))], index, embed)
        assert match.item == 70


def test_very_many_items_are_screened_and_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.Generator(np.random.PCG64(seed(7, "common pictures")))
    words = [*LONG.split(), *OTHER.split()]

    def made(n: int) -> list[Shown]:
        texts = [" ".join(words[int(k)] for k in rng.integers(0, len(words), 9)) for _ in range(n)]
        shown = [("a",), ("b",), ("a", "b")]
        return [Shown(k, text, shown[k % 3]) for k, text in enumerate(texts)]

    items, rows = made(330), made(30)
    rows += [Shown(30 + k, items[k].text, ("b", "a")) for k in (7, 8)]
    side = eval_vectors({"mini": Hashing().embed([one.text for one in items]).vectors})

    def found() -> tuple[PictureMatch, ...]:
        return picture_matches(rows, PictureIndex({"mini": items}, WORDS, side), Hashing().embed)

    screened = found()
    monkeypatch.setattr(shared_pictures, "COMMON", 1000)
    assert screened == tuple(replace(one, common=True) for one in found())
    assert len(screened) == 32 and len({one.item for one in screened}) > 20
    # The first of several equal vectors.
    assert [one.item for one in screened[-2:]] == [7, 8]


def test_candidates_are_a_union_by_pair() -> None:
    hits = [Match(0, "mini", 1, 4, 5, 5, False)]
    near = [Near(0, "mini", 2, 1, 0.9)]
    shown = [
        PictureMatch(0, "mini", 1, 2, Fraction(2, 3), 0.5, False),
        PictureMatch(1, "mini", 0, 1, Fraction(2, 5), 0.86, True),
        PictureMatch(2, "mini", 0, 3, Fraction(1, 5), None, False),
    ]
    made = candidates(hits, near, shown, jaccard=Fraction(2, 5), cosine=0.86)
    assert [(one.key, one.jaccard, one.cosine, one.rank, one.pictures) for one in made] == [
        ("0/mini/1", Fraction(2, 3), None, None, 2),
        ("0/mini/2", None, 0.9, 1, 0),
        ("1/mini/0", Fraction(2, 5), 0.86, None, 1),
        ("2/mini/0", None, None, None, 3),
    ]
    assert candidates(hits, near) == candidates(hits, near, [])


def test_blocks_end_before_their_pictures_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "MOST_PICTURES", 10)
    given: list[tuple[Any, ...]] = [("abcd",), ({"bytes": b"12345", "path": "x"},), (), (None, "a")]
    rows = [Row(k, k + 1, str(k), "t", one, {}) for k, one in enumerate(given)]
    assert [[row.number for row in block] for block in cut(rows, 0)] == [[0, 1], [2, 3]]
