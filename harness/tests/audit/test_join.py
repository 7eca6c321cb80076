"""The join against all pairs; shards in any order; ties; the trap of floats."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.audit import kernel
from harness.audit import shingles as hashing
from harness.audit.findings import Findings, merge
from harness.audit.index import build_index
from harness.audit.join import audit, audit_block, blocks
from harness.audit.shingles import Parameters, hashed, jaccard, shingles
from harness.errors import DataError
from harness.tests.audit.reference import every_pair, found, made_texts

ENGINES = ["numpy", *(["numba"] if kernel.available() else [])]
WORD = st.sampled_from(["a", "b", "c", "é", "5", "力"])
TEXT = st.lists(WORD, max_size=14).map(" ".join)


def numbers(n: int, first: int = 0) -> str:
    """n different words."""
    return " ".join(f"w{chr(97 + k // 26)}{chr(97 + k % 26)}" for k in range(first, first + n))


@pytest.mark.parametrize("engine", ENGINES)
def test_all_pairs_of_2000_by_500(engine: str) -> None:
    train, sets = made_texts(2000, 500)
    index = build_index(sets, engine=engine)
    whole = audit_block(train, index, engine=engine)
    # The truth by an inverted list: pairs that share nothing have J = 0.
    expected: dict[tuple[int, str], tuple[Fraction, int]] = {}
    held = [(item.eval_set, -item.place, shingles(item.text)) for item in index.items]
    holding: dict[Any, list[int]] = {}
    for number, (_, _, own) in enumerate(held):
        for shingle in own:
            holding.setdefault(shingle, []).append(number)
    for row, text in enumerate(train):
        own = shingles(text)
        for number in {k for shingle in own for k in holding.get(shingle, ())}:
            name, place, other = held[number]
            share = jaccard(own, other)
            if 5 * share >= 2:
                best = expected.get((row, name), (Fraction(0), 0))
                expected[row, name] = max(best, (share, place))
    rows = [(*key, -place, share) for key, (share, place) in sorted(expected.items())]
    assert found(whole)[0] == rows
    assert len(rows) > 600
    assert 0 < len(whole.contained) != len(rows)
    counts = whole.counts()
    assert counts["rows"] == 2000 and counts["hits"] == len(rows)
    assert counts["unauditable"] == sum(not text for text in train)
    assert counts["short"] == sum(0 < len(text.split()) < 5 for text in train)


@pytest.mark.parametrize(
    "parameters",
    [
        Parameters(),
        Parameters(n=2, threshold=(1, 3), containment=(1, 2)),
        Parameters(n=1, threshold=(1, 100), containment=(1, 100)),
        Parameters(n=3, threshold=(1, 1), containment=(1, 1), short="empty"),
        Parameters(tokenizer="re-w", threshold=(3, 4)),
    ],
)
@pytest.mark.parametrize("engine", ENGINES)
def test_both_columns_against_all_pairs(parameters: Parameters, engine: str) -> None:
    train, sets = made_texts(90, 45, f"{parameters}")
    index = build_index(sets, parameters, engine)
    assert found(audit_block(train, index, 5, engine)) == every_pair(train, sets, parameters, 5)


@given(st.lists(TEXT, max_size=6), st.lists(TEXT, max_size=6), st.integers(1, 5))
@settings(max_examples=50, deadline=None)
def test_small_texts_against_all_pairs(train: list[str], items: list[str], n: int) -> None:
    parameters, sets = Parameters(n=n), {"a": items, "b": items[:2]}
    index = build_index(sets, parameters, "numpy")
    assert found(audit_block(train, index, engine="numpy")) == every_pair(train, sets, parameters)


@given(st.lists(st.text(max_size=30), max_size=5), st.sampled_from([1, 2, 5]))
@settings(max_examples=50, deadline=None)
def test_the_loops_of_the_compiled_path(texts: list[str], n: int) -> None:
    """The same source that is compiled; run as it is, where numba is not installed."""
    # The last has as many tokens as bytes, nearly all of its shingles distinct.
    alternating = "".join(f"{chr(97 + k % 26)}{k % 10}" for k in range(130))
    texts = [*texts, "go go go go go go", "a b c", "", alternating]
    parameters = Parameters(n=n)
    by_numpy = hashed(texts, parameters)
    with np.errstate(over="ignore"):
        by_loops = kernel.hashed(texts, parameters)
    assert by_loops.starts.tolist() == by_numpy.starts.tolist()
    assert by_loops.n_tokens.tolist() == by_numpy.n_tokens.tolist()
    for low, high in zip(by_numpy.starts, by_numpy.starts[1:], strict=False):
        assert sorted(by_loops.hashes[low:high]) == by_numpy.hashes[low:high].tolist()


@pytest.mark.parametrize("engine", ["loops", *ENGINES[1:]])
def test_the_sort_of_hashes(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if engine == "loops":
        monkeypatch.setattr(kernel, "_compiled", lambda: None)
    drawn = np.random.Generator(np.random.PCG64(7)).integers(2**64, size=300, dtype=np.uint64)
    ends = np.array([0, 2**64 - 1, 1, 2**63, 2**63 - 1, 2047, 2048, 2**55, 2**44], np.uint64)
    few = drawn % np.uint64(5)
    for hashes in (drawn, ends, few, few << np.uint64(60), drawn >> np.uint64(20), drawn[:0]):
        for dtype in (np.int32, np.int64):
            # Of equal hashes the earlier value stays the earlier.
            order = np.argsort(hashes, kind="stable")
            own, values = hashes.copy(), np.arange(len(hashes), dtype=dtype)
            kernel.sort(own, values)
            assert own.tolist() == hashes[order].tolist()
            assert values.tolist() == order.tolist()


def test_the_join_through_the_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    train, sets = made_texts(60, 30, "loops")
    expected = audit_block(train, build_index(sets, engine="numpy"), engine="numpy")
    monkeypatch.setattr(kernel, "_compiled", lambda: None)
    monkeypatch.setattr(kernel, "available", lambda: True)
    with np.errstate(over="ignore"):
        index = build_index(sets, engine="numba")
        assert audit_block(train, index, engine="numba") == expected


def test_shards_in_any_order_make_the_whole() -> None:
    train, sets = made_texts(200, 60, "shards")
    index = build_index(sets, engine="numpy")
    whole = audit_block(train, index, engine="numpy")
    cuts = [0, 1, 70, 70, 150, 200]
    parts = [audit_block(train[low:high], index, low, "numpy") for low, high in pairwise(cuts)]
    for order in permutations(range(5)):
        assert merge(*(parts[k] for k in order)) == whole
    assert merge(merge(parts[4], parts[0]), merge(parts[2], merge(parts[1], parts[3]))) == whole
    assert merge() == Findings() == audit([], index, engine="numpy")
    with pytest.raises(DataError, match="rows 70 to 149 were audited twice"):
        merge(whole, parts[3])
    with pytest.raises(DataError, match="rows 60 to 69 were audited twice"):
        merge(audit_block(train[60:80], index, 60, "numpy"), parts[1])


def test_pieces_of_the_evaluation_side_make_the_whole() -> None:
    train, sets = made_texts(100, 60, "grid")
    sets["two"] += sets["two"][:20]
    whole = audit_block(train, build_index(sets, engine="numpy"), engine="numpy")
    pieces = [(name, low) for name in sets for low in range(0, len(sets[name]), 11)]
    parts = [
        audit_block(
            train,
            build_index({name: sets[name][low : low + 11]}, None, "numpy", {name: low}),
            engine="numpy",
        )
        for name, low in pieces
    ]
    for order in (parts, parts[::-1], parts[1::2] + parts[::2]):
        joined = merge(*order)
        assert (joined.hits, joined.contained) == (whole.hits, whole.contained)
        assert joined.counts()["rows"] == 100
        assert joined.counts()["short"] == whole.counts()["short"]


def test_a_stream_is_cut_into_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    train, sets = made_texts(200, 60, "stream")
    index = build_index(sets, engine="numpy")
    whole = audit_block(train, index, engine="numpy")
    assert [first for first, _ in blocks(["x" * 300_000] * 5)] == [0, 2, 4]
    monkeypatch.setattr("harness.audit.join._BLOCK_ROWS", 37)
    assert audit(iter(train), index, engine="numpy") == whole


def test_pieces_of_a_block_make_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    train, sets = made_texts(200, 60, "pieces")
    index = build_index(sets, engine="numpy")
    whole = audit_block(train, index, engine="numpy")
    monkeypatch.setattr("harness.audit.candidates._CHUNK", 10)
    assert audit_block(train, index, engine="numpy") == whole
    monkeypatch.setattr("harness.audit.shingles._AT_ONCE", 50)
    monkeypatch.setattr("harness.audit.containment._AT_ONCE", 7)
    monkeypatch.setattr("harness.audit.index._AT_ONCE", 11)
    again = build_index(sets, engine="numpy")
    for name in ("keys", "ids", "members", "member_starts", "posting_starts", "n_tokens"):
        assert np.array_equal(getattr(again, name), getattr(index, name)), name
    assert np.array_equal(again.rare.starts, index.rare.starts)
    assert audit_block(train, again, engine="numpy") == whole


@pytest.mark.parametrize("engine", ENGINES)
def test_every_exact_tie_is_a_hit_and_floats_would_lose_it(engine: str) -> None:
    """Rows that share 2k shingles of 5k with an item; one word more, and they are none."""
    lost = 0
    for k in range(1, 40, 3):
        for size in (2 * k, 3 * k, 5 * k):
            item, begun = numbers(size + 4), numbers(2 * k + 4)
            rest = 5 * k - size
            row, more = (f"{begun} {numbers(rest + extra, 400)}".strip() for extra in (0, 1))
            index = build_index({"e": [item]}, engine=engine)
            hits = audit_block([row, more], index, engine=engine).hits
            assert [(hit.row, hit.jaccard) for hit in hits] == [(0, Fraction(2, 5))]
            lost += math.ceil(0.4 / 1.4 * (2 * k + rest + size)) > 2 * k
    assert lost > 20


def test_ties_go_to_the_lowest_and_larger_shares_win_by_integers() -> None:
    # 99/200 and 100/202 differ by 10⁻⁵·2.5; each is at its own place in either set.
    row = numbers(104)
    hundred = f"{row} {numbers(102, 300)}"
    ninety_nine = f"{numbers(103)} {numbers(100, 300)}"
    sets = {"x": [hundred, ninety_nine, hundred], "y": [ninety_nine, hundred, ninety_nine, hundred]}
    shares = [jaccard(shingles(row), shingles(text)) for text in sets["x"]]
    assert shares[0] != shares[1]
    best = {
        name: max((jaccard(shingles(row), shingles(text)), -k) for k, text in enumerate(texts))
        for name, texts in sets.items()
    }
    hits = audit_block([row], build_index(sets, engine="numpy"), engine="numpy").hits
    assert [(hit.eval_set, hit.item, hit.jaccard) for hit in hits] == [
        (name, -place, share) for name, (share, place) in best.items()
    ]


def test_an_item_inside_a_long_row_is_contained_and_no_hit() -> None:
    item, around = numbers(30), numbers(300, 50)
    index = build_index({"e": [numbers(30, 400), item]}, engine="numpy")
    found = audit_block([f"{around} {item} {around}", around], index, engine="numpy")
    assert found.hits == ()
    assert [(m.row, m.item, m.containment) for m in found.contained] == [(0, 1, Fraction(1))]


def test_equal_items_are_compared_once() -> None:
    same = numbers(12)
    index = build_index({"a": [same] * 50, "b": ["x", same, same]}, engine="numpy")
    found = audit_block([same] * 20, index, engine="numpy")
    assert {(hit.eval_set, hit.item) for hit in found.hits} == {("a", 0), ("b", 1)}
    assert found.counts()["candidates"] == 40


def test_short_and_empty_texts() -> None:
    sets = {"e": ["What is shown?", "", "!?", "one two three four five"]}
    rows = ["what is shown", "what is", "", "…", "One two three four five", "one two three four"]
    index = build_index(sets, engine="numpy")
    found = audit_block(rows, index, engine="numpy")
    assert [(hit.row, hit.item, hit.short) for hit in found.hits] == [(0, 0, True), (4, 3, False)]
    assert found.counts() | {"covered": 0, "candidates": 0} == {
        "rows": 6,
        "short": 3,
        "unauditable": 2,
        "covered": 0,
        "candidates": 0,
        "hits": 2,
        "rows_hit": 2,
        "contained": 2,
    }
    assert index.counts() == {"e": {"items": 4, "short": 1, "unauditable": 2}}
    literal = build_index(sets, Parameters(short="empty"), "numpy")
    assert [hit.row for hit in audit_block(rows, literal, engine="numpy").hits] == [4]


def test_hashes_that_collide_make_no_hit(monkeypatch: pytest.MonkeyPatch) -> None:
    """With 10 bits instead of 64 many shingles share a hash; what is reported stays exact."""
    train, sets = made_texts(200, 60, "collisions")
    exact = every_pair(train, sets, Parameters())
    mixed = hashing._mixed
    monkeypatch.setattr(hashing, "_mixed", lambda values: mixed(values) >> np.uint64(54))
    reported = found(audit_block(train, build_index(sets, engine="numpy"), engine="numpy"))
    for ours, theirs in zip(reported, exact, strict=True):
        assert set(ours) <= set(theirs)
        assert len(ours) > 0.5 * len(theirs)


def test_a_row_whose_hashes_mislead_is_compared_as_strings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every shingle of the row shares its hash with one of the second item."""
    sets = {"e": [f"{numbers(20)} more", numbers(20, 100)]}
    index = build_index(sets, engine="numpy")
    misled = hashed([sets["e"][1]], Parameters())
    monkeypatch.setattr("harness.audit.join.hashed_by", lambda engine: lambda texts, given: misled)
    hits = audit_block([numbers(20)], index, engine="numpy").hits
    assert [(hit.item, hit.jaccard) for hit in hits] == [(0, Fraction(16, 17))]


def test_what_cannot_be_is_refused() -> None:
    for change, words in (
        ({"n": 0}, "1 to 64"),
        ({"threshold": (0, 5)}, "threshold: expected a fraction"),
        ({"threshold": (6, 5)}, "found 6/5"),
        ({"containment": (1, 0)}, "containment"),
        ({"short": "drop"}, "whole or empty, found 'drop'"),
        ({"tokenizer": "x"}, "tokenizer"),
    ):
        with pytest.raises(DataError, match=words):
            Parameters(**change)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="at least one evaluation set"):
        build_index({})
    with pytest.raises(DataError, match="found 'cuda'"):
        build_index({"e": []}, engine="cuda")
    if not kernel.available():
        with pytest.raises(DataError, match="install the extra `fast`"):
            build_index({"e": []}, engine="numba")


def test_an_evaluation_side_without_shingles() -> None:
    index = build_index({"e": [], "f": ["", "?"]}, engine="numpy")
    found = audit_block(["a b c d e f", "", "a"], index, engine="numpy")
    assert (found.hits, found.contained, found.counts()["rows"]) == ((), (), 3)
