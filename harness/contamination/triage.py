"""Which candidates a judge is asked about, and which are short questions to other pictures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from harness.audit.missed import Stratum, draw_sample
from harness.audit.pairs import Candidate, Near
from harness.contamination.scan import ItemText, RowText, Scan

Pictures = Literal["none", "one side", "equal", "different", "unknown"]


@dataclass(frozen=True)
class Triage:
    """What the judges are asked about.

    Parameters
    ----------
    candidates : those of the scan, without those of `generic`, in order.
    strata : the sample below the threshold, as it was drawn; empty without stage 2.
    generic : class `short-generic`: no contamination, counted and shown.
    """

    candidates: tuple[Candidate, ...]
    strata: tuple[Stratum, ...]
    generic: tuple[Candidate, ...]

    @property
    def sample(self) -> tuple[Candidate, ...]:
        """The drawn pairs, from the threshold down."""
        return tuple(
            Candidate(one.row, one.eval_set, one.item, cosine=one.cosine, rank=one.rank)
            for stratum in self.strata
            for one in stratum.drawn
        )

    @property
    def asked(self) -> tuple[Candidate, ...]:
        """All of both, for one call of `harness.contamination.judging.judged`."""
        return self.candidates + self.sample


def triage(scan: Scan) -> Triage:
    """Set the short questions to other pictures apart.

    "What is shown?" stands in many sets beside many pictures. A pair is `short-generic` when
    both texts have at most `generic_tokens` of the plan and both sides have pictures, all of
    them readable and none of them equal. A longer text is no such question, whatever became of
    its picture: it is judged. So is a pair of which only one side has pictures.

    Parameters
    ----------
    scan : of the whole training file.
    """
    brief = {row.number for row in scan.rows if row.images and scan.is_brief(row.text)}
    asked = {
        (item.eval_set, item.place)
        for item in scan.items
        if item.images and scan.is_brief(item.text)
    }

    def generic(one: Candidate | Near) -> bool:
        return (
            one.row in brief
            and (one.eval_set, one.item) in asked
            and pictures(scan.row_of[one.row], scan.item_of[one.eval_set, one.item]) == "different"
        )

    strata: tuple[Stratum, ...] = ()
    if scan.near is not None:
        strata = draw_sample(
            (one for one in scan.band if not generic(one)),
            scan.plan.sample,
            scan.plan.seed,
            floor=scan.near.floor,
            threshold=scan.near.threshold,
            exclude={(one.row, one.eval_set) for one in scan.candidates},
        )
    return Triage(
        tuple(one for one in scan.candidates if not generic(one)),
        strata,
        tuple(one for one in scan.candidates if generic(one)),
    )


def pictures(row: RowText, item: ItemText) -> Pictures:
    """How the pictures of both compare: `unknown` where one cannot be read and no other is equal.

    Examples
    --------
    >>> row = RowText(0, 1, "0", "?", ("a", "b"), 0)
    >>> pictures(row, ItemText("mini", 0, 1, "0", "?", ("b",), 0))
    'equal'
    """
    if not set(row.images).isdisjoint(item.images):
        return "equal"
    if row.unreadable or item.unreadable:
        return "unknown"
    if row.images and item.images:
        return "different"
    return "one side" if row.images or item.images else "none"


__all__ = ["Pictures", "Triage", "pictures", "triage"]
