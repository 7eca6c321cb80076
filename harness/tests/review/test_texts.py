"""Untrusted text in a sheet: no formula, nothing lost, the same text when it comes back."""

from __future__ import annotations

import csv
import io
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from harness.errors import DataError
from harness.review.manifest import edited, row_hashes
from harness.review.sheet import FILLED_IN, FIXED, read_sheet, sheet_text, shown
from harness.review.texts import canonical, guarded, shortened, visible

HOSTILE = st.text(
    st.sampled_from("=+-@'\"\t\r\n;,| ax1(\x00\u202e\ud800\u2028＝\ufeff中😀"), max_size=30
)


def row(text: str) -> dict[str, str]:
    return {**dict.fromkeys(FIXED, text), "id": "r001_0"}


def test_what_is_guarded() -> None:
    for text in (
        *("=1+1", "+1", "-1", "@SUM(A1)", "＝1", "＋cmd", "\tx", " =1", "\nx", "'=1"),
        *("1/2", "0.50", "007", "1E5", "May 5", "true", "FALSE"),
    ):
        assert guarded(text) == f"'{text}", text
    for text in ("", "B", "no change", "x = y", f"{'long ' * 9}x-3, y - 4", "a\n- item"):
        assert guarded(text) == text, text
    assert guarded("\t=1") == "'\t'=1"
    assert guarded("a\n=cmd()") == "a\n'=cmd()"
    assert guarded("a;-cmd|'/c'!A") == "a;'-cmd|'/c'!A"


@settings(max_examples=50, deadline=None)
@given(HOSTILE)
@example("'\n=x")
@example("' '=x")
@example("a;''=b")
@example(';"=')
@example('a,"";"\'"=1')
@example("\ufeff=1")
def test_no_cell_begins_a_formula_and_every_cell_comes_back(text: str) -> None:
    written = sheet_text([row(text)])
    raw = written.encode("utf-8")
    (_, cells) = csv.reader(io.StringIO(written, newline=""))
    assert len(cells) == len(FIXED) + len(FILLED_IN)
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r", "＝")) for cell in cells)
    for separator in ";\t":
        # As a program that expects another separator splits the file.
        for line in csv.reader(io.StringIO(written, newline=""), delimiter=separator):
            assert not any(cell.startswith(("=", "@")) for cell in line)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sheet.csv"
        for saved in (raw, b"\xef\xbb\xbf" + raw, raw.replace(b"\r\n", b"\n")):
            path.write_bytes(saved)
            (back,) = read_sheet(path)
            assert edited(back, row_hashes(row(text))) == []


def test_a_guard_that_a_program_drops_is_no_edit() -> None:
    for text in ("=1+1", "1/2", "a;=b()", "'quoted'"):
        assert canonical(guarded(text)) == canonical(text)
    assert canonical("B") != canonical("C")
    assert canonical("x'=3") != canonical("x=3"), "an apostrophe that is no guard is text"


def test_what_cannot_be_seen_is_named() -> None:
    assert visible("a\x00b\ud800\u202e\u200bc\td") == "a<U+0000>b<U+D800><U+202E><U+200B>c\td"
    assert visible("a\r\nb\rc\u2028d\x0ce") == "a\nb\nc\nd\ne"


def test_a_long_text_is_cut_in_the_middle() -> None:
    long = "first " + "x" * 1_000_000 + " last"
    cut = shortened(long)
    assert cut.startswith("first ")
    assert cut.endswith(" last")
    assert "970011 of 1000011 characters are left out" in cut
    assert len(cut) < 32_767
    assert shortened("x" * 30_000) == "x" * 30_000
    assert len(shown("😀" * 1_000_000).encode("utf-16-le")) // 2 < 32_767


def saved(folder: Path, text: str, encoding: str = "utf-8") -> Path:
    path = folder / "sheet.csv"
    path.write_bytes(text.encode(encoding))
    return path


def test_a_sheet_as_programs_save_it(tmp_path: Path) -> None:
    text = sheet_text([row("a, b; c")])
    (_, cells) = csv.reader(io.StringIO(text, newline=""))
    names = (*FIXED, *FILLED_IN)
    for separator in ",;\t":
        for encoding in ("utf-8", "utf-8-sig", "utf-16"):
            out = io.StringIO()
            writer = csv.writer(out, delimiter=separator)
            writer.writerow((*names, "mine"))
            writer.writerow((*cells[:-1], "说明", "x"))
            writer.writerow([""] * len(names))
            (back,) = read_sheet(saved(tmp_path, out.getvalue(), encoding))
            assert back["notes"] == "说明"
            assert edited(back, row_hashes(row("a, b; c"))) == []
    (back,) = read_sheet(saved(tmp_path, text.replace("\r\n", "\r")))
    assert back["question"] == "a, b; c"


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"id,condition\r\n", "expected each of the columns"),
        (b"", "expected each of the columns"),
        ("id,é".encode("latin-1"), "expected UTF-8, found a byte at 3"),
        (b'id,"' + b"x" * 200_000 + b'"', "cannot be read"),
        (b'id,"open', "cannot be read"),
        (b"\xff\xfea", "expected UTF-8"),
    ],
)
def test_a_sheet_that_cannot_be_read(tmp_path: Path, raw: bytes, reason: str) -> None:
    (tmp_path / "sheet.csv").write_bytes(raw)
    with pytest.raises(DataError, match=reason):
        read_sheet(tmp_path / "sheet.csv")


def test_a_column_that_stands_twice(tmp_path: Path) -> None:
    names = ",".join((*FIXED, *FILLED_IN, "gold"))
    with pytest.raises(DataError, match="gold 2 times"):
        read_sheet(saved(tmp_path, f"{names}\r\n"))
    with pytest.raises(DataError, match="no readable file"):
        read_sheet(tmp_path / "none.csv")
