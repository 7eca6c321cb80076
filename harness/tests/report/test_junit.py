"""JUnit files of real runs lose names and paths, and nothing else."""

from __future__ import annotations

import platform
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from harness.errors import AssayError
from harness.report.junit import scrub_junit

_TESTS = r"""
import os, pytest

SURROGATE = "" if "PYTEST_XDIST_WORKER" in os.environ else " \ud800"  # execnet cannot carry one

@pytest.mark.parametrize("i", [0, 1])
def test_pass(i, record_property):
    record_property("assay.id", f"canary:a/b/{i}")
    record_property("assay.go", True)

def test_fail(record_property):
    record_property("folder", os.getcwd() + "/x.json")
    raise ValueError("cannot read /mnt/disk7/secret/a.csv <&> \x08 \x1b[31m \u4e2d" + SURROGATE)

def test_skip():
    pytest.skip("at /mnt/disk7/secret/b.csv")
"""


@pytest.fixture(scope="module", params=[(), ("-n", "2")], ids=["one-process", "workers"])
def document(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("junit")
    (folder / "test_x.py").write_text(_TESTS, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\njunit_family = xunit1\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml=j.xml"]
    done = subprocess.run(
        [*command, *request.param], cwd=folder, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 1, done.stdout
    return (folder / "j.xml").read_text(encoding="utf-8")


def _shape(xml: str) -> list[tuple[str, frozenset[str]]]:
    return [(e.tag, frozenset(e.attrib) - {"hostname"}) for e in ElementTree.fromstring(xml).iter()]


def _folder(xml: str) -> str:
    found = re.search(r'name="folder" value="([^"]*)/x\.json"', xml)
    assert found is not None
    return found.group(1)


def test_no_host_name_and_no_path_is_left(document: str) -> None:
    folder = _folder(document)
    assert "hostname=" in document
    assert "/mnt/disk7/secret" in document
    clean = scrub_junit(document)
    assert "hostname" not in clean
    assert folder not in clean
    assert "/mnt/disk7" not in clean
    assert str(Path(folder).parent) not in clean
    assert not re.search(rf"\b{re.escape(platform.node())}-\d", clean)
    assert "&lt;path&gt;/a.csv" in clean


def test_elements_counts_times_and_properties_stay(document: str) -> None:
    clean = scrub_junit(document)
    assert _shape(clean) == _shape(document)
    before, after = ElementTree.fromstring(document), ElementTree.fromstring(clean)
    for name in ("tests", "failures", "errors", "skipped", "time", "timestamp"):
        assert after[0].get(name) == before[0].get(name)
    cases = {case.get("name"): case for case in after.iter("testcase")}
    assert set(cases) == {"test_pass[0]", "test_pass[1]", "test_fail", "test_skip"}
    for i in (0, 1):
        found = {p.get("name"): p.get("value") for p in cases[f"test_pass[{i}]"].iter("property")}
        assert found == {"assay.id": f"canary:a/b/{i}", "assay.go": "True"}
    assert clean.startswith('<?xml version="1.0" encoding="utf-8"?>\n<testsuites')


def test_characters_that_xml_cannot_hold_stay_as_pytest_writes_them(document: str) -> None:
    clean = scrub_junit(document)
    for mark in ("#x08", "#x1B[31m", "#xD800"):
        assert (mark in clean) == (mark in document)
    assert "#x08" in clean
    assert "中" in clean
    assert "&lt;&amp;&gt;" in clean


def test_twice_is_once(document: str) -> None:
    assert scrub_junit(scrub_junit(document)) == scrub_junit(document)


@pytest.mark.parametrize(
    ("xml", "message"),
    [
        ("<testsuites><testsuite>", "well-formed"),
        ("", "well-formed"),
        ("<html/>", "found <html>"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><testsuites>&b;</testsuites>', "type declaration"),
    ],
)
def test_another_document_is_refused(xml: str, message: str) -> None:
    with pytest.raises(AssayError, match=message):
        scrub_junit(xml)
