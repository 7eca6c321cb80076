from __future__ import annotations

from dataclasses import replace

import pytest
from PIL import Image

from harness.data import manifest
from harness.errors import DataError
from harness.types import Example

GOOD = Example(id="a", kind="choice", question="?", choices=("x", "y"), gold="B")


def test_fingerprint_ignores_order_and_sees_every_field() -> None:
    other = replace(GOOD, id="b")
    whole = manifest.fingerprint([GOOD, other])
    assert whole == manifest.fingerprint([other, GOOD])
    assert len(whole) == 64
    for changed in (
        replace(GOOD, gold="A"),
        replace(GOOD, question="!"),
        replace(GOOD, tags=("t",)),
        replace(GOOD, choices=("x", "z")),
    ):
        assert manifest.fingerprint([changed, other]) != whole


def test_pixel_digest_is_of_pixels_and_size() -> None:
    wide = Image.new("RGB", (4, 1), (7, 7, 7))
    assert manifest.pixel_digest(wide) == manifest.pixel_digest(Image.new("L", (4, 1), 7))
    assert manifest.pixel_digest(wide) != manifest.pixel_digest(wide.resize((2, 2)))
    changed = wide.copy()
    changed.putpixel((3, 0), (7, 7, 8))
    assert manifest.pixel_digest(wide) != manifest.pixel_digest(changed)


def test_check_accepts_good_examples() -> None:
    manifest.check([GOOD, replace(GOOD, id="b", kind="yesno", choices=(), gold="no")], "set/test")


def test_check_lists_all_faults_sorted() -> None:
    examples = [
        replace(GOOD, id="d", choices=("x", "x")),
        GOOD,
        GOOD,
        replace(GOOD, id="c", gold="C"),
        replace(GOOD, id="b", kind="yesno", gold="maybe"),
        replace(GOOD, id="e", choices=(), gold="A"),
    ]
    with pytest.raises(DataError) as caught:
        manifest.check(examples, "set/test")
    lines = str(caught.value).splitlines()
    assert lines[0].startswith("set/test: 5 fault(s)")
    assert lines[1:] == sorted(lines[1:])
    assert [line.split()[0] for line in lines[1:]] == ["a:", "b:", "c:", "d:", "e:"]
    assert "'C', expected one of: A, B" in lines[3]
    assert "'maybe', expected one of: yes, no" in lines[2]


@pytest.mark.parametrize("gold", ["", "AB", "b", "x"])
def test_check_wants_one_letter(gold: str) -> None:
    with pytest.raises(DataError, match="expected one of: A, B"):
        manifest.check([replace(GOOD, gold=gold)], "set/test")


def test_check_refuses_an_empty_split_and_too_many_choices() -> None:
    with pytest.raises(DataError, match="the split is empty"):
        manifest.check([], "set/test")
    many = replace(GOOD, choices=tuple(str(i) for i in range(27)))
    with pytest.raises(DataError, match="27 choices, at most 26"):
        manifest.check([many], "set/test")
