"""Metadata of cleaned sets, read by the library of the format: valid, and the records come out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.contamination.outcome import outcome
from harness.contamination.triage import triage
from harness.contamination.writing import write
from harness.ids import file_digest
from harness.tests.contamination.made_audits import hit, item, row, said, scan_of
from harness.tests.contamination.published_layouts import CORPUS, OLYMPIAD, RL

N = 6
PLAIN = {"q": "why?", "n": 3, "x": 0.5, "tags": ["a", "b"], "问题": "为什么"}


@pytest.mark.reference
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(
    ("ending", "record", "layout"),
    [
        ("jsonl", CORPUS, "corpus"),
        ("jsonl", OLYMPIAD, "olympiad"),
        ("jsonl", RL, "rl"),
        ("jsonl", PLAIN, "rows"),
        ("jsonl.gz", PLAIN, "rows"),
        ("csv", {"q": "why, so?", "n": "3", "x": "0.5"}, "rows"),
        ("tsv", {"q": "why\nso?", "n": "3"}, "rows"),
        ("parquet", OLYMPIAD, "olympiad"),
        ("parquet", PLAIN, "rows"),
    ],
)
def test_metadata_by_its_own_library(
    tmp_path: Path, ending: str, record: dict[str, Any], layout: str
) -> None:
    try:
        import mlcroissant  # type: ignore[import-not-found]
    except ImportError:
        pytest.fail("expected mlcroissant, found none: pip install mlcroissant")
    train = tmp_path / f"train.{ending}"
    save(train, [{"id": f"t{k}", **record} for k in range(N)])
    scan = scan_of(
        [row(2, "x")],
        [item(0, "x")],
        hits=[hit(2, 0)],
        train=str(train),
        sha256=file_digest(train),
        n_rows=N,
    )
    found = outcome(scan, [said(one, "duplicate") for one in triage(scan).asked])
    files = write(found, scan, tmp_path / "out")
    data = mlcroissant.Dataset(str(files["croissant.json"]))
    assert not data.metadata.issues.errors
    quiet = ("datePublished", "license")
    said_else = [w for w in data.metadata.issues.warnings if not any(name in w for name in quiet)]
    assert said_else == []
    records = list(data.records(layout))
    assert [one[f"{layout}/id"].decode() for one in records] == ["t0", "t1", "t3", "t4", "t5"]
    one = {name.partition("/")[2]: plain(value) for name, value in records[0].items()}
    if layout == "olympiad":
        assert one["metadata.difficulty"] == 3 and one["metadata.language"] == "en-et"
        assert one["messages.role"] == ["system", "user"]
        assert one["solution"] == record["solution"]
    if layout == "rl":
        assert one["reward_model.ground_truth"] == "2.0" and one["extra_info.has_image"] is True
        assert one["images"] == ["a.png"] and one["extra_info.index"] == 7
    if record is PLAIN:
        assert {name: one[name] for name in PLAIN} == PLAIN
    if ending in ("csv", "tsv"):
        assert one["q"] == record["q"] and one["n"] == 3


def plain(value: Any) -> Any:
    if isinstance(value, list):
        return [plain(one) for one in value]
    return value.decode() if isinstance(value, bytes) else value


def save(path: Path, records: list[dict[str, Any]]) -> None:
    if path.suffix == ".parquet":
        import pyarrow
        import pyarrow.parquet

        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(records), path)
        return
    if path.suffix in (".csv", ".tsv"):
        import csv

        with open(path, "w", encoding="utf-8", newline="") as handle:
            dialect = "excel" if path.suffix == ".csv" else "excel-tab"
            writer = csv.DictWriter(handle, list(records[0]), dialect=dialect)
            writer.writeheader()
            writer.writerows(records)
        return
    text = "".join(json.dumps(one) + "\n" for one in records)
    if path.suffix == ".gz":
        import gzip

        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text, "utf-8")
