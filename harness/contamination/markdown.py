"""The report as Markdown: the tables, and every removed row beside its neighbours."""

from __future__ import annotations

from collections.abc import Iterator

from harness.contamination.display import Words, displayed, facts, figures, groups, note, sentence
from harness.contamination.marking import marked
from harness.contamination.outcome import Outcome
from harness.contamination.texts import TEXTS, Language
from harness.report.escape import inline, table

# Characters of a text that are shown; the page and pairs.jsonl have more.
WINDOW = 1_200
_FILES = {"en": "report.md", "zh": "report.zh.md"}


def document(found: Outcome, language: Language) -> str:
    """A whole report as Markdown text.

    Parameters
    ----------
    found : the audit; its names and texts are untrusted and are escaped.
    language : `en` or `zh`.

    Returns
    -------
    str
        Verdict, what was compared, tables, every removed row beside the items that it is a
        duplicate of, and how many pairs of other kinds there are. It ends with one line break.

    Raises
    ------
    ValueError
        For another language.
    """
    if language not in TEXTS:
        raise ValueError(f"expected a language of {sorted(TEXTS)}, found {language!r}")
    words = TEXTS[language]
    lines = [*_head(found, language, words), *_tables(found, words), *_pairs(found, words)]
    return "\n".join([*lines, words["reproduce"]]).rstrip("\n") + "\n"


def _head(found: Outcome, language: Language, words: Words) -> Iterator[str]:
    verdict = words["go" if found.go else "no_go"]
    other = _FILES["zh" if language == "en" else "en"]
    yield from (f"# {words['title']}: {inline(found.scan.train.file)} — {verdict}", "")
    yield from (f"**{verdict}.** {sentence(found, words)}", "")
    if found.scan.nearness is None:
        yield from (words["stage_2_none"], "")
    if found.issues:
        yield from (*(f"- {inline(str(one))}" for one in found.issues), "")
    yield from (f"{words['other_language']}: [{other}]({other})", "", f"## {words['facts']}", "")
    yield from (f"- {words_}: {inline(value)}" for words_, value in facts(found, words))
    yield ""


def _tables(found: Outcome, words: Words) -> Iterator[str]:
    for one in found.tables:
        if not one.rows:
            continue
        heads, rows = displayed(one, words)
        yield from (f"## {words[f'{one.name}_section']}", "")
        yield from table([inline(h) for h in heads], [[inline(c) for c in row] for row in rows])
        yield from (note(found, one, words), "")


def _pairs(found: Outcome, words: Words) -> Iterator[str]:
    scan = found.scan
    yield from (f"## {words['removed_section']}", "")
    if not found.removals:
        yield from (words["none"], "")
    else:
        yield from (words["removed_note"].format(n=len(found.removals)), "")
    for removal in found.removals:
        row = removal.row
        name = "" if row.id == str(row.number) else f" {inline(row.id)}"
        yield from (f"### {words['row']} {row.number}{name}, {words['line']} {row.line}", "")
        for one in removal.pairs:
            pair = one.candidate
            item = scan.item_of[pair.eval_set, pair.item]
            left, right = marked(row.text, item.text, scan.plan.words, WINDOW)
            said = [
                f"{inline(each.judge)}: {words[each.label or 'no_label']}" for each in one.opinions
            ]
            yield f"- {'; '.join([*figures(found, pair, words), *said])}"
            own = "" if item.id == str(item.place) else f" {inline(item.id)}"
            head = f"{words['text_of_item']} {inline(pair.eval_set)} {pair.item}{own}"
            for title, text in ((words["text_of_row"], left), (head, right)):
                body = inline("".join(piece.text for piece in text.pieces))
                cut = (
                    ""
                    if text.whole
                    else words["window"].format(
                        start=text.start + 1, stop=text.stop, length=text.length
                    )
                )
                yield f"  - {title}: {body or words['empty_text']}{f' ({cut})' if cut else ''}"
        yield ""
    for group in groups(found)[1:]:
        if group.pairs:
            left_out = words["shown"].format(shown=0, n=len(group.pairs), file="pairs.jsonl")
            yield from (f"## {words[f'{group.name}_section']}", "", left_out, "")


__all__ = ["WINDOW", "document"]
