"""A prediction file that is written, killed, continued, and refused where it is another run's."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness import ids
from harness.errors import StoreError
from harness.models.predictions import INVALID, Prediction, read_predictions, write_predictions
from harness.predictions.asked import Asked, read_sidecar, sidecar_path
from harness.predictions.file import continued

ASKED = Asked(
    model_id="org/model",
    model_revision="a" * 40,
    seed=42,
    data={"name": "sqa", "split": "test", "fingerprint": "f" * 64},
    prompt={"template": "{question}"},
    decoding={"max_new_tokens": 16, "temperature": None},
    view={"name": "clean"},
    compute={"dtype": "float32"},
)


def fill(path: Path, *keys: str, asked: Asked = ASKED) -> Path:
    with continued(path, asked) as file:
        for key in keys:
            file.append(key, "B", f"It is B, {key}.")
    return path


def refused(path: Path, asked: Asked = ASKED) -> str:
    before = path.read_bytes()
    with pytest.raises(StoreError) as caught:
        fill(path, "new", asked=asked)
    assert path.read_bytes() == before
    return str(caught.value)


def test_the_rows_are_those_of_the_protocol(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    with continued(path, ASKED, {"n_selected": 2}) as file:
        file.append("1", "B", "It is B.")
        assert json.loads(path.read_text()) == {
            "id": "1", "prediction": "B", "raw_prediction": "It is B.", "prediction_valid": True,
            "model_id": "org/model", "model_revision": "a" * 40, "seed": 42,
        }  # fmt: skip
        file.append("2", None, "é\u2028?")
    assert json.loads(path.read_text().splitlines()[1])["prediction"] == INVALID
    assert read_predictions(path, {}) == {"1": "B", "2": "é\u2028?"}
    rows = [
        Prediction(
            id=key, prediction=said, raw_prediction=raw, model_id="org/model",
            model_revision="a" * 40, seed=42,
        )
        for key, said, raw in (("1", "B", "It is B."), ("2", None, "é\u2028?"))
    ]  # fmt: skip
    write_predictions(tmp_path / "q.jsonl", rows)
    assert (tmp_path / "q.jsonl").read_bytes() == path.read_bytes()


def test_what_a_killed_run_has_left_is_continued(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    with pytest.raises(KeyboardInterrupt), continued(path, ASKED) as file:
        file.append("1", "B", "It is B.")
        sidecar = read_sidecar(path)
        assert sidecar is not None and (sidecar["closed"], sidecar["sha256"]) == (False, None)
        raise KeyboardInterrupt
    with continued(path, ASKED) as file:
        assert list(file.done) == ["1"]
        with pytest.raises(StoreError, match="expected a new id, found '1' a second time"):
            file.append("1", "B", "It is B.")
        file.append("2", "A", "A")
    sidecar = read_sidecar(path)
    assert sidecar is not None and sidecar["sha256"] == ids.file_digest(path)
    assert (sidecar["n_resumed"], sidecar["n_new"], sidecar["n_rows"]) == (1, 1, 2)
    assert sidecar["closed"] and sidecar["schema_version"] == 1 and sidecar["deterministic"]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"prompt": {"template": "Q: {question}"}}, "prompt.template: the file has '{question}'"),
        ({"decoding": {"max_new_tokens": 8, "temperature": None}}, "the file has 16, this run 8"),
        ({"decoding": {"max_new_tokens": 16, "temperature": 0.7}}, "decoding.temperature"),
        ({"seed": 43}, "seed: the file has 42, this run 43"),
        ({"model_id": "org/other"}, "model_id"),
        ({"model_revision": "b" * 40}, "model_revision"),
        ({"data": {"name": "sqa"}}, "data.fingerprint: the file has 'ffff"),
        ({"view": {"name": "blank"}}, "view.name"),
        ({"compute": {"dtype": "bfloat16"}}, "compute.dtype"),
    ],
)
def test_a_run_that_asks_otherwise_is_refused(
    tmp_path: Path, changed: dict[str, Any], said: str
) -> None:
    message = refused(fill(tmp_path / "p.jsonl", "1"), replace(ASKED, **changed))
    assert said in message and "write to another file" in message


def _field(name: str, value: Any) -> Callable[[str], str]:
    return lambda line: json.dumps({**json.loads(line), name: value})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_field("model_revision", "b" * 40), "p.jsonl:2: expected model_revision 'aaa"),
        (_field("model_id", "x"), "p.jsonl:2: expected model_id 'org/model', found 'x'"),
        (_field("seed", 41), "p.jsonl:2: expected seed 42, found 41"),
        (_field("seed", True), "p.jsonl:2: expected seed of type int"),
        (_field("id", "1"), "p.jsonl:2: expected a new id, found '1' a second time"),
        (_field("prediction_valid", False), "p.jsonl:2: expected __invalid__ in rows"),
        (_field("extra", 1), "p.jsonl:2: expected the fields id, prediction"),
        (lambda line: line[:-4], "p.jsonl:2: expected a row as JSON"),
        (lambda _: "", "p.jsonl:2: expected a row as JSON"),
        (lambda _: "[1]", "p.jsonl:2: expected the fields"),
    ],
)
def test_a_bad_row_is_named_by_its_line(
    tmp_path: Path, change: Callable[[str], str], said: str
) -> None:
    path = fill(tmp_path / "p.jsonl", "1", "2", "3")
    lines = path.read_text().splitlines()
    lines[1] = change(lines[1])
    path.write_text("\n".join(lines) + "\n")
    assert said in refused(path)


def test_a_torn_end_is_named_by_its_line(tmp_path: Path) -> None:
    path = fill(tmp_path / "p.jsonl", "1", "2")
    path.write_bytes(path.read_bytes()[:-1])
    assert "p.jsonl:2: expected the end of a line" in refused(path)


def test_rows_without_a_sidecar_or_with_a_changed_one_are_refused(tmp_path: Path) -> None:
    path = fill(tmp_path / "p.jsonl", "1")
    place = sidecar_path(path)
    good = place.read_text()
    place.write_text(good.replace('"seed": 42', '"seed": 43'))
    assert "expected what was asked under `asked` with its digest" in refused(path)
    place.write_text(good.replace('"schema_version": 1', '"schema_version": 2'))
    assert "expected schema_version 1, found 2" in refused(path)
    place.write_text("{")
    assert "as JSON, found none (JSONDecodeError)" in refused(path)
    place.unlink()
    assert "expected the sidecar that says what its rows were asked" in refused(path)


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    with continued(path, ASKED) as file:
        file.append("1", "B", "B")
        with pytest.raises(StoreError, match="another process has it open"):
            fill(path, "2")
    assert list(read_predictions(fill(path, "2"), {})) == ["1", "2"]
    with pytest.raises(StoreError, match="without .gz"):
        fill(tmp_path / "p.jsonl.gz")


def test_the_sidecar_has_no_folder_and_no_host(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    about = {"device": f"cuda on {tmp_path}/x", "batch_size": 8, "notes": [str(Path.home() / "y")]}
    with continued(path, ASKED, about):
        pass
    text = sidecar_path(path).read_text()
    assert str(tmp_path) not in text and str(Path.home() / "y") not in text
    assert json.loads(text)["platform"].keys() == {"machine", "system"}
    assert json.loads(text)["batch_size"] == 8 and json.loads(text)["file"] == "p.jsonl"
