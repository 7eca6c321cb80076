"""The report as a page and as Markdown: everything readable, nothing of the data in force."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from harness.contamination import html
from harness.contamination.cards import FOLDED, WINDOW, escape
from harness.contamination.html import LISTED, page
from harness.contamination.listing import pair_lines
from harness.contamination.markdown import document
from harness.contamination.marking import marked
from harness.contamination.outcome import Outcome, outcome
from harness.contamination.scan import Fault
from harness.contamination.texts import TEXTS
from harness.contamination.triage import triage
from harness.tests.contamination.made_audits import hit, item, near, row, said, scan_of

EVIL = "</div></article><script>alert(1)</script><img src=x onerror=alert(2)> & \"q\" 'r'"
ARABIC = "كرة تسقط من السكون من ارتفاع عشرين مترا"
HAN = "质量恒定的铜制滑块沿粗糙斜面向下匀速运动"
VOID = {"meta", "input", "br"}


class Reader(HTMLParser):
    """Tags in order, whether they close, and the text of each article."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.articles: list[str] = []
        self.text = ""
        self.marks: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.attributes += attrs
        if tag == "article":
            self.articles.append("")
        if tag == "mark":
            self.marks.append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"{tag} closes what it did not open"

    def handle_data(self, data: str) -> None:
        self.text += data
        if "article" in self.open:
            self.articles[-1] += data
        if "mark" in self.open:
            self.marks[-1] += data


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert not reader.open
    return reader


def audited(*texts: tuple[str, str, str], **changed: object) -> Outcome:
    """One row beside one item each: its text, the item's, and the label."""
    rows = [row(k, own) for k, (own, _, _) in enumerate(texts)]
    items = [item(k, other) for k, (_, other, _) in enumerate(texts)]
    n_rows = max(100, len(texts))
    hits = [hit(k, k) for k in range(len(texts))]
    scan = scan_of(rows, items, hits=hits, n_rows=n_rows, max_removed_share=1.0, **changed)  # type: ignore[arg-type]
    labels = [label or None for _, _, label in texts]
    asked = triage(scan).candidates
    return outcome(scan, [said(one, label) for one, label in zip(asked, labels, strict=True)])


def test_texts_of_the_data_stay_texts() -> None:
    cases = (EVIL, ARABIC, HAN, "\0 NUL \x1b[31m", "a\u202eb\u2066c", "<!-- ", "]]>", "&lt;", "")
    found = audited(*((f"{one} row", f"{one} item", "duplicate") for one in cases))
    for language in ("en", "zh"):
        text = page(found, language)  # type: ignore[arg-type]
        seen = read(text)
        assert not seen.seen & {"script", "img", "iframe", "link", "object", "form", "base"}
        assert not [name for name, _ in seen.attributes if name.startswith("on")]
        links = {value for name, value in seen.attributes if name in ("href", "src")}
        assert links == {"report.zh.html" if language == "en" else "report.html"}
        assert not set("\0\x1b\u202e\u2066") & set(text)
        assert "default-src 'none'" in text
        assert len(seen.articles) == len(cases)
        for one, article in zip(cases[:3], seen.articles, strict=False):
            assert f"{one} row" in article and f"{one} item" in article
        assert "U+0000" in seen.articles[3] and "U+202E" in seen.articles[4]
        assert text.count("class=text dir=auto") == 2 * len(cases)
        text.encode("utf-8")


def test_names_ids_and_reasons_are_escaped_too() -> None:
    found = audited(("a b c d e f", "a b c d e f", "duplicate"))
    scan = found.scan
    evil = outcome(
        type(scan)(
            **{
                **{name: getattr(scan, name) for name in scan.__dataclass_fields__},
                "rows": (type(scan.rows[0])(0, 1, EVIL, "a b c d e f", (), 0),),
                "faults": (Fault(9, 10, EVIL),),
            }
        ),
        [said(triage(scan).candidates[0], "duplicate", reason=EVIL + "\ud800")],
    )
    seen = read(page(evil, "en"))
    assert "script" not in seen.seen and seen.text.count(EVIL) == 3
    markdown = document(evil, "en")
    assert "<script" not in markdown and "<img" not in markdown


def test_every_removed_row_stands_beside_its_neighbour() -> None:
    many = 700
    texts = [
        (f"row number {k} of many", f"item number {k} of many", "duplicate") for k in range(many)
    ]
    texts += [(f"other {k} row", f"other {k} item", "neighbour") for k in range(many)]
    texts += [(f"open {k} row", f"open {k} item", "") for k in range(3)]
    found = audited(*texts)
    text = page(found, "en")
    seen = read(text)
    for k in range(many):
        assert any(
            f"row number {k} of many" in one and f"item number {k} of many" in one
            for one in seen.articles[k : k + 1]
        ), k
    assert len(seen.articles) == many + 3 + LISTED
    assert f"{LISTED} of {many} shown; all of them are in pairs.jsonl." in seen.text
    assert len(text) < 4_000_000
    markdown = document(found, "zh")
    assert markdown.count("### ") == many
    assert "row number 699 of many" in markdown and "item number 699 of many" in markdown


def test_long_texts_fold_and_very_long_ones_are_cut_to_what_is_shared() -> None:
    shared = "the wooden block slides down the rough plane at constant speed"
    long = "filler " * (FOLDED // 7 + 9)
    million = f"{'padding ' * 80_000}{shared} {'padding ' * 45_000}"
    assert len(million) > 1_000_000
    found = audited((long, shared, "duplicate"), (million, shared, "duplicate"))
    text = page(found, "en")
    seen = read(text)
    assert "details" in seen.seen and text.count("<details>") == 2
    assert long in seen.articles[0]
    assert shared in seen.articles[1].partition("Evaluation item")[0]
    assert f"of {len(million)}; the whole text is in pairs.jsonl." in seen.articles[1]
    assert len(text) < 200_000
    left, right = marked(million[-400_000:], shared, None, WINDOW)
    assert (left.stop - left.start, right.whole) == (WINDOW, True)
    pieces = "".join(one.text for one in left.pieces)
    assert pieces == million[-400_000:][left.start : left.stop] and shared in pieces


def test_pages_of_many_long_pairs_stay_small(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 5 * html.BUDGET < 10_000_000
    monkeypatch.setattr(html, "BUDGET", 100_000)
    texts = [(f"{k} " + "lorem ipsum " * 300, "dolor sit " * 300, "neighbour") for k in range(40)]
    text = page(audited(*texts), "en")
    assert len(text) < 130_000
    assert "of 40 shown; all of them are in pairs.jsonl." in text


def test_shared_stretches_are_marked_in_both() -> None:
    cases = [
        (
            "A ball falls from rest. Why?",
            "So a BALL falls from rest and stops",
            [("A ball falls from rest.", "span"), (" Why?", "")],
            [("So ", ""), ("a BALL falls from rest", "span"), (" and stops", "")],
        ),
        (
            "Tom has 12 apples",
            "Ann owns 12 apples or so",
            [("Tom has ", ""), ("12", "word"), (" ", ""), ("apples", "word")],
            [("Ann owns ", ""), ("12", "word"), (" ", ""), ("apples", "word"), (" or so", "")],
        ),
        (
            f"设{HAN}。",
            f"{HAN}吗",
            [("设", ""), (HAN, "span"), ("。", "")],
            [(HAN, "span"), ("吗", "")],
        ),
        ("What is it?", "what IS it", [("What is it?", "span")], [("what IS it", "span")]),
        ("", "x", [], [("x", "")]),
        (
            r"\frac{1}{2} of the mass m",
            "½ of the mass m",
            [(r"\frac{1}{2} of the mass m", "span")],
            [("½ of the mass m", "span")],
        ),
    ]
    for first, second, left, right in cases:
        for texts, expected in zip(marked(first, second), (left, right), strict=True):
            assert [(one.text, one.kind) for one in texts.pieces] == expected, (first, second)
    assert read(page(audited((cases[0][0], cases[0][1], "duplicate")), "en")).marks == [
        *("A ball falls from rest.", "a BALL falls from rest")
    ]


def test_the_page_says_what_was_left_out_and_why_not_to_trust_it() -> None:
    scan = scan_of(
        [row(0, "x y")], [item(0, "x y")], hits=[hit(0, 0)], found=None, contained=[hit(0, 0)]
    )
    text = read(page(outcome(scan, []), "en")).text
    assert "NO-GO" in text and "undecided" in text and "Stage 2 was left out" in text
    assert "Rows that hold an item" in text and "9/9" in text
    border = near(0, 0, 0.8504)
    scan = scan_of([row(0, "x y")], [item(0, "x y")], found=[border], borderline=[border])
    text = read(page(outcome(scan, [said(triage(scan).candidates[0], "neighbour")]), "en")).text
    assert next(pair_lines(outcome(scan, [])))["borderline"] is True
    assert "NO-GO" not in text and "0.8504" in text and "None." in text
    assert read(page(outcome(scan_of([], []), []), "zh")).text.count("GO")


def test_both_languages_say_the_same() -> None:
    assert TEXTS["en"].keys() == TEXTS["zh"].keys()
    for name, text in TEXTS["en"].items():
        fields = {part.partition("}")[0] for part in text.split("{")[1:]}
        other = {part.partition("}")[0] for part in TEXTS["zh"][name].split("{")[1:]}
        assert fields == other, name
    found = audited(("a b c d e f", "a b c d e f", "duplicate"))
    for make in (page, document):
        with pytest.raises(ValueError, match="'et'"):
            make(found, "et")  # type: ignore[operator]


def test_escape_is_one_to_one_for_what_is_visible() -> None:
    plain = "".join(map(chr, range(0x20, 0x7F))) + "\t\nµ½漢字\u200dश्र\u200c"
    seen = Reader()
    seen.feed(escape(plain))
    seen.close()
    assert seen.text == plain
