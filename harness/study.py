"""A study file (TOML) becomes a `Study`: what is compared, on what, and by which thresholds."""

from __future__ import annotations

import hashlib
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from harness import ids
from harness.errors import StudyError
from harness.study_file import DataTable, DecodingTable, StudyFile, cross_check, explain
from harness.study_models import EndpointSource, LocalSource, ModelTable, ReplaySource
from harness.study_tables import without_places
from harness.types import Decoding, ModelSpec, Prompt, Tier

_REVISION = re.compile(r"[0-9a-f]{40}")
_PARTS = ("whole", "design", "held_out")
_SETS = ("audit", "static", "pools")


@dataclass(frozen=True, kw_only=True, slots=True)
class DataSpec:
    """A data set as the study names it; `n` overrides the tier's size.

    `source` says where its file can be got: `repo`, `revision` and `file` of a data set on the hub.
    """

    name: str
    reader: str
    split: str
    path: Path | None = None
    source: Mapping[str, str] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    n: Mapping[Tier, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Experiment:
    """Which data, prompts and models of the study an experiment uses.

    `golden` pins its cells; `after` names the experiments whose gates must be GO before any.
    """

    data: tuple[str, ...]
    prompts: tuple[str, ...]
    models: tuple[str, ...]
    golden: bool
    after: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Study:
    """A validated study.

    Attributes
    ----------
    sha256 : hash of the file's bytes, 64 hex digits.
    decoding, decodings : what cells use unless they name one of the others.
    robustness, interventions : what the tables of these studies go by; None for other studies.
    contamination : the audits of training rows by name.
    thresholds : the gate thresholds as JSON values; `thresholds_first` is what the runs
        folder recorded as `frozen` when this study first ran, None before that.
    runs : folder of the runs, set by the plugin; None before that.
    tier, experiment : set by the plugin for the call of an experiment's `cells(study)` and
        `gates(study)`; empty otherwise.
    """

    name: str
    path: Path
    sha256: str
    seed: int
    hang_timeout_s: float
    max_attempts: int
    tiers: Mapping[Tier, int | None]
    experiments: Mapping[str, Experiment]
    models: Mapping[str, ModelSpec]
    data: Mapping[str, DataSpec]
    prompts: Mapping[str, Prompt]
    decoding: Decoding
    decodings: Mapping[str, Decoding]
    thresholds: Mapping[str, Any]
    robustness: Mapping[str, Any] | None = None
    interventions: Mapping[str, Any] | None = None
    contamination: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    thresholds_first: Mapping[str, Any] | None = None
    runs: Path | None = None
    tier: Tier | None = None
    experiment: str = ""

    @property
    def frozen(self) -> dict[str, Any]:
        """What may not change after the first run.

        Thresholds, what chooses the sample, what locks an experiment, and what the tables of a
        robustness or an intervention study go by. Of the data, those that any of these names.
        """
        data = {name: spec for name, spec in self.data.items() if name in self._named_data()}
        n = {name: dict(spec.n) for name, spec in data.items() if spec.n}
        frozen = {**self.thresholds, "seed": self.seed, "tiers": dict(self.tiers), "data_n": n}
        subsets = {name: spec.options.get("subset") for name, spec in data.items()}
        if any(subsets.values()):
            frozen["data_subset"] = {name: subset for name, subset in subsets.items() if subset}
        after = {name: list(e.after) for name, e in self.experiments.items() if e.after}
        if after:
            frozen["after"] = after
        if self.robustness is not None:
            frozen["robustness"] = ids.plain(self.robustness)
        if self.interventions is not None:
            frozen["interventions"] = ids.plain(self.interventions)
        if self.contamination:
            frozen["contamination"] = without_places(self.contamination)
        return frozen

    def _named_data(self) -> set[str]:
        found = {name for experiment in self.experiments.values() for name in experiment.data}
        for table, keys in ((self.robustness, _PARTS), (self.interventions, _SETS)):
            found |= {table[key] for key in keys if table[key] is not None} if table else set()
        for audit in self.contamination.values():
            found |= {name for name in (audit["train"], *audit["evals"]) if name is not None}
        return found

    def at(self, tier: Tier, experiment: str) -> Study:
        """The study as seen by one experiment at one tier."""
        return replace(self, tier=tier, experiment=experiment)

    @property
    def scope(self) -> Experiment:
        """The current experiment's data, prompts and models."""
        return self.experiments[self.experiment]


def load_study(path: Path) -> Study:
    """Read and validate a study file.

    Parameters
    ----------
    path : a TOML file. Relative paths inside it are taken from its folder; `$NAME` in a
        path or an endpoint's address is read from the environment.

    Raises
    ------
    StudyError
        With every fault found: file, key, what was expected, what was found.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        found = f"found none ({error.strerror})"
        raise StudyError(f"{path.name}: expected a study file, {found}") from None
    try:
        tree = tomllib.loads(raw.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise StudyError(f"{path.name}: not valid TOML: {error}") from None
    try:
        parsed = StudyFile.model_validate(tree)
    except ValidationError as error:
        raise StudyError(explain(path.name, error)) from None
    faults = cross_check(parsed)
    study = _build(path, raw, parsed, faults)
    if faults:
        raise StudyError("\n".join(f"{path.name}: {fault}" for fault in sorted(faults)))
    return study


def unpinned(spec: ModelSpec) -> str | None:
    """Why a model is not pinned to something immutable; None when it is."""
    if spec.source["kind"] == "hub" and not _REVISION.fullmatch(spec.source["revision"]):
        return (
            f"models.{spec.name}.source.revision: expected 40 hex digits (an immutable commit), "
            f"found {spec.source['revision']!r}"
        )
    if spec.source["kind"] == "endpoint":
        stated = spec.source["revision"] or ""
        if not _REVISION.fullmatch(stated):
            return (
                f"models.{spec.name}.source.revision: expected 40 hex digits (the commit of the "
                f"weights that the endpoint serves, as its operator states it), found {stated!r}"
            )
    return None


def _build(path: Path, raw: bytes, parsed: StudyFile, faults: list[str]) -> Study:
    folder = path.resolve().parent

    def expand(key: str, text: str) -> str:
        expanded = os.path.expandvars(text)
        if "$" in expanded:
            missing = re.findall(r"\$\{?(\w+)", expanded)
            faults.append(f"{key}: expected the environment to set {', '.join(missing)}")
        return expanded

    def resolve(key: str, text: str) -> Path:
        return folder / expand(key, text)

    models = {
        name: _model_spec(name, model, resolve, expand)
        for name, model in sorted(parsed.models.items())
    }
    data = {name: _data_spec(name, spec, resolve) for name, spec in sorted(parsed.data.items())}
    for key in parsed.gates.published:
        if key not in parsed.data:
            faults.append(f"gates.published.{key}: expected one of {sorted(parsed.data)}")
    return Study(
        name=parsed.study.name,
        path=path,
        sha256=hashlib.sha256(raw).hexdigest(),
        seed=parsed.study.seed,
        hang_timeout_s=parsed.run.hang_timeout_s,
        max_attempts=parsed.run.max_attempts,
        tiers={tier: spec.n for tier, spec in sorted(parsed.tiers.items())},
        experiments={
            name: Experiment(
                data=tuple(e.data),
                prompts=tuple(e.prompts),
                models=tuple(models) if e.models is None else tuple(e.models),
                golden=parsed.study.golden if e.golden is None else e.golden,
                after=tuple(e.after),
            )
            for name, e in sorted(parsed.experiments.items())
        },
        models=models,
        data=data,
        prompts={n: Prompt(name=n, template=t) for n, t in sorted(parsed.prompts.items())},
        decoding=_decoding("", parsed.decoding),
        decodings={name: _decoding(name, d) for name, d in sorted(parsed.decodings.items())},
        thresholds=ids.plain(parsed.gates.model_dump(exclude_none=True)),
        robustness=None if parsed.robustness is None else parsed.robustness.model_dump(),
        interventions=None if parsed.interventions is None else parsed.interventions.model_dump(),
        contamination={n: a.model_dump() for n, a in sorted(parsed.contamination.items())},
    )


def _decoding(name: str, table: DecodingTable) -> Decoding:
    fields = table.model_dump()
    return Decoding(name=name, **{**fields, "batch_sizes": tuple(fields["batch_sizes"])})


def _model_spec(name: str, model: ModelTable, resolve: Any, expand: Any) -> ModelSpec:
    source = model.source.model_dump()
    if isinstance(model.source, LocalSource):
        source["path"] = str(resolve(f"models.{name}.source.path", model.source.path))
    if isinstance(model.source, EndpointSource):
        source["base_url"] = expand(f"models.{name}.source.base_url", model.source.base_url)
    if isinstance(model.source, ReplaySource):
        for data, entry in source["predictions"].items():
            key = f"models.{name}.source.predictions.{data}.path"
            entry["path"] = str(resolve(key, entry["path"]))
    return ModelSpec(
        name=name,
        family=model.family,
        source=source,
        dtype=model.dtype,
        attention=model.attention,
        max_image_side_px=model.max_image_side_px,
    )


def _data_spec(name: str, spec: DataTable, resolve: Any) -> DataSpec:
    options: dict[str, Any] = {}
    if spec.image_root is not None:
        options["image_root"] = resolve(f"data.{name}.image_root", spec.image_root)
    if spec.ids is not None:
        options["ids"] = {
            "path": resolve(f"data.{name}.ids.path", spec.ids.path),
            "where": dict(spec.ids.where),
        }
    if spec.subset is not None:
        options["subset"] = spec.subset.model_dump()
    if spec.exclude:
        options["exclude"] = tuple(spec.exclude)
    if spec.size is not None:
        options["size"] = spec.size
    if spec.incomplete != "refuse":
        options["incomplete"] = spec.incomplete
    if spec.hint != "context":
        options["hint"] = spec.hint
    if spec.frames is not None:
        options["frames"] = spec.frames
    if spec.fingerprint is not None:
        options["fingerprint"] = spec.fingerprint
    return DataSpec(
        name=name,
        reader=spec.reader,
        split=spec.split,
        path=None if spec.path is None else resolve(f"data.{name}.path", spec.path),
        source=None if spec.source is None else spec.source.model_dump(),
        options=options,
        n=dict(spec.n),
    )
