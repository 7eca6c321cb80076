"""Batch invariance: the batch size must not change an answer."""

from __future__ import annotations

from harness.gates.pairing import foreign_fields, joined
from harness.types import CellResult, Issue, Response, Verdict

_SHOWN = 10
_TEXT_CHARS = 60


def batch_invariance(one: CellResult, many: CellResult) -> Verdict:
    """Judge whether a cell gives identical texts at two batch sizes.

    Parameters
    ----------
    one, many : the same cell at batch size 1 and at a larger one.

    Returns
    -------
    Verdict
        Rows are joined by example id and replicate. Issues: `differs` for up to ten rows and
        `n_differ` with their number; `not_measured` when a row has no text on a side (an
        out-of-memory row is no changed answer) or no whole batch was compared;
        `duplicate`, `unpaired`; `not_a_pair` when the cells differ in more than `variant`;
        `same_batch_size`. Facts: n compared, n_equal, agreement (None without rows),
        n_without_text (no text on a side, left out), and both batch sizes.
    """
    slots, issues = joined(one, many)
    issues += foreign_fields(one, many, ("variant",))
    sizes = [result.cell.decoding.batch_sizes[0] for result in (one, many)]
    if sizes[0] == sizes[1]:
        issues.append(
            Issue(
                "same_batch_size",
                one.cell.id,
                f"expected two batch sizes to compare, found {sizes[0]} twice",
            )
        )
    left = {(r.example_id, r.replicate): r for r in one.responses}
    right = {(r.example_id, r.replicate): r for r in many.responses}
    shared = [k for k in slots if k in left and k in right]
    rows = [
        (left[k], right[k])
        for k in shared
        if left[k].text is not None and right[k].text is not None
    ]
    if len(rows) < max(sizes) or len(rows) < len(shared):
        message = (
            f"{len(rows)} of {len(shared)} rows have a text at both batch sizes; expected all, "
            f"and at least one whole batch of {max(sizes)}"
        )
        issues.append(Issue("not_measured", one.cell.id, message))
    differing = [pair for pair in rows if _output(pair[0]) != _output(pair[1])]
    issues += [Issue("differs", a.example_id, _message(a, b, sizes)) for a, b in differing[:_SHOWN]]
    if differing:
        issues.append(
            Issue(
                "n_differ",
                one.cell.id,
                f"{len(differing)} of {len(rows)} texts change with the batch size; look at the "
                "padding side, the position ids and the attention mask",
            )
        )
    n_equal = len(rows) - len(differing)
    return Verdict(
        gate="batch_invariance",
        issues=tuple(sorted(issues)),
        facts={
            "n": len(rows),
            "n_equal": n_equal,
            "agreement": n_equal / len(rows) if rows else None,
            "n_without_text": len(shared) - len(rows),
            "batch_sizes": sizes,
        },
    )


def _output(response: Response) -> tuple[str, str | None]:
    return response.status, response.text


def _message(a: Response, b: Response, sizes: list[int]) -> str:
    return "; ".join(
        f"at batch {size} {r.status} {_short(r.text)}"
        for size, r in zip(sizes, (a, b), strict=True)
    )


def _short(text: str | None) -> str:
    if text is None or len(text) <= _TEXT_CHARS:
        return repr(text)
    return f"{text[:_TEXT_CHARS]!r} … ({len(text)} characters)"


__all__ = ["batch_invariance"]
