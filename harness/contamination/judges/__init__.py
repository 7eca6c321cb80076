"""Judges of stage 3, by name: a rule, a file of labels, a model behind an endpoint."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness.audit.pairs import Judge
from harness.contamination.judges.endpoint import open_endpoint_judge
from harness.contamination.judges.labels import read_labels
from harness.contamination.judges.rule import RuleJudge
from harness.errors import DataError

_EXPECTED = 'expected rule, labels:FILE or {"kind": "endpoint", "base_url": …, "model": …}'


def open_judge(spec: str | Mapping[str, Any], store: Path) -> Judge:
    """Open a judge; an endpoint is sent nothing yet.

    Parameters
    ----------
    spec : `rule`, `labels:FILE`, or a mapping with the key `kind`: rule, labels (with `path` and
        perhaps `name`) or endpoint (`harness.contamination.judges.endpoint` lists its fields). A
        text that begins with a brace is the mapping in JSON.
    store : folder in which an endpoint's requests and replies are kept.

    Raises
    ------
    DataError
        For another spec, an unknown field, a value out of range, and a file of labels that
        cannot be read.
    ModelError
        Where an endpoint's package or key is missing.

    Examples
    --------
    >>> open_judge("rule", Path()).name
    'rule-v1'
    """
    if isinstance(spec, str) and spec.lstrip().startswith("{"):
        try:
            found = json.loads(spec)
        except (ValueError, RecursionError):
            raise DataError(f"judge: {_EXPECTED}, found no JSON: {spec[:80]!r}") from None
        spec = found
    if isinstance(spec, str):
        kind, _, path = spec.partition(":")
        spec = {"kind": kind, "path": path} if path else {"kind": kind}
    given = dict(spec)
    match given.pop("kind", None):
        case "rule" if not given:
            return RuleJudge()
        case "labels" if given.get("path") and not given.keys() - {"path", "name"}:
            return read_labels(Path(given["path"]), str(given.get("name", "")))
        case "endpoint":
            return open_endpoint_judge(given, store)
        case kind:
            raise DataError(f"judge: {_EXPECTED}, found {kind!r} with {sorted(given)}")


__all__ = ["open_judge"]
