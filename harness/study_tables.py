"""The tables of a study file that one kind of study, or of data, has beside the common ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from harness import ids

_PATHS, _PLACES = ("path", "folder"), ("base_url", "headers", "image_root")
_PP = Annotated[float, Field(ge=0, le=100)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class DataSource(_Part):
    """Where a data file can be got: a file of a data set on the hub, at one commit."""

    repo: Annotated[str, Field(pattern=r"^[\w.-]+/[\w.-]+$")]
    revision: Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]
    file: Annotated[str, Field(pattern=r"^\w[\w./-]*$")]


class RobustnessTable(_Part):
    """Names and budgets of the robustness study's tables; the rest is as published."""

    models: Annotated[list[str], Field(min_length=1)]
    focus: str
    whole: str
    design: str
    held_out: str
    paper: str
    evidence: str
    parsers: list[str] = ["r1"]
    token_budgets: Annotated[list[Annotated[int, Field(ge=1)]], Field(min_length=1)]

    def names(self) -> dict[str, list[str]]:
        """The names that must stand elsewhere in the study, by their table."""
        return {
            "models": [*self.models, self.focus],
            "data": [self.whole, self.design, self.held_out],
            "prompts": [self.paper, self.evidence],
        }


class InterventionsTable(_Part):
    """Which data hold triplets, static items and pools, and how judges are matched.

    `reward_prompt` is what judges of family `reward` get instead of `prompt`; `decoding` one of
    the study's `[decodings]` (None: its `[decoding]`). `families` names
    the family of a judge, by default itself; `swapped` asks every judge that this run shows
    pictures for the other order of the candidates too.
    """

    audit: str
    static: str | None = None
    pools: str | None = None
    prompt: str
    reward_prompt: str | None = None
    decoding: str | None = None
    families: dict[str, str] = {}
    swapped: bool = True
    within_pp: Annotated[list[_PP], Field(min_length=1)] = [0.0, 0.5, 1.0, 2.0, 3.0, 5.0]
    declared_pp: _PP = 1.0
    n_resamples: Annotated[int, Field(ge=1000)] = 10_000
    seed: Annotated[int, Field(ge=0)] = 20270915

    @model_validator(mode="after")
    def _declared(self) -> InterventionsTable:
        if self.declared_pp not in self.within_pp:
            raise ValueError("expected declared_pp among within_pp")
        return self

    def names(self) -> dict[str, list[str]]:
        """The names that must stand elsewhere in the study, by their table."""
        return {
            "models": list(self.families),
            "data": [name for name in (self.audit, self.static, self.pools) if name is not None],
            "prompts": [name for name in (self.prompt, self.reward_prompt) if name is not None],
            "decodings": [] if self.decoding is None else [self.decoding],
        }


class ContaminationTable(_Part):
    """One audit of training rows: which against which, and the keys of a plan file.

    `train` and `evals` are names of the study's data; `train_file` and `eval_files` tables of a
    plan file (`path`, `fields` …) instead of them or beside. `settings` holds its other keys.
    With `expect` clean, duplicates that a judge confirmed are NO-GO; with `report` only an audit
    that cannot be trusted is.
    """

    train: str | None = None
    train_file: dict[str, Any] | None = None
    evals: list[str] = []
    eval_files: dict[str, dict[str, Any]] = {}
    expect: Literal["clean", "report"] = "clean"
    settings: dict[str, Any] = {}

    @model_validator(mode="after")
    def _sides(self) -> ContaminationTable:
        if (self.train is None) == (self.train_file is None):
            raise ValueError("expected train, a name of [data], or train_file, and not both")
        if not self.evals and not self.eval_files:
            raise ValueError("expected at least one of evals, names of [data], and eval_files")
        if set(self.evals) & set(self.eval_files):
            raise ValueError("expected different names in evals and eval_files")
        if set(self.settings) & {"train", "evals"}:
            raise ValueError("expected train and evals beside settings, found them within")
        return self

    def names(self) -> dict[str, list[str]]:
        """The names that must stand elsewhere in the study, by their table."""
        return {"data": [*([] if self.train is None else [self.train]), *self.evals]}


def without_places(given: Any) -> Any:
    """Settings of an audit without what says where a file or a service stands.

    Of files the names are left, of a table spelled as JSON text its digest.

    Examples
    --------
    >>> without_places({"path": "/data/t.jsonl", "judges": ["labels:~/l.csv", "rule"]})
    {'path': 't.jsonl', 'judges': ['labels:l.csv', 'rule']}
    """
    if isinstance(given, Mapping):
        return {
            key: PurePath(value).name
            if key in _PATHS and isinstance(value, str)
            else without_places(value)
            for key, value in given.items()
            if key not in _PLACES
        }
    if isinstance(given, list | tuple):
        return [without_places(one) for one in given]
    if not isinstance(given, str):
        return given
    if given.lstrip().startswith("{"):
        return ids.digest(given)
    kind, colon, rest = given.partition(":")
    local = colon and (kind == "labels" or rest.startswith(("/", ".", "~")))
    return f"{kind}:{PurePath(rest).name}" if local else given


def source_faults(data: Mapping[str, tuple[str | None, DataSource | None]]) -> Iterator[str]:
    """A fault for each file that lies elsewhere than its download puts it, or has two sources.

    Parameters
    ----------
    data : path and source of each entry.
    """
    known: dict[str, DataSource] = {}
    for name, (path, source) in data.items():
        if source is None:
            continue
        if path is None or not f"/{path}".endswith(f"/{source.file}"):
            yield (
                f"data.{name}.source.file: expected the end of data.{name}.path, found "
                f"{source.file!r}"
            )
        elif known.setdefault(path, source) != source:
            yield f"data.{name}.source: expected one source of {path}, found two"


def foreign_names(
    title: str,
    table: ContaminationTable | InterventionsTable | RobustnessTable,
    known: Mapping[str, Mapping[str, object]],
) -> list[str]:
    """A fault for each name that the study does not have."""
    return [
        f"{title}: expected {kind} among {sorted(known[kind])}, found {name!r}"
        for kind, names in table.names().items()
        for name in names
        if name not in known[kind]
    ]


__all__ = ["ContaminationTable", "DataSource", "InterventionsTable", "RobustnessTable"]
__all__ += ["foreign_names", "source_faults", "without_places"]
