"""A package that passes for lmms-eval: its command line, its files, and how it fails."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path
from typing import Any

from harness.bridge.request import LmmsRequest
from harness.bridge.run import run_lmms_eval

MODEL, UPSTREAM = "1" * 40, "2" * 40

_MAIN = """
import argparse, json, os, pathlib, subprocess, sys, time

parser = argparse.ArgumentParser()
for name in ("model", "model_args", "tasks", "include_path", "limit", "output_path", "timezone"):
    parser.add_argument("--" + name)
parser.add_argument("--batch_size", type=int)
parser.add_argument("--seed")
parser.add_argument("--log_samples", action="store_true")
given = parser.parse_args()
assert given.log_samples and given.timezone == "UTC" and given.seed == "42,42,42,42"
mode = given.model
here = os.path.abspath(given.output_path)
print("\\x1b[32mreading " + here + "/x from /somewhere/secret/file\\x1b[0m")
if mode == "crash":
    print("Error during evaluation: no generate()")
    sys.exit(0)
if mode == "status":
    sys.exit(3)
if mode == "hang":
    inner = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    print("inner", inner.pid, flush=True)
    time.sleep(60)
if mode == "adapter":
    import lmms_eval.models.chat.huggingface as adapter
    print(adapter.load("m"))
tasks = given.tasks.split(",")
folder = pathlib.Path(here, "parent__model")
folder.mkdir(parents=True)
metrics = {"alias": "t", "exact_match,none": 0.5, "exact_match_stderr,none": "N/A"}
results = {
    "results": {task: dict(metrics) for task in tasks},
    "n-samples": {task: {"original": 9, "effective": 2} for task in tasks},
    "versions": {task: 1.0 for task in tasks},
    "configs": {"t": {"data": "/somewhere/secret/x.parquet", "f": "<function f at 0x7f00>"}},
    "config": {"model_args": given.model_args, "resolved": {"include_path": given.include_path}},
    "model_name": "/somewhere/secret/model", "throughput": {"avg_speed": 2.0, "note": "x"},
}
if mode == "lacking":
    del results["results"][tasks[-1]]
text = json.dumps(results)
if mode == "torn":
    text = text[: len(text) // 2]
(folder / "20260102_030405_results.json").write_text(text)
for task in tasks:
    lines = [
        {"doc_id": n, "target": "red", "filtered_resps": reply, "doc_hash": "same", "input": "?",
         "exact_match": float(reply == "red"), "where": "/somewhere/secret/" + str(n)}
        for n, reply in enumerate(["red", "see /usr/lib/x"])
    ]
    if mode == "short":
        lines = lines[:1]
    body = "".join(json.dumps(line) + "\\n" for line in lines)
    (folder / f"20260102_030405_samples_{task}.jsonl").write_text(body)
if mode == "late":
    sys.exit(1)
"""

_ADAPTER = """
class Config:
    @classmethod
    def from_pretrained(cls, name, **options):
        return cls()

class AutoConfig(Config):
    pass

class AutoModel:
    def __init__(self, kind):
        self.kind = kind
    @classmethod
    def from_pretrained(cls, name, **options):
        return cls(cls.__name__)

class AutoModelForCausalLM(AutoModel):
    _model_mapping = {}

class AutoModelForImageTextToText(AutoModel):
    _model_mapping = {AutoConfig: 1}

class Processor:
    def __call__(self, **named):
        if "audios" in named or "videos" in named:
            raise ValueError("audios")
        return sorted(named)

class AutoProcessor:
    @classmethod
    def from_pretrained(cls, name, **options):
        return Processor()

def load(name):
    model = AutoModel.from_pretrained(name)
    processor = AutoProcessor.from_pretrained(name)
    return model.kind, processor(text="t", images=["i"], videos=[], audios=[])
"""


def install(folder: Path) -> dict[str, str]:
    """Write the package, and give the environment in which it is found."""
    chat = folder / "lmms_eval/models/chat"
    chat.mkdir(parents=True)
    for package in (chat, chat.parent, chat.parents[1]):
        (package / "__init__.py").write_text("")
    (folder / "lmms_eval/__main__.py").write_text(textwrap.dedent(_MAIN))
    (chat / "huggingface.py").write_text(textwrap.dedent(_ADAPTER))
    return {"PYTHONPATH": str(folder), "PATH": "/usr/bin:/bin"}


def request(adapter: str = "fine", **changes: object) -> LmmsRequest:
    """A request for two tasks, with what is given changed."""
    asked: dict[str, object] = {
        "adapter": adapter,
        "model_args": (("device", "cpu"),),
        "public_model_id": "owner/model",
        "model_revision": MODEL,
        "upstream_revision": UPSTREAM,
        "tasks": ("t", "u"),
        **changes,
    }
    return LmmsRequest(**asked)  # type: ignore[arg-type]


def run(adapter: str, out: Path, environment: dict[str, str], **more: Any) -> dict[str, Any]:
    """Run the stand-in; `changes` are of the request."""
    asked = request(adapter, **more.pop("changes", {}))
    return run_lmms_eval(asked, out, python=sys.executable, environment=environment, **more)
