"""A local service that answers a judge's prompt as the training text in it says."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from harness.audit.pairs import Pair

# The row of the pair, such as `say:duplicate`, stands alone in a line after TRAINING.
_HOW = re.compile(r"^TRAINING \w+\n(\w+):(.*)$", re.MULTILINE)


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.key: str | None = None
        self.asked: list[str] = []
        self.bodies: list[dict[str, Any]] = []
        self.valid_requests: int | None = None
        self.lock = threading.Lock()

    def handle_error(self, *_: object) -> None:
        """A client that gave up, or was killed, has closed its end."""

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
        match = _HOW.search(body["messages"][0]["content"][-1]["text"])
        how, text = match.groups() if match else ("none", "")
        with self.server.lock:
            self.server.bodies.append(body)
            self.server.asked.append(f"{how}:{text}")
            n_before = self.server.asked.count(f"{how}:{text}") - 1
            left = self.server.valid_requests
            if left is not None:
                self.server.valid_requests = left - 1
        key = self.headers["Authorization"].removeprefix("Bearer ")
        if (left is not None and left <= 0) or self.server.key not in (None, key):
            self._send(401, fault(f"expired key {key} at {self.server.url}"))
            return
        match how:
            case "later" if n_before < 2:
                self._send(int(text), fault("wait"), {"Retry-After": "0"})
            case "later":
                self._send(200, completion(labelled("duplicate")))
            case "status":
                self._send(int(text), fault("no such thing"))
            case "slow":
                time.sleep(float(text.split()[0]))
                self._send(200, completion(labelled("duplicate")))
            case "cut":
                self._send(200, completion(text, finish="length"))
            case "refuse":
                self._send(200, completion(None, refusal=text))
            case "raw":
                self._send(200, completion(json.loads(text)))
            case "say":
                self._send(200, completion(labelled(text.split()[0])))

    def _send(self, status: int, value: Any, headers: Mapping[str, str] = {}) -> None:
        raw = json.dumps(value).encode()
        self.send_response(status)
        kind = {"Content-Type": "application/json", "Content-Length": str(len(raw))}
        for name, told in {**kind, **headers}.items():
            self.send_header(name, told)
        self.end_headers()
        self.wfile.write(raw)


def labelled(label: str) -> str:
    return json.dumps({"label": label, "reason": f"said {label}"})


def completion(
    text: str | None, finish: str = "stop", refusal: str | None = None
) -> dict[str, Any]:
    message = {"role": "assistant", "content": text, "refusal": refusal}
    return {
        "id": "x", "object": "chat.completion", "created": 1, "model": "judge-1",
        "choices": [{"index": 0, "finish_reason": finish, "message": message}],
        "usage": {"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100},
    }  # fmt: skip


def fault(message: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": "made_up", "code": None}}


@contextmanager
def serving() -> Iterator[Server]:
    with Server() as made:
        thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield made
        finally:
            made.shutdown()
            thread.join()


def pairs_of(*rows: str) -> list[Pair]:
    return [Pair(f"{place}/mini/0", row, "the item") for place, row in enumerate(rows)]


def spec_of(server: Server, **changes: Any) -> dict[str, Any]:
    return {
        "kind": "endpoint", "base_url": server.url, "model": "judge-1", "timeout_s": 5.0,
        "n_attempts": 3, "backoff_s": 0.001, "concurrency": 4,
    } | changes  # fmt: skip
