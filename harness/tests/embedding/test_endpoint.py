"""An embeddings endpoint against a real local server: what is sent, and every failure."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from harness.embedding.endpoint import EndpointEmbedder
from harness.embedding.load import open_embedder
from harness.errors import DataError, ModelError, StudyError
from harness.tests.local_service import Handler, Service, fault, serving

KEY = "sk-very-secret-0042"


class Server(Service):
    """Answers as the last text of a request says; keeps every body."""

    def __init__(self) -> None:
        super().__init__(Answers)
        self.bodies: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.seen: dict[str, int] = {}


class Answers(Handler):
    server: Server

    def answer(self) -> None:
        body = self.body()
        self.server.bodies.append({**body, "path": self.path})
        self.server.keys.append(self.headers["Authorization"])
        texts = body["input"]
        n = self.server.seen[texts[-1]] = self.server.seen.get(texts[-1], 0) + 1
        how, _, value = texts[-1].partition(":")
        vectors: list[Any] = [[float(len(text)), 1.0, -2.0] for text in texts]
        match how:
            case "slow":
                time.sleep(float(value))
            case "drop":
                self.close_connection = True
                return
            case "page":
                self.give_bytes(200, b"<html>busy</html>", "text/html")
                return
            case "later" if n <= 2:
                self.give(int(value), fault("wait"), {"Retry-After": "0"})
                return
            case "status":
                self.give(int(value), fault("too long"))
                return
            case "echo":
                told = f"bad key {self.key} at {self.server.url}"
                self.give(int(value), fault(told))
                return
            case "fewer":
                vectors.pop()
            case "wider":
                vectors[-1] = [1.0] * 4
            case "nan":
                vectors[-1] = [float("nan"), 0.0, 1.0]
            case "zero":
                vectors[-1] = [0.0] * 3
            case "words":
                vectors[-1] = ["a", "b", "c"]
        data = [{"object": "embedding", "index": k, "embedding": v} for k, v in enumerate(vectors)]
        self.give(200, {"object": "list", "model": "e", "data": data[::-1]})


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving(Server()) as made:
        yield made


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBED_KEY", KEY)


@lru_cache  # a client takes long to make
def opened(server: Server, **more: Any) -> EndpointEmbedder:
    spec = {
        "kind": "endpoint", "base_url": server.url, "model": "e", "revision": "2026-01",
        "dimensions": 3, "max_tokens": 20, "threshold": 0.8, "api_key_env": "EMBED_KEY",
        "n_attempts": 3, "backoff_s": 0.01, **more,
    }  # fmt: skip
    made = open_embedder(spec)
    assert isinstance(made, EndpointEmbedder)
    return made


def test_texts_go_in_batches_and_come_back_in_order(server: Server) -> None:
    embedder = opened(server, batch_size=2, prompt="q: ", send_dimensions=True)
    before = len(server.bodies)
    texts = ["a", "bb", "c" * 61, "\ud800 dd", "eeeee"]
    made = embedder.embed(texts)
    sent = server.bodies[before:]
    assert [len(body["input"]) for body in sent] == [2, 2, 1]
    assert sent[0] == {
        "input": ["q: a", "q: bb"], "model": "e", "dimensions": 3, "encoding_format": "float",
        "path": "/v1/embeddings",
    }  # fmt: skip
    assert server.keys[-1] == f"Bearer {KEY}"
    lengths = np.array([[3 + len(text), 1, -2] for text in texts], np.float64)
    lengths /= np.linalg.norm(lengths, axis=1, keepdims=True)
    assert made.vectors == pytest.approx(lengths, abs=1e-6)
    # Of 61 bytes and 20 tokens nobody here knows; that it was counted is not claimed.
    assert made.truncated.tolist() == [False, False, True, False, False]
    assert made.estimated.all()
    assert embedder.embed([]).vectors.shape == (0, 3)


def test_identity_and_threshold_are_stated(server: Server) -> None:
    embedder = opened(server, label="ours")
    assert embedder.threshold == 0.8
    told = str(embedder.identity)
    assert "ours" in told and "127.0.0.1" not in told and KEY not in told
    other = opened(server, revision="2026-02")
    assert other.identity.fingerprint() != embedder.identity.fingerprint()


@pytest.mark.parametrize("text", ["later:429", "later:503", "later:408"])
def test_a_busy_service_is_asked_again(server: Server, text: str) -> None:
    assert opened(server).embed([text]).vectors.shape == (1, 3)
    assert server.seen[text] == 3


@pytest.mark.parametrize(
    ("text", "error", "message", "attempts"),
    [
        ("status:500", ModelError, r"HTTP 500 \(3 attempts\); vectors .* kept .* run again", 3),
        ("drop:", ModelError, r"no connection \(3 attempts\)", 3),
        ("slow:1", ModelError, r"no answer within 0\.1 s \(3 attempts\)", 3),
        ("page:", ModelError, r"\(3 attempts\)", 3),
        ("fewer:", ModelError, r"one vector of numbers for each of 2 texts", 3),
        ("words:", ModelError, r"one vector of numbers for each of 2 texts", 3),
        ("status:400", ModelError, r"refuses texts 0 to 1 .*HTTP 400: too long", 1),
        ("status:404", ModelError, r"refuses it \(HTTP 404: too long\)", 1),
        ("wider:", DataError, r"3 dimensions, found 3, 4", 1),
        ("nan:", DataError, r"from text 0: text 1 of this call: .* found nan", 1),
        ("zero:", DataError, r"text 1 of this call: .* found zeros", 1),
    ],
)
def test_no_vector_is_made_up(
    server: Server,
    text: str,
    error: type[Exception],
    message: str,
    attempts: int,
) -> None:
    server.seen.pop(text, None)
    embedder = opened(server, **({"timeout_s": 0.1} if text == "slow:1" else {}))
    text = text if text[-1] != ":" else f"{text}x"
    with pytest.raises(error, match=message):
        embedder.embed(["fine", text])
    assert server.seen[text] == attempts


@pytest.mark.parametrize("status", [400, 401, 403, 429, 500])
def test_no_secret_is_told(server: Server, status: int) -> None:
    with pytest.raises(ModelError) as caught:
        opened(server).embed([f"echo:{status}"])
    for secret in (KEY, "127.0.0.1", str(server.server_port)):
        assert secret not in str(caught.value)
    assert caught.value.__cause__ is None


def test_what_is_missing_is_named(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    with pytest.raises(ModelError, match="NO_SUCH_KEY to hold the endpoint's key, found it unset"):
        opened(server, api_key_env="NO_SUCH_KEY")
    for name, value in (("dimensions", 0), ("batch_size", True), ("max_tokens", "9")):
        with pytest.raises(StudyError, match=f"{name}: expected a whole number"):
            opened(server, **{name: value})
    for name, value in (("timeout_s", "9"), ("backoff_s", -1.0), ("threshold", float("nan"))):
        with pytest.raises(StudyError, match=f"{name}: expected a number of at least 0"):
            opened(server, **{name: value})
    with pytest.raises(StudyError, match=r"threshold: expected a cosine in \(0, 1\], found 85"):
        opened(server, threshold=85)
    with pytest.raises(DataError, match="text 1 of this call: expected a letter or a digit"):
        opened(server).embed(["a", ""])
