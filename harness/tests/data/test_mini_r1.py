from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from fractions import Fraction

import numpy as np
import PIL
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, features

from harness import ids
from harness.data import manifest
from harness.data.load import load_dataset
from harness.data.mini_r1 import Item, items, mini_r1
from harness.data.mini_r1.draws import Draws
from harness.data.mini_r1.figure import Figure
from harness.data.mini_r1.problem import spread
from harness.data.mini_r1.schedule import COUNTS, FAMILIES, FREE_COUNTS, SEED, slots
from harness.errors import DataError
from harness.prompts import lists_choices
from harness.scoring import gold_fault
from harness.types import Example, Media

# The same with Pillow 11.0.0 and FreeType 2.13.2 as with Pillow 13.0.0 and FreeType 2.14.3.
PINNED = "cf7b85dd217a"
PINNED_TEXTS = "a6ae691a00c6"


def texts_digest() -> str:
    """The fingerprint without the pictures: the same whatever draws them."""
    examples = mini_r1("test").examples
    kept = [(e.question, e.choices, e.gold, e.kind, e.tags, e.exact) for e in examples]
    return ids.digest(kept)[:12]


def families() -> dict[str, list[Example]]:
    found = defaultdict(list)
    for example in mini_r1("test").examples:
        found[example.tags[2]].append(example)
    return found


def answer_of(example: Example) -> str:
    if example.choices:
        return example.choices[manifest.LETTERS.index(example.gold)]
    return example.gold


def test_counts_are_the_published_ones() -> None:
    data = mini_r1("test")
    assert len(data.examples) == 942
    assert Counter(e.group for e in data.examples) == COUNTS
    assert Counter(e.group for e in data.examples if not e.choices) == FREE_COUNTS
    assert sum(FREE_COUNTS.values()) == 159
    assert Counter(len(e.choices) for e in data.examples) == {4: 470, 5: 313, 0: 159}
    assert {e.kind for e in data.examples if not e.choices} == {"number", "expression", "text"}
    assert {e.kind for e in data.examples if e.choices} == {"choice"}
    assert len({e.role for e in data.examples}) == 4
    assert [e.id for e in data.examples[::941]] == ["mini-r1-0001", "mini-r1-0942"]
    assert data.claim_level == "L0"


def test_every_category_has_its_families_in_equal_shares() -> None:
    assert len(FAMILIES) == len({f.name for f in FAMILIES}) == 34
    for category, total in COUNTS.items():
        sizes = [len(v) for v in families().values() if v[0].group == category]
        assert len(sizes) >= 6
        assert sum(sizes) == total
        assert max(sizes) - min(sizes) <= 1
    for example in mini_r1("test").examples:
        assert example.tags == (example.role, example.group, example.tags[2])


def test_texts_are_pinned_everywhere() -> None:
    assert texts_digest() == PINNED_TEXTS


def test_pictures_are_pinned() -> None:
    drawn_with = f"Pillow {PIL.__version__}, FreeType {features.version('freetype2')}"
    assert mini_r1("test").fingerprint[:12] == PINNED, (
        f"other pixels with {drawn_with}: if no generator was changed, draw the split with the "
        "pinned releases too and compare; where only edges differ, draw them otherwise (see the "
        "remarks in figure.py), else pin the new fingerprint and say so in the changelog, since "
        "stored cells of this benchmark will not be reused"
    )


def test_the_right_choice_stands_everywhere_equally_often() -> None:
    for n in (4, 5):
        golds = Counter(e.gold for e in mini_r1("test").examples if len(e.choices) == n)
        assert len(golds) == n
        assert max(golds.values()) - min(golds.values()) <= 1


def test_the_gold_is_the_familys_answer() -> None:
    by_name = {family.name: family for family in FAMILIES}
    for row, example in list(enumerate(mini_r1("test").examples))[::15]:
        name = example.tags[2]
        assert answer_of(example) == by_name[name].make(Draws(SEED, "test", row, name)).answer


def test_a_question_alone_does_not_give_its_answer() -> None:
    for name, examples in families().items():
        golds = Counter(answer_of(e) for e in examples)
        assert len(golds) >= 4, name
        assert max(golds.values()) <= len(examples) / 2, (name, golds)
    texts = defaultdict(list)
    for example in mini_r1("test").examples:
        texts[example.question.split("\n")[0]].append(answer_of(example))
    repeated = {text: golds for text, golds in texts.items() if len(golds) >= 8}
    assert sum(map(len, repeated.values())) > 700
    for text, golds in repeated.items():
        assert max(Counter(golds).values()) <= len(golds) / 2, text


def test_the_place_among_the_numbers_does_not_give_the_answer() -> None:
    """Guessing by rank among numeric choices gains little over chance."""
    ranks: Counter[int] = Counter()
    for example in mini_r1("test").examples:
        values = [_number(choice) for choice in example.choices]
        if len(values) == 5 and None not in values:
            right = values[manifest.LETTERS.index(example.gold)]
            ranks[sum(v < right for v in values)] += 1  # type: ignore[operator]
    assert sum(ranks.values()) > 150
    assert max(ranks.values()) < 0.35 * sum(ranks.values()), ranks


def _number(text: str) -> Fraction | None:
    found = re.match(r"-?\d+(/\d+)?", text.replace("−", "-"))
    return Fraction(found[0]) if found else None


def test_questions_are_short_and_some_list_their_choices() -> None:
    listed = [e for e in mini_r1("test").examples if "\n" in e.question]
    assert 0.07 < len(listed) / 783 < 0.13
    for example in mini_r1("test").examples:
        assert len(example.question.split()) <= 40
        assert example.question.isprintable() or example in listed
    for example in listed:
        listing = example.question.split("\n", 1)[1]
        for letter, choice in zip(manifest.LETTERS, example.choices, strict=False):
            assert f"{letter}. {choice}" in listing or f"({letter}) {choice}" in listing
    assert {e.question.split("\n")[1][0] for e in listed} == {"A", "("}
    for example in mini_r1("test").examples:
        assert lists_choices(example.question, example.choices) == (example in listed)


def test_pictures_have_the_stated_sizes_and_redraw_alike() -> None:
    data = mini_r1("test")
    assert len({e.media[0].sha256 for e in data.examples}) == 942
    for example in data.examples[::40]:
        image = data.open_image(example.media[0])
        assert image.mode == "RGB"
        assert 144 <= image.height < image.width * 2
        assert 240 <= image.width <= 640
        assert manifest.pixel_digest(image) == example.media[0].sha256
        image.putpixel((0, 0), (1, 2, 3))
        assert manifest.pixel_digest(data.open_image(example.media[0])) == example.media[0].sha256


def test_content_survives_a_quarter_of_the_size() -> None:
    for item in items("test", 30):
        quarter = item.picture.resize(
            (item.picture.width // 4, item.picture.height // 4), Image.Resampling.BILINEAR
        )
        grey = np.asarray(quarter.convert("L"), dtype=float)
        ground = np.median(grey)
        assert (abs(grey - ground) > 40).mean() > 0.01, item.family


def test_splits_share_no_picture_and_train_goes_on() -> None:
    test = {e.media[0].sha256 for e in mini_r1("test").examples}
    train = [manifest.pixel_digest(i.picture) for i in items("train", 100)]
    assert test.isdisjoint(train)
    assert len(set(train)) == 100
    first, second = slots("train", 0), slots("train", 1)
    assert first != second
    assert Counter(s.family.name for s in first) == Counter(s.family.name for s in second)


def test_rows_do_not_depend_on_how_many_are_made() -> None:
    few, more = list(items("train", 3)), list(items("train", 5))
    assert [facts(i) for i in few] == [facts(i) for i in more[:3]]
    for item, example in zip(items("test", 20), mini_r1("test").examples, strict=False):
        assert (item.question, item.choices, item.answer) == (
            example.question,
            example.choices,
            example.gold,
        )
        assert manifest.pixel_digest(item.picture) == example.media[0].sha256
        assert item.evidence.endswith(".")


def facts(item: Item) -> tuple[object, ...]:
    return item.question, item.choices, item.answer, item.evidence, item.picture.tobytes()


@pytest.mark.parametrize("family", FAMILIES, ids=[f.name for f in FAMILIES])
def test_families_always_give_five_different_answers(family) -> None:
    for draw in range(12):
        problem = family.make(Draws("property", family.name, draw))
        assert len({problem.answer, *problem.wrong}) == 5
        if family.free is not None:
            example = Example(
                id="x", kind=family.free, question="?", gold=problem.answer, exact=family.exact
            )
            assert gold_fault(example) == ""


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 200), st.integers(1, 10), st.integers(0, 5), st.integers(0, 10**6))
def test_a_spread_is_an_even_row_that_holds_the_answer(
    above: int, step: int, lowest: int, seed: int
) -> None:
    answer = lowest + above
    row = sorted([answer, *map(int, spread(Draws(seed), answer, step, lowest=lowest))])
    assert row[0] >= lowest
    assert [b - a for a, b in itertools.pairwise(row)] == [step] * 4


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(0, 9), max_size=4), st.integers(1, 40))
def test_draws_are_equal_for_equal_names_and_in_range(parts: list[int], n: int) -> None:
    one, two = Draws("x", *parts), Draws("x", *parts)
    drawn = [one.below(n) for _ in range(9)]
    assert drawn == [two.below(n) for _ in range(9)]
    assert all(0 <= value < n for value in drawn)
    assert sorted(one.shuffled(range(n))) == list(range(n))


def test_draws_are_pinned() -> None:
    draws = Draws(2026, "pin")
    assert [draws.below(1000) for _ in range(6)] == [366, 136, 959, 808, 178, 483]


def test_a_figure_has_the_size_it_says() -> None:
    sizes = {Figure(Draws("size", i), 320, 240).image().size for i in range(40)}
    assert len(sizes) > 30
    assert all(320 <= w <= 460 and 240 <= h <= 360 for w, h in sizes)


def test_the_reader_is_registered() -> None:
    data = load_dataset("mini-r1", name="bench", split="test", path=None, options={})
    assert (data.name, data.fingerprint) == ("bench", mini_r1("test").fingerprint)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: mini_r1("val"), "unknown split 'val'; valid splits are train, test"),
        (lambda: items("dev", 1), "unknown split 'dev'"),
        (lambda: items("test", 943), "at most 942, found 943"),
        (lambda: items("train", -1), "at least 0, found -1"),
        (
            lambda: mini_r1("test").open_image(
                Media(kind="image", name="mini-r1-train-0001.png", sha256=None)
            ),
            r"no picture 'mini-r1-train-0001.png'; expected a name like 'mini-r1-0001.png'",
        ),
    ],
)
def test_bad_input_is_named(call, message: str) -> None:
    with pytest.raises(DataError, match=message):
        call()
