"""Stored verdicts: read, scored, compared, and judged by one command."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.drift.judged import drift_of_judges
from harness.drift.tables import DriftSettings
from harness.errors import DataError
from harness.judging.protocol import MAJORITY, judge_protocol
from harness.judging.rows import JudgeRow, judge_rows
from harness.review.judges import main
from harness.stats.proportion import wilson
from harness.types import Verdict

BASE = {"judge": "gpt-4o", "model": "claude-sonnet-4.5", "data": "et", "id": "q1", "strict": False}
JUDGES = ("claude-haiku-4.5", "gemini-2.5-pro", "gpt-4o")
# Verdicts of three judges on four sub-questions of two problems; "s" is a strict match.
VOTES = {"p1/1": "sss", "p1/2": "101", "p2/1": "11u", "p2/2": "0u0"}


def stored(data: str = "et", votes: dict[str, str] | None = None) -> list[dict[str, Any]]:
    said = {"1": "Verdict: correct", "0": "NO", "u": "Hard to say.", "s": None}
    return [
        {
            **BASE,
            "data": data,
            "id": key,
            "judge": judge,
            "problem": key.split("/")[0],
            "strict": bits[place] == "s",
            "reply": said[bits[place]],
        }
        for key, bits in (votes or VOTES).items()
        for place, judge in enumerate(JUDGES)
    ]


def table(verdict: Verdict, name: str) -> list[dict[str, Any]]:
    return [dict(row) for t in verdict.tables if t.name == name for row in t.rows]


def test_what_a_record_becomes() -> None:
    cases: list[tuple[dict[str, Any], str, bool | None, str]] = [
        ({"reply": "Verdict: incorrect"}, "keep", False, "label"),
        ({"reply": "I cannot tell."}, "keep", None, ""),
        ({"reply": "I cannot tell."}, "wrong", False, ""),
        ({"reply": None}, "keep", None, "not_asked"),
        ({"verdict": True}, "keep", True, "verdict"),
        ({"verdict": False}, "keep", False, "verdict"),
        ({"verdict": None}, "keep", None, "not_asked"),
        ({"verdict": None}, "wrong", False, "not_asked"),
        ({"verdict": True, "judgeable": False}, "keep", None, "gold_not_judgeable"),
        ({"verdict": False, "strict": True}, "keep", True, "strict"),
    ]
    for fields, policy, liberal, rule in cases:
        (row,) = judge_rows([{**BASE, **fields}], undecided=policy)
        assert row.liberal is liberal, fields
        assert not rule or row.rule == rule, row
    bare = {key: value for key, value in BASE.items() if key != "strict"}
    text = {**bare, "reply": "NO", "response": r"\boxed{12}", "gold": "2"}
    assert [judge_rows([text], strict_rule=r)[0].strict for r in ("equal", "contains")] == [
        False,
        True,
    ]


def test_faults_are_listed_with_their_record() -> None:
    row = {**BASE, "verdict": True}
    cases: list[tuple[list[dict[str, Any]], str]] = [
        ([{**row, "judge": ""}], "record 1: judge: expected a text, found ''"),
        ([{**row, "id": True}], "record 1: id: expected a text, found True"),
        ([{**row, "reply": "NO"}], "expected reply or verdict, found both"),
        ([dict(BASE)], "expected reply or verdict, found neither"),
        ([{**BASE, "reply": 1}], "reply: expected a text or null, found 1"),
        ([{**row, "verdict": "yes"}], "verdict: expected true, false or null, found 'yes'"),
        ([{**row, "strict": None}], "strict: expected true or false, found None"),
        ([{**row, "judgeable": "no"}], "judgeable: expected true or false"),
        ([{**row, "problem": []}], "problem: expected a text"),
        ([{k: v for k, v in row.items() if k != "strict"}], "expected strict, or the texts"),
        ([row, row], "record 2: expected one verdict of gpt-4o"),
        ([row, {**row, "judge": "x", "strict": True}], "record 2: .*one strict reading"),
        ([{**row, "judge": ""}] * 12, r"12 fault\(s\)(?s:.*)… and 2 more"),
    ]
    for records, message in cases:
        with pytest.raises(DataError, match=message):
            judge_rows(records)


def test_the_protocol_over_three_judges() -> None:
    verdict = judge_protocol(judge_rows(stored()), max_undecided=0.3, min_kappa=-1.0)
    scores = {row["judge"]: row for row in table(verdict, "judge_scores")}
    assert set(scores) == {*JUDGES, MAJORITY}
    gemini, majority = scores["gemini-2.5-pro"], scores[MAJORITY]
    assert (gemini["n"], gemini["strict_right"], gemini["liberal_right"]) == (4, 1, 2)
    assert (gemini["undecided"], gemini["floor_pct"], gemini["ceiling_pct"]) == (1, 50.0, 75.0)
    assert gemini["decided_pct"] == pytest.approx(200 / 3) and gemini["reasons"] == "prose 1"
    # p1/2 by 2 of 3, p2/1 by 2 of 3, p2/2 wrong by 2 of 3.
    assert (majority["liberal_right"], majority["undecided"]) == (3, 0)
    parts = {row["judge"]: row for row in table(verdict, "judge_parts")}
    assert [parts[name]["right"] for name in (*JUDGES, MAJORITY)] == [1, 0, 1, 1]
    assert [parts[name]["undecided"] for name in JUDGES] == [0, 1, 0]
    assert (parts["gpt-4o"]["parts_right"], parts["gpt-4o"]["parts_undecided"]) == (2, 1)
    agreement = {(r["judge_a"], r["judge_b"]): r for r in table(verdict, "judge_agreement")}
    first = agreement["claude-haiku-4.5", "gemini-2.5-pro"]
    # Not p1/1, a strict match on which judges agree without having looked.
    assert (first["n"], first["n_both_decided"], first["agreement"]) == (3, 2, 1 / 3)
    assert first["only_a_right"] == 1 and first["same_family"] is False
    families = table(verdict, "judge_families")
    own = [row for row in families if row["shared"]]
    assert [row["other_judge"] for row in families if not row["shared"]] == [None, None]
    assert [(row["judge"], row["other_judge"]) for row in own] == [
        ("claude-haiku-4.5", "gemini-2.5-pro"),
        ("claude-haiku-4.5", "gpt-4o"),
    ]
    assert (own[0]["n"], own[0]["own_only"], own[0]["other_only"]) == (2, 1, 0)
    assert own[0]["lift_pp"] == 50.0
    assert [issue.code for issue in verdict.issues] == ["self_judged"]
    strict = judge_protocol(judge_rows(stored()), max_undecided=0.3)
    assert "kappa_below" in [issue.code for issue in strict.issues]
    # A judge of unknown family is no judge of another one.
    unknown = [{**row, "judge": row["judge"].replace("gpt-4o", "mystery")} for row in stored()]
    rows = table(judge_protocol(judge_rows(unknown)), "judge_families")
    assert [row["other_judge"] for row in rows if row["shared"]] == ["gemini-2.5-pro"]


def test_half_a_problem_is_left_out() -> None:
    kept = [row for row in stored() if (row["judge"], row["id"]) != ("gpt-4o", "p1/2")]
    parts = {row["judge"]: row for row in table(judge_protocol(judge_rows(kept)), "judge_parts")}
    figures = {name: (row["problems"], row["left_out"]) for name, row in parts.items()}
    assert figures == {JUDGES[0]: (2, 0), JUDGES[1]: (2, 0), JUDGES[2]: (1, 1), MAJORITY: (1, 1)}


def test_one_judge_other_answers_and_no_order() -> None:
    rows = judge_rows(stored())
    assert judge_protocol(rows) == judge_protocol(rows[::-1])
    alone = [row for row in rows if row.judge == "gpt-4o"]
    codes = [issue.code for issue in judge_protocol(alone).issues]
    assert codes == ["one_judge", "undecided_above"]
    apart = [*alone, JudgeRow(**{**_fields(alone[0]), "judge": "grok", "id": "other"})]
    found = judge_protocol(apart)
    assert "one_judge" in [issue.code for issue in found.issues]
    assert [row["n"] for row in table(found, "judge_agreement")] == [0]
    assert table(judge_protocol(alone), "judge_agreement") == []
    whole = JudgeRow(**{**_fields(alone[0]), "problem": "", "id": "whole"})
    with pytest.raises(DataError, match="each sub-question"):
        judge_protocol([*alone, whole])
    with_known = judge_protocol(alone, known={"gpt-4o": "claude"})
    assert "self_judged" in [issue.code for issue in with_known.issues]


def test_the_command(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    turned = {key: bits.replace("1", "0") for key, bits in VOTES.items()}
    path = tmp_path / "verdicts.jsonl"
    lines = [json.dumps(row) for row in stored() + stored("en", turned)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    out = tmp_path / "out"
    assert main([str(path), "--out", str(out), "--pair", "et=en"]) == 1
    said = capfdbinary.readouterr().out.decode()
    assert "self_judged" in said and "NO-GO: " in said and "# translation_drift" in said
    names = {p.name for p in out.iterdir()}
    assert {"judge_scores.csv", "judge_parts.json", "translation_drift.csv"} < names
    assert json.loads((out / "verdict.json").read_text())["go"] is False
    drift = json.loads((out / "translation_drift.json").read_text())["rows"]
    assert [row["scoring"] for row in drift] == ["strict", *(f"liberal: {j}" for j in JUDGES)]
    assert [row["difference_pp"] for row in drift] == [0.0, 50.0, 25.0, 25.0]
    kinds = ["--family", "claude-sonnet-4.5=mine", "--max-undecided", "0.5", "--min-kappa", "-1"]
    assert main([str(path), *kinds]) == 0
    assert capfdbinary.readouterr().out.endswith(b"GO\n")
    path.write_text('{"judge": 1\n', encoding="utf-8")
    for arguments, message in (
        ([str(path)], rb"verdicts.jsonl:1: "),
        ([str(path), "--out", str(out)], rb"new or an empty folder"),
        ([str(tmp_path / "none.jsonl")], rb"no such file"),
    ):
        assert main(arguments) == 2
        assert re.search(message, capfdbinary.readouterr().err)
    path.write_text("\n".join(lines), encoding="utf-8")
    assert main([str(path), "--pair", "et=fi"]) == 2
    assert b"judged on both, found data en, et" in capfdbinary.readouterr().err


def test_the_strict_drift_is_over_the_answers_of_all_judges() -> None:
    rows = judge_rows(stored() + stored("en"))
    fewer = [row for row in rows if row.judge != JUDGES[0] or row.id in ("p1/1", "p1/2")]
    settings = DriftSettings(pairs=(("et", "en"),))
    table = drift_of_judges(fewer, settings)
    assert [row["n"] for row in table.rows] == [4, 2, 4, 4]
    # What a judge of one side alone judged has no pair, and plays no part.
    apart = replace(rows[0], judge="grok", id="another")
    assert drift_of_judges([*fewer, apart], settings) == table


def test_the_options_reach_their_places(tmp_path: Path) -> None:
    bare = {key: value for key, value in BASE.items() if key != "strict"}
    said = {**bare, "reply": "Hard to say.", "response": r"\boxed{12}", "gold": "2"}
    path = tmp_path / "verdicts.json"
    path.write_text(json.dumps([said, {**said, "data": "en"}]), encoding="utf-8")

    def tables(*options: str) -> tuple[dict[str, Any], dict[str, Any]]:
        out = tmp_path / str(len(list(tmp_path.iterdir())))
        assert main([str(path), "--out", str(out), "--pair", "et=en", *options]) == 1
        names = ("judge_scores", "translation_drift")
        first, second = (json.loads((out / f"{name}.json").read_text())["rows"] for name in names)
        return first[0], second[0]

    scores, drift = tables()
    assert (scores["strict_right"], scores["undecided"], drift["alternative"]) == (0, 1, "greater")
    scores, drift = tables("--strict-rule", "contains", "--alternative", "less")
    assert (scores["strict_right"], scores["liberal_right"], drift["alternative"]) == (1, 1, "less")
    scores, drift = tables("--undecided", "wrong", "--level", "0.5")
    assert scores["undecided"] == 0
    assert scores["liberal_high_pct"] == drift["original_high_pct"]
    assert float(drift["original_high_pct"]) == pytest.approx(100 * (wilson(0, 1, 0.5).high or 0))


def _fields(row: JudgeRow) -> dict[str, Any]:
    return {name: getattr(row, name) for name in JudgeRow.__dataclass_fields__}
