"""A service on this machine for tests of its clients: JSON in, JSON out, in a thread of its own."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeVar


class Service(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, handler: type[Handler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.lock = threading.Lock()

    def handle_error(self, *_: object) -> None:
        """A client that gave up, or was killed, has closed its end."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Tests print nothing."""

    def do_POST(self) -> None:
        self.answer()

    def answer(self) -> None:
        """What a test's service does with a request."""
        raise NotImplementedError

    def body(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        return found

    @property
    def key(self) -> str:
        return str(self.headers["Authorization"]).removeprefix("Bearer ")

    def give(self, status: int, value: Any, headers: Mapping[str, str] = {}) -> None:
        self.give_bytes(status, json.dumps(value).encode(), "application/json", headers)

    def give_bytes(
        self, status: int, raw: bytes, kind: str, headers: Mapping[str, str] = {}
    ) -> None:
        self.send_response(status)
        sent = {"Content-Type": kind, "Content-Length": str(len(raw)), **headers}
        for name, value in sent.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(raw)


_S = TypeVar("_S", bound=Service)


@contextmanager
def serving(made: _S) -> Iterator[_S]:
    with made:
        thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield made
        finally:
            made.shutdown()
            thread.join()


def completion(
    text: str | None, finish: str = "stop", refusal: str | None = None, n_tokens: int = 3
) -> dict[str, Any]:
    """A chat completion of `n_tokens` tokens to a prompt of three times as many."""
    message = {"role": "assistant", "content": text, "refusal": refusal}
    usage = {"prompt_tokens": 3 * n_tokens, "completion_tokens": n_tokens}
    return {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": "judge-1",
        "choices": [{"index": 0, "finish_reason": finish, "message": message}],
        "usage": usage | {"total_tokens": 4 * n_tokens},
    }


def fault(message: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": "made_up", "code": None}}
