"""One pair as HTML: both texts side by side, what they share marked, and who said what."""

from __future__ import annotations

import re
import unicodedata

from harness.audit.pairs import Candidate
from harness.contamination.display import Words, candidate_of, figures
from harness.contamination.judging import Judgement
from harness.contamination.marking import Marked, marked
from harness.contamination.outcome import Outcome
from harness.contamination.scan import ItemText, RowText
from harness.contamination.triage import pictures

# Characters of a text that are shown; above the second number they fold.
WINDOW, FOLDED = 20_000, 1_500
_SPECIAL = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}
# Joiners and direction marks (U+200C to U+200F) are part of writing; what reorders or hides is not.
_UNSEEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff"
)
_ESCAPED = re.compile(f"[&<>\"'{_UNSEEN}\U000e0000-\U000e0fff]")


def card(found: Outcome, one: Judgement | Candidate, words: Words, place: int) -> str:
    """A pair as one article.

    Parameters
    ----------
    found : the audit.
    one : a judgement, or a candidate that no judge is asked about.
    words : of the language.
    place : of the evaluation set among all, for the filter.
    """
    scan, pair = found.scan, candidate_of(one)
    row, item = scan.row_of[pair.row], scan.item_of[pair.eval_set, pair.item]
    facts_of = figures(found, pair, words)
    seen = pictures(row, item)
    shared = len(set(row.images) & set(item.images))
    if shared > 1:
        facts_of.append(words["pictures_several"].format(n=shared))
    elif seen != "none":
        facts_of.append(words[f"pictures_{seen}"])
    opinions = () if isinstance(one, Candidate) else one.opinions
    if isinstance(one, Candidate):
        label = "generic"
        badge = words["filter_generic"]
    else:
        label = one.label or "undecided"
        badge = words[one.label or "no_label"]
    left, right = marked(row.text, item.text, scan.plan.words, WINDOW)
    said = "".join(
        f"<li><b>{escape(each.judge)}</b>: {escape(words[each.label or 'no_label'])}"
        f"{': ' if each.reason else ''}<bdi>{escape(each.reason)}</bdi></li>"
        for each in opinions
    )
    return (
        f"<article class=s-{place} id='{attribute(pair.key)}'><header><span class='badge {label}'>"
        f"{escape(badge)}</span> {escape(' · '.join(facts_of))}</header><div class=pair>"
        + _side(_row_head(row, words), left, words)
        + _side(_item_head(item, words), right, words)
        + f"</div>{f'<ul class=said>{said}</ul>' if said else ''}</article>"
    )


def _row_head(row: RowText, words: Words) -> str:
    name = "" if row.id == str(row.number) else f" <bdi>{escape(row.id)}</bdi>"
    return f"{escape(words['text_of_row'])} {row.number}{name}, {escape(words['line'])} {row.line}"


def _item_head(item: ItemText, words: Words) -> str:
    name = "" if item.id == str(item.place) else f" <bdi>{escape(item.id)}</bdi>"
    return (
        f"{escape(words['text_of_item'])} <bdi>{escape(item.eval_set)}</bdi> {item.place}{name}, "
        f"{escape(words['line'])} {item.line}"
    )


def _side(head: str, text: Marked, words: Words) -> str:
    tags = {"span": "mark", "word": "u"}
    body = "".join(
        f"<{tags[piece.kind]}>{escape(piece.text)}</{tags[piece.kind]}>"
        if piece.kind
        else escape(piece.text)
        for piece in text.pieces
    )
    shown = f"<div class=text dir=auto>{body or escape(words['empty_text'])}</div>"
    if not text.whole:
        where = words["window"].format(start=text.start + 1, stop=text.stop, length=text.length)
        shown += f"<p class=note>{escape(where)}</p>"
    if text.stop - text.start > FOLDED:
        length = words["open_text"].format(length=text.length)
        shown = f"<details><summary>{escape(length)}</summary>{shown}</details>"
    return f"<div class=side><h3>{head}</h3>{shown}</div>"


def escape(text: str) -> str:
    """Text for an element or a quoted attribute.

    Examples
    --------
    >>> escape('<b title="x">' + chr(0) + chr(0x202E))
    '&lt;b title=&quot;x&quot;&gt;<i class=u>U+0000</i><i class=u>U+202E</i>'
    """
    return _ESCAPED.sub(_replaced, text.replace("\r\n", "\n"))


def attribute(text: str) -> str:
    """The same for an attribute, where no element may stand."""
    return "".join(
        _SPECIAL.get(c, c if unicodedata.category(c) not in ("Cc", "Cf", "Cs") else " ")
        for c in text
    )


def _replaced(match: re.Match[str]) -> str:
    character = match.group()
    return _SPECIAL.get(character) or f"<i class=u>U+{ord(character):04X}</i>"


__all__ = ["FOLDED", "WINDOW", "attribute", "card", "escape"]
