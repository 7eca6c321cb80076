"""The review page: one static HTML file that shows what a person needs to judge each row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from harness.review.pictures import Shown
from harness.review.sampling import listed
from harness.review.sheet import shown
from harness.review.taxonomy import KINDS, RULE, RULE_ZH
from harness.vision.views import CONDITIONS, MODES

# Pictures from beside the page only, whether it is opened as a file or served.
POLICY = (
    "default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'; base-uri 'none'; "
    "form-action 'none'"
)
_STYLE = (
    "*{box-sizing:border-box}"
    "body{font:16px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem;"
    "overflow-wrap:anywhere}"
    "article{border-top:2px solid #888;margin-top:2rem}"
    "pre{white-space:pre-wrap;background:#f4f4f4;color:#111;padding:.7rem;"
    "max-height:40rem;overflow:auto;unicode-bidi:plaintext}"
    "code{unicode-bidi:isolate}"
    "img{max-width:100%;max-height:85vh;width:auto;height:auto;border:1px solid #888;"
    "margin:.3rem .3rem .3rem 0}"
    "dt{font-weight:bold}dd{margin-left:1.5rem}nav a{display:inline-block;margin-right:.6rem}"
    "a:focus-visible,pre:focus-visible{outline:3px solid #06c;outline-offset:2px}"
)
_TITLE = ("Manual error analysis", "人工错误分析")
_TOP = "rows"
# Column of the sheet → heading on the page.
_HEADS = {
    "question": ("Question", "题目"),
    "choices": ("Choices", "选项"),
    "gold": ("Gold answer", "标准答案"),
    "response": ("Response", "模型回答"),
    "read_answer": ("Answer as read", "读出的答案"),
}
_WHERE = {
    "condition": ("Condition", "条件"),
    "cell": ("Cell", "单元"),
    "example": ("Example", "样本"),
}
_HOW = {"rule": ("Rule", "规则"), "outcome": ("Outcome", "结果")}


def page_text(
    rows: Sequence[Mapping[str, str]], pictures: Mapping[str, tuple[Sequence[Shown], str]]
) -> str:
    """The page of a sample.

    Parameters
    ----------
    rows : as for `harness.review.sheet.sheet_text`.
    pictures : by id, the pictures of a row, or none with the reason.

    Returns
    -------
    str
        HTML with labels in English and Chinese. It needs no script and its policy allows none;
        it loads nothing but the pictures beside it. Every text of a data set or a model is
        escaped.
    """
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">',
        '<meta name="referrer" content="no-referrer">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{' '.join(_TITLE)}</title>",
        f"<style>{_STYLE}</style>",
        "</head>",
        "<body>",
        f"<h1>{_both(_TITLE)}</h1>",
        *_rules(),
        *_contents(rows),
        "<main>",
    ]
    for at, row in enumerate(rows):
        lines += _article(row, *pictures.get(row["id"], ((), "")))
        lines += [_links(rows[at - 1 : at], rows[at + 1 : at + 2]), "</article>"]
    return "\n".join((*lines, "</main>", "</body>", "</html>", ""))


def _rules() -> list[str]:
    entries = [
        f"<dt>{label} – {_both((kind.name, kind.name_zh))}</dt>"
        f'<dd>{_text(kind.meaning)}<br><span lang="zh">{_text(kind.meaning_zh)}</span></dd>'
        for label, kind in KINDS.items()
    ]
    return [
        f'<p><strong>{RULE} <span lang="zh">{RULE_ZH}</span></strong></p>',
        "<p>Labels go into the sheet, columns annotator_1, annotator_2 and adjudicated. "
        '<span lang="zh">标签填写在表格的 annotator_1、annotator_2 和 adjudicated 列。</span></p>',
        "<dl>",
        *entries,
        "</dl>",
    ]


def _contents(rows: Sequence[Mapping[str, str]]) -> list[str]:
    """Links to the rows of each condition; the rows themselves are in the order of the sheet."""
    by_condition: dict[str, list[str]] = {}
    for row in rows:
        by_condition.setdefault(row["condition"], []).append(row["id"])
    lines = [
        f'<nav id="{_TOP}" aria-labelledby="{_TOP}-head">',
        f'<h2 id="{_TOP}-head">{_both(("Rows", "条目"))}</h2>',
        "<dl>",
    ]
    for condition in listed(by_condition, CONDITIONS + MODES):
        names = by_condition[condition]
        links = " ".join(_link(name) for name in names)
        lines += [f"<dt>{_text(condition)} ({len(names)})</dt>", f"<dd>{links}</dd>"]
    return [*lines, "</dl>", "</nav>"]


def _article(row: Mapping[str, str], images: Sequence[Shown], reason: str) -> list[str]:
    name = _text(row["id"])
    lines = [
        f'<article id="{name}" aria-labelledby="{name}-head">',
        f'<h2 id="{name}-head">{name}</h2>',
        _codes(row, _WHERE),
    ]
    for number, image in enumerate(images, start=1):
        # The page fits it to the window; the link opens it at its own size.
        lines.append(
            f'<a href="{_text(image.file)}"><img src="{_text(image.file)}" width="{image.width}" '
            f'height="{image.height}" loading="lazy" '
            f'alt="Picture 图片 {number}/{len(images)}, {image.width}×{image.height}"></a>'
        )
    if reason:
        lines.append(f"<p>{_both(('No picture', '无图片'))}: <bdi>{_text(reason)}</bdi></p>")
    for column, head in _HEADS.items():
        if row[column] or column != "choices":
            # A long text scrolls in its box, which a keyboard reaches by the tab stop.
            lines += [
                f'<h3 id="{name}-{column}">{_both(head)}</h3>',
                f'<pre dir="auto" tabindex="0" role="group" aria-labelledby="{name}-{column}">'
                # The parser drops a line break that comes first.
                f"\n{_text(row[column])}</pre>",
            ]
    return [*lines, _codes(row, _HOW)]


def _codes(row: Mapping[str, str], heads: Mapping[str, tuple[str, str]]) -> str:
    parts = (f"{_both(head)}: <code>{_text(row[column])}</code>" for column, head in heads.items())
    return f"<p>{' · '.join(parts)}</p>"


def _links(before: Sequence[Mapping[str, str]], after: Sequence[Mapping[str, str]]) -> str:
    """To the rows before and after, and back to the list."""
    parts = [
        *(_link(row["id"], "← ") for row in before),
        f'<a href="#{_TOP}">↑ {_both(("Rows", "条目"))}</a>',
        *(_link(row["id"], "→ ") for row in after),
    ]
    return f"<p>{' · '.join(parts)}</p>"


def _link(name: str, arrow: str = "") -> str:
    return f'<a href="#{_text(name)}">{arrow}{_text(name)}</a>'


def _both(names: tuple[str, str]) -> str:
    """An English and a Chinese label, the second marked as such for fonts and screen readers."""
    return f'{_text(names[0])} <span lang="zh">{_text(names[1])}</span>'


def _text(text: str) -> str:
    return escape(shown(text))


__all__ = ["POLICY", "page_text"]
