"""What the studies call the parts of a stored cell: an identity holds content, hardly a name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from harness import ids
from harness.errors import ModelError
from harness.models.fingerprint import model_fingerprint
from harness.study import Study
from harness.types import Decoding, ModelSpec

AXES = ("data", "model", "prompt", "decoding")
DEFAULT_DECODING = "default"
_DIGITS = 6
# The libraries that read a checkpoint are not what the study names.
_NOT_CONTENT = ("processor",)
_NOT_DRAWN = ("batch_sizes", "name")


class Names(NamedTuple):
    """All names of each part of a cell, the first of which is shown; never empty.

    `variant` is "" but for a deliberate repetition, such as another batch size.
    """

    data: tuple[str, ...]
    model: tuple[str, ...]
    view: tuple[str, ...]
    prompt: tuple[str, ...]
    decoding: tuple[str, ...]
    variant: str = ""

    def of(self, axis: str) -> tuple[str, ...]:
        """The names on one of `AXES`."""
        found: tuple[str, ...] = getattr(self, axis)
        return found

    @property
    def text(self) -> str:
        """data/model/view/prompt, and the variant where there is one."""
        parts = (self.data[0], self.model[0], self.view[0], self.prompt[0], self.variant)
        return "/".join(part for part in parts if part)


class Naming:
    """Names from studies, those that have the cell's data set first.

    Parameters
    ----------
    studies : a model is theirs when its source and settings are the cell's and, but for a hub
        model, its content is too. A model whose files are not on this machine names nothing.
    """

    def __init__(self, studies: Sequence[Study]) -> None:
        self._studies = tuple(studies)
        self._contents: dict[tuple[Path, str, str], dict[str, Any] | None] = {}

    def of(self, identity: Mapping[str, Any]) -> Names:
        """The names of an identity's parts; what no study names has one from its content."""
        data = str(identity["data"].get("name"))
        studies = sorted(self._studies, key=lambda study: data not in study.data)
        template, drawn = identity["prompt"].get("template"), identity.get("decoding")
        prompts = (p.name for s in studies for p in s.prompts.values() if p.template == template)
        decodings = (
            d.name or DEFAULT_DECODING
            for s in studies
            for d in (s.decoding, *s.decodings.values())
            if _is_same(d, drawn)
        )
        models = (
            m.name for s in studies for m in s.models.values() if self._is_model(s, m, identity)
        )
        return Names(
            data=(data,),
            model=_known(models, _own_name(identity)),
            view=(str(identity["view"].get("name")),),
            prompt=_known(prompts, str(identity["prompt"].get("sha256"))[:8]),
            decoding=_known(decodings, f"decoding-{_short(drawn)}"),
            variant=str(identity.get("variant") or ""),
        )

    def _is_model(self, study: Study, spec: ModelSpec, identity: Mapping[str, Any]) -> bool:
        model = identity["model"]
        source = dict(model.get("source") or {})
        stated = ids.plain(dict(spec.source))
        if not source or any(stated.get(name) != value for name, value in source.items()):
            return False
        settings = ("dtype", "attention", "max_image_side_px")
        if any(identity.get(name) != getattr(spec, name) for name in settings):
            return False
        if spec.source.get("kind") == "hub":
            return True
        content = self._content(study, spec, str(identity["data"].get("name")))
        return content is not None and content == _content_of(model.get("fingerprint"))

    def _content(self, study: Study, spec: ModelSpec, data: str) -> dict[str, Any] | None:
        key = (study.path.resolve(), spec.name, data if spec.source.get("predictions") else "")
        if key not in self._contents:
            try:
                self._contents[key] = _content_of(model_fingerprint(spec, data))
            except (ModelError, OSError):
                self._contents[key] = None
        return self._contents[key]


def _own_name(identity: Mapping[str, Any]) -> str:
    """A model's name from its identity alone, such as "random" or "local-1a2b3c"."""
    source = dict(identity["model"].get("source") or {})
    named = [source[part] for part in ("id", "name", "behaviour") if part in source]
    short = f"{source.get('kind')}-{_short(identity['model'].get('fingerprint'))}"
    return str(named[0]) if named else short


def _content_of(fingerprint: object) -> dict[str, Any]:
    found = dict(fingerprint) if isinstance(fingerprint, Mapping) else {}
    return {name: value for name, value in found.items() if name not in _NOT_CONTENT}


def _is_same(decoding: Decoding, stored: object) -> bool:
    stated = {k: v for k, v in ids.plain(decoding).items() if k not in _NOT_DRAWN}
    return isinstance(stored, Mapping) and all(
        name in stored and stored[name] == value for name, value in stated.items()
    )


def _known(names: Iterable[str], otherwise: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names)) or (otherwise,)


def _short(value: object) -> str:
    return ids.digest(value)[:_DIGITS]


__all__ = ["AXES", "DEFAULT_DECODING", "Names", "Naming"]
