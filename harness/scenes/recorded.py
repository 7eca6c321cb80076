"""The right letter by the scene's record, to hold a manifest's gold against."""

from __future__ import annotations

from harness.errors import DataError
from harness.scenes.scene import Scene, SceneObject
from harness.scenes.spatial import left_of
from harness.scenes.triplet import FACTORS, Query


def recorded_letter(query: Query, scene: Scene, candidates: tuple[str, str]) -> str | None:
    """The letter of the candidate that the record makes right.

    Parameters
    ----------
    query : what is asked.
    scene : as recorded; pictures are for `harness.scenes.verify`.
    candidates : the texts of A and B.

    Returns
    -------
    str or None
        "A" or "B"; None for the factors of the free sampler that are not published ones.

    Raises
    ------
    DataError
        Where neither candidate is the answer, and where the question names not exactly one
        object.

    Examples
    --------
    >>> ball = SceneObject(
    ...     id="o1", shape="sphere", color="red", material="rubber", size="large", x=0, y=0
    ... )
    >>> query = Query(factor="count", color="red")
    >>> recorded_letter(query, Scene(objects=(ball,)), ("2", "1"))
    'B'
    """
    if query.factor not in FACTORS:
        return None
    answer = _answer(query, scene.objects)
    if answer not in candidates:
        raise DataError(f"expected one of the candidates {candidates} by the record, is {answer!r}")
    return "AB"[candidates.index(answer)]


def _answer(query: Query, objects: tuple[SceneObject, ...]) -> str:
    match query.factor:
        case "count":
            return str(sum(thing.color == query.color for thing in objects))
        case "attribute":
            return _one([thing for thing in objects if thing.shape == query.shape]).color
        case "presence":
            wanted = (query.color, query.shape)
            there = any((thing.color, thing.shape) == wanted for thing in objects)
        case _:
            first, second = (
                _one([thing for thing in objects if (thing.color, thing.shape) == look])
                for look in (query.first, query.second)
            )
            there = left_of(first, second)
    return "yes" if there else "no"


def _one(found: list[SceneObject]) -> SceneObject:
    if len(found) != 1:
        raise DataError(f"expected one object that the question names, found {len(found)}")
    return found[0]


__all__ = ["recorded_letter"]
