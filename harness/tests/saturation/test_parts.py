"""Problems of several sub-questions: AND over the parts of a cell, and the table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.errors import DataError
from harness.saturation.cells import rung_of_cell
from harness.saturation.parts import has_parts, parts_table, problems_of_cell
from harness.tests.gates.made_cells import CELL, result
from harness.types import CellResult, Example


def part(problem: str, number: int, of: int = 2, **other: object) -> Example:
    fields = {
        "id": f"{problem}/{number}",
        "kind": "number",
        "question": "?",
        "gold": "3",
        "group": problem,
        "role": f"part-{number}",
        "tags": (f"parts:{of}",),
    }
    return Example(**{**fields, **other})  # type: ignore[arg-type]


def cell(problems: dict[str, str], of: int = 2) -> CellResult:
    """A letter a part: "1" right, "0" wrong, "u" unread, "e" lost."""
    said = {"1": "<answer>3</answer>", "0": "<answer>77</answer>", "u": "?", "e": "error"}
    items = [part(name, n, of) for name, bits in problems.items() for n in range(1, len(bits) + 1)]
    return result([said[bit] for bits in problems.values() for bit in bits], items=items)


def test_a_problem_is_right_when_all_of_its_parts_are() -> None:
    made = cell({"a": "11", "b": "10", "c": "1u", "d": "0u", "lost": "1e", "half": "1"})
    counts, out = problems_of_cell(made)
    assert (counts.n, counts.right, counts.undecided) == (4, 1, 1)
    assert (counts.n_parts, counts.parts_right, counts.parts_undecided) == (8, 4, 2)
    # Half a problem, and one with a lost row, would be right for the rest of their parts.
    assert out == ("half", "lost")
    rung = rung_of_cell(made, 0.0)
    assert (rung.right, rung.n, rung.form) == (1, 4, "open")
    (row,) = parts_table([made, result(["yes"])], 0.95).rows
    assert (row["problems"], row["problems_pct"], row["parts_pct"]) == (4, 25.0, 50.0)
    assert (row["problems_undecided"], row["parts_unread"], row["left_out"]) == (1, 2, 2)
    nothing = parts_table([cell({"half": "1"})], 0.95).rows[0]
    assert (nothing["problems"], nothing["problems_pct"], nothing["parts_pct"]) == (0, None, None)


def test_what_is_no_cell_of_problems() -> None:
    assert not has_parts(result(["yes"]))
    text = "<answer>3</answer>"
    cases = [
        ([part("a", 1), part("a", 2, tags=())], "one tag parts:N"),
        ([part("a", 1), part("a", 2, tags=("parts:2", "parts:3"))], "one tag parts:N"),
        ([part("a", 1), part("a", 2, tags=("parts:x",))], "one tag parts:N"),
        ([part("a", 1, group="")], "expected a group"),
        ([part("a", 1, role="part-0")], "a role part-N"),
        ([part("a", 1), part("a", 2, 3)], "one number of parts"),
        ([part("a", 1), part("a", 1, id="again")], "each part of a once"),
    ]
    for items, message in cases:
        with pytest.raises(DataError, match=message):
            problems_of_cell(result([text] * len(items), items=items))
    twice = result([text], items=[part("a", 1, 1)])
    with pytest.raises(DataError, match="one answer an example"):
        problems_of_cell(replace(twice, cell=replace(CELL, replicates=2)))
    mixed = [part("a", 1), Example(id="x", kind="number", question="?", gold="3")]
    with pytest.raises(DataError, match="found both"):
        rung_of_cell(result([text] * 2, items=mixed), 0.0)
