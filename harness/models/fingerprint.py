"""What a model is made of, from its files alone: the part of a cell's key that names a model."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib import metadata, util
from pathlib import Path
from typing import Any

from harness import ids
from harness.errors import ModelError
from harness.types import ModelSpec

_REVISION = re.compile(r"[0-9a-f]{40}")
_REPOSITORY = re.compile(r"[\w.-]+(/[\w.-]+)?")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_PICKLES = frozenset({".bin", ".pt", ".pth", ".ckpt", ".pkl", ".h5", ".msgpack"})
_SETTINGS = frozenset({".json", ".jinja", ".model", ".txt", ".tiktoken", ".vocab", ".py"})
_RECORDS_OF_TRAINING = frozenset({"training.json", "trainer_state.json"})
_TEMPLATES = "additional_chat_templates"


def model_fingerprint(spec: ModelSpec, dataset_name: str) -> dict[str, Any]:
    """Describe everything about a model that can change its output.

    Reads files only: no model is loaded, torch is not imported and the network is not used.
    Holds no path, so that a checkpoint in another folder has the same fingerprint.

    Parameters
    ----------
    spec : the model; the keys of `spec.source` depend on its `kind`.
    dataset_name : the study's name of the data set; a replay has one prediction file for each.

    Returns
    -------
    dict
        JSON values. local: `weights_sha256` and `settings_sha256` (64 hex digits each, over the
        sorted names and hashes of the files); hub: `id` and `revision`; both with `processor`
        (image processor, backend, versions). replay: `predictions_sha256` and `where`.
        baseline and fake: their options. endpoint: `label`, `model`, `revision` as stated.

    Raises
    ------
    ModelError
        When the files are not on this machine, when weights exist only as pickles (they can
        run code), or when a hub model is not pinned to a commit.
    """
    source = spec.source
    match source.get("kind"):
        case "local":
            found: dict[str, Any] = {
                "kind": "local",
                **content_digests(spec),
                "processor": _processor(checkpoint_folder(spec), spec.name),
            }
        case "hub":
            folder = checkpoint_folder(spec)
            found = {
                "kind": "hub",
                "id": source["id"],
                "revision": source["revision"],
                "processor": _processor(folder, spec.name),
            }
        case "replay":
            entry = replay_entry(spec, dataset_name)
            found = {
                "kind": "replay",
                "predictions_sha256": _cached_digest(Path(entry["path"])),
                "where": dict(entry.get("where", {})),
            }
        case "endpoint":
            return {key: source.get(key) for key in ("kind", "label", "model", "revision")}
        case "baseline" | "fake":
            return dict(ids.plain(dict(source)))
        case kind:
            raise ModelError(
                f"model {spec.name}: expected source.kind to be one of hub, local, replay, "
                f"baseline, endpoint, fake; found {kind!r}"
            )
    if source.get("trust_remote_code", False):
        found["trust_remote_code"] = True
    return found


def content_digests(spec: ModelSpec) -> dict[str, str]:
    """The hashes of a local or hub model's files: equal for one checkpoint, however it is named.

    Returns
    -------
    dict
        `weights_sha256` and `settings_sha256` as `model_fingerprint` has them of a local model. In
        the hub's cache a large file is a link whose target is named by its hash: it is not read.

    Raises
    ------
    ModelError
        As for `model_fingerprint`.
    """
    folder = checkpoint_folder(spec)
    weights, settings = _model_files(folder, spec.name)
    digest = _blob_digest if spec.source["kind"] == "hub" else _cached_digest
    return {
        "weights_sha256": _digest_of(folder, weights, digest),
        "settings_sha256": _digest_of(folder, settings, digest),
    }


def checkpoint_folder(spec: ModelSpec) -> Path:
    """The folder that holds a local or hub model, complete and free of pickle-only weights.

    Raises
    ------
    ModelError
        As for `model_fingerprint`; for a hub model that is not in the cache the message has
        the command that fetches it, and for one without a commit the command that prints it.
    """
    source = spec.source
    if source["kind"] == "hub":
        return _snapshot(spec)
    folder = Path(source["path"])
    if not folder.is_dir():
        raise ModelError(
            f"model {spec.name}: expected a checkpoint folder, found none named {folder.name!r}; "
            "check models.*.source.path in the study file"
        )
    _model_files(folder, spec.name)
    return folder


def replay_entry(spec: ModelSpec, dataset_name: str) -> Mapping[str, Any]:
    """The prediction file {path, where} of a replayed model for one data set.

    Raises
    ------
    ModelError
        When there is none for that data set, or the file is not on this machine.
    """
    known: Mapping[str, Mapping[str, Any]] = spec.source.get("predictions", {})
    if dataset_name not in known:
        raise ModelError(
            f"model {spec.name}: expected source.predictions to have an entry for data set "
            f"{dataset_name!r}, found {sorted(known)}"
        )
    entry = known[dataset_name]
    if not Path(entry["path"]).is_file():
        raise ModelError(
            f"model {spec.name}: expected a prediction file for data set {dataset_name!r}, found "
            f"none named {Path(entry['path']).name!r}"
        )
    return entry


def _unpinned(name: str, revision: str) -> str:
    """What to do about a hub model without a commit: get it, and see which commit it is."""
    from huggingface_hub import constants

    stated = f"expected source.revision to be a commit of 40 hex digits, found {revision!r}"
    if not _REPOSITORY.fullmatch(name) or not _REPOSITORY.fullmatch(revision):
        return f"{name}: {stated}"
    folder = Path(constants.HF_HUB_CACHE) / f"models--{name.replace('/', '--')}"
    ref = folder / "refs" / revision
    commit = ref.read_text(encoding="utf-8").strip() if ref.is_file() else ""
    if _REVISION.fullmatch(commit) and (folder / "snapshots" / commit).is_dir():
        return (
            f"{name}: {stated}, which can move; it is on this machine as commit {commit}: if this "
            f'is the one, state revision = "{commit}"'
        )
    shown = f"~/{ref.relative_to(Path.home())}" if ref.is_relative_to(Path.home()) else str(ref)
    return (
        f"{name} is not on this machine; nothing is downloaded during a run, so get it first with: "
        f"hf download {name} --revision {revision}; and {stated}, which can move: after the "
        f"download, this prints the commit to state there: cat {shown}"
    )


def _snapshot(spec: ModelSpec) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    name, revision = str(spec.source["id"]), str(spec.source.get("revision", ""))
    if not _REVISION.fullmatch(revision):
        raise ModelError(f"model {spec.name}: {_unpinned(name, revision)}")
    command = f"hf download {name} --revision {revision}"
    try:
        folder = Path(snapshot_download(name, revision=revision, local_files_only=True))
    except LocalEntryNotFoundError:
        raise ModelError(
            f"model {spec.name}: {name} at revision {revision} is not on this machine; nothing is "
            f"downloaded during a run, so get it first with: {command}"
        ) from None
    try:
        _model_files(folder, spec.name)
    except ModelError as error:
        raise ModelError(f"{error}; if the download was cut short, repeat: {command}") from None
    return folder


def _model_files(folder: Path, name: str) -> tuple[list[Path], list[Path]]:
    """Weights, then all other files that a model or processor may read; both sorted."""
    files = sorted(p for p in folder.iterdir() if p.is_file() and not p.name.startswith("."))
    weights = [p for p in files if p.suffix == ".safetensors"]
    pickles = [p.name for p in files if p.suffix in _PICKLES]
    if not weights and pickles:
        raise ModelError(
            f"model {name}: expected weights as .safetensors, found only {', '.join(pickles)}; a "
            "pickle can run code when it is read: convert it with save_pretrained"
        )
    generation = folder / "generation_config.json"
    if generation.is_file():
        _read_json(generation, name)  # transformers would pass over a damaged one in silence
    missing = [] if weights else ["*.safetensors"]
    if not (folder / "config.json").is_file():
        missing.append("config.json")
    for index in (p for p in files if p.name.endswith(".safetensors.index.json")):
        shards = set(_read_json(index, name).get("weight_map", {}).values())
        missing += sorted(s for s in shards if not (folder / s).is_file())
    if missing:
        raise ModelError(f"model {name}: folder {folder.name!r} lacks {', '.join(missing)}")
    settings = [
        p for p in files if p.suffix in _SETTINGS and p.name not in _RECORDS_OF_TRAINING
    ] + sorted((folder / _TEMPLATES).glob("*.jinja"))
    return weights, settings


def _processor(folder: Path, name: str) -> dict[str, str | None]:
    stated = None
    for file in ("processor_config.json", "preprocessor_config.json"):
        if stated is None and (folder / file).is_file():
            content = _read_json(folder / file, name)
            inner = content.get("image_processor")
            stated = (inner if isinstance(inner, dict) else content).get("image_processor_type")
    return {
        "image_processor_type": stated,
        "backend": "torchvision" if util.find_spec("torchvision") else "pil",
        "torchvision": _version("torchvision"),
        "transformers": _version("transformers"),
    }


def _read_json(path: Path, name: str) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ModelError(f"model {name}: {path.name} is not valid JSON: {error}") from None
    if not isinstance(content, dict):
        raise ModelError(f"model {name}: {path.name}: expected an object, found {content!r:.40}")
    return content


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _digest_of(folder: Path, files: Sequence[Path], digest: Callable[[Path], str]) -> str:
    return ids.digest(sorted((p.relative_to(folder).as_posix(), digest(p)) for p in files))


def _blob_digest(path: Path) -> str:
    target = path.readlink().name if path.is_symlink() else ""
    return target if _SHA256.fullmatch(target) else _cached_digest(path)


def _cached_digest(path: Path) -> str:
    status = path.stat()
    return _digest(str(path), status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=4096)
def _digest(path: str, _size: int, _mtime_ns: int) -> str:
    return ids.file_digest(path)


__all__ = ["checkpoint_folder", "content_digests", "model_fingerprint", "replay_entry"]
