"""Run inside lmms-eval's process as its `sitecustomize`: two repairs, each one recorded.

Only the standard library is used, since the other environment need not have this package. The
installed files of lmms-eval stay as they are; the two faults are those of its generic adapter:

* it asks for a model's type among configuration classes, finds none, and loads the base model,
  which cannot generate;
* it passes `audios` to processors, which call it `audio` or do not know it.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

ADAPTER = "lmms_eval.models.chat.huggingface"
RECORD = "ASSAY_BRIDGE_RECORD"
OFF = "ASSAY_BRIDGE_NO_PATCH"
PACKAGES = ("lmms-eval", "torch", "torchvision", "transformers", "accelerate", "datasets")


def record(**facts: Any) -> None:
    """Append one line to the file that the bridge named, if it did."""
    path = os.environ.get(RECORD)
    if path:
        with open(path, "a", encoding="ascii") as handle:
            handle.write(json.dumps(facts, sort_keys=True) + "\n")


class AnyModel:
    """Loads the first kind of model that has a generating head for a configuration."""

    def __init__(self, kinds: Sequence[Any], config: Any, base: Any) -> None:
        self._kinds, self._config, self._base = kinds, config, base

    def from_pretrained(self, name: str, **options: Any) -> Any:
        """As transformers' method of that name."""
        asked = {"trust_remote_code": options.get("trust_remote_code", False)}
        config = self._config.from_pretrained(name, **asked)
        for kind in self._kinds:
            if type(config) in kind._model_mapping:
                chosen = kind.__name__
                record(patch="generating-model", instead_of=self._base.__name__, used=chosen)
                return kind.from_pretrained(name, **options)
        return self._base.from_pretrained(name, **options)


class AnyProcessor:
    """Loads processors that take the adapter's `audios`."""

    def __init__(self, real: Any) -> None:
        self._real = real

    def from_pretrained(self, name: str, **options: Any) -> Any:
        """As transformers' method of that name."""
        loaded = self._real.from_pretrained(name, **options)
        base = type(loaded)

        def call(processor: Any, *given: Any, **named: Any) -> Any:
            audios = named.pop("audios", None)
            if audios:
                named["audio"] = audios
            for empty in [key for key in ("images", "videos") if named.get(key) == []]:
                del named[empty]
            return base.__call__(processor, *given, **named)

        same_name = {"__call__": call, "__module__": base.__module__, "__qualname__": base.__name__}
        loaded.__class__ = type(base.__name__, (base,), same_name)
        record(patch="audio-keyword", processor=base.__name__)
        return loaded


def repair(module: Any) -> None:
    """Put the two stand-ins in the adapter's own names, where it has them."""
    names = ("AutoConfig", "AutoModel", "AutoProcessor")
    kinds = [
        getattr(module, name)
        for name in ("AutoModelForImageTextToText", "AutoModelForCausalLM")
        if hasattr(module, name)
    ]
    if kinds and all(hasattr(module, name) for name in names):
        module.AutoModel = AnyModel(kinds, module.AutoConfig, module.AutoModel)
        module.AutoProcessor = AnyProcessor(module.AutoProcessor)
        record(patch="installed", module=module.__name__)
    else:
        record(patch="not-applicable", module=module.__name__)


class _Loader(importlib.abc.Loader):
    def __init__(self, real: Any) -> None:
        self._real = real

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        made: ModuleType | None = self._real.create_module(spec)
        return made

    def exec_module(self, module: ModuleType) -> None:
        self._real.exec_module(module)
        repair(module)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


class Finder(importlib.abc.MetaPathFinder):
    """Finds the adapter as the other finders do, and repairs it once it is loaded."""

    def __init__(self) -> None:
        self._searching = False

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The spec of the adapter, None for every other module."""
        if fullname == "lmms_eval":
            record(**_versions())
        if fullname != ADAPTER or os.environ.get(OFF) or self._searching:
            return None
        self._searching = True
        try:
            spec = importlib.util.find_spec(fullname)
        finally:
            self._searching = False
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader)
        return spec


def _versions() -> dict[str, Any]:
    from importlib import metadata

    found: dict[str, str | None] = {}
    commit = None
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = None
    try:
        text = metadata.distribution("lmms-eval").read_text("direct_url.json")
        commit = json.loads(text or "{}").get("vcs_info", {}).get("commit_id")
    except (metadata.PackageNotFoundError, ValueError):
        pass
    return {"packages": found, "lmms_eval_commit": commit}


def _next_sitecustomize() -> None:
    """Run the `sitecustomize` that this one stands before, which must not be lost."""
    here = os.path.dirname(os.path.abspath(__file__))
    rest = [entry for entry in sys.path if os.path.abspath(entry or os.curdir) != here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", rest)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


if __name__ == "sitecustomize":
    sys.meta_path.insert(0, Finder())
    _next_sitecustomize()

__all__ = ["ADAPTER", "OFF", "RECORD", "AnyModel", "AnyProcessor", "Finder", "record", "repair"]
