"""Planted rows are found by a join that works, and missed by one that does not."""

from __future__ import annotations

from fractions import Fraction

import pytest

from harness.audit import canaries, tokens
from harness.audit.index import build_index
from harness.audit.shingles import Parameters
from harness.errors import DataError


def seen(parameters: Parameters | None = None) -> dict[str, bool]:
    sets = canaries.with_canaries({"mini": ["a ball falls from rest"]}, parameters)
    index = build_index(sets, parameters, "numpy")
    return {one.name: one.ok for one in canaries.sightings(index, "numpy")}


@pytest.mark.parametrize(
    "parameters",
    [
        Parameters(),
        Parameters(n=13, threshold=(4, 5)),
        Parameters(n=1, threshold=(377, 1000)),
        Parameters(threshold=(1, 1)),
        Parameters(tokenizer="re-w", short="empty"),
    ],
)
def test_all_are_found_whatever_the_threshold(parameters: Parameters) -> None:
    assert seen(parameters) == dict.fromkeys(
        ("exact", "above", "at", "below", "decomposed", "han"), True
    )


def test_the_edges_are_as_near_as_may_be() -> None:
    shares = {one.name: one.expected for one in canaries.canaries()}
    assert (shares["above"], shares["at"], shares["below"]) == (
        *(Fraction(8, 19), Fraction(2, 5), Fraction(8, 21)),
    )


def test_a_broken_join_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    planted = canaries.canaries()
    sound = {place: one.expected for place, one in enumerate(planted) if 5 * one.expected >= 2}
    assert all(one.ok for one in canaries.judged(planted, sound, Parameters()))
    faults = (
        ({}, {"exact", "above", "at", "decomposed", "han"}),
        ({k: v for k, v in sound.items() if v != Fraction(2, 5)}, {"at"}),
        (sound | {3: planted[3].expected}, {"below"}),
        (sound | {0: Fraction(1, 2)}, {"exact"}),
    )
    for found, missed in faults:
        result = canaries.judged(planted, found, Parameters())
        assert {one.name for one in result if not one.ok} == missed


def test_a_broken_tokenizer_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "_SINGLE", ())
    monkeypatch.setattr(tokens, "_TABLE", tokens._Folded())
    monkeypatch.setattr(tokens, "_cached", tokens._fold_all)
    assert not seen()["han"]
    monkeypatch.setattr(tokens, "_fold_all", str)
    monkeypatch.setattr(tokens, "_cached", str)
    assert not seen()["decomposed"]


def test_the_name_is_taken_and_the_set_is_needed() -> None:
    with pytest.raises(DataError, match="rename yours"):
        canaries.with_canaries({"canary": []})
    with pytest.raises(DataError, match="with_canaries"):
        canaries.sightings(build_index({"e": []}, engine="numpy"))
