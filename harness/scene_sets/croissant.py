"""Croissant 1.0 metadata of a set: what its files are, for people and for loaders."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness import __version__, ids
from harness.scene_sets.freezing import MANIFEST
from harness.scene_sets.plan import Plan
from harness.scene_sets.specimen import PICTURES
from harness.scenes.triplet import VARIANTS

NAME = "croissant.json"
_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
_FIELDS = {
    "id": "unique name of the triplet or item",
    "factor": "what the question is about",
    "question": "asked about every picture of the specimen",
    "candidates": "the answers A and B, in this order",
}


def write(plan: Plan, folder: Path, rows: Sequence[dict[str, Any]]) -> None:
    """Write the metadata of a frozen set beside it."""
    text = json.dumps(metadata(plan, folder, rows), indent=1, ensure_ascii=True)
    (folder / NAME).write_text(text + "\n", encoding="ascii")


def metadata(plan: Plan, folder: Path, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The metadata as JSON-LD (MLCommons Croissant 1.0).

    Paths are relative to the folder. A date of publication and an address are left out: the
    program that makes a set cannot know them; whoever publishes it adds them. The licence is
    that of the generator.
    """
    unit = "triplets of a base picture, a relevant and an irrelevant edit"
    what = "single pictures with a question" if plan.kind == "static" else unit
    seed = "the factor's own" if plan.seed is None else str(plan.seed)
    variants = [name for name in VARIANTS if rows and name in rows[0]["gold"]]
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": f"assay-scenes-{plan.kind}",
        "description": (
            f"{len(rows)} {what}, over generated scenes in the style of CLEVR; factors "
            f"{', '.join(plan.factors)}; master seed {seed}, direction {plan.direction}, pictures "
            f"of {plan.sizes[0]}. A mechanism check: no claim about photographs."
        ),
        "citeAs": f"Assay {__version__}, python -m harness scenes make --kind {plan.kind}",
        "license": "https://spdx.org/licenses/Apache-2.0.html",
        "version": "1.0.0",
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": "manifest",
                "name": "manifest",
                "description": "one specimen a line: scenes, question, answers, hashes of pixels",
                "contentUrl": MANIFEST,
                "encodingFormat": "application/jsonlines",
                "sha256": ids.file_digest(folder / MANIFEST),
            },
            {
                "@type": "cr:FileSet",
                "@id": "pictures",
                "name": "pictures",
                "description": "named by specimen and variant",
                "encodingFormat": "image/png",
                "includes": f"{PICTURES}/*.png",
            },
        ],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": "specimens",
                "name": "specimens",
                "key": {"@id": "specimens/id"},
                "field": [
                    *(_of_row(name, meaning) for name, meaning in _FIELDS.items()),
                    *(_gold(variant) for variant in variants),
                ],
            },
            {
                "@type": "cr:RecordSet",
                "@id": "images",
                "name": "images",
                "field": [
                    _of_file("filename", "sc:Text", "filename", "<specimen>_<variant>.png"),
                    _of_file("image", "sc:ImageObject", "content", "the picture"),
                ],
            },
        ],
    }


def _of_row(name: str, meaning: str) -> dict[str, Any]:
    source = {"fileObject": {"@id": "manifest"}, "extract": {"column": name}}
    field = _field(f"specimens/{name}", meaning, "sc:Text", source)
    return {**field, "repeated": True} if name == "candidates" else field


def _gold(variant: str) -> dict[str, Any]:
    source = {
        "fileObject": {"@id": "manifest"},
        "extract": {"column": "gold"},
        "transform": {"jsonPath": variant},
    }
    meaning = f"the right letter for the {variant} picture"
    return _field(f"specimens/gold_{variant}", meaning, "sc:Text", source)


def _of_file(name: str, kind: str, prop: str, meaning: str) -> dict[str, Any]:
    source = {"fileSet": {"@id": "pictures"}, "extract": {"fileProperty": prop}}
    return _field(f"images/{name}", meaning, kind, source)


def _field(name: str, meaning: str, kind: str, source: dict[str, Any]) -> dict[str, Any]:
    return {
        "@type": "cr:Field",
        "@id": name,
        "name": name.rpartition("/")[2],
        "description": meaning,
        "dataType": kind,
        "source": source,
    }


__all__ = ["NAME", "metadata", "write"]
