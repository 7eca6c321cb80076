"""What the study's data sets hold, as its cells tell, and whether two are parts of the third."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from harness.errors import DataError

_FEW = 5


def all_ids(name: str, cells: Sequence[tuple[Collection[str], int]]) -> frozenset[str] | None:
    """The example ids of a data set.

    Parameters
    ----------
    name : of the data set, for messages.
    cells : for each of its cells the ids that it holds, and the size of the whole data set.

    Returns
    -------
    frozenset of str or None
        None where every cell is a sample, and where there is no cell.

    Raises
    ------
    DataError
        For cells that cannot be of one data set.

    Examples
    --------
    >>> sorted(all_ids("mini", [({"a", "b"}, 2), ({"a"}, 2)])), all_ids("mini", [({"a"}, 2)])
    (['a', 'b'], None)
    """
    held = [(frozenset(ids), n) for ids, n in cells]
    whole = {ids for ids, n in held if len(ids) == n}
    found = next(iter(whole), None)
    foreign = found is not None and any(not ids <= found for ids, _ in held)
    if len({n for _, n in held}) > 1 or len(whole) > 1 or foreign:
        raise DataError(
            f"{name}: expected all cells to be of the same examples or of samples of them, found "
            "cells of other data; run those anew that are out of date"
        )
    return found


def check_parts(
    names: Mapping[str, str],
    seen: Mapping[str, Collection[str]],
    entries: Mapping[str, frozenset[str] | None],
) -> None:
    """Refuse a held-out part that shares an example with the design part, and foreign parts.

    Parameters
    ----------
    names, seen, entries : by `whole`, `design` and `held_out`: the name of the data set, the ids
        in its cells, and what `all_ids` says of it.

    Raises
    ------
    DataError
        Naming the data sets and the ids.
    """
    design, held_out = set(seen["design"]), set(seen["held_out"])
    if design & held_out:
        raise DataError(
            f"{names['held_out']}: expected no example of {names['design']}, found "
            f"{_listed(design & held_out)}; held-out figures may not rest on examples that prompts "
            "were developed on"
        )
    whole = entries["whole"]
    if whole is None:
        return
    both_known = entries["design"] is not None and entries["held_out"] is not None
    for ids, told in (
        ((design | held_out) - whole, "of its parts that it lacks"),
        (whole - design - held_out if both_known else (), "in none of its parts"),
    ):
        if ids:
            raise DataError(
                f"{names['whole']}: expected {names['design']} and {names['held_out']} to be its "
                f"two parts, found {_listed(ids)} {told}; draw both parts with one n, seed and by"
            )


def _listed(ids: Iterable[str]) -> str:
    names = sorted(ids)
    return f"{len(names)} ({', '.join(names[:_FEW])}{', …' if len(names) > _FEW else ''})"


__all__ = ["all_ids", "check_parts"]
