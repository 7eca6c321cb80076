"""Canonical JSON, seeds and slugs: the same in every process, and never two for one."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness import ids
from harness.types import Decoding, Example

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(VALUES)
def test_canonical_json_round_trips_in_one_ascii_line(value: object) -> None:
    """AT-105: lone surrogates, NUL and line separators survive; nothing breaks a line."""
    text = ids.canonical_json(value)
    assert text.isascii() and "\n" not in text
    assert json.loads(text) == value


def test_records_are_written_with_every_field() -> None:
    text = ids.canonical_json(Example(id="a", kind="yesno", question="?", gold="yes"))
    assert json.loads(text)["media"] == []


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1: 2}, object(), {"a": b"x"}])
def test_what_has_no_one_form_is_refused(value: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        ids.canonical_json(value)


def test_the_seed_follows_the_published_rule() -> None:
    raw = hashlib.sha256(b"20260723\x1f17\x1freproduce").digest()[:8]
    assert ids.seed(20260723, 17, "reproduce") == int.from_bytes(raw, "big") % (2**63 - 1)
    assert ids.seed(1, "ab", "c") != ids.seed(1, "a", "bc")


def test_hashes_do_not_depend_on_the_process() -> None:
    code = (
        "from harness import ids; from harness.types import Decoding;"
        "print(ids.digest({'b': Decoding(max_new_tokens=4), 'a': ('x', None)}))"
    )
    root = Path(__file__).parents[2]
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert found == {ids.digest({"b": Decoding(max_new_tokens=4), "a": ("x", None)})}


@given(st.text(), st.text())
def test_slugs_are_safe_and_never_shared(a: str, b: str) -> None:
    slug = ids.slug(a)
    assert slug and set(slug) <= set("abcdefghijklmnopqrstuvwxyz0123456789._-")
    assert not slug.startswith(".")
    assert a == b or slug != ids.slug(b)


def test_file_digest_is_of_the_bytes(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"\x00abc" * 70000)
    assert ids.file_digest(path) == hashlib.sha256(path.read_bytes()).hexdigest()
