"""Requests for a model: prompt and pictures resolved, decoded ahead, the longest first."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.cells import looks
from harness.errors import DataError
from harness.identity import response_seed
from harness.prompts import render
from harness.provenance import scrub
from harness.types import Cell, Dataset, Example, Media, Request
from harness.vision.draws import donor_ids
from harness.vision.views import apply

if TYPE_CHECKING:
    from PIL.Image import Image

_MAX_ERROR_CHARS = 2000
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{4,}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Task:
    """One attempt to be made at an (example, replicate); `position` is in the data set."""

    example: Example
    position: int
    replicate: int
    attempt: int
    prompt: str
    seed: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Prepared:
    """A task with its request, or with the reason why it has none."""

    task: Task
    request: Request | None
    error: str | None = None

    @property
    def area_px(self) -> int:
        images = self.request.images if self.request else ()
        return sum(image.width * image.height for image in images)


class ImageFailure(Exception):
    """A picture that could not be opened; the message is for the record."""


def error_text(error: BaseException | str) -> str:
    """An error as a record keeps it: no path, host or address that differs between runs."""
    text = error if isinstance(error, str) else f"{type(error).__name__}: {error}"
    return _ADDRESS.sub("0x…", scrub(text))[:_MAX_ERROR_CHARS]


def in_order(tasks: Iterable[Task]) -> list[Task]:
    """The most pictures and the longest prompt first; ties by id, so any process agrees."""
    return sorted(
        tasks,
        key=lambda t: (-len(t.example.media), -len(t.prompt), t.example.id, t.replicate),
    )


def tasks_of(
    cell: Cell,
    dataset: Dataset,
    identity: Mapping[str, Any],
    key: str,
    attempts: Mapping[tuple[str, int], int],
) -> list[Task]:
    """What `attempts` asks for, as (example id, replicate) to attempt number, in order."""
    examples = {e.id: (position, e) for position, e in enumerate(dataset.examples)}
    return in_order(
        Task(
            example=examples[example_id][1],
            position=examples[example_id][0],
            replicate=replicate,
            attempt=attempt,
            prompt=render(cell.prompt, examples[example_id][1], cell.view),
            seed=response_seed(identity, key, example_id, replicate),
        )
        for (example_id, replicate), attempt in attempts.items()
    )


def prepare(cell: Cell, dataset: Dataset, task: Task) -> Prepared:
    """A task with its pictures opened and its view applied; threads may call it.

    Raises
    ------
    DataError
        When the view cannot be applied, or the example holds video or audio; a picture that
        cannot be opened is no exception but a `Prepared` without a request.
    """
    try:
        images = _images(cell, dataset, task)
    except ImageFailure as failure:
        return Prepared(task=task, request=None, error=str(failure))
    request = Request(
        example=task.example,
        replicate=task.replicate,
        prompt=task.prompt,
        images=images,
        seed=task.seed,
    )
    return Prepared(task=task, request=request)


def _images(cell: Cell, dataset: Dataset, task: Task) -> tuple[Image, ...]:
    if not looks(cell.model):
        return ()
    images = tuple(_opened(dataset, media) for media in task.example.media)
    if not cell.view.steps:
        return images
    try:
        return apply(cell.view, images, _Split(dataset=dataset, task=task))
    except ValueError as error:
        raise DataError(f"{cell.id}, example {task.example.id!r}: {error}") from error


@dataclass(frozen=True, kw_only=True, slots=True)
class _Split:
    """The split around one example, as a view asks about it."""

    dataset: Dataset
    task: Task

    @property
    def example_id(self) -> str:
        return self.task.example.id

    @property
    def ids(self) -> tuple[str, ...]:
        return donor_ids(self.dataset.examples, self.task.example)

    def partner(self, offset: int) -> tuple[Image, ...]:
        return self._pictures(_other(self.dataset, self.task, offset))

    def images_of(self, example_id: str) -> tuple[Image, ...]:
        return self._pictures(next(e for e in self.dataset.examples if e.id == example_id))

    def _pictures(self, example: Example) -> tuple[Image, ...]:
        return tuple(_opened(self.dataset, media) for media in example.media)


def _other(dataset: Dataset, task: Task, offset: int) -> Example:
    """The `offset`-th following example, cyclic, among those that show other pictures."""
    own = [media.sha256 for media in task.example.media]
    n = len(dataset.examples)
    for step in range(1, n):
        other = dataset.examples[(task.position + step) % n]
        offset -= [media.sha256 for media in other.media] != own
        if offset == 0:
            return other
    raise DataError(
        f"{dataset.name}, example {task.example.id!r}: expected an example with another picture, "
        "found none in the split"
    )


def _opened(dataset: Dataset, media: Media) -> Image:
    if media.kind != "image":
        raise DataError(
            f"{dataset.name}: expected images, found {media.kind} {media.name!r}; no model family "
            "of this version takes it"
        )
    try:
        return dataset.open_image(media)
    except (DataError, OSError, ValueError, SyntaxError) as error:
        # Pillow raises SyntaxError for a broken chunk of a PNG file.
        raise ImageFailure(error_text(error)) from error


def ahead(
    tasks: Sequence[Task], make: Callable[[Task], Prepared], n_ahead: int, n_threads: int
) -> Generator[list[Prepared], None, None]:
    """Windows of up to `n_ahead` prepared tasks, largest pictures first within each.

    While the caller works on one window the threads prepare the next, and no more, so memory
    is bounded. A fault of preparation, other than a picture's, is raised here.
    """
    pool = ThreadPoolExecutor(max_workers=n_threads, thread_name_prefix="assay-images")
    waiting: deque[Future[Prepared]] = deque()
    rest = iter(tasks)

    def top_up() -> None:
        while len(waiting) < n_ahead and (following := next(rest, None)) is not None:
            waiting.append(pool.submit(make, following))

    try:
        top_up()
        while waiting:
            window = [waiting.popleft().result() for _ in range(len(waiting))]
            top_up()
            yield sorted(window, key=lambda p: -p.area_px)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


__all__ = ["Prepared", "Task", "ahead", "error_text", "in_order", "prepare", "tasks_of"]
