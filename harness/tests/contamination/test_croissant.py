"""Croissant metadata: which fields there are, of which types, in which layout."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.contamination.croissant import Fields, Leaf, layout, metadata
from harness.tests.contamination.published_layouts import CORPUS, OLYMPIAD, RL


def seen(*records: dict[str, Any], words: bool = False) -> Fields:
    made = Fields(words=words)
    for record in records:
        made.see(record)
    return made


@pytest.mark.parametrize(
    ("records", "leaves"),
    [
        ([{"a": "x"}], [("a", "text", False)]),
        ([{"a": 1}, {"a": 2.5}], [("a", "float", False)]),
        ([{"a": 1}, {"a": "x"}], [("a", "text", False)]),
        ([{"a": True}], [("a", "boolean", False)]),
        ([{"a": True}, {"a": 1}], [("a", "text", False)]),
        ([{"a": None}, {"a": 3}], [("a", "integer", False)]),
        ([{"a": None}], []),
        ([{"a": []}, {"a": [1, 2]}], [("a", "integer", True)]),
        ([{"a": {"b": {"c": 1}}}], [("a.b.c", "integer", False)]),
        (
            [{"a": [{"b": 1}, {"b": None, "c": "x"}]}],
            [("a.b", "integer", True), ("a.c", "text", True)],
        ),
        ([{"a": {"bytes": b"x", "path": None}}], [("a", "image", False)]),
        ([{"a": [{"bytes": b"x", "path": "p.png"}]}], [("a", "image", True)]),
        ([{"a": b"x"}], [("a", "image", False)]),
    ],
)
def test_types(records: list[dict[str, Any]], leaves: list[tuple[str, str, bool]]) -> None:
    found = seen(*records)
    assert [(one.name, one.kind, one.repeated) for one in found.leaves()] == leaves
    assert not found.left_out


@pytest.mark.parametrize(
    "records",
    [
        [{"a": 1}, {"a": {"b": 1}}],
        [{"a": [1]}, {"a": 1}],
        [{"a": [[1]]}],
        [{"a": [{"b": [1]}]}],
        [{"a": {"b": {"c": {"d": {"e": 1}}}}}],
        [{"a": b"x"}, {"a": "x"}],
    ],
)
def test_what_has_no_type_is_left_out_and_named(records: list[dict[str, Any]]) -> None:
    found = seen(*records)
    assert found.leaves() == () and found.left_out
    made = described(found)
    assert made["recordSet"] == []


def test_tables_have_texts_alone() -> None:
    found = seen(
        {"i": "12", "f": "1e-3", "t": "007", "e": "", "m": "3"},
        {"i": "-4", "f": "2", "t": "8", "e": "", "m": "x"},
        words=True,
    )
    kinds = {one.name: one.kind for one in found.leaves()}
    assert kinds == {"i": "integer", "f": "float", "t": "text", "m": "text"}


def test_layouts_of_the_published_sets() -> None:
    cases = [(CORPUS, "corpus"), (OLYMPIAD, "olympiad"), (RL, "rl"), ({"q": "x"}, "rows")]
    for record, name in cases:
        leaves = seen(record).leaves()
        assert layout(leaves) == name
        made = described(seen(record))
        assert made["recordSet"][0]["@id"] == name
        fields = {one["name"]: one for one in made["recordSet"][0]["field"]}
        if name == "olympiad":
            assert fields["metadata.difficulty"]["dataType"] == "sc:Integer"
            assert fields["metadata.language"]["description"] == "en, et or en-et"
            assert fields["metadata.licence"]["source"]["transform"] == {"jsonPath": "licence"}
        if name == "rl":
            assert fields["reward_model.ground_truth"]["dataType"] == "sc:Text"
            assert fields["extra_info.has_image"]["dataType"] == "sc:Boolean"
            assert fields["prompt.content"]["repeated"] is True
    spelled = {**OLYMPIAD, "metadata": {"difficulty": 1, "language": "en", "license": "CC0"}}
    assert layout(seen(spelled).leaves()) == "olympiad"


def test_what_the_metadata_say() -> None:
    made = described(seen({"id": "a", "q": "x", "odd name": {"in side": 1}}), id_field="id")
    assert made["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    (file,) = made["distribution"]
    assert file["sha256"] == "0" * 64 and file["contentUrl"] == "cleaned.jsonl"
    assert file["encodingFormat"] == "application/jsonlines" and file["contentSize"] == "12 B"
    (records,) = made["recordSet"]
    assert records["key"] == {"@id": "rows/id"}
    assert records["field"][2]["source"]["transform"] == {"jsonPath": "'in side'"}
    assert json.loads(json.dumps(made)) == made
    assert "key" not in described(seen({"q": "x"}), id_field="id")["recordSet"][0]
    assert Leaf(("a", "b"), "text").name == "a.b"


def described(found: Fields, **changed: Any) -> dict[str, Any]:
    return metadata(
        file="cleaned.jsonl",
        kind="jsonl",
        sha256="0" * 64,
        size=12,
        n_rows=1,
        leaves=found.leaves(),
        description="a set",
        left_out=sorted(found.left_out),
        **changed,
    )
