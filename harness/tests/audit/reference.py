"""The join and the tokenizer as their definitions read, one character and one pair at a time."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from harness.audit.shingles import Parameters, jaccard, shingles
from harness.ids import seed

SCRIPTS = (
    *("HIRAGANA", "KATAKANA", "BOPOMOFO", "CJK UNIFIED", "THAI", "LAO", "MYANMAR", "KHMER"),
    *("TAI LE", "NEW TAI LUE", "TAI THAM", "TAI VIET", "TANGUT", "KHITAN", "NUSHU"),
    *("HENTAIGANA", "HANGZHOU", "IDEOGRAPHIC", "VERTICAL KANA", "CJK COMPATIBILITY"),
)
# Default_Ignorable_Code_Point of Unicode: below U+3000 all of it but the invisible operators.
_RANGES = ((0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2065, 0x206F))
INVISIBLE = "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u2060\ufe0f\ufeff\U000e0100" + "".join(
    chr(code) for low, high in _RANGES for code in range(low, high + 1)
)


def spelled(text: str) -> list[str]:
    """Tokens of a text without LaTeX and image placeholders, character by character."""
    kept = []
    for char in text:
        kind = unicodedata.decomposition(char).split(" ")[0]
        if char in INVISIBLE:
            continue
        kind = kind if kind in ("<super>", "<sub>", "<fraction>", "<square>", "<circle>") else ""
        kept.append((" " if "\u2061" <= char <= "\u2064" else char, kind))
    apart = ""
    last = ""
    for char, kind in kept:
        apart += " " * (kind != last or kind in ("<fraction>", "<square>", "<circle>")) + char
        last = kind
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", apart).casefold())
    words: list[str] = []
    before = ""
    for char in folded:
        category = unicodedata.category(char)
        alone = unicodedata.name(char, "").startswith(SCRIPTS)
        if category == "Nd":
            now, char = "digit", str(unicodedata.decimal(char))
        elif alone and category[0] in "LMN":
            words.append(char)
            before = ""
            continue
        elif category[0] == "M":
            if before != "letter" or 0x20D0 <= ord(char) <= 0x20F0:
                continue
            now = "letter"
        else:
            now = "letter" if category[0] in "LN" and char != "\u02bc" else ""
        if now and now == before:
            words[-1] += char
        elif now:
            words.append(char)
        before = now
    return words


def every_pair(
    train: Sequence[str], sets: dict[str, list[str]], parameters: Parameters, start: int = 0
) -> tuple[list[Any], list[Any]]:
    """Hits and contained items by comparing all with all: (row, set, item, share)."""
    held = {name: [shingles(text, parameters) for text in texts] for name, texts in sets.items()}
    hits, contained = [], []
    for row, text in enumerate(train, start):
        own = shingles(text, parameters)
        for name in sorted(held):
            near = [(jaccard(own, other), -item) for item, other in enumerate(held[name])]
            share, item = max(near, default=(Fraction(0), 0))
            if share >= Fraction(*parameters.threshold):
                hits.append((row, name, -item, share))
            parts = [
                (Fraction(len(own & other), max(1, len(other))), -item)
                for item, other in enumerate(held[name])
            ]
            share, item = max(parts, default=(Fraction(0), 0))
            if share >= Fraction(*parameters.containment):
                contained.append((row, name, -item, share))
    return hits, contained


def found(findings: Any) -> tuple[list[Any], list[Any]]:
    """The same of what a join found."""
    return (
        [(m.row, m.eval_set, m.item, m.jaccard) for m in findings.hits],
        [(m.row, m.eval_set, m.item, m.containment) for m in findings.contained],
    )


def made_texts(
    n_train: int, n_items: int, part: str = ""
) -> tuple[list[str], dict[str, list[str]]]:
    """Texts of few words, many repeated: shared phrases, edits, wrapped and cut items."""
    rng = np.random.Generator(np.random.PCG64(seed(7, "audit texts", n_train, n_items, part)))
    words = np.array([f"w{chr(97 + k % 26)}{chr(97 + k // 26)}" for k in range(300)])
    phrases = [" ".join(rng.choice(words[:40], size=8)) for _ in range(12)]

    def text() -> str:
        n = int(rng.choice([0, 1, 3, 5, 7, 8, 12, 30, 60]))
        # An eighth have few words, so that shingles repeat within a text.
        reach = int(rng.choice([3, 40, 300, 300, 300, 300, 300, 300]))
        own = " ".join(rng.choice(words[:reach], size=n))
        return f"{own} {phrases[int(rng.integers(12))]}" if rng.random() < 0.3 else own

    items = [text() for _ in range(n_items)]
    train = []
    for _ in range(n_train):
        made = text()
        if rng.random() < 0.4:
            split = items[int(rng.integers(n_items))].split()
            for _ in range(int(rng.integers(0, 5))):
                split.insert(int(rng.integers(len(split) + 1)), str(rng.choice(words)))
            made = " ".join(split)
            if rng.random() < 0.3:
                made = f"{text()} {made} {text()}"
        train.append(made)
    third = n_items // 3
    return train, {"one": items[:third], "two": items[third:], "none": []}
