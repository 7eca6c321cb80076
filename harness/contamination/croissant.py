"""Croissant 1.0 metadata of a cleaned set: one file, its fields with their types, its layout."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from harness import __version__

NAME = "croissant.json"
_TERMS = """citeAs column conformsTo cr data dataType dct equivalentProperty examples extract field
fileProperty fileObject fileSet format includes isLiveDataset jsonPath key md5 parentField path rai
recordSet references regex repeated replace samplingRate sc separator source subField transform"""
_NAMESPACES = {
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "sc": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
}
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    **{term: _NAMESPACES.get(term, f"cr:{term}") for term in _TERMS.split()},
}
_FORMATS = {
    "jsonl": "application/jsonlines",
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "parquet": "application/x-parquet",
}
_TYPES = {
    "text": "sc:Text",
    "integer": "sc:Integer",
    "float": "sc:Float",
    "boolean": "sc:Boolean",
    "image": "sc:ImageObject",
}
# Layouts of the published sets: fields that a record has to have, the more telling ones first.
LAYOUTS = {
    "rl": ("data_source", "prompt", "images", "reward_model", "extra_info"),
    "olympiad": (
        *("source", "messages", "solution", "metadata.difficulty", "metadata.language"),
        "metadata.licence",
    ),
    "corpus": ("source", "messages", "solution", "metadata"),
}
_MEANINGS = {
    "source": "where the problem comes from",
    "data_source": "where the problem comes from",
    "messages.role": "who speaks in each turn",
    "messages.content": "what is said in each turn; the user's turns are the problem",
    "prompt.role": "who speaks in each turn",
    "prompt.content": "what is said in each turn; the user's turns are the problem",
    "solution": "worked solution or short answer",
    "metadata.difficulty": "as the organisers give it, 1 to 10",
    "metadata.language": "en, et or en-et",
    "metadata.licence": "licence of the problem",
    "metadata.license": "licence of the problem",
    "reward_model.ground_truth": "the answer that is rewarded",
    "reward_model.style": "how an answer is compared",
    "extra_info.answer": "the answer",
    "extra_info.has_image": "whether a picture belongs to the problem",
    "extra_info.index": "place in its source",
    "extra_info.split": "split of its source",
}
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_INTEGER = re.compile(r"-?(?:0|[1-9]\d*)", re.ASCII)
_FLOAT = re.compile(r"-?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_DEEPEST = 4


@dataclass(frozen=True, order=True)
class Leaf:
    """One field of the records.

    Parameters
    ----------
    path : its name, and those of the records that it lies in.
    kind : `text`, `integer`, `float`, `boolean` or `image`.
    repeated : it, or a record around it, stands in a list.
    """

    path: tuple[str, ...]
    kind: str
    repeated: bool = False

    @property
    def name(self) -> str:
        """Dotted, as `metadata.difficulty`."""
        return ".".join(self.path)


class Fields:
    """Fields of records and their types, gathered from each record in turn.

    A field that is sometimes a record and sometimes a value, or a list in a list, has no type in
    Croissant and is left out; `left_out` names it.

    Examples
    --------
    >>> seen = Fields()
    >>> seen.see({"q": "why?", "meta": {"level": 3}, "tags": ["a"]})
    >>> [(leaf.name, leaf.kind, leaf.repeated) for leaf in seen.leaves()]
    [('q', 'text', False), ('meta.level', 'integer', False), ('tags', 'text', True)]
    """

    def __init__(self, *, words: bool = False) -> None:
        self._kinds: dict[tuple[str, ...], set[str]] = {}
        self._repeated: dict[tuple[str, ...], set[bool]] = {}
        self._words = words
        self.left_out: set[str] = set()

    def see(self, record: Mapping[str, Any]) -> None:
        """Take in one record: values as JSON has them, or texts alone (`words`, CSV)."""
        for name, value in record.items():
            self._see((str(name),), value, False)

    def leaves(self) -> tuple[Leaf, ...]:
        """The fields in the order in which they were first seen."""
        made = []
        for path, kinds in self._kinds.items():
            around = any(len(path) > n and path[:n] in self._kinds for n in range(1, len(path)))
            below = any(other[: len(path)] == path for other in self._kinds if other != path)
            repeated = self._repeated[path]
            if around or below or len(repeated) > 1 or ("image" in kinds and len(kinds) > 1):
                self.left_out.add(".".join(path))
            else:
                made.append(Leaf(path, _common(kinds), True in repeated))
        return tuple(made)

    def _see(self, path: tuple[str, ...], value: Any, repeated: bool) -> None:
        if value is None or (self._words and value == ""):
            return
        if isinstance(value, Mapping):
            if value.keys() == {"bytes", "path"}:
                self._note(path, "image", repeated)
            elif len(path) < _DEEPEST:
                for name, inner in value.items():
                    self._see((*path, str(name)), inner, repeated)
            else:
                self.left_out.add(".".join(path))
        elif isinstance(value, list | tuple):
            if repeated:
                self.left_out.add(".".join(path))
                return
            for inner in value:
                self._see(path, inner, True)
        else:
            self._note(path, self._kind(value), repeated)

    def _kind(self, value: Any) -> str:
        if isinstance(value, bytes | bytearray):
            return "image"
        if isinstance(value, str) and self._words:
            if _INTEGER.fullmatch(value):
                return "integer"
            return "float" if _FLOAT.fullmatch(value) else "text"
        kinds = {bool: "boolean", int: "integer", float: "float"}
        return kinds.get(type(value), "text")

    def _note(self, path: tuple[str, ...], kind: str, repeated: bool) -> None:
        self._kinds.setdefault(path, set()).add(kind)
        self._repeated.setdefault(path, set()).add(repeated)


def layout(leaves: Sequence[Leaf]) -> str:
    """Which published layout the fields have: `rl`, `olympiad`, `corpus`, or `rows` for none."""
    names = {".".join(leaf.path[:n]) for leaf in leaves for n in range(1, len(leaf.path) + 1)}
    names |= {name.replace("metadata.license", "metadata.licence") for name in names}
    return next((kind for kind, needed in LAYOUTS.items() if names.issuperset(needed)), "rows")


def metadata(
    *,
    file: str,
    kind: str,
    sha256: str,
    size: int,
    n_rows: int,
    leaves: Sequence[Leaf],
    description: str,
    id_field: str | None = None,
    left_out: Sequence[str] = (),
) -> dict[str, Any]:
    """Describe a set of one file as JSON-LD (MLCommons Croissant 1.0).

    Licence, address and date of publication are left out: what cleans a set cannot know them.
    Whoever publishes it adds them.

    Parameters
    ----------
    file : name beside the metadata.
    kind : `jsonl`, `csv`, `tsv` or `parquet`.
    sha256, size : of the file as it lies there; bytes.
    n_rows : records in it.
    leaves : of `Fields`.
    description : what was done to the set.
    id_field : the field that names a record, if one does.
    left_out : fields without a type in Croissant.

    Examples
    --------
    >>> made = metadata(file="cleaned.jsonl", kind="jsonl", sha256="0" * 64, size=1, n_rows=1,
    ...                 leaves=[Leaf(("q",), "text")], description="one row")
    >>> made["recordSet"][0]["field"][0]["source"]["extract"]
    {'column': 'q'}
    """
    records = layout(leaves)
    what = f"{n_rows} records" if records == "rows" else f"{n_rows} records, layout {records!r}"
    if left_out:
        what += f"; fields without a type of their own: {', '.join(sorted(left_out))}"
    made: dict[str, Any] = {
        "@type": "cr:RecordSet",
        "@id": records,
        "name": records,
        "description": what,
        "field": [_field(leaf, records) for leaf in leaves],
    }
    if id_field is not None and any(leaf.name == id_field for leaf in leaves):
        made["key"] = {"@id": f"{records}/{id_field}"}
    packed = ", compressed by gzip" if file.endswith(".gz") else ""
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": PurePath(file).name.partition(".")[0],
        "description": description,
        "citeAs": f"Assay {__version__}, python -m harness audit",
        "version": "1.0.0",
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": "rows-file",
                "name": "rows-file",
                "description": f"one record a row{packed}",
                "contentUrl": file,
                "contentSize": f"{size} B",
                "encodingFormat": _FORMATS[kind],
                "sha256": sha256,
            }
        ],
        "recordSet": [made] if leaves else [],
    }


def _field(leaf: Leaf, records: str) -> dict[str, Any]:
    column, *inner = leaf.path
    source: dict[str, Any] = {"fileObject": {"@id": "rows-file"}, "extract": {"column": column}}
    steps = list(inner)
    if leaf.kind == "image":
        steps.append("bytes")
    if steps:
        path = ".".join(step if _NAME.fullmatch(step) else f"'{step}'" for step in steps)
        source["transform"] = {"jsonPath": path}
    made = {
        "@type": "cr:Field",
        "@id": f"{records}/{leaf.name}",
        "name": leaf.name,
        "description": _MEANINGS.get(leaf.name, leaf.name),
        "dataType": _TYPES[leaf.kind],
        "source": source,
    }
    return {**made, "repeated": True} if leaf.repeated else made


def _common(kinds: set[str]) -> str:
    if len(kinds) == 1:
        return next(iter(kinds))
    return "float" if kinds == {"integer", "float"} else "text"


__all__ = ["LAYOUTS", "NAME", "Fields", "Leaf", "layout", "metadata"]
