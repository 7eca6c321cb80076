"""What both reports show, before any markup: facts, tables as texts, groups of pairs."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from harness.audit.pairs import Candidate
from harness.contamination.judging import Judgement
from harness.contamination.outcome import Outcome
from harness.report.figures import percent
from harness.table import Table, Value

Words = Mapping[str, str]
Row = Mapping[str, Value]

_SHA = 12


@dataclass(frozen=True)
class Group:
    """Pairs that a report shows under one heading.

    Parameters
    ----------
    name : `removed`, `undecided`, `generic`, `sample` or `neighbour`.
    pairs : judgements, of short questions candidates; of removed rows and short questions by
        row, of others the nearest first.
    """

    name: str
    pairs: tuple[Judgement | Candidate, ...]


def groups(found: Outcome) -> tuple[Group, ...]:
    """All pairs of an audit, each under one heading; the removed rows come first."""
    removed = tuple(pair for removal in found.removals for pair in removal.pairs)
    taken = {one.candidate.key for one in removed}
    judged = [one for one in found.judgements if one.candidate.key not in taken]
    sampled = [one for one in found.sampled if one.candidate.key not in taken]
    return (
        Group("removed", removed),
        Group("undecided", _sorted(one for one in judged if one.label is None)),
        Group("generic", found.generic),
        Group("sample", _sorted(sampled)),
        Group("neighbour", _sorted(one for one in judged if one.label is not None)),
    )


def facts(found: Outcome, words: Words) -> list[tuple[str, str]]:
    """What was compared with what, and how: names and values, neither of them escaped."""
    scan, given = found.scan, found.scan.plan
    train = scan.train
    rows = words["rows_of"].format(n=train.rows, sha=train.sha256[:_SHA])
    lines = [(words["train"], f"{train.file} ({', '.join(train.fields)}): {rows}")]
    for one in scan.evals:
        items = words["items_of"].format(n=one.items, sha=one.sha256[:_SHA])
        lines.append((words["eval"], f"{one.name}: {one.file} ({', '.join(one.fields)}): {items}"))
    part, whole = given.words.threshold
    stage_1 = words["stage_1_facts"].format(
        n=given.words.n,
        tokenizer=given.words.tokenizer,
        threshold=f"{part}/{whole}",
        unicode=unicodedata.unidata_version,
    )
    lines.append((words["stage_1"], stage_1))
    if scan.embedder is None or scan.near is None:
        lines.append((words["stage_2"], words["stage_2_none"]))
    else:
        stage_2 = words["stage_2_facts"].format(
            name=scan.embedder.name,
            model=scan.embedder.model,
            threshold=f"{scan.near.threshold:g}",
            k=scan.near.k,
        )
        lines.append((words["stage_2"], stage_2))
    names = [] if found.agreement is None else found.agreement.panel.judges
    judges = words["judges"].format(names=", ".join(names)) if names else words["no_judges"]
    lines.append((words["stage_3"], judges))
    planted = [one.ok for one in scan.sightings]
    planted += [one.ok for one in scan.vector_sightings if one.ok is not None]
    canaries = words["canaries_found"].format(found=sum(planted), all=len(planted))
    lines.append((words["canaries"], canaries))
    return lines


def sentence(found: Outcome, words: Words) -> str:
    """What the verdict comes to, in one sentence."""
    if not found.go:
        return words["no_go_sentence"].format(n=len(found.issues))
    rows, removed = found.scan.train.rows, len(found.removals)
    return words["go_sentence"].format(removed=removed, rows=rows, kept=rows - removed)


def displayed(table: Table, words: Words) -> tuple[list[str], list[list[str]]]:
    """Heads and cells of a table as texts, not escaped; the columns that a reader needs.

    Columns about equal pictures are left out where there is none.
    """
    shown = [
        (name, show)
        for name, show in _COLUMNS[table.name]
        if name not in _PICTURES or any(row[name] for row in table.rows)
    ]
    heads = [words.get(_HEADS.get(name, name), name) for name, _ in shown]
    return heads, [[show(row, name, words) for name, show in shown] for row in table.rows]


def note(found: Outcome, table: Table, words: Words) -> str:
    """What stands below a table."""
    made = [words[f"{table.name}_note"]]
    if table.name == "stages" and found.scan.estimated:
        made.append(words["estimated"])
    if table.name == "judge_agreement" and found.agreement is not None:
        made.append(words["disputed"].format(n=len(found.agreement.disputed)))
    recall = found.recall()
    if table.name == "missed_duplicates" and recall is not None and found.scan.near is not None:
        share = _interval(*recall, words)
        made.append(words["recall"].format(floor=f"{found.scan.near.floor:g}", share=share))
    return " ".join(made)


def figures(found: Outcome, pair: Candidate, words: Words) -> list[str]:
    """Jaccard index, cosine and containment of a pair, where there are any."""
    made = []
    held = found.contained.get((pair.row, pair.eval_set, pair.item))
    if pair.jaccard is not None:
        made.append(f"Jaccard {pair.jaccard} = {float(pair.jaccard):.3f}")
    if pair.cosine is not None:
        made.append(f"{words['cosine']} {pair.cosine:.4f}")
    if held is not None:
        made.append(words["holds"].format(share=percent(float(held))))
    return made


def candidate_of(one: Judgement | Candidate) -> Candidate:
    """The pair itself."""
    return one if isinstance(one, Candidate) else one.candidate


def _sorted(judgements: Iterable[Judgement]) -> tuple[Judgement, ...]:
    return tuple(sorted(judgements, key=lambda one: _nearness(one.candidate)))


def _nearness(pair: Candidate) -> tuple[float, str]:
    return (-max(float(pair.jaccard or 0), pair.cosine or 0.0), pair.key)


def _plain(row: Row, name: str, words: Words) -> str:
    value = row[name]
    return words["undefined"] if value is None else str(value)


def _count(row: Row, name: str, words: Words) -> str:
    """Steps count rows or pairs or both: a blank cell is none of its business."""
    return "" if row[name] is None else str(row[name])


def _step(row: Row, name: str, words: Words) -> str:
    return words[f"step_{row[name]}"]


def _bucket(row: Row, name: str, words: Words) -> str:
    said = str(row[name])
    if said.startswith("below "):
        return f"{words['below']} {said.removeprefix('below ')}"
    return words.get(said, said)


def _share(low: str, high: str) -> Callable[[Row, str, Words], str]:
    def show(row: Row, name: str, words: Words) -> str:
        value = row[name]
        point = None if value is None else float(value)
        return _interval(point, _number(row[low]), _number(row[high]), words)

    return show


def _interval(value: float | None, low: float, high: float, words: Words) -> str:
    shown = words["undefined"] if value is None else percent(value)
    return f"{shown} [{100 * low:.1f}, {100 * high:.1f}]"


def _items_hit(row: Row, name: str, words: Words) -> str:
    shown = _share("share_low", "share_high")(row, "items_hit_share", words)
    return f"{row[name]}: {shown}"


def _missed(row: Row, name: str, words: Words) -> str:
    value = row[name]
    shown = words["undefined"] if value is None else f"{float(value):.1f}"
    return f"{shown} [{row['missed_low']}, {row['missed_high']}]"


def _kappa(row: Row, name: str, words: Words) -> str:
    value = row[name]
    return words["undefined"] if value is None else f"{float(value):.3f}"


def _number(value: Value) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


_HEADS = {"n": "pairs", "judge_b": "judge_a", "stratum": "bucket"}
_Show = Callable[[Row, str, Words], str]
_PICTURES = ("same_picture_rows", "other_question_rows", "common_picture_rows")
_COLUMNS: dict[str, Sequence[tuple[str, _Show]]] = {
    "stages": (("step", _step), ("rows", _count), ("pairs", _count)),
    "sets": (
        *((name, _plain) for name in ("set", "items")),
        ("items_hit", _items_hit),
        *((name, _plain) for name in ("candidate_rows", "duplicate_rows", "undecided_rows")),
        *((name, _plain) for name in ("stage_1_rows", "stage_2_rows", "contained_rows")),
        *((name, _plain) for name in _PICTURES),
        *((name, _plain) for name in ("generic_rows", "short", "unauditable", "unreadable")),
        ("truncated", _plain),
    ),
    "cosine_buckets": (
        ("bucket", _bucket),
        *((name, _plain) for name in ("candidates", "duplicates", "neighbours", "undecided")),
        ("precision", _share("precision_low", "precision_high")),
    ),
    "missed_duplicates": (
        ("stratum", _bucket),
        *((name, _plain) for name in ("population", "judged", "duplicates", "undecided")),
        ("missed", _missed),
    ),
    "judge_agreement": (
        *((name, _plain) for name in ("judge_a", "judge_b", "n")),
        ("agreement", _share("agreement_low", "agreement_high")),
        ("kappa", _kappa),
        *((name, _plain) for name in ("only_a_right", "only_b_right")),
    ),
}

__all__ = [
    *(
        "Group",
        "Words",
        "candidate_of",
        "displayed",
        "facts",
        "figures",
        "groups",
        "note",
        "sentence",
    ),
]
