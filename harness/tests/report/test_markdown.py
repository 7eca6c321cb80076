"""The report says all that matters in both languages, and untrusted text cannot shape it."""

from __future__ import annotations

import json
import re
import string
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.gates.summary import (
    RECORD_FIELDS,
    STAGES,
    THRESHOLDS_CHANGED,
    AuditSummary,
    Stage,
    permitted_interpretation,
)
from harness.report import figures
from harness.report.audits import PERMITTED_ZH
from harness.report.escape import inline
from harness.report.markdown import report
from harness.report.texts import TEXTS, Language
from harness.tests.report.made_run import cell, failed_cell, gate, metrics
from harness.types import OUTCOMES

LANGUAGES: tuple[Language, ...] = ("en", "zh")


def _fields(text: str) -> set[str | None]:
    return {field for _, field, _, _ in string.Formatter().parse(text) if field is not None}


def test_both_languages_have_the_same_texts_with_the_same_gaps() -> None:
    assert set(TEXTS) == set(LANGUAGES)
    assert TEXTS["en"].keys() == TEXTS["zh"].keys()
    for key, text in TEXTS["en"].items():
        assert _fields(text) == _fields(TEXTS["zh"][key]), key
        assert text, key
        assert TEXTS["zh"][key], key


def test_a_go_run_says_so_first_and_shows_its_figures() -> None:
    text = report(metrics(), "en")
    lines = text.splitlines()
    assert lines[0] == "# Evaluation report: mini — GO"
    assert "All 1 gates passed on 2 cells." in lines[2]
    row = "| canary | visual-shapes | visual-shapes (test) | micro-sft | clean | word "
    figures_ = "| 94.9 % (n = 59) [86.1, 98.3] | 96.6 % | 1 | 1 | 0 | 1 | 0 | L0, smoke sample |"
    assert row + figures_ in lines
    assert r"difference = 0.57 \[0.45, 0.69\]<br>n = 60" in text
    assert "L0, a mechanism check" in text
    assert "`answered`, `review`, `truncated`, `refused`" in text
    assert f"{'a' * 40}, with uncommitted changes" in text
    assert "torch 2.13.0, torchvision absent" in text
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_no_go_run_shows_every_reason_and_issue(language: Language) -> None:
    found = metrics(
        [cell(), failed_cell(), gate(go=False), gate(go=None, issues=None, id="canary:z/y")],
        reasons=["gate one: NO-GO", "cell two: lost"],
        failures={"evals/test_x.py::test_cell[a]": "lost"},
    )
    text = report(found, language)
    words = TEXTS[language]
    assert text.splitlines()[0].endswith(words["no_go"])
    assert "- gate one: NO-GO\n- cell two: lost\n" in text
    assert "no-gain: micro-sft: clean does not exceed blank" in text
    assert f"| {words['incomplete']} |" in text
    assert f"| {words['no_verdict']} |" in text
    assert r"| evals/test\_x.py::test\_cell\[a\] | lost |" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sections_and_outcomes_are_all_there(language: Language) -> None:
    text, words = report(metrics(), language), TEXTS[language]
    sections = [line for line in text.splitlines() if line.startswith("## ")]
    assert sections == [f"## {v}" for k, v in words.items() if k.endswith("_section")]
    for outcome in OUTCOMES[1:]:
        assert f" {words[f'outcome_{outcome}']} |" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_empty_run_can_be_told(language: Language) -> None:
    text = report(metrics([], reasons=["collection failed"], tiers=[]), language)
    assert TEXTS[language]["no_cells"] in text
    assert TEXTS[language]["no_gates"] in text
    assert TEXTS[language]["claim_none"] in text


def test_an_undefined_accuracy_is_a_word_and_its_n() -> None:
    counts = {f"outcome.{name}": 0 for name in ("answered", "review", "truncated")}
    row = cell(n_counted=0, n_correct=0, accuracy=None, parse_rate=None, **counts)
    assert "| undefined (n = 0) | – |" in report(metrics([row, gate()]), "en")


def test_changed_thresholds_are_told() -> None:
    found = metrics()
    assert "as frozen before the first response" in report(found, "en")
    found["study"]["thresholds_first"] = {"level": 0.9}
    assert "changed since the first response; first: level = 0.9" in report(found, "en")


def test_another_language_is_refused() -> None:
    with pytest.raises(ValueError, match="'fr'"):
        report(metrics(), "fr")  # type: ignore[arg-type]


_EVIL = "x|y\n# h\r\n<script>a</script> `c` [l](http://e) ![i](j) **b** \u202e \ud800 \x1b[0m $m$"


@pytest.mark.parametrize("language", LANGUAGES)
def test_untrusted_text_stays_text(language: Language) -> None:
    issue = {"code": _EVIL, "where": _EVIL, "message": _EVIL}
    found = metrics(
        [
            cell(model=_EVIL, view=_EVIL, data=_EVIL, prompt=_EVIL, variant=_EVIL),
            gate(go=False, issues=json.dumps([issue]), facts=json.dumps({_EVIL: _EVIL}))
            | {"assay.subject": _EVIL},
        ],
        reasons=[_EVIL],
        failures={_EVIL: _EVIL},
    )
    text = report(found, language)
    text.encode("utf-8")
    assert set(re.findall(r"<[^>]*>", text)) == {"<br>"}
    assert "\u202e" not in text
    assert "\x1b" not in text
    bare = re.sub(r"\\.", "", text)
    assert "[l](" not in bare
    assert "**b**" not in bare
    for line in bare.splitlines():
        if line.startswith("|"):
            assert line.count("|") in {15, 7, 3}, line
    assert sum(line.startswith("#") for line in text.splitlines()) == 7


@given(st.text())
def test_escaped_text_is_one_line_that_opens_nothing(text: str) -> None:
    found = inline(text)
    bare = re.sub(r"\\.", "", found).replace("<br>", "")
    assert len(found.splitlines()) <= 1
    assert not set(bare) & set("<>|`*_[]")
    found.encode("utf-8")


@pytest.mark.parametrize("text", ["- x", "1. x", "+ x", "2) x"])
def test_a_list_mark_opens_no_list(text: str) -> None:
    assert re.match(r"\d*\\", inline(text))


@pytest.mark.parametrize(
    ("value", "shown"),
    [(1.0, "100.0 %"), (0.0, "0.0 %"), (0.99999, ">99.9 %"), (1e-9, "<0.1 %"), (0.5, "50.0 %")],
)
def test_only_all_is_100_and_only_none_is_0(value: float, shown: str) -> None:
    assert figures.percent(value) == shown


def test_facts_are_flat_short_and_counted() -> None:
    estimate = {"value": 0.5, "low": None, "high": 1, "unit": "pp"}
    tree = {"a": {"b": estimate}, "c": [1, 0.123456]}
    assert figures.facts(tree, "{n} more") == r"a.b = 0.5 \[–, 1\] pp<br>c = 1, 0.1235"
    many = figures.facts({f"k{i}": i for i in range(15)}, "{n} more")
    assert many.count("<br>") == 12
    assert many.endswith("3 more")
    assert len(figures.facts({"k": "x" * 5000}, "{n} more")) < 200


def test_facts_show_intervals_whole_and_leave_out_what_says_nothing() -> None:
    tree = {"difference": 0.9, "high": 1, "low": 0.85, "n": 0, "a": None, "b": [], "c": ""}
    assert figures.facts(tree, "") == r"difference = 0.9 \[0.85, 1\]<br>n = 0"
    assert (
        figures.facts({"cells": ["x"] * 9, "rows": [{"a": 1}]}, "") == "cells = (9)<br>rows = (1)"
    )
    assert figures.facts({"d": "ab" * 32}, "") == "d = abababababab"


def test_rows_that_measure_no_model_are_labelled() -> None:
    """CONVENTIONS, identity 8: smoke samples and baselines say so."""
    rows = [
        cell(tier="full", model="a"),
        cell(tier="canary", model="b"),
        cell(tier="full", model="c", source="baseline"),
    ]
    text = report(metrics([*rows, gate()]), "en")
    ends = {
        line.split("|")[4].strip(): line.split("|")[-2].strip()
        for line in text.splitlines()
        if line.startswith(("| full", "| canary"))
    }
    assert ends["a"] == "L0"
    assert ends["b"] == "L0, smoke sample"
    assert ends["c"] == "L0, baseline, never ranked"


def audit(stage: Stage, codes: dict[str, int], **changes: Any) -> dict[str, Any]:
    """The row of an audit gate with its summary among the facts."""
    records = dict.fromkeys(RECORD_FIELDS, 0)
    found = AuditSummary(stage=stage, subject="pilot", issue_counts=codes, records=records)
    facts = {"record_audit": {f"n{i}": i for i in range(20)}, "summary": found.as_json()}
    row = gate(go=not codes, id=f"full:audit-{stage}/pilot", gate=f"audit-{stage}", tier="full")
    return row | {"assay.subject": "pilot", "assay.facts": json.dumps(facts)} | changes


def test_every_audit_says_in_one_line_what_it_permits() -> None:
    found = metrics([cell(), audit("scorer", {}), audit("signals", {"no_signals": 1}), gate()])
    english, chinese = (report(found, language).splitlines() for language in LANGUAGES)
    assert (
        "- **GO** audit-scorer of pilot (full). May be claimed: the scorer may score the formal "
        "run; its agreement with the second reader is no result of any model."
    ) in english
    assert (
        "- **NO-GO** audit-signals of pilot (full). May be claimed: engineering integrity of the "
        "records only; no claim on accuracy, calibration, ranking or efficacy."
    ) in english
    assert (
        "- **不通过 (NO-GO)** pilot 的 audit-signals（full）。可作的结论：仅限记录的工程完整性；"
        "不得就准确率、校准、排名或效果下结论。"
    ) in chinese
    for lines in (english, chinese):
        assert sum(line.startswith("- **") for line in lines) == 2


def test_what_an_audit_permits_is_known_in_both_languages() -> None:
    codes: list[list[str]] = [[], ["no_signals"], ["missing_records"], [THRESHOLDS_CHANGED]]
    codes.append(["thresholds_unknown"])
    sentences = {permitted_interpretation(stage, some) for stage in STAGES for some in codes}
    assert sentences <= set(PERMITTED_ZH)


def test_long_facts_of_one_gate_are_told_once() -> None:
    long = json.dumps({f"limit{i}": i for i in range(9)})
    other = json.dumps({f"limit{i}": i + 1 for i in range(9)})
    short = json.dumps({"n": 8, "agreement": 1})
    rows = [
        gate(id=f"full:{name}/{subject}", gate=name, subject=subject, facts=facts)
        for name, subject, facts in (
            *(("thresholds", "a", long), ("thresholds", "b", long), ("thresholds", "c", other)),
            *(("limits", "d", long), ("pair", "a", short), ("pair", "b", short)),
        )
    ]
    for language, told in zip(LANGUAGES, ("as for a", "同 a"), strict=True):
        lines = report(metrics([cell(), *rows]), language).splitlines()
        cells = [
            line.split(" | ") for line in lines if line.startswith(f"| {TEXTS[language]['go']}")
        ]
        facts = {(c[1], c[2]): c[4] for c in cells}
        assert facts["thresholds", "b"] == told
        assert [k for k, v in facts.items() if v.count("<br>") == 8] == [
            *(("limits", "d"), ("thresholds", "a"), ("thresholds", "c")),
        ]
        assert facts["pair", "a"] == facts["pair", "b"] == "n = 8<br>agreement = 1"
