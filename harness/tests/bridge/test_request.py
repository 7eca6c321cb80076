"""What lmms-eval may be asked, and the arguments that it becomes."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.bridge.faults import BridgeError
from harness.bridge.request import model_args
from harness.tests.bridge.stand_in import MODEL, request


def test_the_arguments_are_a_list_with_the_seed_four_times(tmp_path: Path) -> None:
    asked = request(include_path=tmp_path, limit=8, tasks=("mme", "mmmu_val"))
    assert asked.argv("py", Path("out")) == [
        *("py", "-m", "lmms_eval", "--model", "fine", "--model_args", "device=cpu"),
        *("--tasks", "mme,mmmu_val", "--include_path", str(tmp_path)),
        *("--batch_size", "1", "--limit", "8", "--seed", "42,42,42,42"),
        *("--output_path", "out", "--log_samples", "--timezone", "UTC"),
    ]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"model_revision": "main"}, "model revision: expected the 40 hex digits"),
        ({"model_revision": "A" * 40}, "model revision"),
        ({"model_revision": "1" * 39}, "model revision"),
        ({"model_revision": "1" * 40 + "\n"}, "model revision"),
        ({"upstream_revision": "v0.7.3"}, "upstream revision"),
        ({"tasks": ()}, "tasks: expected at least one"),
        ({"tasks": ("a", "a")}, "none twice"),
        ({"tasks": ("a b",)}, "tasks"),
        ({"tasks": ("--x",)}, "tasks"),
        ({"adapter": "-c"}, "adapter"),
        ({"public_model_id": "/models/mine"}, "public model id"),
        ({"public_model_id": "a/b/c"}, "public model id"),
        ({"batch_size": 0}, "batch size"),
        ({"limit": 0}, "limit"),
        ({"seed": -1}, "seed"),
        ({"claim_level": "L9"}, "claim level"),
        ({"include_path": Path("no-such-folder")}, "include path"),
        ({"model_args": (("a", "1"), ("a", "2"))}, "each name once"),
        ({"model_args": (("a", "1,b=2"),)}, "without a comma"),
        ({"model_args": (("api_key", "abc"),)}, "expected no secret, found api_key"),
        ({"model_args": (("hf_token", "abc"),)}, "expected no secret"),
        ({"model_args": (("revision", "main"),)}, "revision as pinned"),
        ({"model_args": (("pretrained", "o/m"),)}, f"revision={MODEL} beside it"),
    ],
)
def test_what_is_refused(changes: dict[str, object], says: str) -> None:
    with pytest.raises(BridgeError, match=says):
        request(**changes)


def test_a_hub_id_is_pinned_by_its_revision() -> None:
    asked = request(model_args=(("pretrained", "o/m"), ("revision", MODEL)))
    assert asked.checkpoint is None


def test_a_snapshot_of_another_commit_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "snapshots" / ("3" * 40)
    folder.mkdir(parents=True)
    with pytest.raises(BridgeError, match="expected the snapshot of 1111"):
        request(model_args=(("pretrained", str(folder)),))
    good = folder.with_name(MODEL)
    good.mkdir()
    assert request(model_args=(("pretrained", str(good)),)).checkpoint == good


def test_the_document_holds_no_path(tmp_path: Path) -> None:
    given = (("pretrained", str(tmp_path)), ("token", "True"), ("max_new_tokens", "8"))
    shown = request(model_args=given, include_path=tmp_path).document()
    assert shown["model_args"] == {
        "pretrained": tmp_path.name,
        "token": "True",
        "max_new_tokens": "8",
    }
    assert shown["include_path"] == tmp_path.name


def test_model_args_are_read_and_refused() -> None:
    assert model_args("") == ()
    assert model_args("a=b=c") == (("a", "b=c"),)
    with pytest.raises(BridgeError, match="name=value"):
        model_args("a=1,b")
