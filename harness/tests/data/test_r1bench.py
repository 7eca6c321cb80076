import base64
import io
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from PIL import Image

from harness.data.load import load_dataset
from harness.data.picture_cells import MAX_BYTES, file_bytes, picture_bytes
from harness.data.r1bench import free_kind, r1bench
from harness.data.tables import table_rows
from harness.errors import DataError


def png(value: int, size: tuple[int, int] = (3, 2)) -> bytes:
    buffer = io.BytesIO()
    Image.new("L", size, value).save(buffer, "PNG")
    return buffer.getvalue()


def text(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def row(number: int, **fields: Any) -> dict[str, Any]:
    return {
        "index": number,
        "image": text(png(number)),
        "question": f"How many {number}?",
        "choices": "['12', '13']",
        "answer": "B",
        "level": "High School",
        "category": "Physics",
    } | fields


def tsv(folder: Path, rows: Sequence[Mapping[str, Any]], name: str = "r1.tsv") -> Path:
    pd.DataFrame(list(rows)).to_csv(folder / name, sep="\t", index=False)
    return folder / name


def faults_of(folder: Path, rows: Sequence[Mapping[str, Any]], **options: Any) -> str:
    with pytest.raises(DataError) as caught:
        r1bench(tsv(folder, rows), "b", split="s", **options)
    assert str(folder) not in str(caught.value)
    return str(caught.value)


def test_rows_become_examples(tmp_path: Path) -> None:
    rows = [
        row(7),
        row(1, choices="", answer="2.5 cm", category="Mathematics"),
        row(2, choices="", answer="b", question='Which\t"one"?\nChoices:\n(A) red\n(B) tan'),
        row(3, choices="", answer="C", question="Which panel?"),
        row(4, choices="['NA', 'null']", answer="null", level=""),
        row(5, choices="", answer="y=2x"),
    ]
    data = r1bench(tsv(tmp_path, rows), "b", split="s")
    assert (data.name, data.split, data.claim_level) == ("b", "s", "L2")
    assert [(e.id, e.kind, e.gold, e.choices) for e in data.examples] == [
        ("7", "choice", "B", ("12", "13")),
        ("1", "number", "2.5 cm", ()),
        ("2", "choice", "B", ("red", "tan")),
        ("3", "text", "C", ()),
        ("4", "choice", "B", ("NA", "null")),
        ("5", "expression", "y=2x", ()),
    ]
    first, second, third, *_ = data.examples
    assert (first.group, first.role, first.tags) == (
        *("Physics", "High School"), ("Physics", "High School")
    )  # fmt: skip
    assert second.group == "Mathematics"
    assert third.question == 'Which\t"one"?\nChoices:\n(A) red\n(B) tan'
    assert data.examples[4].tags == ("Physics",)
    assert data.open_image(first.media[0]).getpixel((0, 0)) == (7, 7, 7)
    with pytest.raises(DataError, match="no picture"):
        data.open_image(replace(first.media[0], name="x"))


def test_columns_of_letters_references_and_row_numbers(tmp_path: Path) -> None:
    rows = [
        row(0, choices="", A="red", B="tan", answer="A"),
        row(1, choices="", A="red", B="", answer="A"),
        row(2, choices="", A="", B="", answer="Up", image="0"),
    ]
    rows[1]["B"] = "blue"
    data = r1bench(tsv(tmp_path, rows), "b", split="s")
    assert [e.choices for e in data.examples] == [("red", "tan"), ("red", "blue"), ()]
    assert data.examples[2].media[0].sha256 == data.examples[0].media[0].sha256
    for one in rows:
        del one["index"]
    rows[2]["image"] = rows[0]["image"]
    data = r1bench(tsv(tmp_path, rows, "rows.tsv"), "b", split="s")
    assert [e.id for e in data.examples] == ["0", "1", "2"]


def test_the_picture_decides_the_fingerprint_and_bytes_are_kept_once(tmp_path: Path) -> None:
    path = tsv(tmp_path, [row(0), row(1)])
    one, again = (r1bench(path, "b", split="s") for _ in range(2))
    assert one.examples is again.examples
    tsv(tmp_path, [row(0), row(1, image=text(png(9)))])
    os.utime(path, ns=(1, 1))
    assert r1bench(path, "b", split="s").fingerprint != one.fingerprint


PARQUET = [
    {**row(0), "image": {"bytes": png(0), "path": "0.png"}, "choices": ["12", "13"]},
    {**row(1), "image": {"bytes": None, "path": "in/1.png"}, "choices": None, "answer": "4"},
    {**row(2), "image": {"bytes": png(2), "path": None}, "choices": [], "answer": "4 kg"},
]


def test_parquet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/1.png").write_bytes(png(1))
    shards = tmp_path / "shards"
    shards.mkdir()
    frames = {"a-0.parquet": PARQUET[:1], "a-1.parquet": PARQUET[1:]}
    if find_spec("pyarrow"):
        for name, rows in frames.items():
            pd.DataFrame(rows).to_parquet(shards / name)
    else:
        for name in frames:
            (shards / name).write_bytes(b"PAR1")
        monkeypatch.setattr(
            pd, "read_parquet", lambda path, engine: pd.DataFrame(frames[path.name])
        )
    data = r1bench(shards, "b", split="s", image_root=tmp_path)
    assert [(e.id, e.kind, e.gold) for e in data.examples] == [
        ("0", "choice", "B"),
        ("1", "number", "4"),
        ("2", "number", "4 kg"),
    ]
    assert [data.open_image(e.media[0]).getpixel((0, 0))[0] for e in data.examples] == [0, 1, 2]


def test_parquet_without_its_package_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.parquet").write_bytes(b"PAR1")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(DataError, match=r"with its extra .parquet."):
        r1bench(tmp_path / "a.parquet", "b", split="s")


def test_faults_are_listed_together_by_id(tmp_path: Path) -> None:
    message = faults_of(
        tmp_path,
        [
            row(0),
            row(0),
            row(1, question=" "),
            row(2, answer="C"),
            row(3, answer="twelve"),
            row(4, choices="['B', 'A']", answer="A"),
            row(5, choices="12"),
            row(6, image="?!"),
            row(7, image=""),
            row(8, category=""),
            row(9, answer=""),
            row(10, image_path="../x.png", image=""),
        ],
    )
    for part in (
        "11 fault(s)",
        "row 1: the id '0' stands twice",
        "1: expected question as text, found ' '",
        "2: expected the answer among the choices A to B, by letter or whole text, found 'C'",
        "3: expected the answer among the choices A to B, by letter or whole text, found 'twelve'",
        "4: expected one answer, found 'A', the letter of one choice and the text of another (B)",
        "5: expected a list of choices, found '12'",
        "6: expected a picture as base64 text, found 2 characters that are none: '?!'",
        "7: expected a picture under image or image_path, found none",
        "8: expected category as text",
        "9: expected answer as text",
        "10: expected image_root in the study, for the picture '../x.png'",
        "`exclude`",
    ):
        assert part in message, part
    many = faults_of(tmp_path, [row(i, question="") for i in range(23)])
    assert "23 fault(s)" in many and "… and 3 more" in many
    assert "choice '12' occurs 2 times" in faults_of(tmp_path, [row(0, choices="['12', '12']")])
    assert "the split is empty" in faults_of(tmp_path, [row(0)], exclude=["0"])
    assert "exclude: expected ids of the table, found '5'" in faults_of(
        tmp_path, [row(0)], exclude=["5"]
    )


def test_rows_that_the_study_excludes_are_not_checked(tmp_path: Path) -> None:
    path = tsv(tmp_path, [row(0), row(1, answer="Z"), row(2)])
    data = load_dataset(
        "r1-onevision-bench", name="b", split="s", path=path, options={"exclude": ["1"]}
    )
    assert [e.id for e in data.examples] == ["0", "2"]


def test_a_broken_picture_is_named_when_it_is_opened(tmp_path: Path) -> None:
    rows = [row(0, image=text(png(1)[:40])), row(1, image=text(b"no picture")), row(2)]
    data = r1bench(tsv(tmp_path, rows), "b", split="s")
    for place in (0, 1):
        with pytest.raises(DataError, match=rf"^{place}: expected a whole picture"):
            data.open_image(data.examples[place].media[0])
    assert data.open_image(data.examples[2].media[0]).size == (3, 2)


def test_nothing_outside_the_folder_is_read(tmp_path: Path) -> None:
    root = tmp_path / "pictures"
    root.mkdir()
    (tmp_path / "secret.png").write_bytes(png(1))
    (root / "in.png").write_bytes(png(2))
    (root / "empty.png").write_bytes(b"")
    (root / "out.png").symlink_to(tmp_path / "secret.png")
    (root / "up").symlink_to(tmp_path)
    assert file_bytes("in.png", root) == file_bytes("./in.png", root) == png(2)
    for name in ("../secret.png", "out.png", "up/secret.png", str(tmp_path / "secret.png"), "a\\b"):
        with pytest.raises(ValueError, match="inside the image folder"):
            file_bytes(name, root)
    with pytest.raises(ValueError, match=r"found '\.\./pictures/in\.png'"):
        file_bytes("../pictures/in.png", root)
    for name in ("none.png", "in.png/x", "", "."):
        with pytest.raises(ValueError, match="no readable file"):
            file_bytes(name, root)
    with pytest.raises(ValueError, match="found an empty file"):
        file_bytes("empty.png", root)
    message = faults_of(tmp_path, [row(0, image="", image_path="out.png")], image_root=root)
    assert "0: expected a picture inside the image folder, found a link 'out.png'" in message


def test_cells_of_pictures() -> None:
    raw = png(1)
    coded = text(raw)
    folded = "\n".join(coded[i : i + 20] for i in range(0, len(coded), 20))
    for value in (raw, bytearray(raw), coded, folded, f"data:image/png;base64,{coded}",
                  {"bytes": raw, "path": "/etc/passwd"}):  # fmt: skip
        assert picture_bytes(value, None) == raw
    bad: list[tuple[object, str]] = [
        (None, "found none"),
        (b"", "found none"),
        ({"bytes": None, "path": None}, "found none"),
        (7, "found int"),
        (coded[:-1], "characters that are none"),
        ("data:text/html;base64,AAAA", "characters that are none"),
        (bytes(MAX_BYTES + 1), "at most"),
        ("A" * (MAX_BYTES * 3 // 2 + 1), "at most"),
    ]
    for value, message in bad:
        with pytest.raises(ValueError, match=message):
            picture_bytes(value, None)


def test_files_that_are_no_tables(tmp_path: Path) -> None:
    def refused(path: Path, message: str) -> None:
        with pytest.raises(DataError, match=message) as caught:
            list(table_rows(path))
        assert str(tmp_path) not in str(caught.value)

    refused(tmp_path / "none.tsv", r"^none.tsv: no such file")
    (tmp_path / "a.csv").write_text("a")
    refused(tmp_path / "a.csv", "expected a name with .parquet or .tsv")
    refused(tmp_path, "folder of parquet files or of TSV files, found none")
    for name, raw, message in [
        ("empty.tsv", b"", "cannot be read as tsv .EmptyDataError"),
        ("bytes.tsv", b"a\tb\n\xff\t1\n", "cannot be read as tsv .UnicodeDecodeError"),
        ("torn.tsv", b'a\tb\n1\t"2\n', "cannot be read as tsv .ParserError"),
        ("wide.tsv", b"a\tb\n1\t2\n1\t2\t3\n", "cannot be read as tsv .ParserError"),
        ("twice.tsv", b"a\ta\n1\t2\n", "expected each column once"),
        ("lfs.tsv", b"version https://git-lfs.github.com/spec/v1\n", "found a Git LFS pointer"),
    ]:
        (tmp_path / name).write_bytes(raw)
        refused(tmp_path / name, message)
    (tmp_path / "b.parquet").write_bytes(b"")
    refused(tmp_path, "found b.parquet, bytes.tsv")
    (tmp_path / "short.tsv").write_bytes(b"a\tb\n1\tNA\n2\n")
    rows = list(table_rows(tmp_path / "short.tsv"))
    assert rows == [{"a": "1", "b": "NA"}, {"a": "2", "b": ""}]


def test_kinds_of_free_answers() -> None:
    for kind, answers in {
        "number": "12|3.5|-2|1,000|1/2|30°|25%|12 cm|5 m/s|3 apples|2.5×10^3 J|1e-5|$7$|60 degrees",
        "expression": r"2√3|\frac{1}{2}|x=3|y=2x+1|(2,3)|[1,2)|x>3|π|10π cm²|3π/4|2x^2|3n",
        "text": "HCl|CuSO4|mitosis|the left one|2:30|B|A and C|about 3|2H2 + O2 -> 2H2O|12; 13",
    }.items():
        for answer in answers.split("|"):
            assert free_kind(answer) == kind, answer
