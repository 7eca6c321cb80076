"""Which stored cells a sample is drawn from: one for each condition, and nothing mixed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.errors import AssayError
from harness.identity import differing
from harness.review.naming import AXES
from harness.review.sampling import listed
from harness.review.stored import StoredCell
from harness.robustness.plan import PHASES
from harness.study import Study
from harness.vision.views import CONDITIONS, MODES

_PHASE = "robustness"
_SHOWN = 20


@dataclass(frozen=True, kw_only=True)
class Choice:
    """Names of what is sampled; "" or () where the stored cells leave no choice.

    `views` are the conditions, in the order of their seeds.
    """

    data: str = ""
    model: str = ""
    prompt: str = ""
    decoding: str = ""
    views: tuple[str, ...] = ()

    def of(self, axis: str) -> str:
        """The name on one of `harness.review.naming.AXES`."""
        found: str = getattr(self, axis)
        return found

    def over(self, other: Choice) -> Choice:
        """This choice, completed by another."""
        names = {axis: self.of(axis) or other.of(axis) for axis in AXES}
        return Choice(**names, views=self.views or other.views)


def published(studies: Sequence[Study], cells: Sequence[StoredCell]) -> Choice:
    """What the robustness study's error analysis sampled, as far as these cells are of it.

    Parameters
    ----------
    studies : their `[robustness]` names the checkpoint in focus, the design questions and the
        paper's prompt; a sample is drawn from its answers under the five stress conditions.
    cells : an empty choice is given where they are of no such study.

    Raises
    ------
    AssayError
        Where they are of several.

    References
    ----------
    R1-Onevision robustness study: 20 wrong answers of the RL checkpoint per condition.
    """
    phase = PHASES[_PHASE]
    found: dict[Choice, str] = {}
    for study in studies:
        if study.robustness is None:
            continue
        names = study.robustness
        choice = Choice(
            data=names["design"],
            model=names["focus"],
            prompt=names["paper"],
            decoding=phase.decoding,
            views=phase.views,
        )
        if any(choice.data in c.names.data and choice.model in c.names.model for c in cells):
            found[choice] = study.name
    if len(found) > 1:
        raise AssayError(
            f"expected cells of one robustness study, found those of {', '.join(found.values())}; "
            "name one by --study"
        )
    return next(iter(found), Choice())


def chosen(cells: Sequence[StoredCell], choice: Choice) -> dict[str, StoredCell]:
    """The one cell of each condition.

    Parameters
    ----------
    cells : deliberate repetitions (another batch size) among them are passed over.
    choice : without views, every view that is there is a condition.

    Returns
    -------
    dict
        From the name of the view, in the order of the choice, or else of
        `harness.vision.views`.

    Raises
    ------
    AssayError
        When a name is not there, when a part that is not chosen differs between the cells, or
        when a condition has several cells all the same; the message lists what there is.
    """
    left = [cell for cell in cells if not cell.names.variant]
    wanted = [(axis, choice.of(axis)) for axis in AXES if choice.of(axis)]
    for number, (axis, name) in enumerate(wanted):
        there = _there(left, axis)
        left = [cell for cell in left if name in cell.names.of(axis)]
        if not left:
            raise AssayError(_absent(axis, name, there, wanted[:number]))
    for view in choice.views:
        if not any(view in cell.names.view for cell in left):
            raise AssayError(_absent("view", view, _there(left, "view"), wanted))
    views = choice.views or tuple(listed(_there(left, "view"), CONDITIONS + MODES))
    left = [cell for cell in left if cell.names.view[0] in views]
    for axis in AXES:
        there = _there(left, axis)
        if not choice.of(axis) and len(there) > 1:
            raise AssayError(
                f"expected one {axis} in a sample, found {_list(there)}: name one by --{axis}"
            )
    return {view: _one(view, left) for view in views}


def _one(view: str, cells: Sequence[StoredCell]) -> StoredCell:
    first, *others = (cell for cell in cells if view in cell.names.view)
    if others:
        fields = differing(first.identity, others[0].identity)
        raise AssayError(
            f"{view}: expected one stored cell, found {1 + len(others)}; {first.key[:8]} and "
            f"{others[0].key[:8]} differ in {', '.join(fields)}: name the runs folder or the "
            "study of one of them"
        )
    return first


def _there(cells: Sequence[StoredCell], axis: str) -> list[str]:
    return sorted({cell.names.of(axis)[0] for cell in cells})


def _absent(axis: str, name: str, there: Sequence[str], wanted: Sequence[tuple[str, str]]) -> str:
    among = ", ".join(f"{other} {found}" for other, found in wanted)
    return (
        f"{axis} {name}: expected a stored cell of it{' with ' if among else ''}{among}, found "
        f"{_list(there) or 'no cell at all'}; choose by --{axis}, or check RUNS and --study"
    )


def _list(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


__all__ = ["Choice", "chosen", "published"]
