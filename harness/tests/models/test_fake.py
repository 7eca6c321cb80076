"""The stand-in: its answers, and each planted fault."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.data.manifest import pixel_digest
from harness.errors import ModelError
from harness.models.base import OutOfMemory
from harness.models.fake import DIED, Fake
from harness.scoring import score
from harness.tests.models.asked import DECODING, choice, dataset, picture, request, yesno
from harness.types import Example, Request, Response

EXAMPLES = [choice(i, gold="ABC"[i % 3]) for i in range(12)]
REQUESTS = [request(e) for e in EXAMPLES]
DATA = dataset(EXAMPLES)


def texts(source: dict[str, Any], requests: list[Request] = REQUESTS) -> list[str | None]:
    return [r.text for r in Fake(source, DATA).generate(requests, DECODING)]


def right(examples: list[Example] = EXAMPLES) -> list[str]:
    return [f"<answer>{e.gold}</answer>" for e in examples]


def test_gold_is_right() -> None:
    assert texts({"kind": "fake", "behaviour": "gold"}) == right()
    asked = [yesno(0), yesno(1, "no")]
    assert texts({"behaviour": "gold"}, [request(e) for e in asked]) == right(asked)


def test_gold_needs_its_own_image() -> None:
    """Without it the answer is that of `ignore-image`."""
    moved = [replace(r, images=(picture(i + 1),)) for i, r in enumerate(REQUESTS)]
    assert texts({"behaviour": "gold"}, moved) == texts({"behaviour": "ignore-image"})
    assert texts({"behaviour": "gold"}, moved) != right()


def test_accuracy_leaves_a_seeded_share_wrong() -> None:
    many = [choice(i) for i in range(400)]
    asked = [request(e) for e in many]
    source = {"behaviour": "gold", "accuracy": 0.7}
    answers = texts(source, asked)
    assert 250 < sum(a == r for a, r in zip(answers, right(many), strict=True)) < 310
    assert set(answers) == {"<answer>B</answer>", "<answer>C</answer>"}
    assert texts(source, asked) == answers != texts({**source, "seed": 1}, asked)
    assert texts({**source, "accuracy": 0.0}, asked) == ["<answer>C</answer>"] * 400
    flipped = [request(yesno(0)), request(yesno(1, "no"))]
    assert texts({**source, "accuracy": 0.0}, flipped) == [
        "<answer>no</answer>", "<answer>yes</answer>"
    ]  # fmt: skip


def test_ignore_image_goes_by_the_prompt_alone() -> None:
    source = {"behaviour": "ignore-image"}
    assert len(set(texts(source))) == 1
    prompts = [replace(REQUESTS[0], prompt=str(i)) for i in range(40)]
    assert set(texts(source, prompts)) == {f"<answer>{c}</answer>" for c in "ABC"}


def test_echo_names_the_pixels() -> None:
    two = replace(REQUESTS[0], images=(picture(3), picture(1)))
    none = replace(REQUESTS[0], images=())
    assert texts({"behaviour": "echo-image-hash"}, [two, none]) == [
        f"{pixel_digest(picture(3))} {pixel_digest(picture(1))}",
        "",
    ]


def test_unparsable_holds_no_answer() -> None:
    (text,) = set(texts({"behaviour": "unparsable"}))
    assert text and "answer" not in text


def test_batch_sensitive_is_right_alone_and_wrong_in_company() -> None:
    source = {"behaviour": "batch-sensitive"}
    assert texts(source, REQUESTS[:1]) == right()[:1]
    assert all(a != r for a, r in zip(texts(source), right(), strict=True))


@pytest.mark.parametrize(("fault", "error"), [("oom-on", OutOfMemory), ("error-on", ValueError)])
def test_faults_by_id(fault: str, error: type[Exception]) -> None:
    for source in (
        {"behaviour": fault, "ids": ["e3"]},
        {"behaviour": "gold", fault.replace("-", "_"): ["e3"]},
    ):
        assert texts(source, REQUESTS[:3]) == right()[:3]
        for batch in (REQUESTS[:4], REQUESTS[3:4]):
            with pytest.raises(error, match="planted"):
                texts(source, batch)


def test_memory_goes_by_the_padded_batch() -> None:
    size = 4 * 4 + len("Which color?")
    source = {"behaviour": "memory-limit", "memory_limit": 3 * size}
    assert texts(source, REQUESTS[:3]) == right()[:3]
    with pytest.raises(OutOfMemory, match=f"planted: batch area {4 * size} over {3 * size}"):
        texts(source, REQUESTS[:4])
    long = replace(REQUESTS[0], prompt="x" * size)
    with pytest.raises(OutOfMemory):
        texts(source, [REQUESTS[1], REQUESTS[2], long])


def test_slow_and_hang_take_their_time() -> None:
    start = time.monotonic()
    texts({"behaviour": "slow", "slow_s": 0.01}, REQUESTS[:4])
    assert time.monotonic() - start >= 0.04
    start = time.monotonic()
    texts({"behaviour": "hang-on", "ids": ["e1"], "hang_s": 0.05}, REQUESTS[:2])
    assert time.monotonic() - start >= 0.05


def test_die_ends_the_process() -> None:
    code = """
from harness.models.fake import Fake
from harness.scoring import score
from harness.tests.models.asked import DECODING, choice, dataset, request
fake = Fake({"behaviour": "die-on", "ids": ["e1"]}, dataset([choice(0), choice(1)]))
fake.generate([request(choice(0))], DECODING)
print("alive", flush=True)
try:
    fake.generate([request(choice(1))], DECODING)
finally:
    print("unwound", flush=True)
"""
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (DIED, "alive\n"), done.stderr


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ({"behaviour": "clever"}, "expected a behaviour of .* found 'clever'"),
        ({}, "expected a behaviour of .* found None"),
        ({"behaviour": "gold", "acuracy": 1}, r"found also \['acuracy'\]"),
        ({"behaviour": "gold", "ids": ["a"]}, r"found also \['ids'\]"),
        ({"behaviour": "gold", "accuracy": 1.5}, "expected accuracy from 0 to 1, found 1.5"),
        ({"behaviour": "gold", "oom_on": "e1"}, "expected oom_on to be a list of ids"),
        ({"behaviour": "gold", "die_on": [1]}, "expected die_on to be a list of ids"),
        ({"behaviour": "oom-on"}, "behaviour 'oom-on' needs ids, found none"),
        ({"behaviour": "slow"}, "behaviour 'slow' needs slow_s, found none"),
        ({"behaviour": "memory-limit"}, "behaviour 'memory-limit' needs memory_limit"),
    ],
)
def test_a_fault_in_the_options_is_no_silent_gold(source: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        Fake(source, DATA)


def test_a_wrong_answer_needs_a_closed_list() -> None:
    free = Example(id="n", kind="number", question="?", gold="1")
    assert texts({"behaviour": "gold"}, [request(free)]) == ["<answer>1</answer>"]
    with pytest.raises(ModelError, match="example 'n' of kind 'number' has no closed list"):
        texts({"behaviour": "gold", "accuracy": 0.0}, [request(free)])


def test_broken_numbers_are_told_as_text_and_read_as_no_answer() -> None:
    source = {"behaviour": "nan-on", "ids": [EXAMPLES[1].id]}
    assert texts(source) == [right()[0], "nan", *right()[2:]]
    response = Response(example_id=EXAMPLES[1].id, status="ok", text="nan")
    made = score(EXAMPLES[1], response)
    assert (made.outcome, made.correct, made.counted) == ("review", False, True)


def test_scripted_gives_the_stated_texts_and_fails_without_one() -> None:
    pair = [
        Example(id=f"t{i}", kind="preference", question="?", gold="A", choices=("x", "y"))
        for i in range(3)
    ]
    source = {"behaviour": "scripted", "answers": {"t0": "B", "t1": '{"score_a":1,"score_b":1}'}}
    asked = [request(e) for e in pair]
    assert texts(source, asked) == ["B", '{"score_a":1,"score_b":1}', None]
    assert Fake(source, DATA).generate(asked, DECODING)[2].status == "error"
    assert texts({**source, "otherwise": "A"}, asked)[2] == "A"
    with pytest.raises(ModelError, match="expected answers to be texts by example id"):
        Fake({"behaviour": "scripted", "answers": {"t0": 1}}, DATA)


def test_blind_goes_by_the_question_and_the_texts_alone() -> None:
    def chosen(example: Example, **changes: Any) -> str:
        (text,) = texts({"behaviour": "blind"}, [replace(request(example), **changes)])
        return example.choices["ABC".index(str(text)[len("<answer>")])]

    first = choice(1)
    turned = replace(first, choices=first.choices[::-1])
    assert chosen(first) == chosen(turned) == chosen(first, images=(picture(9),), prompt="other")
    many = [choice(1, question=f"Which color {i}?") for i in range(30)]
    assert {chosen(e) for e in many} == set(first.choices)
