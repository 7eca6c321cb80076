"""Reward models: the score is the head's value at the last token of prompt and candidate."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from harness.errors import ModelError
from harness.models.load import open_model
from harness.models.readiness import check_ready
from harness.models.reward import VALUE_HEAD, RewardModel, open_reward, sequence
from harness.scoring import score
from harness.tests.models.asked import dataset
from harness.tests.models.tiny import GREEDY, request
from harness.types import Example, Media, ModelSpec, Reply, Request, Response

N_HIDDEN = 32


def asked(index: int, a: str = "red", b: str = "blue", n_images: int = 1) -> Request:
    made = request(index, n_images=n_images, words=3)
    example = replace(made.example, kind="preference", choices=(a, b), gold="A")
    return replace(made, example=example)


def head(
    folder: Path, weight: torch.Tensor, bias: float = 0.25, prefix: str = "v_head.summary"
) -> None:
    save_file(
        {f"{prefix}.weight": weight, f"{prefix}.bias": torch.tensor([bias])}, folder / VALUE_HEAD
    )


def spec_of(folder: Path) -> ModelSpec:
    return ModelSpec(name="judge", family="reward", source={"kind": "local", "path": str(folder)})


@pytest.fixture(scope="module")
def weight() -> torch.Tensor:
    return torch.sin(torch.arange(N_HIDDEN, dtype=torch.float32))[None]


@pytest.fixture(scope="module")
def folder(idefics3: Path, tmp_path_factory: pytest.TempPathFactory, weight: torch.Tensor) -> Path:
    copy = tmp_path_factory.mktemp("reward") / "judge"
    shutil.copytree(idefics3, copy)
    head(copy, weight)
    return copy


@pytest.fixture(scope="module")
def judge(folder: Path) -> Any:
    model = open_reward(spec_of(folder), "cpu", 1)
    yield model
    model.close()
    model.close()


def scores(reply: Reply) -> tuple[float, float]:
    found = json.loads(str(reply.text))
    return found["score_a"], found["score_b"]


def by_hand(judge: RewardModel, weight: torch.Tensor, made: Request, candidate: str) -> float:
    processor = judge._processor
    text = sequence(processor, made.prompt, candidate, len(made.images))
    inputs = processor(
        text=[text], images=[list(made.images)] if made.images else None, return_tensors="pt"
    )
    with torch.inference_mode():
        hidden = judge._model.model(**inputs).last_hidden_state[0, -1]
    return float(hidden @ weight[0] + 0.25)


def test_the_scores_are_those_of_the_head_at_the_last_token(
    judge: RewardModel, weight: torch.Tensor
) -> None:
    requests = [asked(1), asked(2, "a red cube", "two"), asked(3, n_images=0), asked(4, n_images=2)]
    replies = judge.generate(requests, GREEDY)
    for made, reply in zip(requests, replies, strict=True):
        assert (reply.status, reply.n_tokens) == ("ok", None)
        expected = [by_hand(judge, weight, made, text) for text in made.example.choices]
        assert scores(reply) == pytest.approx(expected, abs=1e-5)
    assert len({reply.text for reply in replies}) == 4
    # One sequence at a time: the text does not depend on the batch, nor on the other candidate.
    assert [judge.generate([made], GREEDY)[0] for made in requests] == replies
    (turned,) = judge.generate([asked(1, "blue", "red")], GREEDY)
    assert scores(turned) == scores(replies[0])[::-1]
    other = replace(requests[0], images=requests[1].images)
    assert judge.generate([other], GREEDY)[0].text != replies[0].text


def test_ties_and_nan_are_read_as_such(folder: Path, tmp_path: Path, judge: RewardModel) -> None:
    (same,) = judge.generate([asked(1, "red", "red")], GREEDY)
    copy = tmp_path / "judge"
    shutil.copytree(folder, copy)
    broken = open_reward(spec_of(copy), "cpu", 1)
    broken._head.bias.data[:] = float("inf")
    (overflow,) = broken.generate([asked(1)], GREEDY)
    broken._head.weight.data[:] = float("nan")
    (nan,) = broken.generate([asked(1)], GREEDY)
    broken.close()
    example = Example(id="e", kind="preference", question="?", gold="A", choices=("x", "y"))
    rules = [
        score(example, Response(example_id="e", status=r.status, text=r.text))
        for r in (same, overflow, nan)
    ]
    assert [s.answer.rule for s in rules] == ["tie", "infinite", "nan"]
    assert {(s.outcome, s.correct, s.counted) for s in rules} == {("review", False, True)}


def test_a_request_that_cannot_be_scored_is_an_error_of_its_own(judge: RewardModel) -> None:
    three = asked(1)
    three = replace(three, example=replace(three.example, choices=("a", "b", "c")))
    pool = replace(asked(1), example=replace(asked(1).example, kind="choice"))
    marked, long = asked(1, "the <image>"), asked(1, "word " * 100)
    replies = judge.generate([three, pool, marked, long, asked(1)], GREEDY)
    assert [r.status for r in replies] == ["error", "error", "error", "error", "ok"]
    starts = (
        "candidates: expected a preference between two, found a preference of 3",
        "candidates: expected a preference between two, found a choice of 2",
        *("prompt_placeholder", "truncated_"),
    )
    for reply, start in zip(replies, starts, strict=False):
        assert str(reply.error).startswith(start)


def test_what_is_no_reward_model_is_refused(
    folder: Path, idefics3: Path, tmp_path: Path, weight: torch.Tensor
) -> None:
    copy = tmp_path / "judge"
    shutil.copytree(folder, copy)
    example = Example(
        id="e", kind="preference", question="?", gold="A", choices=("x", "y"),
        media=(Media(kind="image", name="1", sha256="0" * 64),),
    )  # fmt: skip
    data = dataset([example])
    check_ready(spec_of(copy), data, lambda: ())
    open_model(spec_of(copy), data, "cpu", 1).close()
    with pytest.raises(ModelError, match="expected a scalar head, .* found Idefics3ForCond"):
        open_reward(spec_of(idefics3), "cpu", 1)
    head(copy, weight[:, :8])
    with pytest.raises(ModelError, match=r"a weight of \(1, 32\) .* found \(1, 8\) and \(1,\)"):
        open_reward(spec_of(copy), "cpu", 1)
    head(copy, weight * float("nan"))
    with pytest.raises(ModelError, match="expected finite weights"):
        open_reward(spec_of(copy), "cpu", 1)
    head(copy, weight, prefix="score")
    with pytest.raises(ModelError, match="expected v_head.summary.weight and .bias, found score"):
        open_reward(spec_of(copy), "cpu", 1)
    (copy / VALUE_HEAD).write_bytes(b"short")
    with pytest.raises(ModelError, match="value_head.safetensors"):
        check_ready(spec_of(copy), data, lambda: ())
    baseline = replace(spec_of(folder), source={"kind": "baseline", "name": "random"})
    with pytest.raises(ModelError, match="of a reward model to be one of hub, local, replay, fake"):
        open_model(baseline, data, "cpu", 1)


def test_a_broken_config_is_an_error_of_the_model(idefics3: Path, tmp_path: Path) -> None:
    copy = tmp_path / "judge"
    shutil.copytree(idefics3, copy)
    config = copy / "config.json"
    for content in (b"{", b"\xff", b"[]", b"null", b'{"architectures": 3}', b"[" * 100_000):
        config.write_bytes(content)
        with pytest.raises(ModelError, match=r"judge: expected a config\.json that holds") as error:
            open_reward(spec_of(copy), "cpu", 1)
        assert str(tmp_path) not in str(error.value)


def test_a_sequence_classifier_with_one_label_is_a_judge(tmp_path: Path) -> None:
    from harness.tests.models.tiny_gemma import save_gemma3

    spec = spec_of(save_gemma3(tmp_path / "one"))
    model = open_reward(spec, "cpu", 1)
    requests = [asked(1), replace(asked(1), images=asked(2).images), asked(3, n_images=0)]
    replies = model.generate(requests, GREEDY)
    for made, reply in zip(requests, replies, strict=True):
        expected = [classified(model, made, text) for text in made.example.choices]
        assert scores(reply) == pytest.approx(expected, abs=1e-5)
    assert len({reply.text for reply in replies}) == 3
    assert [model.generate([made], GREEDY)[0] for made in requests] == replies
    model.close()
    with pytest.raises(ModelError, match="expected a head with one label, found 2"):
        open_reward(spec_of(save_gemma3(tmp_path / "two", n_labels=2)), "cpu", 1)
    weights = tmp_path / "one" / "model.safetensors"
    kept = {k: v for k, v in load_file(weights).items() if not k.startswith("score.")}
    save_file(kept, weights, metadata={"format": "pt"})
    with pytest.raises(ModelError, match=r"1 weight.* score.weight"):
        open_reward(spec, "cpu", 1)


def classified(judge: RewardModel, made: Request, candidate: str) -> float:
    processor, model = judge._processor, judge._model
    text = sequence(processor, made.prompt, candidate, len(made.images))
    inputs = processor(
        text=[text], images=[list(made.images)] if made.images else None, return_tensors="pt"
    )
    with torch.inference_mode():
        hidden = model.model(**inputs).last_hidden_state[0, -1]
        return float(model.score(hidden)[0])
