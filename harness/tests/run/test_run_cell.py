"""One cell: generated once, read ever after, scored anew each time."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness import ids, run, segments
from harness.errors import DataError, MissingResponses, ModelError, StoreError
from harness.run import run_cell
from harness.scoring import score
from harness.tests.run.stand_ins import Bench, Stub, cell, dataset, record_lines
from harness.types import OUTCOMES, Decoding, Prompt, Reply, Request, Score


def bench(runs: Path, n: int = 10, **stub: Any) -> Bench:
    return Bench(runs, dataset(n), Stub(**stub))


def test_a_cell_is_generated_once_and_then_read(tmp_path: Path) -> None:
    made = bench(tmp_path)
    first = run_cell(cell(), made.context())
    again = run_cell(cell(), made.context(run_id="run-2"))

    assert (first.n_generated, again.n_generated) == (10, 0)
    assert made.n_opened == 1
    assert again.scores == first.scores
    assert again.responses == first.responses
    assert again.records_sha256 == first.records_sha256
    assert again.accuracy == 0.5
    assert again.batch_size is None
    assert first.example_ids == tuple(f"q{i:03d}" for i in range(10))
    assert [s.example_id for s in first.scores] == list(first.example_ids)
    assert set(first.counts) == set(OUTCOMES)
    assert first.timing_s.keys() == {"generate", "load", "total"}


def test_the_longest_prompt_is_asked_first(tmp_path: Path) -> None:
    made = bench(tmp_path, 6)
    run_cell(cell(decoding=Decoding(max_new_tokens=8, batch_sizes=(2,))), made.context())
    assert made.model.calls == [["q002", "q005"], ["q001", "q004"], ["q000", "q003"]]


def test_a_changed_prompt_is_another_cell(tmp_path: Path) -> None:
    made = bench(tmp_path)
    run_cell(cell(), made.context())
    other = run_cell(cell(prompt=Prompt(name="p", template="{question}!")), made.context())
    assert other.n_generated == 10


def test_the_small_tier_is_part_of_the_large_one(tmp_path: Path) -> None:
    made = bench(tmp_path)
    small = run_cell(cell(tier="canary", n=4), made.context())
    large = run_cell(cell(), made.context())
    assert (small.n_generated, large.n_generated) == (4, 6)
    assert small.key == large.key
    assert set(small.example_ids) < set(large.example_ids)
    assert run_cell(cell(tier="canary", n=4), made.context()).records_sha256 == small.records_sha256


def test_another_selection_takes_its_own_examples(tmp_path: Path) -> None:
    made = bench(tmp_path)
    one = run_cell(cell(n=4, base_seed=1), made.context())
    two = run_cell(cell(n=4, base_seed=2), made.context())
    assert one.example_ids != two.example_ids
    assert [s.example_id for s in two.scores] == list(two.example_ids)


def test_replicates_have_seeds_of_their_own(tmp_path: Path) -> None:
    made = bench(tmp_path, 3)
    decoding = Decoding(max_new_tokens=8, temperature=1.0, top_p=1.0, top_k=0)
    result = run_cell(cell(replicates=2, decoding=decoding), made.context())
    assert [(r.example_id, r.replicate) for r in result.responses][:2] == [("q000", 0), ("q000", 1)]
    assert [r.seed for r in result.responses] == [
        ids.seed(7, result.key, r.example_id, r.replicate) for r in result.responses
    ]
    assert len({r.seed for r in result.responses}) == 6
    more = run_cell(cell(replicates=3, decoding=decoding), made.context())
    assert more.n_generated == 3


def test_a_new_scorer_scores_old_answers_without_a_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = bench(tmp_path)
    first = run_cell(cell(), made.context())
    real = score

    def generous(example: Any, response: Any) -> Score:
        return replace(real(example, response), correct=True)

    def metrics(examples: Sequence[Any], scores: Sequence[Score]) -> dict[str, int]:
        assert [e.id for e in examples] == [s.example_id for s in scores]
        return {"n_right": sum(s.correct for s in scores)}

    monkeypatch.setattr(run, "score", generous)
    monkeypatch.setattr(run, "cell_metrics", metrics)
    again = run_cell(cell(), made.context(allow_generate=False))
    assert again.metrics == {"n_right": 10}
    assert again.records_sha256 == first.records_sha256
    assert made.n_opened == 1


def test_reading_a_complete_cell_writes_nothing(tmp_path: Path) -> None:
    made = bench(tmp_path)
    run_cell(cell(), made.context())
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    run_cell(cell(), made.context(allow_generate=False))
    run_cell(cell(), made.context())
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


def test_missing_responses_are_listed_where_generating_is_not_allowed(tmp_path: Path) -> None:
    made = bench(tmp_path)
    run_cell(cell(n=4), made.context())
    with pytest.raises(MissingResponses, match=r"full:e/.*10 stored responses, 6 missing in .*q0"):
        run_cell(cell(), made.context(allow_generate=False))
    assert made.n_opened == 1


def test_the_scorer_is_proved_before_a_model_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = bench(tmp_path)

    def lacking(*_: object) -> Score:
        raise ModuleNotFoundError("No module named 'sympy'")

    monkeypatch.setattr(run, "gold_fault", lacking)
    with pytest.raises(ModuleNotFoundError, match="sympy"):
        run_cell(cell(), made.context())
    assert made.n_opened == 0
    assert list(tmp_path.iterdir()) == []


def test_a_gold_that_does_not_match_itself_stops_the_cell(tmp_path: Path) -> None:
    made = bench(tmp_path)
    odd = replace(made.data.examples[0], gold="perhaps")
    made.data = replace(made.data, examples=(odd, *made.data.examples[1:]))
    with pytest.raises(DataError, match="'q000'.*the gold 'perhaps'"):
        run_cell(cell(), made.context())
    assert made.n_opened == 0


@pytest.mark.parametrize("examples", [(), ("q000", "q001", "q000")])
def test_no_examples_or_an_id_twice_stops_the_cell(
    tmp_path: Path, examples: tuple[str, ...]
) -> None:
    made = bench(tmp_path)
    by_id = {e.id: e for e in made.data.examples}
    made.data = replace(made.data, examples=tuple(by_id[i] for i in examples))
    with pytest.raises(DataError, match="expected examples with unique ids"):
        run_cell(cell(), made.context())


def test_a_selection_of_nothing_stops_the_cell(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="expected at least one example"):
        run_cell(cell(n=0), bench(tmp_path).context())


def test_foreign_records_stop_the_cell(tmp_path: Path) -> None:
    made = bench(tmp_path)
    run_cell(cell(), made.context())
    (path,) = tmp_path.glob("*/responses/s000.jsonl")
    path.write_bytes(path.read_bytes() + path.read_bytes().replace(b'"q00', b'"z00'))
    for allow_generate in (True, False):
        with pytest.raises(StoreError, match="10 foreign example"):
            run_cell(cell(), made.context(allow_generate=allow_generate))


def test_a_failed_call_is_never_an_answer(tmp_path: Path) -> None:
    def reply(request: Request) -> Reply:
        if request.example.id == "q000":
            return Reply(text="<answer>yes</answer>", status="error", error="429 too many")
        if request.example.id == "q001":
            return Reply(text=None)
        if request.example.id == "q002":
            return Reply(text="[ERROR] 429", error="429")
        return Reply(text="<answer>yes</answer>", status="ok")

    made = bench(tmp_path, 4, reply=reply)
    result = run_cell(cell(), made.context())
    assert [r.status for r in result.responses] == ["error", "error", "error", "ok"]
    assert [r.text for r in result.responses[:3]] == [None] * 3
    assert [s.outcome for s in result.scores[:3]] == ["runtime_error"] * 3
    assert result.responses[0].error == "429 too many"
    assert all(r.n_tokens is None for r in result.responses[:3])

    made.model.reply = None
    again = run_cell(cell(), made.context(run_id="run-2"))
    assert again.n_generated == 3
    assert again.counts["answered"] == 4


@pytest.mark.parametrize("status", ["truncated", "refused"])
def test_what_the_model_did_is_kept_and_not_asked_again(tmp_path: Path, status: Any) -> None:
    made = bench(tmp_path, 2, reply=lambda request: Reply(text="no end", status=status))
    result = run_cell(cell(), made.context())
    assert result.counts[status] == 2
    assert run_cell(cell(), made.context(run_id="run-2")).n_generated == 0


def test_a_wrong_number_of_replies_stops_the_cell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = bench(tmp_path)
    monkeypatch.setattr(Stub, "generate", lambda self, requests, decoding: [Reply(text="x")] * 3)
    with pytest.raises(ModelError, match="found 3 replies to 8 requests"):
        run_cell(cell(), made.context())
    assert record_lines(tmp_path) == []


def test_an_interrupted_cell_keeps_what_was_finished(tmp_path: Path) -> None:
    def progress(done: int, wanted: int) -> None:
        if done >= 4:
            raise KeyboardInterrupt

    made = bench(tmp_path)
    small = cell(decoding=Decoding(max_new_tokens=8, batch_sizes=(2, 1)))
    with pytest.raises(KeyboardInterrupt):
        run_cell(small, made.context(progress=progress))
    assert len(record_lines(tmp_path)) == 4
    assert run_cell(small, made.context()).n_generated == 6
    assert sorted(made.model.answered) == [e.id for e in made.data.examples]


def test_an_interrupt_inside_the_model_passes_through(tmp_path: Path) -> None:
    def stop(request: Request) -> str:
        raise SystemExit(3)

    with pytest.raises(SystemExit):
        run_cell(cell(), bench(tmp_path, answer=stop).context())
    assert record_lines(tmp_path) == []


def test_progress_counts_up_to_what_is_wanted(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    run_cell(cell(), bench(tmp_path).context(progress=lambda *a: seen.append(a)))
    assert seen == [(8, 10), (10, 10)]


def test_environment_and_global_generators_are_left_as_they_were(tmp_path: Path) -> None:
    def disturb(request: Request) -> str:
        os.environ["ASSAY_PLANTED"] = "1"
        os.environ.pop("ASSAY_PRESENT", None)
        random.seed(1)
        np.random.seed(1)
        return "yes"

    os.environ["ASSAY_PRESENT"] = "here"
    try:
        before = dict(os.environ), random.getstate(), repr(np.random.get_state())
        run_cell(cell(), bench(tmp_path, answer=disturb).context())
        after = dict(os.environ), random.getstate(), repr(np.random.get_state())
    finally:
        del os.environ["ASSAY_PRESENT"]
    assert after == before


def test_importing_it_loads_nothing_heavy() -> None:
    script = "import sys, harness.run; print(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True, text=True
    )
    heavy = {"torch", "transformers", "pandas", "numpy", "pydantic", "PIL", "scipy", "pytest"}
    assert heavy.isdisjoint(done.stdout.split())


def test_reading_does_not_grow_with_what_was_read_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[int] = []
    real = segments._parsed

    def counted(line: bytes, path: Path, number: int) -> dict[str, Any]:
        parsed.append(number)
        return real(line, path, number)

    monkeypatch.setattr(segments, "_parsed", counted)
    counts = {}
    for n in (50, 100, 200):
        parsed.clear()
        made = bench(tmp_path / str(n), n)
        for i in range(4):
            run_cell(cell(n=n // 4 * (i + 1)), made.context())
        counts[n] = len(parsed) / n
    # Each record is parsed once per run that follows it, however many there are.
    assert counts[50] <= 4
    assert counts[200] == pytest.approx(counts[50], rel=0.05)
