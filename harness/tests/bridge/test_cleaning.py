"""Paths and addresses leave, replies stay."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.bridge.cleaning import clean_log, clean_results, clean_samples, cleaned
from harness.bridge.faults import BridgeError
from harness.bridge.summary import check_summary

KNOWN = {"/srv/runs": "<tmp>", "/srv/runs/models/m": "owner/model"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pretrained=/srv/runs/models/m,device=cpu", "pretrained=owner/model,device=cpu"),
        ("/srv/runs/out/x.json", "<tmp>/out/x.json"),
        ("/srv/runs2/x", "<path>/x"),
        ("/data/private/x.parquet", "<path>/x.parquet"),
        ("<function visual at 0x7f968df098a0>", "<function visual>"),
        ("3/4 of yes/no", "3/4 of yes/no"),
    ],
)
def test_a_text_without_paths(text: str, expected: str) -> None:
    assert cleaned(text, KNOWN) == expected
    assert cleaned([{text: (text)}], KNOWN) == [{expected: expected}]
    assert cleaned(expected, KNOWN) == expected


def test_numbers_that_are_none_become_null() -> None:
    assert cleaned([float("nan"), float("inf"), 1.5, True, None], {}) == [
        None,
        None,
        1.5,
        True,
        None,
    ]


def test_what_was_said_loses_the_folders_of_the_run_alone(tmp_path: Path) -> None:
    source, target = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    source.write_text(
        '{"input": "open /srv/runs/a", "resps": [["/etc/passwd"]], "video": "/data/mine/v.mp4"}\n'
    )
    assert clean_samples(source, target, KNOWN) == 1
    assert target.read_text() == (
        '{"input":"open <tmp>/a","resps":[["/etc/passwd"]],"video":"<path>/v.mp4"}\n'
    )


def test_a_damaged_line_of_samples_is_named(tmp_path: Path) -> None:
    source = tmp_path / "a.jsonl"
    source.write_text('{}\n{"a": ')
    with pytest.raises(BridgeError, match=r"a\.jsonl:2"):
        clean_samples(source, tmp_path / "b", {})


def test_the_name_of_a_model_is_the_public_one() -> None:
    given = {"model_name": "/x/y/m", "model_name_sanitized": "y__m"}
    assert set(clean_results(given, {}, "owner/model").values()) == {"owner/model"}


def test_a_log_without_colours_and_bars(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(b"\x1b[32mread /data/private/x\x1b[0m\n 1%\r 2%\r100%\n\xff")
    assert clean_log(log, {}) == "read <path>/x\n100%\n\ufffd"


@pytest.mark.parametrize("value", [None, [], {}, {"schema": "assay-lmms-eval-summary/1"}])
def test_what_is_no_summary(value: object) -> None:
    with pytest.raises(BridgeError, match="summary: "):
        check_summary(value)
