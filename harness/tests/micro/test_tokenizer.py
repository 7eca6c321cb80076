from __future__ import annotations

from typing import Any

import pytest

from harness.micro import tokenizer as words
from harness.micro import world

TEXTS = [
    "red square top left. <answer>red</answer>",
    "Which digit is shown? Options: (A) 0 (B) 1",
    "<|im_start|>user\n<image>Where is the shape?<|im_end|>\n<|im_start|>assistant\n",
    "naïve — 数 \t text, never seen",
    "",
]


@pytest.fixture(scope="module")
def trained() -> Any:
    return words.train(1)


@pytest.mark.parametrize("text", TEXTS)
def test_round_trip(trained: Any, text: str) -> None:
    assert trained.decode(trained(text)["input_ids"]) == text


def test_answer_tags_survive_the_removal_of_special_tokens(trained: Any) -> None:
    ids = trained(f"{TEXTS[0]}<|im_end|>")["input_ids"]
    assert trained.decode(ids, skip_special_tokens=True) == TEXTS[0]


def test_the_names_of_things_are_single_tokens(trained: Any) -> None:
    names = [*world.COLORS, *world.SHAPES, *world.ROWS, *world.COLUMNS, "empty", *"0123456789"]
    unknown = trained.convert_tokens_to_ids(words.UNKNOWN)
    for name in names:
        assert len(trained(name)["input_ids"]) == 1, name
        assert trained.convert_tokens_to_ids(name) != unknown, name


def test_padding_is_on_the_left(trained: Any) -> None:
    rows = trained(["red", "red blue"], padding=True)["input_ids"]
    assert rows[0][0] == trained.pad_token_id
    assert rows[0][-1] == trained("red")["input_ids"][0]


def test_equal_seeds_give_equal_vocabularies(trained: Any) -> None:
    assert words.train(1).get_vocab() == trained.get_vocab()
    assert len(trained) <= words.VOCABULARY
