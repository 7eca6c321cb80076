"""Inspect's logs, as JSON and as the zip file, whole and hostile."""

from __future__ import annotations

import json
import struct
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.bridge import archives
from harness.bridge.comparing import rescore
from harness.bridge.faults import BridgeError
from harness.bridge.inspect_logs import read_inspect


def sample(number: int, **changes: Any) -> dict[str, Any]:
    made = {
        "id": number,
        "epoch": 1,
        "input": "Which?",
        "choices": ["cat", "dog"],
        "target": "B",
        "output": {
            "completion": "ANSWER: B",
            "choices": [{"message": {"content": "ANSWER: B"}, "stop_reason": "stop"}],
            "usage": {"output_tokens": 4},
        },
        "scores": {"choice": {"value": "C", "answer": "B"}},
        **changes,
    }
    return {key: value for key, value in made.items() if value != "absent"}


def log(samples: list[Any], **changes: Any) -> dict[str, Any]:
    return {
        "version": 2,
        "status": "success",
        "eval": {"task": "suite/mmmu", "model": "x/y"},
        "results": {"completed_samples": len(samples)},
        "samples": samples,
        **changes,
    }


def as_json(folder: Path, given: dict[str, Any]) -> Path:
    path = folder / "log.json"
    path.write_text(json.dumps(given))
    return path


def as_eval(folder: Path, given: dict[str, Any]) -> Path:
    path = folder / "log.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("_journal/start.json", "{}")
        for one in given["samples"]:
            made.writestr(f"samples/{one['id']}_epoch_{one['epoch']}.json", json.dumps(one))
        header = {k: v for k, v in given.items() if k != "samples"}
        made.writestr("header.json", json.dumps(header))
    return path


@pytest.mark.parametrize("make", [as_json, as_eval])
def test_samples_become_rows(make: Callable[[Path, dict[str, Any]], Path], tmp_path: Path) -> None:
    stopped = {"completion": "so the", "choices": [{"stop_reason": "max_tokens", "message": {}}]}
    samples = [
        sample(9),
        sample(10, output=stopped, scores={"choice": {"value": "I"}}),
        sample(11, epoch=2, error={"message": "no such picture"}, scores={}),
    ]
    rows = read_inspect(make(tmp_path, log(samples)))
    assert [(r.id, r.status, r.theirs, r.replicate) for r in rows] == [
        ("mmmu:9", "ok", 1.0, 0),
        ("mmmu:10", "truncated", 0.0, 0),
        ("mmmu:11", "error", None, 1),
    ]
    assert rows[0].n_tokens == 4
    assert rows[2].error == "no such picture"
    found = rescore(rows, "choice")
    assert (found.ours.n_counted, found.ours.n_correct, found.differ) == (2, 1, ())


def test_messages_and_targets_in_parts(tmp_path: Path) -> None:
    parts = [{"type": "image", "image": "data:…"}, {"type": "text", "text": "Which?"}]
    given = sample(
        1,
        input=[{"role": "system", "content": "Be brief."}, {"role": "user", "content": parts}],
        target=["4", "four"],
        choices=None,
        output={"choices": [{"message": {"content": [{"type": "text", "text": "4"}]}}]},
    )
    row = read_inspect(as_json(tmp_path, log([given])))[0]
    assert (row.question, row.gold, row.text, row.choices) == ("Which?", "4 | four", "4", ())


def test_the_scorer_is_the_only_one_or_the_named_one(tmp_path: Path) -> None:
    two = {"a": {"value": 0.25}, "b": {"value": True}}
    path = as_json(tmp_path, log([sample(1, scores=two)]))
    assert read_inspect(path)[0].theirs is None
    assert read_inspect(path, scorer="a")[0].theirs == 0.25
    assert read_inspect(path, scorer="b")[0].theirs == 1.0
    with pytest.raises(BridgeError, match="expected the scorer 'c', found a, b"):
        read_inspect(path, scorer="c")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (log([sample(1)], status="cancelled"), "status success, found 'cancelled'"),
        (log([sample(1)], results={"completed_samples": 2}), "expected 2 samples, found 1"),
        (log([sample(1), sample(1)]), "'mmmu:1'"),
        (log([]), "at least one"),
        (log(["x"]), "samples with an id"),
        (log([sample(1, target="absent")]), "expected a target"),
    ],
)
def test_what_is_refused(given: dict[str, Any], says: str, tmp_path: Path) -> None:
    with pytest.raises(BridgeError, match=says):
        read_inspect(as_json(tmp_path, given))


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BridgeError, match=r"expected \.json or \.eval"):
        read_inspect(tmp_path / "a.txt")
    with pytest.raises(BridgeError, match="cannot be read"):
        read_inspect(tmp_path / "a.json")
    with pytest.raises(BridgeError, match="whole zip file"):
        read_inspect(tmp_path / "a.eval")


@pytest.mark.parametrize("name", ["../x.json", "/x.json", "a/../../x", "C:\\x", "a\\..\\..\\x"])
def test_names_that_leave_the_archive(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.eval"
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("header.json", json.dumps(log([])))
        made.writestr(name, "{}")
    with pytest.raises(BridgeError, match="names inside the archive"):
        read_inspect(path)


def test_sizes_have_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = as_eval(tmp_path, log([sample(1), sample(2)]))
    monkeypatch.setattr(archives, "LARGEST_MEMBER_BYTES", 100)
    with pytest.raises(BridgeError, match="expected files of at most"):
        read_inspect(path)
    monkeypatch.undo()
    monkeypatch.setattr(archives, "MOST_MEMBERS", 2)
    with pytest.raises(BridgeError, match="expected at most 2 files"):
        read_inspect(path)


def test_damaged_archives(tmp_path: Path) -> None:
    path = as_eval(tmp_path, log([sample(1)]))
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BridgeError, match="whole zip file"):
        read_inspect(path)
    at = whole.index(b"samples/1_epoch_1.json") + 60
    path.write_bytes(whole[:at] + bytes(b ^ 255 for b in whole[at : at + 40]) + whole[at + 40 :])
    with pytest.raises(BridgeError, match="is damaged"):
        read_inspect(path)


def test_zstandard_needs_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = as_eval(tmp_path, log([sample(1)]))
    raw = bytearray(path.read_bytes())
    for name_at, method_at in ((30, 8), (46, 10)):  # in a file's own header, in the directory
        at = raw.index(b"header.json") if name_at == 30 else raw.rindex(b"header.json")
        struct.pack_into("<H", raw, at - name_at + method_at, 93)
    path.write_bytes(raw)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(BridgeError, match=r"cannot read \(Zstandard needs the extra"):
        read_inspect(path)


def test_an_unfinished_archive_and_a_name_twice(tmp_path: Path) -> None:
    path = tmp_path / "a.eval"
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("_journal/start.json", "{}")
    with pytest.raises(BridgeError, match="was not finished"):
        read_inspect(path)
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(path, "a") as made:
        made.writestr("_journal/start.json", "{}")
    with pytest.raises(BridgeError, match="each name once"):
        read_inspect(path)
