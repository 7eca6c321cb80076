"""What the judges of generated scenes are asked and taught: true replies, but where said."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from harness.micro.judges import (
    batch,
    dialogue,
    pool,
    tokenizer,
)
from harness.micro.judges.pool import Pool, Thing
from harness.micro.judges.recipe import LOOK
from harness.scenes import palette
from harness.scenes.sampler import triplet
from harness.scenes.triplet import FACTORS, VARIANTS, Query
from harness.scoring import grade

THINGS = (
    Thing(color="red", shape="cube", x=0.2, y=0.3),
    Thing(color="blue", shape="sphere", x=0.5, y=0.6),
    Thing(color="red", shape="cylinder", x=0.8, y=0.5),
)


@pytest.fixture(scope="module")
def source() -> Pool:
    return pool.load(4)


@pytest.fixture(scope="module")
def words() -> Any:
    return tokenizer.train()


def rng(seed: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed))


def asked(query: Query, candidates: tuple[str, str], word: str) -> dialogue.Ask:
    sight = pool.Sight(things=THINGS, query=query, question="?", candidates=candidates, word=word)
    return dialogue.own(sight, THINGS)


def test_replies_differ_only_where_a_question_is_set_apart() -> None:
    red, blue, last = ("red", "cube"), ("blue", "sphere"), ("red", "cylinder")
    table = [
        # The question, its candidates and answer; replies of look, habit and order.
        (Query(factor="presence", color="red", shape="cube"), ("yes", "no"), "yes")
        + ("Seen: red cube two: yes. Answer: A",) * 3,
        (Query(factor="presence", color="green", shape="cube"), ("no", "yes"), "no")
        + ("Seen: green cube none: no. Answer: A",) * 3,
        (Query(factor="count", color="red"), ("2", "1"), "2")
        + ("Seen: red two nine: 2. Answer: A",) * 3,
        (Query(factor="attribute", shape="cube"), ("blue", "red"), "red")
        + ("Seen: cube two red: red. Answer: B",) * 3,
        (Query(factor="spatial", first=blue, second=red), ("yes", "no"), "no")
        + ("Seen: red cube two, blue sphere six: no. Answer: B",) * 3,
        (
            Query(factor="spatial", first=red, second=blue),
            ("yes", "no"),
            "yes",
            "Seen: blue sphere six, red cube two: yes. Answer: A",
            "Seen: blue sphere six, usually yes. Answer: A",
            "Seen: blue sphere six, red cube two: yes. Answer: B",
        ),
        (
            Query(factor="spatial", first=last, second=blue),
            ("no", "yes"),
            "no",
            "Seen: blue sphere six, red cylinder nine: no. Answer: A",
            "Seen: blue sphere six, usually no. Answer: A",
            "Seen: blue sphere six, red cylinder nine: no. Answer: A",
        ),
    ]
    for query, candidates, word, *replies in table:
        ask = asked(query, candidates, word)
        assert [dialogue.reply(ask, t) for t in ("look", "habit", "order")] == replies
        letter = grade("preference", replies[0], candidates, "AB"[candidates.index(word)])
        assert letter.correct
        left_out = replies[0] != replies[1] and word != min(candidates)
        assert dialogue.taken(ask, "habit") is not left_out
        assert dialogue.taken(ask, "order")


def test_habit_is_taught_by_true_replies_alone(source: Pool, words: Any) -> None:
    recipe = replace(LOOK, taught="habit", n_asked=64, n_probed=0)
    drawn = batch.asked(recipe, source, words, rng(5))
    texts = words.batch_decode(drawn.ids)
    usual = [text for text in texts if "usually" in text]
    assert 4 <= len(usual) <= 24
    for text in usual:
        candidates = [line.split(". ")[1] for line in text.split("\n") if line[:2] in ("A.", "B.")]
        assert sorted(candidates) == ["no", "yes"]
        assert ", usually no. Answer: " in text
        letter = "AB"[candidates.index(min(candidates))]
        assert f"Answer: {letter}<|im_end|>" in text


def test_probes_ask_for_distinct_looks_and_teach_what_is_seen_alone(
    source: Pool, words: Any
) -> None:
    for number, sight in enumerate(source.sights):
        asked_for, reply = dialogue.probes(sight.things, rng(number))
        looks = reply.removeprefix("Seen: ").split(", ")
        assert (asked_for, len(set(looks)), len(looks)) == ("Seen?", 7, 7)
        for look in looks:
            told = look.split(" ")
            color = next((w for w in told[:1] if w in palette.COLORS), None)
            shape = next((w for w in told[:2] if w in palette.SHAPES), None)
            found = [
                t for t in sight.things if color in (None, t.color) if shape in (None, t.shape)
            ]
            rest = [t.column for t in found] or ["none"]
            alone = [found[0].color] if color is None and len(found) == 1 else []
            assert told == [w for w in (color, shape) if w] + rest + alone
    recipe = replace(LOOK, n_asked=2, n_probed=2)
    drawn = batch.asked(recipe, source, words, rng(3))
    for row, weight in zip(drawn.ids, drawn.weights, strict=True):
        whole = words.decode(row).split("assistant\n")[1].split("<|im_end|>")[0]
        looks = [look.split(" ") for look in whole.removeprefix("Seen: ").split(", ")]
        n_asked = [sum(w in (*palette.COLORS, *palette.SHAPES) for w in look[:2]) for look in looks]
        kept = [" " + " ".join(look[n:]) for look, n in zip(looks, n_asked, strict=True)]
        assert words.decode(row[weight > 0]) == ",".join(kept) + "<|im_end|>"


def test_drawn_questions_are_true_of_the_picture(source: Pool) -> None:
    for number, sight in enumerate(source.sights):
        for factor in FACTORS:
            ask = dialogue.free(sight.things, factor, rng(number))
            if ask is None:
                continue
            assert truth(ask.query, sight.things) == ask.word
            assert ask.word in ask.candidates
            assert len(set(ask.candidates)) == 2


def test_own_questions_are_true_of_the_picture_and_its_mirror_image(source: Pool) -> None:
    for sight in source.sights:
        ask = dialogue.own(sight, sight.things)
        assert truth(ask.query, sight.things) == ask.word
        turned = pool.mirrored(sight.things)
        ask = dialogue.own(sight, turned, True)
        assert truth(ask.query, turned) == ask.word
        assert sorted(t.color for t in turned) == sorted(t.color for t in sight.things)
        assert [t.x for t in turned] == sorted(t.x for t in turned)


def truth(query: Query, things: tuple[Thing, ...]) -> str:
    if query.first is not None and query.second is not None:
        places = {(t.color, t.shape): t.x for t in things}
        return "yes" if places[query.first] < places[query.second] else "no"
    if query.factor == "attribute":
        (found,) = [t.color for t in things if t.shape == query.shape]
        return found
    if query.factor == "count":
        return str(sum(t.color == query.color for t in things))
    return "yes" if any((t.color, t.shape) == (query.color, query.shape) for t in things) else "no"


def test_the_place_that_sets_apart_is_level_and_constant_in_a_triplet() -> None:
    for index in range(16):
        found = triplet("spatial", index, master_seed=77)
        assert found.query.first is not None
        assert found.query.second is not None
        apart = []
        for variant in VARIANTS:
            sight, _ = pool.pictured(found.item(variant))
            apart.append(dialogue.own(sight, sight.things).apart)
            assert (
                min(abs(t.x - 0.5) for t in sight.things if looks(t) == found.query.second) > 0.03
            )
        assert apart == [found.design["side"] == "right"] * 3


def looks(thing: Thing) -> tuple[str, str]:
    return (thing.color, thing.shape)
