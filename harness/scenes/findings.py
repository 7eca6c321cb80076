"""What verification says: findings with stable codes, and the verdict that they add up to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

Grade = Literal["PASS", "BORDERLINE", "FAIL"]

CODES: dict[str, str] = {
    "picture_size": "the pictures of a triplet have one size",
    "ids": "the id pass holds the objects of the scene and nothing else",
    "pieces": "every object is one 4-connected piece",
    "core": "every object has a core large enough to see",
    "occluded": "nothing hides an object",
    "near": "the discs about two objects stay apart",
    "border": "every object is inside the frame, with a margin",
    "border_near": "no object is close to the border",
    "outline": "an object's silhouette is that of its record",
    "shape": "the best fitting shape and size are those of the record",
    "color": "the nearest colour class is that of the record",
    "margin": "the colour class wins clearly",
    "chroma": "colours are colourful and gray is gray",
    "clipped": "few pixels of a core are blown out",
    "candidate_difference": "the two colours to choose from look different",
    "count_range": "the count is in range and the candidates differ by one",
    "question": "the question asks what the query says, in the wording of its factor",
    "candidates": "the candidates are two different answers of the question's kind, as worded",
    "referent": "the question names exactly one object (presence: at most one)",
    "queried": "the objects that the question names are those of the record",
    "overlap": "one of two overlapping objects is whole and clearly hides part of the other",
    "left_right": "left and right are clear from centroids, boxes and the scene",
    "answer": "the answer read from the picture is the gold one",
    "flip": "the relevant edit changes the gold letter",
    "keep": "the irrelevant edit keeps the gold letter",
    "view": "camera, lights and seed are those of the base",
    "edited": "an edit touches the objects that it names and no other",
    "unchanged": "an edit changes the picture",
    "outside": "no pixel changes that the edited object cannot reach",
    "edit_ids": "a change of surface leaves the id pass as it was",
    "core_changed": "a change of surface changes nearly all of the core",
    "others": "all other objects keep their pixels",
    "queried_change": "a queried object that was not edited looks the same",
    "edited_core": "an edited object is large enough",
    "strength_area": "both edits touch areas of like size",
    "strength_change": "both edits change the picture by like amounts",
}


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class Finding:
    """One fault.

    Attributes
    ----------
    code : of `CODES`, which says what holds where nothing is wrong.
    grade : FAIL or BORDERLINE.
    where : variant and object ids, such as "relevant o3".
    message : what was expected and what was found.
    """

    code: str
    grade: Grade
    where: str
    message: str

    def __post_init__(self) -> None:
        if self.code not in CODES or self.grade == "PASS":
            raise ValueError(f"expected a known code that is FAIL or BORDERLINE, found {self!r}")

    def __str__(self) -> str:
        return f"{self.grade} {self.code} [{self.where}] {self.message}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Check:
    """The verdict on one triplet or item.

    Attributes
    ----------
    id : of the triplet or item.
    verdict : the worst grade among the findings; PASS where there is none.
    findings : sorted.
    facts : figures measured on the way, such as the ratio of the edits' areas.
    """

    id: str
    verdict: Grade
    findings: tuple[Finding, ...]
    facts: Mapping[str, float] = field(default_factory=dict)

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes found, sorted, each once."""
        return tuple(sorted({finding.code for finding in self.findings}))


def checked(
    specimen_id: str, findings: Iterable[Finding], facts: Mapping[str, float] | None = None
) -> Check:
    """Add findings up to a verdict.

    Examples
    --------
    >>> checked("count_000001", []).verdict
    'PASS'
    """
    found = tuple(sorted(findings))
    grades = {finding.grade for finding in found}
    verdict: Grade = (
        "FAIL" if "FAIL" in grades else "BORDERLINE" if "BORDERLINE" in grades else "PASS"
    )
    return Check(id=specimen_id, verdict=verdict, findings=found, facts=dict(facts or {}))


def fail(code: str, where: str, message: str) -> Finding:
    """A finding that fails."""
    return Finding(code=code, grade="FAIL", where=where, message=message)


def borderline(code: str, where: str, message: str) -> Finding:
    """A finding that a person should look at; it keeps the specimen out of a frozen set."""
    return Finding(code=code, grade="BORDERLINE", where=where, message=message)


__all__ = ["CODES", "Check", "Finding", "Grade", "borderline", "checked", "fail"]
