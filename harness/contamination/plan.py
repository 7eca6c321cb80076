"""What an audit is asked to do: its files, and every number that decides."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Any

from harness.audit.canaries import EVAL_SET
from harness.audit.shingles import Parameters
from harness.contamination.sources import Source, source_from
from harness.errors import DataError
from harness.ids import digest, plain
from harness.study_tables import without_places

Spec = str | Mapping[str, Any]

# Where nothing else is asked: how far below its threshold the judged sample starts.
BAND = 0.05


@dataclass(frozen=True)
class AuditPlan:
    """Every parameter of an audit; what it comes to depends on this and on the files' bytes alone.

    Parameters
    ----------
    train : the rows that are audited.
    evals : name and source of each evaluation set, by name ascending.
    words : stage 1.
    embedder : stage 2, as `harness.embedding.load.open_embedder` takes it; None leaves stage 2
        out, which the report says.
    threshold : smallest cosine of a candidate; None takes the embedder's own.
    threshold_of : the embedder that `threshold` was measured for; another's is refused.
    floor : where the judged sample below the threshold begins; None takes threshold − 0.05.
    k : nearest items per row and set that become candidates.
    border : rows this near to the threshold are listed.
    generic_tokens : a question of at most so many tokens says little without its picture: two
        of them whose pictures all differ are set apart, two with an equal picture are judged.
    judges : stage 3, each as `harness.contamination.judges.open_judge` takes it; none leaves
        every candidate undecided.
    sample : pairs judged per stratum of 0.01 below the threshold; 0 for none.
    seed : of the sample.
    max_removed_share : a larger share of removed rows is NO-GO.
    max_bad_share : a larger share of unreadable rows is NO-GO.
    on_bad_row : `error` stops at the first row that cannot be read, `count` lists them all.
    max_row_bytes : a longer row cannot be read.

    Raises
    ------
    DataError
        For a value outside its range, and without any evaluation set.
    """

    train: Source
    evals: tuple[tuple[str, Source], ...]
    words: Parameters = field(default_factory=Parameters)
    embedder: Spec | None = "minilm"
    threshold: float | None = None
    threshold_of: str | None = None
    floor: float | None = None
    k: int = 1
    border: float = 1e-3
    generic_tokens: int = 12
    judges: tuple[Spec, ...] = ("rule",)
    sample: int = 20
    seed: int = 0
    max_removed_share: float = 0.5
    max_bad_share: float = 0.01
    on_bad_row: str = "error"
    max_row_bytes: int = 16 << 20

    def __post_init__(self) -> None:
        object.__setattr__(self, "evals", tuple(sorted(self.evals)))
        object.__setattr__(self, "judges", tuple(_spelled(one) for one in self.judges))
        object.__setattr__(self, "embedder", _spelled(self.embedder))
        names = [name for name, _ in self.evals]
        if not names or len(set(names)) < len(names) or EVAL_SET in names or "" in names:
            raise DataError(
                "audit: expected one or more evaluation sets with different names, none of them "
                f"{EVAL_SET!r}, found {', '.join(map(repr, names)) or 'none'}"
            )
        if any("\ud800" <= char <= "\udfff" for name in names for char in name):
            raise DataError(
                "audit: expected names of evaluation sets in Unicode, found "
                f"{', '.join(map(ascii, names))}; give each a name in UTF-8"
            )
        for name, low, value, high in (
            ("threshold", -1, self.threshold, 1),
            ("floor", -1, self.floor, 1),
            ("k", 1, self.k, 100),
            ("border", 0, self.border, 0.1),
            ("generic_tokens", 0, self.generic_tokens, 100_000),
            ("sample", 0, self.sample, 1_000_000),
            ("max_removed_share", 0, self.max_removed_share, 1),
            ("max_bad_share", 0, self.max_bad_share, 1),
            ("max_row_bytes", 1, self.max_row_bytes, 1 << 30),
        ):
            if value is not None and not low <= value <= high:
                raise DataError(f"audit: {name}: expected {low} to {high}, found {value!r}")
        if self.threshold is not None and self.floor is not None and self.floor > self.threshold:
            raise DataError(
                f"audit: floor {self.floor} lies above the threshold {self.threshold}; it says "
                "where the judged sample below the threshold begins"
            )
        if self.on_bad_row not in ("error", "count"):
            raise DataError(f"audit: on_bad_row: expected error or count, found {self.on_bad_row}")

    @staticmethod
    def from_json(given: Any, where: str) -> AuditPlan:
        """`plan_from`, for anything that a JSON parser gives."""
        if not isinstance(given, Mapping):
            raise DataError(f"{where}: expected a table, found {type(given).__name__}")
        return plan_from(given, where)

    @property
    def sources(self) -> dict[str, Source]:
        """The evaluation sets by name."""
        return dict(self.evals)

    @property
    def compares_pictures(self) -> bool:
        """Whether both sides name a field with pictures."""
        return self.train.image_field is not None and any(
            source.image_field is not None for _, source in self.evals
        )

    @property
    def fingerprint(self) -> str:
        """SHA-256 over all parameters; folders do not count, so a plan can move with its files."""
        return digest(self.to_json())

    @property
    def scan_fingerprint(self) -> str:
        """The same over what stages 1 and 2 depend on: judges may change and the scan stays."""
        later = ("generic_tokens", "judges", "sample", "seed", "max_removed_share", "max_bad_share")
        return digest({k: v for k, v in self.to_json().items() if k not in later})

    def to_json(self) -> dict[str, Any]:
        """JSON types alone, for `plan_from`; folders and addresses of services are left out."""
        made: dict[str, Any] = plain({f.name: getattr(self, f.name) for f in fields(self)})
        made["train"] = _public_source(self.train)
        made["evals"] = {name: _public_source(source) for name, source in self.evals}
        made["embedder"] = without_places(made["embedder"])
        made["judges"] = without_places(made["judges"])
        made["words"] |= {
            name: f"{part}/{whole}"
            for name, (part, whole) in (
                ("threshold", self.words.threshold),
                ("containment", self.words.containment),
            )
        }
        return made


def plan_from(given: Mapping[str, Any], where: str = "plan") -> AuditPlan:
    """Read what `AuditPlan.to_json` wrote, or the table of a plan file.

    Parameters
    ----------
    given : keys as the fields of `AuditPlan`; fractions as "2/5".
    where : stands in messages.

    Raises
    ------
    DataError
        For an unknown key, a missing one, or a value of another type.

    Examples
    --------
    >>> plan = plan_from({"train": {"path": "t.jsonl"}, "evals": {"mini": {"path": "e.jsonl"}}})
    >>> plan_from(plan.to_json()) == plan, plan.words.threshold
    (True, (2, 5))
    """
    known = {f.name for f in fields(AuditPlan)}
    unknown = sorted(set(given) - known)
    if unknown:
        raise DataError(f"{where}: unknown {unknown[0]!r}; known: {', '.join(sorted(known))}")
    for name in ("train", "evals"):
        if not isinstance(given.get(name), Mapping):
            raise DataError(f"{where}: expected a table {name!r}, found {given.get(name)!r}")
    values = dict(given)
    values["train"] = source_from(given["train"], f"{where}: train")
    values["evals"] = tuple(
        (name, source_from(one, f"{where}: evals.{name}")) for name, one in given["evals"].items()
    )
    values["words"] = _words(given.get("words", {}), f"{where}: words")
    if "judges" in values:
        listed = values["judges"]
        if not isinstance(listed, list | tuple):
            raise DataError(f"{where}: judges: expected a list, found {listed!r}")
        if not all(isinstance(one, str | Mapping) for one in listed):
            raise DataError(f"{where}: judges: expected texts and tables, found {listed!r}")
        values["judges"] = tuple(listed)
    for name, kinds in _KINDS.items():
        value = values.get(name)
        if value is not None and (not isinstance(value, kinds) or isinstance(value, bool)):
            raise DataError(f"{where}: {name}: expected {kinds[-1].__name__}, found {value!r}")
    return AuditPlan(**values)


_KINDS: dict[str, tuple[type, ...]] = {
    "embedder": (Mapping, str),
    **dict.fromkeys(
        ("threshold", "floor", "border", "max_removed_share", "max_bad_share"), (int, float)
    ),
    **dict.fromkeys(("k", "generic_tokens", "sample", "seed", "max_row_bytes"), (int,)),
    **dict.fromkeys(("on_bad_row", "threshold_of"), (str,)),
}


def _words(given: Any, where: str) -> Parameters:
    known = {f.name for f in fields(Parameters)}
    if not isinstance(given, Mapping) or set(given) - known:
        raise DataError(f"{where}: expected a table with {', '.join(sorted(known))}")
    values = dict(given)
    for name in ("threshold", "containment"):
        if name in values:
            values[name] = fraction(values[name], f"{where}: {name}")
    for name, kind in (("tokenizer", str), ("n", int), ("short", str)):
        if name in values and type(values[name]) is not kind:
            raise DataError(f"{where}: {name}: expected {kind.__name__}, found {values[name]!r}")
    return Parameters(**values)


def fraction(given: Any, where: str) -> tuple[int, int]:
    """Numerator and denominator of "2/5" or "0.4", in lowest terms; a float is refused.

    Raises
    ------
    DataError
        For anything else.
    """
    try:
        if not isinstance(given, str):
            raise ValueError
        made = Fraction(given)
    except (ValueError, ZeroDivisionError):
        raise DataError(
            f'{where}: expected a fraction as "2/5" or "0.4", found {given!r}'
        ) from None
    return made.numerator, made.denominator


def _spelled(spec: Any) -> Any:
    """A specification that was given as JSON text, as the mapping that it stands for."""
    if not isinstance(spec, str) or not spec.lstrip().startswith("{"):
        return spec
    try:
        return json.loads(spec)
    except (ValueError, RecursionError):
        raise DataError(f"audit: expected a JSON object, found {spec[:80]!r}") from None


def _public_source(source: Source) -> dict[str, Any]:
    made: dict[str, Any] = plain(source)
    return {**made, "path": source.name, "image_root": None}


__all__ = ["BAND", "AuditPlan", "Spec", "fraction", "plan_from"]
