"""Pairs and removed rows of an audit as JSON types, one line each in its files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.audit.pairs import Candidate
from harness.contamination.judging import Judgement
from harness.contamination.outcome import Outcome, Removal
from harness.contamination.triage import pictures


def pair_lines(found: Outcome) -> Iterator[dict[str, Any]]:
    """Every pair: candidates in order, then short questions, then the sample."""
    yield from (pair_json(found, one, "candidate") for one in found.judgements)
    yield from (pair_json(found, one, "short-generic") for one in found.generic)
    yield from (pair_json(found, one, "sample") for one in found.sampled)


def pair_json(found: Outcome, one: Judgement | Candidate, kind: str) -> dict[str, Any]:
    """A pair with all that is known of it, as JSON types.

    Parameters
    ----------
    found : the audit.
    one : a judgement, or a candidate that no judge is asked about.
    kind : `candidate`, `sample` or `short-generic`.
    """
    scan = found.scan
    judgement = Judgement(one, (), None) if isinstance(one, Candidate) else one
    pair = judgement.candidate
    place = pair.row, pair.eval_set, pair.item
    held = found.contained.get(place)
    row, item = scan.row_of[pair.row], scan.item_of[pair.eval_set, pair.item]
    return {
        "key": pair.key,
        "kind": kind,
        "label": judgement.label,
        "row": {"number": row.number, "line": row.line, "id": row.id, "text": row.text},
        "item": {
            "eval_set": pair.eval_set,
            "place": item.place,
            "line": item.line,
            "id": item.id,
            "text": item.text,
        },
        "jaccard": None if pair.jaccard is None else str(pair.jaccard),
        "containment": None if held is None else str(held),
        "cosine": pair.cosine,
        "borderline": place in found.at_threshold,
        "rank": pair.rank,
        "stages": list(pair.stages),
        "short": pair.short,
        "pictures": pictures(row, item),
        "shared_pictures": len(set(row.images) & set(item.images)),
        "found_by_picture": pair.pictures > 0,
        "opinions": [
            {"judge": said.judge, "label": said.label, "reason": said.reason}
            for said in judgement.opinions
        ],
    }


def removal_json(found: Outcome, removal: Removal) -> dict[str, Any]:
    """A removed row and why it goes, as JSON types."""
    drawn = {one.candidate.key for one in found.sampled}
    return {
        "number": removal.row.number,
        "line": removal.row.line,
        "id": removal.row.id,
        "duplicates": [
            {
                "eval_set": one.candidate.eval_set,
                "item": one.candidate.item,
                "item_id": found.scan.item_of[one.candidate.eval_set, one.candidate.item].id,
                "jaccard": None if one.candidate.jaccard is None else str(one.candidate.jaccard),
                "cosine": one.candidate.cosine,
                "label": one.label,
                "by": [said.judge for said in one.opinions if said.label == "duplicate"],
                "kind": "sample" if one.candidate.key in drawn else "candidate",
            }
            for one in removal.pairs
        ],
    }


__all__ = ["pair_json", "pair_lines", "removal_json"]
