"""lmms-eval itself, offline, on embedded checkpoints and a task of its own; and three crashes.

`tox -e bridge` makes the environment that `HARNESS_LMMS_EVAL` names the interpreter of.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from harness.bridge import injected
from harness.bridge.comparing import compare, rescore
from harness.bridge.faults import BridgeError
from harness.bridge.request import LmmsRequest
from harness.bridge.run import run_lmms_eval
from harness.bridge.samples import read_samples
from harness.bridge.summary import check_summary
from harness.data.visual_shapes import visual_shapes

PYTHON = os.environ.get("HARNESS_LMMS_EVAL", "")
MICRO = Path(__file__).parents[3] / "fixtures/micro"
MODEL, UPSTREAM = "1" * 40, "2" * 40
N = 24

pytestmark = pytest.mark.bridge


@pytest.fixture(autouse=True, scope="module")
def installed() -> None:
    if not PYTHON:
        pytest.fail("expected HARNESS_LMMS_EVAL to name a Python with lmms-eval: tox -e bridge")


_TASK = """\
task: {name}
dataset_path: parquet
dataset_kwargs:
  data_files:
    test: {parquet}
test_split: test
output_type: generate_until
doc_to_visual: !function utils.visual
doc_to_text: !function utils.text
doc_to_target: answer
generation_kwargs:
  max_new_tokens: 8
  temperature: 0
  do_sample: false
process_results: !function utils.results
metric_list:
  - metric: exact_match
    aggregation: mean
    higher_is_better: true
metadata:
  version: 1.0
"""

_UTILS = """\
def visual(doc):
    return [doc["image"].convert("RGB").resize((96, 96))]


def text(doc):
    return doc["question"]


def results(doc, replies):
    return {"exact_match": float(replies[0].strip().lower() == doc["answer"].lower())}
"""

# The C++ operators of PyPI's torchvision need CUDA's libraries, its Python transforms do not.
_SHIM = """\
import importlib.metadata, sys, types
if importlib.metadata.version("torch").endswith("+cpu"):
    for name in ("torchvision._meta_registrations", "torchvision._autograd_registrations"):
        sys.modules.setdefault(name, types.ModuleType(name))
"""

# Only the processor is repaired, so the model stays the one that cannot generate.
_HALF = """\
import importlib.util, os, sys
os.environ.pop({off!r}, None)
sys.meta_path = [finder for finder in sys.meta_path if type(finder).__name__ != "Finder"]
spec = importlib.util.spec_from_file_location("half", {path!r})
half = importlib.util.module_from_spec(spec)
spec.loader.exec_module(half)
half.AnyModel = lambda kinds, config, base: base
sys.meta_path.insert(0, half.Finder())
"""

CRASHES = {
    "the-audio-keyword": "`audios` which is deprecated",
    "a-model-that-cannot-generate": "has no attribute 'generate'",
    "data-that-are-not-there": "shapes_gone",
}


def task(folder: Path) -> Path:
    """The test split of visual shapes as a task of lmms-eval."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    shapes, rows = visual_shapes("test"), []
    for example in shapes.examples:
        held = io.BytesIO()
        shapes.open_image(example.media[0]).save(held, "PNG")
        answer = example.choices["ABCD".index(example.gold)]
        image = {"bytes": held.getvalue(), "path": example.media[0].name}
        rows.append({"question": example.question, "answer": answer, "image": image})
    words = {"dtype": "string", "_type": "Value"}
    features = {"question": words, "answer": words, "image": {"_type": "Image"}}
    schema = json.dumps({"info": {"features": features}})
    folder.mkdir()
    table = pa.Table.from_pylist(rows).replace_schema_metadata({"huggingface": schema})
    pq.write_table(table, folder / "shapes.parquet")
    for name, file in (("shapes_word", "shapes"), ("shapes_gone", "gone")):
        text = _TASK.format(name=name, parquet=folder / f"{file}.parquet")
        (folder / f"{name}.yaml").write_text(text)
    (folder / "utils.py").write_text(_UTILS)
    return folder


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, tuple[Path, Future[Any]]]]:
    folder = tmp_path_factory.mktemp("bridge")
    tasks = task(folder / "tasks")
    half = _HALF.format(off=injected.OFF, path=injected.__file__)
    cannot = "a-model-that-cannot-generate"
    with ThreadPoolExecutor(2) as pool:
        found = {}
        for name in ("micro-sft", "micro-base", *CRASHES):
            shim = folder / f"before-{name}"
            shim.mkdir()
            (shim / "sitecustomize.py").write_text(_SHIM + (half if name == cannot else ""))
            asked = "shapes_gone" if name == "data-that-are-not-there" else "shapes_word"
            request = LmmsRequest(
                adapter="huggingface",
                model_args=(
                    ("pretrained", str(MICRO / ("micro-sft" if name in CRASHES else name))),
                    ("device_map", "cpu"),
                    ("device", "cpu"),
                ),
                public_model_id=f"assay/{name}",
                model_revision=MODEL,
                upstream_revision=UPSTREAM,
                tasks=(asked,),
                include_path=tasks,
                limit=N,
                claim_level="L0",
            )
            environment = {**os.environ, "PYTHONPATH": str(shim), "OMP_NUM_THREADS": "1"}
            future = pool.submit(
                run_lmms_eval,
                request,
                folder / name,
                python=PYTHON,
                timeout_s=240,
                repairs=name not in CRASHES,
                environment=environment,
            )
            found[name] = (folder / name, future)
        yield found


def test_a_run_is_summarised_and_says_what_was_repaired(
    runs: dict[str, tuple[Path, Future[Any]]],
) -> None:
    out, future = runs["micro-sft"]
    made = future.result()
    check_summary(made)
    assert made["exit_status"] == 0
    assert made["harness"]["packages"]["lmms-eval"] == "0.7.3"
    assert made["tasks"]["shapes_word"]["metrics"]["exact_match"] == 1.0
    sizes = {k: v for k, v in made["tasks"]["shapes_word"].items() if k.startswith("n_")}
    assert sizes == {"n_original": 120, "n_effective": N}
    assert [r["patch"] for r in made["harness"]["repairs"]] == [
        "installed",
        "generating-model",
        "audio-keyword",
    ]
    for path in out.iterdir():
        text = path.read_text()
        assert str(out.parent) not in text, path
        assert str(MICRO) not in text, path


def test_its_samples_are_scored_again_and_compared(
    runs: dict[str, tuple[Path, Future[Any]]],
) -> None:
    rows = {}
    for name in ("micro-sft", "micro-base"):
        out, future = runs[name]
        future.result()
        rows[name] = read_samples(out / "samples_shapes_word.jsonl", "shapes_word")
        assert len({row.id for row in rows[name]}) == N
    again = rescore(rows["micro-sft"], "text")
    assert (again.ours.n_correct, again.theirs, again.differ) == (N, 1.0, ())
    found = compare(rows["micro-base"], rows["micro-sft"], "text")
    assert found.pairs.n_pairs == N
    assert found.test.difference.value is not None
    assert found.test.difference.value >= 0


@pytest.mark.parametrize("name", sorted(CRASHES))
def test_a_crash_is_a_failure_though_the_status_is_0(
    name: str, runs: dict[str, tuple[Path, Future[Any]]]
) -> None:
    out, future = runs[name]
    with pytest.raises(BridgeError, match=r"expected a new \*_results\.json"):
        future.result()
    assert not (out / "summary.json").exists()
    assert json.loads((out / "failure.json").read_text())["exit_status"] == 0
    assert CRASHES[name] in (out / "log.txt").read_text()
