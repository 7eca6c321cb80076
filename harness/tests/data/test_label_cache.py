"""Zero-shot hits by hand, and the cache of label texts: bound to all that it was made from."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.data.label_cache import Binding, load_embeddings, save_embeddings
from harness.errors import DataError
from harness.retrieval.zero_shot import label_prompts, top_labels, zero_shot

LABELS = ("dog", "hen", "sea waves")
BINDING = Binding(
    model="laion/clap-htsat-unfused", revision="8f" * 20, template="A {label}.", labels=LABELS
)
VECTORS = np.eye(3, 4, dtype=np.float32)
FILES = ("text-embeddings.npy", "text-embeddings.json")


def test_what_was_saved_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    assert load_embeddings(folder, BINDING) is None
    save_embeddings(folder, BINDING, VECTORS)
    found = load_embeddings(folder, BINDING)
    assert found is not None
    assert found.dtype == np.float32
    assert (found == VECTORS).all()
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)
    assert str(tmp_path) not in (folder / FILES[1]).read_text(encoding="utf-8")
    with pytest.raises(DataError, match="are there already"):
        save_embeddings(folder, BINDING, VECTORS)
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("model", "laion/clap-htsat-fused"),
        ("revision", "9f" * 20),
        ("template", "This is a sound of {label}."),
        ("labels", ("hen", "dog", "sea waves")),
        ("labels", ("dog", "hen")),
    ],
)
def test_other_ingredients_are_refused(tmp_path: Path, field: str, value: Any) -> None:
    save_embeddings(tmp_path, BINDING, VECTORS)
    with pytest.raises(DataError, match=f"made from something else; {field}: wanted"):
        load_embeddings(tmp_path, replace(BINDING, **{field: value}))


@pytest.mark.parametrize("kept", FILES)
def test_half_a_cache_is_refused(tmp_path: Path, kept: str) -> None:
    save_embeddings(tmp_path, BINDING, VECTORS)
    next(path for path in tmp_path.iterdir() if path.name != kept).unlink()
    with pytest.raises(DataError, match=f"found {kept} alone; remove it"):
        load_embeddings(tmp_path, BINDING)


def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    save_embeddings(tmp_path, BINDING, VECTORS)
    raw = (tmp_path / FILES[0]).read_bytes()
    (tmp_path / FILES[0]).write_bytes(raw[:-1] + b"\x01")
    with pytest.raises(DataError, match="is not what text-embeddings.json was written for"):
        load_embeddings(tmp_path, BINDING)
    about = json.loads((tmp_path / FILES[1]).read_text(encoding="utf-8"))
    (tmp_path / FILES[0]).write_bytes(raw)
    for bad, said in (
        ("{", "cannot be read (JSONDecodeError)"),
        ("[]", "expected schema 1"),
        (json.dumps(about | {"schema": 2}), "expected schema 1"),
        (json.dumps(about | {"labels": 1}), "labels: wanted 3 labels (dog, hen, sea waves …)"),
        (json.dumps(about | {"fingerprint": ""}), "their fingerprint differs"),
    ):
        (tmp_path / FILES[1]).write_text(bad, encoding="utf-8")
        with pytest.raises(DataError) as caught:
            load_embeddings(tmp_path, BINDING)
        assert said in str(caught.value)


@pytest.mark.parametrize(
    "vectors",
    [VECTORS[:2], VECTORS[0], 2 * VECTORS, VECTORS[:, :0], np.full((3, 4), np.nan, np.float32)],
)
def test_vectors_that_are_none(tmp_path: Path, vectors: Any) -> None:
    with pytest.raises(DataError, match="text embeddings"):
        save_embeddings(tmp_path / "cache", BINDING, vectors)
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize(
    "changed",
    [
        {"revision": "main"},
        {"revision": "8F" * 20},
        {"model": ""},
        {"template": "A sound."},
        {"template": "{label} or {other}"},
        {"template": "{label"},
        {"labels": ()},
        {"labels": ("dog", "dog")},
        {"labels": ("dog", " ")},
    ],
)
def test_a_binding_that_does_not_bind(changed: dict[str, Any]) -> None:
    with pytest.raises(DataError, match=r"expected"):
        replace(BINDING, **changed)
    assert replace(BINDING, revision="0" * 64).fingerprint != BINDING.fingerprint


def test_prompts_and_nearest_labels() -> None:
    assert label_prompts(LABELS)[2] == "This is a sound of sea waves."
    assert top_labels([0.2, 0.2, 0.9], LABELS, 3) == ("sea waves", "dog", "hen")
    many = [f"{number:02d}" for number in range(50)]
    assert top_labels([0.5] * 50, many, 50) == tuple(many)
    with pytest.raises(DataError, match="k: expected an integer from 1 to 3, found 4"):
        top_labels([0.2, 0.2, 0.9], LABELS, 4)


def test_hits_by_hand() -> None:
    rows = [[0.9, 0.1, 0.2], [0.5, 0.4, 0.6], [0.3, 0.3, 0.3]]
    gold = ["dog", "hen", "dog"]
    found = zero_shot(rows, gold, LABELS, level=0.95, ks=(1, 2, 3), clusters=["a", "a", "b"])
    assert found.ranks == (1, 3, 3)
    assert [hits.accuracy.value for hits in found.hits] == [1 / 3, 1 / 3, 1.0]
    assert [hits.chance for hits in found.hits] == [1 / 3, 2 / 3, 1.0]
    assert [hits.majority for hits in found.hits] == [2 / 3, 1.0, 1.0]
    assert found.hits[0].clustered is not None
    assert found.hits[0].clustered.value == pytest.approx(1 / 3)
    kind = zero_shot(rows, gold, LABELS, level=0.95, ks=(1,), ties="optimistic")
    assert kind.ranks == (1, 3, 1)
    assert kind.hits[0].clustered is None


def test_equal_similarities_are_never_a_hit() -> None:
    found = zero_shot(np.zeros((4, 50)), ["7"] * 4, [str(i) for i in range(50)], level=0.95)
    assert [hits.accuracy.value for hits in found.hits] == [0.0, 0.0]
    assert [(hits.chance, hits.majority) for hits in found.hits] == [(0.02, 1.0), (0.1, 1.0)]


def test_no_clip() -> None:
    found = zero_shot([], [], LABELS, level=0.95, ks=(1,))
    assert (found.n, found.hits[0].accuracy.value, found.hits[0].majority) == (0, None, 0.0)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"similarities": [[0.1, 0.2]]}, "expected 3 columns"),
        ({"similarities": [[0.1, 0.2, float("nan")]]}, "finite"),
        ({"similarities": [[1, 2, 3]] * 2}, "expected 1 rows"),
        ({"gold": ["cat"]}, "expected one of the 3 labels"),
        ({"ks": (1, 1)}, "different cut-offs"),
        ({"ks": ()}, "different cut-offs"),
        ({"ks": (5,)}, "from 1 to 3, found 5"),
        ({"ks": (True,)}, "from 1 to 3"),
        ({"ties": "kind"}, "pessimistic or optimistic"),
        ({"labels": ("a", "a", "b")}, "different, non-empty"),
    ],
)
def test_what_cannot_be_scored(changed: dict[str, Any], said: str) -> None:
    asked: dict[str, Any] = {"similarities": [[1, 2, 3]], "gold": ["dog"], "labels": LABELS}
    with pytest.raises(DataError) as caught:
        zero_shot(**({"ks": (1,)} | asked | changed), level=0.95)
    assert said in str(caught.value)
