"""The report for people, in Markdown: English or Chinese, from the metrics alone."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from harness.report import figures
from harness.report.audits import audit_lines
from harness.report.escape import inline, table
from harness.report.texts import TEXTS, Language
from harness.types import OUTCOMES

_NO_MEASUREMENT = ("baseline", "fake", "replay")
_NONE = "–"
# Facts of more lines than this are told once.
_LONG = 5
_Words = Mapping[str, str]


def report(metrics: Mapping[str, Any], language: Language) -> str:
    """A whole report as Markdown text.

    Parameters
    ----------
    metrics : what `harness.report.metrics.build` returns. Names and messages in it are
        untrusted and are escaped.
    language : ``en`` or ``zh``.

    Returns
    -------
    str
        Verdict with its reasons, what was compared, cells, gates, failed items,
        conventions and provenance. It ends with one line break.

    Raises
    ------
    ValueError
        For another language.
    """
    if language not in TEXTS:
        raise ValueError(f"expected a language of {sorted(TEXTS)}, found {language!r}")
    words = TEXTS[language]
    sections = (
        _banner(metrics, words),
        _compared(metrics, words),
        _cells(metrics["cells"], words),
        _gates(metrics["gates"], words, language),
        _failed(metrics["items_failed"], words),
        _conventions(metrics, words),
        _provenance(metrics["provenance"], words),
    )
    lines = [line for section in sections for line in section]
    return "\n".join(lines).rstrip("\n") + "\n"


def _banner(metrics: Mapping[str, Any], words: _Words) -> list[str]:
    verdict, study = metrics["verdict"], metrics["study"]
    name = words["go"] if verdict["go"] else words["no_go"]
    lines = [f"# {words['title']}: {inline(study['name'])} — {name}", ""]
    if verdict["go"]:
        sentence = words["go_sentence"].format(
            n_gates=len(metrics["gates"]), n_cells=len(metrics["cells"])
        )
        lines += [f"**{name}.** {sentence}", ""]
    else:
        sentence = words["no_go_sentence"].format(n=len(verdict["reasons"]))
        lines += [f"**{name}.** {sentence}", ""]
        lines += [f"- {inline(reason)}" for reason in verdict["reasons"]] + [""]
    return [*lines, words["other_language"], ""]


def _compared(metrics: Mapping[str, Any], words: _Words) -> list[str]:
    run, study, cells = metrics["run"], metrics["study"], metrics["cells"]
    level = study["claim_level"]
    seconds = words["seconds"].format(seconds=figures.plain(run["seconds"]))
    facts = {
        "study": f"{inline(study['name'])} ({words['seed']} {study['seed']}, "
        f"SHA-256 {study['sha256'][:12]})",
        "run": f"{inline(run['id'])}, {words['started']} {inline(run['started'])}, {seconds}",
        "tiers": _listed(run["tiers"]),
        "data": _listed(_data_name(cell) for cell in cells),
        "models": _listed(cell["model"] for cell in cells),
        "views": _listed(cell["view"] for cell in cells),
        "prompts": _listed(cell["prompt"] for cell in cells),
        "claim": words["claim_none" if level is None else f"claim_{level}"],
        "items": words["items_value"].format(
            reported=run["n_reported"], collected=run["n_collected"], workers=run["n_workers"]
        ),
        "device": inline(run["device"]),
        "selection": inline("; ".join(run["selection"]) or words["selection_none"]),
        "generation": words["generation_on" if run["generated"] else "generation_off"],
    }
    return [f"## {words['study_section']}", "", *_facts(facts, words)]


def _facts(facts: Mapping[str, str], words: _Words) -> list[str]:
    return [*(f"- {words[name]}: {text}" for name, text in facts.items()), ""]


def _listed(names: Any) -> str:
    return ", ".join(inline(name) for name in sorted(set(names))) or _NONE


def _data_name(cell: Mapping[str, Any]) -> str:
    return f"{cell['data']} ({cell['split']})" if cell["split"] else str(cell["data"])


def _cells(cells: Sequence[Mapping[str, Any]], words: _Words) -> list[str]:
    head = [f"## {words['cells_section']}", ""]
    if not cells:
        return [*head, words["no_cells"], ""]
    counted = [outcome for outcome in OUTCOMES if outcome != "answered"]
    names = ("tier", "experiment", "data_set", "model", "view", "prompt", "accuracy", "parse_rate")
    heads = [words[name] for name in names]
    heads += [words[f"outcome_{outcome}"] for outcome in counted] + [words["claim_short"]]
    return [*head, *table(heads, [_cell(cell, counted, words) for cell in cells])]


def _cell(cell: Mapping[str, Any], counted: Sequence[str], words: _Words) -> list[str]:
    prompt = cell["prompt"] + (f" / {cell['variant']}" if cell["variant"] else "")
    names = (cell["tier"], cell["experiment"], _data_name(cell), cell["model"], cell["view"])
    row = [inline(name) for name in (*names, prompt)]
    if not cell["complete"]:
        row += [words["incomplete"], *[_NONE] * (len(counted) + 1)]
        return [*row, _claim(cell, words)]
    rate = cell["parse_rate"]
    return [
        *row,
        figures.accuracy(cell["accuracy"], words["undefined"]),
        _NONE if rate is None else figures.percent(rate),
        *(str(cell["outcomes"][outcome]) for outcome in counted),
        _claim(cell, words),
    ]


def _claim(cell: Mapping[str, Any], words: _Words) -> str:
    """The claim level, with what keeps a row from being a measurement of a model."""
    notes = [cell["claim_level"] or _NONE]
    notes += [words["smoke"]] if cell["tier"] == "canary" else []
    notes += [words[f"source_{cell['source']}"]] if cell["source"] in _NO_MEASUREMENT else []
    return ", ".join(notes)


def _gates(gates: Sequence[Mapping[str, Any]], words: _Words, language: Language) -> list[str]:
    head = [f"## {words['gates_section']}", ""]
    if not gates:
        return [*head, words["no_gates"], ""]
    names = ("verdict", "gate", "subject", "tier", "facts", "issues")
    told: dict[tuple[str, str], str] = {}
    rows = [_gate(gate, _facts_of(gate, told, words), words) for gate in gates]
    return [*head, *audit_lines(gates, language), *table([words[n] for n in names], rows)]


def _facts_of(gate: Mapping[str, Any], told: dict[tuple[str, str], str], words: _Words) -> str:
    """The facts; where they are long and another subject of the same gate had them, whose."""
    text = figures.facts(gate["facts"], words["more_facts"])
    key = (str(gate["gate"]), json.dumps(gate["facts"], sort_keys=True))
    first = told.setdefault(key, str(gate["subject"]))
    if first == str(gate["subject"]) or text.count("<br>") < _LONG:
        return text or _NONE
    return words["same_facts"].format(subject=inline(first))


def _gate(gate: Mapping[str, Any], facts: str, words: _Words) -> list[str]:
    verdict = {True: words["go"], False: words["no_go"], None: words["no_verdict"]}[gate["go"]]
    issues = (f"{i['code']}: {i['where']}: {i['message']}" for i in gate["issues"])
    return [
        verdict,
        inline(gate["gate"]),
        inline(gate["subject"]),
        inline(gate["tier"]),
        facts,
        "<br>".join(inline(issue) for issue in issues) or _NONE,
    ]


def _failed(items: Sequence[Mapping[str, Any]], words: _Words) -> list[str]:
    head = [f"## {words['failed_section']}", ""]
    if not items:
        return [*head, words["no_failed"], ""]
    rows = [[inline(entry["item"]), inline(entry["reason"]) or _NONE] for entry in items]
    return [*head, *table([words["item"], words["reason"]], rows)]


def _conventions(metrics: Mapping[str, Any], words: _Words) -> list[str]:
    rules, study = metrics["conventions"], metrics["study"]
    first = {k: v for k, v in study["thresholds_first"].items() if k != "unknown"}
    unknown = study["thresholds_first"].get("unknown", ())
    if first == study["thresholds"]:
        frozen = words["thresholds_same"].format(digest=study["thresholds_sha256"][:12])
    else:
        frozen = words["thresholds_changed"].format(first=inline(figures.plain(first)))
    if unknown:
        frozen = words["thresholds_unknown"].format(asked=", ".join(inline(q) for q in unknown))
    versions = ", ".join(inline(v) for v in rules["scorer_versions"]) or _NONE
    sentences = [
        words["denominator"].format(
            inside=_quoted(rules["accuracy_denominator"]),
            outside=_quoted(rules["outside_denominator"]),
        ),
        words["interval"].format(method=rules["accuracy_interval"], level=rules["level"]),
        words["pairing"].format(key=inline(rules["pairing"])),
        words["scorer"].format(versions=versions),
        f"{words['thresholds']}: {inline(figures.plain(study['thresholds']))}; {frozen}",
    ]
    return [f"## {words['conventions_section']}", "", *(f"- {s}" for s in sentences), ""]


def _quoted(outcomes: Sequence[str]) -> str:
    return ", ".join(f"`{outcome}`" for outcome in outcomes)


def _provenance(origin: Mapping[str, Any], words: _Words) -> list[str]:
    commit = origin["git_commit"] or words["no_commit"]
    if origin["git_dirty"]:
        commit += f", {words['dirty']}"
    packages = origin["packages"].items()
    machine = [f"{origin['system']} {origin['machine']}", *origin["devices"]]
    if origin["n_cpus"] is not None:
        machine.insert(1, words["cpus"].format(n=origin["n_cpus"]))
    facts = {
        "version": inline(origin["version"]),
        "commit": inline(commit),
        "python": inline(origin["python"]),
        "platform": ", ".join(inline(part) for part in machine),
        "packages": ", ".join(f"{inline(n)} {inline(v or words['absent'])}" for n, v in packages),
    }
    return [f"## {words['provenance_section']}", "", *_facts(facts, words)]


__all__ = ["report"]
