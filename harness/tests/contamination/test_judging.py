"""Stage 3: the rule, files of labels, majorities, agreement, and what becomes of a row."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from harness.audit.pairs import Candidate, Label, Opinion, Pair
from harness.contamination.judges.labels import LabelsJudge, read_labels
from harness.contamination.judges.rule import RuleJudge
from harness.contamination.judging import Judgement, agreement, judged, row_labels
from harness.errors import DataError, ModelError

DUPLICATE, NEIGHBOUR = "duplicate", "neighbour"
BALL = "A ball of mass 2.5 kg falls freely from a height of 12 m. How fast is it when it lands?"


def labels_of(name: str, *labels: Label | None) -> LabelsJudge:
    return LabelsJudge({f"{k}/mini/0": (one, "r") for k, one in enumerate(labels)}, name)


def found(*judges: LabelsJudge, n: int, store: Path | None = None) -> list[Judgement]:
    candidates = [Candidate(k, "mini", 0, cosine=0.9) for k in range(n)]
    return judged(candidates, lambda one: Pair(one.key, "row", "item"), judges, store)


def test_the_rule_on_pairs_whose_answer_is_known() -> None:
    cases: tuple[tuple[str, str, Label | None], ...] = (
        (BALL, BALL, DUPLICATE),
        (BALL, BALL.replace("2.5", "40").replace("12", "7"), DUPLICATE),
        (BALL, f"Recall energy. {BALL} Neglect drag. Then plot all of it on paper.", DUPLICATE),
        (
            BALL,
            "From 12 m up, a 2.5 kg ball is dropped; find its speed at the moment of landing.",
            DUPLICATE,
        ),
        (BALL, "A car of mass 900 kg brakes from 20 m/s within 50 m. What force acts?", NEIGHBOUR),
        (BALL, "A spring of 2.5 N/m is pulled by 12 cm. What energy does it store?", NEIGHBOUR),
        ("Add 3, 14, 15, 92, 65 and 35.", "Add 8, 97, 93, 23, 84 and 62.", DUPLICATE),
        ("Go 1,200,300 m.", "Go 7 m.", DUPLICATE),
        ("A ball rolls 5 m down a ramp.", "A ball of 5 kg lies on a spring.", NEIGHBOUR),
        ("What is shown?", "What is the angle?", NEIGHBOUR),
        ("\\frac{1}{2}", "!!!", None),
        ("", "", None),
        ("x " * 5_000, "y " * 5_000, NEIGHBOUR),
    )
    for row, item, label in cases:
        for pair in (Pair("k", row, item), Pair("k", item, row)):
            (opinion,) = RuleJudge().judge([pair])
            assert opinion.label == label, (row[:60], item[:60], opinion.reason)
            assert opinion.reason


def test_a_file_of_labels(tmp_path: Path) -> None:
    rows = [
        {"key": "0/mini/0", "label": "duplicate", "reason": "same", "cosine": 0.9},
        {"key": "1/mini/0", "label": "neighbour"},
        {"key": "2/mini/0", "label": "undecided"},
        {"key": "3/mini/0", "label": None},
        {"key": "1/mini/0", "label": "neighbour"},
    ]
    as_json = tmp_path / "a.jsonl"
    as_json.write_text("\ufeff" + "\n\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    as_csv = tmp_path / "a.CSV"
    as_csv.write_text(
        'label,key,reason\nduplicate,0/mini/0,same\nneighbour,1/mini/0,"two\nlines"\n'
        "undecided,2/mini/0,\n,3/mini/0,\n"
    )
    pairs = [Pair(f"{k}/mini/0", "", "") for k in (4, 3, 2, 1, 0)]
    for path in (as_json, as_csv):
        opinions = read_labels(path).judge(pairs)
        labels = [one.label for one in opinions]
        assert labels == [None, None, None, NEIGHBOUR, DUPLICATE], path.name
        assert all(one.reason for one in opinions if one.label is None)
        assert opinions[-1].reason == "same" and opinions[0].judge == f"labels:{path.name}"


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        (
            "a.jsonl",
            '{"key": "k", "label": "duplicate"}\n{"key": "k"}\n',
            r"jsonl:2: expected key",
        ),
        ("a.jsonl", '{"key": "k", "label": "Duplicates"}', r"a.jsonl:1: .*found 'Duplicates'"),
        ("a.jsonl", '\n{"key": \n', r"a.jsonl:2: expected one JSON object"),
        ("a.jsonl", "[1]", r"a.jsonl:1: expected one JSON object"),
        ("a.jsonl", '{"key": 3, "label": "duplicate"}', r"a.jsonl:1: expected key"),
        ("a.csv", "key,label\nk,duplicate\nk,neighbour\n", r"a.csv:3: expected one label for k"),
        ("a.csv", "k,duplicate\n", None),
        ("a.csv", "pair,label\nk,duplicate\n", r"a.csv:2: expected key"),
    ],
)
def test_a_broken_file_of_labels(tmp_path: Path, name: str, text: str, told: str | None) -> None:
    path = tmp_path / name
    path.write_text(text)
    if told is None:
        assert read_labels(path).judge([]) == []
        return
    with pytest.raises(DataError, match=told):
        read_labels(path)


def test_a_file_of_labels_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"labels none.jsonl: expected a readable file"):
        read_labels(tmp_path / "none.jsonl")
    (tmp_path / "b.jsonl").write_bytes(b"\xff\xfe")
    with pytest.raises(DataError, match=r"labels b.jsonl: expected text in UTF-8"):
        read_labels(tmp_path / "b.jsonl")


def test_majority_ties_and_undecided(tmp_path: Path) -> None:
    a = labels_of("a", DUPLICATE, DUPLICATE, DUPLICATE, DUPLICATE, None)
    b = labels_of("b", DUPLICATE, NEIGHBOUR, NEIGHBOUR, None, None)
    c = labels_of("c", DUPLICATE, DUPLICATE, NEIGHBOUR, None, NEIGHBOUR)
    alone = found(a, n=5)
    assert [one.label for one in alone] == [*[DUPLICATE] * 4, None]
    two = found(a, b, n=5)
    assert [one.label for one in two] == [DUPLICATE, None, None, None, None]
    three = found(a, b, c, n=5, store=tmp_path)
    assert [one.label for one in three] == [DUPLICATE, DUPLICATE, NEIGHBOUR, None, None]
    assert [one.disputed for one in three] == [False, True, True, False, False]
    assert [one.judge for one in three[0].opinions] == ["a", "b", "c"]
    written = [json.loads(line) for line in (tmp_path / "opinions.jsonl").read_text().splitlines()]
    assert len(written) == 15
    assert written[4] == {"judge": "b", "key": "1/mini/0", "label": NEIGHBOUR, "reason": "r"}


def test_agreement_of_every_two() -> None:
    a = labels_of("a", DUPLICATE, DUPLICATE, NEIGHBOUR, NEIGHBOUR, None)
    b = labels_of("b", DUPLICATE, NEIGHBOUR, NEIGHBOUR, NEIGHBOUR, NEIGHBOUR)
    judgements = found(a, b, n=5)
    result = agreement(judgements)
    (row,) = result.table.rows
    # Observed 3/4, expected (2·1 + 2·3)/16 = 1/2.
    assert (row["n"], row["n_both_decided"], row["kappa"]) == (5, 4, 0.5)
    assert (row["only_a_right"], row["only_b_right"]) == (1, 0)
    assert [one.candidate.row for one in result.disputed] == [1]
    assert result.undecided == {"a": 1, "b": 0}
    alone = agreement(found(a, n=5))
    assert alone.table.rows == () and alone.panel.judges == ("a",)
    with pytest.raises(DataError, match="at least one judged pair"):
        agreement([])
    with pytest.raises(DataError, match=r"expected the judges \['a', 'b'\] for 0/mini/0"):
        agreement([judgements[0], found(b, n=1)[0]])


def test_a_row_goes_when_any_of_its_pairs_is_a_duplicate() -> None:
    votes: Sequence[tuple[int, int, Label | None]] = (
        *((3, 0, NEIGHBOUR), (3, 1, DUPLICATE), (3, 2, None)),
        *((1, 0, NEIGHBOUR), (1, 1, None), (2, 0, NEIGHBOUR)),
    )
    labels = row_labels(Judgement(Candidate(r, "s", i), (), label) for r, i, label in votes)
    assert list(labels.items()) == [(1, None), (2, NEIGHBOUR), (3, DUPLICATE)]
    assert row_labels([]) == {}


class Short:
    name = "short"

    def judge(self, pairs: Sequence[Pair]) -> list[Opinion]:
        return [Opinion(pair.key, self.name, "duplicate") for pair in pairs[1:]]


class Mixed:
    name = "mixed"

    def judge(self, pairs: Sequence[Pair]) -> list[Opinion]:
        return [Opinion(pair.key, self.name, "duplicate") for pair in reversed(pairs)]


def test_what_is_refused() -> None:
    two = [Candidate(0, "mini", 0), Candidate(1, "mini", 0)]

    def texts(one: Candidate) -> Pair:
        return Pair(one.key, "row", "item")

    with pytest.raises(ModelError, match="judge short: expected one opinion for each of 2 pairs"):
        judged(two, texts, [Short()])
    with pytest.raises(ModelError, match="one opinion for each of 2 pairs in order"):
        judged(two, texts, [Mixed()])
    for judges in ([], [RuleJudge(), RuleJudge()]):
        with pytest.raises(DataError, match="expected at least one, each with a name of its own"):
            judged(two, texts, judges)
    with pytest.raises(DataError, match="found 0/mini/0 more than once"):
        judged([two[0], *two], texts, [RuleJudge()])
    with pytest.raises(DataError, match="candidate 1/mini/0: expected its texts, found those"):
        judged(two, lambda _: Pair("0/mini/0", "", ""), [RuleJudge()])
    assert judged([], texts, [RuleJudge()]) == []
