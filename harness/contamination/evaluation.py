"""The evaluation side of an audit: its texts, the index, the vectors, and proof that both work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from harness.audit.canaries import Sighting, canaries, sightings, with_canaries
from harness.audit.cosine import NearParameters, near_block
from harness.audit.index import build_index
from harness.audit.vectors import EvalVectors, eval_vectors
from harness.contamination.blocks import Embed, Side
from harness.contamination.images import hashes
from harness.contamination.plan import BAND, AuditPlan
from harness.contamination.rows import read_rows, settled
from harness.contamination.scan import EvalSet, Fault, ItemText, VectorSighting
from harness.contamination.shared_pictures import PictureIndex, Shown
from harness.contamination.sources import Source
from harness.embedding.base import Embedder, EmbedderIdentity, check_threshold, has_text
from harness.errors import DataError
from harness.ids import file_digest

_SAME = 0.999
_LEAST_FLOOR = 1e-3
_PARAPHRASE = (
    "A stone is dropped from a tower 45 m high. How long does it take to reach the ground?",
    "How much time passes until a rock that is let go at the top of a 45 m tower hits the floor?",
)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The evaluation side as an audit uses it.

    Parameters
    ----------
    side : what the workers hold.
    sets : as they were read.
    items : of each set, all of them.
    sightings, vector_sightings : what came of the planted rows.
    identity : of the embedder; None without stage 2.
    pictures : the items by their pictures; None unless both sides name a field with some.
    """

    side: Side
    sets: tuple[EvalSet, ...]
    items: Mapping[str, Sequence[ItemText]]
    sightings: tuple[Sighting, ...]
    vector_sightings: tuple[VectorSighting, ...]
    identity: EmbedderIdentity | None
    pictures: PictureIndex | None = None


def evaluation(
    plan: AuditPlan, embedder: Embedder | None, embed: Embed | None, engine: str = "auto"
) -> Evaluation:
    """Read the evaluation sets, index them, embed them and try the planted rows.

    Parameters
    ----------
    plan : of the audit.
    embedder : of stage 2; None leaves it out.
    embed : makes vectors, through the cache where there is one.
    engine : of stage 1.

    Raises
    ------
    DataError
        For a set that cannot be read or has no items.
    StudyError
        For the threshold of another embedder.
    """
    read = {name: _read(name, source, plan) for name, source in plan.evals}
    items = {name: found for name, (_, found, _) in read.items()}
    texts = {name: [item.text for item in found] for name, found in items.items()}
    index = build_index(with_canaries(texts, plan.words), plan.words, engine)
    counts = index.counts()
    vectors, near = None, None
    cut = dict.fromkeys(texts, 0)
    tried: tuple[VectorSighting, ...] = ()
    if embedder is not None and embed is not None:
        near = near_parameters(plan, embedder)
        vectors, cut = _vectors(texts, embedder, embed)
        tried = _tried(plan, texts, vectors, near, embedder)
    empty = dict.fromkeys(texts, 0)
    if vectors is not None:
        empty = dict(zip(vectors.sets, vectors.empty, strict=True))
    sets = tuple(
        EvalSet(
            *(name, source.name, file_digest(source.path), source.fields),
            *(len(items[name]), counts[name]["short"], counts[name]["unauditable"]),
            *(cut[name], empty[name], faults),
        )
        for name, (source, _, faults) in read.items()
    )
    return Evaluation(
        Side(index, vectors, near, "" if vectors is None else vectors.embedder, engine),
        sets,
        items,
        sightings(index, engine),
        tried,
        None if embedder is None else embedder.identity,
        _pictures(plan, items, vectors),
    )


def near_parameters(plan: AuditPlan, embedder: Embedder) -> NearParameters:
    """The numbers of stage 2, with the embedder's threshold where the plan has none.

    Raises
    ------
    StudyError
        For a threshold that is not stated to be this embedder's.
    DataError
        For a floor above the threshold.
    """
    limit = embedder.threshold
    if plan.threshold is not None:
        limit = check_threshold(embedder.identity, plan.threshold, plan.threshold_of or "")
    floor = max(_LEAST_FLOOR, limit - BAND) if plan.floor is None else plan.floor
    return NearParameters(limit, floor, plan.k, border=plan.border)


def _read(
    name: str, given: Source, plan: AuditPlan
) -> tuple[Source, list[ItemText], tuple[Fault, ...]]:
    source = settled(given, plan.max_row_bytes)
    items, faults = [], []
    rows = read_rows(source, on_bad=plan.on_bad_row, most_bytes=plan.max_row_bytes)
    for row in rows:
        # Hashed at once: a set's pictures may be more than memory holds.
        seen = hashes(row.pictures, source.root)
        items.append(ItemText(name, row.number, row.line, row.id, row.text, *seen))
        if row.why:
            faults.append(Fault(row.number, row.line, row.why))
    if not items:
        raise DataError(f"{source.name}: expected items of the evaluation set {name!r}, found none")
    return source, items, tuple(faults)


def _pictures(
    plan: AuditPlan, items: Mapping[str, Sequence[ItemText]], vectors: EvalVectors | None
) -> PictureIndex | None:
    if not plan.compares_pictures:
        return None
    shown = {
        name: [Shown(one.place, one.text, one.images) for one in found]
        for name, found in items.items()
    }
    return PictureIndex(shown, plan.words, vectors)


def _vectors(
    texts: Mapping[str, Sequence[str]], embedder: Embedder, embed: Embed
) -> tuple[EvalVectors, dict[str, int]]:
    made, present, cut = {}, {}, {}
    for name, listed in texts.items():
        present[name] = np.array([has_text(text) for text in listed], bool)
        given = [text for text, there in zip(listed, present[name], strict=True) if there]
        if given:
            one = embed(given)
            made[name], cut[name] = one.vectors, int(one.truncated.sum())
        else:
            n_dimensions = embedder.identity.dimensions
            made[name], cut[name] = np.zeros((0, n_dimensions), np.float32), 0
    return eval_vectors(made, present, embedder.identity.fingerprint()), cut


def _tried(
    plan: AuditPlan,
    texts: Mapping[str, Sequence[str]],
    vectors: EvalVectors,
    near: NearParameters,
    embedder: Embedder,
) -> tuple[VectorSighting, ...]:
    """Put planted texts through embedder and comparison, past the cache.

    An embedder that gives all texts one vector finds everything, so two texts that have nothing
    in common have to stay below the threshold.
    """
    planted = {one.name: one.item for one in canaries(plan.words)}
    chosen = [planted["exact"], planted["decomposed"], *_PARAPHRASE]
    unlike = embedder.embed(chosen).vectors
    fingerprint = embedder.identity.fingerprint()
    small = eval_vectors({"planted": unlike[:1]}, embedder=fingerprint)
    again = embedder.embed(chosen[:1]).vectors
    found = near_block(again, small, near, embedder=fingerprint).near
    exact = found[0].cosine if found else 0.0
    apart, same = (_cosine(unlike[k], unlike[k + 1]) for k in (0, 2))
    tried = [
        VectorSighting("exact", exact, exact >= _SAME),
        VectorSighting("apart", apart, apart < near.threshold),
        VectorSighting("paraphrase", same, None),
    ]
    for name in sorted(texts):
        first = next((text for text in texts[name] if has_text(text)), None)
        if first is not None:
            row = embedder.embed([first]).vectors
            found = near_block(row, vectors, near, embedder=fingerprint).near
            best = max((one.cosine for one in found if one.eval_set == name), default=0.0)
            tried.append(VectorSighting(f"item of {name}", best, best >= _SAME))
    return tuple(tried)


def _cosine(first: object, second: object) -> float:
    ours, theirs = np.asarray(first, np.float64), np.asarray(second, np.float64)
    return float((ours * theirs).sum() / np.sqrt((ours**2).sum() * (theirs**2).sum()))


__all__ = ["Evaluation", "evaluation", "near_parameters"]
