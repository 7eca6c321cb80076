"""Who may import whom: the map in docs/architecture.md, held by reading the source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import harness

_ROOT = Path(__file__).parents[2]

# A module may import its own room and every room in a line above. A new room needs a place.
LAYERS = (
    ("types", "errors", "output", "ids", "table", "spent"),
    ("study_models", "study_tables"),
    ("study_file", "algebra", "prompts"),
    ("study", "identity", "stats", "scoring", "vision", "scenes"),
    ("cells", "sample", "results", "judging"),
    (
        "gates",
        "robustness",
        "interventions",
        "drift",
        "saturation",
        "audit",
        "rewards",
        "retrieval",
    ),
    ("locks", "isolation", "provenance", "data"),
    ("models", "segments"),
    (
        "embedding",
        "encoders",
    ),
    ("records",),
    ("store",),
    ("watchdog", "requests"),
    ("batches",),
    ("generation",),
    ("run",),
    ("engines", "evolve", "review", "micro", "scene_sets", "bridge"),
    ("report",),
    ("contamination",),
    ("plugin", "conformance", "rescore", "predictions", "__main__"),
)
RANK = {room: rank for rank, rooms in enumerate(LAYERS) for room in rooms}
PYTEST = {"_pytest", "hypothesis", "pytest", "syrupy", "xdist"}
MODEL_LIBRARIES = {"torch", "torchvision", "transformers"}
MODEL_ROOMS = {"models", "embedding", "encoders", "micro"}
SLOW = {"pandas", "sklearn"} | MODEL_LIBRARIES
PURE_ROOMS = {
    *("rewards", "retrieval"),
    *("prompts", "identity", "stats", "scoring", "vision", "scenes", "audit", "cells", "sample"),
    *("results", "gates", "robustness", "interventions", "judging", "drift", "saturation"),
}
PURE_MODULES = {
    f"harness/report/{name}.py"
    for name in ("audits", "escape", "figures", "markdown", "metrics", "texts")
}
WORLD = {
    *("asyncio", "datetime", "fcntl", "glob", "io", "logging", "multiprocessing", "os", "pathlib"),
    *("random", "secrets", "shutil", "signal", "socket", "subprocess", "sys", "tempfile"),
    *("threading", "time", "urllib", "uuid", "warnings"),
}
SPEAKING = {"breakpoint", "exec", "eval", "input", "open", "print"}
SEEDED = {"BitGenerator", "Generator", "PCG64", "SeedSequence"}


def test_every_module_keeps_the_layers() -> None:
    sources = {
        str(path.relative_to(_ROOT)): path.read_text(encoding="utf-8")
        for folder in ("harness", "evals")
        for path in sorted((_ROOT / folder).rglob("*.py"))
        if "tests" not in path.relative_to(_ROOT).parts
    }
    assert len(sources) > 50
    found = [fault for path, text in sources.items() for fault in faults(path, text)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("path", "source", "fault"),
    [
        ("harness/fog.py", "", "no layer"),
        ("harness/fog/bank.py", "", "no layer"),
        ("harness/types.py", "from harness import study", "harness.study"),
        ("harness/ids.py", "import harness.types, harness.store", "harness.store"),
        ("harness/stats/paired.py", "from harness.gates.plan import x", "harness.gates"),
        ("harness/stats/paired.py", "from harness.scoring import VERSION", "harness.scoring"),
        ("harness/data/pope.py", "from harness.models import base", "harness.models"),
        ("harness/store.py", "def f():\n    from harness.run import run_cell", "harness.run"),
        ("harness/run.py", "from harness.report.write import w", "harness.report"),
        ("harness/report/write.py", "from harness.plugin import x", "harness.plugin"),
        ("harness/store.py", "from . import ids", "relative"),
        ("harness/store.py", "from harness import Cell", "harness.Cell"),
        ("harness/store.py", "import pytest", "pytest"),
        ("harness/report/write.py", "from syrupy import x", "syrupy"),
        ("harness/gates/frozen.py", "def f():\n    import torch", "torch"),
        ("harness/run.py", "def f():\n    import transformers.utils", "transformers"),
        ("harness/models/hf.py", "import torch", "inside a function"),
        ("harness/micro/train.py", "if True:\n    from torch import nn", "inside a function"),
        ("harness/results.py", "import pandas as pd", "inside a function"),
        ("harness/scoring/grade.py", "import os", "os"),
        ("harness/vision/views.py", "from pathlib import Path", "pathlib"),
        ("harness/stats/seeds.py", "def f():\n    import random", "random"),
        ("harness/report/metrics.py", "import time", "time"),
        ("harness/gates/frozen.py", "def f():\n    print(1)", "print()"),
        ("harness/scoring/grade.py", "x = open('a')", "open()"),
        ("harness/stats/seeds.py", "import numpy as np\nnp.random.seed(1)", "random.seed"),
        ("harness/stats/seeds.py", "import numpy\nnumpy.random.default_rng()", "default_rng"),
        ("evals/protocol/test_x.py", "from harness.store import CellStore", "harness.store"),
        ("evals/protocol/test_x.py", "from harness import cell_key", "cell_key"),
        ("evals/protocol/test_x.py", "import torch", "torch"),
    ],
)
def test_a_planted_import_is_found(path: str, source: str, fault: str) -> None:
    found = list(faults(path, source))
    assert len(found) == 1
    assert path in found[0]
    assert fault in found[0]


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("harness/models/hf.py", "def f():\n    import torch"),
        (
            "harness/models/hf.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import torch",
        ),
        ("harness/stats/seeds.py", "import numpy as np\nnp.random.Generator(np.random.PCG64(1))"),
        ("harness/report/write.py", "import os\nfrom harness.run import run_cell"),
        ("harness/provenance.py", "from harness import __version__"),
        ("evals/protocol/test_x.py", "from harness import grid"),
    ],
)
def test_what_is_allowed_is_let_through(path: str, source: str) -> None:
    assert list(faults(path, source)) == []


def faults(path: str, source: str) -> Iterator[str]:
    """Each breach of the layers in one file, with its line."""
    tree = ast.parse(source)
    if path.startswith("evals/"):
        for line, module, _ in _imports(tree):
            if module.split(".")[0] in MODEL_LIBRARIES or not _is_public(module):
                yield f"{path}:{line}: an experiment imports public names of harness, not {module}"
        return
    room = Path(path).parts[1].removesuffix(".py")
    if room != "__init__" and room not in RANK:
        yield f"{path}: {room} has no layer; give it one in {Path(__file__).name}"
        return
    for line, module, where in _imports(tree):
        if module.startswith("."):
            yield f"{path}:{line}: expected an absolute import, found a relative one"
        elif module.startswith("harness."):
            if room != "__init__" and not _below(module, room):
                yield f"{path}:{line}: {room} may not import {module}"
        else:
            yield from (f"{path}:{line}: {why}" for why in _foreign(module, room, where))
    if room in PURE_ROOMS or path in PURE_MODULES:
        yield from (f"{path}:{line}: {why}" for line, why in _impurities(tree))


def _is_public(module: str) -> bool:
    parts = module.split(".")
    return parts[0] != "harness" or (len(parts) == 2 and parts[1] in harness.__all__)


def _below(module: str, room: str) -> bool:
    other = module.split(".")[1]
    same = other == room or (RANK[room] == 0 and RANK.get(other) == 0)
    return same or other == "__version__" or RANK.get(other, len(LAYERS)) < RANK[room]


def _foreign(module: str, room: str, where: str) -> Iterator[str]:
    top = module.split(".")[0]
    if top in PYTEST and room != "plugin":
        yield f"only plugin/ imports {top}"
    elif top in MODEL_LIBRARIES and room not in MODEL_ROOMS and where != "typing":
        yield f"only models/, embedding/, encoders/ and micro/ import {top}"
    elif top in SLOW and where == "module":
        yield f"expected {top} to be imported inside a function"


def _impurities(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for line, module, where in _imports(tree):
        if module.split(".")[0] in WORLD and where != "typing":
            yield line, f"a pure module imports {module}"
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in SPEAKING:
                yield node.lineno, f"a pure module calls {name}()"
            case ast.Attribute(value=ast.Attribute(attr="random"), attr=name) if name not in SEEDED:
                yield node.lineno, f"a pure module uses random.{name}"


def _imports(node: ast.AST, where: str = "module") -> Iterator[tuple[int, str, str]]:
    """(line, dotted name, "module" | "function" | "typing") of every import below a node."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from ((child.lineno, _dotted(a.name), where) for a in child.names)
        elif isinstance(child, ast.ImportFrom) and child.level:
            yield child.lineno, ".", where
        elif isinstance(child, ast.ImportFrom):
            for alias in child.names:
                yield child.lineno, f"{child.module}.{alias.name}", where
        elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from _imports(child, "function" if where == "module" else where)
        elif isinstance(child, ast.If) and ast.unparse(child.test).endswith("TYPE_CHECKING"):
            for inner in child.body:
                yield from _imports(ast.Module([inner], []), "typing")
            for inner in child.orelse:
                yield from _imports(ast.Module([inner], []), where)
        else:
            yield from _imports(child, where)


def _dotted(name: str) -> str:
    return f"{name}." if name == "harness" else name
