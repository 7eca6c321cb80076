"""The page of published figures names tests that are there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_every_named_test_exists() -> None:
    page = (ROOT / "docs/published_figures.md").read_text(encoding="utf-8")
    named = re.findall(r"`(\w+)::(test_\w+)`", page)
    assert len(named) >= 29
    for name, test in named:
        source = (Path(__file__).parent / f"test_published_{name}.py").read_text(encoding="utf-8")
        assert f"\ndef {test}(" in source, (name, test)


def test_every_claim_has_a_test_or_says_why_not() -> None:
    page = (ROOT / "docs/published_figures.md").read_text(encoding="utf-8")
    claims = page.split("## Comes out")[0].split("\n")
    rows = [line for line in claims if line.startswith("| ") and not line.startswith("| claim")]
    assert len(rows) >= 29
    assert sum("::" not in row for row in rows) == sum("none possible" in row for row in rows) == 1
