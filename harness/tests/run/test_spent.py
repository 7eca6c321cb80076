"""What a cell took: read from its events, whatever session wrote them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from harness.errors import StoreError
from harness.run import run_cell
from harness.tests.run.stand_ins import Bench, Stub, cell, dataset, events
from harness.types import Decoding

FOURS = cell(decoding=Decoding(max_new_tokens=8, batch_sizes=(4, 1)))


def test_a_resumed_cell_knows_the_seconds_of_all_its_sessions(tmp_path: Path) -> None:
    small = Bench(tmp_path, dataset(10), Stub(slow_s=0.001))
    first = run_cell(replace(FOURS, n=6), small.context())
    whole = run_cell(FOURS, small.context(run_id="run-2"))
    again = run_cell(FOURS, small.context(run_id="run-3"))
    assert first.measured is not None and whole.measured is not None
    assert (first.measured.n_timed, whole.measured.n_timed) == (6, 10)
    assert (first.measured.n_sessions, whole.measured.n_sessions) == (1, 2)
    assert again.measured == whole.measured
    assert "generate" not in again.timing_s
    said = sum(event["seconds"] for event in events(tmp_path))
    assert whole.measured.seconds == pytest.approx(said)
    assert whole.measured.seconds > first.measured.seconds > 0.006
    assert whole.measured.seconds_per_response == pytest.approx(said / 10)


def test_a_sample_of_a_stored_cell_takes_its_share(tmp_path: Path) -> None:
    made = Bench(tmp_path, dataset(10), Stub(slow_s=0.001))
    whole = run_cell(FOURS, made.context()).measured
    some = run_cell(replace(FOURS, n=5), made.context()).measured
    assert whole is not None and some is not None
    assert some.n_timed == 5
    assert 0.004 < some.seconds < whole.seconds


def test_failed_and_repeated_calls_took_time_too(tmp_path: Path) -> None:
    made = Bench(tmp_path, dataset(4), Stub(slow_s=0.002, oom_above=1))
    spent = run_cell(FOURS, made.context()).measured
    assert spent is not None
    assert [e["batch_size"] for e in events(tmp_path)] == [4, 1, 1, 1, 1]
    assert spent.seconds > 2 * 4 * 0.002
    assert spent.n_timed == 4


def test_events_are_no_part_of_what_is_judged(tmp_path: Path) -> None:
    """Without them, or with those of a writer that told no seconds, nothing is known."""
    made = Bench(tmp_path, dataset(4))
    first = run_cell(FOURS, made.context())
    (path,) = tmp_path.glob("*/events/*.jsonl")
    path.write_text('{"run":"other","made":[["q000",0,1]]}\n', encoding="ascii")
    again = run_cell(FOURS, made.context())
    assert again.measured is None
    assert again.records_sha256 == first.records_sha256


@pytest.mark.parametrize(
    "line",
    [
        '{"asked":[["q000",0]],"made":[],"seconds":1.0}',
        '{"asked":[["q000",0]],"made":[],"run":"r","seconds":-1}',
        '{"asked":[["q000",0]],"made":[],"run":"r","seconds":"1"}',
        '{"asked":[["q000",0]],"made":[["q000"]],"run":"r","seconds":1}',
        '{"asked":[["q000",0]],"made":[],"run":"r","seconds":1,"peak_memory_gib":true}',
    ],
)
def test_a_damaged_event_is_named_by_file_and_line(tmp_path: Path, line: str) -> None:
    made = Bench(tmp_path, dataset(4))
    run_cell(FOURS, made.context())
    (path,) = tmp_path.glob("*/events/*.jsonl")
    path.write_text(f"{path.read_text()}{line}\n", encoding="ascii")
    with pytest.raises(StoreError, match=r"events/s000\.jsonl:2: expected an event with run"):
        run_cell(FOURS, made.context())
