"""A data set, a model and a context for tests of running and storing; no torch, no files."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from PIL import Image

from harness import ids
from harness.errors import DataError
from harness.models.base import OutOfMemory
from harness.run import RunContext
from harness.types import (
    Cell,
    Dataset,
    Decoding,
    Example,
    Media,
    ModelSpec,
    Prompt,
    Reply,
    Request,
    View,
)


def picture(name: str) -> Image.Image:
    """A 2 x 2 picture of one colour that depends on the name alone."""
    raw = hashlib.sha256(name.encode()).digest()
    return Image.new("RGB", (2, 2), (raw[0], raw[1], raw[2]))


def pixel_hash(image: Image.Image) -> str:
    return hashlib.sha256(image.tobytes()).hexdigest()


def dataset(
    n: int = 10,
    *,
    images: bool = False,
    broken: Sequence[str] = (),
    open_image: Callable[[Media], Image.Image] | None = None,
) -> Dataset:
    """`n` yes/no questions q000 ... of growing length, each with a picture of its own if asked."""

    def opened(media: Media) -> Image.Image:
        if media.name in broken:
            raise DataError(f"/somewhere/secret/{media.name}: truncated file")
        return picture(media.name)

    examples = tuple(
        Example(
            id=f"q{i:03d}",
            kind="yesno",
            question=f"Is it {i}?" + " Really?" * (i % 3),
            gold=("yes", "no")[i % 2],
            media=(Media(kind="image", name=f"p{i}", sha256=pixel_hash(picture(f"p{i}"))),)
            if images
            else (),
        )
        for i in range(n)
    )
    return Dataset(
        name="made-up",
        split="test",
        examples=examples,
        fingerprint=ids.digest(examples),
        open_image=open_image or opened,
    )


def cell(**changes: Any) -> Cell:
    base = Cell(
        experiment="e",
        data="made-up",
        model=ModelSpec(name="m", source={"kind": "local", "path": "/models/m"}),
        view=View(name="clean"),
        prompt=Prompt(name="p", template="{question}"),
        decoding=Decoding(max_new_tokens=8),
        tier="full",
        base_seed=7,
    )
    return replace(base, **changes)


@dataclass
class Stub:
    """Answers by the request alone; fails as told. `calls` keeps the ids of every batch."""

    oom_on: Sequence[str] = ()
    oom_above: int = 10**9
    hang_on: Sequence[str] = ()
    fail_on: Sequence[str] = ()
    fail_all: bool = False
    slow_s: float = 0.0
    answer: Callable[[Request], str] | None = None
    reply: Callable[[Request], Reply] | None = None
    calls: list[list[str]] = field(default_factory=list)
    answered: list[str] = field(default_factory=list)

    def generate(self, requests: Sequence[Request], decoding: Decoding) -> list[Reply]:
        present = [r.example.id for r in requests]
        self.calls.append(present)
        if self.slow_s:
            time.sleep(self.slow_s * len(requests))
        if set(present) & set(self.hang_on):
            time.sleep(60)
        if set(present) & set(self.oom_on) or len(requests) > self.oom_above:
            raise OutOfMemory("planted")
        for name in present:
            if self.fail_all or name in self.fail_on:
                raise RuntimeError(f"planted for {name} at {object()!r} in /secret/place/model.py")
        self.answered += present
        return [self._reply(r) for r in requests]

    def _reply(self, request: Request) -> Reply:
        if self.reply is not None:
            return self.reply(request)
        text = self.answer(request) if self.answer else f"<answer>yes</answer> {request.seed}"
        return Reply(text=text, n_tokens=len(text))

    def close(self) -> None:
        pass


@dataclass
class Bench:
    """A context over a folder, with a model that counts how often it was opened."""

    runs: Path
    data: Dataset
    model: Stub = field(default_factory=Stub)
    fingerprint: Mapping[str, Any] = field(default_factory=lambda: {"weights": "w0"})
    n_opened: int = 0

    def context(self, **changes: Any) -> RunContext:
        def open_model(spec: ModelSpec, name: str) -> Stub:
            self.n_opened += 1
            return self.model

        base = RunContext(
            runs=self.runs,
            run_id="run-1",
            device="cpu",
            n_threads=1,
            allow_generate=True,
            hang_timeout_s=30.0,
            max_attempts=3,
            dataset=lambda name: self.data,
            fingerprint=lambda spec, name: self.fingerprint,
            model=open_model,
        )
        return replace(base, **changes)


def record_lines(runs: Path) -> list[bytes]:
    """Every stored record of the only cell in a runs folder, sorted."""
    (folder,) = runs.iterdir()
    files = sorted((folder / "responses").glob("*.jsonl"))
    return sorted(line for f in files for line in f.read_bytes().splitlines(keepends=True))


def events(runs: Path) -> list[dict[str, Any]]:
    (folder,) = runs.iterdir()
    files = sorted((folder / "events").glob("*.jsonl"))
    return [json.loads(line) for f in files for line in f.read_bytes().splitlines()]
