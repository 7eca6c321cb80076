"""An endpoint judge against a real local server: replies, failures, limits, and resuming."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.audit.pairs import Opinion
from harness.contamination.judges import endpoint, open_judge
from harness.contamination.judges.endpoint import EndpointJudge
from harness.errors import DataError, ModelError, StoreError
from harness.tests.contamination.judge_server import Server, pairs_of, serving, spec_of

KEY = "sk-secret-0123456789"


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as made:
        yield made


def judged(server: Server, store: Path, *rows: str, **changes: Any) -> list[Opinion]:
    judge = opened(server, store, **changes)
    try:
        return judge.judge(pairs_of(*rows))
    finally:
        judge.close()


def opened(server: Server, store: Path, **changes: Any) -> EndpointJudge:
    judge = open_judge(spec_of(server, **changes), store)
    assert isinstance(judge, EndpointJudge)
    return judge


def lines(store: Path, folder: str) -> list[dict[str, Any]]:
    text = "".join(path.read_text() for path in sorted(store.glob(f"*/{folder}/*.jsonl")))
    return [json.loads(line) for line in text.splitlines()]


def test_every_kind_of_reply_and_failure(server: Server, tmp_path: Path) -> None:
    cases: list[tuple[str, str | None, str, int, bool]] = [
        ("say:duplicate", "duplicate", "said duplicate", 1, True),
        ("say:neighbour", "neighbour", "said neighbour", 1, True),
        ("later:429", "duplicate", "said duplicate", 3, True),
        ("later:503", "duplicate", "said duplicate", 3, True),
        ("say:maybe", None, "expected the label duplicate or neighbour, found 'maybe'", 1, True),
        ('raw:"They are the same."', None, "no JSON object: They are", 1, True),
        ('raw:"{\\"label\\": \\"dup"', None, "no JSON object", 1, True),
        ('raw:""', None, "the reply is empty", 1, True),
        ("refuse:I will not.", None, "the reply is refused: I will not.", 1, True),
        ('cut:{"label": "duplicate"', None, "cut at 512 tokens; raise max_tokens", 1, True),
        ("status:500", None, "HTTP 500 (3 attempts)", 3, False),
        ("status:400", None, "HTTP 400: no such thing", 1, False),
        ("say:" + "x" * 400, None, "more than 390 characters; raise max_chars", 0, False),
    ]
    rows = [row for row, *_ in cases]
    found = judged(server, tmp_path, *rows, max_chars=390)
    for opinion, (row, label, reason, n_asked, _) in zip(found, cases, strict=True):
        assert opinion.label == label, row
        assert reason in opinion.reason, row
        assert server.asked.count(row) == n_asked, row
    assert [one.key for one in found] == [pair.key for pair in pairs_of(*rows)]
    stored = {one["reply"]["text"] for one in lines(tmp_path, "replies")}
    assert len(lines(tmp_path, "replies")) == sum(kept for *_, kept in cases)
    assert "They are the same." in stored and "I will not." in stored
    before = len(server.asked)
    again = judged(server, tmp_path, *rows, max_chars=390)
    # What was answered, be it in prose, is never asked again; what was not, is.
    assert server.asked[before:].count("status:500") == 3
    assert set(server.asked[before:]) == {"status:500", "status:400"}
    assert again == found


def test_of_an_endless_reply_a_piece_is_kept(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "_MOST_KEPT", 100)
    found = judged(server, tmp_path, f'raw:"{"x" * 5_000}"', "say:neighbour")
    assert [one.label for one in found] == [None, "neighbour"]
    kept = sorted(len(one["reply"]["text"]) for one in lines(tmp_path, "replies"))
    assert kept[0] < 100 and kept[1:] == [100]


def test_what_is_sent_and_what_is_stored(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUDGE_KEY", KEY)
    server.key = KEY
    judge = opened(server, tmp_path, api_key_env="JUDGE_KEY", name="first judge")
    two = pairs_of("say:duplicate", "say:duplicate")
    assert [one.label for one in judge.judge(two)] == ["duplicate"] * 2
    (body,) = server.bodies
    assert (body["model"], body["max_tokens"], body["temperature"]) == ("judge-1", 512, 0.0)
    (record,) = lines(tmp_path, "replies")
    assert record["request"]["prompt"] == body["messages"][0]["content"][-1]["text"]
    assert record["request"]["seed"] == body["seed"]
    assert lines(tmp_path, "spent")[0]["attempts"] == 1
    assert judge.spent == {"requests": 1, "tokens": 100}
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    for secret in (KEY, "127.0.0.1", str(server.server_port)):
        assert secret.encode() not in kept and secret not in json.dumps(judge.identity)
    judge.close()
    judge.close()


def test_another_model_prompt_or_text_is_asked_again(server: Server, tmp_path: Path) -> None:
    judged(server, tmp_path, "say:duplicate")
    judged(server, tmp_path, "say:duplicate", model="judge-2")
    judged(server, tmp_path, "say:duplicate", max_tokens=64)
    judged(server, tmp_path, "say:duplicate", revision="b" * 40)
    judged(server, tmp_path, "say:duplicate 2")
    assert len(server.asked) == 5
    moved = {"timeout_s": 4.0, "n_attempts": 2, "concurrency": 1, "max_requests": 9}
    judged(server, tmp_path, "say:duplicate", **moved)
    assert len(server.asked) == 5


def test_time_out(server: Server, tmp_path: Path) -> None:
    (slow, quick) = judged(
        server, tmp_path, "slow:0.4", "say:neighbour", timeout_s=0.1, n_attempts=2
    )
    assert slow.label is None and "no answer within 0.1 s (2 attempts)" in slow.reason
    assert quick.label == "neighbour"
    spent = {one["attempts"]: one["tokens"] for one in lines(tmp_path, "spent")}
    # What was never answered may have been worked on: it counts as the most it can take.
    assert spent[1] == 100 and spent[2] > 2 * 512


def test_an_expired_key_stops_and_only_the_missing_are_asked(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUDGE_KEY", KEY)
    rows = [f"say:duplicate {n}" for n in range(12)]
    server.valid_requests = 5
    with pytest.raises(ModelError) as stopped:
        judged(server, tmp_path, *rows, api_key_env="JUDGE_KEY")
    for told in ("HTTP 401", "5 of 12 pairs are answered and stored", "only the missing"):
        assert told in str(stopped.value)
    assert KEY not in str(stopped.value) and str(server.server_port) not in str(stopped.value)
    assert len(server.asked) < 12
    answered = len(lines(tmp_path, "replies"))
    assert answered == 5
    server.valid_requests = None
    server.asked.clear()
    found = judged(server, tmp_path, *rows, api_key_env="JUDGE_KEY")
    assert [one.label for one in found] == ["duplicate"] * 12
    assert len(server.asked) == 12 - answered == len(set(server.asked))


def test_limits_hold_over_all_runs(server: Server, tmp_path: Path) -> None:
    rows = [f"say:neighbour {n}" for n in range(9)]
    for _ in range(2):
        with pytest.raises(ModelError, match="max_requests reached: 4 of 4 requests sent; 4 of 9"):
            judged(server, tmp_path, *rows, max_requests=4)
    assert len(server.asked) == 4
    # A request takes 100 tokens, and before it is sent counts as its bytes and the longest reply.
    most = len(server.bodies[0]["messages"][0]["content"][-1]["text"]) + 512 + 64
    with pytest.raises(ModelError, match=f"reached: 600 of {most + 599} tokens spent"):
        judged(server, tmp_path, *rows, max_tokens_total=most + 599)
    assert len(lines(tmp_path, "replies")) == len(server.asked) == 6
    assert [one.label for one in judged(server, tmp_path, *rows)] == ["neighbour"] * 9
    assert len(server.asked) == 9 == len(set(server.asked))
    # Nothing is missing any more, so no limit is in the way.
    assert len(judged(server, tmp_path, *rows, max_requests=0)) == 9


def test_attempts_count_as_requests(server: Server, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="max_requests reached: 2 of 2"):
        judged(server, tmp_path, "status:500", max_requests=2)
    assert len(server.asked) == 2
    (spent,) = lines(tmp_path, "spent")
    assert (spent["attempts"], spent["tokens"]) == (2, 0)


def test_a_service_that_is_down_stops_the_run(server: Server, tmp_path: Path) -> None:
    rows = [f"status:50{n % 10}" for n in range(9)]
    with pytest.raises(ModelError, match="3 pairs in a row got no answer .*HTTP 50"):
        judged(server, tmp_path, *rows, max_failures=3, n_attempts=1, concurrency=1)
    assert len(server.asked) == 3


def test_a_killed_process_loses_nothing_that_was_answered(server: Server, tmp_path: Path) -> None:
    rows = [f"say:duplicate {n}" for n in range(6)] + [f"slow:60 {n}" for n in range(4)]
    program = (
        "import json, sys\nfrom pathlib import Path\n"
        "from harness.contamination.judges import open_judge\n"
        "from harness.tests.contamination.judge_server import pairs_of\n"
        "spec, store, rows = json.loads(sys.argv[1])\n"
        "open_judge(spec, Path(store)).judge(pairs_of(*rows))\n"
    )
    given = json.dumps([spec_of(server, timeout_s=120.0), str(tmp_path), rows])
    process = subprocess.Popen([sys.executable, "-c", program, given], env={**os.environ})
    try:
        for _ in range(2_000):
            if len(lines(tmp_path, "spent")) >= 6 and len(server.asked) >= 10:
                break
            time.sleep(0.01)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert len(lines(tmp_path, "replies")) == 6
    (segment,) = tmp_path.glob("*/replies/*.jsonl")
    with open(segment, "ab") as handle:
        handle.write(b'{"key": "half a li')
    server.asked.clear()
    judge = opened(server, tmp_path, n_attempts=1, timeout_s=0.2)
    assert len(judge.notes) == 1 and "incomplete last line of 18 bytes" in judge.notes[0]
    found = judge.judge(pairs_of(*rows))
    judge.close()
    assert [one.label for one in found] == ["duplicate"] * 6 + [None] * 4
    assert sorted(server.asked) == sorted(rows[6:])
    assert opened(server, tmp_path).notes == []
    segment.write_bytes(b"no JSON\n" + segment.read_bytes())
    with pytest.raises(StoreError, match=r"s000.jsonl:1: expected one JSON object"):
        opened(server, tmp_path)


def test_specs_that_are_refused(server: Server, tmp_path: Path) -> None:
    for changes, told in (
        ({"base": "x"}, r"found unknown .'base'., missing \[\]"),
        ({"model": ""}, "model: expected a text"),
        ({"concurrency": 0}, "concurrency: expected 1 to 64, found 0"),
        ({"max_requests": True}, "max_requests: expected 0"),
        ({"timeout_s": float("nan")}, "timeout_s: expected 0 to 3600"),
        ({"kind": "oracle"}, "found 'oracle'"),
    ):
        with pytest.raises(DataError, match=told):
            open_judge(spec_of(server, **changes), tmp_path)
    with pytest.raises(ModelError, match="variable NO_SUCH_KEY to hold"):
        open_judge(spec_of(server, api_key_env="NO_SUCH_KEY"), tmp_path)
    for text, told in (("{broken", "found no JSON"), ("labels", "found 'labels'"), ("x:y", "'x'")):
        with pytest.raises(DataError, match=told):
            open_judge(text, tmp_path)
    assert open_judge('{"kind": "rule"}', tmp_path).name == "rule-v1"
    assert not list(tmp_path.iterdir())
