"""A cell's key: what changes it, what must not, and how two identities are told apart."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from harness import ids
from harness.errors import ModelError
from harness.identity import cell_identity, cell_key, differing, response_seed
from harness.tests.run.stand_ins import cell, dataset
from harness.types import Cell, Dataset, Decoding, ModelSpec, Prompt, View
from harness.vision.views import named

SPEC = ModelSpec(name="m", source={"kind": "hub", "id": "org/m", "revision": "a" * 40})
SAMPLED = Decoding(max_new_tokens=8, temperature=0.7, top_p=0.9, top_k=0)
FINGERPRINT = {"weights": "w0", "processor": "p0"}


def identity(
    of: Cell | None = None, data: Dataset | None = None, **fingerprint: str
) -> dict[str, Any]:
    return cell_identity(of or cell(model=SPEC), data or dataset(), FINGERPRINT | fingerprint)


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        (cell(model=SPEC, prompt=Prompt(name="p", template="{question}!")), "prompt.template"),
        (cell(model=SPEC, view=View(name="blank", steps=(("blank", ()),))), "view.steps"),
        (cell(model=SPEC, decoding=Decoding(max_new_tokens=9)), "decoding.max_new_tokens"),
        (cell(model=SPEC, decoding=SAMPLED), "decoding.temperature"),
        (
            cell(model=replace(SPEC, source={**SPEC.source, "revision": "b" * 40})),
            "model.source.revision",
        ),
        (
            cell(model=replace(SPEC, source={**SPEC.source, "trust_remote_code": True})),
            "model.source.trust_remote_code",
        ),
        (cell(model=replace(SPEC, dtype="bfloat16")), "dtype"),
        (cell(model=replace(SPEC, attention="eager")), "attention"),
        (cell(model=replace(SPEC, max_image_side_px=512)), "max_image_side_px"),
        (cell(model=replace(SPEC, family="audio")), "model.family"),
        (cell(model=SPEC, variant="batch-1"), "variant"),
    ],
    ids=lambda v: v if isinstance(v, str) else "",
)
def test_a_changed_ingredient_has_another_key_and_is_named(changed: Cell, field: str) -> None:
    assert cell_key(identity(changed)) != cell_key(identity())
    assert field in differing(identity(changed), identity())


def test_the_order_of_examples_counts_where_a_neighbours_picture_is_shown() -> None:
    """The fingerprint is of the set; a shuffled view pairs by place in the file."""
    data = dataset()
    turned = replace(data, examples=data.examples[::-1])
    shuffled = cell(model=SPEC, view=named("shuffled"))
    assert differing(identity(shuffled, data), identity(shuffled, turned)) == ["view.order"]
    assert identity(data=data) == identity(data=turned)


def test_donors_are_drawn_from_the_ids_of_the_split_in_any_order() -> None:
    data = dataset()
    others = replace(data, examples=(replace(data.examples[0], id="new"), *data.examples[1:]))
    turned = replace(data, examples=data.examples[::-1])
    for name in ("distractor_1", "distractor_3-global_budgeted", "distractor_1_seed1_left"):
        drawn = cell(model=SPEC, view=named(name, seed=1))
        assert differing(identity(drawn, data), identity(drawn, others)) == ["view.order"]
        assert identity(drawn, data) == identity(drawn, turned)
        again = cell(model=SPEC, view=named(name, seed=2))
        assert differing(identity(drawn, data), identity(again, data)) == ["view.seed"]
    control = cell(model=SPEC, view=named("control_blank_1_left", seed=1))
    assert identity(control, data) == identity(control, others)
    assert identity(control)["view"]["seed"] == 0


def test_the_keys_of_the_first_views_are_pinned() -> None:
    """What was stored before a view could have a seed is still found."""
    keys = {
        name: cell_key(identity(cell(model=SPEC, view=named(name, seed=5)), dataset(2)))[:8]
        for name in ("clean", "blank", "shuffled")
    }
    assert keys == {"clean": "3f91176e", "blank": "73ad6323", "shuffled": "de170d74"}


def test_how_a_thing_is_done_counts_where_it_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another geometry, sampler or note gives other raw output under the same names."""
    shown = {
        "GEOMETRY": (cell(model=SPEC, view=named("downsample_25")), 2, "view.geometry"),
        "SAMPLER": (cell(model=SPEC, decoding=SAMPLED), "other/1", "decoding.sampler"),
        "VIEWS_NOTE": (
            cell(model=SPEC, prompt=Prompt(name="p", template="{question}\n{views}")),
            "Other.",
            "prompt.views_note",
        ),
    }
    before = {name: identity(of) for name, (of, _, _) in shown.items()}
    plain = identity()
    for name, (_, value, _) in shown.items():
        monkeypatch.setattr(f"harness.identity.{name}", value)
    assert identity() == plain
    for name, (of, _, field) in shown.items():
        assert differing(before[name], identity(of)) == [field]


def test_the_name_of_a_decoding_is_no_part_of_a_key() -> None:
    named_so = replace(cell(model=SPEC).decoding, name="long")
    assert identity(cell(model=SPEC, decoding=named_so)) == identity()


def test_changed_weights_are_named() -> None:
    assert differing(identity(weights="w1"), identity()) == ["model.fingerprint.weights"]


def test_changed_image_bytes_under_the_same_name_have_another_key() -> None:
    data = dataset(images=True)
    first = data.examples[0]
    repainted = replace(first, media=(replace(first.media[0], sha256="0" * 64),))
    examples = (repainted, *data.examples[1:])
    other = replace(data, examples=examples, fingerprint=ids.digest(examples))

    assert [e.id for e in other.examples] == [e.id for e in data.examples]
    assert cell_key(identity(data=other)) != cell_key(identity(data=data))
    assert differing(identity(data=other), identity(data=data)) == ["data.fingerprint"]


@pytest.mark.parametrize(
    "changed",
    [
        {"experiment": "other"},
        {"tier": "canary"},
        {"n": 3},
        {"replicates": 4},
        {"shard": (1, 3)},
        {"base_seed": 8},
        {"decoding": Decoding(max_new_tokens=8, batch_sizes=(2, 1))},
        {"prompt": Prompt(name="renamed", template="{question}")},
        {"model": replace(SPEC, name="renamed")},
    ],
    ids=lambda v: next(iter(v)),
)
def test_what_does_not_shape_the_output_is_left_out(changed: dict[str, Any]) -> None:
    assert identity(cell(**({"model": SPEC} | changed))) == identity()


def test_where_the_files_lie_is_left_out() -> None:
    there = cell(model=ModelSpec(name="m", source={"kind": "local", "path": "/a/m"}))
    here = cell(model=ModelSpec(name="m", source={"kind": "local", "path": "/b/m"}))
    assert identity(there) == identity(here)
    assert "/a/m" not in ids.canonical_json(identity(there))


@pytest.mark.parametrize(
    "seeded",
    [
        {"decoding": SAMPLED},
        {"model": ModelSpec(name="m", source={"kind": "baseline", "name": "random"})},
        {"model": ModelSpec(name="m", source={"kind": "fake", "behaviour": "gold"})},
    ],
    ids=["sampling", "baseline", "fake"],
)
def test_the_base_seed_counts_where_random_numbers_are_drawn(seeded: dict[str, Any]) -> None:
    one, two = identity(cell(base_seed=1, **seeded)), identity(cell(base_seed=2, **seeded))
    assert differing(one, two) == ["base_seed"]
    assert response_seed(one, cell_key(one), "x", 0) == ids.seed(1, cell_key(one), "x", 0)


def test_greedy_studies_with_other_base_seeds_store_equal_seeds() -> None:
    one = identity(cell(model=SPEC, base_seed=1))
    two = identity(cell(model=SPEC, base_seed=2))
    key = cell_key(one)
    assert response_seed(one, key, "x", 0) == response_seed(two, cell_key(two), "x", 0)
    assert response_seed(one, key, "x", 0) != response_seed(one, key, "x", 1)
    assert response_seed(one, key, "x", 0) != response_seed(one, key, "y", 0)


def test_an_empty_fingerprint_is_refused() -> None:
    with pytest.raises(ModelError, match="model m: expected a fingerprint"):
        cell_identity(cell(), dataset(), {})


def test_the_key_of_stored_runs_is_pinned() -> None:
    # A change here makes every stored cell unreachable: it needs a new schema.
    assert cell_key(identity(cell(model=SPEC), dataset(2))) == "3f91176e4b6bb137ea4bb23467dec057"


def test_differing_names_fields_that_one_side_lacks_and_lists_as_a_whole() -> None:
    assert differing({"a": 1, "b": {"c": [1]}}, {"b": {"c": [2], "d": None}}) == [
        "a",
        "b.c",
        "b.d",
    ]
    assert differing({"a": True}, {"a": 1}) == ["a"]
