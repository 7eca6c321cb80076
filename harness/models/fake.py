"""A stand-in model with known answers and planted faults, to prove that the harness sees them."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args

from harness import ids
from harness.data.manifest import LETTERS, pixel_digest
from harness.errors import ModelError
from harness.models.base import OutOfMemory
from harness.types import Dataset, Decoding, Example, Reply, Request

Behaviour = Literal["gold", "ignore-image", "blind", "scripted", "echo-image-hash", "unparsable"]
BEHAVIOURS: tuple[Behaviour, ...] = get_args(Behaviour)
# A fault as the behaviour means: answer as `gold`, with the option of that name, read from `ids`.
_FAULTS_BY_ID = ("oom-on", "error-on", "nan-on", "die-on", "hang-on")
_FAULTS = (*_FAULTS_BY_ID, "memory-limit", "slow", "batch-sensitive")
DIED = 17


@dataclass(frozen=True, kw_only=True, slots=True)
class FakeOptions:
    """What a stand-in does; every fault is off unless it is named, and they combine.

    Attributes
    ----------
    behaviour : `gold` answers right, unless the images shown are not those of the example: then
        it answers by the prompt alone, as `ignore-image` always does. `blind` goes by the
        question and the choices' texts: their order, the picture and the rest of the prompt play
        no part. `scripted` gives the text of `answers`. `echo-image-hash` answers
        with the pixel hashes of its images, joined by spaces; `unparsable` with prose that
        holds no answer.
    answers, otherwise : of `scripted`: the text by example id, and that of all other ids ("",
        the default, is a failed response). A letter is one of the order as shown; the text of
        two scores stands in for a reward model.
    accuracy : the share, 0 to 1, of examples that `gold` answers right; the same examples for
        the same `seed`. Below 1 it needs kind choice or yesno.
    seed : chooses which examples `accuracy` leaves wrong.
    batch_sensitive : `gold` answers wrong whenever the batch holds more than one request.
    oom_on : ids; a batch that holds one raises `OutOfMemory`, at any size.
    memory_limit : the most that requests × the largest request (pixels of its images plus
        characters of its prompt) may come to; beyond it `OutOfMemory`.
    error_on : ids; a batch that holds one raises ValueError.
    nan_on : ids; answered with the text "nan", as by a model whose numbers broke.
    die_on : ids; the process ends at once with status 17, as after a crash in native code.
    hang_on : ids; a batch that holds one sleeps for `hang_s` seconds.
    slow_s : seconds that each request takes.
    """

    behaviour: Behaviour
    answers: Mapping[str, str] = field(default_factory=dict)
    otherwise: str = ""
    accuracy: float = 1.0
    seed: int = 0
    batch_sensitive: bool = False
    oom_on: tuple[str, ...] = ()
    memory_limit: int | None = None
    error_on: tuple[str, ...] = ()
    nan_on: tuple[str, ...] = ()
    die_on: tuple[str, ...] = ()
    hang_on: tuple[str, ...] = ()
    hang_s: float = 3600.0
    slow_s: float = 0.0

    @classmethod
    def of(cls, source: Mapping[str, Any]) -> FakeOptions:
        """Read the options of a study's `source`.

        A behaviour named after a fault is short for `gold` with that fault: `oom-on`,
        `error-on`, `nan-on`, `die-on` and `hang-on` with `ids`, `memory-limit` with `memory_limit`,
        `slow` with `slow_s`, and `batch-sensitive`.

        Raises
        ------
        ModelError
            For an option or behaviour that does not exist, one that a fault needs and does not
            find, or a share outside 0 to 1.
        """
        given = {key: value for key, value in source.items() if key != "kind"}
        behaviour = given.get("behaviour")
        if behaviour in _FAULTS:
            given |= {"behaviour": "gold"} | _fault(str(behaviour), given)
            given.pop("ids", None)
        elif behaviour not in BEHAVIOURS:
            raise ModelError(
                f"fake model: expected a behaviour of {[*BEHAVIOURS, *_FAULTS]}, found "
                f"{behaviour!r}"
            )
        known = {f.name for f in fields(cls)}
        unknown = sorted(set(given) - known)
        if unknown:
            raise ModelError(
                f"fake model: expected options of {sorted(known)}, found also {unknown}"
            )
        table = given.get("answers", {})
        if not isinstance(table, Mapping) or not all(isinstance(t, str) for t in table.values()):
            raise ModelError(
                f"fake model: expected answers to be texts by example id, found {table!r:.60}"
            )
        if not 0.0 <= given.get("accuracy", 1.0) <= 1.0:
            raise ModelError(
                f"fake model: expected accuracy from 0 to 1, found {given['accuracy']!r}"
            )
        for key in (name.replace("-", "_") for name in _FAULTS_BY_ID):
            value = given.get(key, ())
            if isinstance(value, str) or not all(isinstance(i, str) for i in value):
                raise ModelError(f"fake model: expected {key} to be a list of ids, found {value!r}")
            given[key] = tuple(value)
        return cls(**given)


class Fake:
    """The stand-in itself.

    Parameters
    ----------
    source : `behaviour` and the other fields of `FakeOptions`; `kind` is ignored.
    dataset : opens the images that `gold` compares with those it is shown.
    """

    def __init__(self, source: Mapping[str, Any], dataset: Dataset) -> None:
        self.options = FakeOptions.of(source)
        self._open_image = dataset.open_image

    def generate(self, requests: Sequence[Request], decoding: Decoding) -> list[Reply]:
        """One reply per request, after the planted faults.

        Raises
        ------
        OutOfMemory, ValueError
            Where the options ask for it.
        ModelError
            When a wrong answer is wanted of an example without a closed list of answers.
        """
        self._fail(requests)
        return [self._reply(r, len(requests)) for r in requests]

    def close(self) -> None:
        """Nothing to free."""

    def _fail(self, requests: Sequence[Request]) -> None:
        options = self.options
        present = {r.example.id for r in requests}
        if present & set(options.die_on):
            os._exit(DIED)
        if present & set(options.hang_on):
            time.sleep(options.hang_s)
        if options.slow_s:
            time.sleep(options.slow_s * len(requests))
        if present & set(options.oom_on):
            raise OutOfMemory("planted: an id of oom_on is in the batch")
        area = len(requests) * max((_size(r) for r in requests), default=0)
        if options.memory_limit is not None and area > options.memory_limit:
            raise OutOfMemory(f"planted: batch area {area} over {options.memory_limit}")
        guilty = sorted(present & set(options.error_on))
        if guilty:
            raise ValueError(f"planted: the model fails on {guilty[0]!r}")

    def _reply(self, request: Request, n_requests: int) -> Reply:
        text = self._text(request, n_requests)
        if text or self.options.behaviour != "scripted":
            return Reply(text=text)
        return Reply(text=None, status="error", error="scripted: no answer to this example")

    def _text(self, request: Request, n_requests: int) -> str:
        if request.example.id in self.options.nan_on:
            return "nan"
        match self.options.behaviour:
            case "echo-image-hash":
                return " ".join(pixel_digest(image) for image in request.images)
            case "unparsable":
                return "It is hard to tell from what is shown here."
            case "scripted":
                return self.options.answers.get(request.example.id, self.options.otherwise)
            case "blind":
                return _answer(_by_question(request.example))
            case "ignore-image":
                return _answer(_by_prompt(request))
            case "gold" if not self._sees(request):
                return _answer(_by_prompt(request))
            case "gold":
                right = self._knows(request.example, n_requests)
                return _answer(request.example.gold if right else _wrong(request.example))

    def _sees(self, request: Request) -> bool:
        """Whether the images shown are the example's own; without images there is nothing to see.

        Compared as pixels, since a hash of a data set may be that of a file's bytes.
        """
        if not request.images:
            return True
        own = [
            pixel_digest(self._open_image(m)) for m in request.example.media if m.kind == "image"
        ]
        return [pixel_digest(image) for image in request.images] == own

    def _knows(self, example: Example, n_requests: int) -> bool:
        if self.options.batch_sensitive and n_requests > 1:
            return False
        share = ids.seed(self.options.seed, "fake", example.id) / (2**63 - 1)
        return share < self.options.accuracy


def _fault(behaviour: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options that a behaviour named after a fault stands for."""
    if behaviour == "batch-sensitive":
        return {"batch_sensitive": True}
    needed = {"memory-limit": "memory_limit", "slow": "slow_s"}.get(behaviour, "ids")
    if not given.get(needed):
        raise ModelError(f"fake model: behaviour {behaviour!r} needs {needed}, found none")
    return {behaviour.replace("-", "_"): given["ids"]} if behaviour in _FAULTS_BY_ID else {}


def _size(request: Request) -> int:
    return sum(i.width * i.height for i in request.images) + len(request.prompt)


def _answer(value: str) -> str:
    return f"<answer>{value}</answer>"


def _by_prompt(request: Request) -> str:
    possible = _values(request.example)
    raw = hashlib.sha256(request.prompt.encode("utf-8", "surrogatepass")).digest()
    return possible[int.from_bytes(raw[:8], "big") % len(possible)]


def _by_question(example: Example) -> str:
    """The choice whose text and the question have the lowest hash; yes or no likewise."""
    values = _values(example)
    texts = example.choices or values
    ranks = [ids.digest([example.question, text]) for text in texts]
    return values[ranks.index(min(ranks))]


def _wrong(example: Example) -> str:
    possible = _values(example)
    return possible[(possible.index(example.gold) + 1) % len(possible)]


def _values(example: Example) -> tuple[str, ...]:
    """The values that a gold may have: letters of the choices or candidates, or yes and no."""
    if example.kind == "yesno":
        return ("yes", "no")
    if example.kind in ("choice", "preference") and len(example.choices) > 1:
        return tuple(LETTERS[: len(example.choices)])
    raise ModelError(
        f"fake model: example {example.id!r} of kind {example.kind!r} has no closed list of answers"
    )


__all__ = ["BEHAVIOURS", "DIED", "Fake", "FakeOptions"]
