"""The tables of a study file as pydantic models, and its faults in words."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from harness.study_models import ModelTable, ReplaySource
from harness.study_tables import (
    ContaminationTable,
    DataSource,
    InterventionsTable,
    RobustnessTable,
    foreign_names,
    source_faults,
)
from harness.types import Tier

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


Reader = Literal[
    "visual-shapes",
    "digits",
    "esc50",
    "mgsm",
    "mini-r1",
    "olympiadbench",
    "physolym",
    "physreason",
    "phyx",
    "pope",
    "r1-onevision-bench",
    "scenes",
    "scienceqa",
    "triplets",
    "twin-problems",
    "video-mme-v2",
    "xcopa",
]


class IdsTable(Part):
    path: str
    where: dict[str, str | int] = {}


class SubsetTable(Part):
    kind: Literal["stratified"]
    n: Annotated[int, Field(ge=1)]
    seed: Annotated[int, Field(ge=0, lt=2**32)]
    by: Literal["group", "role", "kind"] = "group"
    part: Literal["selected", "rest"] = "selected"


class DataTable(Part):
    reader: Reader
    split: str
    path: str | None = None
    source: DataSource | None = None
    image_root: str | None = None
    ids: IdsTable | None = None
    subset: SubsetTable | None = None
    exclude: list[str] = []
    size: Annotated[str, Field(pattern=r"^[1-9]\d*x[1-9]\d*$")] | None = None
    incomplete: Literal["refuse", "keep"] = "refuse"
    hint: Literal["context", "none"] = "context"
    frames: Annotated[int, Field(ge=1, le=1024)] | None = None
    fingerprint: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None
    n: dict[Tier, Annotated[int, Field(ge=1)]] = {}


class TierTable(Part):
    n: Annotated[int, Field(ge=1)] | None = None


class ExperimentTable(Part):
    data: list[str]
    prompts: list[str]
    models: list[str] | None = None
    golden: bool | None = None
    after: list[str] = []


class DecodingTable(Part):
    max_new_tokens: Annotated[int, Field(ge=1)]
    temperature: Annotated[float, Field(gt=0)] | None = None
    top_p: Annotated[float, Field(gt=0, le=1)] | None = None
    top_k: Annotated[int, Field(ge=1)] | None = None
    repetition_penalty: Annotated[float, Field(gt=0)] = 1.0
    batch_sizes: list[Annotated[int, Field(ge=1)]]

    @field_validator("batch_sizes")
    @classmethod
    def _ladder(cls, value: list[int]) -> list[int]:
        if not value or any(a <= b for a, b in itertools.pairwise(value)):
            raise ValueError("expected a strictly falling, non-empty list such as [8, 4, 1]")
        return value

    @model_validator(mode="after")
    def _all_or_none(self) -> DecodingTable:
        if self.temperature is None and (self.top_p is not None or self.top_k is not None):
            raise ValueError("expected temperature beside top_p/top_k (none of them is greedy)")
        return self


class GatesTable(Part):
    level: Annotated[float, Field(gt=0, lt=1)]
    min_parse_rate: Annotated[float, Field(ge=0, le=1)]
    max_infrastructure_share: Annotated[float, Field(ge=0, le=1)]
    batch_invariance_n: Annotated[int, Field(ge=1)]
    batch_invariance_size: Annotated[int, Field(ge=2)]
    min_parse_rate_of: dict[str, Annotated[float, Field(ge=0, le=1)]] | None = None
    min_parse_rate_by_type: (
        dict[Literal["multiple_choice", "free_response"], Annotated[float, Field(ge=0, le=1)]]
        | None
    ) = None
    min_confidence_coverage: Annotated[float, Field(ge=0, le=1)] | None = None
    max_ece: Annotated[float, Field(ge=0, le=1)] | None = None
    min_auroc: Annotated[float, Field(ge=0, le=1)] | None = None
    ece_bins: Annotated[int, Field(ge=1)] | None = None
    published: dict[str, dict[str, float | int | dict[str, float | int]]] = {}
    published_tolerance: Annotated[float, Field(ge=0)] = 0.0

    @model_validator(mode="after")
    def _whole_batch(self) -> GatesTable:
        if self.batch_invariance_n < self.batch_invariance_size:
            raise ValueError("expected batch_invariance_n of at least batch_invariance_size")
        return self


class RunTable(Part):
    hang_timeout_s: Annotated[float, Field(gt=0)] = 300.0
    max_attempts: Annotated[int, Field(ge=1)] = 3


class Head(Part):
    name: str
    seed: Annotated[int, Field(ge=0)]
    golden: bool = False


class StudyFile(Part):
    study: Head
    run: RunTable = RunTable()
    tiers: dict[Tier, TierTable]
    experiments: Annotated[dict[str, ExperimentTable], Field(min_length=1)]
    models: Annotated[dict[str, ModelTable], Field(min_length=1)]
    data: Annotated[dict[str, DataTable], Field(min_length=1)]
    prompts: Annotated[dict[str, str], Field(min_length=1)]
    decoding: DecodingTable
    decodings: dict[str, DecodingTable] = {}
    gates: GatesTable
    robustness: RobustnessTable | None = None
    interventions: InterventionsTable | None = None
    contamination: dict[str, ContaminationTable] = {}


def explain(name: str, error: ValidationError) -> str:
    lines = []
    for fault in error.errors():
        key = ".".join(str(p) for p in fault["loc"]) or "(file)"
        if fault["type"] == "extra_forbidden":
            lines.append(f"{name}: {key}: expected no such key, found {fault['input']!r}")
        elif fault["type"] == "missing":
            lines.append(f"{name}: {key}: expected a value, found none")
        else:
            found = "" if isinstance(fault["input"], dict) else f", found {fault['input']!r}"
            message = fault["msg"].removeprefix("Value error, ")
            lines.append(f"{name}: {key}: {message}{found}")
    return "\n".join(sorted(lines))


def cross_check(parsed: StudyFile) -> list[str]:
    faults = []
    tables: dict[str, Mapping[str, object]] = {
        "models": parsed.models,
        "data": parsed.data,
        "prompts": parsed.prompts,
        "experiments": parsed.experiments,
        "decodings": parsed.decodings,
        "contamination": parsed.contamination,
    }
    for table, entries in tables.items():
        faults += [
            f"{table}.{name}: expected a name of a-z, 0-9, '.', '_', '-'"
            for name in entries
            if not _NAME.fullmatch(name)
        ]
    for name, experiment in parsed.experiments.items():
        wanted = {"data": experiment.data, "prompts": experiment.prompts}
        if experiment.models is not None:
            wanted["models"] = experiment.models
        if experiment.after:
            wanted["after"] = experiment.after
        for key, names in wanted.items():
            table = "experiments" if key == "after" else key
            if not names:
                faults.append(f"experiments.{name}.{key}: expected at least one name, found none")
            faults += [
                f"experiments.{name}.{key}: expected one of {sorted(tables[table])}, found {n!r}"
                for n in names
                if n not in tables[table]
            ]
            if len(set(names)) < len(names):
                faults.append(f"experiments.{name}.{key}: a name stands twice in {names}")
    faults += _circle({name: e.after for name, e in parsed.experiments.items()})
    if parsed.robustness is not None:
        faults += foreign_names("robustness", parsed.robustness, tables)
    if parsed.interventions is not None:
        faults += foreign_names("interventions", parsed.interventions, tables)
    for name, audit in parsed.contamination.items():
        faults += foreign_names(f"contamination.{name}", audit, tables)
    faults += source_faults({n: (d.path, d.source) for n, d in parsed.data.items()})
    if not _NAME.fullmatch(parsed.study.name):
        faults.append(
            f"study.name: expected a name of a-z, 0-9, '.', '_', '-', found {parsed.study.name!r}"
        )
    faults += [
        f"gates.min_parse_rate_of.{name}: expected one of {sorted(parsed.experiments)}"
        for name in parsed.gates.min_parse_rate_of or ()
        if name not in parsed.experiments
    ]
    faults += [
        f"gates.published.{data}.{name}: expected one of {sorted(parsed.models)}"
        for data, figures in parsed.gates.published.items()
        for name, figure in figures.items()
        if isinstance(figure, dict) and name not in parsed.models
    ]
    for name, model in parsed.models.items():
        if isinstance(model.source, ReplaySource):
            faults += [
                f"models.{name}.source.predictions.{key}: expected one of {sorted(parsed.data)}"
                for key in model.source.predictions
                if key not in parsed.data
            ]
    for name, template in parsed.prompts.items():
        # {views: TEXT} brings its own text.
        fields = set(re.findall(r"\{(views(?=:)|[^{}]*)(?::[^{}]*)?\}", template))
        if "question" not in fields or fields - {"question", "choices", "options", "views"}:
            faults.append(
                f"prompts.{name}: expected {{question}} and at most {{choices}}, {{options}} or "
                f"{{views}}, found {sorted(fields)}"
            )
    return faults


def _circle(after: Mapping[str, list[str]]) -> list[str]:
    try:
        TopologicalSorter(after).prepare()
    except CycleError as error:
        way = " after ".join(reversed(error.args[1]))
        return [f"experiments: expected `after` to end at an experiment without it, found {way}"]
    return []
