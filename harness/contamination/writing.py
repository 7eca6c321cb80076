"""The files of an audit: figures, pairs, the cleaned set, manifest and reports."""

from __future__ import annotations

import json
import os
import platform
import secrets
import shutil
import time
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from harness import ids
from harness.audit.canaries import canaries
from harness.audit.pairs import Judge
from harness.contamination import croissant
from harness.contamination.copies import copy_without
from harness.contamination.croissant import Fields
from harness.contamination.html import page
from harness.contamination.listing import pair_lines, removal_json
from harness.contamination.markdown import document
from harness.contamination.outcome import Outcome
from harness.contamination.plan import AuditPlan
from harness.contamination.readers import records
from harness.contamination.scan import Scan
from harness.contamination.sources import Source
from harness.contamination.typed import jsonable
from harness.errors import DataError, StoreError
from harness.locks import try_lock
from harness.provenance import provenance

MANIFEST = "manifest.json"
COUNTS, PAIRS, REMOVED = "counts.json", "pairs.jsonl", "removed.jsonl"
PAGES = {"report.html": "en", "report.zh.html": "zh", "report.md": "en", "report.zh.md": "zh"}
_DRAFT, _TRY_AGAIN_S = ".audit-", 0.05
# What a Croissant reader needs is there after so many rows; a later type is a later surprise.
_LOOKED_AT = 100_000


def write(
    found: Outcome,
    scan: Scan,
    out: Path,
    train: Source | None = None,
    judges: Sequence[Judge] = (),
) -> dict[str, Path]:
    """Write what an audit comes to; a NO-GO is written like a GO.

    Each file is put in place whole, and the manifest last: a folder whose manifest names
    `files` with their hashes is complete.

    Parameters
    ----------
    found : the audit.
    scan : the same as `found.scan`; whoever has both cannot mix two up.
    out : folder; made if need be. What else lies there stays.
    train : where the training file lies now; None for where the plan says.
    judges : that were asked: what they say of themselves goes into the manifest.

    Returns
    -------
    dict
        Name of each file to its path.

    Raises
    ------
    DataError
        When the folder holds another audit, or the training file is not the one that was
        scanned.
    StoreError
        When something cannot be written.
    """
    if scan.plan.fingerprint != found.scan.plan.fingerprint:
        raise DataError("write: expected the scan that the outcome was made of, found another")
    source = train or scan.plan.train
    draft = out / f"{_DRAFT}{secrets.token_hex(4)}"
    try:
        out.mkdir(parents=True, exist_ok=True)
        with _alone(out):
            refuse_other(scan, out)
            draft.mkdir()
            names = _files(found, source, draft, judges)
            (out / MANIFEST).unlink(missing_ok=True)
            for name in [*names, MANIFEST]:
                os.replace(draft / name, out / name)
    except OSError as error:
        raise StoreError(
            f"cannot write to {out.name}: {error.strerror}; expected room in a writable folder"
        ) from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return {name: out / name for name in [*names, MANIFEST]}


def refuse_other(scan: Scan, out: Path) -> None:
    """Refuse a folder that holds the audit of another training file, other sets or other words.

    Judges, sample and limits may change: such an audit replaces the one that is there.

    Raises
    ------
    DataError
        Naming what differs.
    """
    _refuse(out, _fingerprint(scan))


def refuse_before(plan: AuditPlan, out: Path) -> None:
    """The same before anything is scanned; files that cannot be read are left to the scan."""
    if not (out / MANIFEST).exists():
        return
    try:
        hashes = {name: ids.file_digest(one.path) for name, one in plan.evals}
        _refuse(out, _scan_fingerprint(plan, ids.file_digest(plan.train.path), hashes))
    except OSError:
        return


def _refuse(out: Path, fingerprint: str) -> None:
    path = out / MANIFEST
    if not path.exists():
        return
    try:
        held = json.loads(path.read_text("utf-8"))["scan_fingerprint"]
    except (OSError, ValueError, KeyError, TypeError):
        raise DataError(
            f"{out.name}: its {MANIFEST} is not that of an audit; name another folder (--out)"
        ) from None
    if held != fingerprint:
        raise DataError(
            f"{out.name} holds another audit (other files, or other parameters of stages 1 and "
            "2); name another folder (--out), or remove this one"
        )


def cleaned_name(source: Source) -> str:
    """Name of the cleaned set: `cleaned` with the endings of the training file."""
    path = Path(source.path)
    packed = path.suffix if source.packed else ""
    ending = (path.with_suffix("") if packed else path).suffix or f".{source.kind}"
    return f"cleaned{ending}{packed}"


def manifest(found: Outcome, files: dict[str, str], judges: Sequence[Judge] = ()) -> dict[str, Any]:
    """Every parameter, version and hash that the audit rests on; no folder, host or user.

    Parameters
    ----------
    found : the audit.
    files : name of each file that was written to its SHA-256.
    judges : as in `write`: of a served model its `identity` (model, prompt, decoding), and what
        it `spent`, all runs together.
    """
    scan = found.scan
    made = provenance()
    made["packages"] = {**made["packages"], "numpy": np.__version__}
    return {
        "kind": "contamination-audit",
        "version": 1,
        "go": found.go,
        "command": command(scan),
        "plan": scan.plan.to_json(),
        "plan_fingerprint": scan.plan.fingerprint,
        "scan_fingerprint": _fingerprint(scan),
        "train": jsonable(scan.train),
        "evals": [
            {key: value for key, value in jsonable(one).items() if key != "faults"}
            | {"faults": len(one.faults)}
            for one in scan.evals
        ],
        "embedder": None if scan.embedder is None else jsonable(scan.embedder),
        "embedder_fingerprint": None if scan.embedder is None else scan.embedder.fingerprint(),
        "near": jsonable(scan.near),
        "judges": [] if found.agreement is None else list(found.agreement.panel.judges),
        "judge_records": [
            {"name": one.name}
            | {part: getattr(one, part) for part in ("identity", "spent") if hasattr(one, part)}
            for one in judges
        ],
        "canaries": [
            {"name": one.name, "row": one.row, "item": one.item}
            for one in canaries(scan.plan.words)
        ],
        "sightings": jsonable(scan.sightings),
        "vector_sightings": jsonable(scan.vector_sightings),
        "unicode": unicodedata.unidata_version,
        "python_implementation": platform.python_implementation(),
        "provenance": made,
        "files": files,
    }


def command(scan: Scan) -> str:
    """A call beside the manifest that repeats the audit; names of files instead of paths."""
    parts = ["python -m harness audit", "--plan", MANIFEST, "--train", scan.train.file]
    for one in scan.evals:
        parts += ["--eval", f"{one.name}={one.file}"]
    return " ".join([*parts, "--out", "OUT"])


def _files(found: Outcome, source: Source, draft: Path, judges: Sequence[Judge]) -> list[str]:
    """Write all files to the draft; their names, the manifest's left out."""
    scan = found.scan
    _lines(draft / PAIRS, pair_lines(found))
    _lines(draft / REMOVED, (removal_json(found, one) for one in found.removals))
    _text(draft / COUNTS, json.dumps(found.counts(), indent=1, allow_nan=False) + "\n")
    for name, language in PAGES.items():
        make = page if name.endswith(".html") else document
        _text(draft / name, make(found, "zh" if language == "zh" else "en"))
    cleaned = cleaned_name(source)
    if ids.file_digest(source.path) != scan.train.sha256:
        raise DataError(
            f"{source.name}: expected the file that was scanned, found other content; name the "
            f"{scan.train.file} that was"
        )
    kept, _ = copy_without(source, found.removed, draft / cleaned, scan.plan.max_row_bytes)
    _text(draft / croissant.NAME, _metadata(found, source, draft / cleaned, kept))
    names = [cleaned, COUNTS, PAIRS, REMOVED, *PAGES, croissant.NAME]
    hashes = {name: ids.file_digest(draft / name) for name in sorted(names)}
    text = json.dumps(manifest(found, hashes, judges), indent=1, ensure_ascii=True, allow_nan=False)
    _text(draft / MANIFEST, text + "\n")
    return names


def _metadata(found: Outcome, source: Source, cleaned: Path, kept: int) -> str:
    scan = found.scan
    seen = Fields(words=source.kind in ("csv", "tsv"))
    here = Source(str(cleaned), format=source.kind)
    for number, record in enumerate(records(here, 0, _LOOKED_AT, scan.plan.max_row_bytes)):
        if record.values is not None and number < _LOOKED_AT:
            seen.see(record.values)
    leaves = seen.leaves()
    sets = ", ".join(f"{one.name} ({one.file}, SHA-256 {one.sha256})" for one in scan.evals)
    verdict = "GO" if found.go else "NO-GO, see report.html: not to be relied on"
    made = croissant.metadata(
        file=cleaned.name,
        kind=source.kind,
        sha256=ids.file_digest(cleaned),
        size=cleaned.stat().st_size,
        n_rows=kept,
        leaves=leaves,
        description=(
            f"{scan.train.file} (SHA-256 {scan.train.sha256}) without the {len(found.removals)} of "
            f"{scan.train.rows} rows that an audit calls duplicates of items of {sets}. Verdict of "
            f"the audit: {verdict}. Licence and terms are those of the original set."
        ),
        id_field=source.id_field,
        left_out=sorted(seen.left_out),
    )
    return json.dumps(made, indent=1, ensure_ascii=True) + "\n"


def _fingerprint(scan: Scan) -> str:
    hashes = {one.name: one.sha256 for one in scan.evals}
    return _scan_fingerprint(scan.plan, scan.train.sha256, hashes)


def _scan_fingerprint(plan: AuditPlan, train: str, evals: dict[str, str]) -> str:
    """Of the plan and of the content of all files."""
    return ids.digest([plan.scan_fingerprint, train, evals])


@contextmanager
def _alone(out: Path) -> Iterator[None]:
    """One process at a time writes to a folder; drafts of those that were killed go."""
    descriptor = os.open(out, os.O_RDONLY)
    try:
        while not try_lock(descriptor, exclusive=True):
            time.sleep(_TRY_AGAIN_S)
        for left in out.glob(f"{_DRAFT}*"):
            shutil.rmtree(left, ignore_errors=True)
        yield
    finally:
        os.close(descriptor)


def _lines(path: Path, values: Iterable[dict[str, Any]]) -> None:
    with open(path, "w", encoding="ascii", newline="\n") as handle:
        handle.writelines(json.dumps(one, allow_nan=False) + "\n" for one in values)


def _text(path: Path, text: str) -> None:
    # Lone halves of surrogate pairs are named by code point in reports; names may hold some.
    path.write_text(text, encoding="utf-8", errors="replace", newline="\n")


__all__ = [
    *("COUNTS", "MANIFEST", "PAGES", "PAIRS", "REMOVED", "cleaned_name", "command", "manifest"),
    *("refuse_before", "refuse_other", "write"),
]
