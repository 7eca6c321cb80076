"""Flat rows become metrics: nothing is invented, and nothing undefined becomes a number."""

from __future__ import annotations

import json
import random

import pytest

from harness import ids
from harness.report.validation import validate
from harness.stats.proportion import wilson
from harness.tests.report.made_run import cell, failed_cell, gate, metrics, shard


def test_a_complete_cell_keeps_every_fact() -> None:
    found = metrics([cell(), gate()])["cells"][0]
    assert found["outcomes"] == {
        "answered": 57,
        "review": 1,
        "truncated": 1,
        "refused": 0,
        "resource_error": 1,
        "runtime_error": 0,
    }
    assert (found["n"], found["n_counted"], found["n_correct"]) == (60, 59, 56)
    assert found["metrics"] == {"accuracy[colour]": 0.95}
    assert found["seconds"] == {"generate": 1.25}
    assert found["variant"] is None
    assert found["complete"] is True


def test_an_accuracy_comes_with_its_wilson_interval() -> None:
    found = metrics([cell(), gate()])["cells"][0]["accuracy"]
    estimate = wilson(56, 59, 0.95)
    assert (found["value"], found["low"], found["high"]) == (
        estimate.value,
        estimate.low,
        estimate.high,
    )
    assert (found["level"], found["n"], found["method"]) == (0.95, 59, estimate.method)


def test_a_denominator_of_zero_gives_null() -> None:
    counts = {f"outcome.{name}": 0 for name in ("answered", "review", "truncated")}
    row = cell(n_counted=0, n_correct=0, accuracy=None, parse_rate=None, **counts)
    found = metrics([row, gate()])
    validate(found)
    assert found["cells"][0]["accuracy"]["value"] is None
    assert found["cells"][0]["parse_rate"] is None


def test_a_cell_that_failed_early_has_names_and_no_numbers() -> None:
    found = metrics([failed_cell(), gate()], reasons=["micro-base: boom"])
    validate(found)
    entry = found["cells"][0]
    assert entry["complete"] is False
    assert entry["model"] == "micro-base"
    assert [entry[k] for k in ("n", "accuracy", "outcomes", "key", "claim_level")] == [None] * 5


def test_a_gate_without_a_verdict_is_not_go() -> None:
    found = metrics([gate(go=None, issues=None, facts=None)], reasons=["no verdict"])
    validate(found)
    assert found["gates"][0]["go"] is None


def test_shards_stand_apart_from_cells() -> None:
    found = metrics([cell(), shard(), gate()])
    validate(found)
    assert [s["id"][-4:] for s in found["shards"]] == ["0of2"]
    assert len(found["cells"]) == 1


def test_the_order_of_the_rows_does_not_matter() -> None:
    rows = [cell(), cell(view="blank"), cell("micro-base"), gate(), gate(id="canary:z/y")]
    mixed = rows.copy()
    random.Random(1).shuffle(mixed)
    assert metrics(mixed) == metrics(rows)


def test_the_order_of_the_keys_in_a_row_does_not_matter() -> None:
    """AT-59: each worker may hand out its facts in another order."""
    rows = [cell(**{"metric.f1": 0.5, "seconds.load": 2.0}), cell(view="blank"), gate()]
    turned = [dict(reversed(row.items())) for row in rows]
    assert json.dumps(metrics(turned)) == json.dumps(metrics(rows))


def test_the_study_claims_no_more_than_its_weakest_cell() -> None:
    found = metrics([cell(claim_level="L2"), cell(view="blank", claim_level="L1"), gate()])["study"]
    assert found["claim_level"] == "L1"
    assert found["thresholds_sha256"] == ids.digest(found["thresholds"])
    assert metrics([gate()])["study"]["claim_level"] is None


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="'canary:x'.*found 'sell'"):
        metrics([cell(kind="sell", id="canary:x")])


def test_the_busy_share_leaves_loading_out() -> None:
    """AT-109."""
    times = {"seconds.total": 10.0, "seconds.load": 2.0, "seconds.generate": 6.0}
    assert metrics([cell(**times), gate()])["cells"][0]["busy_share"] == 0.75
    assert metrics([cell(**times, n_generated=0), gate()])["cells"][0]["busy_share"] is None
    assert metrics([cell(), gate()])["cells"][0]["busy_share"] is None
