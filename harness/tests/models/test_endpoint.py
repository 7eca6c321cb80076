"""An endpoint against a real local server: what is sent, what comes back, and every failure."""

from __future__ import annotations

import base64
import io
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from harness import ids
from harness.errors import ModelError
from harness.identity import cell_identity, cell_key
from harness.models.endpoint import Endpoint, EndpointFailure, open_endpoint
from harness.models.fingerprint import model_fingerprint
from harness.models.load import open_model
from harness.run import run_cell
from harness.study import unpinned
from harness.tests.local_service import Handler, Service, completion, fault, serving
from harness.tests.models.asked import choice, dataset, request
from harness.tests.run.stand_ins import Bench, cell
from harness.types import Decoding, ModelSpec, Reply, Request

GREEDY = Decoding(max_new_tokens=16)


class Server(Service):
    """Answers as the last line of the prompt says; keeps every body and header."""

    def __init__(self) -> None:
        super().__init__(Answers)
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []
        self.seen: dict[str, int] = {}


class Answers(Handler):
    server: Server

    def answer(self) -> None:
        body = self.body()
        prompt = body["messages"][0]["content"][-1]["text"]
        with self.server.lock:
            self.server.bodies.append(body)
            self.server.headers.append({k.lower(): v for k, v in self.headers.items()})
            n = self.server.seen[prompt] = self.server.seen.get(prompt, 0) + 1
        how, _, text = prompt.rpartition("\n")[2].partition(":")
        match how:
            case "say":
                self.give(200, completion(text))
            case "cut":
                self.give(200, completion(text, finish="length"))
            case "filter":
                self.give(200, completion(None, finish="content_filter"))
            case "refuse":
                self.give(200, completion(None, refusal=text))
            case "tool":
                self.give(200, completion(None, finish="tool_calls"))
            case "empty":
                self.give(200, {"choices": []})
            case "garbage":
                self.give_bytes(200, b'{"choices": [', "application/json")
            case "page":
                self.give_bytes(200, b"<html>busy</html>", "text/html")
            case "slow":
                time.sleep(float(text))
                self.give(200, completion("A"))
            case "drop":
                self.close_connection = True
            case "later" if n <= 2:
                status = int(text)
                self.give(status, fault(f"wait, ticket {n}"), {"Retry-After": "0"})
            case "later":
                self.give(200, completion("B"))
            case "echo":
                told = f"bad key {self.key} at {self.server.url}"
                self.give(int(text), fault(told))
            case "status":
                self.give(int(text), fault(f"no such thing, ticket {n}"))


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving(Server()) as made:
        yield made


def spec_of(server: Server, **changes: Any) -> ModelSpec:
    source = {
        "kind": "endpoint", "base_url": server.url, "label": "local", "model": "judge-1",
        "revision": None, "timeout_s": 5.0, "n_attempts": 3, "backoff_s": 0.001,
    }  # fmt: skip
    return ModelSpec(name="judge", source=source | changes)


@pytest.fixture(scope="module")
def model(server: Server) -> Iterator[Endpoint]:
    made = open_endpoint(spec_of(server))
    yield made
    made.close()
    made.close()


def asked(prompt: str, index: int = 0, seed: int = 11) -> Request:
    return replace(request(choice(index), seed=seed), prompt=prompt)


def test_what_is_sent(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_KEY", "k-secret")
    spec = replace(spec_of(server, api_key_env="JUDGE_KEY"), max_image_side_px=2)
    made = open_endpoint(spec)
    server.bodies.clear()
    server.headers.clear()
    assert made.generate([asked("Q\nsay:B")], GREEDY) == [Reply(text="B", n_tokens=3)]
    sampled = Decoding(max_new_tokens=5, temperature=0.7, top_p=0.9)
    made.generate([asked("Q\nsay:A", seed=12)], sampled)
    first, second = server.bodies
    picture, text = first["messages"][0]["content"]
    assert text == {"type": "text", "text": "Q\nsay:B"}
    head, _, raw = picture["image_url"]["url"].partition(",")
    with Image.open(io.BytesIO(base64.b64decode(raw))) as image:
        assert (head, image.format, image.size) == ("data:image/png;base64", "PNG", (2, 2))
    assert {k: first[k] for k in ("model", "max_tokens", "temperature", "seed")} == {
        "model": "judge-1", "max_tokens": 16, "temperature": 0.0, "seed": 11,
    }  # fmt: skip
    assert {k: second[k] for k in ("max_tokens", "temperature", "top_p", "seed")} == {
        "max_tokens": 5, "temperature": 0.7, "top_p": 0.9, "seed": 12,
    }  # fmt: skip
    assert "top_p" not in first
    assert server.headers[0]["authorization"] == "Bearer k-secret"
    made.close()
    newer = open_endpoint(spec_of(server, token_field="max_completion_tokens"))
    newer.generate([asked("Q\nsay:B")], GREEDY)
    newer.close()
    assert server.bodies[-1]["max_completion_tokens"] == 16
    assert "max_tokens" not in server.bodies[-1]


def test_every_kind_of_answer_and_failure_has_its_status(model: Endpoint, server: Server) -> None:
    cases: list[tuple[str, Reply, int]] = [
        ("say:A", Reply(text="A", n_tokens=3), 1),
        ("cut:The", Reply(text="The", n_tokens=3, status="truncated"), 1),
        ("filter:", Reply(text="", status="refused"), 1),
        ("refuse:I will not.", Reply(text="I will not.", n_tokens=3, status="refused"), 1),
        ("later:429", Reply(text="B", n_tokens=3), 3),
        ("later:500", Reply(text="B", n_tokens=3), 3),
        ("status:400", failed("HTTP 400: no such thing, ticket 1"), 1),
        ("status:503", failed("HTTP 503 (3 attempts)"), 3),
        ("status:429", failed("HTTP 429 (3 attempts)"), 3),
        ("garbage:", failed("an answer that is no JSON (3 attempts)"), 3),
        ("page:", failed("an answer without choices (3 attempts)"), 3),
        ("empty:", failed("an answer without choices (3 attempts)"), 3),
        ("tool:", failed("an answer without text (finish_reason tool_calls) (3 attempts)"), 3),
        ("drop:", failed("no connection (3 attempts)"), 3),
    ]
    prompts = [f"case {place}\n{how}" for place, (how, _, _) in enumerate(cases)]
    replies = model.generate([asked(prompt) for prompt in prompts], GREEDY)
    for (how, expected, n), prompt, reply in zip(cases, prompts, replies, strict=True):
        assert reply == expected, how
        assert server.seen[prompt] == n, how


def failed(text: str) -> Reply:
    return Reply(text=None, status="error", error=f"endpoint: {text}")


def test_a_slow_answer_is_given_up(server: Server) -> None:
    made = open_endpoint(spec_of(server, timeout_s=0.1, n_attempts=2))
    replies = made.generate([asked("1\nslow:0.5"), asked("1\nsay:A")], GREEDY)
    made.close()
    assert replies == [failed("no answer within 0.1 s (2 attempts)"), Reply(text="A", n_tokens=3)]


def test_answers_come_in_the_order_of_the_requests(model: Endpoint) -> None:
    prompts = [f"order {i}\nslow:{0.05 * (4 - i)}" if i < 4 else f"\nsay:{i}" for i in range(24)]
    replies = model.generate([asked(prompt) for prompt in prompts], GREEDY)
    assert [r.text for r in replies] == ["A"] * 4 + [str(i) for i in range(4, 24)]
    assert model.generate([], GREEDY) == []


def test_what_stops_a_run(model: Endpoint, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(EndpointFailure, match="HTTP 501"):
        model.generate([asked("stop\nstatus:500"), asked("stop\nstatus:501")], GREEDY)
    for status in (401, 403, 404):
        with pytest.raises(ModelError, match=f"the endpoint refuses it .HTTP {status}"):
            model.generate([asked(f"stop\nstatus:{status}")], GREEDY)
    for changes, field in (
        ({"top_k": 4, "temperature": 1.0}, "top_k"),
        ({"repetition_penalty": 1.1}, "rep"),
    ):
        with pytest.raises(ModelError, match=f"no field for {field}"):
            model.generate([asked("x\nsay:A")], replace(GREEDY, **changes))
    monkeypatch.delenv("JUDGE_KEY", raising=False)
    with pytest.raises(ModelError, match="variable JUDGE_KEY to hold the endpoint's key"):
        open_endpoint(spec_of(server, api_key_env="JUDGE_KEY"))
    reward = replace(spec_of(server), family="reward")
    with pytest.raises(ModelError, match="of a reward model to be one of"):
        open_model(reward, dataset([choice(0)]), "cpu", 1)


def test_a_cell_keeps_failures_as_failures_and_no_address(server: Server, tmp_path: Path) -> None:
    examples = [
        choice(i, question=q) for i, q in enumerate(("say:B", "status:500", "say:C", "say:B"))
    ]
    data = dataset(examples)
    spec = spec_of(server)
    asked_cell = cell(model=spec, data="toy", decoding=GREEDY)
    bench = Bench(tmp_path, data)
    context = bench.context(
        model=lambda spec, name: open_model(spec, data, "cpu", 1),
        fingerprint=model_fingerprint,
    )
    result = run_cell(asked_cell, context)
    assert [s.outcome for s in result.scores] == [
        "answered", "runtime_error", "answered", "answered",
    ]  # fmt: skip
    assert (result.n_counted, result.n_correct) == (3, 2)
    stored = b"".join(p.read_bytes() for p in tmp_path.rglob("*") if p.is_file())
    assert b"127.0.0.1" not in stored
    assert str(server.server_port).encode() not in stored
    elsewhere = replace(spec, source={**spec.source, "base_url": "http://h/v1", "timeout_s": 9.0})
    keys = {
        cell_key(cell_identity(replace(asked_cell, model=s), data, model_fingerprint(s, "toy")))
        for s in (spec, elsewhere)
    }
    assert keys == {result.key}
    other = replace(spec, source={**spec.source, "revision": "b" * 40})
    assert model_fingerprint(other, "toy") != model_fingerprint(spec, "toy")
    assert unpinned(other) is None
    assert "models.judge.source.revision" in str(unpinned(spec))
    assert ids.digest(model_fingerprint(spec, "toy"))


def test_what_a_service_repeats_of_key_and_address_is_kept_nowhere(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "sk-secret-0123456789"
    monkeypatch.setenv("ECHOED_KEY", key)
    model = open_endpoint(spec_of(server, api_key_env="ECHOED_KEY"))
    (reply,) = model.generate([asked("echo:400")], GREEDY)
    with pytest.raises(ModelError) as found:
        model.generate([asked("echo:401")], GREEDY)
    model.close()
    assert found.value.__cause__ is None and found.value.__suppress_context__
    for text in (str(reply.error), str(found.value)):
        assert "HTTP 40" in text
        assert key not in text and "127.0.0.1" not in text and str(server.server_port) not in text
