"""An embeddings endpoint against a real local server: what is sent, and every failure."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Mapping
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from harness.embedding.endpoint import EndpointEmbedder
from harness.embedding.load import open_embedder
from harness.errors import DataError, ModelError, StudyError

KEY = "sk-very-secret-0042"


class Server(ThreadingHTTPServer):
    """Answers as the last text of a request says; keeps every body."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.bodies: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.seen: dict[str, int] = {}

    def handle_error(self, *_: object) -> None:
        """A client that gave up has closed its end."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
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
                self._raw(200, b"<html>busy</html>", "text/html", {})
                return
            case "later" if n <= 2:
                self._send(int(value), fault("wait"), {"Retry-After": "0"})
                return
            case "status":
                self._send(int(value), fault("too long"))
                return
            case "echo":
                told = f"bad key {self.headers['Authorization'][7:]} at {self.server.url}"
                self._send(int(value), fault(told))
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
        self._send(200, {"object": "list", "model": "e", "data": data[::-1]})

    def _send(self, status: int, value: Any, headers: Mapping[str, str] = {}) -> None:
        self._raw(status, json.dumps(value).encode(), "application/json", headers)

    def _raw(self, status: int, raw: bytes, kind: str, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        sent = {"Content-Type": kind, "Content-Length": str(len(raw)), **headers}
        for name, value in sent.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(raw)


def fault(message: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": "made_up", "code": None}}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as made:
        thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield made
        made.shutdown()
        thread.join()


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
    with pytest.raises(ModelError, match="variable NO_SUCH_KEY to hold the key, found it unset"):
        opened(server, api_key_env="NO_SUCH_KEY")
    for name, value in (("dimensions", 0), ("batch_size", True), ("max_tokens", "9")):
        with pytest.raises(StudyError, match=f"{name}: expected a whole number"):
            opened(server, **{name: value})
    with pytest.raises(StudyError, match=r"threshold: expected a cosine in \(0, 1\], found 85"):
        opened(server, threshold=85)
    with pytest.raises(DataError, match="text 1 of this call: expected a letter or a digit"):
        opened(server).embed(["a", ""])
