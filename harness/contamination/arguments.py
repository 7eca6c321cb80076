"""A plan out of a command line or a TOML file."""

from __future__ import annotations

import argparse
import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.contamination.plan import AuditPlan, plan_from
from harness.contamination.records import GUESSED
from harness.errors import DataError

_SOURCE = {
    "text-field": "fields",
    "id-field": "id_field",
    "image-field": "image_field",
    "image-root": "image_root",
    "format": "format",
}
_HELP = {
    "id-field": "names a row in the files written; default: its number from 0",
    "image-field": "pictures, compared where --eval-image-field names those of a set",
    "image-root": "folder of the pictures; default: that of the file",
    "format": "jsonl, csv, tsv or parquet; default: by the file's name",
}
_WORDS = {"tokenizer": "tokenizer", "n": "n", "jaccard": "threshold", "containment": "containment"}
_NUMBERS: dict[str, tuple[Callable[[str], Any], str]] = {
    "threshold": (float, "cosine of a candidate (default: the embedder's own)"),
    "floor": (float, "cosine where the judged sample begins (default: threshold - 0.05)"),
    "border": (float, "pairs this near to the threshold are listed (default 0.001)"),
    "generic-tokens": (int, "longest question that says little without its picture (default 12)"),
    "sample": (int, "pairs judged per 0.01 below the threshold (default 20; 0: none)"),
    "seed": (int, "of the sample (default 0)"),
    "max-removed-share": (float, "more removed rows are NO-GO (default 0.5)"),
    "max-bad-share": (float, "more unreadable rows are NO-GO (default 0.01)"),
    "max-row-bytes": (int, "a longer row cannot be read (default 16 MiB)"),
}


def add_files(parser: argparse.ArgumentParser) -> None:
    """Options that name the files and what is compared."""
    files = parser.add_argument_group("files")
    files.add_argument(
        "--plan", type=Path, metavar="FILE", help="TOML, or an audit's manifest.json"
    )
    files.add_argument("--train", metavar="FILE", help=".jsonl, .csv, .tsv (.gz) or .parquet")
    files.add_argument(
        "--eval",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="evaluation set and its name in reports; repeatable",
    )
    files.add_argument(
        "--text-field",
        action="append",
        metavar="FIELD",
        help="text of the training file, repeatable; default: the one of "
        f"{', '.join(GUESSED)}, messages that it has",
    )
    for name, text in _HELP.items():
        files.add_argument(f"--{name}", metavar=name.split("-")[-1].upper(), help=text)
    for name in _SOURCE:
        files.add_argument(
            f"--eval-{name}",
            action="append",
            default=[],
            metavar=f"NAME={name.split('-')[-1].upper()}",
            help="the same of the set NAME",
        )
    files.add_argument(
        "--on-bad-row",
        choices=("error", "count"),
        help="stop at a row that cannot be read (default), or count it and leave it in",
    )
    stages = parser.add_argument_group("stages 1 and 2")
    stages.add_argument("--tokenizer", metavar="NAME", help="unicode-v1 (default) or re-w")
    stages.add_argument("--n", type=int, metavar="N", help="tokens in a shingle (default 5)")
    stages.add_argument("--jaccard", metavar="P/Q", help="smallest index of a hit (default 2/5)")
    stages.add_argument("--containment", metavar="P/Q", help="smallest share shown (default 4/5)")
    stages.add_argument(
        "--embedder",
        metavar="SPEC",
        help="minilm (default), hashing, sentence-transformers:NAME@REVISION, a .toml file, or "
        "none to leave stage 2 out",
    )
    stages.add_argument("--threshold-of", metavar="NAME", help="embedder that --threshold is for")
    stages.add_argument("--top-k", type=int, metavar="K", help="nearest items judged (default 1)")


def add_judging(parser: argparse.ArgumentParser) -> None:
    """Options of stage 3 and of the limits."""
    group = parser.add_argument_group("stage 3 and limits")
    group.add_argument(
        "--judge",
        action="append",
        metavar="SPEC",
        help="rule (default), labels:FILE, a .toml file of an endpoint, or none; repeatable",
    )
    for name, (kind, text) in _NUMBERS.items():
        group.add_argument(f"--{name}", type=kind, metavar="X", help=text)


def plan_of(given: argparse.Namespace) -> AuditPlan:
    """The plan of a command line.

    Raises
    ------
    DataError
        For files that are not named, a NAME that no --eval has, a broken plan file, and any value
        that a plan refuses.
    """
    values = read_plan(given.plan) if given.plan is not None else {}
    train = _table(values.get("train", {}), "train")
    if given.train is not None:
        train["path"] = given.train
    evals = {
        name: _table(one, f"evals.{name}")
        for name, one in _table(values.get("evals", {}), "evals").items()
    }
    named = _named(given.eval, "--eval", "FILE")
    for name, path in named:
        if [other for other, _ in named].count(name) > 1:
            raise DataError(f"--eval: expected each name once, found {name!r} more than once")
        evals[name] = {**evals.get(name, {}), "path": path}
    for option, field in _SOURCE.items():
        own = getattr(given, option.replace("-", "_"))
        if own is not None:
            train[field] = own
        fresh = set()
        own = getattr(given, f"eval_{option.replace('-', '_')}")
        for name, value in _named(own, f"--eval-{option}", option.split("-")[-1].upper()):
            if name not in evals:
                raise DataError(
                    f"--eval-{option}: expected one of {', '.join(evals) or 'the --eval sets'}, "
                    f"found {name!r}"
                )
            if field == "fields":
                before = evals[name].get("fields", []) if name in fresh else []
                evals[name][field] = [*before, value]
                fresh.add(name)
            else:
                evals[name][field] = value
    words = _table(values.get("words", {}), "words")
    if "path" not in train or not evals:
        raise DataError("expected --train FILE and --eval NAME=FILE, or a plan that names them")
    words |= {
        field: getattr(given, option)
        for option, field in _WORDS.items()
        if getattr(given, option) is not None
    }
    values |= {"train": train, "evals": evals, "words": words} | changes(given)
    if given.embedder is not None:
        values["embedder"] = None if given.embedder == "none" else _spec(given.embedder, "embedder")
    for option, field in (("on_bad_row", "on_bad_row"), ("top_k", "k")):
        if getattr(given, option) is not None:
            values[field] = getattr(given, option)
    if given.threshold_of is not None:
        values["threshold_of"] = given.threshold_of
    elif given.threshold is not None:
        # Both stand in one command, so there is no doubt whose threshold it is.
        kind, _, name = (given.embedder or "").partition(":")
        values["threshold_of"] = name or kind
        if kind == "sentence-transformers":
            model, _, revision = name.partition("@")
            own = {"kind": kind, "model": model, "revision": revision}
            values["embedder"] = {**own, "threshold": given.threshold}
            values["threshold_of"] = model
    return plan_from(values, "plan")


def changes(given: argparse.Namespace) -> dict[str, Any]:
    """The fields of a plan that the options of `add_judging` set."""
    made = {
        name.replace("-", "_"): getattr(given, name.replace("-", "_"))
        for name in _NUMBERS
        if getattr(given, name.replace("-", "_")) is not None
    }
    if given.judge is not None:
        judges = [one for one in given.judge if one != "none"]
        made["judges"] = [_spec(one, "judge") for one in judges]
    return made


def read_plan(path: Path) -> dict[str, Any]:
    """The table of a plan file, or of an audit's manifest; files in it start from its folder.

    Raises
    ------
    DataError
        When it cannot be read.
    """
    values = _planned(path) if path.suffix == ".json" else _toml(path)

    def moved(name: Any) -> Any:
        return str(path.parent / name) if isinstance(name, str) else name

    def source(one: Any) -> Any:
        if not isinstance(one, Mapping):
            return one
        return {k: moved(v) if k in ("path", "image_root") else v for k, v in one.items()}

    def judge(one: Any) -> Any:
        if isinstance(one, str) and one.startswith("labels:"):
            return f"labels:{moved(one[7:])}"
        return source(one)

    if "train" in values:
        values["train"] = source(values["train"])
    if isinstance(values.get("evals"), Mapping):
        values["evals"] = {name: source(one) for name, one in values["evals"].items()}
    if isinstance(values.get("judges"), list):
        values["judges"] = [judge(one) for one in values["judges"]]
    if values.get("embedder") == "none":
        values["embedder"] = None
    return values


def _table(given: Any, where: str) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise DataError(f"plan: {where}: expected a table, found {given!r}")
    return dict(given)


def _spec(text: str, what: str) -> Any:
    if text.endswith(".toml"):
        found = _toml(Path(text))
        return found.get(what, found)
    return text


def _planned(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise DataError(f"{path.name}: expected the manifest of an audit, found: {why}") from None
    if not isinstance(found, dict) or not isinstance(found.get("plan"), dict):
        raise DataError(f"{path.name}: expected the manifest of an audit, found no table `plan`")
    return dict(found["plan"])


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise DataError(f"{path.name}: expected a TOML file, found: {why}") from None


def _named(given: Sequence[str], option: str, what: str) -> list[tuple[str, str]]:
    pairs = []
    for one in given:
        name, equals, value = one.partition("=")
        if not (name and equals and value):
            raise DataError(f"{option}: expected NAME={what}, found {one!r}")
        pairs.append((name, value))
    return pairs


__all__ = ["add_files", "add_judging", "changes", "plan_of", "read_plan"]
