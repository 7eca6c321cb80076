"""A small project in a temporary folder: an experiment, a study of fake models, the plugin."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

_ROOT = Path(__file__).parents[3]

STUDY = """
[study]
name = "tiny"
seed = 1
[tiers.canary]
n = 24
[tiers.full]
n = 36
[experiments.visual-shapes]
data = ["visual-shapes"]
prompts = ["word"]
[models.good.source]
kind = "fake"
behaviour = "gold"
[data.visual-shapes]
reader = "visual-shapes"
split = "test"
[prompts]
word = "{question}"
[decoding]
max_new_tokens = 8
batch_sizes = [8, 4, 1]
[gates]
level = 0.95
min_parse_rate = 0.95
max_infrastructure_share = 0.0
batch_invariance_n = 8
batch_invariance_size = 4
"""


class Project:
    """Runs pytest in a subprocess with this repository's plugin and settings."""

    def __init__(self, pytester: pytest.Pytester) -> None:
        self.pytester = pytester
        self.path = pytester.path
        pytester.makeini((_ROOT / "pytest.ini").read_text().replace("harness/tests evals", "evals"))
        pytester.makeconftest('pytest_plugins = ["harness.plugin"]')
        source = (_ROOT / "evals/protocol/test_visual_shapes.py").read_text()
        self.write("evals/test_visual_shapes.py", source)
        self.study(STUDY)

    def write(self, name: str, text: str) -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def study(self, text: str) -> Path:
        return self.write("evals/studies/mini.toml", text)

    def model(self, behaviour: str, **options: Any) -> None:
        """Replace the study's model by another fake."""
        lines = "".join(f"{k} = {json.dumps(v)}\n" for k, v in options.items())
        self.study(STUDY.replace('behaviour = "gold"\n', f'behaviour = "{behaviour}"\n{lines}'))

    def run(self, *args: str, **environment: str) -> pytest.RunResult:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PYTHONPATH", f"{_ROOT}:{self.path}")
            patch.delenv("PYTEST_ADDOPTS", raising=False)
            for worker in ("PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT"):
                patch.delenv(worker, raising=False)
            for name, value in environment.items():
                patch.setenv(name, value)
            command = (sys.executable, "-m", "pytest", "--color=no", *args)
            return self.pytester.run(*command, timeout=120)

    @property
    def latest(self) -> Path:
        return self.path / "reports" / "latest"

    def metrics(self) -> dict[str, Any]:
        value = json.loads((self.latest / "metrics.json").read_text(encoding="utf-8"))
        assert isinstance(value, dict)
        return value

    def records(self) -> dict[str, list[str]]:
        """Sorted record lines by cell key."""
        found: dict[str, list[str]] = {}
        for path in sorted((self.path / "reports/runs").glob("*/responses/*.jsonl")):
            lines = path.read_text(encoding="utf-8").splitlines()
            found.setdefault(path.parts[-3], []).extend(lines)
        return {key: sorted(lines) for key, lines in found.items()}
