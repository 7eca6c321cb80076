"""What tells of a machine goes; prose, fractions, URLs and ids stay."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from harness import provenance
from harness.provenance import scrub

_HOME, _CWD, _TMP = "/home/kbarnes", "/srv/checkouts/eval", "/var/scratch/t"
_SITE = "/opt/envs/e1/lib/python3.11/site-packages"


@pytest.fixture(autouse=True, scope="module")
def _machine() -> object:
    """A machine with telling names, so that the result depends on none of the real one's."""
    with pytest.MonkeyPatch.context() as patch:
        names = {"_user_names": ("kbarnes", "root", "jo"), "_host_names": ("lab-gpu-07", "gpu")}
        for function, value in names.items():
            patch.setattr(provenance, function, lambda value=value: value)
        folders = {
            _SITE: "<site>",
            _CWD: "<root>",
            _TMP: "<tmp>",
            _HOME: "<home>",
            "/root": "<home>",
        }
        pairs = tuple(sorted(folders.items(), key=lambda entry: (-len(entry[0]), entry[0])))
        patch.setattr(provenance, "_folders", lambda: pairs)
        yield


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        (f"{_CWD}/harness/run.py:31: boom", "<root>/harness/run.py:31: boom"),
        (f"in {_CWD}.", "in <root>."),
        (f"{_CWD}2/harness/run.py", "<path>/run.py"),
        (f"{_HOME}/.cache/hub", "<home>/.cache/hub"),
        ("/root/.cache/hub", "<home>/.cache/hub"),
        ("a/root/b", "a/root/b"),
        (f"{_SITE}/torch/nn.py", "<site>/torch/nn.py"),
        (f"{_TMP}/pytest-of-root/pytest-0/x.json", "<tmp>/pytest-of-<user>/pytest-0/x.json"),
        ("pytest-of-jo root@gpu jo@gpu", "pytest-of-<user> <user>@<host> <user>@<host>"),
        ("ran by kbarnes on LAB-GPU-07, kbarnes_2", "ran by <user> on <host>, <user>_2"),
        ("xkbarnes kbarnes2", "xkbarnes kbarnes2"),
        ("/mnt/disk7/secret/scores.csv", "<path>/scores.csv"),
        ("(/mnt/disk7/a.csv)", "(<path>/a.csv)"),
        ("x=/mnt/d/a.csv,/mnt/e/b.csv", "x=<path>/a.csv,<path>/b.csv"),
        ("/usr/bin:/usr/local/bin", "<path>/bin:<path>/bin"),
        ("/mnt/disk7/runs/", "<path>/runs/"),
        ("file:///mnt/disk7/a.csv", "file:<path>/a.csv"),
        ("'/mnt/My Data/file one.txt'", "'<path>/file one.txt'"),
        ("`/mnt/a/b`", "`<path>/b`"),
        ("路径/mnt/disk7/a.csv", "路径<path>/a.csv"),
        (r"C:\Users\kb\notes.txt", r"<path>\notes.txt"),
        (r"'C:\\Users\\K B\\notes.txt'", r"'<path>\notes.txt'"),
        ("D:/data/x/notes.txt", "<path>/notes.txt"),
        (r"\\nas01\share\notes.txt", r"<path>\notes.txt"),
    ],
)
def test_it_is_replaced(text: str, clean: str) -> None:
    assert scrub(text) == clean


@pytest.mark.parametrize(
    "text",
    [
        "3/4 of 1/2/3, and/or, N/A, yes / no, 2026/11/30, km/h/s, 和/或/者",
        "https://example.org/a/b/c?d=/e/f#g and s3://bucket/a/b",
        "the root cause; jointly; a gpu; image_root; major; gpus",
        "full:visual-shapes/visual-shapes/micro-sft/clean/word#0of3",
        "evals/protocol/test_pope.py::test_cell[canary:pope/pope-random/llava/clean/word]",
        "</answer> <path>/a/b <root>/harness/run.py ~/x/y ./a/b ../a/b",
        "/etc",
        "",
    ],
)
def test_it_stays(text: str) -> None:
    assert scrub(text) == text


_PIECES = st.sampled_from(
    [
        *(_HOME, _CWD, _TMP, _SITE, "/root", "kbarnes", "root", "jo", "gpu", "lab-gpu-07"),
        *("<path>", "<user>", "<home>", "<", ">", "@", "pytest-of-", "https://", "file://", "C:"),
        *(
            "/",
            "//",
            "\\",
            "\\\\",
            "'",
            '"',
            "`",
            " ",
            "\n",
            ":",
            "-",
            ".",
            "_",
            "a",
            "b c",
            "é",
            "是",
        ),
    ]
)


@given(st.lists(_PIECES, max_size=14).map("".join))
@example("https://kbarnes/a/b")
@example(")/srv/checkouts/eval.kbarnes")
@example("'kbarnes/a/b'/a/b")
def test_twice_is_once(text: str) -> None:
    assert scrub(scrub(text)) == scrub(text)


@given(st.text(max_size=40))
def test_any_text_is_taken(text: str) -> None:
    assert scrub(scrub(text)) == scrub(text)


_NAME = st.text("abcdefghij-_.0123456789", min_size=1, max_size=8).filter(lambda t: t.strip("._-"))


@given(
    st.lists(_NAME, min_size=2, max_size=6),
    st.sampled_from(["", " ", "(", "=", ":", "'", "是", "x: "]),
    st.sampled_from(["", " ", ")", ":3", "'", ","]),
)
def test_no_folder_of_any_path_is_left(parts: list[str], before: str, after: str) -> None:
    clean = scrub(f"{before}/zzdir/{'/'.join(parts)}{after}")
    assert "zzdir" not in clean
    assert "<path>" in clean


def test_a_megabyte_takes_no_time() -> None:
    started = time.perf_counter()
    for unit in ("/a", "'/a b", "a/", "\\\\a", "C:\\a ", "kbarnes "):
        scrub(unit * 20_000)
    assert time.perf_counter() - started < 10


def test_the_real_machine_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(provenance, "_folders", _REAL_FOLDERS)
        patch.setattr(provenance, "_user_names", _REAL_USERS)
        patch.setenv("HOME", "/home/quentin")
        patch.setenv("USER", "quentin")
        text = f"{tmp_path}/a.json, /home/quentin/b.json, quentin's"
        assert scrub(text) == "<root>/a.json, <home>/b.json, <user>'s"
        patch.setenv("HOME", "/")
        assert scrub("3/4 and /x") == "3/4 and /x"


_REAL_FOLDERS, _REAL_USERS = provenance._folders, provenance._user_names
