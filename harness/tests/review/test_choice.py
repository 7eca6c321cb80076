"""Which cells a sample is of: the published choice, names from studies, nothing mixed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from harness.errors import AssayError
from harness.models.fingerprint import model_fingerprint
from harness.review.choice import Choice, chosen, published
from harness.review.naming import Naming
from harness.review.stored import StoredCell
from harness.robustness.settings import STRESS
from harness.study import Study, load_study
from harness.tests.review.made_sample import STUDY

ROOT = Path(__file__).parents[3]
PAPER = "ask {question}"


ROBUST = """
[robustness]
models = ["base", "rl"]
focus = "rl"
whole = "all"
design = "some"
held_out = "rest"
paper = "paper"
evidence = "evidence"
token_budgets = [4]
"""


def study(folder: Path, name: str = "one", *, models: str = "", robust: bool = True) -> Study:
    """The made study with a second model, three more data entries, two prompts, a decoding."""
    data = "".join(
        f'[data.{part}]\nreader = "visual-shapes"\nsplit = "test"\n'
        for part in ("all", "some", "rest")
    )
    text = STUDY.replace('name = "made"', f'name = "{name}"').replace("models.maker", "models.base")
    text = text.replace(
        "[prompts]", f'[prompts]\npaper = "{PAPER}"\nevidence = "look {{question}}"'
    )
    text += f"""
[models.rl.source]
kind = "fake"
behaviour = "wrong"
[decodings.short]
max_new_tokens = 4
batch_sizes = [8]
{models}{data}{ROBUST if robust else ""}
"""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    return load_study(folder / f"{name}.toml")


def cell(study: Study, **changed: object) -> StoredCell:
    """A stored cell as its identity alone tells it."""
    facts = {
        "behaviour": "wrong",
        "data": "some",
        "view": "clean",
        "template": PAPER,
        "n": 4,
        "variant": "",
        "dtype": "float32",
        **changed,
    }
    source = {"kind": "fake", "behaviour": facts["behaviour"]}
    identity = {
        "model": {"family": "generative", "source": source, "fingerprint": source},
        "data": {"name": facts["data"], "split": "test", "fingerprint": "f"},
        "view": {"name": facts["view"], "steps": [], "seed": 0},
        "prompt": {"template": facts["template"], "sha256": "abcdef0123"},
        "decoding": {
            "max_new_tokens": facts["n"],
            "temperature": None,
            "top_p": None,
            "top_k": None,
            "repetition_penalty": 1.0,
        },
        "dtype": facts["dtype"],
        "attention": "sdpa",
        "max_image_side_px": None,
        "variant": facts["variant"],
    }
    names = Naming([study]).of(identity)
    key = json.dumps(identity)
    return StoredCell(key=key, names=names, identity=identity, folders=())


def all_of_it(made: Study) -> list[StoredCell]:
    """What a run of the study leaves: models, prompts, views, decodings, repetitions."""
    return [
        cell(made, behaviour=who, data=data, view=view, template=template, n=n, variant=variant)
        for who in ("gold", "wrong")
        for data in ("all", "some")
        for view in (*STRESS[::-1], "control_blank_1_left")
        for template in (PAPER, "look {question}")
        for n in (4, 8)
        for variant in ("", "batch-1")
    ]


def test_the_default_is_what_the_study_sampled(tmp_path: Path) -> None:
    made = study(tmp_path)
    cells = all_of_it(made)
    found = chosen(cells, published([made], cells))
    assert list(found) == list(STRESS)
    assert {c.names.text.replace(v, "VIEW") for v, c in found.items()} == {"some/rl/VIEW/paper"}
    assert {c.names.decoding for c in found.values()} == {("short",)}
    base = chosen(cells, Choice(model="base").over(published([made], cells)))
    assert {c.names.model[0] for c in base.values()} == {"base"}
    assert published([study(tmp_path, "two", robust=False)], cells) == Choice()
    assert published([made], cells[:0]) == Choice(), "cells of other studies"
    robust = made.robustness
    assert robust is not None
    other = replace(made, name="other", robustness={**robust, "paper": "evidence"})
    with pytest.raises(AssayError, match="found those of one, other; name one by --study"):
        published([made, other], cells)
    assert published([made, made], cells).model == "rl"


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        (Choice(), "one data in a sample, found all, some: name one by --data"),
        (Choice(data="some"), "one model in a sample, found base, rl: name one by --model"),
        (Choice(data="some", model="rl", prompt="paper"), "one decoding in a sample, found def"),
        (Choice(model="fog"), "model fog: .* of it, found base, rl; choose by --model"),
        (Choice(model="rl", prompt="fog"), "of it with model rl, found evidence, paper"),
        (Choice(views=("fog",)), "view fog: .*found clean, control_blank_1_left, distr"),
    ],
)
def test_what_would_be_mixed_is_refused(tmp_path: Path, choice: Choice, reason: str) -> None:
    with pytest.raises(AssayError, match=reason):
        chosen(all_of_it(study(tmp_path)), choice)


def test_two_cells_of_one_condition_are_refused(tmp_path: Path) -> None:
    made = study(tmp_path, models='[models.half]\nsource = {kind="fake", behaviour="wrong"}\n')
    same = replace(made, models={**made.models, "rl": replace(made.models["rl"], dtype="float64")})
    # No study has a model of this type, so both are known by what they are alone.
    cells = [cell(replace(same, models={}), dtype=dtype) for dtype in ("float32", "bfloat16")]
    with pytest.raises(AssayError, match="clean: expected one stored cell, found 2.*in dtype"):
        chosen(cells, Choice())
    assert cells[0].names.text == "some/wrong/clean/paper"


def names(cells: Iterable[StoredCell]) -> list[tuple[str, ...]]:
    return [c.names.model for c in cells]


def test_a_model_has_every_name_that_a_study_gives_it(tmp_path: Path) -> None:
    made = study(tmp_path, models='[models.twin.source]\nkind = "fake"\nbehaviour = "wrong"\n')
    one, two = cell(made), cell(made, dtype="bfloat16")
    assert names([one, two]) == [("rl", "twin"), ("wrong",)]
    assert chosen([one], Choice(model="twin")) == chosen([one], Choice(model="rl"))
    assert names([cell(made, behaviour="other")]) == [("other",)]
    assert cell(made, template="?").names.prompt == ("abcdef01",)
    assert cell(made, n=5).names.decoding[0].startswith("decoding-")


def test_a_local_model_is_known_by_its_files(tmp_path: Path) -> None:
    """An identity holds no path, and the libraries may have changed since."""
    mini = load_study(ROOT / "evals/studies/mini.toml")
    stored = model_fingerprint(mini.models["r1-sft"], "mini-r1")
    stored["processor"] = {"transformers": "another"}
    base = cell(study(tmp_path)).identity
    source = {"kind": "local", "trust_remote_code": False}
    model = {"family": "generative", "source": source, "fingerprint": stored}
    identity = {**base, "model": model}
    assert Naming([mini]).of(identity).model == ("r1-sft",)
    gone = replace(mini.models["r1-sft"], source={**source, "path": str(tmp_path / "gone")})
    (name,) = Naming([replace(mini, models={"r1-sft": gone})]).of(identity).model
    assert name.startswith("local-")
    assert Naming([]).of(identity).model == (name,)
