"""AT-105: what cannot be written fails the cell, by name; what was written stays."""

from __future__ import annotations

import errno
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from harness.errors import StoreError
from harness.run import run_cell
from harness.tests.run.stand_ins import Bench, Stub, cell, dataset, record_lines
from harness.types import Decoding, Request

SMALL = Decoding(max_new_tokens=8, batch_sizes=(2, 1))


@contextmanager
def no_file_beyond(n_bytes: int) -> Iterator[None]:
    """The kernel refuses to let any file grow past this size."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_disk_without_room_stops_the_cell_and_keeps_what_is_stored(tmp_path: Path) -> None:
    made = Bench(tmp_path, dataset(10))
    one = cell(decoding=SMALL)
    with (
        no_file_beyond(1024),
        pytest.raises(StoreError, match=r"cannot write .*/s000\.jsonl: File too large"),
    ):
        run_cell(one, made.context())
    stored = len(record_lines(tmp_path))
    assert 0 < stored < 10
    assert not list(tmp_path.glob("*/SEALED.json"))

    result = run_cell(one, made.context())
    assert len(result.responses) == 10
    assert len(set(record_lines(tmp_path))) == len(record_lines(tmp_path)) == 10


def test_a_folder_that_is_read_only_stops_the_cell_before_a_model_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Bench(tmp_path, dataset(10))
    real = os.open

    def refusing(path: Any, flags: int, *rest: Any, **named: Any) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            raise OSError(errno.EROFS, "Read-only file system")
        return real(path, flags, *rest, **named)

    monkeypatch.setattr(os, "open", refusing)
    with pytest.raises(StoreError, match="Read-only file system"):
        run_cell(cell(), made.context())
    assert made.n_opened == 0


def test_text_that_no_encoding_takes_is_stored_and_scored(tmp_path: Path) -> None:
    def odd(request: Request) -> str:
        return "\ud800 \x00 \u2028 <answer>yes</answer>\r\n\udfff"

    made = Bench(tmp_path, dataset(4), Stub(answer=odd))
    result = run_cell(cell(), made.context())
    assert {r.text for r in result.responses} == {
        "\ud800 \x00 \u2028 <answer>yes</answer>\r\n\udfff"
    }
    assert result.counts["answered"] == 4
    again = run_cell(cell(), made.context(allow_generate=False))
    assert again.responses == result.responses
