"""The review page: escaped text, no script, the pictures as the condition showed them."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

from PIL import Image

from harness.errors import DataError
from harness.review.page import page_text
from harness.review.pictures import Shown, save_pictures
from harness.review.sample import Plan, drawn
from harness.review.sampling import Wrong
from harness.review.sheet import FIXED
from harness.review.taxonomy import KINDS, RULE, RULE_ZH
from harness.tests.review.made_sample import examples, made_study, store, wrong
from harness.types import Media

HOSTILE = (
    "</pre><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "<a href='javascript:alert(1)'>&lt;b&gt;</a>",
    "\x00\ud800\u202e<!--",
)


class Tags(HTMLParser):
    """Every element with its attributes, and all text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def test_every_text_is_escaped_and_nothing_runs() -> None:
    plain = dict.fromkeys(FIXED, "x")
    clean = page_text([{**plain, "id": "r1"}], {"r1": ([Shown("pictures/a.png", 4, 3)], "")})
    wanted = [tag for tag, _ in Tags(clean).found]
    for text in HOSTILE:
        row = {**dict.fromkeys(FIXED, text), "id": "r1"}
        page = page_text([row], {"r1": ([Shown("pictures/a.png", 4, 3)], "")})
        tags = Tags(page)
        assert [tag for tag, _ in tags.found] == wanted
        assert not any(name.startswith("on") for _, attrs in tags.found for name in attrs)
        page.encode("utf-8")
        page_text([row], {"r1": ([], text)})
        assert f"<p>{text}" not in page_text([row], {"r1": ([], text)})
    assert not {"script", "iframe", "object", "form", "link", "base"} & set(wanted)
    assert HOSTILE[0] in Tags(page_text([{**plain, "response": HOSTILE[0]}], {})).text


def test_the_policy_and_both_languages() -> None:
    page = page_text([{**dict.fromkeys(FIXED, "x"), "id": "r1"}], {})
    tags = Tags(page)
    (policy,) = (a["content"] for _, a in tags.found if a.get("http-equiv"))
    assert policy is not None
    assert "default-src 'none'" in policy
    assert "script" not in policy
    assert "http" not in policy
    for kind in KINDS.values():
        assert kind.name_zh in tags.text
        assert kind.meaning in tags.text
    assert RULE in tags.text
    assert RULE_ZH in tags.text


def test_a_keyboard_reaches_every_row_and_every_long_text() -> None:
    names = ("r1", "r2", "r3")
    conditions = ("fog", "distractor_3", "clean")
    rows = [
        {**dict.fromkeys(FIXED, "x"), "id": name, "condition": condition}
        for name, condition in zip(names, conditions, strict=True)
    ]
    page = page_text(rows, {"r1": ([Shown("pictures/a.png", 40, 30)], "")})
    tags = Tags(page)
    ids = [attrs["id"] for _, attrs in tags.found if "id" in attrs]
    assert len(ids) == len(set(ids))
    links = [attrs["href"] or "" for tag, attrs in tags.found if tag == "a"]
    assert all(link[1:] in ids for link in links if link.startswith("#"))
    # The list, then of each row its picture, the row before, the list, and the row after.
    contents = ["#r3", "#r2", "#r1"]
    assert links[:4] == [*contents, "pictures/a.png"], "conditions in the order of the views"
    assert links[4:] == ["#rows", "#r2", "#r1", "#rows", "#r3", "#r2", "#rows"]
    labels = [attrs["aria-labelledby"] for _, attrs in tags.found if "aria-labelledby" in attrs]
    assert set(labels) <= set(ids)
    boxes = [attrs for tag, attrs in tags.found if tag == "pre"]
    assert all(box["tabindex"] == "0" and box["role"] == "group" for box in boxes)
    assert len(boxes) == 15
    (picture,) = (attrs for tag, attrs in tags.found if tag == "img")
    assert picture["alt"] == "Picture 图片 1/1, 40×30"


def rows_under(tmp_path: Path, view: str) -> list[Wrong]:
    study = made_study(tmp_path)
    store(tmp_path / view, study, view, [wrong(e) for e in examples(study)[:3]])
    (stratum,) = drawn([tmp_path / view], [study], Plan(per_condition=3, seed=1)).strata
    return list(stratum.drawn)


def test_pictures_are_those_of_the_condition(tmp_path: Path) -> None:
    out = tmp_path / "pictures"
    clean = rows_under(tmp_path, "clean")[0]
    own = clean.dataset.open_image(clean.example.media[0])
    (shown,), reason = save_pictures(clean, out)
    assert (shown.width, shown.height, reason) == (*own.size, "")
    with Image.open(tmp_path / shown.file) as saved:
        assert saved.tobytes() == own.tobytes()
        assert not saved.info
    (blank,), _ = save_pictures(rows_under(tmp_path, "blank")[0], out)
    with Image.open(tmp_path / blank.file) as saved:
        assert saved.convert("L").getextrema() == (0, 0)
    (canvas,), _ = save_pictures(rows_under(tmp_path, "distractor_1")[0], out)
    assert (canvas.width, canvas.height) == (1024, 512)
    five, _ = save_pictures(rows_under(tmp_path, "global_plus_quadrants")[0], out)
    assert len(five) == 5
    n_files = len(list(out.iterdir()))
    save_pictures(clean, out)
    assert len(list(out.iterdir())) == n_files, "an equal picture is stored once"


def test_a_picture_that_is_not_there_has_its_reason(tmp_path: Path) -> None:
    row = rows_under(tmp_path, "clean")[0]

    def missing(media: Media) -> Image.Image:
        raise DataError(f"{media.name}: not on this machine: {tmp_path}/x.png")

    dataset = replace(row.dataset, open_image=missing)
    images, reason = save_pictures(replace(row, dataset=dataset), tmp_path)
    assert images == []
    assert "not on this machine" in reason
    assert str(tmp_path) not in reason
