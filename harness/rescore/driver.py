"""Scores rows with whatever `harness` lies in a folder; run as text in a process of its own.

    python -I -c SOURCE FOLDER POLICY < rows > scores

The first of the rows is a list of examples, each other one [index of the example, replicate,
status, text]. A score is [value, rule, outcome, correct, counted], or [error]. An empty POLICY is
the scorer's own default. Nothing is imported but the standard library and the folder's `harness`.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import os
import sys
from typing import Any


def main() -> None:
    folder, policy = sys.argv[1:3]
    sys.path.insert(0, folder)
    # Whatever a library prints must not be taken for a score.
    out = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    scoring: Any = importlib.import_module("harness.scoring")
    types: Any = importlib.import_module("harness.types")
    if not os.path.realpath(scoring.__file__).startswith(os.path.realpath(folder) + os.sep):
        raise SystemExit("expected the scorer of the given folder, found an installed one")
    # The scorer of version 1 knew no policies, and its `grade` took an example and a response.
    score = scoring.score if hasattr(scoring, "score") else scoring.grade
    more = {"policy": policy} if policy else {}
    known = {field.name for field in dataclasses.fields(types.Example)}
    lines = iter(sys.stdin.buffer)
    examples = [
        types.Example(**{name: _frozen(value) for name, value in row.items() if name in known})
        for row in json.loads(next(lines))
    ]
    for line in lines:
        index, replicate, status, text = json.loads(line)
        example = examples[index]
        response = types.Response(
            example_id=example.id, replicate=replicate, status=status, text=text
        )
        out.write(json.dumps(_scored(score, example, response, more)) + "\n")
    out.flush()


def _scored(score: Any, example: Any, response: Any, more: dict[str, str]) -> list[Any]:
    try:
        found = score(example, response, **more)
    except Exception as error:  # noqa: BLE001
        return [f"{type(error).__name__}: {error}"[:300]]
    answer = found.answer
    return [answer.value, answer.rule, found.outcome, found.correct, found.counted]


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


if __name__ == "__main__":
    main()
