"""What can be known of a model before it is loaded: every fault of its files, all at once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from harness.cells import looks
from harness.errors import ModelError
from harness.models.fingerprint import checkpoint_folder
from harness.models.load import open_model
from harness.models.reward import head_fault
from harness.types import Dataset, Example, ModelSpec

_VOCABULARIES = ("tokenizer.json", "tokenizer.model", "vocab.json")
_TOKENIZER = "tokenizer_config.json"
_ONE_FILE = "TokenizersBackend"  # the class that reads tokenizer.json and nothing else
_PROCESSORS = ("processor_config.json", "preprocessor_config.json")
_TEMPLATES = ("chat_template.jinja", "chat_template.json")
_INDEX = "model.safetensors.index.json"
_OBJECTS = (
    *("config.json", "generation_config.json", "tokenizer.json", "vocab.json", _TOKENIZER),
    *(*_PROCESSORS, "chat_template.json", _INDEX),
)
_POINTER = b"version https://git-lfs"
_LENGTH_BYTES = 8
_MAX_HEADER_BYTES = 100_000_000


def check_files(spec: ModelSpec) -> None:
    """Find what is wrong with the files of a local or hub model, whatever data it is asked of.

    Raises
    ------
    ModelError
        With all faults, sorted; for a hub model that is not here, with the command that gets it.
    """
    if faults := _checkpoint_faults(spec):
        raise ModelError(f"model {spec.name}: {'; '.join(sorted(faults))}")


def check_ready(spec: ModelSpec, dataset: Dataset, fit: Callable[[], Sequence[Example]]) -> None:
    """Find what would stop a model from answering one data set, without loading its weights.

    Neither torch nor transformers is imported and the network is not used. What only loading
    shows stays open: weights of another shape, an architecture that is not known.

    Parameters
    ----------
    spec : the model. A replay, baseline, fake or endpoint is opened and closed, without asking
        it; of a local or hub model the files are read, of its weights only the headers.
    dataset : the whole split that the requests will come from.
    fit : gives the labelled examples that a majority baseline is fitted on.

    Raises
    ------
    ModelError
        With all faults of the model, sorted; each names the file, what was expected and what
        was found.
    DataError
        When a prediction file, or the split that a baseline is fitted on, cannot be read.
    """
    faults: set[str] = set()
    prefix = f"model {spec.name}: "
    try:
        on_disk = spec.source.get("kind") in ("local", "hub")
        if on_disk and spec.family in ("generative", "reward"):
            faults.update(_checkpoint_faults(spec))
        else:
            open_model(spec, dataset, "cpu", 1, fit).close()
        faults.update(_picture_faults(spec, dataset))
    except ModelError as error:
        faults.add(str(error).removeprefix(prefix))
        if spec.source.get("kind") in ("local", "hub", "fake", "endpoint"):
            faults.update(_picture_faults(spec, dataset))
    if faults:
        raise ModelError(prefix + "; ".join(sorted(faults)))


def _picture_faults(spec: ModelSpec, dataset: Dataset) -> Iterator[str]:
    images = [m for example in dataset.examples for m in example.media if m.kind == "image"]
    # A data set that keeps rows without their picture has others; those rows fail on their own.
    first = images[0].name if images and all(m.sha256 is None for m in images) else None
    if first is not None and looks(spec):
        yield (
            f"the pictures of data set {dataset.name} are not on this machine (first {first}): "
            f"set data.{dataset.name}.image_root in the study, or use replayed predictions"
        )


def _checkpoint_faults(spec: ModelSpec) -> list[str]:
    """Faults of a folder; `checkpoint_folder` stops at its first, so it has the last word."""
    local = spec.source["kind"] == "local" and Path(spec.source["path"]).is_dir()
    folder = Path(spec.source["path"]) if local else checkpoint_folder(spec)
    files = {p.name: p for p in folder.iterdir() if p.is_file() and not p.name.startswith(".")}
    faults = [
        f"{name}: expected its content, found a Git LFS pointer: run git lfs pull"
        for name, path in files.items()
        if _starts(path, _POINTER)
    ]
    pointers = {fault.split(":")[0] for fault in faults}
    objects: dict[str, dict[str, Any]] = {}
    for name in (n for n in _OBJECTS if n in files and n not in pointers):
        content = _parse(files[name].read_bytes())
        if isinstance(content, dict):
            objects[name] = content
        else:
            faults.append(f"{name}: expected a JSON object, found {content}")
    unread = (set(_OBJECTS) & set(files)) - set(objects)
    faults += _part_faults(files, objects, unread)
    faults += _shard_faults(files, objects.get(_INDEX, {"weight_map": {}}))
    for name, path in files.items():
        if path.suffix == ".safetensors" and name not in pointers:
            faults += (f"{name}: {fault}" for fault in _weight_faults(path))
    if not faults:
        checkpoint_folder(spec)
        headless = head_fault(folder) if spec.family == "reward" else None
        faults += [] if headless is None else [headless]
    return faults


def _part_faults(
    files: dict[str, Path], objects: dict[str, dict[str, Any]], unread: set[str]
) -> Iterator[str]:
    """What a folder lacks; a file that is there but damaged is told of as such, not as missing."""
    if "config.json" not in files:
        yield "config.json: expected a JSON object with model_type, found no such file"
    elif "config.json" in objects:
        kind = objects["config.json"].get("model_type")
        if not isinstance(kind, str) or not kind:
            yield f"config.json: expected model_type to be a name, found {kind!r:.40}"
    if not any(name in files for name in (*_VOCABULARIES, _TOKENIZER)):
        yield f"tokenizer: expected one of {', '.join((*_VOCABULARIES, _TOKENIZER))}, found none"
    named = objects.get(_TOKENIZER, {}).get("tokenizer_class")
    if named == _ONE_FILE and not any(name in files for name in _VOCABULARIES):
        yield f"tokenizer.json: expected a file, since {_TOKENIZER} asks for it, found none"
    if not any(name in files for name in _PROCESSORS):
        yield f"processor: expected one of {', '.join(_PROCESSORS)}, found none"
    holders = (_TOKENIZER, "processor_config.json")
    stated = any(objects.get(name, {}).get("chat_template") for name in holders)
    if not stated and not unread & set(holders) and not any(n in files for n in _TEMPLATES):
        yield (
            f"chat template: expected one of {', '.join(_TEMPLATES)}, or chat_template in "
            f"{' or '.join(holders)}, found none"
        )
    if not any(path.suffix == ".safetensors" for path in files.values()):
        yield (
            "*.safetensors: expected the weights, found none (a pickle such as .bin or .pt can run "
            "code when it is read, so it is refused: convert it with save_pretrained)"
        )


def _shard_faults(files: dict[str, Path], index: dict[str, Any]) -> Iterator[str]:
    shards = index.get("weight_map")
    if not isinstance(shards, dict) or not all(isinstance(s, str) for s in shards.values()):
        yield f"{_INDEX}: expected weight_map to name a file for each weight, found {shards!r:.40}"
        return
    for name in sorted(set(shards.values()) - set(files)):
        yield f"{Path(name).name}: expected a file, since {_INDEX} names it, found none"


def _weight_faults(path: Path) -> Iterator[str]:
    """Faults of one safetensors file: length (8 bytes), header (JSON), data."""
    size = path.stat().st_size
    if size < _LENGTH_BYTES:
        yield f"expected at least {_LENGTH_BYTES} bytes, found {size}"
        return
    with path.open("rb") as file:
        length = int.from_bytes(file.read(_LENGTH_BYTES), "little")
        most = min(_MAX_HEADER_BYTES, size - _LENGTH_BYTES)
        if length > most:
            yield (
                f"expected a safetensors header of at most {most} bytes, found a length of {length}"
            )
            return
        header = _parse(file.read(length))
    if not isinstance(header, dict):
        yield f"expected a JSON object as safetensors header, found {header}"
        return
    ends = [_end(entry) for name, entry in header.items() if name != "__metadata__"]
    if None in ends:
        yield "expected data_offsets [begin, end] of every weight in the header, found others"
        return
    expected = _LENGTH_BYTES + length + max((end for end in ends if end is not None), default=0)
    if size != expected:
        yield f"expected {expected} bytes by its header, found {size}: fetch or copy it again"


def _end(entry: object) -> int | None:
    match entry:
        case {"data_offsets": [int(begin), int(end)]} if 0 <= begin <= end:
            return end
    return None


def _parse(raw: bytes) -> dict[str, Any] | str:
    """A JSON object, or in words what was found instead."""
    try:
        content = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        return f"no valid JSON ({error})" if raw.strip() else "nothing"
    return content if isinstance(content, dict) else f"{content!r:.40}"


def _starts(path: Path, prefix: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(prefix)) == prefix


__all__ = ["check_files", "check_ready"]
