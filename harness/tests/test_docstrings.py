"""Docstrings: every example in the package runs, and every statistic says what it must."""

from __future__ import annotations

import doctest
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

_PACKAGE = Path(__file__).parents[1]
_REASON = re.compile(r"StatisticsError\(\s*\"(\w+)\"")
_LISTED = re.compile(r"^\| `(\w+)` \|", re.MULTILINE)
_SECTIONS = ("Parameters", "Returns", "Raises", "References", "Examples")
_CHECKS = ("is_missing", "is_number", "shown")


def modules(pattern: str, holding: str = "") -> list[ModuleType]:
    """Every module of the package whose path matches and whose text holds this."""
    paths = sorted(
        path
        for path in _PACKAGE.glob(pattern)
        if "tests" not in path.relative_to(_PACKAGE).parts and holding in path.read_text("utf-8")
    )
    names = (".".join(path.relative_to(_PACKAGE.parent).with_suffix("").parts) for path in paths)
    return [importlib.import_module(name.removesuffix(".__init__")) for name in names]


def test_examples_run() -> None:
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    said: list[str] = []
    for module in modules("**/*.py", holding=">>>"):
        for example in doctest.DocTestFinder(exclude_empty=True).find(module):
            runner.run(example, out=said.append, clear_globs=True)
    assert not runner.failures, "".join(said)
    assert runner.tries > 100


def test_the_examples_of_the_page_print_what_they_say(capsys: pytest.CaptureFixture[str]) -> None:
    page = (_PACKAGE.parent / "docs/statistics.md").read_text("utf-8")
    examples = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(examples) == 2
    for example in examples:
        exec(compile(example, "docs/statistics.md", "exec"), {})
    said = capsys.readouterr().out
    for figure in ("value=0.00318", "0.9057", "0.1305", "0.5305"):
        assert figure in said


def test_a_wrong_example_is_found() -> None:
    example = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "planted", None, 0)
    assert doctest.DocTestRunner(verbose=False).run(example, out=lambda _: None).failed == 1


def test_every_statistic_says_what_it_must() -> None:
    found = modules("stats/*.py")
    names = {module.__name__.rpartition(".")[2] for module in found}
    assert {"betting", "checks", "ranking_draws"} <= names
    faults = [fault for module in found for fault in lacking(module)]
    assert not faults, "\n".join(faults)


def lacking(module: ModuleType) -> Iterator[str]:
    """The sections that a public function's docstring lacks, and parameters it never names.

    Checks of what is given say in a sentence what they refuse, and need no more.
    """
    for name in getattr(module, "__all__", ()):
        value = getattr(module, name)
        a_check = name.startswith("check_") or (
            module.__name__.endswith(".checks") and name in _CHECKS
        )
        if not inspect.isfunction(value) or a_check:
            continue
        text = inspect.getdoc(value) or ""
        missing = [section for section in _SECTIONS if f"{section}\n---" not in text]
        missing += [given for given in inspect.signature(value).parameters if given not in text]
        if missing:
            yield f"{module.__name__}.{name}: expected {', '.join(missing)} in its docstring"


def test_every_reason_of_a_refusal_is_documented() -> None:
    sources = [path.read_text("utf-8") for path in sorted((_PACKAGE / "stats").glob("*.py"))]
    reasons = {found for text in sources for found in _REASON.findall(text)}
    page = (_PACKAGE.parent / "docs/statistics.md").read_text("utf-8")
    listed = set(_LISTED.findall(page.partition("## Reasons of a refusal")[2]))
    assert len(reasons) > 20
    assert listed == reasons
