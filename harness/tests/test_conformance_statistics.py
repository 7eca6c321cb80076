"""The statistics' cases: what is compared, and that no case breaks the command."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from harness.conformance import __main__ as conformance
from harness.conformance import child as grading_child
from harness.conformance import statistics_cases as cases
from harness.conformance.statistics import FUNCTIONS, computed
from harness.stats.checks import StatisticsError
from harness.types import OUTCOMES

FAULTY = """
import os, sys
sys.path.insert(0, sys.argv[1])
from harness.conformance import child, statistics
def hang():
    while True: pass
statistics.FUNCTIONS.update(
    hang=hang, die=lambda: os._exit(3), fill=lambda: bytearray(1 << 34), speak=lambda: print("x"))
child._LIBRARIES = ()
child.serve(*sys.argv[2:])
"""


class Answers:
    """A child that gives the same answer to everything."""

    def __init__(self, answer: Mapping[str, Any]) -> None:
        self.answer = answer

    def ask(self, question: Mapping[str, Any], limit_s: float) -> Mapping[str, Any]:
        return self.answer


def fault(expected: Any, tolerance: Any, **answer: Any) -> str | None:
    row = {"id": "c", "function": "f", "input": {}, "expected": expected, "tolerance": tolerance}
    child = cast(grading_child.GradingChild, Answers(answer))
    (found,) = cases.statistics_faults([row], child)
    return found


def ran(capsys: pytest.CaptureFixture[str], path: Path, *rows: Any) -> tuple[int, list[str]]:
    path.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    status = conformance.main(["stats", str(path)])
    return status, capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(
    ("expected", "tolerance", "value"),
    [
        ({"p": 0.5}, 1e-12, {"p": 0.5, "more": 1}),
        ({"p": 0.5}, 1e-3, {"p": 0.5009}),
        ({"n": 3, "p": None}, 0, {"n": 3, "p": None}),
        ({"n": 3}, 0, {"n": 3.0}),
        ({"reject": [True, False]}, 0, {"reject": [True, False]}),
        ({"points": [{"risk": 0.5}]}, 0, {"points": [{"risk": 0.5, "n": 2}]}),
        ({"i2t": {"r1": 0.4}}, 1e-12, {"i2t": {"r1": 0.4}}),
        ({"pairs": [["a", "b"]]}, 0, {"pairs": [["a", "b"]]}),
        ({"z0": 0.1, "low": 0.2}, {"z0": 0.06, "exact_mode": 0}, {"z0": 0.15, "low": 0.2}),
        ({"low": 0.2}, {"estimate": 0, "monte_carlo_B10000": 0.1}, {"low": 0.29}),
        ({"p_values": [0.1]}, {"p": 0.01, "ci_exact": 0}, {"p_values": [0.105]}),
        ({"adjusted": [0.1]}, {"p": 0.01, "ci_exact": 0}, {"adjusted": [0.105]}),
    ],
)
def test_what_is_as_expected_passes(expected: Any, tolerance: Any, value: Any) -> None:
    assert fault(expected, tolerance, value=value) is None


@pytest.mark.parametrize(
    ("expected", "tolerance", "value", "says"),
    [
        ({"p": 0.5}, 1e-12, {"p": 0.6}, "p: expected 0.5 within 1e-12, found 0.6"),
        ({"p": 0.5}, 1e-12, {"q": 0.5}, "p: expected 0.5, found no such key"),
        ({"p": 0.5}, 1e-12, {"p": float("nan")}, "found nan"),
        ({"p": None}, 1e-12, {"p": float("nan")}, "expected None, found nan"),
        ({"p": None}, 1e-12, {"p": 0.0}, "expected None, found 0.0"),
        ({"p": 0.0}, 1e-12, {"p": None}, "found None"),
        ({"n": 1}, 1, {"n": True}, "found True"),
        ({"degenerate": True}, 1, {"degenerate": 1}, "found 1"),
        ({"degenerate": True}, 1, {"degenerate": False}, "found False"),
        ({"adjusted": [0.1]}, 1, {"adjusted": [0.1, 0.2]}, "a list of 2"),
        ({"adjusted": [0.1, 0.2]}, 0.01, {"adjusted": [0.1, 0.3]}, "adjusted[1]: expected 0.2"),
        ({"pairs": [["a", "b"]]}, 0, {"pairs": [["b", "a"]]}, "pairs[0][0]: expected 'a'"),
        ({"i2t": {"r1": 0.4}}, 0, {"i2t": {"r5": 0.4}}, "i2t.r1: expected 0.4, found no such key"),
        ({"i2t": {"r1": 0.4}}, 0, {"i2t": 0.4}, "i2t: expected an object"),
        ({"low": 0.2}, {"exact_mode": 1e-9, "monte_carlo_B10000": 0.1}, {"low": 0.29}, "low"),
        ({"estimate": 0.2}, {"estimate": 0, "monte_carlo_B10000": 1}, {"estimate": 0.21}, "0.21"),
        ({"diff": [0.1]}, {"p": 0.1, "ci_exact": 1e-12}, {"diff": [0.11]}, "diff[0]"),
        ({"low": 0.2}, {"p": 1}, {"low": 0.3}, "within 0"),
        ({"p": 0.5}, None, {"p": 0.5}, "a tolerance of at least 0"),
        ({"p": 0.5}, float("inf"), {"p": 9}, "a tolerance of at least 0"),
        ({"p": 0.5}, {"p": -1}, {"p": 0.5}, "a tolerance of at least 0"),
        ({}, 0, {}, "a case with expected values"),
        ("p", 0, "p", "a case with expected values"),
    ],
)
def test_what_differs_is_named(expected: Any, tolerance: Any, value: Any, says: str) -> None:
    found = fault(expected, tolerance, value=value)
    assert found is not None and found.startswith("'c' ['f']: ") and says in found


def test_a_refusal_has_the_reason_that_is_asked_for() -> None:
    asked = {"error": "invalid_count"}
    refused = {"refused": "invalid_count", "message": "no"}
    assert fault(asked, 0, **refused) is None
    for answer in (
        {"refused": "invalid_level", "message": "n\no"},
        {"value": {"error": "invalid_count"}},
        {"error": "TypeError: invalid_count"},
    ):
        found = fault(asked, 0, **answer)
        assert found is not None and "a refusal for 'invalid_count', found" in found
        assert "\n" not in found
    found = fault({"p": 0.5}, 0, **refused)
    assert found is not None and found.endswith("found a refusal for 'invalid_count': no")


def test_every_case_has_its_line_and_its_own_fate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grading_child, "_CODE", FAULTY)
    monkeypatch.setattr(cases, "LIMIT_S", 0.8)

    def case(function: Any, given: Any, expected: Any) -> dict[str, Any]:
        return {"function": function, "input": given, "expected": expected, "id": "c"} | {
            "tolerance": 1e-12
        }

    third = {"k": 1, "n": 3, "level": 0.95}
    estimate = {"estimate": 1 / 3}
    status, lines = ran(
        capsys,
        tmp_path / "c.jsonl",
        case("wilson_ci", third, estimate),
        case("wilson_ci", {**third, "k": 4}, {"error": "invalid_count"}),
        case("mean", third, estimate),
        case(["wilson_ci"], third, estimate),
        case("hang", {}, estimate),
        case("wilson_ci", third, estimate),
        case("die", {}, estimate),
        case("fill", {}, estimate),
        case("speak", {}, estimate),
        case("wilson_ci", {"k": 1, "n": 3}, estimate),
        case("wilson_ci", {**third, "k": float("nan")}, {"error": "invalid_count"}),
        case("wilson_ci", {**third, "k": int("9" * 4100)}, {"error": "invalid_count"}),
        case("wilson_ci", [third], estimate),
        {"id": "c", "input": {}},
        [1],
        case("wilson_ci", third, estimate),
    )
    assert (status, lines[-1]) == (1, "6 passed, 10 failed")
    for line, says in zip(
        lines[:-1],
        [
            f"one of {len(FUNCTIONS) + 4} statistics, found 'mean'",
            "found ['wilson_ci']",
            "longer than 0.8 s",
            "a process that died (exit status 3)",
            "MemoryError",
            "found None",
            "TypeError",
            "TypeError",
            "found no function and no expected and no tolerance",
            "case 15: expected an object",
        ],
        strict=True,
    ):
        assert says in line.replace('"', "'"), line


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "no such file"),
        (b"", "at least one case"),
        (b"[]", "at least one case"),
        (b'{"id": "c1"}\n{"id": ', "c.jsonl:2: torn or bad line"),
        (b'{"id": 1\xff}', "UTF-8"),
        (b"[" * 10**5, "torn or bad line"),
    ],
)
def test_a_bad_file_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: bytes | None, reason: str
) -> None:
    path = tmp_path / "c.jsonl"
    if text is not None:
        path.write_bytes(text)
    status = conformance.main(["stats", str(path)])
    said = capsys.readouterr()
    assert (status, said.out) == (2, "")
    assert said.err.count("\n") == 1
    assert reason in said.err


@pytest.mark.parametrize(
    ("function", "given", "expected"),
    [
        ("sign_test", {"n_pos": 3, "n_neg": 1, "n_zero": 2, "alternative": "two-sided"}, "p_value"),
        ("ra_from_counts", {"n_triplets": 8, "n_base_correct": 0, "n_adapted": 0}, "ra_pct_2dp"),
        *(
            ("multi_seed_compare", {"a": {"1": 0.5}, "b": {"1": 0.6}, "level": 0.95}, key)
            for key in ("diff", "mean_diff", "mean_difference", "diff_b_minus_a")
        ),
    ],
)
def test_renamed_keys_are_there(function: str, given: Mapping[str, Any], expected: str) -> None:
    assert expected in computed(function, given)


def test_percentages_are_rounded_half_away_from_zero() -> None:
    """625 of 10,000 are 6.25 %, printed as 6.3."""
    found = computed("agreement_from_counts", {"n_agree": 625, "n": 10_000})
    assert found["agreement_pct_1dp"] == 6.3


def test_a_mean_of_shares_is_rounded_from_its_fraction() -> None:
    """Six recalls of 3 / 20,000 are .015 %, whose float is a little less."""
    given = {"i2t_hits": [3] * 3, "n_images": 20_000, "t2i_hits": [3] * 3, "n_captions": 20_000}
    assert computed("mean_recall_from_counts", given)["mean_recall_pct_2dp"] == 0.02


def test_every_statistic_of_rows_knows_every_outcome() -> None:
    rows = [
        {"id": str(place), "status": status, "correct": True}
        for place, status in enumerate(("ok", *OUTCOMES, "manual_review", "error"))
    ]
    counted = computed("accuracy", {"rows": rows})
    table = computed("paired_table", {"a": rows, "b": rows, "on_unpaired": "error"})
    assert (counted["n_scored"], counted["n_correct"], counted["n_error"]) == (6, 2, 3)
    assert (table["n_pairs"], table["n11"], len(table["dropped_error"])) == (6, 2, 3)
    for status in ("skipped", None, ["ok"]):
        bad = [{"id": "q", "status": status, "correct": True}]
        for function, given in (
            ("accuracy", {"rows": bad}),
            ("paired_table", {"a": bad, "b": bad, "on_unpaired": "error"}),
        ):
            with pytest.raises(StatisticsError) as refused:
                computed(function, given)
            assert refused.value.reason == "unknown_outcome"


@pytest.mark.parametrize("states", ["wax", ["w", 1, "a"], None, 3])
def test_a_letter_that_is_no_state_is_refused(states: Any) -> None:
    with pytest.raises(StatisticsError, match="expected the letters w, a, n, found") as refused:
        computed("ra_gap_bootstrap", {"a_state": states, "b_state": "waa", "level": 0.95})
    assert refused.value.reason == "unknown_outcome"


@pytest.mark.parametrize("name", ["bh", "fdr_bh"])
def test_short_names_of_a_correction(name: str) -> None:
    family = {"n": 100, "alpha": 0.05, "comparisons": [{"n01": 20, "n10": 5}] * 2}
    long = computed("comparison_family", {**family, "correction": "benjamini_hochberg"})
    assert computed("comparison_family", {**family, "correction": name}) == long


def test_a_row_without_a_verdict_is_refused_not_dropped() -> None:
    def rows(**row: Any) -> Sequence[Mapping[str, Any]]:
        return [{"id": "q1", "status": "ok", **row}]

    given = {"a": rows(correct=True), "b": rows(correct=None), "on_unpaired": "error"}
    with pytest.raises(ValueError, match="correct"):
        computed("paired_table", given)
    dropped = {**given, "b": rows(status="error")}
    assert computed("paired_table", dropped)["dropped_error"] == ["q1"]


@pytest.mark.reference
def test_the_cases_beside_the_real_data(capsys: pytest.CaptureFixture[str]) -> None:
    folder = os.environ.get("HARNESS_DATA")
    assert folder, "HARNESS_DATA: expected the folder of real data, found it unset"
    path = Path(folder).parent / "cases/stats.jsonl"
    rows = cases.statistics_rows(path)
    assert {row["function"] for row in rows} == set(FUNCTIONS)
    assert len(rows) >= 183
    assert conformance.main(["stats", str(path)]) == 0
    assert capsys.readouterr().out == f"{len(rows)} passed, 0 failed\n"
