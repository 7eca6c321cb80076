"""Blind judges: planted side cues are found, independent ones are not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from harness import ids
from harness.errors import DataError
from harness.scenes.blind import BlindReport, blind_report
from harness.scenes.blind_rows import BlindRow, item_rows, picture_statistics, triplet_rows
from harness.scenes.classify import CLASSIFIERS, accuracies, kernel, logistic, matrix, shuffles
from harness.tests.scenes import made


def generator(*parts: str | int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(ids.seed(1, *parts)))


def rows(n: int, leak: str = "") -> list[BlindRow]:
    """A made set: balanced letters, four features of noise, and a side cue if asked for."""
    noise = generator("rows", n).normal(size=(n, 4))
    made_rows = []
    for k in range(n):
        letter = k % 2
        features = {f"x{j}": float(noise[k, j]) for j in range(4)}
        features["objects"] = 5.0 + k % 3
        if leak == "fewer objects":
            features["objects"] -= 2 * letter
        if leak == "interaction":
            features["x1"] = abs(features["x1"]) * (1 if (features["x0"] > 0) == letter else -1)
        made_rows.append(
            BlindRow(
                group=f"t{k}",
                factor="count",
                features={
                    "scene": features,
                    "text": {"A": "34"[letter] if leak == "text" else "3"},
                },
                targets={"letter": "AB"[letter]},
            )
        )
    return made_rows


def where(report: BlindReport) -> set[str]:
    return {f"{issue.code} {issue.where}" for issue in report.issues}


def test_independent_features_are_at_chance() -> None:
    report = blind_report(rows(120), seed=3, n_shuffles=79)
    assert report.issues == ()
    assert len(report.results) == 4
    for result in report.results:
        assert (result.n, result.majority) == (120, 0.5)
        assert result.adjusted_p >= result.p
        assert 0.35 < result.null_high < 0.7
    assert report == blind_report(rows(120), seed=3, n_shuffles=79)


def test_planted_cues_are_found() -> None:
    for leak, wanted in [
        ("fewer objects", {"scene kernel", "scene logistic"}),
        ("interaction", {"scene kernel"}),
        ("text", {"text kernel", "text logistic"}),
    ]:
        found = where(blind_report(rows(120, leak), seed=3, n_shuffles=79))
        assert found == {f"leak count letter {name}" for name in wanted}


def test_the_null_is_right_about_as_often_as_it_says() -> None:
    # 60 sets without a cue: one result alone is above its 97.5 % point in about 2.5 %.
    wrong = 0
    for k in range(60):
        features = generator("level", k).normal(size=(40, 3))
        groups = [str(i) for i in range(40)]
        labels = shuffles(np.arange(40) % 2 == 0, groups, 39, k)
        found = accuracies(features, labels, groups, kernel, folds=5, seed=k)
        wrong += (found >= found[0]).mean() <= 0.025
    assert wrong <= 5


def test_a_constant_answer_is_an_issue_of_its_own() -> None:
    always = [replace(row, targets={"value": "yes"}) for row in rows(20)]
    report = blind_report(always, seed=1, n_shuffles=39)
    assert (where(report), report.results) == ({"constant count value"}, ())


def test_rows_of_triplets_hide_the_fact() -> None:
    triplets = [made.triplet(factor) for factor in made.FACTORS]
    statistics = {
        f"{t.id}:{v}": picture_statistics(made.pictures(t.query.factor)[v])
        for t in triplets
        for v in made.pictures(t.query.factor)
    }
    found = triplet_rows(triplets, statistics)
    assert len(found) == 12
    by = {(row.factor, *sorted(row.targets.values())): row for row in found}
    for t in triplets:
        relevant, irrelevant = (by[t.query.factor, edit] for edit in ("relevant", "irrelevant"))
        assert set(relevant.features) == {"scene", "picture"} == set(irrelevant.features)
    base = {row.factor: row for row in found if "letter" in row.targets}
    assert [base[f].targets["value"] for f in made.FACTORS] == [
        "first",
        "second",
        "second",
        "second",
    ]
    assert base["count"].features["text"] == {
        "question": "How many red objects are there?", "A": "1", "B": "2",
    }  # fmt: skip
    assert not any("red" in name for row in found for name in row.features["scene"])
    moved = triplets[3]
    mirrored = replace(
        moved, scenes={**moved.scenes, "base": moved.scenes["relevant"]}, gold={**moved.gold}
    )
    same = item_rows([moved.item("base")])[0].features["scene"]
    assert same == item_rows([mirrored.item("base")])[0].features["scene"]
    with pytest.raises(DataError, match="picture statistics"):
        triplet_rows(triplets, {})


def test_statistics_of_a_picture() -> None:
    found = picture_statistics(made.pictures("count")["irrelevant"])
    assert found["objects"] == 4
    assert 0.05 < found["object_share"] < 0.3
    assert all(0 < found[name] < 255 for name in ("red", "green", "blue"))


def test_logistic_finds_the_penalised_optimum() -> None:
    x = generator("logistic").normal(size=(50, 3))
    signs = np.where(x[:, :1] + generator("noise").normal(size=(50, 1)) > 0, 1.0, -1.0)
    scores = logistic(x, signs, np.concatenate([np.zeros((1, 3)), np.eye(3)]))[:, 0]
    weights = np.concatenate([scores[:1], scores[1:] - scores[0]])
    full = np.concatenate([np.ones((50, 1)), x], axis=1)
    chance = 1 / (1 + np.exp(-full @ weights))
    slope = full.T @ ((signs[:, 0] > 0) - chance) - np.array([1e-6, 1, 1, 1]) * weights
    assert np.abs(slope).max() < 1e-6


def test_classifiers_learn_what_they_should() -> None:
    x = generator("learn").normal(size=(200, 2))
    groups = [str(k) for k in range(200)]
    line, corner = (x[:, 0] > 0.1)[:, None], (x[:, 0] * x[:, 1] > 0)[:, None]
    found = {
        (name, kind): float(accuracies(x, truth, groups, fit, folds=5, seed=2)[0])
        for name, fit in CLASSIFIERS.items()
        for kind, truth in (("line", line), ("corner", corner))
    }
    assert found["logistic", "line"] > 0.95
    assert found["kernel", "line"] > 0.9
    assert found["kernel", "corner"] > 0.85
    assert found["logistic", "corner"] < 0.65


def test_shuffles_keep_the_design() -> None:
    truth = np.array([True, False] * 10)
    single = shuffles(truth, [str(k) for k in range(20)], 30, 5)
    assert (single[:, 0] == truth).all()
    assert (single.sum(axis=0) == 10).all()
    twins = shuffles(truth, [str(k // 2) for k in range(20)], 30, 5)
    assert (twins[::2] != twins[1::2]).all()
    assert len({tuple(column) for column in twins.T.tolist()}) > 25
    with pytest.raises(DataError, match="one row a group"):
        shuffles(truth, ["a"] * 20, 3, 5)


def test_bad_input_is_refused() -> None:
    for change, message in [
        ({"n_shuffles": 20}, "rearrangements"),
        ({"level": 1.0}, "level"),
        ({"folds": 1}, "folds"),
        ({"folds": 21}, "folds"),
    ]:
        with pytest.raises(DataError, match=message):
            blind_report(rows(20), **{"seed": 1, "n_shuffles": 39, **change})
    three = [replace(row, targets={"letter": "ABC"[k % 3]}) for k, row in enumerate(rows(9))]
    with pytest.raises(DataError, match="two labels"):
        blind_report(three, seed=1)
    assert blind_report([], seed=1).results == ()
    assert matrix([{"a": "x"}, {"b": 2}]).tolist() == [[1, 0], [0, 2]]
