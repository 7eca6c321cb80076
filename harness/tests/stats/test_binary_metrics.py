import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import precision_recall_fscore_support

from harness.stats.binary_metrics import pope_metrics

COUNT = st.integers(1, 30)


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


@pytest.mark.parametrize("bad", [-1, 1.0, True])
def test_bad_counts_are_errors(bad: int) -> None:
    with pytest.raises(ValueError, match="pope_metrics: expected fn"):
        pope_metrics(1, 1, 1, bad, 0, 0)
