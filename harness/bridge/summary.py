"""`summary.json`: the public figures of a run of lmms-eval, under a schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness.bridge.child import Ended
from harness.bridge.faults import BridgeError
from harness.bridge.request import CLAIM_LEVELS, LmmsRequest
from harness.bridge.results import metrics_of

SCHEMA = "assay-lmms-eval-summary/1"
_TEXT = {"type": "string"}
_COUNT = {"type": ["integer", "null"], "minimum": 0}
_COMMIT = {"type": "string", "pattern": "^[0-9a-f]{40}$"}
_HASH = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_SCALARS = {"type": "object", "additionalProperties": {"type": "number"}}
_NO_PATH = {"type": "string", "not": {"pattern": r"(^|[\s=,:'\"])(/[^/\s]+/|[A-Za-z]:\\)"}}


def _closed(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": sorted(properties),
        "additionalProperties": False,
    }


SUMMARY_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    **_closed(
        {
            "schema": {"const": SCHEMA},
            "claim_level": {"enum": list(CLAIM_LEVELS)},
            "model": _closed(
                {
                    "id": _NO_PATH,
                    "revision": _COMMIT,
                    "adapter": _TEXT,
                    "model_args": {"type": "object", "additionalProperties": _NO_PATH},
                    "content": {"type": ["object", "null"], "additionalProperties": _HASH},
                }
            ),
            "harness": _closed(
                {
                    "name": {"const": "lmms-eval"},
                    "revision": _COMMIT,
                    "revision_checked": {"type": "boolean"},
                    "packages": {
                        "type": "object",
                        "additionalProperties": {"type": ["string", "null"]},
                    },
                    "repairs": {
                        "type": "array",
                        "items": {"type": "object", "additionalProperties": _NO_PATH},
                    },
                }
            ),
            "budget": _closed(
                {
                    "batch_size": _COUNT,
                    "limit": _COUNT,
                    "seed": _COUNT,
                    "include_path": {"anyOf": [_NO_PATH, {"type": "null"}]},
                    "include_sha256": {"anyOf": [_HASH, {"type": "null"}]},
                }
            ),
            "tasks": {
                "type": "object",
                "minProperties": 1,
                "additionalProperties": _closed(
                    {
                        "version": {"type": ["string", "null"]},
                        "n_original": _COUNT,
                        "n_effective": _COUNT,
                        "metrics": _SCALARS,
                    }
                ),
            },
            "throughput": _SCALARS,
            "samples": {
                "type": "object",
                "additionalProperties": _closed({"file": _TEXT, "n": _COUNT, "sha256": _HASH}),
            },
            "results_sha256": _HASH,
            "exit_status": {"type": "integer"},
            "seconds": {"type": "number", "minimum": 0},
        }
    ),
}


def summary(
    request: LmmsRequest,
    ended: Ended,
    *,
    content: Mapping[str, str] | None,
    include_sha256: str | None,
    document: Mapping[str, Any],
    tasks: Mapping[str, Any],
    samples: Mapping[str, Any],
    results_sha256: str,
) -> dict[str, Any]:
    """Lay out the summary of a run, and hold it against its schema.

    Parameters
    ----------
    request, ended : what was asked, and how the process ended.
    content : hashes of the model's files, None where it is not in a folder.
    include_sha256 : of the YAML and Python files of one's own tasks.
    document : the cleaned results file.
    tasks : of `task_entries`.
    samples : file, n and sha256 of the cleaned samples, by task.
    results_sha256 : of the cleaned results file.

    Raises
    ------
    BridgeError
        When lmms-eval was installed from another commit than the pinned one, or the summary
        breaks its schema.
    """
    versions = next((r for r in ended.records if "packages" in r), {})
    commit = versions.get("lmms_eval_commit")
    if commit is not None and commit != request.upstream_revision:
        raise BridgeError(
            f"upstream revision: expected lmms-eval at {request.upstream_revision}, found an "
            f"installation of {commit}"
        )
    asked = request.document()
    made = {
        "schema": SCHEMA,
        "claim_level": request.claim_level,
        "model": {
            "id": request.public_model_id,
            "revision": request.model_revision,
            "adapter": request.adapter,
            "model_args": asked["model_args"],
            "content": None if content is None else dict(content),
        },
        "harness": {
            "name": "lmms-eval",
            "revision": request.upstream_revision,
            "revision_checked": commit is not None,
            "packages": dict(versions.get("packages", {})),
            "repairs": [dict(r) for r in ended.records if "patch" in r],
        },
        "budget": {
            **{name: asked[name] for name in ("batch_size", "limit", "seed", "include_path")},
            "include_sha256": include_sha256,
        },
        "tasks": {task: dict(entry) for task, entry in tasks.items()},
        "throughput": metrics_of(document.get("throughput") or {}),
        "samples": dict(samples),
        "results_sha256": results_sha256,
        "exit_status": ended.exit_status,
        "seconds": round(ended.seconds, 3),
    }
    check_summary(made)
    return made


def check_summary(value: Any) -> None:
    """Refuse what is no summary: another schema, a path, a metric that is no finite number.

    Raises
    ------
    BridgeError
        With up to five faults and where they are.
    """
    from jsonschema import Draft202012Validator

    faults = [
        f"{_place(error.absolute_path)}: {error.message[:200]}"
        for error in Draft202012Validator(SUMMARY_SCHEMA).iter_errors(value)
    ]
    if faults:
        raise BridgeError("\n  ".join([f"summary: {len(faults)} fault(s)", *sorted(faults)[:5]]))


def _place(path: Sequence[Any]) -> str:
    return ".".join(map(str, path)) or "(top)"


__all__ = ["SCHEMA", "SUMMARY_SCHEMA", "check_summary", "summary"]
