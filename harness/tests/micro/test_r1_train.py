from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from harness import ids
from harness.data.mini_r1 import Item, items
from harness.micro import checkpoint
from harness.micro.r1 import architecture, pool, prompts, reinforce, tokenizer, train
from harness.micro.r1.recipe import BASE, RL, SFT
from harness.scoring import grade

TINY = replace(
    SFT, name="tiny", n_items=24, vision_steps=1, text_steps=1, n_seen=4, n_asked=4, n_drills=2
)
TINY_RL = replace(RL, start="tiny", first_item=24, steps=2, n_asked=2, n_samples=3, n_new_tokens=4)


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def asked() -> list[Item]:
    return list(items("train", 120))


@pytest.fixture(scope="module")
def source() -> pool.Pool:
    return pool.load(0, 40)


@pytest.fixture(scope="module")
def words(asked: list[Item]) -> Any:
    return tokenizer.train(asked)


def rng(seed: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed))


def test_trained_replies_score_and_base_replies_mostly(asked: list[Item]) -> None:
    read = 0
    for item in asked:
        for style in prompts.STYLES:
            for reply in (prompts.trained_reply, prompts.base_reply):
                text = reply(item, style)
                score = grade(item.kind, text, item.choices, item.answer, exact=item.exact)
                if reply is prompts.trained_reply:
                    assert score.correct, (item.family, text, score)
                read += score.correct
    assert 0.9 < read / (2 * 3 * len(asked)) < 1


def test_prompts_are_rendered_by_the_harness(asked: list[Item]) -> None:
    item = next(i for i in asked if i.choices and "A." not in i.question)
    text = prompts.prompt(item, "paper")
    assert text.startswith(f"{item.question}\nChoices:\nA. {item.choices[0]}\nB. ")
    assert text.endswith("or the shortest phrase.")
    assert "{" not in text
    free = next(i for i in asked if not i.choices)
    assert prompts.prompt(free, "plain").startswith(f"{free.question}\nAnswer with the letter")


def test_tokenizer_keeps_text_and_spends_little(asked: list[Item], words: Any) -> None:
    fixed = [*prompts.TAGS, *prompts.phrases()]
    assert all(len(words(text)["input_ids"]) == 1 for text in fixed)
    assert len(words) <= tokenizer.VOCABULARY + len(fixed)
    for item in asked[:40]:
        for style in prompts.STYLES:
            for text in (prompts.prompt(item, style), prompts.trained_reply(item, style)):
                tokens = words(text)["input_ids"]
                assert words.decode(tokens, skip_special_tokens=True) == text
                assert len(tokens) < 130
    unseen = "naïve — 数 \t text, never seen"
    assert words.decode(words(unseen)["input_ids"]) == unseen


def test_training_sees_what_the_processor_gives(asked: list[Item], words: Any) -> None:
    processor: Any = architecture.processor(words)
    for item in asked[:6]:
        text = prompts.prompt(item, "paper")
        chat = [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": text}]}]
        turn = processor.apply_chat_template(chat, add_generation_prompt=True)
        given = processor(text=[turn], images=[[item.picture]], return_tensors="np")
        small = np.asarray(architecture.resized(item.picture))[None]
        assert np.array_equal(given["pixel_values"], pool.scaled(small))
        tokens, weights = pool.sequences(words, [(text, "It is so.")], shown=True, answer_weight=3)
        expected = list(given["input_ids"][0])
        assert list(tokens[0][: len(expected)]) == expected
        assert (weights[0][: len(expected)] == 0).all()
        left, mask = pool.prompt_ids(words, [text, f"{text}\nLonger."])
        assert list(left[0][mask[0] == 1]) == expected


def test_the_final_answer_weighs_more(words: Any) -> None:
    reply = "<think>Seen: A. 12 m</think> <answer>B</answer>"
    for text, wanted in ((reply, "B"), ("It is 7 m, so the answer is C.", " C")):
        tokens, weights = pool.sequences(words, [("Q", text)], shown=False, answer_weight=3)
        assert words.decode(tokens[0][weights[0] == 3]) == wanted


def test_choices_change_places_and_the_answer_with_them(asked: list[Item]) -> None:
    moved = 0
    for item in asked:
        other = pool.reordered(item, rng(len(item.question)))
        assert prompts.value(other) == prompts.value(item)
        assert sorted(other.choices) == sorted(item.choices)
        moved += other.choices != item.choices
        if item.choices:
            prompt, reply = pool.drill(other, rng(1))
            letter = reply[-2]
            assert f"{letter}. {reply[6 : reply.index(', so the')]}" in prompt.splitlines()
    assert moved > 60


def test_slots_hold_what_varies_within_a_family(source: pool.Pool) -> None:
    assert source.slots.shape == (40, pool.N_SLOTS)
    assert source.slots.max() < source.n_words
    one = source.slots[source.families == source.families[0]]
    assert (one[:, 0] == -1).all() or len(one) == 1


def test_loss_falls_on_a_few_questions(source: pool.Pool, words: Any) -> None:
    torch.manual_seed(0)
    model: Any = architecture.build(words)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    pairs = [(prompts.prompt(i, "plain"), prompts.base_reply(i, "plain")) for i in source.items[:4]]
    tokens, weights = pool.sequences(words, pairs, shown=True, answer_weight=3)
    values = []
    for _ in range(8):
        optimizer.zero_grad()
        features = train.see(model, source.pixels[:4])
        value: Any = train.loss(model, tokens, weights, features)
        value.backward()
        optimizer.step()
        values.append(float(value.detach()))
    assert values[-1] < 0.75 * values[0]


def test_equal_recipes_give_equal_checkpoints(tmp_path: Path) -> None:
    state = torch.get_rng_state()
    records = []
    for name in ("a", "b"):
        means: list[float] = []
        torch.manual_seed(ord(name))
        folder = tmp_path / name
        model, made = train.train(TINY, lambda step, value: None)
        processor = architecture.processor(made)
        first = checkpoint.save(folder / "tiny", model, made, TINY, processor)
        model, made = reinforce.train(
            TINY_RL, folder / "tiny", lambda _, mean, into=means: into.append(mean)
        )
        second = checkpoint.save(folder / "rl", model, made, TINY_RL, processor, start="tiny")
        records.append((first, second, means))
    torch.set_rng_state(state)
    assert records[0] == records[1]
    assert records[0][1]["start"] == "tiny"
    assert len(records[0][2]) == TINY_RL.steps


def test_policy_gradient_raises_the_rewarded_reply(source: pool.Pool, words: Any) -> None:
    torch.manual_seed(1)
    model: Any = architecture.build(words)
    heads = [words("Q A")["input_ids"], words("Q A")["input_ids"]]
    tails = [words(" yes")["input_ids"], words(" no")["input_ids"]]
    tokens = [[*h, *t] for h, t in zip(heads, tails, strict=True)]
    gains = reinforce.advantages(np.array([[1, 0]], dtype=np.float32)).ravel()
    given, weights = reinforce._weighted(tokens, [len(h) for h in heads], gains, np.array([0, 1]))

    def likelihood() -> Any:
        logits, target, weight = train.predictions(model, given, weights, None)
        each = torch.nn.functional.cross_entropy(logits, target, reduction="none")
        return each, weight

    before, weight = likelihood()
    (before * weight).sum().backward()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.grad is not None:
                parameter -= 0.01 * parameter.grad
    after, _ = likelihood()
    assert after[weight > 0].sum() < before[weight > 0].sum()
    assert after[weight < 0].sum() > before[weight < 0].sum()


def test_rewards_are_the_scores_of_the_harness(asked: list[Item]) -> None:
    item = next(i for i in asked if i.choices)
    wrong = "ABCD"[("ABCD".index(item.answer) + 1) % 4] if item.answer != "E" else "A"
    texts = [f"<answer>{item.answer}</answer>", f"<answer>{wrong}</answer>", "None of them."]
    assert reinforce.reward([item] * 3, texts).tolist() == [1, 0, 0]


def test_learning_rate_warms_up_and_falls() -> None:
    recipe = replace(BASE, vision_steps=10, text_steps=100, warmup_steps=5)
    rates = [train.learning_rate(recipe, step) for step in range(110)]
    assert rates[0] == pytest.approx(recipe.learning_rate / 5)
    assert rates[9] == recipe.learning_rate
    assert rates[-1] < 0.03 * recipe.learning_rate
    assert ids.plain(BASE)["styles"] == BASE.styles
