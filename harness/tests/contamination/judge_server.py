"""A local service that answers a judge's prompt as the training text in it says."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from harness.audit.pairs import Pair
from harness.tests import local_service
from harness.tests.local_service import Handler, Service, fault

# The row of the pair, such as `say:duplicate`, stands alone in a line after TRAINING.
_HOW = re.compile(r"^TRAINING \w+\n(\w+):(.*)$", re.MULTILINE)


class Server(Service):
    def __init__(self) -> None:
        super().__init__(Answers)
        self.key: str | None = None
        self.asked: list[str] = []
        self.bodies: list[dict[str, Any]] = []
        self.valid_requests: int | None = None


class Answers(Handler):
    server: Server

    def answer(self) -> None:
        body = self.body()
        match = _HOW.search(body["messages"][0]["content"][-1]["text"])
        how, text = match.groups() if match else ("none", "")
        with self.server.lock:
            self.server.bodies.append(body)
            self.server.asked.append(f"{how}:{text}")
            n_before = self.server.asked.count(f"{how}:{text}") - 1
            left = self.server.valid_requests
            if left is not None:
                self.server.valid_requests = left - 1
        if (left is not None and left <= 0) or self.server.key not in (None, self.key):
            self.give(401, fault(f"expired key {self.key} at {self.server.url}"))
            return
        match how:
            case "later" if n_before < 2:
                self.give(int(text), fault("wait"), {"Retry-After": "0"})
            case "later":
                self.give(200, completion(labelled("duplicate")))
            case "status":
                self.give(int(text), fault("no such thing"))
            case "slow":
                time.sleep(float(text.split()[0]))
                self.give(200, completion(labelled("duplicate")))
            case "cut":
                self.give(200, completion(text, finish="length"))
            case "refuse":
                self.give(200, completion(None, refusal=text))
            case "raw":
                self.give(200, completion(json.loads(text)))
            case "say":
                self.give(200, completion(labelled(text.split()[0])))


def labelled(label: str) -> str:
    return json.dumps({"label": label, "reason": f"said {label}"})


def completion(
    text: str | None, finish: str = "stop", refusal: str | None = None
) -> dict[str, Any]:
    return local_service.completion(text, finish, refusal, n_tokens=25)


@contextmanager
def serving() -> Iterator[Server]:
    with local_service.serving(Server()) as made:
        yield made


def pairs_of(*rows: str) -> list[Pair]:
    return [Pair(f"{place}/mini/0", row, "the item") for place, row in enumerate(rows)]


def spec_of(server: Server, **changes: Any) -> dict[str, Any]:
    return {
        "kind": "endpoint", "base_url": server.url, "model": "judge-1", "timeout_s": 5.0,
        "n_attempts": 3, "backoff_s": 0.001, "concurrency": 4,
    } | changes  # fmt: skip
