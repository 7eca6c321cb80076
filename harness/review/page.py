"""The review page: one static HTML file that shows what a person needs to judge each row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from harness.review.pictures import Shown
from harness.review.sheet import shown
from harness.review.taxonomy import KINDS, RULE, RULE_ZH

# Pictures from beside the page only, whether it is opened as a file or served.
POLICY = (
    "default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'; base-uri 'none'; "
    "form-action 'none'"
)
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem}"
    "article{border-top:2px solid #888;margin-top:2rem}"
    "pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f4f4f4;color:#111;padding:.7rem;"
    "max-height:40rem;overflow:auto;unicode-bidi:isolate}"
    "img{max-width:100%;height:auto;border:1px solid #888;margin:.3rem}"
    "dt{font-weight:bold}code{overflow-wrap:anywhere}"
)
_TITLE = "Manual error analysis 人工错误分析"
# Column of the sheet → heading on the page.
_HEADS = {
    "question": "Question 题目",
    "choices": "Choices 选项",
    "gold": "Gold answer 标准答案",
    "response": "Response 模型回答",
    "read_answer": "Answer as read 读出的答案",
}


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
        f"<title>{_TITLE}</title>",
        f"<style>{_STYLE}</style>",
        "</head>",
        "<body>",
        f"<h1>{_TITLE}</h1>",
        *_rules(),
        *_contents(rows),
    ]
    for row in rows:
        lines += _article(row, *pictures.get(row["id"], ((), "")))
    return "\n".join((*lines, "</body>", "</html>", ""))


def _rules() -> list[str]:
    entries = [
        f"<dt>{label} – {kind.name} {kind.name_zh}</dt>"
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
    by_condition: dict[str, list[str]] = {}
    for row in rows:
        by_condition.setdefault(row["condition"], []).append(row["id"])
    lines = ["<h2>Rows 条目</h2>", "<dl>"]
    for condition, names in by_condition.items():
        links = " ".join(f'<a href="#{_text(name)}">{_text(name)}</a>' for name in names)
        lines += [f"<dt>{_text(condition)} ({len(names)})</dt>", f"<dd>{links}</dd>"]
    return [*lines, "</dl>"]


def _article(row: Mapping[str, str], images: Sequence[Shown], reason: str) -> list[str]:
    where = {"Condition 条件": "condition", "Cell 单元": "cell", "Example 样本": "example"}
    lines = [
        f'<article id="{_text(row["id"])}">',
        f"<h2>{_text(row['id'])}</h2>",
        _codes(row, where),
    ]
    for number, image in enumerate(images, start=1):
        lines.append(
            f'<img src="{_text(image.file)}" width="{image.width}" height="{image.height}" '
            f'loading="lazy" alt="Picture 图片 {number}/{len(images)}">'
        )
    if reason:
        lines.append(f"<p>No picture 无图片: {_text(reason)}</p>")
    for column, head in _HEADS.items():
        if row[column] or column != "choices":
            lines += [f"<h3>{head}</h3>", f'<pre dir="auto">{_text(row[column])}</pre>']
    return [
        *lines,
        _codes(row, {"Rule 规则": "rule", "Outcome 结果": "outcome"}),
        "</article>",
    ]


def _codes(row: Mapping[str, str], heads: Mapping[str, str]) -> str:
    parts = (f"{head}: <code>{_text(row[column])}</code>" for head, column in heads.items())
    return f"<p>{' · '.join(parts)}</p>"


def _text(text: str) -> str:
    return escape(shown(text))


__all__ = ["POLICY", "page_text"]
