"""Rows of triplets and pools, wherever they come from: parsed, chosen, held against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any

from harness.errors import DataError
from harness.scenes.triplet import VARIANTS
from harness.types import Example, Media

SPLITS = ("audit", "static", "pools", "all")
_SHOWN = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One picture with its question; `variant` is "" for a static item, and so is `triplet`.

    `pool` is the id of a pool of several candidates, "" elsewhere.
    """

    id: str
    triplet: str
    variant: str
    factor: str
    question: str
    candidates: tuple[str, ...]
    gold: str
    image: str
    pool: str = ""

    @property
    def split(self) -> str:
        """The split that the row is of."""
        return "pools" if self.pool else "audit" if self.variant else "static"


def chosen(
    rows: Sequence[Row], split: str, exclude: Sequence[str], where: str
) -> tuple[list[Row], list[str]]:
    """The rows of a split without the excluded ones, and the excluded ids that none has.

    Raises
    ------
    DataError
        For a split that is not one of `SPLITS`.
    """
    if split not in SPLITS:
        raise DataError(f"{where}: expected a split of {', '.join(SPLITS)}, found {split!r}")
    known = {row.triplet or row.id for row in rows}
    foreign = [
        f"exclude: expected ids of triplets or static items, found {key!r}"
        for key in sorted(set(exclude) - known)
    ]
    kept = [row for row in rows if (row.triplet or row.id) not in exclude]
    return [row for row in kept if split in (row.split, "all")], foreign


def triplet_faults(rows: Iterable[Row], *, keep_incomplete: bool = False) -> list[str]:
    """What is wrong with the triplets as such; without faults, none. See `triplets`."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        if row.variant:
            groups.setdefault(row.triplet, []).append(row)
    return [
        fault for key, group in groups.items() for fault in _faults(key, group, keep_incomplete)
    ]


def _faults(key: str, group: Sequence[Row], keep_incomplete: bool) -> Iterable[str]:
    counts = Counter(row.variant for row in group)
    for variant, count in sorted(counts.items()):
        if count > 1:
            yield f"{key}: variant {variant} stands {count} times, expected it once"
    lacking = [variant for variant in VARIANTS if variant not in counts]
    if lacking and not keep_incomplete:
        yield (
            f"{key}: expected the variants {', '.join(VARIANTS)}, found none of "
            f'{", ".join(lacking)}; set incomplete = "keep" to have such triplets named and counted'
        )
    for what in ("question", "candidates", "factor"):
        if len({getattr(row, what) for row in group}) > 1:
            yield f"{key}: expected one {what} for all variants, found several"
    gold = {row.variant: row.gold for row in group}
    base = gold.get("base")
    if base is not None and gold.get("relevant") == base:
        yield f"{key}: expected the relevant edit to change the gold, found {base} twice"
    if base is not None and gold.get("irrelevant", base) != base:
        yield f"{key}: expected the irrelevant edit to keep the gold {base}, found another"


def examples_of(
    rows: Iterable[Row], pictures: Mapping[str, tuple[str, str | None]]
) -> tuple[Example, ...]:
    """Examples in the order of the rows; `pictures` has (name, SHA-256) by the row's id."""
    return tuple(
        Example(
            id=row.id,
            kind="choice" if row.pool else "preference",
            question=row.question,
            gold=row.gold,
            choices=row.candidates,
            media=(Media(kind="image", name=pictures[row.id][0], sha256=pictures[row.id][1]),),
            group=row.pool or row.triplet,
            role=f"pool-{len(row.candidates)}" if row.pool else row.variant,
            tags=(row.factor,) if row.factor else (),
        )
        for row in rows
    )


def require(where: str, faults: Sequence[str]) -> None:
    """Raise one error for all faults; their number, and the first of them."""
    if faults:
        more = [f"  … and {len(faults) - _SHOWN} more"] if len(faults) > _SHOWN else []
        lines = "\n".join([f"  {fault}" for fault in faults[:_SHOWN]] + more)
        raise DataError(
            f"{where}: {len(faults)} fault(s); correct the data, or name what to leave out under "
            f"`exclude` in the study\n{lines}"
        )


def text_of(record: Mapping[str, Any], *names: str) -> str:
    """The first of the named fields that the record has, as a text that is not empty.

    Raises
    ------
    ValueError
        For none of them, or another value.
    """
    value = next((record[name] for name in names if record.get(name) is not None), None)
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"expected {' or '.join(names)} as text, found {value!r:.60}")
    return value


def candidates_of(record: Mapping[str, Any]) -> tuple[str, str]:
    """The texts of A and B.

    Raises
    ------
    ValueError
        For anything but two texts.
    """
    value = record.get("candidates")
    if value is None:
        return text_of(record, "candidate_a"), text_of(record, "candidate_b")
    if isinstance(value, Mapping) and set(value) == {"A", "B"}:
        value = [value["A"], value["B"]]
    match value:
        case [str(a), str(b)] if a.strip() and b.strip():
            return a, b
    raise ValueError(f"expected candidates A and B as texts, found {value!r:.80}")


def by_variant(record: Mapping[str, Any], field: str) -> dict[str, Any]:
    """A field that holds one value for each variant.

    Raises
    ------
    ValueError
        For no mapping, an empty one, or a key that is no variant.
    """
    value = record.get(field)
    if not isinstance(value, Mapping) or not value or set(value) - set(VARIANTS):
        raise ValueError(f"expected {field} by {', '.join(VARIANTS)}, found {value!r:.80}")
    return dict(value)


def rows_of(record: Mapping[str, Any]) -> list[Row]:
    """The rows of one record: one of a picture, up to three of a triplet (`harness.data.triplets`).

    Raises
    ------
    ValueError
        For a field that is missing or of another type.
    """
    if record.get("pool_id") is not None:
        return [_pool(record)]
    question, candidates = text_of(record, "question"), candidates_of(record)
    factor = text_of(record, "factor") if record.get("factor") is not None else ""

    def row(key: str, triplet: str, variant: str, gold: str, image: str) -> Row:
        if gold not in ("A", "B"):
            raise ValueError(f"{key}: expected gold A or B, found {gold!r:.40}")
        return Row(
            id=key,
            triplet=triplet,
            variant=variant,
            factor=factor,
            question=question,
            candidates=candidates,
            gold=gold,
            image=image,
        )

    if "images" in record:
        triplet = text_of(record, "triplet_id", "id")
        images, gold = by_variant(record, "images"), by_variant(record, "gold")
        return [
            row(f"{triplet}:{v}", triplet, v, text_of(gold, v), text_of(images, v))
            for v in VARIANTS
            if v in images or v in gold
        ]
    texts = text_of(record, "gold"), text_of(record, "image")
    if record.get("triplet_id") is None and record.get("variant") is None:
        return [row(text_of(record, "item_id", "id"), "", "", *texts)]
    triplet, variant = text_of(record, "triplet_id"), text_of(record, "variant")
    if variant not in VARIANTS:
        raise ValueError(f"expected variant of {', '.join(VARIANTS)}, found {variant!r:.40}")
    named = record.get("item_id", record.get("id")) is not None
    key = text_of(record, "item_id", "id") if named else f"{triplet}:{variant}"
    return [row(key, triplet, variant, *texts)]


def _pool(record: Mapping[str, Any]) -> Row:
    """A picture with a question and several candidates, the best of which is to be picked."""
    key, texts = text_of(record, "pool_id"), record.get("candidates")
    if not isinstance(texts, list) or not 2 <= len(texts) <= len(ascii_uppercase):
        raise ValueError(f"{key}: expected 2 to 26 candidates in a list, found {texts!r:.60}")
    if not all(isinstance(text, str) and text.strip() for text in texts):
        raise ValueError(f"{key}: expected candidates as texts, found {texts!r:.60}")
    gold = text_of(record, "gold")
    if len(gold) != 1 or gold not in ascii_uppercase[: len(texts)]:
        last = ascii_uppercase[len(texts) - 1]
        raise ValueError(f"{key}: expected gold A to {last}, found {gold!r:.40}")
    return Row(
        id=key,
        triplet="",
        variant="",
        factor=text_of(record, "factor") if record.get("factor") is not None else "",
        question=text_of(record, "question"),
        candidates=tuple(texts),
        gold=gold,
        image=text_of(record, "image"),
        pool=key,
    )


__all__ = [
    "SPLITS",
    "Row",
    "by_variant",
    "candidates_of",
    "chosen",
    "examples_of",
    "require",
    "rows_of",
    "text_of",
    "triplet_faults",
]
