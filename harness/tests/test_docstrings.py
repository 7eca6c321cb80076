"""Docstrings: every example in the package runs, and every statistic says what it must."""

from __future__ import annotations

import doctest
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

_PACKAGE = Path(__file__).parents[1]
_REASON = re.compile(r"StatisticsError\(\s*\"(\w+)\"")
_LISTED = re.compile(r"^\| `(\w+)` \|", re.MULTILINE)
_SECTIONS = ("Parameters", "Returns", "Raises", "References", "Examples")


def modules(pattern: str) -> list[ModuleType]:
    """Every module of the package whose path matches and whose text holds an example."""
    paths = sorted(
        path
        for path in _PACKAGE.glob(pattern)
        if "tests" not in path.relative_to(_PACKAGE).parts and ">>>" in path.read_text("utf-8")
    )
    names = (".".join(path.relative_to(_PACKAGE.parent).with_suffix("").parts) for path in paths)
    return [importlib.import_module(name.removesuffix(".__init__")) for name in names]


def test_examples_run() -> None:
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    said: list[str] = []
    for module in modules("**/*.py"):
        for example in doctest.DocTestFinder(exclude_empty=True).find(module):
            runner.run(example, out=said.append, clear_globs=True)
    assert not runner.failures, "".join(said)
    assert runner.tries > 100


def test_a_wrong_example_is_found() -> None:
    example = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "planted", None, 0)
    assert doctest.DocTestRunner(verbose=False).run(example, out=lambda _: None).failed == 1


def test_every_statistic_says_what_it_must() -> None:
    faults = [fault for module in modules("stats/*.py") for fault in lacking(module)]
    assert not faults, "\n".join(faults)


def lacking(module: ModuleType) -> Iterator[str]:
    """The sections that a public function's docstring lacks, and parameters it never names."""
    for name in module.__all__:
        value = getattr(module, name)
        if not inspect.isfunction(value) or name.startswith("check_"):
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
