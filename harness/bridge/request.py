"""What lmms-eval is asked: checked, and turned into a list of arguments."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.bridge.faults import BridgeError, check_commit

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.\-]*")
_PUBLIC_ID = re.compile(r"[A-Za-z0-9][\w.\-]*(/[\w.\-]+)?")
_SECRET = re.compile(r"(?:.*_)?(?:api_?key|key|token|secret|password)", re.IGNORECASE)
_NO_SECRET = re.compile(r"\d+|true|false|none", re.IGNORECASE)
_SEEDS = 4
CLAIM_LEVELS = ("L0", "L1", "L2", "L3")


@dataclass(frozen=True, kw_only=True, slots=True)
class LmmsRequest:
    """One run of lmms-eval.

    Parameters
    ----------
    adapter : lmms-eval's `--model`, such as "huggingface".
    model_args : its `--model_args`, in this order. `pretrained`, where it stands, is a folder,
        or a hub id beside a `revision` that is `model_revision`.
    public_model_id : how the model is published; it stands in the summary instead of a path.
    model_revision, upstream_revision : commits of the model and of lmms-eval, 40 hex digits.
    tasks : at least one, none twice.
    include_path : folder of one's own tasks.
    batch_size : 1 or more. lmms-eval's generic adapter was found right at 1 alone.
    limit : examples per task, 1 or more; None takes all.
    seed : of all four generators that lmms-eval seeds.
    claim_level : what the figures may be called, "L0" (mechanism check) to "L3" (full suite).

    Raises
    ------
    BridgeError
        For anything else, by field, before a process is started.
    """

    adapter: str
    model_args: tuple[tuple[str, str], ...]
    public_model_id: str
    model_revision: str
    upstream_revision: str
    tasks: tuple[str, ...]
    include_path: Path | None = None
    batch_size: int = 1
    limit: int | None = None
    seed: int = 42
    claim_level: str = "L3"

    def __post_init__(self) -> None:
        check_commit("model revision", self.model_revision)
        check_commit("upstream revision", self.upstream_revision)
        _check(bool(_NAME.fullmatch(self.adapter)), "adapter", "a name", self.adapter)
        _check(
            bool(_PUBLIC_ID.fullmatch(self.public_model_id)),
            "public model id",
            "a name or owner/name and no path",
            self.public_model_id,
        )
        named = [task for task in self.tasks if _NAME.fullmatch(task)]
        whole = bool(self.tasks) and len(set(named)) == len(self.tasks)
        _check(whole, "tasks", "at least one name, none twice", self.tasks)
        _check(self.batch_size >= 1, "batch size", "at least 1", self.batch_size)
        _check(self.limit is None or self.limit >= 1, "limit", "at least 1 or none", self.limit)
        _check(0 <= self.seed < 2**32, "seed", "0 to 2**32 - 1", self.seed)
        _check(self.claim_level in CLAIM_LEVELS, "claim level", "L0 to L3", self.claim_level)
        if self.include_path is not None:
            what = "an existing folder of tasks"
            _check(self.include_path.is_dir(), "include path", what, self.include_path.name)
        self._check_model_args()

    def _check_model_args(self) -> None:
        names = [name for name, _ in self.model_args]
        for name, value in self.model_args:
            fine = bool(_NAME.fullmatch(name)) and value != "" and "," not in value
            _check(fine, "model args", "name=value without a comma", f"{name}={value}")
            if _SECRET.fullmatch(name) and not _NO_SECRET.fullmatch(value):
                raise BridgeError(
                    f"model args: expected no secret, found {name}; a command line can be read by "
                    "others and is stored, so pass it in the environment"
                )
        _check(len(set(names)) == len(names), "model args", "each name once", ",".join(names))
        given = dict(self.model_args)
        stated = given.get("revision", self.model_revision)
        _check(stated == self.model_revision, "model args", "revision as pinned", stated)
        if "pretrained" not in given:
            return
        if self.checkpoint is not None:
            self._check_snapshot(self.checkpoint.resolve())
            return
        if "revision" not in given:
            raise BridgeError(
                f"model args: expected pretrained to be a folder that holds the pinned commit, or "
                f"revision={self.model_revision} beside it, found {given['pretrained']!r} alone, "
                "which would load the newest commit; fetch it with `hf download ID --revision "
                "COMMIT --local-dir DIR`"
            )

    def _check_snapshot(self, folder: Path) -> None:
        """The hub's cache names the folder of a snapshot by its commit."""
        if folder.parent.name == "snapshots" and folder.name != self.model_revision:
            raise BridgeError(
                f"model args: expected the snapshot of {self.model_revision}, found that of "
                f"{folder.name}"
            )

    @property
    def checkpoint(self) -> Path | None:
        """The folder that the model is loaded from, None where it is no folder."""
        given = dict(self.model_args).get("pretrained", "")
        return Path(given) if given and Path(given).is_dir() else None

    def argv(self, python: str, output: Path) -> list[str]:
        """The command, one argument a string: no shell ever reads it.

        Parameters
        ----------
        python : the interpreter of the environment that holds lmms-eval.
        output : the folder that results are written to.

        Examples
        --------
        >>> asked = LmmsRequest(adapter="x", model_args=(), public_model_id="o/m",
        ...     model_revision="a" * 40, upstream_revision="b" * 40, tasks=("mme", "pope"))
        >>> asked.argv("python", Path("out"))[3:7]
        ['--model', 'x', '--tasks', 'mme,pope']
        """
        words = [python, "-m", "lmms_eval", "--model", self.adapter]
        if self.model_args:
            words += ["--model_args", ",".join(f"{n}={v}" for n, v in self.model_args)]
        words += ["--tasks", ",".join(self.tasks)]
        if self.include_path is not None:
            words += ["--include_path", str(self.include_path)]
        words += ["--batch_size", str(self.batch_size)]
        if self.limit is not None:
            words += ["--limit", str(self.limit)]
        words += ["--seed", ",".join([str(self.seed)] * _SEEDS)]
        return [*words, "--output_path", str(output), "--log_samples", "--timezone", "UTC"]

    def document(self) -> dict[str, Any]:
        """The request as JSON values; folders by their base name alone."""
        return {
            "adapter": self.adapter,
            "model_args": {name: _shown(value) for name, value in self.model_args},
            "public_model_id": self.public_model_id,
            "model_revision": self.model_revision,
            "upstream_revision": self.upstream_revision,
            "tasks": list(self.tasks),
            "include_path": None if self.include_path is None else self.include_path.name,
            "batch_size": self.batch_size,
            "limit": self.limit,
            "seed": self.seed,
            "claim_level": self.claim_level,
        }


def model_args(text: str) -> tuple[tuple[str, str], ...]:
    """Read lmms-eval's own spelling, `name=value,name=value`.

    Raises
    ------
    BridgeError
        For a part without a name and a value.

    Examples
    --------
    >>> model_args("pretrained=o/m,device_map=auto")
    (('pretrained', 'o/m'), ('device_map', 'auto'))
    """
    parts = [part.partition("=") for part in text.split(",")] if text else []
    for name, sign, value in parts:
        _check(bool(name and sign and value), "model args", "name=value,…", f"{name}{sign}{value}")
    return tuple((name, value) for name, _, value in parts)


def _shown(value: str) -> str:
    return Path(value).name if Path(value).is_absolute() or Path(value).is_dir() else value


def _check(fine: bool, what: str, expected: str, found: Any) -> None:
    if not fine:
        raise BridgeError(f"{what}: expected {expected}, found {found!r:.120}")


def known_folders(request: LmmsRequest, more: Mapping[str, Path]) -> dict[str, str]:
    """What to write in place of each folder that the run knows, by its absolute path.

    Parameters
    ----------
    request : its checkpoint becomes the public model id, its folder of tasks `<root>`.
    more : placeholder, one of those of `harness.provenance.scrub`, to folder.
    """
    named = {f"<{name}>": path for name, path in more.items()}
    if request.include_path is not None:
        named["<root>"] = request.include_path
    if request.checkpoint is not None:
        named[request.public_model_id] = request.checkpoint
    found: dict[str, str] = {}
    for placeholder, path in named.items():
        for spelling in (path, path.absolute(), path.resolve()):
            if spelling.is_absolute():
                found[str(spelling)] = placeholder
    return found


__all__ = ["CLAIM_LEVELS", "LmmsRequest", "known_folders", "model_args"]
