"""The answer to a question, read from what a picture shows, and how clear the picture is on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from harness.errors import DataError
from harness.scenes.findings import Finding, fail
from harness.scenes.limits import Limits
from harness.scenes.seen import Seen, pair
from harness.scenes.silhouette import camera_left
from harness.scenes.triplet import Item, Query
from harness.scenes.wording import answers_fault, questions

LETTERS = ("A", "B")


@dataclass(frozen=True, kw_only=True, slots=True)
class Sight:
    """What the picture says about a question.

    Attributes
    ----------
    seen : the measured picture.
    colors, shapes, sizes : colour class, and best fitting shape and size, of each object that
        shows them, by id; none is read from the record.
    """

    seen: Seen
    colors: Mapping[str, str]
    shapes: Mapping[str, str]
    sizes: Mapping[str, str]

    def named(self, color: str | None, shape: str | None) -> tuple[str, ...]:
        """Objects that look like that; None stands for any."""
        return tuple(
            name
            for name in self.seen.objects
            if (color is None or self.colors.get(name) == color)
            and (shape is None or self.shapes.get(name) == shape)
        )


Reading = tuple[str | None, tuple[str, ...], list[Finding]]


def read_answer(item: Item, sight: Sight, limits: Limits, where: str) -> Iterator[Finding]:
    """Answer the query from the picture and compare with the gold letter.

    The text of the question and of the candidates has to be what the query is asked in.

    Colour comes from the core's pixels, shape and size from the silhouette, left and right from
    masks and boxes, in front from which of two overlapping objects is whole. Left/right also
    looks at the scene's coordinates, to ask that they agree. Material is the exception: it is
    read from the record, and only the object that the question names from the picture.

    Parameters
    ----------
    item : question, candidates and gold letter.
    sight : what the picture shows.
    where : the variant, for the findings.

    Raises
    ------
    DataError
        For a factor that no reader here knows, and a query that lacks what its factor asks for.
    """
    reader = READERS.get(item.query.factor)
    if reader is None:
        raise DataError(
            f"{item.id}: expected a factor among {', '.join(READERS)}, found {item.query.factor!r}"
        )
    known = questions(item.query)
    if item.question not in known:
        yield fail("question", where, f"expected {' or '.join(known)}, found {item.question!r}")
    worded = answers_fault(item.query, item.candidates)
    if worded is not None:
        yield fail("candidates", where, worded)
    answer, named, findings = reader(item, sight, limits, where)
    yield from findings
    if set(named) != set(item.queried) and not findings:
        yield fail(
            "queried",
            where,
            f"the question names {sorted(named)} in the picture, the record says "
            f"{sorted(item.queried)}",
        )
    if worded is None and answer is not None:
        texts = item.candidates
        letter = LETTERS[texts.index(answer)] if answer in texts else "none of the candidates"
        if letter != item.gold:
            yield fail(
                "answer",
                where,
                f"the picture says {answer!r} ({letter}), the gold letter is {item.gold}",
            )


def _count(item: Item, sight: Sight, limits: Limits, where: str) -> Reading:
    named = sight.named(item.query.color, None)
    findings = []
    numbers = [int(text) for text in item.candidates if text.isdecimal()]
    if len(numbers) != len(LETTERS) or abs(numbers[0] - numbers[1]) != 1:
        findings.append(
            fail(
                "count_range",
                where,
                f"expected candidates that differ by one, found {item.candidates}",
            )
        )
    if not limits.count_low <= len(named) <= limits.count_high:
        findings.append(
            fail(
                "count_range",
                where,
                f"expected {limits.count_low:g} to {limits.count_high:g} {item.query.color} "
                f"objects, the picture shows {len(named)}",
            )
        )
    return str(len(named)), named, findings


def _attribute(item: Item, sight: Sight, limits: Limits, where: str) -> Reading:
    named, findings = _one(sight, None, item.query.shape, where)
    answer = sight.colors.get(named[0]) if len(named) == 1 else None
    return answer, named, findings


def _presence(item: Item, sight: Sight, limits: Limits, where: str) -> Reading:
    named = sight.named(item.query.color, item.query.shape)
    findings = []
    if len(named) > 1:
        findings.append(
            fail("referent", where, f"expected at most one such object, found {list(named)}")
        )
    return ("yes" if named else "no"), named, findings


def _spatial(item: Item, sight: Sight, limits: Limits, where: str) -> Reading:
    one, two = _sides(item.query)
    first, findings = _one(sight, *one, where)
    second, more = _one(sight, *two, where)
    findings += more
    if len(first) != 1 or len(second) != 1:
        return None, (*first, *second), findings
    gap = pair(sight.seen.objects[first[0]], sight.seen.objects[second[0]])
    if gap is None:
        return None, (*first, *second), findings
    left = gap.centroid_gap > 0
    x, y = camera_left(item.scene.camera)
    a, b = item.scene[first[0]], item.scene[second[0]]
    along = (a.x - b.x) * x + (a.y - b.y) * y
    for value, least, what in (
        (abs(gap.centroid_gap), limits.centroid_gap_px, "px between the centroids"),
        (gap.box_gap, limits.box_gap_px, "px between the boxes"),
        (along if left else -along, limits.left_dot, "along the camera's left, same sign"),
    ):
        if value < least:
            findings.append(
                fail(
                    "left_right",
                    f"{where} {first[0]} {second[0]}",
                    f"expected at least {least:g} {what}, found {value:.2f}",
                )
            )
    return ("yes" if left else "no"), (*first, *second), findings


def _size(item: Item, sight: Sight, limits: Limits, where: str) -> Reading:
    named, findings = _one(sight, item.query.color, item.query.shape, where)
    return (sight.sizes[named[0]] if len(named) == 1 else None), named, findings


def _material(item: Item, sight: Sight, limits: Limits, where: str) -> Reading:
    named, findings = _one(sight, item.query.color, item.query.shape, where)
    return (item.scene[named[0]].material if len(named) == 1 else None), named, findings


def _occlusion(item: Item, sight: Sight, limits: Limits, where: str) -> Reading:
    one, two = _sides(item.query)
    first, findings = _one(sight, *one, where)
    second, more = _one(sight, *two, where)
    findings += more
    if len(first) != 1 or len(second) != 1:
        return None, (*first, *second), findings
    a, b = (sight.seen.objects[name[0]].visible for name in (first, second))
    if max(a, b) < 1 or min(a, b) > 1 - limits.overlap:
        findings.append(
            fail(
                "overlap",
                f"{where} {first[0]} {second[0]}",
                f"expected one whole object that hides {limits.overlap:.0%} or more of the other, "
                f"{a:.1%} and {b:.1%} are visible",
            )
        )
    return " ".join(one if a > b else two), (*first, *second), findings


READERS: dict[str, Callable[[Item, Sight, Limits, str], Reading]] = {
    "count": _count,
    "attribute": _attribute,
    "presence": _presence,
    "spatial": _spatial,
    "size": _size,
    "material": _material,
    "occlusion": _occlusion,
}


def _sides(query: Query) -> tuple[tuple[str, str], tuple[str, str]]:
    if query.first is None or query.second is None:
        raise DataError(f"a question on two objects: expected first and second, found {query}")
    return query.first, query.second


def _one(
    sight: Sight, color: str | None, shape: str | None, where: str
) -> tuple[tuple[str, ...], list[Finding]]:
    named = sight.named(color, shape)
    if len(named) == 1:
        return named, []
    what = " ".join(part for part in (color, shape) if part)
    return named, [fail("referent", where, f"expected one {what}, the picture shows {list(named)}")]


__all__ = ["LETTERS", "READERS", "Sight", "read_answer"]
