"""The shipped model through the whole adapter: the prompt that it sees, and equal answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.data.visual_shapes import visual_shapes
from harness.models.hf import HFGenerator, open_hf
from harness.types import Decoding, ModelSpec, Request

FOLDER = Path(__file__).parents[3] / "fixtures/micro/micro-sft"
DECODING = Decoding(max_new_tokens=16)


@pytest.fixture(scope="module")
def model() -> Iterator[HFGenerator]:
    source = {"kind": "local", "path": str(FOLDER)}
    generator = open_hf(ModelSpec(name="micro-sft", source=source), "cpu", 1)
    yield generator
    generator.close()


@pytest.fixture(scope="module")
def requests() -> list[Request]:
    data = visual_shapes("test")
    return [
        Request(
            example=example,
            replicate=0,
            prompt=example.question + " Think first." * (i % 2),
            images=tuple(data.open_image(m) for m in example.media),
            seed=i,
        )
        for i, example in enumerate(data.examples[:16])
    ]


def test_final_prompt(model: HFGenerator, requests: list[Request]) -> None:
    """AT-98: read back from the token ids."""
    tokens = model._processor.tokenizer.convert_ids_to_tokens(model.prompt_token_ids(requests[0]))
    text = model._processor.tokenizer.convert_tokens_to_string(tokens)
    image = "<fake_token_around_image><global-img>" + "<image>" * 9 + "<fake_token_around_image>"
    assert text == (
        f"<|im_start|>user\n{image}{requests[0].prompt}<|im_end|>\n<|im_start|>assistant\n"
    )


def test_batch_of_eight_equals_single_requests(model: HFGenerator, requests: list[Request]) -> None:
    """AT-46, AT-47, AT-49."""
    alone = [model.generate([r], DECODING)[0] for r in requests]
    assert [
        *model.generate(requests[:8], DECODING),
        *model.generate(requests[8:], DECODING),
    ] == alone
    assert {r.status for r in alone} == {"ok"}


def test_most_answers_name_the_right_choice(model: HFGenerator, requests: list[Request]) -> None:
    """Wrong colours, a missing image or a broken template would show here as chance."""
    replies = model.generate(requests, DECODING)
    right = 0
    for request, reply in zip(requests, replies, strict=True):
        gold = request.example.choices["ABCD".index(request.example.gold)]
        answer = (reply.text or "").split("<answer>")[-1].removesuffix("</answer>")
        right += answer == gold
    assert right >= 12
