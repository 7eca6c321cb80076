"""A checkpoint of the study's class, Qwen2.5-VL: many sizes, several views, its own markers."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from harness.data.manifest import fingerprint
from harness.errors import ModelError
from harness.models.fingerprint import model_fingerprint
from harness.models.hf import HFGenerator, open_hf
from harness.models.turn import encode
from harness.run import RunContext, run_cell
from harness.tests.models import tiny_qwen
from harness.tests.models.tiny import GREEDY, SAMPLED, picture, request
from harness.tests.models.tiny_qwen import BLOCK_PX, HAS_TORCHVISION, opened, save_qwen, spec
from harness.types import Cell, Dataset, Decoding, Example, Media, Prompt, Request, View
from harness.vision.views import apply, named

FIVE = "global_plus_quadrants"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_qwen(tmp_path_factory.mktemp("qwen"))


@pytest.fixture(scope="module")
def model(folder: Path) -> Iterator[HFGenerator]:
    with closing(opened(spec(folder))) as generator:
        yield generator


def shown(index: int, view: str = "clean", n_images: int = 1) -> Request:
    """Pictures of 1 to 4 blocks a side."""
    size = (BLOCK_PX * (1 + index % 4), BLOCK_PX * (1 + index % 3))
    images = tuple(picture(10 * index + i, size) for i in range(n_images))
    steps = named(view)
    if steps.steps:
        images = apply(steps, images, None)  # type: ignore[arg-type]  # these views ask nothing
    return replace(request(index, n_images=0), images=images)


ASKED = [
    *(shown(i) for i in range(6)),
    *(shown(i, n_images=2 + i % 2) for i in range(6, 9)),
    *(shown(i, view) for i in (9,) for view in (FIVE, "downsample_25", f"downsample_25-{FIVE}")),
    shown(11, n_images=0),
]


@pytest.mark.parametrize("decoding", [GREEDY, SAMPLED], ids=["greedy", "sampled"])
def test_a_batch_of_unequal_pictures_equals_single_requests(
    model: HFGenerator, decoding: Decoding
) -> None:
    alone = [model.generate([r], decoding)[0] for r in ASKED]
    assert model.generate(ASKED, decoding) == alone
    assert model.generate(ASKED[::-1], decoding) == alone[::-1]
    assert len({r.text for r in alone}) > len(ASKED) // 2


@pytest.mark.parametrize("index", range(4))
def test_every_picture_has_its_tokens(model: HFGenerator, index: int) -> None:
    """One token for each block of 28 x 28 px of each picture, the quadrants included."""
    token = model._processor.image_token_id
    for view in ("clean", FIVE):
        asked = shown(index, view)
        blocks = [max(1, round(x / BLOCK_PX)) for i in asked.images for x in i.size]
        expected = sum(w * h for w, h in zip(blocks[::2], blocks[1::2], strict=True))
        ids = model.prompt_token_ids(asked)
        assert ids.count(token) == expected
        assert ids.count(model._model.config.vision_start_token_id) == len(asked.images)


def test_pictures_and_their_order_matter(model: HFGenerator) -> None:
    pairs = [replace(ASKED[i], images=(picture(i), picture(i + 1))) for i in range(4)]
    swapped = [replace(r, images=r.images[::-1]) for r in pairs]
    others = [replace(r, images=(picture(90 + i), r.images[1])) for i, r in enumerate(pairs)]
    plain, *changed = (model.generate(x, SAMPLED) for x in (pairs, swapped, others))
    assert plain not in changed


def test_the_largest_side_is_a_limit_before_the_processor(folder: Path, model: HFGenerator) -> None:
    asked = replace(ASKED[0], images=(picture(1, (4 * BLOCK_PX, 2 * BLOCK_PX)),))
    small = opened(replace(spec(folder), max_image_side_px=2 * BLOCK_PX))
    token = model._processor.image_token_id
    assert model.prompt_token_ids(asked).count(token) == 8
    assert small.prompt_token_ids(asked).count(token) == 2
    small.close()


@pytest.mark.parametrize("marker", ["<|image_pad|>", "<|video_pad|>"])
def test_its_own_markers_in_a_question_are_refused(model: HFGenerator, marker: str) -> None:
    """A question that holds one would take the place of a picture."""
    bad = replace(ASKED[1], prompt=f"What is {marker} here?")
    replies = model.generate([ASKED[0], bad, ASKED[2]], GREEDY)
    assert replies[1].status == "error" and replies[1].text is None
    assert replies[1].error is not None and replies[1].error.startswith("prompt_placeholder")
    assert marker in replies[1].error
    assert [replies[0], replies[2]] == model.generate([ASKED[0], ASKED[2]], GREEDY)


def test_a_cell_goes_through_the_store(folder: Path, tmp_path: Path) -> None:
    """Eight samples a question: stored, and equal when made in other batches."""
    examples = tuple(
        Example(
            id=f"q{i}",
            kind="text",
            question="What is it?" + " Look!" * i,
            gold="x",
            media=(Media(kind="image", name=str(i), sha256=f"{i:064}"),),
        )
        for i in range(3)
    )
    data = Dataset(
        name="toy",
        split="test",
        examples=examples,
        fingerprint=fingerprint(examples),
        open_image=lambda media: shown(int(media.name)).images[0],
    )
    hashes = []
    for run, sizes in enumerate([(16, 1), (5, 1)]):
        cell = Cell(
            experiment="e",
            data="toy",
            model=spec(folder),
            view=View(name="clean"),
            prompt=Prompt(name="p", template="{question}"),
            decoding=replace(SAMPLED, batch_sizes=sizes),
            tier="full",
            base_seed=7,
            replicates=8,
        )
        context = RunContext(
            runs=tmp_path / str(run),
            run_id="run-1",
            device="cpu",
            n_threads=1,
            allow_generate=True,
            hang_timeout_s=60.0,
            max_attempts=3,
            dataset=lambda name: data,
            fingerprint=model_fingerprint,
            model=lambda model_spec, name: opened(model_spec),
        )
        result = run_cell(cell, context)
        assert {r.status for r in result.responses} <= {"ok", "truncated"}
        assert len({r.text for r in result.responses}) > 8
        hashes.append(result.records_sha256)
    assert hashes[0] == hashes[1]


@pytest.mark.skipif(HAS_TORCHVISION, reason="tells what a machine without torchvision says")
@pytest.mark.parametrize("layout", ["processor_config.json", "preprocessor_config.json"])
def test_without_torchvision_the_extra_is_named(folder: Path, tmp_path: Path, layout: str) -> None:
    """Both layouts of a checkpoint: today's, and that of the published ones."""
    copy = Path(shutil.copytree(folder, tmp_path / "checkpoint"))
    if layout != "processor_config.json":
        path = copy / "processor_config.json"
        parts = json.loads(path.read_text("utf-8"))
        images = parts["image_processor"] | {"processor_class": parts["processor_class"]}
        (copy / layout).write_text(json.dumps(images), "utf-8")
        path.unlink()
    with pytest.raises(ModelError, match=r"with its extra `vision`, which brings torchvision") as e:
        open_hf(spec(copy), "cpu", 1)
    assert "\n" not in str(e.value) and str(tmp_path) not in str(e.value)


@pytest.mark.skipif(not HAS_TORCHVISION, reason="needs the real processor")
def test_the_real_processor_gives_the_same_tokens(model: HFGenerator) -> None:
    ours = tiny_qwen.processor()
    for asked in ASKED:
        expected = encode(ours, [asked], None)["input_ids"][0].tolist()
        assert model.prompt_token_ids(asked) == expected


def test_a_folder_without_a_known_processor_is_refused(folder: Path, tmp_path: Path) -> None:
    """AutoProcessor then gives a bare tokenizer, which has a chat template too."""
    copy = Path(shutil.copytree(folder, tmp_path / "checkpoint"))
    for name in ("processor_config.json", "tokenizer_config.json"):
        text = (copy / name).read_text("utf-8")
        (copy / name).write_text(text.replace("Qwen2_5_VLProcessor", "NoSuchProcessor"), "utf-8")
    with pytest.raises(ModelError, match="expected a processor with a tokenizer and an image"):
        open_hf(spec(copy), "cpu", 1)


def test_a_picture_of_one_pixel_is_shown(model: HFGenerator) -> None:
    tiny = replace(ASKED[0], images=(Image.new("RGB", (1, 1)),))
    assert model.generate([tiny], GREEDY)[0].status in ("ok", "truncated")
