from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import precision_recall_fscore_support

from harness.stats.binary_metrics import pope_metrics
from harness.stats.checks import StatisticsError

COUNT = st.integers(1, 30)


@settings(max_examples=25, deadline=None)
@given(COUNT, COUNT, COUNT, COUNT)
def test_against_scikit_learn(tp: int, fp: int, tn: int, fn: int) -> None:
    gold = [1] * tp + [0] * fp + [0] * tn + [1] * fn
    said = [1] * tp + [1] * fp + [0] * tn + [0] * fn
    precision, recall, f1, _ = precision_recall_fscore_support(gold, said, average="binary")
    ours = pope_metrics(tp, fp, tn, fn, 0, 0)
    assert (ours["precision"], ours["recall"], ours["f1"]) == pytest.approx((precision, recall, f1))
    assert ours["accuracy"] == (tp + tn) / (tp + fp + tn + fn)


def test_unparsed_answers_are_wrong_and_never_yes() -> None:
    ours = pope_metrics(5, 2, 6, 3, 2, 2)
    assert ours["n"] == 20
    assert ours["accuracy"] == 11 / 20
    assert ours["precision"] == 5 / 7  # no unparsed row among the predicted yes
    assert ours["recall"] == 5 / 10  # unparsed rows whose gold is yes are missed
    assert ours["f1"] == 10 / 17
    assert ours["yes_ratio"] == 7 / 20
    assert ours["parse_rate"] == 16 / 20


def test_undefined_is_none() -> None:
    assert pope_metrics(0, 0, 10, 0, 0, 0) | {"accuracy": 1.0} == {
        "n": 10, "tp": 0, "fp": 0, "tn": 10, "fn": 0, "n_unparsed_yes": 0, "n_unparsed_no": 0,
        "accuracy": 1.0, "precision": None, "recall": None, "f1": None, "yes_ratio": 0.0,
        "parse_rate": 1.0,
    }  # fmt: skip
    empty = pope_metrics(0, 0, 0, 0, 0, 0)
    assert {empty[k] for k in ("accuracy", "precision", "recall", "f1", "yes_ratio")} == {None}
    assert pope_metrics(0, 0, 0, 3, 0, 0)["precision"] is None


@settings(max_examples=50, deadline=None)
@given(*[st.integers(0, 9)] * 6)
def test_identities(tp: int, fp: int, tn: int, fn: int, lost_yes: int, lost_no: int) -> None:
    ours = pope_metrics(tp, fp, tn, fn, lost_yes, lost_no)
    n = tp + fp + tn + fn + lost_yes + lost_no
    assert ours["n"] == n
    moved = pope_metrics(tp, fp, tn, fn + lost_yes, 0, 0)
    for same in ("precision", "recall", "f1"):  # an unread negative moves none of them
        assert ours[same] == moved[same]
    if ours["precision"] and ours["recall"]:
        harmonic = 2 / (1 / ours["precision"] + 1 / ours["recall"])
        assert ours["f1"] == pytest.approx(harmonic, abs=1e-12)
    if n:
        assert ours["accuracy"] <= ours["parse_rate"] <= 1.0
        assert ours["yes_ratio"] * n == pytest.approx(tp + fp)


def test_counts_of_numpy_give_plain_numbers() -> None:
    ours = pope_metrics(*np.array([5, 2, 6, 3, 2, 2]))
    assert ours == pope_metrics(5, 2, 6, 3, 2, 2)
    assert {type(value) for value in ours.values()} == {int, float}


@pytest.mark.parametrize("bad", [-1, 1.0, True, None, "1", float("nan")])
def test_bad_counts_are_errors(bad: Any) -> None:
    for place, name in enumerate(("tp", "fp", "tn", "fn", "n_unparsed_yes", "n_unparsed_no")):
        counts = [1] * place + [bad] + [1] * (5 - place)
        with pytest.raises(StatisticsError, match=f"pope_metrics: {name}: expected") as refused:
            pope_metrics(*counts)
        assert refused.value.reason == "invalid_count"
        assert isinstance(refused.value, ValueError)
