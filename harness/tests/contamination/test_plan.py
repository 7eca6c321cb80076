"""A plan of an audit: what it refuses, what its fingerprints depend on, and what it keeps quiet."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from typing import Any

import pytest

from harness.contamination.arguments import add_files, add_judging, plan_of
from harness.contamination.plan import plan_from
from harness.errors import DataError

GOOD = {"train": {"path": "t.jsonl"}, "evals": {"mini": {"path": "e.jsonl"}}}


def test_a_plan_names_no_place_and_keeps_no_address() -> None:
    plan = plan_from(GOOD)
    moved = replace(plan, train=replace(plan.train, path="/elsewhere/t.jsonl"))
    assert moved.fingerprint == plan.fingerprint
    assert replace(plan, k=3).scan_fingerprint != plan.scan_fingerprint
    assert replace(plan, seed=3).scan_fingerprint == plan.scan_fingerprint
    assert replace(plan, seed=3).fingerprint != plan.fingerprint
    judge = '{"kind": "endpoint", "base_url": "http://secret.example/v1", "model": "m"}'
    full = replace(
        plan,
        judges=(judge, "labels:/home/somebody/labels.csv"),
        embedder={"kind": "endpoint", "base_url": "http://secret.example", "path": "/home/x"},
    )
    text = json.dumps(full.to_json())
    assert not any(word in text for word in ("secret", "somebody", "/home"))
    assert plan_from(json.loads(text)).fingerprint == full.fingerprint
    assert isinstance(full.judges[0], dict)


def test_plans_that_cannot_be_right() -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"evals": {}}, "one or more evaluation sets"),
        ({"evals": {"canary": {"path": "e"}}}, "none of them 'canary'"),
        ({"evals": {"m\udcff": {"path": "e"}}}, r"in Unicode, found 'm\\udcff'"),
        ({"evals": []}, "expected a table 'evals'"),
        ({"evals": {"mini": "e.jsonl"}}, "evals.mini: expected a table"),
        ({"train": {"path": "t.jsonl", "fields": 3}}, "train: fields: expected a text or a list"),
        ({"evals": {"mini": {"file": "e"}}}, "evals.mini: unknown 'file'"),
        ({"train": {"path": 3}}, "train: expected texts"),
        ({"thresold": 1}, "unknown 'thresold'"),
        ({"threshold": 1.5}, "threshold: expected -1 to 1"),
        ({"threshold": "0.4"}, "threshold: expected float"),
        ({"threshold": 0.4, "floor": 0.5}, "above the threshold"),
        ({"k": 0}, "k: expected 1"),
        ({"k": True}, "k: expected int"),
        ({"judges": "rule"}, "judges: expected a list"),
        ({"judges": [3]}, "judges: expected texts and tables"),
        ({"judges": ["{broken"]}, "expected a JSON object"),
        ({"on_bad_row": "skip"}, "error or count"),
        ({"words": {"threshold": 0.4}}, 'expected a fraction as "2/5"'),
        ({"words": {"threshold": "1/0"}}, "expected a fraction"),
        ({"words": {"threshold": "7/5"}}, r"threshold: .*\(0, 1\]"),
        ({"words": {"n": "5"}}, "n: expected int"),
        ({"words": {"size": 5}}, "expected a table with"),
        ({"words": {"tokenizer": "bpe"}}, "bpe"),
    ]
    for change, why in wrong:
        with pytest.raises(DataError, match=why):
            plan_from({**GOOD, **change})
    assert plan_from({**GOOD, "words": {"threshold": "0.35"}}).words.threshold == (7, 20)


def test_a_threshold_beside_its_model_is_that_models() -> None:
    parser = argparse.ArgumentParser()
    add_files(parser)
    add_judging(parser)
    revision = "a" * 40
    given = ["--train", "t.jsonl", "--eval", "e=e.jsonl", "--threshold", "0.8"]
    given += ["--embedder", f"sentence-transformers:lab/model@{revision}"]
    plan = plan_of(parser.parse_args(given))
    assert plan.embedder == {
        "kind": "sentence-transformers",
        "model": "lab/model",
        "revision": revision,
        "threshold": 0.8,
    }
    assert (plan.threshold, plan.threshold_of) == (0.8, "lab/model")
