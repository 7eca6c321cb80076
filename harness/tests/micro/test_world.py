from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from PIL import Image

from harness.micro import dialogue, world


def rng(seed: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed))


@pytest.fixture(scope="module")
def home() -> world.World:
    return world.load((0.4, 0.3, 0.3), 0.1)


def things_from_pixels(pixels: np.ndarray) -> set[tuple[str, str, str]]:
    """Find colour, shape and place of every thing without the generator."""
    found = set()
    names: dict[tuple[int, ...], str] = {
        (1, 0, 0): "red",
        (0, 1, 0): "green",
        (0, 0, 1): "blue",
        (1, 1, 0): "yellow",
    }
    for row in range(3):
        for column in range(3):
            cell = pixels[row * 32 : row * 32 + 32, column * 32 : column * 32 + 32] / 255.0
            lit = cell.max(axis=2) > 0.5
            lit &= np.ptp(cell, axis=2) > 0.3
            if not lit.any():
                continue
            color = names[tuple(int(v > 0.55) for v in np.median(cell[lit], axis=0))]
            ys, xs = np.nonzero(lit)
            height, width = int(np.ptp(ys)) + 1, int(np.ptp(xs)) + 1
            fill = lit.sum() / (height * width)
            shape = "square" if fill > 0.93 else "circle" if fill > 0.68 else "cross"
            place = f"{world.ROWS[row]} {world.COLUMNS[column]}"
            found.add((color, shape, place))
    return found


def test_scenes_are_determined_by_the_generator(home: world.World) -> None:
    for _ in range(3):
        a, b = rng(5), rng(5)
        for _ in range(12):
            first, second = home.draw(a), home.draw(b)
            assert first.pixels.tobytes() == second.pixels.tobytes()
            assert (first.things, first.digit) == (second.things, second.digit)
    assert home.draw(rng(5)).pixels.tobytes() != home.draw(rng(6)).pixels.tobytes()


def test_all_families_are_drawn_at_the_size_of_the_model(home: world.World) -> None:
    source = rng(1)
    scenes = [home.draw(source) for _ in range(60)]
    assert set(Counter(s.kind for s in scenes)) == {"grid", "single", "digit"}
    assert {s.pixels.shape for s in scenes} == {(96, 96, 3)}
    assert {s.pixels.dtype for s in scenes} == {np.dtype(np.uint8)}


def test_grid_truth_agrees_with_the_pixels() -> None:
    source = rng(2)
    for _ in range(150):
        scene = world.grid(source)
        assert things_from_pixels(scene.pixels) == {
            (t.color, t.shape, t.place) for t in scene.things
        }
        assert len({(t.row, t.column) for t in scene.things}) == len(scene.things)
        assert len({(t.color, t.shape) for t in scene.things}) == len(scene.things)


def test_answers_are_true_of_the_pixels() -> None:
    source = rng(3)
    seen: Counter[str] = Counter()
    for _ in range(200):
        scene = world.grid(source)
        things = things_from_pixels(scene.pixels)
        question = dialogue.ask(scene, source)
        words = question.question.rstrip("?").split()
        if words[:2] == ["What", "color"]:
            truth = {c for c, s, _ in things if s == words[-1]}
        elif words[:2] == ["What", "shape"]:
            truth = {s for c, s, _ in things if c == words[-2]}
        elif words[0] == "Where":
            truth = {p for c, s, p in things if [c, s] == words[-2:]}
        elif words[0] == "How":
            color = words[2] if words[2] != "shapes" else None
            truth = {str(sum(color in (None, c) for c, _, _ in things))}
        else:
            truth = {"yes" if any([c, s] == words[-2:] for c, s, _ in things) else "no"}
        assert truth == {question.answer}, question.question
        seen[words[0]] += 1
    assert set(seen) == {"What", "Where", "How", "Is"}


def test_digits_come_from_the_training_split_only(home: world.World) -> None:
    from harness.data.digits import digits

    split = digits("train")
    assert home.scans.shape == (997, 64, 64)
    assert [str(v) for v in home.labels] == [
        e.choices["ABCDEFGHIJ".index(e.gold)] for e in split.examples
    ]


def test_a_digit_is_changed_lightly(home: world.World) -> None:
    source = rng(4)
    scan, label = home.scans[0], int(home.labels[0])
    plain = np.asarray(Image.fromarray(scan).convert("RGB").resize((96, 96))).astype(float)
    for _ in range(10):
        scene = world.digit(scan, label, source)
        assert scene.digit == label
        correlation = np.corrcoef(scene.pixels.ravel(), plain.ravel())[0, 1]
        assert 0.5 < correlation < 0.9999


def test_an_erased_scene_shows_nothing(home: world.World) -> None:
    source = rng(9)
    for _ in range(20):
        scene = world.erased(world.single(source), source)
        assert scene.blank
        assert scene.pixels.std() < 27
        assert np.ptp(scene.pixels.reshape(9, -1, 3).mean(axis=(1, 2))) < 2
    drawn = [home.draw(source) for _ in range(300)]
    assert 0.02 < sum(s.blank for s in drawn) / 300 < 0.13
    assert not any(s.blank for s in drawn if s.kind == "grid")


def test_styles_of_a_single_shape_use_the_words_of_the_benchmark() -> None:
    source = rng(6)
    for _ in range(40):
        scene = world.single(source)
        question = dialogue.ask(scene, source)
        assert question.question in (
            "What color is the shape?",
            "What shape is it?",
            "Where is the shape?",
        )
        assert dialogue.exchange(question, "word", source) == (question.question, question.answer)
        prompt, reply = dialogue.exchange(question, "evidence", source)
        assert prompt == f"{question.question} Think first."
        assert reply == f"{scene.things[0]}. <answer>{question.answer}</answer>"
        prompt, letter = dialogue.exchange(question, "letter", source)
        assert f"({letter}) {question.answer}" in prompt


def test_a_caption_is_no_style_of_a_question() -> None:
    scene = world.single(rng(7))
    with pytest.raises(ValueError, match="captions take a scene"):
        dialogue.exchange(dialogue.ask(scene, rng(7)), "caption", rng(7))
    assert dialogue.caption(scene)[1] == f"{scene.things[0]}."


def test_drill_letters_are_right() -> None:
    source = rng(8)
    for _ in range(30):
        prompt, reply = dialogue.drill(source)
        options = prompt.removeprefix("Letters? Options: ")
        words = reply.split()
        letters = [w for w in words if w in "ABCD"]
        assert sorted(letters) == list("ABCD"[: len(letters)])
        named = reply
        for letter in letters:
            name, _, named = named.partition(f" {letter}")
            assert f"({letter}) {name.strip()}" in options
