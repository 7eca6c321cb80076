"""VLMEvalKit's files in every format, and each fault."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from harness.bridge.comparing import rescore
from harness.bridge.faults import BridgeError
from harness.bridge.rows import Row
from harness.bridge.vlmevalkit import read_vlmevalkit

HEADER = ("index", "question", "A", "B", "answer", "prediction", "hit")
RECORDS = (
    ("1", "Which?", "cat", "dog", "B", "The answer is B.", "1"),
    ("2", "Is it\tso?", "yes", "no", "A", 'B, "no"\nsince', "0"),
    ("3", "Open?", "", "", "4", "Failed to obtain answer via API.", ""),
)
_SHEET = (
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    "{rows}</sheetData></worksheet>"
)


def checked(rows: tuple[Row, ...]) -> None:
    assert [row.id for row in rows] == ["MMBench:1", "MMBench:2", "MMBench:3"]
    assert rows[0].choices == ("cat", "dog")
    assert rows[1].text == 'B, "no"\nsince'
    assert [row.theirs for row in rows] == [1.0, 0.0, None]
    assert (rows[2].status, rows[2].text, rows[2].choices) == ("error", None, ())
    assert rescore(rows[:2], "choice").differ == ()


@pytest.mark.parametrize(("suffix", "separator"), [(".tsv", "\t"), (".csv", ",")])
def test_lines(suffix: str, separator: str, tmp_path: Path) -> None:
    def cell(text: str) -> str:
        return '"' + text.replace('"', '""') + '"'

    path = tmp_path / f"m_MMBench{suffix}"
    path.write_text(
        "\n".join(separator.join(map(cell, r)) for r in (HEADER, *RECORDS)), encoding="utf-8-sig"
    )
    checked(read_vlmevalkit(path, "MMBench"))


def test_json_as_records_and_as_columns(tmp_path: Path) -> None:
    records = [dict(zip(HEADER, record, strict=True)) for record in RECORDS]
    path = tmp_path / "a.json"
    path.write_text(json.dumps(records))
    checked(read_vlmevalkit(path, "MMBench"))
    columns = {name: {str(n): r[name] for n, r in enumerate(records)} for name in HEADER}
    path.write_text(json.dumps(columns))
    checked(read_vlmevalkit(path, "MMBench"))


def workbook(path: Path, rows: str, strings: str = "") -> Path:
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("xl/worksheets/sheet1.xml", _SHEET.format(rows=rows))
        if strings:
            made.writestr("xl/sharedStrings.xml", strings)
    return path


def test_a_workbook(tmp_path: Path) -> None:
    shared = [*HEADER, *(text for record in RECORDS for text in record)]
    strings = "".join(f"<si><t>{text}</t></si>" for text in shared)
    rows = ""
    for n, record in enumerate((HEADER, *RECORDS)):
        cells = "".join(
            f'<c r="{"ABCDEFG"[k]}{n + 1}" t="s"><v>{n * 7 + k}</v></c>'
            for k, text in enumerate(record)
            if text
        )
        rows += f"<row>{cells}</row>"
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    path = workbook(tmp_path / "a.xlsx", rows, f"<sst {space}>{strings}</sst>")
    checked(read_vlmevalkit(path, "MMBench"))


def test_a_workbook_of_inline_texts_and_numbers(tmp_path: Path) -> None:
    inline = '<c r="{0}1" t="inlineStr"><is><r><t>{1}</t></r></is></c>'
    header = "".join(
        inline.format(*pair) for pair in zip("ABCD", HEADER[:1] + HEADER[4:], strict=True)
    )
    row = '<c r="A2"><v>7</v></c><c r="B2"><v>3.5</v></c><c r="C2"><v>3.5</v></c>'
    path = workbook(tmp_path / "a.xlsx", f"<row>{header}</row><row>{row}</row>")
    found = read_vlmevalkit(path, "t")[0]
    assert (found.id, found.gold, found.text, found.theirs) == ("t:7", "3.5", "3.5", None)


def test_a_reply_that_was_taken_for_a_formula(tmp_path: Path) -> None:
    inline = '<c r="{0}1" t="inlineStr"><is><t>{1}</t></is></c>'
    names = zip("ABC", ("index", "answer", "prediction"), strict=True)
    header = "".join(inline.format(*pair) for pair in names)
    row = '<c r="A2"><v>7</v></c><c r="C2"><f>1+1</f><v></v></c>'
    path = workbook(tmp_path / "a.xlsx", f"<row>{header}</row><row>{row}</row>")
    found = read_vlmevalkit(path, "t")[0]
    assert (found.text, found.gold) == ("=1+1", "")


def test_numbers_that_became_fractions_are_whole_again(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('[{"index": 5.0, "prediction": 3.0, "answer": 3, "hit": true, "A": NaN}]')
    row = read_vlmevalkit(path, "t")[0]
    assert (row.id, row.text, row.gold, row.theirs, row.choices) == ("t:5", "3", "3", 1.0, ())


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.pkl", "", r"expected \.tsv"),
        ("a.tsv", "index\tprediction\n1\tx\n", "found none named answer"),
        ("a.tsv", "index\tprediction\tanswer\n1\tx\n", "more or fewer fields"),
        ("a.tsv", "index\tprediction\tanswer\n1\tx\tA\n1\ty\tA\n", "'t:1'"),
        ("a.tsv", "index\tprediction\tanswer\n\tx\tA\n", "expected an index"),
        ("a.tsv", "index\tprediction\tanswer\n", "at least one"),
        ("a.tsv", "index\tprediction\tanswer\thit\n1\tx\tA\tmaybe\n", "number as hit"),
        ("a.tsv", 'index\tprediction\tanswer\n1\t"x\tA\n', "damage"),
        ("a.json", "[{", "damage"),
        ("a.json", '["x"]', "list of records"),
        ("a.xlsx", "PK", "whole zip file"),
    ],
)
def test_what_is_refused(name: str, text: str, says: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(BridgeError, match=says):
        read_vlmevalkit(tmp_path / name, "t")


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(BridgeError, match=r"x\.tsv: no such file"):
        read_vlmevalkit(tmp_path / "x.tsv", "t")


def test_a_workbook_that_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    workbook(path, '<row><c r="A1" t="s"><v>4</v></c></row>')
    with pytest.raises(BridgeError, match="no shared text"):
        read_vlmevalkit(path, "t")
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("xl/worksheets/sheet1.xml", '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>')
    with pytest.raises(BridgeError, match="document type"):
        read_vlmevalkit(path, "t")
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("xl/styles.xml", "")
    with pytest.raises(BridgeError, match="expected a worksheet"):
        read_vlmevalkit(path, "t")
