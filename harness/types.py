"""The core records: frozen, keyword-only, free of behaviour beyond naming themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

from harness import ids
from harness.errors import NoGo

if TYPE_CHECKING:
    from PIL.Image import Image

    from harness.spent import Spent
    from harness.table import Table

Kind = Literal["choice", "yesno", "number", "expression", "text", "preference", "retrieval"]
Family = Literal["generative", "dual", "reward", "audio"]
Tier = Literal["canary", "full"]
Status = Literal["ok", "truncated", "refused", "oom", "error"]
Outcome = Literal["answered", "review", "truncated", "refused", "resource_error", "runtime_error"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


@dataclass(frozen=True, kw_only=True, slots=True)
class Media:
    """One image, video or audio clip, by the `name` that the data set knows it by.

    `sha256` is of its content (file bytes, or RGB pixels and size of generated images), None
    only where that is not on this machine, as with replayed predictions.
    """

    kind: Literal["image", "video", "audio"]
    name: str
    sha256: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Example:
    """One question. `group` and `role` carry every pairing (base/relevant/irrelevant, …).

    `exact` asks numbers to match exactly (counts, years, identifiers), not within 1 %.
    """

    id: str
    kind: Kind
    question: str
    gold: str
    choices: tuple[str, ...] = ()
    media: tuple[Media, ...] = ()
    group: str = ""
    role: str = ""
    tags: tuple[str, ...] = ()
    exact: bool = field(default=False, metadata={"later": True})


@dataclass(frozen=True, kw_only=True)
class Dataset:
    """One split of a data set, in its own order; `fingerprint` is the hash of all its examples.

    `open_image` returns a fresh RGB image, or raises `DataError` for a missing or corrupt one.
    """

    name: str
    split: str
    examples: tuple[Example, ...]
    fingerprint: str
    open_image: Callable[[Media], Image]
    claim_level: Literal["L0", "L1", "L2", "L3"] = "L0"


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelSpec:
    """A model as the study names it; the keys of `source`, its pinned origin, by `kind`:

    hub (id, revision), local (path), replay (predictions), baseline (name), fake (behaviour),
    endpoint (base_url, label, model).
    """

    name: str
    family: Family = "generative"
    source: Mapping[str, Any]
    dtype: str = "float32"
    attention: str = "sdpa"
    max_image_side_px: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class View:
    """An image operation: steps of (operation, parameters). No steps: the picture as it is."""

    name: str
    steps: tuple[tuple[str, tuple[tuple[str, str | int | float], ...]], ...] = ()
    seed: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Prompt:
    """A named template over {question}, {choices} (lines), {options} (one line) and {views}."""

    name: str
    template: str

    @property
    def sha256(self) -> str:
        return ids.digest(self.template)


@dataclass(frozen=True, kw_only=True, slots=True)
class Decoding:
    """Everything that governs generation; nothing is inherited from the checkpoint.

    `max_new_tokens` is at least 1; a `temperature` of None is greedy decoding; `batch_sizes`,
    strictly falling and not part of a key: the next one only after an out-of-memory failure.
    `name` is how the study calls it, "" for its `[decoding]`; it is no part of a key either.
    """

    max_new_tokens: int
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    repetition_penalty: float = 1.0
    batch_sizes: tuple[int, ...] = (8, 4, 1)
    name: str = ""

    @property
    def greedy(self) -> bool:
        """Whether nothing is drawn: no temperature, or one token to choose from."""
        return self.temperature is None or self.top_k == 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Cell:
    """One experiment cell: model × data × view × prompt × decoding × replicates.

    `n` is the number of examples of its tier (None: all). `variant` names a deliberate
    repetition of the same cell (such as another batch size) and is part of the key;
    tier, `n`, `replicates` and the experiment's name are not. `shard` is (index, count)
    and only chooses which examples this item generates.
    """

    experiment: str
    data: str
    model: ModelSpec
    view: View
    prompt: Prompt
    decoding: Decoding
    tier: Tier
    base_seed: int
    n: int | None = None
    replicates: int = 1
    variant: str = ""
    shard: tuple[int, int] | None = None

    @property
    def id(self) -> str:
        """Readable and unique in a session: tier:experiment/data/model/view/prompt[/decoding]."""
        parts = [self.experiment, self.data, self.model.name, self.view.name, self.prompt.name]
        parts += [name for name in (self.decoding.name, self.variant) if name]
        text = f"{self.tier}:" + "/".join(ids.slug(p) for p in parts)
        return text if self.shard is None else f"{text}#{self.shard[0]}of{self.shard[1]}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Response:
    """One stored model output, without anything that varies between equal runs."""

    example_id: str
    replicate: int = 0
    status: Status
    text: str | None = None
    error: str | None = None
    n_tokens: int | None = None
    seed: int = 0
    attempt: int = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What was read (None: nothing), by which named rule, and its (start, end) in the raw text."""

    value: str | None
    rule: str
    span: tuple[int, int] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Score:
    """The score of one response: `counted` in the denominator or not, and how it `compared`."""

    example_id: str = ""
    replicate: int = 0
    group: str = ""
    role: str = ""
    gold: str
    outcome: Outcome
    correct: bool
    counted: bool
    answer: Answer
    compared: str = ""


@dataclass(frozen=True, kw_only=True)
class CellResult:
    """A complete cell: scores in the order of the examples, with what produced them.

    `responses` and `scores` are aligned; `n_data` is the whole split's size; a metric of None is
    undefined; `timing_s` and `peak_memory_gib` are of this session only, `measured` of all.
    """

    cell: Cell
    key: str
    identity: Mapping[str, Any]
    examples: tuple[Example, ...]
    n_data: int
    responses: tuple[Response, ...]
    scores: tuple[Score, ...]
    counts: Mapping[Outcome, int]
    metrics: Mapping[str, float | int | None]
    records_sha256: str
    n_generated: int = 0
    batch_size: int | None = None
    timing_s: Mapping[str, float] = field(default_factory=dict)
    peak_memory_gib: float | None = None
    measured: Spent | None = None

    @property
    def example_ids(self) -> tuple[str, ...]:
        return tuple(e.id for e in self.examples)

    @property
    def n_counted(self) -> int:
        return sum(s.counted for s in self.scores)

    @property
    def n_correct(self) -> int:
        return sum(s.correct for s in self.scores)

    @property
    def accuracy(self) -> float | None:
        return self.n_correct / self.n_counted if self.n_counted else None

    @property
    def parse_rate(self) -> float | None:
        return self.counts["answered"] / self.n_counted if self.n_counted else None


@dataclass(frozen=True, order=True, slots=True)
class Issue:
    """One finding of a gate: a stable code, where, and a message for people."""

    code: str
    where: str
    message: str

    def __str__(self) -> str:
        place = f" {self.where}:" if self.where else ""
        return f"[{self.code}]{place} {self.message}"


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """A gate's judgement with the facts that it rests on (JSON values only).

    `tables` and `figures` (SVG by name) become files of the run; `measured` are tables with
    times, which differ between equal runs and get a folder of their own.
    """

    gate: str
    issues: tuple[Issue, ...]
    facts: Mapping[str, Any] = field(default_factory=dict)
    tables: tuple[Table, ...] = ()
    figures: Mapping[str, str] = field(default_factory=dict)
    measured: tuple[Table, ...] = ()

    @property
    def go(self) -> bool:
        return not self.issues

    def require(self) -> Verdict:
        """Return itself when GO; raise `NoGo` with all issues, sorted, otherwise."""
        if self.issues:
            raise NoGo(self.gate, self.issues)
        return self


@dataclass(frozen=True, kw_only=True)
class Gate:
    """A gate as a test item: it pulls `cells`, then `judge(results)` gives the verdict."""

    name: str
    subject: str
    tier: Tier
    cells: tuple[Cell, ...]
    judge: Callable[[Sequence[CellResult]], Verdict]

    @property
    def id(self) -> str:
        return f"{self.tier}:{ids.slug(self.name)}/{self.subject}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """What a model is asked for one (example, replicate): everything already resolved."""

    example: Example
    replicate: int
    prompt: str
    images: tuple[Image, ...]
    seed: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """A model's output for one request."""

    text: str | None
    n_tokens: int | None = None
    status: Status = "ok"
    error: str | None = None
