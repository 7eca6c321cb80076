"""Readiness: what stops a model is told before it is loaded, and all of it at once."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import huggingface_hub.constants
import pytest

from harness.errors import DataError, ModelError
from harness.models.readiness import check_ready
from harness.tests.models.asked import choice, dataset
from harness.types import Dataset, Example, ModelSpec

ROOT = Path(__file__).parents[3]
MICRO = ROOT / "fixtures" / "micro" / "micro-sft"
REVISION = "0123456789abcdef0123456789abcdef01234567"
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n"
DATA = dataset([choice(i) for i in range(3)])
GOLD = ModelSpec(name="m", source={"kind": "fake", "behaviour": "gold"})
MAJORITY = ModelSpec(name="m", source={"kind": "baseline", "name": "majority", "fit": "train"})


def no_fit() -> Sequence[Example]:
    raise AssertionError("nothing is to be fitted")


def unseen(index: int) -> Example:
    example = choice(index)
    return replace(example, media=(replace(example.media[0], sha256=None),))


def fault(spec: ModelSpec, data: Dataset = DATA) -> str:
    with pytest.raises(ModelError) as caught:
        check_ready(spec, data, no_fit)
    return str(caught.value)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(MICRO, tmp_path / "micro-sft"))


@pytest.fixture
def spec(folder: Path) -> ModelSpec:
    return ModelSpec(name="m", source={"kind": "local", "path": str(folder)})


def replay(folder: Path, rows: Sequence[int]) -> ModelSpec:
    path = folder / "p.jsonl"
    path.write_text("".join(f'{{"id": "e{i}", "prediction": "A"}}\n' for i in rows))
    source = {"kind": "replay", "predictions": {"toy": {"path": str(path)}}}
    return ModelSpec(name="m", source=source)


def header(content: object, data: bytes = b"") -> bytes:
    raw = json.dumps(content).encode()
    return len(raw).to_bytes(8, "little") + raw + data


def edit(name: str, **values: object) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        content = json.loads((folder / name).read_text())
        (folder / name).write_text(json.dumps(content | values))

    return change


def write(name: str, content: str | bytes) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        raw = content.encode() if isinstance(content, str) else content
        (folder / name).write_bytes(raw)

    return change


def remove(*names: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        for name in names:
            (folder / name).unlink()

    return change


def cut_short(folder: Path) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-1])


def made_longer(folder: Path) -> None:
    with (folder / "model.safetensors").open("ab") as file:
        file.write(b"\0")


SIZE = (MICRO / "model.safetensors").stat().st_size
WEIGHTS = "model.safetensors"
INDEX = "model.safetensors.index.json"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (remove("config.json"), "config.json: expected a JSON object with model_type, found no"),
        (write("config.json", "{"), "config.json: expected a JSON object, found no valid JSON ("),
        (write("config.json", ""), "config.json: expected a JSON object, found nothing"),
        (write("config.json", "[1]"), "config.json: expected a JSON object, found [1]"),
        (write("config.json", "[" * 99_999), "config.json: expected a JSON object, found no valid"),
        (write("config.json", b"\xff"), "config.json: expected a JSON object, found no valid JSON"),
        (edit("config.json", model_type=None), "expected model_type to be a name, found None"),
        (write("config.json", POINTER), "config.json: expected its content, found a Git LFS"),
        (write("generation_config.json", "x"), "generation_config.json: expected a JSON object"),
        (write("tokenizer.json", "{"), "tokenizer.json: expected a JSON object, found no valid"),
        (write("tokenizer_config.json", "7"), "tokenizer_config.json: expected a JSON object"),
        (remove("tokenizer.json"), "tokenizer.json: expected a file, since tokenizer_config.json"),
        (remove("tokenizer.json", "tokenizer_config.json"), "tokenizer: expected one of tokeniz"),
        (remove("processor_config.json"), "processor: expected one of processor_config.json, pre"),
        (write("processor_config.json", "[]"), "processor_config.json: expected a JSON object"),
        (write("preprocessor_config.json", "{"), "preprocessor_config.json: expected a JSON obj"),
        (remove("chat_template.jinja"), "chat template: expected one of chat_template.jinja, "),
        (remove(WEIGHTS), "*.safetensors: expected the weights, found none (a pickle"),
        (write(WEIGHTS, b"1234567"), f"{WEIGHTS}: expected at least 8 bytes, found 7"),
        (
            write(WEIGHTS, b"{" * 64),
            f"{WEIGHTS}: expected a safetensors header of at most 56 bytes, found a length of ",
        ),
        (
            write(WEIGHTS, (8).to_bytes(8, "little") + b"{" * 8),
            f"{WEIGHTS}: expected a JSON object as safetensors header, found no valid JSON",
        ),
        (write(WEIGHTS, header([1])), "expected a JSON object as safetensors header, found [1]"),
        (write(WEIGHTS, header({"w": {}})), f"{WEIGHTS}: expected data_offsets [begin, end]"),
        (write(WEIGHTS, header({"w": {"data_offsets": [4, 0]}})), "expected data_offsets"),
        (cut_short, f"{WEIGHTS}: expected {SIZE} bytes by its header, found {SIZE - 1}"),
        (made_longer, f"{WEIGHTS}: expected {SIZE} bytes by its header, found {SIZE + 1}"),
        (write(WEIGHTS, POINTER), f"{WEIGHTS}: expected its content, found a Git LFS pointer"),
        (write(INDEX, "{"), f"{INDEX}: expected a JSON object, found no valid JSON"),
        (write(INDEX, '{"weight_map": [1]}'), "expected weight_map to name a file for each"),
        (
            write(INDEX, '{"weight_map": {"w": "model-2.safetensors"}}'),
            f"model-2.safetensors: expected a file, since {INDEX} names it, found none",
        ),
        (write("b.safetensors.index.json", '{"weight_map": {"w": "b"}}'), "'micro-sft' lacks b"),
    ],
)
def test_a_fault_of_the_folder_is_told(
    spec: ModelSpec, folder: Path, change: Callable[[Path], None], message: str
) -> None:
    check_ready(spec, DATA, no_fit)
    change(folder)
    found = fault(spec)
    assert found.startswith("model m: ")
    assert message in found
    assert "; " not in found, "expected one fault, found more"
    assert str(folder.parent) not in found


def test_a_header_beyond_the_limit_is_refused_unread(spec: ModelSpec, folder: Path) -> None:
    with (folder / WEIGHTS).open("wb") as file:
        file.write((100_000_001).to_bytes(8, "little"))
        file.truncate(200_000_000)
    assert "header of at most 100000000 bytes, found a length of 100000001" in fault(spec)


def test_all_faults_come_in_one_message_sorted(spec: ModelSpec, folder: Path) -> None:
    cut_short(folder)
    remove("chat_template.jinja")(folder)
    write("tokenizer.json", POINTER)(folder)
    write("config.json", "{}")(folder)
    found = fault(spec, dataset([unseen(9)])).removeprefix("model m: ")
    places = ["chat template: ", "config.json: ", f"{WEIGHTS}: ", "the pictures", "tokenizer.json"]
    at = [found.find(place) for place in places]
    assert at == sorted(at)
    assert at[0] == 0


def test_what_stands_elsewhere_is_accepted(spec: ModelSpec, folder: Path) -> None:
    template = (folder / "chat_template.jinja").read_text()
    (folder / "chat_template.jinja").unlink()
    edit("tokenizer_config.json", chat_template=template)(folder)
    check_ready(spec, DATA, no_fit)
    (folder / "tokenizer_config.json").unlink()
    edit("processor_config.json", chat_template=template)(folder)
    check_ready(spec, DATA, no_fit)
    (folder / "processor_config.json").rename(folder / "preprocessor_config.json")
    assert "chat template: expected" in fault(spec)
    write("tokenizer_config.json", "{")(folder)
    assert "chat template" not in fault(spec), "it may stand in the file that is damaged"
    (folder / "tokenizer_config.json").unlink()
    write("chat_template.json", json.dumps({"chat_template": template}))(folder)
    check_ready(spec, DATA, no_fit)


def test_shards_are_accepted_and_each_is_read(spec: ModelSpec, folder: Path) -> None:
    remove(WEIGHTS)(folder)
    names = ["model-1.safetensors", "model-2.safetensors"]
    write(INDEX, json.dumps({"weight_map": dict(zip("ab", names, strict=True))}))(folder)
    for name in names:
        write(name, header({"__metadata__": {}, "w": {"data_offsets": [0, 4]}}, b"\0" * 4))(folder)
    check_ready(spec, DATA, no_fit)
    write(names[1], header({"w": {"data_offsets": [0, 4]}}))(folder)
    assert fault(spec).startswith(f"model m: {names[1]}: expected ")


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    gone = ModelSpec(name="m", source={"kind": "local", "path": str(tmp_path / "gone")})
    found = fault(gone)
    assert found.startswith("model m: expected a checkpoint folder, found none named 'gone'")
    assert "the pictures of data set toy" in fault(gone, dataset([unseen(9)]))


def test_a_hub_model_is_read_like_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path))
    hub = ModelSpec(name="m", source={"kind": "hub", "id": "maker/model", "revision": REVISION})
    assert f"get it first with: hf download maker/model --revision {REVISION}" in fault(hub)
    snapshot = tmp_path / "models--maker--model" / "snapshots" / REVISION
    shutil.copytree(MICRO, snapshot)
    check_ready(hub, DATA, no_fit)
    cut_short(snapshot)
    assert f"expected {SIZE} bytes by its header" in fault(hub)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            replace(GOLD, family="dual"),
            "model m: expected family generative or reward, found 'dual'",
        ),
        (replace(GOLD, source={"kind": "cloud"}), "to be one of hub, local, replay"),
        (replace(GOLD, source={"kind": "fake", "behaviour": "x"}), "expected a behaviour of"),
        (replace(GOLD, source={**GOLD.source, "depth": 1}), "found also ['depth']"),
        (
            replace(MAJORITY, source={**MAJORITY.source, "fit": "test"}),
            "source.fit is 'test', the split that is evaluated",
        ),
        (
            replace(MAJORITY, source={"kind": "baseline", "name": "oracle"}),
            "expected source.name to be majority or random, found 'oracle'",
        ),
    ],
)
def test_a_source_that_cannot_be_opened_is_told(spec: ModelSpec, message: str) -> None:
    assert message in fault(spec)


def test_another_family_is_told_for_a_checkpoint_too(spec: ModelSpec) -> None:
    assert "expected family generative or reward, found 'dual'" in fault(
        replace(spec, family="dual")
    )
    assert "expected a scalar head" in fault(replace(spec, family="reward"))


def test_a_baseline_is_fitted_and_its_split_must_exist() -> None:
    check_ready(MAJORITY, DATA, lambda: [choice(9)])

    def absent() -> Sequence[Example]:
        raise DataError("expected split 'train', found only test")

    with pytest.raises(DataError, match="expected split 'train'"):
        check_ready(MAJORITY, DATA, absent)


@pytest.mark.parametrize(
    ("rows", "error", "message"),
    [
        ([0, 1], ModelError, "1 of 3 examples have no row: e2"),
        ([0, 1, 2, 3], ModelError, "1 of 4 rows belong to no example: e3"),
        ([0, 1, 2, 2], DataError, "e2"),
    ],
)
def test_predictions_that_do_not_fit_are_told(
    tmp_path: Path, rows: list[int], error: type[Exception], message: str
) -> None:
    check_ready(replay(tmp_path, [0, 1, 2]), DATA, no_fit)
    with pytest.raises(error, match=message):
        check_ready(replay(tmp_path, rows), DATA, no_fit)
    torn = replay(tmp_path, [0])
    (tmp_path / "p.jsonl").write_text('{"id": "e0", "predi')
    with pytest.raises(DataError, match=r"p\.jsonl"):
        check_ready(torn, DATA, no_fit)


def test_pictures_must_be_here_for_a_model_that_looks(spec: ModelSpec, tmp_path: Path) -> None:
    data = dataset([unseen(1), unseen(2)])
    expected = (
        "model m: the pictures of data set toy are not on this machine (first 1): set "
        "data.toy.image_root in the study, or use replayed predictions"
    )
    assert fault(spec, data) == expected
    assert fault(GOLD, data) == expected
    unknown = replace(GOLD, source={"kind": "fake", "behaviour": "x"})
    assert "expected a behaviour" in fault(unknown, data)
    assert "the pictures of data set toy" in fault(unknown, data)
    check_ready(replay(tmp_path, [1, 2]), data, no_fit)
    check_ready(MAJORITY, data, lambda: [choice(9)])
    # A reader that was told to keep rows without a picture has them fail one by one.
    check_ready(GOLD, dataset([choice(0), unseen(1)]), no_fit)


def test_no_model_library_is_imported(spec: ModelSpec, tmp_path: Path) -> None:
    snapshot = tmp_path / "hub" / "models--maker--model" / "snapshots" / REVISION
    shutil.copytree(MICRO, snapshot)
    code = f"""
import os, sys
os.environ["HF_HUB_CACHE"] = {str(tmp_path / "hub")!r}
from harness.models.readiness import check_ready
from harness.tests.models.asked import choice, dataset
from harness.types import ModelSpec
data = dataset([choice(0)])
for source in (
    {dict(spec.source)!r},
    {{"kind": "hub", "id": "maker/model", "revision": {REVISION!r}}},
    {dict(GOLD.source)!r},
    {dict(MAJORITY.source)!r},
):
    check_ready(ModelSpec(name="m", source=source), data, lambda: [choice(1)])
print(sorted({{"torch", "torchvision", "transformers", "safetensors"}} & set(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr
