"""The cells of the study by what they hold: a place in the design, and its rows by example id."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from harness.errors import DataError
from harness.robustness.parts import all_ids, check_parts
from harness.robustness.settings import TableSettings
from harness.spent import Spent
from harness.types import CellResult, Example, Outcome, Response, Score
from harness.vision.views import condition_and_mode

PARTS = ("whole", "design", "held_out")
# The phases that let a model write longer; their cells may stand on the same part as others.
LONG = ("reproduce", "heldout_gate")


class Condition(NamedTuple):
    """The names that the published tables know a cell by."""

    phase: str
    model: str
    condition: str
    prompt_mode: str
    image_mode: str


class Place(NamedTuple):
    """Where a cell stands in the design, whatever experiment asked for it.

    `part` is whole, design or held_out; `sampled` marks the cells with several answers each,
    `long` those of the phases of `LONG`.
    """

    part: str
    model: str
    condition: str
    prompt: str
    mode: str = "global"
    sampled: bool = False
    long: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One response as the tables see it.

    `correct` is None for a row that is excluded (the two errors). `answer` is the answer as it
    is compared between conditions: stripped, in upper case, None unless it was read.
    """

    example: Example
    response: Response
    outcome: Outcome
    correct: bool | None
    answer: str | None
    rule: str

    @property
    def item_type(self) -> str:
        return "multiple_choice" if self.example.choices else "free_response"

    @property
    def category(self) -> str:
        return self.example.group


@dataclass(frozen=True, kw_only=True)
class StudyCell:
    """One cell: its names and, for each example id, its rows by replicate.

    `n_data` is the size of its whole data set, of which the rows may be a sample; `measured` is
    what its responses took, None where that is not known.
    """

    condition: Condition
    place: Place
    key: str
    rows: Mapping[str, tuple[Row, ...]]
    n_data: int
    measured: Spent | None = None

    @property
    def whole(self) -> bool:
        """Whether it holds all of its data set."""
        return len(self.rows) == self.n_data

    @property
    def first(self) -> dict[str, Row]:
        """The first answer to each example."""
        return {name: rows[0] for name, rows in self.rows.items()}


class Archive:
    """All cells of a study by phase and by place; `archive` makes it."""

    def __init__(self, cells: Sequence[StudyCell], settings: TableSettings) -> None:
        self.cells = tuple(cells)
        self.names = dict(
            zip(PARTS, (settings.whole, settings.design, settings.held_out), strict=True)
        )
        self._by_place: dict[Place, StudyCell] = {}
        for cell in cells:
            other = self._by_place.setdefault(cell.place, cell)
            if other.key != cell.key:
                raise DataError(
                    f"{self.told(cell.place)}: expected one cell, found two with other keys, of "
                    f"the phases {other.condition.phase} and {cell.condition.phase}; a table "
                    "cannot choose between them"
                )
        self._entries = {
            part: all_ids(name, [(cell.rows, cell.n_data) for cell in self._of(part)])
            for part, name in self.names.items()
        }

    def find(self, place: Place) -> StudyCell | None:
        """The cell of a place, None where there is none."""
        return self._by_place.get(place)

    def take(self, places: Iterable[Place]) -> tuple[dict[Place, StudyCell], list[str]]:
        """The cells of places, and the names of those that are not there."""
        wanted = list(dict.fromkeys(places))
        found = {p: self._by_place[p] for p in wanted if p in self._by_place}
        return found, [self.told(p) for p in wanted if p not in found]

    def told(self, place: Place) -> str:
        """A place in words."""
        text = f"{place.model}/{place.condition}/{place.prompt}/{place.mode}"
        several = " with several answers each" if place.sampled else ""
        longer = f" of the phases {' or '.join(LONG)}" if place.long else ""
        return f"{text} on {self.names[place.part]}{several}{longer}"

    def ids(self, part: str) -> set[str]:
        """All example ids that the cells of a part hold."""
        return {name for cell in self._of(part) for name in cell.rows}

    def entry(self, part: str) -> frozenset[str] | None:
        """All example ids of a part's data set; None where each cell is a sample of it."""
        return self._entries[part]

    def lacks_entry(self, part: str) -> str:
        """What is missing where `entry` is None, in words."""
        cells = self._of(part)
        found = f"{len(self.ids(part))} of {cells[0].n_data}" if cells else "none"
        return f"a cell over all examples of {self.names[part]} (its cells hold {found})"

    def _of(self, part: str) -> list[StudyCell]:
        return [cell for cell in self.cells if cell.place.part == part]


def archive(results: Sequence[CellResult], settings: TableSettings) -> Archive:
    """Sort the cells of a study, refusing what would make a table say something else.

    Parameters
    ----------
    results : whole cells of one tier; cells of other data, models or prompts than the settings
        name are an error, so that nothing is left out in silence.
    settings : see there.

    Raises
    ------
    DataError
        For a shard or a variant, several tiers, an unknown data entry, model or prompt, two
        cells of one condition, a response that stands twice, rows that are not aligned, an
        example that stands in the design and in the held-out part, and parts that are not those
        of the whole.
    """
    tiers = sorted({r.cell.tier for r in results})
    if len(tiers) > 1:
        raise DataError(f"robustness tables: expected cells of one tier, found {tiers}")
    cells = [_cell(result, settings) for result in results]
    seen: dict[tuple[Condition, str], None] = {}
    for cell in cells:
        name = (cell.condition, cell.place.part)
        if name in seen:
            raise DataError(
                f"robustness tables: expected each condition once, found {cell.condition} on "
                f"{cell.place.part} again; give each cell once"
            )
        seen[name] = None
    found = Archive(cells, settings)
    entries = {part: found.entry(part) for part in PARTS}
    check_parts(found.names, {part: found.ids(part) for part in PARTS}, entries)
    return found


def _cell(result: CellResult, settings: TableSettings) -> StudyCell:
    cell = result.cell
    parts = dict(zip((settings.whole, settings.design, settings.held_out), PARTS, strict=True))
    for what, found, known in (
        ("data", cell.data, tuple(parts)),
        ("model", cell.model.name, settings.models),
        ("prompt", cell.prompt.name, (settings.paper, settings.evidence)),
    ):
        if found not in known:
            raise DataError(
                f"{cell.id}: expected the {what} {', '.join(known)}, found {found}; leave the "
                "cell out or name it in the settings"
            )
    if cell.shard is not None or cell.variant:
        raise DataError(f"{cell.id}: expected a whole cell, found a shard or a variant of one")
    condition, mode = condition_and_mode(cell.view.name)
    names = Condition(
        phase=settings.phase(cell.experiment),
        model=cell.model.name,
        condition=condition,
        prompt_mode=cell.prompt.name,
        image_mode=mode,
    )
    place = Place(
        part=parts[cell.data],
        model=cell.model.name,
        condition=condition,
        prompt=cell.prompt.name,
        mode=mode,
        sampled=cell.replicates > 1,
        long=names.phase in LONG,
    )
    return StudyCell(
        condition=names,
        place=place,
        key=result.key,
        rows=_rows(result),
        n_data=result.n_data,
        measured=result.measured,
    )


def _rows(result: CellResult) -> dict[str, tuple[Row, ...]]:
    where = result.cell.id
    if len(result.responses) != len(result.scores):
        raise DataError(
            f"{where}: expected responses and scores aligned, found {len(result.responses)} and "
            f"{len(result.scores)}"
        )
    examples = {example.id: example for example in result.examples}
    rows: dict[str, dict[int, Row]] = {}
    for response, score in zip(result.responses, result.scores, strict=True):
        example = examples.get(response.example_id)
        if example is None or response.example_id != score.example_id:
            raise DataError(
                f"{where}: expected each response beside its score and among the cell's "
                f"examples, found {response.example_id} and {score.example_id}"
            )
        replicates = rows.setdefault(example.id, {})
        if response.replicate in replicates:
            raise DataError(
                f"{where}: expected each response once, found {example.id}, replicate "
                f"{response.replicate}, again"
            )
        replicates[response.replicate] = made_row(example, response, score)
    return {
        name: tuple(row for _, row in sorted(replicates.items()))
        for name, replicates in rows.items()
    }


def made_row(example: Example, response: Response, score: Score) -> Row:
    """One response under one score of it."""
    value = score.answer.value if score.outcome == "answered" else None
    return Row(
        example=example,
        response=response,
        outcome=score.outcome,
        correct=score.correct if score.counted else None,
        answer=value.strip().upper() if value is not None else None,
        rule=score.answer.rule,
    )


__all__ = [
    "LONG",
    "PARTS",
    "Archive",
    "Condition",
    "Place",
    "Row",
    "StudyCell",
    "archive",
    "made_row",
]
