"""The report as one HTML file: no script, no network, every text of the data escaped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.contamination.cards import attribute, card, escape
from harness.contamination.display import (
    Group,
    Words,
    candidate_of,
    displayed,
    facts,
    groups,
    note,
    sentence,
)
from harness.contamination.outcome import Outcome
from harness.contamination.style import CSS
from harness.contamination.texts import TEXTS, Language

# Beside the removed rows, which are all shown: characters of the page for each other group.
BUDGET = 1_500_000
LISTED = 500
_FILES = {"en": "report.html", "zh": "report.zh.html"}


def page(found: Outcome, language: Language) -> str:
    """A whole report as one HTML document.

    Parameters
    ----------
    found : the audit. Its names and texts are untrusted: they are escaped, characters without a
        shape or that reorder others are named by code point, and each text keeps its own
        direction.
    language : `en` or `zh`.

    Returns
    -------
    str
        Verdict, what was compared, tables, then the pairs: all that remove a row, of the others
        as many as fit, with the number of those left out. No script; its policy forbids the
        browser to load anything.

    Raises
    ------
    ValueError
        For another language.
    """
    if language not in TEXTS:
        raise ValueError(f"expected a language of {sorted(TEXTS)}, found {language!r}")
    words = TEXTS[language]
    shown = [group for group in groups(found) if group.pairs]
    parts = [*_head(found, language, words), *_tables(found, words)]
    parts += _filters(found, shown, words)
    if not found.removals:
        parts += [f"<h2>{escape(words['removed_section'])}</h2>", f"<p>{words['none']}</p>"]
    for group in shown:
        parts += _group(found, group, words)
    parts += [*_borderline(found, words), *_contained(found, words)]
    parts += [*_other_questions(found, words), *_faults(found, words)]
    parts += [f"<p class=foot>{escape(words['reproduce'])}</p>", "</main></body></html>"]
    return "\n".join(parts) + "\n"


def _head(found: Outcome, language: Language, words: Words) -> Iterator[str]:
    other = _FILES["zh" if language == "en" else "en"]
    title = f"{words['title']}: {found.scan.train.file}"
    state = "go" if found.go else "no"
    yield (
        f'<!DOCTYPE html>\n<html lang="{"zh-Hans" if language == "zh" else "en"}"><head>'
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">"
        f'<meta name="color-scheme" content="light dark"><title>{attribute(title)}</title>'
        f"<style>{CSS}{_set_rules(found)}</style></head><body><main>"
    )
    yield f"<p class=other><a href={other}>{words['other_language']}</a></p>"
    yield f"<h1>{escape(title)}</h1>"
    yield f"<div class='verdict {state}'><b>{escape(words['go' if found.go else 'no_go'])}</b> "
    yield escape(sentence(found, words))
    if found.scan.nearness is None:
        yield f"<br>{escape(words['stage_2_none'])}"
    if found.issues:
        yield "<ul>" + "".join(f"<li>{escape(str(one))}</li>" for one in found.issues) + "</ul>"
    yield "</div>"
    yield f"<h2>{escape(words['facts'])}</h2><dl>"
    for name, value in facts(found, words):
        yield f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>"
    yield "</dl>"


def _tables(found: Outcome, words: Words) -> Iterator[str]:
    for table in found.tables:
        if not table.rows:
            continue
        heads, rows = displayed(table, words)
        yield f"<h2>{escape(words[f'{table.name}_section'])}</h2>"
        yield from _table(heads, rows)
        yield f"<p class=note>{escape(note(found, table, words))}</p>"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield "<div class=wide><table><thead><tr>"
    yield "".join(f"<th scope=col>{escape(head)}</th>" for head in heads) + "</tr></thead><tbody>"
    for first, *rest in rows:
        cells = "".join(f"<td>{escape(cell)}</td>" for cell in rest)
        yield f"<tr><th scope=row>{escape(first)}</th>{cells}</tr>"
    yield "</tbody></table></div>"


def _filters(found: Outcome, shown: Sequence[Group], words: Words) -> Iterator[str]:
    """Choices that the style sheet obeys: by group and by evaluation set."""
    if not shown:
        return
    kinds = [("all", words["filter_all"])]
    kinds += [(one.name, f"{words[f'filter_{one.name}']} ({len(one.pairs)})") for one in shown]
    sets = [("all", words["filter_all"])]
    sets += [(str(place), one.name) for place, one in enumerate(found.scan.evals)]
    yield "<div class=filters>"
    for name, label, choices in (
        ("g", words["filter_label"], kinds),
        ("s", words["filter_set"], sets),
    ):
        yield f"<fieldset><legend>{escape(label)}</legend>"
        for value, text in choices:
            chosen = " checked" if value == "all" else ""
            yield (
                f"<label><input type=radio name={name} id={name}-{value}{chosen}> "
                f"{escape(text)}</label>"
            )
        yield "</fieldset>"
    yield f"</div><p class=note>{escape(words['legend'])}</p>"


def _set_rules(found: Outcome) -> str:
    names = ("removed", "undecided", "generic", "sample", "neighbour")
    rules = [f"body:has(#g-{name}:checked) section:not(.g-{name})" for name in names]
    rules += [
        f"body:has(#s-{place}:checked) article:not(.s-{place})"
        for place in range(len(found.scan.evals))
    ]
    return ",".join(rules) + "{display:none}"


def _group(found: Outcome, group: Group, words: Words) -> Iterator[str]:
    yield f"<section class=g-{group.name}><h2>{escape(words[f'{group.name}_section'])}</h2>"
    if group.name == "removed":
        yield f"<p class=note>{escape(words['removed_note'].format(n=len(found.removals)))}</p>"
    if group.name == "generic":
        yield f"<p class=note>{escape(words['generic_note'])}</p>"
    places = {one.name: place for place, one in enumerate(found.scan.evals)}
    spent = shown = 0
    for one in group.pairs:
        if group.name != "removed" and (spent > BUDGET or shown >= LISTED):
            break
        made = card(found, one, words, places[candidate_of(one).eval_set])
        spent, shown = spent + len(made), shown + 1
        yield made
    if shown < len(group.pairs):
        left = words["shown"].format(shown=shown, n=len(group.pairs), file="pairs.jsonl")
        yield f"<p class=left>{escape(left)}</p>"
    yield "</section>"


def _listing(
    head: str, told: str, heads: Sequence[str], rows: Sequence[Sequence[str]], words: Words
) -> Iterator[str]:
    if not rows:
        return
    yield f"<h2>{escape(head)}</h2>"
    if told:
        yield f"<p class=note>{escape(told)}</p>"
    yield from _table(heads, rows[:LISTED])
    if len(rows) > LISTED:
        left = words["shown"].format(shown=LISTED, n=len(rows), file="scan.json")
        yield f"<p class=left>{escape(left)}</p>"


def _borderline(found: Outcome, words: Words) -> Iterator[str]:
    rows = [
        [str(one.row), one.eval_set, str(one.item), f"{one.cosine:.7f}"] for one in found.borderline
    ]
    heads = [words[name] for name in ("row", "set", "item", "cosine")]
    yield from _listing(words["borderline_section"], words["borderline_note"], heads, rows, words)


def _contained(found: Outcome, words: Words) -> Iterator[str]:
    rows = [
        [str(one.row), one.eval_set, str(one.item), f"{one.shared}/{one.item_shingles}"]
        for one in found.scan.findings.contained
    ]
    heads = [words[name] for name in ("row", "set", "item", "share")]
    yield from _listing(words["contained_section"], "", heads, rows, words)


def _other_questions(found: Outcome, words: Words) -> Iterator[str]:
    rows = [
        [
            *(str(one.row), one.eval_set, str(one.item), f"{float(one.jaccard):.3f}"),
            "" if one.cosine is None else f"{one.cosine:.4f}",
        ]
        for one in found.scan.other_questions
    ]
    heads = [*(words[name] for name in ("row", "set", "item")), "Jaccard", words["cosine"]]
    told = words["other_questions_note"]
    yield from _listing(words["other_questions_section"], told, heads, rows, words)


def _faults(found: Outcome, words: Words) -> Iterator[str]:
    sides = [(found.scan.train.file, found.scan.faults)]
    sides += [(one.file, one.faults) for one in found.scan.evals]
    rows = [[file, str(one.line), one.why] for file, faults in sides for one in faults]
    heads = [words[name] for name in ("file", "line", "why")]
    yield from _listing(words["faults_section"], "", heads, rows, words)


__all__ = ["BUDGET", "LISTED", "page"]
