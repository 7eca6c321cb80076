"""The command line of an audit: one flow, its exit status, shards, plan files and wrong calls."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from harness.__main__ import main as package
from harness.audit.pairs import Opinion, Pair
from harness.contamination import command
from harness.contamination.blocks import in_process
from harness.contamination.command import main
from harness.contamination.judges.rule import RuleJudge

PROBLEM = "A crate of mass {} kg slides down a rough plane inclined at 30 degrees; find its speed."
OTHER = "Light of wavelength {} nm passes two slits; how far apart are the fringes on the screen?"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Twelve rows, two of them duplicates of items of two sets; the folder is the current one."""
    rows = [
        {"id": f"r{k}", "problem": f"Row {k}: describe topic {k * 7919} at length."}
        for k in range(12)
    ]
    rows[3]["problem"] = PROBLEM.format(4)
    rows[8]["problem"] = OTHER.format(500)
    save(tmp_path / "train.jsonl", rows)
    save(tmp_path / "mini.jsonl", [{"question": PROBLEM.format(4)}, {"question": "What is it?"}])
    (tmp_path / "phys.csv").write_text(f'a,b\n1,"{OTHER.format(650)}"\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def save(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


CALL = [
    *("--train", "train.jsonl", "--id-field", "id", "--embedder", "hashing", "--quiet"),
    *("--eval", "mini=mini.jsonl", "--eval", "phys=phys.csv", "--eval-text-field", "phys=b"),
]


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_from_files_to_the_cleaned_set(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert package(["audit", *CALL, "--out", "out"]) == 0
    said = capsys.readouterr()
    assert "GO: 2 of 12 rows removed; out/report.html" in said.out
    assert said.err == ""
    removed = lines(files / "out/removed.jsonl")
    assert [(one["number"], one["id"]) for one in removed] == [(3, "r3"), (8, "r8")]
    assert [one["duplicates"][0]["eval_set"] for one in removed] == ["mini", "phys"]
    train = (files / "train.jsonl").read_text().splitlines(keepends=True)
    kept = "".join(line for k, line in enumerate(train) if k not in (3, 8))
    assert (files / "out/cleaned.jsonl").read_text() == kept
    for name in ("scan.json", "manifest.json", "counts.json"):
        assert str(files) not in (files / "out" / name).read_text()
    before = {path: path.read_bytes() for path in (files / "out").glob("*.json*")}
    assert main([*CALL, "--out", "out"]) == 0
    assert before == {path: path.read_bytes() for path in (files / "out").glob("*.json*")}


def test_a_manifest_is_a_plan(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*CALL, "--sample", "3", "--out", "out"]) == 0
    again = ["--plan", "out/manifest.json", "--quiet", "--train", "train.jsonl"]
    again += ["--eval", "mini=mini.jsonl", "--eval", "phys=phys.csv", "--out", "again"]
    assert main(again) == 0
    for name in ("manifest.json", "counts.json", "pairs.jsonl"):
        assert (files / "again" / name).read_bytes() == (files / "out" / name).read_bytes()
    assert main(["--plan", "out/counts.json", "--out", "x"]) == 2
    assert "expected the manifest of an audit" in capsys.readouterr().err


def test_pictures_on_one_side_are_told(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([*CALL, "--image-field", "image", "--out", "out"])
    assert "named on one side only" in capsys.readouterr().err


def test_shards_come_to_the_same(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*CALL, "--out", "whole"]) == 0
    for i in (1, 2, 3):
        assert main([*CALL, "--shard", f"{i}/3", "--out", "parts"]) == 0
    assert "rows 8 to 11 of 12 scanned" in capsys.readouterr().out
    assert main(["merge", "parts", "--train", "train.jsonl", "--out", "all"]) == 0
    one = [f"parts/scan-{i}-of-3.json" for i in (3, 1)]
    assert main(["merge", *one, "--stop-after", "scan", "--out", "some"]) == 0
    two = ["some", "parts/scan-2-of-3.json"]
    assert main(["merge", *two, "--train", "train.jsonl", "--out", "nested"]) == 0
    for folder in ("all", "nested"):
        for path in sorted((files / "whole").iterdir()):
            if path.is_file():
                assert (files / folder / path.name).read_bytes() == path.read_bytes(), path.name
    capsys.readouterr()
    for call, why in [
        (["merge", "some", "--train", "train.jsonl", "--out", "x"], "found none of rows 4 to 7"),
        (["merge", "parts", "--out", "x"], "expected --train FILE"),
        (
            ["merge", "parts", "--train", "mini.jsonl", "--out", "x"],
            "the train.jsonl of the shards",
        ),
        (["merge", "parts", "--train", "gone.jsonl", "--out", "x"], "gone.jsonl: expected a read"),
        (["merge", "parts", "whole", "--train", "train.jsonl", "--out", "x"], "scanned twice"),
        (["merge", "x/none", "--out", "x"], "expected the file of a scan"),
        (["merge", "parts", "--train", "train.jsonl", "--threshold", "0.5", "--out", "x"], "shard"),
    ]:
        assert main(call) == 2, call
        said = capsys.readouterr()
        assert why in said.err
        assert said.err.count("\n") == 1


def test_no_go_and_judging_again(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*CALL, "--judge", "none", "--out", "out"]) == 1
    said = capsys.readouterr().out
    assert "NO-GO: 0 of 12 rows removed" in said
    assert "undecided" in said
    keys = [one["key"] for one in lines(files / "out/pairs.jsonl") if one["kind"] == "candidate"]
    labels = [{"key": key, "label": "neighbour"} for key in keys]
    save(files / "labels.jsonl", [*labels[1:], {"key": keys[0], "label": "duplicate"}])
    call = [*CALL, "--sample", "0", "--judge", "labels:labels.jsonl", "--out", "out"]
    assert main(call) == 0
    assert "GO: 1 of 12 rows removed" in capsys.readouterr().out
    assert main([*call, "--max-removed-share", "0.05"]) == 1
    assert "removed_share" in capsys.readouterr().out
    scan = (files / "out/scan.json").read_bytes()
    assert main([*CALL, "--tokenizer", "re-w", "--out", "out"]) == 2
    assert "holds another audit" in capsys.readouterr().err
    assert (files / "out/scan.json").read_bytes() == scan


def test_a_plan_file_and_what_overrides_it(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = files / "plans"
    folder.mkdir()
    (folder / "labels.csv").write_text("key,label\n")
    (folder / "plan.toml").write_text(
        'embedder = "none"\njudges = ["labels:labels.csv", "rule"]\n'
        '[train]\npath = "../train.jsonl"\n'
        '[evals.mini]\npath = "../mini.jsonl"\n'
        '[words]\nthreshold = "9/10"\n'
    )
    assert main(["--plan", "plans/plan.toml", "--quiet", "--out", "a"]) == 1
    plan = json.loads((files / "a/scan.json").read_text())["plan"]
    assert (plan["embedder"], plan["words"]["threshold"]) == (None, "9/10")
    assert plan["judges"] == ["labels:labels.csv", "rule"]
    more = ["--jaccard", "0.4", "--judge", "rule", "--eval", "phys=phys.csv"]
    more += ["--eval-text-field", "phys=a", "--eval-text-field", "phys=b", "--top-k", "2"]
    assert main(["--plan", "plans/plan.toml", "--quiet", *more, "--out", "b"]) == 0
    plan = json.loads((files / "b/scan.json").read_text())["plan"]
    assert (plan["words"]["threshold"], plan["k"], sorted(plan["evals"])) == (
        *("2/5", 2),
        ["mini", "phys"],
    )
    assert plan["evals"]["phys"]["fields"] == ["a", "b"]
    (folder / "plan.toml").write_text("[train\n")
    capsys.readouterr()
    assert main(["--plan", "plans/plan.toml", "--out", "c"]) == 2
    assert "plan.toml: expected a TOML file" in capsys.readouterr().err
    for text, where in (("train = 1", "train"), ("evals.m = 3", "evals.m")):
        (folder / "plan.toml").write_text(text)
        assert main(["--plan", "plans/plan.toml", "--out", "c"]) == 2
        assert f"plan: {where}: expected a table, found" in capsys.readouterr().err


def test_wrong_calls_end_with_one_line(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "file").write_text("")
    save(files / "two.jsonl", [{"question": "a", "prompt": "b"}])
    (files / "bad.jsonl").write_text('{"problem": "a"}\n{\n')
    mini = ["--eval", "mini=mini.jsonl", "--embedder", "hashing"]
    calls: list[tuple[list[str], str]] = [
        ([], "expected --train FILE and --eval NAME=FILE"),
        (["--train", "train.jsonl"], "expected --train FILE and --eval"),
        (["--train", "gone.jsonl", *mini], "gone.jsonl: expected a readable jsonl file"),
        (["--train", "bad.jsonl", *mini], "bad.jsonl:2: broken JSON"),
        (["--train", "train.jsonl", "--eval", "mini"], "--eval: expected NAME=FILE"),
        (["--train", "train.jsonl", *mini, *mini], "found 'mini' more than once"),
        (["--train", "train.jsonl", *mini[2:], "--eval", "m=two.jsonl"], "question, prompt among"),
        (["--train", "train.jsonl", "--eval", "canary=mini.jsonl"], "none of them 'canary'"),
        ([*CALL, "--eval-text-field", "x=b"], "expected one of mini, phys, found 'x'"),
        ([*CALL, "--text-field", "nope"], "no field 'nope' among the fields id, problem"),
        ([*CALL, "--jaccard", "2"], "(0, 1]"),
        ([*CALL, "--top-k", "0"], "k: expected 1 to 100"),
        ([*CALL, "--shard", "4/3"], "expected i/n with i from 1 to n, found 4/3"),
        ([*CALL, "--shard", "1"], "--shard: expected I/N"),
        ([*CALL, "--judge", "oracle"], "oracle"),
        ([*CALL, "--judge", "labels:gone.csv"], "gone.csv"),
        ([*CALL, "--judge", "gone.toml"], "gone.toml: expected a TOML file"),
        ([*CALL, "--embedder", "nope"], "nope"),
        ([*CALL, "--threshold", "0.5", "--threshold-of", "minilm"], "stated for minilm"),
        ([*CALL, "--out", "file"], "--out file: expected a folder"),
    ]
    for call, why in calls:
        assert main(["--out", "out", "--quiet", *call]) == 2, call
        said = capsys.readouterr()
        assert why in said.err, (call, said.err)
        assert said.err.startswith("audit: ")
        assert said.err.count("\n") == 1
        assert str(files) not in said.err
    for call in ([*CALL], ["--out", "x", "--processes", "0"], ["--out", "x", "--engine", "spark"]):
        with pytest.raises(SystemExit) as stopped:
            main(call)
        assert stopped.value.code == 2
    assert main(["--out", "t", *CALL, "--threshold", "0.5"]) == 0


def test_progress_is_told_on_standard_error(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = [one for one in CALL if one != "--quiet"]
    assert main([*call, "--stop-after", "scan", "--out", "out"]) == 0
    said = capsys.readouterr()
    first, last = said.err.splitlines()
    assert first == "audit: 12 of 12 rows of train.jsonl, against mini, phys"
    assert last.startswith("audit: row 12 of 12: 2 hits by words")
    assert said.out == "rows 0 to 11 of 12 scanned: 2 hits by words, 2 candidates\n"
    assert not (files / "out/manifest.json").exists()


def test_an_interrupt_leaves_what_is_done(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "judged", interrupted)
    assert main([*CALL, "--out", "out"]) == 130
    assert capsys.readouterr().err == (
        "audit: interrupted; the same command goes on where it was\n"
    )
    assert (files / "out/scan.json").exists()


def test_ray_is_another_executor_of_the_same_scan(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []

    def made(*given: Any, **named: Any) -> Any:
        asked.append((given, named))
        return in_process

    monkeypatch.setattr(command, "ray_executor", made)
    more = ["--engine", "ray", "--ray-address", "10.0.0.1:6379", "--gpus-per-process", "0.5"]
    assert main([*CALL, *more, "--out", "out"]) == 0
    assert main([*CALL, *more, "--processes", "3", "--out", "out"]) == 0
    assert asked == [(("10.0.0.1:6379", n), {"gpus_per_actor": 0.5}) for n in (None, 3)]


class Served:
    """A judge that notes something, says who it is and counts what it spends."""

    name = "served"
    notes = ("left out: an incomplete last line",)
    identity: ClassVar = {"name": "served", "model": "m"}

    def __init__(self) -> None:
        self.asked = 0

    @property
    def spent(self) -> dict[str, int]:
        return {"requests": self.asked}

    def judge(self, pairs: Sequence[Pair]) -> list[Opinion]:
        self.asked += len(pairs)
        return [Opinion(pair.key, self.name, "duplicate") for pair in pairs]


def test_a_judge_stands_in_the_manifest_and_is_not_asked_for_another_audit(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = Served()
    monkeypatch.setattr(
        command, "open_judge", lambda spec, _: judge if spec == "rule" else RuleJudge()
    )
    call = [*CALL, "--sample", "0", "--judge", "rule", "--judge", "second", "--out", "out"]
    assert main([*call, "--generic-tokens", "3"]) in (0, 1)
    assert capsys.readouterr().err == ("audit: judge served: left out: an incomplete last line\n")
    made = json.loads((files / "out/manifest.json").read_text())
    assert made["judge_records"] == [
        {"name": "served", "identity": judge.identity, "spent": {"requests": 2}},
        {"name": "rule-v1"},
    ]
    assert made["plan"]["generic_tokens"] == 3
    asked = judge.asked
    before = (files / "out/scan.json").read_bytes()
    assert main([*call, "--jaccard", "1/2"]) == 2
    assert "out holds another audit" in capsys.readouterr().err
    assert judge.asked == asked
    assert (files / "out/scan.json").read_bytes() == before
    # What decides after the scan may change.
    assert main([*call, "--generic-tokens", "0"]) in (0, 1)
    again = json.loads((files / "out/manifest.json").read_text())
    assert again["scan_fingerprint"] == made["scan_fingerprint"]
